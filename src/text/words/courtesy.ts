import { isFunctionWord, wordSet } from "./stop-words.ts";
import { termsOfQuery, type QueryWord } from "./query.ts";
import { folded, isAscii, patternFor } from "./scripts.ts";

/** Messages with more words are not just thanks or agreement. */
const mostOfGoAhead = 40;

/**
 * The words that say what a message is about, in order; empty for a message that only greets, thanks, agrees or says to
 * continue.
 */
export function tellingWords(message: string): readonly QueryWord[] {
  const words = termsOfQuery(message.replaceAll(unspacedAlways, " ")).filter(isTelling);
  if (words.length > mostOfGoAhead) return words;
  const rest = termsOfQuery(message.replaceAll(sayingsIn(message), " "));
  return rest.every((word) => !isTelling(word) || isGoAhead(word.word)) ? [] : words;
}

/**
 * The generic verb that a message uses to ask for something, in lower case; it says little about the subject. Empty if
 * there is none.
 */
export function requestIn(message: string): string {
  const start = message.slice(0, mostOfRequest).toLowerCase();
  const { plain = "", bare = "" } = request.exec(start)?.groups ?? {};
  return plain + bare;
}

const mostOfRequest = 80;
/** At the start and before an article, these words are verbs; languages without articles have distinct forms. */
const request =
  /^[^\p{L}]*(?:(?:please|pls|now|ok(?:ay)?|hey|so|then|let['’]s|let us|(?:can|could|would|will) you|help me(?: to)?|i (?:want|need|would like) (?:you )?to|i['’]d like (?:you )?to|bitte|por favor|пожалуйста)[, ]+)*(?:(?<plain>fix|build|make|write|add|create|change|update|check|find|show|give|get|put|set|pass|draft|prepare|improve|explain|describe|list|tell|read|open|remove|delete|rename|clean|repariere?|behebe?|baue?|mache?|schreibe?|erstelle?|ändere?|prüfe?|zeige?|suche?|finde|lösche?|gib|corrige[rz]?|répare[rz]?|écri(?:s|vez|re)|fai(?:s|tes|re)|ajoute[rz]?|crée[rz]?|change[rz]?|vérifie[rz]?|montre[rz]?|construi(?:s|sez|re)|trouve[rz]?|arregla|escrib[ea]|haz|haga|añade|agrega|cre[ae]|cambi[ae]|revis[ae]|muestra|busca|construye|conserta|corrija|escrev[ae]|fa[zç]a?|adicion[ae]|cri[ae]|mud[ae]|verifi(?:ca|que)|mostr[ae]|procure|construa|correggi|ripara|scrivi|aggiungi|controlla|costruisci|trova) (?:the|an?|my|our|your|this|that|these|those|some|all|me|us|new|de[rnm]|das|die|eine?[nmr]?|mein[a-z]*|unser[a-z]*|diese[a-z]*|mir|uns|les?|la|une?|des|mon|ma|mes|notre|nos|ce|cette|ces|el|l[oa]s|un[aos]?|mis?|nuestr[ao]s?|est[ea]s?|os?|as?|uma?|meus?|minhas?|il|gli|lo|i|mi[oa]|questo|questa) |(?<bare>исправь|почини|напиши|сделай|добавь|создай|измени|проверь|покажи|найди|построй|удали)(?:те)? )/u;

function isTelling({ word, carries }: QueryWord): boolean {
  return carries === "much" && !isCourtesy(word);
}

/** Words that are courtesies in any context. */
const always = `
hi hello hey thanks thank thx tks thankyou ty cheers ok okay okey okeydokey kk yes yeah yea yep yup nope nah please pls plz sorry bye goodbye lol haha hahaha hm hmm hmmm uh um ah oh wow yay ciao
danke dankeschön bitte hallo tschüss merci bonjour bonsoir gracias hola grazie buongiorno buonasera obrigado obrigada olá bedankt dankjewel hoi doei dzięki dziękuję cześć tack takk tak hej hei
spasibo спасибо привет здравствуйте пожалуйста дякую teşekkürler merhaba lütfen شكرا مرحبا धन्यवाद शुक्रिया नमस्ते ευχαριστώ תודה díky děkuji ahoj köszönöm köszi szia kiitos mulțumesc d'accord
`;

/**
 * Words of approval and continuation. With other words they may mean more: the sounds of the engine, the morning run, two
 * good ideas.
 */
