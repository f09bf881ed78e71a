import { least } from "../../base/lists.ts";
import { isAscii, isPlain } from "./scripts.ts";

/** Matches runs of letters, digits and marks, as split by the `unicode61` tokenizer of FTS5. */
const wordPattern = (): RegExp => /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const asciiWord = /[A-Za-z0-9]+/g;

/** The words in a text as written. Linear. */
export function rawWords(text: string): readonly string[] {
  return (isPlain(text) ? text.match(asciiWord) : text.match(wordPattern())) ?? [];
}

/** The indexed form of a word: its English stem in lower case, without diacritics. */
export function termOf(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return englishStem(lower);
  // Marks of kana and Hangul stay, because they make a different letter.
  const bare = lower.normalize("NFD").replaceAll(/[\u0300-\u036f]/gu, "");
  return englishStem(bare.normalize("NFC"));
}

/** The key of a part of a word. Starts with `.`, unlike any word. */
export function partKey(term: string): string {
  return `.${term}`;
}

/** Letters of the shortest part of a compound, and of what may be left of it. */
const [shortestPart, shortestRest] = [5, 3];

/** Words among others that a word may stand for: `typos` differ by one letter; `compounds` begin with it, or it begins with them; shortest first. Lower case. */
export function otherForms(
  word: string,
  others: Iterable<string>,
): { readonly typos: readonly string[]; readonly compounds: readonly string[] } {
  const typos: string[] = [];
  const compounds: string[] = [];
  for (const other of others) {
    if (Math.abs(word.length - other.length) < 2 && editsBetween(word, other, 1) === 1) typos.push(other);
    else if (isPartOf(word, other) || isPartOf(other, word)) compounds.push(other);
  }
  const byLength = (a: string, b: string): number => a.length - b.length || (a < b ? -1 : 1);
  return { typos: typos.toSorted(byLength), compounds: compounds.toSorted(byLength) };
}

function isPartOf(part: string, whole: string): boolean {
  return part.length >= shortestPart && whole.length >= part.length + shortestRest && whole.startsWith(part);
}

/** The ends of a word that may be the last part of a compound, longest first. */
export function endsOf(word: string): readonly string[] {
  const lower = word.toLowerCase();
  const ends: string[] = [];
  for (let from = shortestRest; from <= lower.length - shortestPart; from++) ends.push(lower.slice(from));
  return ends;
}

/** The number of letters inserted, removed, replaced or swapped with a neighbor. If there are more than `most`, any larger number. */
export function editsBetween(one: string, other: string, most: number): number {
  let at = 0;
  while (at < one.length && one[at] === other[at]) at += 1;
  const [left, right] = [one.slice(at), other.slice(at)];
  if (left === "" || right === "" || most === 0) return left.length + right.length;
  const isSwapped = left[0] === right[1] && left[1] === right[0];
  const ways = [
    [left.slice(1), right],
    [left, right.slice(1)],
    [left.slice(1), right.slice(1)],
    ...(isSwapped ? [[left.slice(2), right.slice(2)]] : []),
  ];
  return 1 + least(ways.map(([a = "", b = ""]) => editsBetween(a, b, most - 1)));
}

/**
 * The stemmer of M. F. Porter, "An algorithm for suffix stripping" (Program 14 no. 3, 1980). The index uses the same
 * stemmer, so both find the same words.
 */

