import { lettersOf, pairsOf } from "./pairs.ts";

/** What stands behind a noun. */
const particles =
  "이었다|였다|이라서|입니다|이다|이고|이며|에서부터|에서는|에서도|에서의|으로는|으로도|으로의|에게서|에게는|에게도|이라는|까지는|까지|부터는|부터|에서|에게|에는|에도|에만|으로|로는|로도|로만|처럼|보다|마다|조차|이나|이라|라는|라도|이랑|하고|께서|한테|은|는|이|가|을|를|에|의|로|와|과|도|만|랑|나";
/** What stands behind the stem of a verb: of doing, of having done, of going on, of asking. */
const endings =
  "(?:하였|했|되었|됐|시켰|었|았|였|겠)?(?:습니다|습니까|는데|지만|면서|려고|거나|도록|어서|아서|어야|아야|여야|으면|으니|더라|던|는지|은지|을지|다고|다|고|음|어요|아요|여요|네요|군요|나요|을까|었지|지|어|아|니|냐|는|은|을|기|게|러)";

const behindOne = new RegExp(`^(?:${particles}|${endings})$`, "u");
const onlyParticle = new RegExp(`^(?:${particles})$`, "u");
const behindNoun = new RegExp(`(?:${particles})$`, "u");
const behindStem = new RegExp(
  `(?:하|되|시키)?(?:${endings}|한다고|한다|하는|하기로|하기|하도록|하지|하면|하며|하자|해야|해서|해요|해|한|할|합니다|된다|되는|되기|돼서|됨|될|된|됩니다|했던|했는지|하는지|인지|는지|은지|을지|지요|죠|까|니까|더라고)$`,
  "u",
);

/** Finals that an ending puts under the last syllable of a stem: `배운`, `배울`, `배움`, `배웁니다`, `배웠다`. */
const finalN = 4;
const finalL = 8;
const finalM = 16;
const finalB = 17;
const finalSs = 20;
const ofEndings: ReadonlySet<number> = new Set([finalN, finalL, finalM, finalB, finalSs]);
/** Vowels that a stem and an ending make together: ㅘ of ㅗ, ㅝ of ㅜ, ㅙ of ㅚ, ㅕ of ㅣ. */
const contracted: ReadonlyMap<number, number> = new Map([
  [9, 8],
  [14, 13],
  [10, 11],
  [6, 20],
]);

/** The syllable as it stands in the stem: `웠` is `우`, `운` is `우`; itself when no ending shows. */
function inStem(syllable: string): string {
  const code = syllable.charCodeAt(0) - 0xac00;
  if (Number.isNaN(code) || code < 0 || code >= 11_172) return syllable;
  const final = code % 28;
  if (final !== 0 && !ofEndings.has(final)) return syllable;
  const vowel = Math.floor((code % 588) / 28);
  const open = final === 0 || final === finalSs ? (contracted.get(vowel) ?? vowel) : vowel;
  return String.fromCharCode(0xac00 + Math.floor(code / 588) * 588 + open * 28);
}

const alwaysParticle = "은는을를";

/** Pairs that other forms of the same verb have as well. */
function stemPairs(word: string): readonly string[] {
  const pairs: string[] = [];
  for (let at = 1; at < word.length; at++) {
    const letter = word.charAt(at);
    const stem = inStem(letter);
    if (stem !== letter && !alwaysParticle.includes(letter)) pairs.push(word.charAt(at - 1) + stem);
  }
  return pairs;
}

/** Longer than any ending. */
const longestEnding = 6;

/** A word of one syllable with its ending or particle: `집에서`, `샀다`. */
function firstAlone(word: string): readonly string[] {
  if (word.length > longestEnding + 1 || (word.length > 1 && !isEnding(word.slice(1)))) return [];
  const first = word.charAt(0);
  const stem = onlyParticle.test(word.slice(1)) ? first : inStem(first);
  return stem === first ? [first] : [first, stem];
}

/** Under what a Korean word of whole syllables is found: its pairs, those of its stem, and its one syllable when the rest is an ending. */
export function partsOfHangul(word: string): readonly string[] {
  const parts: string[] = [];
  for (let at = 1; at < word.length; at++) parts.push(word.slice(at - 1, at + 1));
  for (const part of stemPairs(word)) parts.push(part);
  for (const part of firstAlone(word)) parts.push(part);
  return parts;
}

/** Whether it is only what stands behind a word: `를` in `SQLite를`. */
export function isEnding(text: string): boolean {
  return behindOne.test(text);
}

/** A Korean word of a query: what is left without particles and endings, and its pairs. */
export interface HangulWord {
  readonly stem: string;
  /** Inside the stem, in their order. */
  readonly pairs: readonly string[];
  /** Those of other forms, that of the stem and one syllable behind it, and a stem of one syllable. */
  readonly weak: readonly string[];
}

/** Takes a Korean word apart by rule, without a dictionary. */
export function hangulWord(word: string): HangulWord {
  const stem = stemOf(word);
  const pairs = pairsOf(lettersOf(stem));
  const inside = new Set(pairs);
  // One syllable behind the stem may be a part of the noun: `고양이`.
  const end = word.length - stem.length === 1 ? [word.slice(-2)] : [];
  const weak = [...end, ...stemPairs(word.slice(0, stem.length)), ...firstAlone(word)];
  return { stem, pairs, weak: weak.filter((part) => !inside.has(part)) };
}

function stemOf(word: string): string {
  if (word.length === 2) return alwaysParticle.includes(word.charAt(1)) ? word.charAt(0) : word;
  for (const behind of [behindStem, behindNoun]) {
    const stem = word.replace(behind, "");
    if (stem !== word && stem.length >= 2)
      return stem.replace(behindNoun, (found) => (stem.length - found.length >= 2 ? "" : found));
  }
  return word;
}