const alone = `
y n k x no not good great nice fine cool awesome amazing perfect excellent brilliant lovely wonderful fantastic super superb right correct exactly indeed absolutely definitely certainly sure surely alright
agreed agree understood noted makes make sense sounds sound looks look seems works well done go going gone ahead on continue proceed carry keep next try again now then later soon way yourself
of got gotcha see saw roger ack lgtm np worries welcome appreciate appreciated helpful help helps helped lot lots bunch million glad other
there everyone guys folks sir one first second both either neither two start begin ready stop wait hold enough nothing never mind nevermind
just simply quick really quite pretty totally also still fair true ha pleasure anytime excuse pardon oops
ja nein nee jo jawohl klar genau gut gute guten gern gerne prima toll perfekt passt alles mach machs weiter los einverstanden verstanden vielen dank dir ihnen euch schön sehr richtig klingt sieht aus geht
natürlich in ordnung bis später bald moin servus grüezi das es so dann doch bitteschön wiedersehen
oui non beaucoup salut parfait très bien bon vas-y allez-y vas allez continue continuez s'il plaît te ça c'est marche va génial exactement voilà entendu compris au revoir bientôt plus tard fais-le mille à tout
muchas muchísimas sí si vale claro perfecto genial muy adelante sigue siga sigamos continúa continúe acuerdo favor está suena excelente estupendo listo hazlo hágalo entendido adiós
hasta luego dale bueno nada todo eso lo bien a de
prego bene perfetto ottimo certo continua continui vai avanti per favore molto capito esatto arrivederci tutto giusto fallo
muito sim não tudo bem perfeito ótimo pode continuar prossiga beleza valeu tchau entendi combinado faça isso
goed goedemorgen goedemiddag goedenavond prima oké ga door verder alsjeblieft alstublieft klinkt mooi perfect top doe maar graag tot ziens dat is dank u wel je
nie dobrze świetnie proszę kontynuuj dalej jasne okej bardzo witam zgoda rozumiem oczywiście ano ne dobře pokračuj prosím jasně super
nej nei bra fortsätt fortsett tusen mange jo okej perfekt kör det var ju så mycket kyllä joo hyvä jatka selvä ei moi
igen nem jó rendben folytasd da nu bine continuă salut bună
большое огромное да нет хорошо ладно окей ок отлично понятно понял поняла ясно продолжай продолжайте продолжим дальше давай давайте конечно пока верно согласен согласна делай так очень
всё все вам тебе круто класс точно прекрасно супер добре продовжуй привіт звичайно
teşekkür ederim ederiz sağol sağolun selam evet hayır tamam devam et edin güzel harika olur peki çok iyi tabii
نعم لا حسنا تمام استمر جزيلا لك من فضلك السلام عليكم أكمل ممتاز جيد हाँ हां नहीं ठीक है जारी रखें रखो अच्छा बहुत जी
ναι όχι εντάξει συνέχισε γεια σου σας πολύ ωραία שלום כן לא בסדר תמשיך רבה מעולה
cảm ơn chào vâng dạ được tiếp tục đồng ý tốt rồi bạn terima kasih halo ya tidak oke baik lanjut lanjutkan silakan bagus siap tolong makasih sama-sama
`;

/** Korean words with their endings. */
const korean = new RegExp(
  `^(?:네+|넵+|넹|예|응+|어+|음+|아니요?|아뇨|고마워요?|고맙(?:다|습니다|네요)|감사(?:해요|합니다|드립니다|드려요|했습니다)?|땡큐|안녕(?:하세요|하십니까|히|히가세요|히계세요)?|좋(?:다|아|아요|습니다|네|네요|은데요?|지)|` +
    `알겠(?:다|어|어요|습니다)|알았(?:다|어|어요|습니다)|이해(?:했어요?|했습니다)|계속(?:해|해요|해줘|해줘요|하세요|해주세요|하자)?|진행(?:해|해요|해줘|해줘요|하세요|해주세요|하자)?|시작(?:해|해요|해줘|하세요|해주세요|하자|합시다)?|` +
    `그래요?|그럼요?|그렇(?:다|네|네요|군요?|습니다|지)|그렇게|맞(?:다|아|아요|습니다|네요)|물론(?:이죠|이지|입니다)?|당연(?:하지|하죠)|부탁(?:해|해요|드려요|드립니다|합니다|할게요?)?|수고(?:해|해요|하세요|하셨습니다|하셨어요|했어요?|많으셨습니다)?|` +
    `오케이|오키|ㅇㅇ|ㅇㅋ|[ㅋㅎ]+|굿|완벽(?:해|해요|하네요|합니다)?|훌륭(?:해요|합니다|하네요)|최고(?:예요|네요|입니다)?|미안(?:해|해요|합니다)?|죄송(?:해요|합니다)|괜찮(?:다|아|아요|습니다|네요)|잘(?:했어|했어요|했습니다|됐어요|됐네요)?|됐(?:다|어|어요|습니다)|` +
    `정말|진짜|너무|아주|매우|많이|다시|한번|더|다음|어서|빨리|하세요|주세요|줘|해|해요|해줘|해줘요|해주세요|하자|합시다|그대로|이대로|도와줘서|도와주셔서|좋은|하루|아침|저녁|밤|되세요|보내세요|반가워요?|반갑습니다|잘가|또)$`,
  "u",
);

