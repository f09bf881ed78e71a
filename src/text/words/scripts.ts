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