const consonant = "[^aeiou]";
const vowel = "[aeiouy]";
const consonants = `${consonant}[^aeiouy]*`;
const vowels = `${vowel}[aeiou]*`;
const moreThan0 = new RegExp(`^(?:${consonants})?${vowels}${consonants}`, "u");
const exactly1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}(?:${vowels})?$`, "u");
const moreThan1 = new RegExp(`^(?:${consonants})?${vowels}${consonants}${vowels}${consonants}`, "u");
const hasVowel = new RegExp(`^(?:${consonants})?${vowel}`, "u");
const shortEnd = new RegExp(`^${consonants}${vowel}[^aeiouwxy]$`, "u");
const doubled = /([^aeiouylsz])\1$/u;

/** Endings by last letter, longest first. */
type Endings = ReadonlyMap<string, readonly (readonly [ending: string, becomes: string])[]>;

const step2: Endings = pairs(
  "ational ate tional tion enci ence anci ance izer ize bli ble alli al entli ent eli e ousli ous ization ize ation ate ator ate alism al " +
    "iveness ive fulness ful ousness ous aliti al iviti ive biliti ble logi log",
);
const step3: Endings = pairs("icate ic ative _ alize al iciti ic ical ic ful _ ness _");
const step4: Endings = pairs(
  "ement _ ment _ ance _ ence _ able _ ible _ ant _ ent _ ism _ ate _ iti _ ous _ ive _ ize _ al _ er _ ic _ ou _",
);

function pairs(list: string): Endings {
  const words = list.split(" ");
  const all = words
    .flatMap((word, index) => (index % 2 === 0 ? [[word, (words[index + 1] ?? "").replace("_", "")] as const] : []))
    .toSorted(([a], [b]) => b.length - a.length);
  return Map.groupBy(all, ([ending]) => ending.slice(-1));
}

/**
 * The stem of a lower-case word. Words with characters other than `a` to `z`, and words with fewer than 3 or more than 64
 * letters, are returned unchanged.
 */
export function englishStem(word: string): string {
  if (word.length < 3 || word.length > 64 || !/^[a-z]+$/u.test(word)) return word;
  // A y at the start of a word is a consonant.
  const first = word.startsWith("y");
  let stem = withoutPlural(first ? `Y${word.slice(1)}` : word);
  stem = withoutPast(stem);
  if (stem.endsWith("y") && hasVowel.test(stem.slice(0, -1))) stem = `${stem.slice(0, -1)}i`;
  stem = replaced(stem, step2, moreThan0);
  stem = replaced(stem, step3, moreThan0);
  stem = withoutFourth(stem);
  stem = withoutE(stem);
  return first ? `y${stem.slice(1)}` : stem;
}

function withoutPlural(word: string): string {
  if (/(?:sses|ies)$/u.test(word)) return word.slice(0, -2);
  return /[^s]s$/u.test(word) ? word.slice(0, -1) : word;
}

function withoutPast(word: string): string {
  if (word.endsWith("eed")) return moreThan0.test(word.slice(0, -3)) ? word.slice(0, -1) : word;
  const bare = /(?:ed|ing)$/u.test(word) ? word.replace(/(?:ed|ing)$/u, "") : word;
  if (bare === word || !hasVowel.test(bare)) return word;
  if (/(?:at|bl|iz)$/u.test(bare)) return `${bare}e`;
  if (doubled.test(bare)) return bare.slice(0, -1);
  return shortEnd.test(bare) ? `${bare}e` : bare;
}

function replaced(word: string, endings: Endings, when: RegExp): string {
  const found = endings.get(word.slice(-1))?.find(([ending]) => word.endsWith(ending));
  if (found === undefined) return word;
  const bare = word.slice(0, -found[0].length);
  return when.test(bare) ? bare + found[1] : word;
}

function withoutFourth(word: string): string {
  if (/[st]ion$/u.test(word)) return moreThan1.test(word.slice(0, -3)) ? word.slice(0, -3) : word;
  return replaced(word, step4, moreThan1);
}

function withoutE(word: string): string {
  const bare = word.replace(/e$/u, "");
  const isSpare = moreThan1.test(bare) || (exactly1.test(bare) && !shortEnd.test(bare));
  const stem = isSpare ? bare : word;
  return stem.endsWith("ll") && moreThan1.test(stem) ? stem.slice(0, -1) : stem;
}

/**
 * A pattern for the words of an ASCII text that may have one of the stems, with few false positives; several times faster
 * than a cold loop. A word begins with its stem, except that the stem's last letter may be an `i` for a `y` or an added `e`.
 * Without stems the pattern matches nothing.
 */
export function wordsBeginningLike(stems: Iterable<string>): RegExp {
  const beginnings = new Set<string>();
  for (const stem of stems) if (/^[a-z0-9]+$/.test(stem)) beginnings.add(beginningOf(stem));
  return beginnings.size === 0 ? /(?!)/g : new RegExp(`(?<![a-z0-9])(?:${[...beginnings].join("|")})[a-z0-9]*`, "gi");
}

function beginningOf(stem: string): string {
  const [first, second] = [stem.charAt(0), stem.charAt(1)];
  if (stem.length > 2) return stem.slice(0, -1);
  if (second === "") return `${first}(?:[ei]|(?![a-z0-9]))`;
  return `${first}${second === "i" ? "[iy]" : second}`;
}
