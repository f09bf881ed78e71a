import { isAscii, isPlain } from "./scripts.ts";
import { englishStem } from "./english-stem.ts";

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

/** The terms of a text, in its order. */
export function termsIn(text: string): readonly string[] {
  return rawWords(text).map(termOf);
}

/** The key of a part of a word among the terms: no word has its sign. */
export function partKey(term: string): string {
  return `.${term}`;
}