/** Korean words that are courtesies in any context. */
const koreanAlways =
  /^(?:네|넵|예|고마워요?|고맙(?:습니다|네요)|감사(?:해요|합니다|드립니다|드려요)|안녕하세요|안녕하십니까|부탁(?:해요|드려요|드립니다|합니다))$/u;

/** Sayings in scripts without spaces. A run that consists only of these says nothing. */
const japanese =
  "(?:どうも)?(?:ありがとう|有難う|有り難う)(?:ございま(?:す|した))?|どうも|サンキュー|おおきに|お願い(?:いた)?します|お願い|よろしく|宜しく|了解(?:です|しました|いたしました)?|承知(?:しました|いたしました|です)?|りょうかい|はい|いいえ|うん|ううん|ええ|" +
  "そう(?:です|だ)?|続けて|つづけて|続行(?:して)?|進めて|すすめて|やって(?:みて)?|始めて|次(?:へ|に|お願いします)?|こんにち[はわ]|こんばん[はわ]|おはよう(?:ございます)?|おやすみ(?:なさい)?|お疲れ(?:様|さま)?(?:です|でした)?|ご苦労(?:様|さま)(?:です|でした)?|さようなら|またね?|" +
  "分かりました|わかりました|分かった|わかった|(?:とても|すごく)?(?:いい|良い|よい)(?:です|と思います|感じ)?|良さそう|よさそう|オッケー|オーケー|なるほど|すごい|素晴らしい|すばらしい|完璧|かんぺき|大丈夫|すみません|すいません|ごめん(?:なさい)?|申し訳ありません|結構です|" +
  "もちろん|助かります|助かりました|ください|下さい|それで|これで|その通り|そのとおり|です|でした|ね|よ|ー|じゃあ|では|ぜひ|いただけますか|もう一度|とても|本当に|ほんとに|頼む|頼みます|行こう|いこう|どうぞ";
const chinese =
  "非常感谢|非常感謝|十分感谢|感谢(?:你|您)?|感謝(?:你|您)?|多谢|多謝|(?:谢谢|謝謝|谢|謝)(?:你|您|啦|了|哈)?|好(?:的|吧|啊|呀|哦|嘞|极了)?|继续|繼續|接着|嗯|哦|噢|啊|行|可以|没问题|沒問題|没事|沒事|是(?:的|啊)?|對(?:的|啊)?|对(?:的|啊)?|不|不是|" +
  "你好|您好|哈喽|嗨|早上好|早安|早|下午好|晚上好|晚安|再见|再見|拜拜|辛苦(?:了|你了)?|明白(?:了)?|知道了|收到|了解|懂了|不错|不錯|很好|太好了|太棒了|棒|真棒|完美|厉害|厲害|请|請|麻烦(?:你|您)?(?:了)?|麻煩(?:你|您)?(?:了)?|开始|開始|就这样|就這樣|这样|這樣|" +
  "同意|当然|當然|不用谢|不用謝|不客气|不客氣|确定|確定|确认|確認|做吧|去做|干吧|走吧|来吧|來吧|下一步|再来|再來|试试|試試|加油|哈|呵|嘿|吧|了|的|啦|呢|吗|嗎|呀|很|太|真|非常|那就|就|都|你|您|我|们|們|大家|帮忙|幫忙|帮助|幫助|这么做|這麼做|对不起|對不起|抱歉|不好意思|没错|沒錯|好主意|赞|讚";
const thai = "ขอบคุณ|ขอบใจ|มาก|ครับ|ค่ะ|คะ|จ้า|สวัสดี|ใช่|ไม่ใช่|โอเค|ตกลง|ต่อ|ทำ|เลย|ได้|ดี|เยี่ยม|แล้ว|ไป|เข้าใจ|นะ|ๆ";

