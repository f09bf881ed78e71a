import { once } from "../../base/lines.ts";
import { wordKeys } from "../word-keys.ts";
import { mayHaveSlots, slotted, type Slot } from "./slots.ts";

/** A statement as a key and a value; a later value for the same key replaces it. */
export interface Claim {
  readonly key: string;
  readonly value: string;
  /** Whether the key means the same everywhere or only below the same heading. */
  readonly holds: "everywhere" | "below its heading";
}

export const undecidedLabel =
  /^(?:open|todos?|to do|next(?: steps?)?|plans?|requests?|questions?|ideas?|why|reason|because|how[- ]to[- ]apply|examples?|options?|risks?|pending|offen|idee|frage|warum|question|idée|pourquoi|pregunta|pendiente|por qué|idea|perché|pendente|вопрос|почему|이유|할 ?일|질문|미해결|적용|理由|質問|課題|未解決|原因|问题|待办)$/u;
export const decidedLabel =
  /^(?:decisions?|decided|rules?|agreed|facts?|now|update|updated|beschluss|entscheidung|regel|décision|règle|decisión|regla|decisão|regra|decisione|regola|решение|правило|결정|규칙|決定|ルール|决定|规则|規則)$/u;

/** Labels that usually get a new value in every entry, and labels used in conversation. */
const manyValues =
  /^(?:.* )?(?:decision|note|rule|remark|comment|open|outcome|result|summary|lesson|question|answer|example|source|see|link|url|date|what|who|where|problem|cause|fix|bug|error|topic|tag|action|item|step|change|today|tomorrow|yesterday|ps|tip|warning|detail|quote|guest|visitor|speaker|distance|duration|session|entry|event|spoke with|attendee|participant|present|pr|pull request|issue|commit|ticket|refs?|closes|resolves|merge|task|\S+-by|notiz|ergebnis|datum|fecha|nota|note|résultat|resultado|data|risultato|заметка|дата|результат|메모|결과|요약|답변|예|참고|날짜|メモ|結果|回答|例|参考|日付|备注|笔记|结果|总结|回答|例子|日期)$/u;

