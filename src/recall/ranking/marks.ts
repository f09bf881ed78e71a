/**
 * What shows that a sentence tells something about the person who says it, and what shows that it asks. Every mark counts one point: weights fitted to one
 * half of a set of conversations ranked the other half no better than ones do (mean reciprocal rank of the telling sentence 0.70 to 0.76 against 0.73 to 0.76).
 *
 * English, Korean, Japanese and Chinese side by side; a sentence of another language still has its figures, names and length.
 */
export type Mark = "own" | "name" | "figure" | "time" | "happened" | "aside" | "asks" | "requests";

interface Pattern {
  readonly english: string;
  readonly eastAsian: string;
}

const verbs =
  "was|were|had|went|got|made|took|bought|came|saw|found|gave|met|began|started|felt|heard|kept|left|lost|read|ran|said|sold|sent|spent|spoke|told|" +
  "thought|won|wrote|ate|drove|flew|grew|led|paid|sat|set|taught|wore|built|broke|caught|chose|did|fell|hung|knew|put|rode|slept|stood|swam|threw|woke";
const adverbs = "just|recently|also|actually|finally|already|even|only|once|originally|really|never|always|both";

const patterns: Readonly<Record<Mark, Pattern>> = {
  /** What belongs to the person, and what the person is, has, does and likes. */
  own: {
    english:
      "\\b(?:my|mine|our|ours)\\b|\\bI(?:'m| am) (?:an?|the|from|in|at|on|allergic|currently)\\b|" +
      "\\bI (?:(?:also|already|currently|still|usually|always|never) )?(?:have|own|use|live|work|like|love|hate|enjoy|prefer|play|drive)\\b",
    eastAsian: "제 |내 |우리 |나의|저의|私の|僕の|俺の|うちの|我的|我们的|我們的|我家|我有|我在|我是|我喜",
  },
  /** A capital within the sentence, the person's own "I" aside; a name in quotes or in Katakana. */
  name: {
    english: "[A-Za-z0-9,;:')] +[\"'(]?(?!I\\b)[A-Z]|\"[A-Za-z]",
    eastAsian: '[\\p{L}\\p{N},;:’)] +["“‘(]?(?!I\\b)\\p{Lu}|[“「『《]\\p{L}|[\\p{Script=Katakana}ー]{3}|[a-zA-Z]{2}',
  },
  figure: {
    english:
      "[0-9]|\\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|thousand|dozen|half|once|twice|" +
      "first|second|third)\\b",
    eastAsian:
      "\\p{N}|[一二三四五六七八九十百千两兩][个個年月日天人次回本件台只隻]|[두세네] ?(?:개|번|명|달|시간|마리)",
  },
  time: {
    english:
      "\\b(?:yesterday|today|tonight|ago|last|recently|just|since|earlier|now|currently|already|every|this (?:morning|week|month|year|weekend)|" +
      "(?:year|month|week|day|hour|minute)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|" +
      "october|november|december)\\b",
    eastAsian:
      "어제|오늘|지난|최근|전에|매일|매주|요즘|昨日|今日|先週|先月|去年|最近|毎日|毎週|今朝|以前|昨天|今天|上周|上週|上个月|上個月|每天|每周|每週|之前",
  },
  /** What was, more than what may be. */
  happened: {
    english:
      `\\b(?:I|we|he|she|they|my [a-z]+(?: [a-z]+)?)(?:'ve| have| has| had)?(?: (?:${adverbs})){0,3}` +
      `(?: been\\b| (?:[a-z]{2,}ed|${verbs})\\b)`,
    eastAsian:
      "[했었았였갔왔봤샀됐](?:어|습|다|는|던|고|지만)|(?:ました|まして|だった|でした|[っいしんき]た[。、んのよ])|[了过過](?:[。，,一]|$)",
  },
  /** Said in passing: the message is about something else, so this is about the person. */
  aside: {
    english: "\\b(?:by the way|btw|speaking of|actually|in fact|oh,|also,|turns out)",
    eastAsian: "그런데|참고로|사실|아 맞다|ところで|ちなみに|実は|そういえば|顺便|順便|对了|對了|其实|其實",
  },
  asks: {
    english: "\\?[\"')\\]]*\\s*$",
    eastAsian: "[?？][\"'”’)\\]」』]*\\s*$|[까가나]요[.。]?\\s*$|(?:ます|です)か[。.]?\\s*$|[吗嗎呢][。.]?\\s*$",
  },
  requests: {
    english:
      "\\b(?:can|could|would|will) you\\b|\\bplease\\b|\\bI(?:'m| am) (?:looking|hoping|trying|wondering|thinking|planning|considering|interested|curious)\\b|" +
      "\\bI(?:'d| would) (?:like|love|appreciate)\\b|\\bI (?:want|need|wanted|hope|think|wonder|plan)\\b|\\bI(?:'ll| will)\\b|\\blet(?:'s| me)\\b|" +
      "\\bany (?:tips|advice|ideas|suggestions|recommendations)\\b",
    eastAsian:
      "주세요|줘|줄래|해 ?주|싶어|싶은|알려|ください|教えて|したい|ほしい|お願い|请|請|帮我|幫我|能不能|可不可以|我想",
  },
};

/** Capitals tell names from words. */
const caseOf = (mark: Mark): string => (mark === "name" ? "" : "i");
const compiled = Object.entries(patterns).map(([name, { english, eastAsian }]) => {
  const mark = name as Mark;
  return {
    mark,
    ascii: new RegExp(english, caseOf(mark)),
    any: new RegExp(`${english}|${eastAsian}`, `${caseOf(mark)}u`),
  };
});

const ascii = /^[\n\r\t -~]*$/;

/** The marks that a sentence has. */
export function marksOf(sentence: string): ReadonlySet<Mark> {
  const text = sentence.includes("’") ? sentence.replaceAll("’", "'") : sentence;
  const plain = ascii.test(text);
  return new Set(compiled.filter((one) => (plain ? one.ascii : one.any).test(text)).map(({ mark }) => mark));
}
