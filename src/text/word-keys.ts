import { isPlain } from "./words/scripts.ts";

/**
 * The words of a text in the form in which two texts are compared: lower case, English inflection taken off lightly, no function words.
 * Han gives pairs of characters, Katakana whole words; Hangul loses its commonest particles.
 */
export function wordKeys(text: string): ReadonlySet<string> {
  const keys = new Set<string>();
  for (const word of wordsIn(text)) for (const key of keysOfWord(word)) keys.add(key);
  return keys;
}

/** The same words in their order, each as often as it stands there. Linear. */
export function wordKeysInOrder(text: string): readonly string[] {
  return wordsIn(text).flatMap(keysOfWord);
}

function wordsIn(text: string): readonly string[] {
  const one = text.normalize("NFKC").toLowerCase();
  return (isPlain(one) ? one.match(plainWord) : one.match(wordPattern())) ?? [];
}

/** Shared words by which two texts say the same, as a part of all their words (Jaccard 1901). */
const leastShared = 0.6;
/** Words that the shorter of two texts needs to say the same as a longer one that contains it. */
const leastContained = 3;

/** Whether two sets of words say nearly the same, with the same numbers. */
export function saysTheSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return isSame(sharedKeys(a, b), a.size, b.size) && numbersIn(a) === numbersIn(b);
}

function numbersIn(keys: ReadonlySet<string>): string {
  return [...keys]
    .filter((key) => number.test(key))
    .toSorted()
    .join(" ");
}

const number = /\d|^(?:one|two|three|four|five|six|seven|eight|nine|ten|twelve)$|^[一二三四五六七八九十]/u;

/** How many words two sets share. */
export function sharedKeys(a: ReadonlySet<string>, b: ReadonlySet<string>): number {
  let shared = 0;
  for (const key of a) if (b.has(key)) shared += 1;
  return shared;
}

/** Whether sets of `a` and `b` words with so many shared say nearly the same: most are shared, or one set contains the other. */
export function isSame(shared: number, a: number, b: number): boolean {
  if (shared === 0) return false;
  const shorter = Math.min(a, b);
  return shared / (a + b - shared) >= leastShared || (shared === shorter && shorter >= leastContained);
}

const plainWord = /[a-z0-9]+(?:[._'’/-][a-z0-9]+)*/g;
const wordPattern = (): RegExp =>
  /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}ー]+|[[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]+(?:[._'’\/\-][[\p{L}\p{N}\p{M}]--[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]]+)*/gv;
const unspaced = (): RegExp => /^[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u;
const hangul = /\p{Script=Hangul}/u;
const particles =
  /(?:에서는|으로는|에서|에게|으로|까지|부터|처럼|보다|하고|이나|은|는|이|가|을|를|에|의|로|와|과|도|만)$/u;

function keysOfWord(word: string): readonly string[] {
  if (!isPlain(word)) {
    if (unspaced().test(word)) return pairsOf(word);
    if (hangul.test(word)) return [word.length > 2 ? word.replace(particles, "") : word];
  }
  return functionWords.has(word) ? [] : [stemOf(word.replace(/['’]s$/u, ""))];
}

const runs = (): RegExp => /\p{Script=Han}+|[\p{Script=Katakana}ー]+/gu;

/** Words in Katakana, and pairs of Han characters; Hiragana are mostly endings and count only where there is nothing else. */
function pairsOf(text: string): readonly string[] {
  const telling = (text.match(runs()) ?? []).flatMap((run): readonly string[] => {
    const characters = Array.from(run);
    if (characters.length < 3 || !/^\p{Script=Han}/u.test(run)) return [run];
    return characters.slice(1).map((character, index) => `${characters[index] ?? ""}${character}`);
  });
  return telling.length > 0 ? telling : [text];
}

function stemOf(word: string): string {
  if (word.length <= 3 || !/^[a-z-]+$/u.test(word)) return word;
  const bare = withoutEnding(word);
  return bare.length > 3 && bare.endsWith("e") ? bare.slice(0, -1) : bare;
}

function withoutEnding(word: string): string {
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/u.test(word)) return word;
  if (/(?:ches|shes|xes|sses)$/u.test(word)) return word.slice(0, -2);
  if (word.endsWith("s")) return word.slice(0, -1);
  if (word.endsWith("ing") && word.length > 5) return undoubled(word.slice(0, -3));
  return word.endsWith("ed") && word.length > 4 ? undoubled(word.slice(0, -2)) : word;
}

/** `pinn`, as in pinning, is `pin`. */
function undoubled(stem: string): string {
  return /(?:bb|dd|gg|mm|nn|pp|rr|tt)$/u.test(stem) ? stem.slice(0, -1) : stem;
}

const functionWords: ReadonlySet<string> = new Set(
  `a about after again all also always am an and any are as at be because been before being but by can could did do does don't doesn't for from had has have he her
his how i i'd i'll i'm i've if in instead into is it it's its just me more my no not never now of on or our out please really she should so some such than that the their
them then there they this to too up us very was we were what when where which while who why will with would you your der die das und oder mit von für auf
ist ein eine le la les un une des et ou avec pour dans est el los las con por para es 그리고 및 또는`
    .split(/\s+/u)
    .filter((word) => word !== ""),
);
