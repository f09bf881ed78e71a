import { isFunctionWord } from "../../text/words/stop-words.ts";
import { greatest } from "../../base/lists.ts";

/**
 * Thanks, greetings, agreement and "go on", separated by commas. Excludes anything that denies, stops, undoes or chooses, and words that are a name or number
 * in some language (`go`, `right`, `all`): when in doubt, a turn is kept.
 */
const said = `
thanks, thank you, thankyou, thank u, thx, tks, ty, thanks a lot, thanks a bunch, thanks a million, thanks so much, thanks very much, thank you so much, thank you very much, many thanks, thanks again, thank you again,
thanks for your help, thanks for the help, thanks for that, thanks for everything, thank you for your help, thank you for the help, thank you for that, thank you for everything, much appreciated, i appreciate it, appreciate it, appreciated, cheers, great work, good work, nice work, good job, great job, nice job, well done,
hi, hello, hey, hi there, hello there, hey there, good morning, good afternoon, good evening, good night, bye, goodbye, bye bye, see you, see you later, see you soon, see you tomorrow, take care, have a good day, have a great day, have a nice day,
ok, okay, okey, okey dokey, okeydokey, kk, yes, yeah, yea, yep, yup, yes please, please, pls, please do, sure, sure thing, of course, certainly, definitely, absolutely, indeed, exactly, alright, all right, fine, agreed, i agree, understood, noted, got it, gotcha, i see, roger, lgtm, makes sense, that makes sense,
good, great, nice, cool, awesome, amazing, perfect, excellent, brilliant, lovely, wonderful, fantastic, superb, super, very good, very nice, so good, good idea, great idea, good point, good catch, sounds good, sounds great, that sounds good, looks good, looks great, looks good to me, looks great to me, that looks good, that looks great,
that's great, that is great, that's good, that is good, that's perfect, that is perfect, that's fine, that is fine, you're right, you are right, that's right, that is right, that's correct, that is correct, correct, yay, wow, lol, haha, hahaha,
go on, go ahead, please go on, please go ahead, keep going, carry on, continue, please continue, proceed, please proceed, go for it, do it, please do it, let's go, let's do it, let's continue, keep it up, sorry, my bad,
danke, dankeschön, danke schön, danke sehr, danke dir, danke ihnen, danke euch, vielen dank, vielen lieben dank, besten dank, herzlichen dank, tausend dank, bitte, bitte schön, bitteschön, hallo, moin, servus, guten morgen, guten tag, guten abend, gute nacht, gute arbeit, gute idee, tschüss, auf wiedersehen, bis bald, bis später,
ja, ja bitte, jo, jawohl, klar, alles klar, na klar, genau, gut, sehr gut, gern, gerne, sehr gern, sehr gerne, prima, toll, perfekt, passt, einverstanden, verstanden, natürlich, in ordnung, richtig, klingt gut, sieht gut aus, schön, sehr schön, weiter, mach weiter, weiter so, bitte weiter, weiter bitte, mach das, bitte mach weiter, machs gut,
merci, merci beaucoup, merci bien, mille mercis, bonjour, bonsoir, salut, au revoir, à bientôt, a bientôt, bonne journée, bonne soirée, bonne nuit, oui, ouais, d'accord, entendu, compris, très bien, tres bien, bien, bien sûr, parfait, génial, super, exactement, bonne idée, ça marche, ça va, s'il vous plaît, s'il te plaît, continue, continuez, vas y, allez y, fais le,
gracias, muchas gracias, muchísimas gracias, mil gracias, hola, buenos días, buenas tardes, buenas noches, adiós, hasta luego, hasta mañana, sí, si, sí por favor, si por favor, por favor, claro, claro que sí, vale, de acuerdo, está bien, muy bien, perfecto, genial, excelente, estupendo, buena idea, buen trabajo, entendido, adelante, sigue, siga, sigamos, continúa, continua, continúe, hazlo, dale,
grazie, grazie mille, molte grazie, prego, buongiorno, buonasera, buona giornata, buona serata, arrivederci, ciao, sì, certo, va bene, bene, molto bene, perfetto, ottimo, ottima idea, d'accordo, esatto, capito, per favore, continua, continui, vai avanti, avanti, fallo,
obrigado, obrigada, muito obrigado, muito obrigada, olá, bom dia, boa tarde, boa noite, tchau, sim, claro, tudo bem, muito bem, perfeito, ótimo, beleza, valeu, entendi, combinado, boa ideia, bom trabalho, por favor, pode continuar, prossiga, continue, faça isso,
спасибо, спасибо большое, большое спасибо, огромное спасибо, привет, здравствуйте, добрый день, доброе утро, добрый вечер, до свидания, да, хорошо, очень хорошо, ладно, окей, ок, отлично, понятно, понял, поняла, ясно, конечно, верно, точно, согласен, согласна, прекрасно, супер, круто, хорошая идея, пожалуйста, продолжай, продолжайте, продолжим, давай, давайте, дякую, привіт, так, добре, звичайно, продовжуй, будь ласка,
네, 네네, 넵, 예, 응, 고마워, 고마워요, 고맙습니다, 감사해요, 감사합니다, 감사드립니다, 정말 고마워, 정말 고마워요, 정말 감사합니다, 대단히 감사합니다, 안녕, 안녕하세요, 안녕히 계세요, 좋아, 좋아요, 좋습니다, 좋네요, 알겠어, 알겠어요, 알겠습니다, 알았어, 알았어요, 그래, 그래요, 맞아, 맞아요, 맞습니다, 물론, 물론이죠, 오케이, ㅇㅇ, ㅇㅋ, 훌륭해요, 완벽해요, 최고예요,
부탁해, 부탁해요, 부탁드려요, 부탁드립니다, 수고했어요, 수고하셨습니다, 수고하세요, 계속, 계속해, 계속해요, 계속해줘, 계속해 줘, 계속하세요, 계속해주세요, 계속해 주세요, 진행해, 진행해줘, 진행해 줘, 진행하세요, 진행해주세요, 진행해 주세요
`;

