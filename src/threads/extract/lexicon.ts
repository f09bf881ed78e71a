import { formWords, stopWords } from "../../text/extract/stop-words.ts";
import { talkWords } from "../../text/extract/talk-words.ts";
import { FOLDED } from "./characters.ts";
import { commonWords } from "./common-words.ts";

/**
 * What the kind of a word says of a sentence. Numbers, one byte a word is looked up for every word of a thread; 0 is a word that is not listed.
 */
export const FUNCTION_WORD = 1;
export const GENERAL = 2;
export const PLEASANTRY = 3;
export const ASKING = 4;
export const OFFERING = 5;
export const UNIT = 6;
/** A word of every day. */
export const COMMON = 7;
/** `I`, `our`: who speaks tells of himself; `you`, `your`: he tells others what to do. */
export const OWN = 16;
export const YOURS = 17;
/** What advice and encyclopedias are made of. */
export const GENERIC = 18;
/** `it`, `she`, `this`: at the beginning of a sentence it says that the one before is needed. */
const REFERRING = 19;
/** From here on, up to `LAST_CUE`: what makes a sentence worth keeping, one bit a kind. */
export const FIRST_CUE = 8;
export const DECISION = 8;
export const OBLIGATION = 9;
export const PREFERENCE = 10;
export const CAUSE = 11;
const DUE = 12;
export const CHANGE = 13;
const NAMING = 14;
const OUTCOME = 15;
export const LAST_CUE = 15;

