// A second planted conversation, held back while the rules are developed. Its sentences are assembled from parts, so few repeat; its languages and forms
// of facts differ from the first one's.
import { createRandom } from "./seeded.mjs";
import { conversation } from "./thread.mjs";

const english = grammar({
  opening:
    "So|Well|Right|Actually|Anyway|By the way|I mean|To be honest|From what I can see|As far as I know|On my side|For now|In the meantime|Once more|At this point|Alternatively|Besides".split(
      "|",
    ),
  subject:
    "the new layout|the second chapter|our little tool|the weekly letter|that spreadsheet|the garden plan|the travel list|the old script|the shared folder|the draft|the colour scheme|the recipe collection|the photo album|the lesson plan|the reading list|the sketch|the timetable|the speech|the form on the first page|the summary of last time|the guest list|the shopping list|the slide with the graph|the introduction|the third version".split(
      "|",
    ),
  verb: "looks|feels|seems|reads|came out|turned up|went|worked out|appears|still looks|already looks|sounds".split(
    "|",
  ),
  state:
    "fairly good|a bit long|quite nice|somewhat crowded|rather short|a little uneven|all right|better than before|more or less finished|as expected|close to what we had|a bit dull in the middle|clear enough|slightly confusing|lovely in the evening light|harder to follow than I hoped".split(
      "|",
    ),
  tail: "and I would leave it there|so let us continue|but we can come back to it|if you ask me|at least for today|though tastes differ|and nobody complained|while I finish the tea|and that is all I have|which is nice to see|before we go on|and I have no strong feelings about it|unless you see something else|so take your time".split(
    "|",
  ),
  ask: "What do you make of {subject}?|Do you have an idea for {subject}?|Would you read {subject} again?|Is there anything else on {subject}?|How would you go on with {subject}?".split(
    "|",
  ),
  reply:
    "Of course, here is another go at {subject}.|I have gone over {subject} and tidied up the wording.|There are a few ways to improve {subject}, for example shorter sentences and fewer lists.|Happy to help with {subject}!|Below you will find {subject} with small changes.|I kept {subject} mostly as it was.".split(
      "|",
    ),
  log: "[{n}] worker-{d} heartbeat ok lag={n}ms|GET /pages/{n} 200 {n}ms|cache: {n} hits, {n} misses|copied {n} files ({n} KB)|  at render (app/{n}.js:{n}:{d})|npm notice {n} packages in {n}s".split(
    "|",
  ),
});

const spanish = grammar({
  opening: "Bueno|Pues|La verdad|Por cierto|De momento|Por mi parte|Otra vez".split("|"),
  subject:
    "el boceto|la lista de lectura|el segundo capítulo|el plan del jardín|la carta semanal|el guion|la hoja compartida|el álbum".split(
      "|",
    ),
  verb: "parece|queda|resulta|sigue|suena".split("|"),
  state: "bastante bien|un poco largo|algo confuso|mejor que antes|más o menos listo|como esperaba".split("|"),
  tail: "así que seguimos|y ya veremos|si te parece|al menos por hoy|y no tengo más".split("|"),
  ask: "¿Qué te parece {subject}?|¿Puedes mirar {subject} otra vez?".split("|"),
  reply:
    "Claro, aquí tienes {subject} con pequeños cambios.|He repasado {subject} y lo veo bien.|Con mucho gusto te ayudo con {subject}.".split(
      "|",
    ),
  log: "proceso {n} terminado en {n} ms|copiados {n} archivos".split("|"),
});

const french = grammar({
  opening: "Bon|Alors|En fait|Pour ma part|Pour l'instant|D'ailleurs".split("|"),
  subject: "le brouillon|la liste de lecture|le plan du jardin|la lettre|le deuxième chapitre|le tableau partagé".split(
    "|",
  ),
  verb: "semble|paraît|reste|devient".split("|"),
  state: "assez bien|un peu long|plutôt clair|presque fini|mieux qu'avant".split("|"),
  tail: "donc on continue|et on verra bien|si tu veux|au moins pour ce soir".split("|"),
  ask: "Tu peux relire {subject} ?|Que penses-tu de {subject} ?".split("|"),
  reply: "Bien sûr, voici {subject} avec quelques retouches.|J'ai relu {subject} et tout va bien.".split("|"),
  log: "tâche {n} finie en {n} ms".split("|"),
});