const unspaced = new RegExp(`^(?:${japanese}|${chinese}|${thai})+$`, "u");
/** Longer runs are not sayings, and would take longer to match. */
const longestRun = 24;
/** Courtesies even when joined to other words; only the other words count then. */
const unspacedAlways =
  /(?:ありがとう|有難う)(?:ございま(?:す|した))?|(?:よろしく)?お願い(?:いた)?します|(?:谢谢|謝謝)(?:你们|您们|你|您|啦|了)?/gu;

const alwaysSet = new Set(Array.from(wordSet(always), folded));
const aloneSet = new Set(Array.from(wordSet(alone), folded));

/** Sayings made of words that mean something else on their own. */
const sayings = [
  "(?:good|great|nice|amazing|awesome|excellent|fantastic|solid) (?:work|job|one|idea|plan|call|point|stuff|catch|question|day|morning|afternoon|evening|night|weekend)",
  "^[^\\p{L}]*(?:morning|afternoon|evening)[^\\p{L}]*$|sounds? (?:like )?an? (?:good |great )?(?:plan|idea)|see (?:you|ya) (?:later|soon|tomorrow|around|then|next week)|talk (?:to you )?(?:later|soon|tomorrow)|take care|my bad|not bad|of course|no problem|copy that",
  "have an? (?:good|great|nice|lovely) (?:one|day|morning|afternoon|evening|night|weekend)|one (?:moment|second|sec|minute)|(?:do|run|fix|apply|use|try|ship|merge|commit|push|explain|show|undo|redo|repeat|check|send|save|take|finish|build|deploy|change|keep) (?:it|that|this|them|these|those|me)",
  "guten (?:morgen|tag|abend)|gute (?:nacht|idee|arbeit)|schönen (?:tag|abend|feierabend|morgen)|schönes wochenende|bonne (?:idée|journée|soirée|nuit|continuation)|bon (?:travail|week-end)|buen(?:os|as) (?:días|tardes|noches)|buen(?:a|as)? (?:trabajo|idea|día)|hasta mañana",
  "buona (?:giornata|serata|notte|idea)|ottima idea|bom (?:dia|trabalho)|boa (?:tarde|noite|ideia)|goed (?:idee|werk)|dzień dobry|god (?:morgon|morgen|natt|kväll)|добр(?:ый|ое|ого) (?:день|дня|утро|утра|вечер)|хорош(?:ая|ей) (?:идея|работа)|доброго дня",
];

const sayingsIn = patternFor(`(?<![\\p{L}])(?:${sayings.join("|")})(?![\\p{L}])`, "giu");

/** Whether a word is a courtesy in any context: `thanks`, `ok`, `please`. */
function isCourtesy(word: string): boolean {
  return (!isAscii(word) && koreanAlways.test(word)) || everyPiece(word, (piece) => alwaysSet.has(piece));
}

/**
 * Whether a message that consists only of such words has no subject: courtesies, but also `good`, `continue`, numbers such
 * as 2, and function words.
 */
function isGoAhead(word: string): boolean {
  if (isFunctionWord(word) || (isAscii(word) ? /^\d{1,2}$/.test(word) : isEasternGoAhead(word))) return true;
  // `IT` and `US` are names.
  const isLittle = /^\p{Lu}{2,}$/u.test(word) ? () => false : isFunctionWord;
  return everyPiece(word, (piece) => alwaysSet.has(piece) || aloneSet.has(piece) || isLittle(piece));
}

function isEasternGoAhead(word: string): boolean {
  return /^\p{N}{1,2}$/u.test(word) || korean.test(word) || (word.length <= longestRun && unspaced.test(word));
}

function everyPiece(word: string, is: (piece: string) => boolean): boolean {
  const whole = word.toLowerCase().replaceAll("’", "'");
  const pieces = whole.split(isAscii(whole) ? /[^a-z0-9]+/ : /[^\p{L}\p{N}\p{M}]+/u);
  return isOne(whole, is) || pieces.every((piece) => isOne(piece, is));
}

/** Whether `is` accepts a word, with or without its stretched letters: `yesss`, `thaaanks`. */
function isOne(word: string, is: (piece: string) => boolean): boolean {
  const plain = folded(word);
  return word === "" || is(plain) || is(plain.replaceAll(isAscii(plain) ? /([a-z])\1{2,}/g : /(\p{L})\1{2,}/gu, "$1"));
}
