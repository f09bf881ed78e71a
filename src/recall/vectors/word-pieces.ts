import type { TokenTable } from "./token-table.ts";

/** The pieces of one word. */
export interface Pieces {
  /** Their numbers in the table, those that say nothing left out. */
  readonly numbers: readonly number[];
  /** Letters and digits of the word, and those among them that stand in a piece that says something. */
  readonly letters: number;
  readonly known: number;
}

/** A longer word is not looked at: BERT's `max_input_chars_per_word`. */
const longestWord = 100;

/**
 * Cuts a word into the longest pieces that the table has, from its beginning on (WordPiece); a word with a part that the table does not have has no pieces at all.
 * `##` stands before a piece within a word.
 */
export function piecesOf(table: TokenTable, word: string): Pieces {
  const letters = lettersOf(word);
  const numbers: number[] = [];
  let known = 0;
  const isTooLong = word.length > longestWord && [...word].length > longestWord;
  for (let start = 0; start < word.length && !isTooLong;) {
    const found = longestPiece(table, word, start);
    if (found === undefined) return { numbers: [], letters, known: 0 };
    if ((table.scales[found.number] ?? 0) !== 0) {
      numbers.push(found.number);
      known += lettersOf(word.slice(start, found.end));
    }
    start = found.end;
  }
  return { numbers, letters, known };
}

function longestPiece(
  { pieces, longest }: TokenTable,
  word: string,
  start: number,
): { readonly number: number; readonly end: number } | undefined {
  const before = start === 0 ? "" : "##";
  for (let end = Math.min(word.length, start + longest); end > start; end--) {
    const number = pieces.get(before + word.slice(start, end));
    if (number !== undefined) return { number, end };
  }
  return undefined;
}

const onlyAsciiLetters = /^[a-z0-9]+$/u;

function lettersOf(text: string): number {
  if (onlyAsciiLetters.test(text)) return text.length;
  let count = 0;
  for (const _ of text.matchAll(/[\p{L}\p{N}]/gu)) count++;
  return count;
}