const russian = grammar({
  opening: "Ну|Кстати|В общем|Пока|Честно говоря".split("|"),
  subject: "черновик|список книг|план сада|письмо|второй раздел|таблица".split("|"),
  verb: "выглядит|кажется|получается".split("|"),
  state: "неплохо|немного длинно|довольно понятно|лучше прежнего|почти готово".split("|"),
  tail: "так что продолжим|посмотрим потом|если не возражаешь|хотя бы на сегодня".split("|"),
  ask: "Посмотришь ещё раз {subject}?|Что думаешь про {subject}?".split("|"),
  reply: "Конечно, вот {subject} с небольшими правками.|Я перечитал {subject}, всё в порядке.".split("|"),
  log: "задача {n} завершена за {n} мс".split("|"),
});

const korean = grammar({
  opening: "음|그리고|일단|솔직히|참고로".split("|"),
  subject: "초안은|독서 목록은|정원 계획은|두 번째 장은|표는|편지는".split("|"),
  verb: "제가 보기에|아직|이제|생각보다".split("|"),
  state: "괜찮아요|조금 길어요|거의 다 됐어요|전보다 나아요|무난해요".split("|"),
  tail: "그래서 계속할게요|나중에 다시 봐요|오늘은 여기까지예요".split("|"),
  ask: "{subject} 어떻게 생각하세요?|{subject} 다시 봐 주실래요?".split("|"),
  reply: "네, {subject} 조금 다듬었습니다.|{subject} 다시 읽어 봤는데 문제없습니다.".split("|"),
  log: "작업 {n} 완료 {n}ms".split("|"),
});

english.facts = [
  ["user", "plain", "Grandmother's recipe for {w1} needs {w2} instead of butter."],
  ["user", "decision", "After the call the board settled on {w1}, so {w2} is out."],
  ["user", "name", "Our new landlord goes by {W1} and lives above the {w2} bakery."],
  ["assistant", "cause", "The leak under the {w1} was caused by a worn {w2}."],
  ["user", "preference", "I can't stand {w1}, give me {w2} any day."],
  ["user", "number", "We paid {n} crowns for the {w1} and the {w2} came free with it."],
  ["user", "deadline", "{W1} wants the {w2} manuscript on her desk before Easter."],
  ["user", "rule", "Nobody but {W1} may touch the {w2} settings."],
  ["assistant", "plain", "The {w1} valve opens to the left, unlike the one on the {w2}."],
  ["user", "plain", "Dad keeps the {w1} papers in a {w2} tin."],
  ["tool", "number", "backup of {w1} stored on {w2}, {n} objects"],
  ["user", "change", "From now on the {w1} group meets in {W2}."],
];
spanish.facts = [
  ["user", "decision", "Al final elegimos {w1} y descartamos {w2}."],
  ["user", "plain", "Mi prima {W1} trabaja de enfermera en {W2}."],
  ["assistant", "cause", "El fallo se debía a que {w1} bloqueaba {w2}."],
];
french.facts = [
  ["user", "decision", "Nous avons retenu {w1} plutôt que {w2}."],
  ["user", "plain", "La clé du {w1} est chez {W2}."],
];
russian.facts = [
  ["user", "decision", "Мы выбрали {y1}, а {y2} больше не используем."],
  ["user", "plain", "Ключ от {y1} лежит у {y2}."],
];
korean.facts = [
  ["user", "decision", "{k1} 대신 {k2} 쓰기로 결정했어요."],
  ["user", "plain", "{k1} 열쇠는 {k2} 씨가 가지고 있어요."],
];

const tongues = [
  [english, 0.6],
  [spanish, 0.14],
  [french, 0.1],
  [russian, 0.08],
  [korean, 0.08],
];

/** Like `conversation`, with other texts. */
export function* heldBack(options = {}) {
  yield* conversation({ ...options, tongues });
}

/** A pool of sentences assembled from parts, with a fixed seed. */
function grammar(parts) {
  const random = createRandom(4711);
  const pick = (name) => random.pick(parts[name]).replaceAll("{subject}", () => random.pick(parts.subject));
  const sentence = () => {
    const [opening, subject] = [random.chance(0.5) ? `${pick("opening")}, ` : "", pick("subject")];
    const told = `${opening}${subject} ${pick("verb")} ${pick("state")}`;
    return `${told.charAt(0).toUpperCase()}${told.slice(1)}${random.chance(0.6) ? `, ${pick("tail")}` : ""}.`;
  };
  const many = (count, make) => Array.from({ length: count }, make);
  return {
    filler: {
      user: [...many(900, sentence), ...many(150, () => pick("ask"))],
      assistant: [...many(700, sentence), ...many(350, () => pick("reply"))],
      tool: parts.log,
      names: ["-"],
      parts: ["-"],
      files: ["-"],
    },
    facts: [],
  };
}