/** Words and, of scripts without spaces, pairs of characters, by what they say. Many languages, since a thread may be in any. */
export const lexicon: readonly (readonly [kind: number, words: string])[] = [
  [
    OWN,
    `i my mine me we our ours us ich mein meine meinen meinem meiner mir mich wir unser unsere unseren unserem uns je mon ma mes moi nous notre nos yo mi mis nosotros nuestro nuestra nuestros eu meu minha nós nosso nossa
     io mio mia noi nostro ik mijn wij ons я мой моя моё мои мне меня мы наш наша наше наши нам أنا نحن لدي لدينا عندي عندنا אני אנחנו שלי שלנו मैं मेरा मेरी हम हमारा 我的 我们 咱们 我家 我妈 我爸 私は 私の 僕は 僕の うち 우리 제가 저는 나는 내가 ฉั`,
  ],
  [
    YOURS,
    `you your yours yourself du dein deine deinen deinem dir dich ihnen ihrem euch vous votre vos tu toi ton tes usted ustedes tú você vocês seu sua voi vostro jij jouw u uw вы вам вас ваш ваша ваши ты твой тебя أنت لك لكم אתה את שלך आप आपका 你的 您的 你可 您可 あなた 당신 คุ`,
  ],
  [
    GENERIC,
    `consider ensure typically often usually generally various including include includes such offers offer provides provide popular option options features featuring depending may might help helps helpful important remember tips essential
     various several ideal additionally however overall furthermore moreover recommended highly known designed allows allowing potential potentially individuals experience experiences enhance explore
     üblicherweise normalerweise beispielsweise häufig généralement souvent notamment normalmente generalmente обычно например عادة 通常 一般 例如 包括 建议 一般的 例えば おすす 일반 예를`,
  ],
  [
    REFERRING,
    `it its he she they them his her their this that these those such both er es diese dieser dieses deren dessen il elle ils elles cela ça él ella ellos ellas esto eso esos esas ele ela eles elas isso isto
     он она они это эти этот эта его её их هو هي هم هذا هذه ذلك تلك זה זו הוא היא הם הן यह वह वे इस 这是 这样 这些 这个 那是 那样 那些 那个 他的 她的 它的 他们 她们 它们 これ それ その この あれ 彼は 彼女 이것 그것 그는 이는 그녀`,
  ],
  [
    PLEASANTRY,
    `hi hello hey thanks thank thx cheers welcome sorry congratulations congrats bye goodbye morning evening ok okay yep yeah nope sure great awesome cool nice perfect lol haha hmm
     wonderful fantastic excellent absolutely certainly glad happy appreciate
     hallo danke bitte gern gerne guten tschüss moin servus super prima klasse genau alles
     bonjour salut merci bienvenue désolé bravo parfait hola gracias buenos buenas perdón perfecto vale olá obrigado obrigada desculpe ciao grazie prego perfetto bedankt hoi dank
     привет спасибо здравствуйте пожалуйста хорошо отлично привіт дякую cześć dziękuję dzięki merhaba teşekkürler tamam selam
     مرحبا شكرا شكرًا أهلا السلام حسنا تمام رائع שלום תודה בסדר नमस्ते धन्यवाद
     你好 您好 谢谢 多谢 抱歉 再见 好的 不客 客气 辛苦 哈哈 ありが こんに おはよ すみま お疲れ 了解 承知 なるほ 안녕 감사 고마 반갑 네네 บค`,
  ],
  [
    ASKING,
    `what which how why where when who whom whose was wie warum wieso wo wann wer welche welcher welches quoi quel quelle comment pourquoi où quand qué cómo dónde cuándo cuál quién
     что как почему где когда кто какой ماذا كيف لماذا أين متى هل 什么 怎么 为何 哪里 哪个 吗？ ですか ますか どうや なぜ どこ いつ ไห`,
  ],
  [
    OFFERING,
    `here hier voici voilà aquí ecco вот let shall help suggestion suggestions recommend tips feel hope assist worries problem anything whenever`,
  ],
  [
    UNIT,
    `ms s sec secs seconds min mins minutes h hr hrs hours days weeks months years kb mb gb tb kib mib gib bytes rows users requests items percent pct eur euro euros usd dollars chf gbp yen km m cm mm kg g mg l ml px rpm rps qps mhz ghz kw kwh mw
     sekunden minuten stunden tage tagen wochen monate monaten jahre jahren prozent zeilen secondes minutes heures jours semaines mois ans lignes segundos minutos horas días semanas meses años
     секунд минут часов дней недель рублей ثانية دقيقة ساعة يوم أيام 毫秒 分钟 小时 万元 公里 公斤 時間 週間 万円 人民 시간 개월 만원`,
  ],
  [
    DECISION,
    `decide decided decides decision decisions agree agreed agreement chose chosen choose settled approved approve approval rejected reject ruled picked opted adopt adopted conclude concluded confirmed signed
     entschieden entscheiden entscheidung beschlossen beschluss vereinbart geeinigt abgemacht gewählt festgelegt genehmigt abgelehnt einigten
     décidé décidons décision choisi convenu approuvé décider adopté decidido decidimos decisión acordado acordamos elegido aprobado decidir decidiu decisão escolhido deciso decisione scelto concordato besloten besluit gekozen afgesproken
     решили решил решение договорились выбрали утвердили вирішили zdecydowaliśmy ustaliliśmy karar kararlaştırdık
     قررنا قرر القرار اتفقنا اخترنا قررت تقرر החלטנו החלטה הוחלט निर्णय फैसला
     决定 決定 确定 選定 选定 商定 敲定 采用 採用 定为 選択 合意 결정 정했 합의 채택 선택 ดส`,
  ],
  [
    OBLIGATION,
    `must never always only require requires required requirement mandatory forbidden prohibited banned cannot allowed limit limited rule policy
     muss müssen darf dürfen nie niemals immer nur verboten pflicht vorschrift erlaubt erforderlich
     doit doivent jamais toujours interdit obligatoire seulement exige debe deben nunca siempre prohibido obligatorio solamente exige deve devem sempre proibido obrigatório mai vietato moet nooit altijd verboden
     должен должны нельзя никогда всегда обязательно запрещено повинні musi nigdy zawsze asla zorunlu
     يجب لا‌يجوز ممنوع دائما دائمًا أبدا أبدًا فقط يلزم חייב אסור תמיד אף
     必须 必須 不得 不能 禁止 只能 一律 务必 不可 不许 べき なけれ 絶対 厳禁 반드시 금지 항상 절대 ต้`,
  ],
  [
    PREFERENCE,
    `prefer prefers preferred preference rather likes hates dislikes favorite favourite allergic loves avoids wants insists vegetarian vegan
     bevorzugt bevorzuge lieber mag hasst lieblings allergisch liebt
     préfère préfèrent aime déteste favori prefiere prefiero odia favorito gusta alérgico prefere preferisce liever
     предпочитает предпочитаю любит ненавидит tercih
     يفضل أفضل تفضل يحب يكره المفضل מעדיף מעדיפה אוהב שונא
     喜欢 偏好 讨厌 更愿 最爱 不爱 过敏 好き 嫌い 好む 苦手 선호 좋아 싫어 ชอ`,
  ],
  [
    CAUSE,
    `because cause caused causes reason due therefore culprit root blame explains why
     weil wegen ursache grund deshalb daher denn schuld lag verursacht
     car parce cause raison puisque provoqué porque causa razón debido culpa causado perché motivo omdat oorzaak
     потому причина из-за поэтому вызвано ponieważ przyczyna çünkü neden
     لأن بسبب السبب لذلك נגרם בגלל כי הסיבה क्योंकि कारण
     因为 原因 由于 导致 起因 根源 ので ため 原因 理由 때문 원인 이유 าะ`,
  ],
  [
    DUE,
    `deadline due until expires expire scheduled launch release milestone monday tuesday wednesday thursday friday saturday sunday january february march april june july august september october november december quarter noon midnight
     frist termin bis stichtag montag dienstag mittwoch donnerstag freitag samstag sonntag januar februar märz mai juni juli oktober dezember spätestens
     échéance délai lundi mardi mercredi jeudi vendredi samedi dimanche janvier février mars avril juin juillet août septembre octobre novembre décembre
     plazo fecha lunes martes miércoles jueves viernes sábado domingo enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre prazo scadenza
     срок дедлайн понедельник вторник среду четверг пятницу января февраля марта апреля мая июня июля августа сентября октября ноября декабря
     موعد الموعد الأحد الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت يناير فبراير مارس أبريل مايو يونيو يوليو أغسطس سبتمبر أكتوبر نوفمبر ديسمبر מועד עד
     截止 期限 到期 星期 周一 周二 周三 周四 周五 上线 締切 締め 期日 曜日 마감 기한 요일`,
  ],
  [
    CHANGE,
    `instead changed switched moved renamed replaced migrated dropped removed became longer anymore correction corrected reverted rolled upgraded deprecated split merged postponed cancelled canceled
     statt stattdessen geändert gewechselt umbenannt ersetzt umgezogen verschoben abgesagt doch
     remplacé changé renommé déplacé reporté annulé cambiado cambiamos reemplazado movido renombrado pospuesto cancelado substituído cambiato sostituito vervangen
     заменили вместо переименовали перенесли изменили отменили
     بدلا بدلًا غيرنا استبدل نقل أصبح تأجل ألغي במקום שונה הוחלף
     改为 改成 换成 替换 改用 迁移 推迟 取消 不再 变更 変更 移行 代わ 延期 中止 변경 교체 대신 연기 취소`,
  ],
  [
    NAMING,
    `called named name stands means owner owns responsible belongs lives located born married works birthday address contact maintains manages leads keeps stored stores runs listens hosted points
     heißt genannt zuständig verantwortlich gehört wohnt liegt arbeitet geburtstag adresse leitet betreut läuft steht
     appelle nommé responsable habite travaille appartient adresse anniversaire llama llamado responsable vive trabaja pertenece dirección cumpleaños chama mora heet woont
     называется зовут отвечает живёт работает принадлежит
     اسمه اسمها يسمى مسؤول مسؤولة يعيش تعيش يعمل تعمل عنوان נקרא אחראי גר
     叫做 名叫 名为 负责 住在 位于 属于 生日 地址 担当 住所 名前 誕生 住ん 置い 담당 이름 주소 생일 산다 ชื`,
  ],
  [
    OUTCOME,
    `fixed broke broken failed fails failure crashed error bug resolved solved found discovered learned shipped deployed released bought sold paid costs cost budget measured dropped rose lost won
     behoben kaputt fehler gescheitert gefunden gelöst gekauft verkauft kostet bezahlt gemessen budget
     corrigé cassé échoué résolu trouvé acheté vendu coûte budget arreglado falló resuelto encontrado comprado vendido cuesta presupuesto
     исправили сломалось нашли купили стоит бюджет ошибка
     أصلحنا فشل وجدنا اشترى اشترينا يكلف الميزانية خطأ תוקן נכשל נמצא עולה
     修复 失败 发现 解决 购买 预算 花费 错误 成本 修正 失敗 発見 解決 購入 予算 費用 수정 실패 발견 해결 예산 비용 ซื`,
  ],
  [
    GENERAL,
    `actually let me look looking check checking think thinking take keep going sounds works work done doing try trying update updates status question questions message messages moment minute second bit thing things today
     tomorrow later soon again back maybe probably perhaps guess quick quickly coffee lunch weekend weather everyone team meeting call talk chat discuss discussion follow ping notes note
     schaue schauen mal eben kurz moment später gleich heute morgen machen mache gehen geht wieder vielleicht bestimmt frage fragen
     regarde voir peut-être demain aujourd'hui encore toujours mirar ver quizás mañana hoy luego pronto todavía
     看看 一下 稍后 今天 明天 现在 我们 这个 那个 可以 没有 还是 已经 就是 一些 知道 觉得 可能 应该 时候
     今日 明日 確認 少し 後で 思い ます です した ちょ オレンジ 오늘 내일 확인 조금 나중`,
  ],
  [
    FUNCTION_WORD,
    `the a an and or but if of to in on at by for from with about into over under as is are was were be been being am do does did have has had having will would can could should may might not no so than then that this these those there here it its he she they we you i my your our their his her them him us me also just too very more most some any all each
     der die das und oder aber wenn von zu im in an am auf aus bei mit für über unter als ist sind war waren sein werden wird wurde hat haben hatte hatten kann können soll sollte nicht kein keine so dann dass dies diese dieser dieses es er sie wir ihr ich mein dein unser euer auch noch schon sehr mehr man sich uns euch ihn ihm ihnen den dem des ein eine einer einem einen zum zur vom ja nein
     le la les un une des et ou mais si de du à au aux en dans par pour sur avec sans ce cet cette ces il elle nous vous ils elles je tu on se son sa ses mon ma mes notre nos votre vos leur leurs est sont était étaient être a ont avait avoir ne pas plus que qui dont y aussi très
     el los las lo un una unos unas y o pero si de del a al en por para con sin sobre este esta estos estas eso esa ese él ella nosotros ustedes ellos ellas yo tú se su sus mi mis nuestro nuestra es son era eran ser fue está están estaba ha han había no más que quien también muy ya
     o os as um uma e ou mas do da dos das no na nos nas por para com sem não mais que il lo gli i uno e ma di del della dei delle nel nella con per non più che è sono era het een en of maar van in op met voor niet dat die is zijn was
     и а но или если в во на с со к по из за у о от до для не ни что как это этот эта эти он она они мы вы я ты его её их был была было были есть будет уже ещё очень так же бы то
     و أو لكن إذا من إلى في على عن مع هذا هذه ذلك تلك هو هي هم نحن أنا أنت كان كانت يكون لا لم لن ما أن إن قد التي الذي كل بعد
     של את על עם אל זה זו הוא היא הם אנחנו אני אתה לא כן או אם גם כל יש היה ו ה`,
  ],
];

