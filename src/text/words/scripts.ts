import { once } from "../../base/lines.ts";

/** Letters of scripts without spaces between words, and the signs inside such words. */
export const unspacedLetters =
  "\\p{Script=Han}\\p{Script=Hiragana}\\p{Script=Katakana}ー々〆〇\\p{Script=Thai}\\p{Script=Lao}\\p{Script=Khmer}\\p{Script=Myanmar}";

const segments = once(
  () =>
    new RegExp(
      `(?<unspaced>[${unspacedLetters}]+)|(?<hangul>\\p{Script=Hangul}+)|[[\\p{L}\\p{N}]--[${unspacedLetters}\\p{Script=Hangul}]][[\\p{L}\\p{N}\\p{M}]--[${unspacedLetters}\\p{Script=Hangul}]]*`,
      "gv",
    ),
);

/** A run of letters of one kind of script: without spaces between words, Korean, or with spaces. */
export interface Segment {
  readonly is: "unspaced" | "hangul" | "spaced";
  readonly text: string;
}

/** Matches a word in Latin letters, to avoid compiling Unicode classes, which takes milliseconds. */
const latin = /^[A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+$/;

/** Splits a text in NFKC into segments and drops everything else. */
export function segmentsOf(text: string): readonly Segment[] {
  if (latin.test(text)) return [{ is: "spaced", text }];
  if (isPlain(text)) return Array.from(text.matchAll(/[A-Za-z0-9]+/g), ([found]) => ({ is: "spaced", text: found }));
  return Array.from(text.matchAll(segments()), ({ 0: found, groups }): Segment => {
    if (groups?.["unspaced"] !== undefined) return { is: "unspaced", text: found };
    return { is: groups?.["hangul"] === undefined ? "spaced" : "hangul", text: found };
  }).filter(({ text: found }) => /[\p{L}\p{N}]/u.test(found));
}

const others: ReadonlyMap<string, string> = new Map(
  Object.entries({ ß: "ss", æ: "ae", œ: "oe", ø: "o", đ: "d", ð: "d", þ: "th", ł: "l", ħ: "h", ı: "i", ς: "σ" }),
);
const other = /[ßæœøđðþłħıς]/gu;

/** A word without case, accents, other marks and ligatures. */
export function folded(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  return word
    .toLowerCase()
    .normalize("NFKD")
    .replaceAll(/\p{M}+/gu, "")
    .replaceAll(other, (letter) => others.get(letter) ?? letter);
}

/** The word as stored by the `unicode61` tokenizer of FTS5: lower case, Latin letters without marks. */
export function asIndexed(word: string): string {
  if (isAscii(word)) return word.toLowerCase();
  return word
    .toLowerCase()
    .normalize("NFD")
    .replaceAll(/([a-z])\p{M}+/gu, "$1")
    .normalize("NFC");
}

const umlauts = /[äöü]/gu;

/** Plain spellings of a word that differ from its indexed form: `mueller` for `Müller`. */
export function otherSpellings(word: string, indexed: string): readonly string[] {
  const plain = folded(word);
  const spellings = plain === indexed || plain === "" ? [] : [plain];
  const lower = word.toLowerCase().normalize("NFC");
  if (lower.search(umlauts) < 0) return spellings;
  return [...spellings, folded(lower.replaceAll(umlauts, (letter) => `${letter.normalize("NFD").charAt(0)}e`))];
}

const ascii = /^[\0-\x7f]*$/;
const plain = /^[\0-\x7f\u2000-\u206f]*$/;

/** Whether a text is all ASCII. Linear. */
export function isAscii(text: string): boolean {
  return ascii.test(text);
}

/**
 * Whether all letters, digits and marks of a text are ASCII: it contains only ASCII and typographic signs (U+2000 to U+206F,
 * none of which is in L, N or M). An ASCII pattern then finds the same words as a pattern with Unicode classes, which takes
 * milliseconds to compile. Linear.
 */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

const inAscii: Readonly<Record<string, string>> = { L: "A-Za-z", Lu: "A-Z", Ll: "a-z", Lo: "", N: "0-9", M: "" };

/**
 * A pattern that is compiled when a text first needs it; for a plain text, with ASCII instead of the Unicode classes, which take
 * milliseconds. `source`: each `\p{…}` is inside brackets.
 */
export function patternFor(source: string, flags: string): (text: string) => RegExp {
  const ofPlain = once(
    () =>
      new RegExp(
        source.replaceAll(/\\p\{(\w+)\}/g, (_, name: string) => inAscii[name] ?? ""),
        flags,
      ),
  );
  const ofOthers = once(() => new RegExp(source, flags));
  return (text) => (isPlain(text) ? ofPlain() : ofOthers());
}

/** All syllables that end in ㅆ. They mark the past, except `있` and `겠`. */
export const syllablesWithSs = Array.from({ length: 399 }, (_, at) => String.fromCharCode(0xac00 + at * 28 + 20)).join(
  "",
);

/** What marks a Korean, Japanese or Chinese sentence in which the speaker says something about themselves or asks for something. */
export type EasternMark = "own" | "figure" | "time" | "happened" | "aside" | "asks" | "requests";

/** Pattern sources that match these words only as separate words, not next to another Hangul or Han letter. */
const aloneKorean = (words: string): string =>
  `(?<!\\p{Script=Hangul})(?:${words})(?:는|은|가|이|를|을|의|도|한테|께서|에게|랑|와|과|께)?(?!\\p{Script=Hangul})`;
const aloneHan = (words: string): string => `(?<!\\p{Script=Han})(?:${words})(?!\\p{Script=Han})`;

const own = [
  aloneKorean(
    "나|난|내|내가|제|제가|저|저희|우리|엄마|아빠|어머니|아버지|부모님|동생|누나|형|오빠|언니|남편|아내|딸|아들|조카|할머니|할아버지",
  ),
  "私|僕|俺|わたし|ぼく|うちの|我が家|実家|祖母|祖父|息子|両親",
  aloneHan("母|父|妻|夫|姉|妹|兄|弟|娘|孫"),
  "我(?!国|國|々|が|慢)|咱|妈妈|媽媽|爸爸|老婆|老公|女儿|女兒|儿子|兒子|哥哥|姐姐|弟弟|妹妹|奶奶|爷爷|爺爺|外婆|外公|家里|家裡|老家|室友",
];

const koreanNumber =
  "(?:한|두|세|네|다섯|여섯|일곱|여덟|아홉|열|스무|서른|마흔|쉰|몇) ?|[일이삼사오육칠팔구십백천만억]{1,8} ?";
const koreanCounter = "개|번째|번|명|달|시간|마리|살|원|분|주|년|킬로|층|권|장|대|잔|퍼센트|배|건|줄|박|그램|미터";
const hanNumber = "[一二三四五六七八九十百千万萬億亿两兩半]";
const hanCounter =
  "[个個つ人名本冊册枚台匹頭头只隻回次度年月日時时点點分秒週周歳岁歲円元块塊万億合階层層件行歩步番割成斤套张張杯家箱倍天种種]|キロ|グラム|小时|小時|公里|ヶ月|か月";

const time = [
  "어제|오늘|그제|지난|최근|요즘|아까|방금|작년|올해|내년|다음 ?(?:주|달|해)|이번 ?(?:주|달|해)|매일|매주|매달|매년|[월화수목금토일]요일|새벽|주말|(?:년|달|일|주) 전",
  "昨日|今日|明日|先週|先月|昨年|去年|今年|来年|来週|来月|今週|今月|最近|毎[日週月年朝晩]|今朝|昨夜|さっき|この前|[月火水木金土日]曜|夕方|週末|(?:年|月|日|週間)前",
  "昨天|今天|明天|前天|[上下这這][个個]?(?:周|週|月|星期)|明年|每[天周週月年]|早上|晚上|下午|凌晨|周末|(?:星期|周|週|礼拜|禮拜)[一二三四五六日天]|刚才|剛才|刚刚|剛剛|天前",
];

/** Syllables that mark the past tense. */
const pastSyllables = syllablesWithSs.replaceAll(/[있겠]/gu, "");

const happened = [
  `[${pastSyllables}](?:다|어|습니다|는데|고|지만|던|음|네|거든|더니|는지|[.!。]|$)`,
  "(?:ました|でした|だった|かった|[いっしんきぎじちりみびえけせてねべめれげぜ見来出寝着得]た)(?:[。．.、，,！!」』）)\\s]|が|けど|ので|から|のは|のが|と|$)",
  "(?<![超经經通不难難])[了过過](?=[。，,、；;！!\\s]|$|[一二两兩三四五六七八九十几幾\\p{Nd}])",
];

const aside =
  "그런데|참고로|사실은?(?!\\p{Script=Hangul})|아 맞다|그러고 보니|여담|ところで|ちなみに|実は|そういえば|余談|顺便|順便|对了[，,]|對了[，,]|其实|其實|话说|話說|说起来|說起來";

const asks =
  "[?？][\"'”’)\\]」』]*\\s*$|(?:까|나|가|죠|지)요[.。]?\\s*$|[까냐][.。]?\\s*$|(?:ます|です|でしょう|ません|でした|ました)か[。.]?\\s*$|(?:かな|っけ)[。.]?\\s*$|[吗嗎呢][。.]?\\s*$";

const requests = [
  "주세요|주십시오|줘요?(?!\\p{Script=Hangul})|줄래|주실|부탁|싶어|싶은|싶습니다|알려|추천해|도와",
  "ください|下さい|教えて|てほしい|て欲しい|お願い|もらえ|いただけ|[しみきりいちえべ]たい(?:です|と|。|$)|おすすめ",
  "请(?!求|假|客|了)|請(?!求|假|客|了)|帮我|幫我|能不能|可不可以|麻烦你|麻煩你|告诉我|告訴我|我想|想要|希望你",
];

/** Pattern sources for the flag `u`; a sentence has a mark if the pattern matches. */
export const easternMarks: Readonly<Record<EasternMark, string>> = {
  own: own.join("|"),
  figure: [
    "\\p{N}",
    `(?<!\\p{Script=Hangul})(?:${koreanNumber})(?:${koreanCounter})(?!\\p{Script=Hangul}{3})`,
    `${hanNumber}+(?:${hanCounter})`,
  ].join("|"),
  time: time.join("|"),
  happened: happened.join("|"),
  aside,
  asks,
  requests: requests.join("|"),
};

/**
 * Speaker names before a colon in conversations between a person and a program, as pattern alternatives. Notes use none of
 * them as a label.
 */
export const easternSpeakers = {
  person: "사용자|유저|나|저|ユーザー|ユーザ|利用者|私|僕|俺|人間|用户|用戶|我|人类|人類",
  assistant: "(?:AI ?)?(?:어시스턴트|アシスタント|助手)|에이전트|챗봇|エージェント|ボット|机器人|機器人|智能体|智能體",
} as const;
