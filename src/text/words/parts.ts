import { pushAll } from "../../base/lists.ts";
import { isEnding, partsOfHangul, partsOfRun } from "./letter-pairs.ts";
import { numberAt, numbersIn, partsOfName, signNameAt, versionAt } from "./names-and-numbers.ts";
import { asIndexed, otherSpellings, segmentsOf } from "./scripts.ts";

/** Non-ASCII characters, or signs that an ASCII word may have parts (`isTelling`): most sentences have neither. */
const mayHaveParts = /[^\0-\x7f]|[a-z\d][A-Z]|[A-Z]{2}[a-z]|[A-Z]\d|\d[.,]|[A-Za-z][+#]/;

/**
 * Additional index words of a text, lower case, separated by spaces: letter pairs where words are not spaced, pairs and
 * stems of Korean, humps of names, plain spellings of words that the index keeps otherwise (`ﬁle`, `Straße`), and the
 * Latin words and numbers in a run of other letters. Empty for most English text. Linear.
 */
export function partsOf(text: string): string {
  if (!mayHaveParts.test(text)) return "";
  const parts: string[] = [];
  const { length } = text;
  let before: number = BREAK;
  let earlier: number = BREAK;
  for (let at = 0; at < length; at++) {
    const is = letterClasses[text.charCodeAt(at)] ?? BREAK;
    if (is <= LOWER && before !== UPPER) {
      before = is;
    } else if (is >= EASTERN) {
      at = addWord(text, at, parts) - 1;
      before = BREAK;
    } else if (isTelling(is, before, earlier)) {
      at = addName(text, at, is, parts) - 1;
      before = BREAK;
    } else {
      earlier = before;
      before = is;
    }
  }
  return parts.join(" ");
}

/** Whether a unit and the two before it show that an ASCII word may have parts. */
function isTelling(is: number, before: number, earlier: number): boolean {
  if (is === LOWER) return before === UPPER && earlier === UPPER;
  if (is === UPPER) return before === LOWER || before === DIGIT;
  if (is === DIGIT) return before === UPPER;
  if (is === POINT) return before === DIGIT;
  return is === SIGN && (before === LOWER || before === UPPER);
}

/** Adds the parts of the name or number at a position; returns the position after it. */
function addName(text: string, at: number, is: number, parts: string[]): number {
  if (is === SIGN || is === POINT) return addSigned(text, at, parts);
  const from = startOfWord(text, at);
  const to = endOfWord(text, at, DIGIT);
  // If letters of other scripts follow, the name is part of their word.
  pushAll(parts, partsOfName(text.slice(from, to)));
  return to;
}

function addSigned(text: string, at: number, parts: string[]): number {
  const sign = text.charAt(at);
  if (sign === "+" || sign === "#") {
    if (startOfWord(text, at) === at - 1) pushAll(parts, signNameAt(text, at - 1));
    return at + 1;
  }
  if (classAt(text, at + 1) !== DIGIT) return at + 1;
  const from = startOfWord(text, at);
  pushAll(parts, sign === "." ? versionAt(text, from) : numberAt(text, from));
  let to = at + 1;
  while (to < text.length && /[\d.,]/.test(text.charAt(to))) to += 1;
  return to;
}

function startOfWord(text: string, at: number): number {
  let from = at;
  while (from > 0 && isAscii(classAt(text, from - 1))) from -= 1;
  return from;
}

/** The position after the last unit of a word with classes up to `most`. */
function endOfWord(text: string, at: number, most: number): number {
  let to = at;
  for (let is = classAt(text, to); isLetter(is) && is <= most; is = classAt(text, to)) to += 1;
  return to;
}

function classAt(text: string, at: number): number {
  return at < text.length ? (letterClasses[text.charCodeAt(at)] ?? BREAK) : BREAK;
}

function isLetter(is: number): boolean {
  return is !== BREAK && is !== SIGN && is !== POINT;
}

function isAscii(is: number): boolean {
  return is >= LOWER && is <= DIGIT;
}

/** Adds the parts of the word at a position, which has letters outside ASCII; returns the position after it. */
function addWord(text: string, at: number, parts: string[]): number {
  const from = startOfWord(text, at);
  const to = endOfWord(text, at, OTHER);
  if (from < at && classAt(text, at) !== OTHER) parts.push(text.slice(from, at).toLowerCase());
  pushAll(parts, numbersIn(text.slice(from, to)));
  let next = at;
  while (next < to) {
    const is = classAt(text, next);
    if (is === OTHER) break;
    const end = endOfSegment(text, next, to, is);
    // If an unusual letter follows, the rest is handled as a whole.
    if (classAt(text, end) === OTHER && end < to) break;
    const segment = text.slice(next, end);
    if (is !== SYLLABLE || next === from || !isEnding(segment)) pushAll(parts, partsOfSegment(segment, is));
    next = end;
  }
  if (next < to) addUnusual(text.slice(next === at ? from : next, to), parts);
  return to;
}

function endOfSegment(text: string, at: number, to: number, is: number): number {
  let end = at + 1;
  while (end < to && (isAscii(is) ? isAscii(classAt(text, end)) : classAt(text, end) === is)) end += 1;
  return end;
}

function partsOfSegment(segment: string, is: number): readonly string[] {
  if (is === EASTERN) return partsOfRun(segment);
  return is === SYLLABLE ? partsOfHangul(segment) : [segment.toLowerCase(), ...partsOfName(segment)];
}

function addUnusual(raw: string, parts: string[]): void {
  const word = raw.normalize("NFKC");
  const segments = segmentsOf(word);
  const alone = segments.length === 1 && word === raw;
  for (const segment of segments) {
    if (segment.is === "unspaced") pushAll(parts, partsOfRun(segment.text));
    else if (segment.is === "hangul") pushAll(parts, partsOfHangul(segment.text));
    else pushAll(parts, otherSpellings(segment.text, alone ? asIndexed(segment.text) : ""));
  }
}

/** Classes of UTF-16 units. */
const BREAK = 0;
const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;
/** Ends a name: `C++`. */
const SIGN = 4;
/** Within a number. */
const POINT = 5;
/** Han and kana in their common encoding. */
const EASTERN = 6;
/** A Hangul syllable. */
const SYLLABLE = 7;
/** Any other letter or mark; checked by its Unicode properties. */
const OTHER = 8;

/** The units of each class, as hexadecimal ranges. */
const ranges: readonly (readonly [letter: number, codes: string])[] = [
  [DIGIT, "30-39"],
  [UPPER, "41-5a"],
  [LOWER, "61-7a"],
  [EASTERN, "3005-3007 3041-3096 309d-309f 30a1-30fa 30fc-30ff 3400-4dbf 4e00-9fff"],
  [SYLLABLE, "ac00-d7a3"],
  [OTHER, "aa-1fff 2c00-2dff 3099-309a 3131-33ff a000-abff d7b0-d7ff d800-d83b d83f-dfff f900-fdff fe70-ffef"],
  [SIGN, "23 2b"],
  [POINT, "2c 2e"],
];

/** The class of every unit. */
const letterClasses: Uint8Array = classTable();

function classTable(): Uint8Array {
  const table = new Uint8Array(0x10000);
  for (const [letter, codes] of ranges)
    for (const range of codes.split(" ")) {
      const [from = 0, to = from] = range.split("-").map((code) => Number.parseInt(code, 16));
      table.fill(letter, from, to + 1);
    }
  return table;
}
