import { easternMarks } from "../../text/words/eastern-marks.ts";

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
    eastAsian: easternMarks.own,
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
    eastAsian: easternMarks.figure,
  },
  time: {
    english:
      "\\b(?:yesterday|today|tonight|ago|last|recently|just|since|earlier|now|currently|already|every|this (?:morning|week|month|year|weekend)|" +
      "(?:year|month|week|day|hour|minute)s?|(?:mon|tues|wednes|thurs|fri|satur|sun)days?|january|february|march|april|june|july|august|september|" +
      "october|november|december)\\b",
    eastAsian: easternMarks.time,
  },
  /** What was, more than what may be. A number instead of `*` would be written out by the engine: fifteen milliseconds before the first sentence. */
  happened: {
    english:
      `\\b(?:I|we|he|she|they|my [a-z]+(?: [a-z]+)?)(?:'ve| have| has| had)?(?: (?:${adverbs}))*` +
      `(?: been\\b| (?:[a-z]{2,}ed|${verbs})\\b)`,
    eastAsian: easternMarks.happened,
  },
  /** Said in passing: the message is about something else, so this is about the person. */
  aside: {
    english: "\\b(?:by the way|btw|speaking of|actually|in fact|oh,|also,|turns out)",
    eastAsian: easternMarks.aside,
  },
  asks: {
    english: "\\?[\"')\\]]*\\s*$",
    eastAsian: easternMarks.asks,
  },
  requests: {
    english:
      "\\b(?:can|could|would|will) you\\b|\\bplease\\b|\\bI(?:'m| am) (?:looking|hoping|trying|wondering|thinking|planning|considering|interested|curious)\\b|" +
      "\\bI(?:'d| would) (?:like|love|appreciate)\\b|\\bI (?:want|need|wanted|hope|think|wonder|plan)\\b|\\bI(?:'ll| will)\\b|\\blet(?:'s| me)\\b|" +
      "\\bany (?:tips|advice|ideas|suggestions|recommendations)\\b",
    eastAsian: easternMarks.requests,
  },
};

/** Capitals tell names from words. Each pattern is made when a sentence first needs it. */
const caseOf = (mark: Mark): string => (mark === "name" ? "" : "i");
const compiled = Object.entries(patterns).map(([name, { english, eastAsian }]) => {
  const mark = name as Mark;
  const made: { ascii?: RegExp; any?: RegExp } = {};
  return {
    mark,
    ascii: () => (made.ascii ??= new RegExp(english, caseOf(mark))),
    any: () => (made.any ??= new RegExp(`${english}|${eastAsian}`, `${caseOf(mark)}u`)),
  };
});

const ascii = /^[\n\r\t -~]*$/;
const eastern = /[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7a3]/;

/** The marks that a sentence has. */
export function marksOf(sentence: string): ReadonlySet<Mark> {
  const text = sentence.includes("’") ? sentence.replaceAll("’", "'") : sentence;
  const plain = ascii.test(text);
  const isEastern = !plain && eastern.test(text);
  // Elsewhere only names need to know the letters of other scripts.
  const patternOf = (one: (typeof compiled)[number]): RegExp =>
    isEastern || (!plain && one.mark === "name") ? one.any() : one.ascii();
  return new Set(compiled.filter((one) => patternOf(one).test(text)).map(({ mark }) => mark));
}