export function isLabel(name: string, value: string): boolean {
  const words = name.trim().split(/\s+/u);
  if (words.length > 1 && (state.test(name) || relations().some(([, form]) => form.test(name)))) return false;
  if (name === "" || words.length > 6 || /^(?:https?|\d+)$/u.test(name) || /[("“”«»]/u.test(name)) return false;
  // A speaker: `Anna: I am late.`
  return words.length > 1 || !/^\p{Lu}/u.test(name) || !/[.!?…]$|\b(?:i|you|we)\b/u.test(value);
}

/** A quick test with false positives: whether a lower-case statement may have a value that holds beyond its heading. */
export function mayHaveValue(text: string): boolean {
  return mayHaveSlots.test(text) || mayOwn.test(text);
}

/** The parts of a statement, in lower case. */
interface Facts {
  readonly label: string;
  /** The label, unless it only marks a decision. */
  readonly about: string;
  readonly body: string;
  readonly isTold: boolean;
  /** A rule is not an event: `lines changed in one pull request`. */
  readonly isRule: boolean;
}

/** The claims of a statement. */
export function claimsOf(facts: Facts): readonly Claim[] {
  return [labelClaim, ownClaim, relationClaim, frameClaims].flatMap((read) => read(facts));
}

/** A claim with a label: `port: 8080`. */
function labelClaim({ label, body }: Facts): readonly Claim[] {
  if (label.startsWith("reason for ")) return [];
  if (label === "" || undecidedLabel.test(label) || decidedLabel.test(label) || manyValues.test(label)) return [];
  // Plurals name lists, past actions recur, and lists of things to do grow: `guests`, `ordered`, `to buy`, `à acheter`.
  if (
    /^(?:to|à|da|por|zu|do) /u.test(label) ||
    (/(?:[^su]s|[^e]ed|ing|bought|read|met|seen|paid|built|done)$/u.test(label) && !/\b(?:speed|heating)$/u.test(label))
  )
    return [];
  const said = headOf(body);
  if (said === "" || said.split(/\s+/u).length > 9) return [];
  const key = [...wordKeys(label)].toSorted().join(" ") || label;
  const address = /^(?:https?:\/\/|\S+@\S+\.)/u.test(said) && key.includes(" ");
  const value = valueOf(said);
  const own: Claim = { key: `: ${key}`, value, holds: "below its heading" };
  return address ? [own, { ...own, key: `@ ${key}`, holds: "everywhere" }] : [own];
}

function valueOf(said: string): string {
  const words = [...wordKeys(said)];
  return words.length === 0 ? said.trim() : words.toSorted().join(" ");
}

/** A value without its reason. */
function headOf(said: string): string {
  const cut =
    /\s*(?:[,;](?=\s|$)|[。，、；]|\s[–—-]\s|\s\(|\s(?:because|since|as|so that|which|after|again|now|weil|seit|wieder|parce|depuis|porque|desde|perché)(?![a-zß-ÿа-яё])|\.$|\.\s)/u.exec(
      said,
    );
  return (cut === null ? said : said.slice(0, cut.index)).trim();
}

/** Nouns for attributes that have one value at a time. */
const attribute = String.raw`((?:name|e-?mail(?: address)?|address|phone(?: number)?|employer|boss|manager|time ?zone|birthday|salary|(?:favou?rite|preferred|default) [^\s.,;:!?()]+|(?:deploy|default|main) (?:region|branch|port|database)|adresse|telefonnummer|arbeitgeber|zeitzone|lieblings[a-zß-ÿа-яё]+|nom|numéro|employeur|dirección|teléfono|nombre|endereço|telefone|nome|indirizzo|telefono|имя|адрес|телефон))`;
const mayOwn =
  /(?:my|our|mein|unser|mon|ma|notre|mi|nuestr|meu|minha|mio|mia|мо[йяё])[a-zß-ÿ]* (?:name|e-?mail|add?res|phone|tel[eé]|empl|boss|manag|time|birth|salary|fav|pref|def|deploy|main|arbeit|zeit|lieb|n[ou]m|direc|ender|indir|имя|адрес|телеф).* (?:is|ist|est|es|é|è|—|-) /u;
const ownAttribute = once(
  () =>
    new RegExp(
      String.raw`(?:^|[,;] |\b(?:and|that|und|et|y|e|и) )(?:my|our|mein|meine|unser|unsere|mon|ma|notre|mi|nuestro|nuestra|o meu|a minha|meu|minha|il mio|la mia|мой|моя|моё) ${attribute} (?:is|ist|est|es|é|è|—|-) (?:now |jetzt |maintenant |ahora |agora |ora )?([^,;]{1,60})$`,
      "u",
    ),
);

/** A claim about an attribute of the speaker: `my favourite editor is Helix`. */
function ownClaim({ body }: Facts): readonly Claim[] {
  if (!mayOwn.test(body)) return [];
  const [, noun = "", said = ""] = ownAttribute().exec(body.replace(/[.!]+$/u, "")) ?? [];
  const value = headOf(said);
  if (
    value === "" ||
    /^(?:not|a|an|to|in|very|too|so|quite|really|important|due|one of|also|[a-zß-ÿа-яё]+ing)(?![a-zß-ÿа-яё])/u.test(
      value,
    )
  )
    return [];
  return [{ key: `my ${[...wordKeys(noun)].toSorted().join(" ")}`, value: valueOf(value), holds: "everywhere" }];
}

/** Relations that have one value at a time: where a person lives and works, and as what. */
const relations = once((): readonly (readonly [id: string, form: RegExp])[] => [
  [
    "lives",
    /^(.{0,30}?)(?<![a-zß-ÿа-яё])(?:lives? in|(?:is|am|'m) based in|resides? in|wohn(?:e|t|en) in|leb(?:e|t|en) in|habit(?:e|ent|ons) (?:à|en|au)|vi(?:s|t) à|vi(?:ve|vo) en|mor[ao] em|abit[ao] a|viv[eo] a|жив(?:у|[её]т) в) (\S.*)$/u,
  ],
  [
    "works at",
    /^(.{0,30}?)(?<![a-zß-ÿа-яё])(?:works? (?:at|for|from)|arbeit(?:e|et) (?:bei|für)|travaill(?:e|ons) (?:chez|pour)|trabaj[ao] (?:en|para)|trabalh[ao] (?:em|na|no|para)|lavor[ao] (?:presso|per)|работа(?:ю|ет) в) (\S.*)$/u,
  ],
  [
    "works as",
    /^(.{0,30}?)(?<![a-zß-ÿа-яё])(?:works? as|arbeit(?:e|et) als|travaill(?:e|ons) comme|trabaj[ao] (?:como|de)|trabalh[ao] como|lavor[ao] come|работа(?:ю|ет)) (?:a |an )?(\S.*)$/u,
  ],
  ["lives", /^(.{0,12}?)()([^\s,.。はが]+?)(?:에|에서) (?:살고|산다|삽니다|살아|거주)/u],
  ["lives", /^(.{0,8}?[はが])?()([^\s、。はが]+?)に住/u],
  ["lives", /^(.{0,4}?)()(?:现在|目前)?住在([^，。,\s]+)/u],
]);
const mayRelate =
  /liv|resid|based in|work|wohn|leb|arbeit|habit|travail|vi[stv]|mor[ao]|trabal?[hj]|abit|lavor|жив|работа|에서? |住/u;
const self =
  /^(?:the user|user|i|we|he|she|they|ich|wir|er|sie|je|j|nous|il|elle|yo|eu|io|я|저는|나는|제가|私は|僕は|我|현재)?$/u;

function relationClaim({ body, isTold }: Facts): readonly Claim[] {
  if (!mayRelate.test(body)) return [];
  const text = withoutSince(body).replace(/[.!。！]+$/u, "");
  return relations().flatMap(([id, form]): readonly Claim[] => {
    const match = form.exec(text);
    if (match === null) return [];
    const [who = "", said = ""] = [match[1], match[3] ?? match[2]].map((part) => (part ?? "").trim());
    const [place = "", ...when] = headOf(said).split(
      / (?=(?:on|during|at|in|for|as|am|unter|le|la|los|pendant|durante|por) )/u,
    );
    const subject = self.test(who) ? "" : who;
    if (place === "" || /[,;:]/u.test(who) || /\b(?:not|nicht|no|used to|before)\b/u.test(who)) return [];
    const key = `${id} ${subject} ${when.join(" ")}`;
    const claim: Claim = { key, value: valueOf(place), holds: "below its heading" };
    return isTold && when.length === 0 ? [claim, { ...claim, key: `*${key}`, holds: "everywhere" }] : [claim];
  });
}

/** Words for `now` and `since when`, which are not part of the statement. */
const since =
  /(?<![a-zß-ÿа-яё])(?:(?:from|as of|starting|since|seit|ab|depuis|à partir de|desde|a partir de|dal?|с) (?:(?:this|last|next|dieser|letzter|cette|esta|questa|этой) [a-zß-ÿа-яё]+|now(?: on)?|today(?: on)?|the weekend|heute|jetzt|aujourd'hui|hoy|hoje|oggi|now|the beginning|\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)day(?: on)?)(?: on| an)?|now|currently|already|again|at last|by the way|from now on|jetzt|nun|inzwischen|wieder|maintenant|désormais|de nouveau|ahora|otra vez|de nuevo|agora|de novo|ora|adesso|di nuovo|теперь|сейчас|снова)(?![a-zß-ÿа-яё])\s*|이제부터|이제|지금은|다시|今は|今後は|これから(?:は)?|现在|今后|从今以后/gu;

export function withoutSince(text: string): string {
  return text
    .replaceAll(since, "")
    .replace(/\s+([,.;]|$)/gu, "$1")
    .trim();
}

/** The start of a clause that only adds for whom, when or where, and so belongs to the previous clause. */
const joins =
  /^(?:for|in|on|at|with|during|after|before|when|if|unless|except|only|per|every|für|bei|im|in|am|mit|wenn|außer|nur|jeden|pour|chez|dans|quand|sauf|para|en|con|cuando|salvo|solo|cada|em|quando|per|в|на|для|при|если|кроме)(?![a-zß-ÿа-яё])/u;
const fillers =
  /(?<![a-zß-ÿа-яё])(?:the|a|an|my|our|we|i|der|die|das|den|dem|ein|eine|einen|mein|meine|le|la|les|un|une|mon|ma|el|los|las|una|mi|il|lo|gli|o|os|as|meu|minha)(?![a-zß-ÿа-яё])/gu;
/** Words for a lasting state: only its newest figure is valid. */
const state =
  /(?<![a-zß-ÿа-яё])(?:is|are|has|have|costs?|takes?|uses?|allows?|needs?|requires?|weighs?|holds?|lasts?|owns?|earns?|pays?|runs?|opens?|closes?|starts?|begins?|ends?|meets?|eats?|drinks?|sleeps?|gets?|must|may|at most|at least|ist|sind|hat|haben|kostet|nimmt|nehme|beginnt|dauert|läuft|findet|öffnet|schließt|est|sont|a|ont|coûte|prend|commence|dure|ouvre|es|son|está|cuesta|toma|empieza|tiene|dura|abre|cierra|é|são|custa|começa|tem|fecha|è|sono|costa|prende|comincia|ha|apre|стоит|начинается|принима[a-zß-ÿа-яё]+|длится)(?![a-zß-ÿа-яё])|(?:다|이다|입니다|です|である|だ|る)[.。]?$|[是有在]/u;
const event = once(
  () =>
    /(?<![a-zß-ÿа-яё])(?:today|yesterday|tonight|tomorrow|this (?:morning|week|month|evening|afternoon|time|[a-zß-ÿа-яё]+day)|last|just|ago|next|another|more|also|too|once|exceptionally|ran|went|bought|met|spent|paid|took|sold|sent|got|was|were|had|did|heute|gestern|morgen|auch|einmal|ausnahmsweise|war|wurde|hier|demain|aussi|ayer|mañana|también|era|fue|ontem|também|foi|ieri|anche|вчера|сегодня|завтра|также)(?![a-zß-ÿа-яё])|(?<!(?:is|are|be|get|gets) )(?<![a-zß-ÿа-яё])\p{L}{3,}(?<!ne|spe|fe|se|hundr|shar)ed(?![a-zß-ÿа-яё])|[았었했갔샀]|(?:た|ました)[。]?$|了|오늘|어제|내일|今日|昨日|明日|今天|昨天|明天/u,
);

/** Whether a lower-case statement describes an event instead of a lasting state. Each event has its own figure, so a later figure replaces nothing. */
export function isPast(plain: string): boolean {
  return event().test(
    withoutSince(plain).replaceAll(/(?<![a-zß-ÿа-яё])(?:changed|moved|closed)(?![a-zß-ÿа-яё])/gu, ""),
  );
}

/** The start of a reason or an aside. */
const reason = /\s[–—-]\s|\s\(|\s(?:because|weil|parce que|porque|perché|потому что)\s/u;

/** Claims with a number, day, time or address as the value and the rest of the clause as the key. */
function frameClaims({ body, label, about, isTold, isRule }: Facts): readonly Claim[] {
  if (!mayHaveSlots.test(body)) return [];
  const { text, slots } = slotted(withoutSince(body));
  if (slots.length === 0 || slots.length > 4) return [];
  const isOwn =
    /(?<![a-zß-ÿа-яё])(?:i|my|me|ich|mein[a-zß-ÿа-яё]*|je|mon|ma|yo|mi|eu|meu|minha|io|mio|mia|я|мой|моя)(?![a-zß-ÿа-яё])|저는|제|나는|내|私|僕|我/u.test(
      body,
    );
  const [told = ""] = text.split(reason);
  const clauses: string[] = [];
  for (const clause of told.split(
    /[;,，、；。！!](?:\s+|$)|[，、；。]|\.(?:\s+|$)|\s(?:but|and then|aber|mais|pero|mas|ma|но)\s/u,
  )) {
    const last = clauses.at(-1);
    if (last !== undefined && joins.test(clause)) clauses[clauses.length - 1] = `${last} ${clause}`;
    else if (clause.trim() !== "") clauses.push(clause);
  }
  // The whole sentence counts in addition to its clauses.
  const frames = clauses.map((clause, at) => [clause, at] as const);
  if (clauses.length > 1 && isTold) frames.push([told, 0]);
  return frames.flatMap(([clause, at]): readonly Claim[] => {
    const own = slots.filter(({ sign }) => clause.includes(sign));
    // A later clause may be about something mentioned before: `Ms Lind, phone 4411`.
    const isWhole = at === 0 ? isTold || state.test(clause) : state.test(clause);
    if (own.length === 0 || (event().test(clause) && !isRule) || !isWhole) return [];
    const words = clause
      .replaceAll(fillers, " ")
      .split(/\s+/u)
      .filter((word) => /[\p{L}\p{N}]/u.test(word));
    const isUnspaced = /[\p{Script=Han}\p{Script=Hangul}\p{Script=Katakana}]{2}/u.test(clause);
    const few = at > 0 ? 3 : label === "" ? 2 : 1;
    if ((words.length < few && !isUnspaced) || words.length > 16) return [];
    const isLong = words.length >= 4 || /[\p{Script=Han}\p{Script=Hangul}]{6}/u.test(clause);
    return own.flatMap((slot): readonly Claim[] => {
      const key = `# ${about} ${framed(clause, own, slot)}`;
      const claim: Claim = { key, value: slot.value, holds: "below its heading" };
      return isLong && (isOwn || isTold) ? [claim, { ...claim, key: `*${key}`, holds: "everywhere" }] : [claim];
    });
  });
}

/** The words in a clause, with all slots except `left` filled in. */
function framed(clause: string, slots: readonly Slot[], left: Slot): string {
  const filled = slots.reduce(
    (text, slot) => text.replace(slot.sign, slot === left ? ` <${slot.kind}> ` : ` ${slot.value} `),
    clause,
  );
  return filled
    .replaceAll(fillers, " ")
    .replaceAll(/[^\p{L}\p{N}\p{M}<>@:/.%$€£¥-]+/gu, " ")
    .trim();
}

const negative =
  /(?<![a-zß-ÿа-яё])(?:never|do not|does not|must not|not|no|don['’]t|doesn['’]t|mustn['’]t|isn['’]t|aren['’]t|avoid|nie|niemals|nicht|keine?[nrms]?|jamais|ne|pas|nunca|jamás|não|mai|non|никогда|не|нельзя)(?![a-zß-ÿа-яё])|(?<![a-zß-ÿа-яё])n['’]|지 (?:마|말|않)[a-zß-ÿа-яё]*|않[a-zß-ÿа-яё]*|금지|ません|ない|禁止|不要|不得|勿|不/gu;
const always =
  /(?<![a-zß-ÿа-яё])(?:always|must|please|is|are|be|immer|bitte|toujours|siempre|sempre|всегда|should)(?![a-zß-ÿа-яё])|항상|いつも|必ず|总是|一定|必须/gu;

/** A claim with the polarity as its value: `always use tabs`, `never use tabs`. */
export function oppositeClaim({ about, body, isRule }: Facts): readonly Claim[] {
  const clause = (/^[^,;.，；。]+/u.exec(withoutSince(body))?.[0] ?? "").trim();
  if ((event().test(clause) && !isRule) || clause.length > 160) return [];
  const bare = clause.replaceAll(negative, " ");
  const words = [...wordKeys(bare.replaceAll(always, " "))].toSorted();
  if (words.length < 2) return [];
  const value = bare === clause ? "so" : "not so";
  return [{ key: `! ${about} ${words.join(" ")}`, value, holds: "below its heading" }];
}