const BITS = 14;
const MASK = 2 ** BITS - 1;
/** The kind in the lowest five bits, and the rest of the hash: one look for each word of a thread. */
const KIND_BITS = 31;
const ENTRIES = new Int32Array(2 ** BITS);

/** The hash of a word begins with its first unit and goes on with `hash * PRIME ^ unit`, all folded. */
export const PRIME = 0x01_00_01_93;

/** The hash of two characters of a script without spaces. */
export function hashOfPair(one: number, other: number): number {
  return (Math.imul(one, PRIME) ^ other) | 0;
}

/** What is said of the word with this hash in the lists; 0 when it is in none. */
export function kindOfWord(hash: number): number {
  const mixed = mix(hash);
  let at = mixed & MASK;
  for (let entry = ENTRIES[at] as number; entry !== 0; entry = ENTRIES[at] as number) {
    if (((entry ^ mixed) & ~KIND_BITS) === 0) return entry & KIND_BITS;
    at = (at + 1) & MASK;
  }
  return 0;
}

/** Words that differ in their last letter alone differ in few bits of the hash: here in all. */
function mix(hash: number): number {
  const mixed = Math.imul(hash ^ (hash >>> 15), 0x2c_1b_3c_6d);
  return mixed ^ (mixed >>> 13);
}

/** The hash of a whole word, as the pass over a text makes it. */
function hashOfWord(word: string): number {
  let hash = 0;
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    hash = (Math.imul(hash, PRIME) ^ ((FOLDED[code] as number) || code)) | 0;
  }
  return hash;
}

function learn(word: string, kind: number): void {
  const hash = hashOfWord(word);
  if (kindOfWord(hash) !== 0) return;
  const mixed = mix(hash);
  let at = mixed & MASK;
  while (ENTRIES[at] !== 0) at = (at + 1) & MASK;
  ENTRIES[at] = (mixed & ~KIND_BITS) | kind;
}

for (const [kind, words] of lexicon) for (const word of words.split(/\s+/u)) if (word !== "") learn(word, kind);
for (const word of stopWords) learn(word, FUNCTION_WORD);
for (const word of [...talkWords, ...formWords]) learn(word, GENERAL);
for (const word of commonWords.split(/\s+/u)) if (word !== "") learn(word, COMMON);
