import { isAscii, isPlain } from "./scripts.ts";

/** Runs of letters, digits and marks, as `unicode61` of FTS5 cuts them. */
const wordPattern = (): RegExp => /[\p{L}\p{N}\p{M}\p{Co}]+/gu;
const asciiWord = /[A-Za-z0-9]+/g;

/** The words of a text as they stand there. Linear. */
export function rawWords(text: string): readonly string[] {
  return (isPlain(text) ? text.match(asciiWord) : text.match(wordPattern())) ?? [];
}

/** The form under which a word is found: lower case, without diacritics, its English stem. */
export function termOf(word: string): string {
  const lower = word.toLowerCase();
  if (isAscii(lower)) return englishStem(lower);
  // Not those of kana and Hangul: there they make another letter.
  const bare = lower.normalize("NFD").replaceAll(/[\u0300-\u036f]/gu, "");
  return englishStem(bare.normalize("NFC"));
}

/** The key of a part of a word among the terms: no word has its sign. */
export function partKey(term: string): string {
  return `.${term}`;
}

/*
 * The stem of an English word by M. F. Porter, "An algorithm for suffix stripping" (Program 14 no. 3, 1980), whose stems the index has too: a word
 * that the index finds is found in its text by the same rule.
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

/** By their last letter, the longest first. */
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

/** The stem of a word in lower case; a word with other letters than `a` to `z`, or of less than three or more than 64, is its own. */
export function englishStem(word: string): string {
  if (word.length < 3 || word.length > 64 || !/^[a-z]+$/u.test(word)) return word;
  // A y that begins a word is a consonant.
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
  let stem = word;
  if (stem.endsWith("e")) {
    const bare = stem.slice(0, -1);
    if (moreThan1.test(bare) || (exactly1.test(bare) && !shortEnd.test(bare))) stem = bare;
  }
  return stem.endsWith("ll") && moreThan1.test(stem) ? stem.slice(0, -1) : stem;
}

/** Whether a stem of some is that of a word can mostly be told by the first two letters of the word. */
export type FirstLetters = Uint8Array;

/** Signs of ASCII. */
const signs = 128;

/**
 * By the codes of two signs of ASCII, in either case, 1 when a word that begins with them may have one of the stems, or a stem that begins with one of the
 * `beginnings`. A stem has the first letters of its word; but a `y` may become an `i`, and one of a single letter is left of a word such as `ies`, `aed` or `oing`.
 */
export function firstLettersOf(stems: Iterable<string>, beginnings: Iterable<string> = []): FirstLetters {
  const table = new Uint8Array(signs * signs);
  for (const stem of stems) for (const one of stem.length === 1 ? [`${stem}e`, `${stem}i`] : [stem]) mark(table, one);
  for (const beginning of beginnings) mark(table, beginning);
  return table;
}

/**
 * Finds in a text whose words are of ASCII those that may have one of the stems, and few others: a pattern reads a text several times as fast as a loop that has just begun.
 * A word begins with its stem but for the last letter of it, which may be an `i` for a `y`, or an `e` that the stem got. Finds nothing when there is no stem.
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

function mark(table: FirstLetters, stem: string): void {
  const [first, second] = [stem.charAt(0), stem.charAt(1)];
  if (first === "") table.fill(1);
  for (const a of bothCases(first)) {
    const row = a * signs;
    if (second === "") table.fill(1, row, row + signs);
    for (const b of bothCases(second)) table[row + b] = 1;
    if (second === "i") for (const b of bothCases("y")) table[row + b] = 1;
  }
}

function bothCases(letter: string): readonly number[] {
  return [letter, letter.toUpperCase()].map((one) => one.charCodeAt(0)).filter((code) => code < signs);
}

/** Whether a word of ASCII with this first and second code may have one of the stems. */
export function mayHave(table: FirstLetters, first: number, second: number): boolean {
  return table[first * signs + second] === 1;
}

const inWords = new Uint8Array(signs);
for (const [from, to] of ["09", "AZ", "az"]) inWords.fill(1, from?.charCodeAt(0), (to?.charCodeAt(0) ?? 0) + 1);

/** A letter or digit of ASCII, or anything that is no ASCII. */
export function isWordCode(code: number): boolean {
  return code >= signs || inWords[code] === 1;
}