/** Phrases in scripts without spaces, alone or several in a row. */
const run = new RegExp(
  "^(?:(?:どうも)?(?:ありがとう|有難う)(?:ございま(?:す|した))?|どうも|サンキュー|お願い(?:いた)?します|お願い|よろしく|了解(?:です|しました|いたしました)?|承知(?:しました|いたしました)|はい|うん|ええ|そうです|そうだね?|続けて(?:ください|下さい)?|続行して(?:ください|下さい)?|" +
    "進めて(?:ください|下さい)?|こんにち[はわ]|こんばんは|おはよう(?:ございます)?|おやすみ(?:なさい)?|お疲れ(?:様|さま)(?:です|でした)?|さようなら|分かりました|わかりました|分かった|わかった|いいですね?|いいね|良いですね?|良さそうです|素晴らしい(?:です)?|すばらしい|完璧(?:です)?|もちろん(?:です)?|助かります|助かりました|その通り(?:です)?|オッケー|オーケー|" +
    "非常感[谢謝]|十分感[谢謝]|感[谢謝](?:你|您)?|多[谢謝]|(?:谢谢|謝謝)(?:你们|你|您|啦|了)?|好(?:的|吧|啊|呀|哦|嘞|极了)?|请?继续(?:吧)?|請?繼續(?:吧)?|嗯|可以(?:的)?|行|是的|[对對](?:的)?|你好|您好|早上好|早安|下午好|晚上好|晚安|再[见見]|拜拜|辛苦(?:了|你了)|明白(?:了)?|知道了|收到|了解|很好|太好了|太棒了|真棒|完美|同意|当然|當然|好主意|" +
    "了解)+$",
  "u",
);

/** Polite words that models use, in addition to those of users. */
const polite = `
you're youre welcome let know need needs want anything something else further happy glad help helps helped helpful helping assist assistance feel free reach ask question questions anytime time whenever ready day weekend enjoy luck next like today now get started start pleasure hear
working keep going done thanks thank back hesitate problem worries don't just i'm i'll here there's it's very out task tasks
gern gerne geschehen sag sagen einfach bescheid wenn du sie noch etwas brauchst brauchen helfen kann melde melden dich sich jederzeit fragen weitere freut mich viel erfolg spaß erledigt bin da sonst kein problem
de rien n'hésitez n'hésite pas si vous avez tu as d'autres autres questions besoin aider plaisir bonne journée autre chose fait
nada avísame avíseme avisa necesitas necesita algo más alguna pregunta ayudar ayudarte puedo gusto hecho listo otra cosa
prego fammi sapere se hai hai bisogno altro aiuto domande fatto disponha avise precisar mais alguma coisa ajuda feito
пожалуйста рад рада помочь если нужно будет что-то что-нибудь ещё еще обращайтесь обращайся вопросы готово всегда
천만에요 다른 질문이 있으면 있으시면 언제든지 언제든 말씀해 주세요 주시기 바랍니다 물어보세요 도움이 필요하시면 필요하면 더 알려주세요 완료 도와드릴까요 무엇을
`;

/** Longer messages are never only courtesy. In characters. */
const longestCourtesy = 400;
/** Longer runs in a script without spaces are not matched, which bounds the time. In characters. */
const longestRun = 24;
/** An answer with this many words beyond courtesy says something. */
const fewest = 2;

const between = /[\s.,!;:)~…\-–—"“”„«»¡。、！，～・،।]+/u;
const smiles = /[👍👌👏🙏🙌🙂😀😃😄😁😊😉😍🥰🤩🥳😎🤝💪🎉🚀💯✅✨❤♥🧡💛💚💙💜🫶🫡☺]\u{FE0F}?[\u{1F3FB}-\u{1F3FF}]?/gu;
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/u;

const eachSaid = said.split(",").map(wordsOf);
const sayings = new Set(eachSaid.map((words) => words.join(" ")));
const mostWords = greatest(eachSaid.map((words) => words.length));
const politeWords = new Set([...wordsOf(polite), ...eachSaid.flat()]);

/**
 * Whether a message is only thanks, a greeting, agreement or "go on". It is not if it contains a word that denies, stops, undoes or chooses, a number, a
 * question mark or an unknown word.
 */
export function isOnlyCourtesy(message: string): boolean {
  if (message.length > longestCourtesy) return false;
  const words = wordsOf(message.replaceAll(smiles, " "));
  if (words.length === 0) return message.search(smiles) >= 0;
  // `ends[n]`: whether the first n words are a sequence of phrases.
  const ends = [true];
  for (let end = 1; end <= words.length; end += 1)
    ends[end] = Array.from({ length: Math.min(mostWords, end) }, (_, back) => end - 1 - back).some(
      (from) => ends[from] === true && isSaying(words.slice(from, end)),
    );
  return ends[words.length] === true;
}

function isSaying(words: readonly string[]): boolean {
  const [only, ...rest] = words;
  if (sayings.has(words.join(" "))) return true;
  return rest.length === 0 && only !== undefined && only.length <= longestRun && run.test(only);
}

/** Whether an answer says more than courtesy: two words that are not polite, or one with a digit or in a script without spaces. */
export function saysSomething(answer: string): boolean {
  let count = 0;
  for (const [word] of answer.normalize("NFKC").matchAll(/[\p{L}\p{N}][\p{L}\p{N}\p{M}'’_]*/gu)) {
    if (politeWords.has(plain(word)) || isFunctionWord(plain(word))) continue;
    count += /\p{N}/u.test(word) || unspaced.test(word) ? fewest : 1;
    if (count >= fewest) return true;
  }
  return false;
}

function wordsOf(text: string): readonly string[] {
  return text.normalize("NFKC").split(between).filter(Boolean).map(plain);
}

/** Lowercase, with drawn-out letters reduced: `yesss` becomes `yes`. */
function plain(word: string): string {
  return word
    .toLowerCase()
    .normalize("NFC")
    .replaceAll("’", "'")
    .replaceAll(/(\p{L})\1{2,}/gu, "$1");
}
