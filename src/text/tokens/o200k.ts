import { createPieceCounter } from "./merge.ts";
import { endOfPiece } from "./pieces.ts";
import { openRankTable } from "./rank-table.ts";

/** Counts o200k_base tokens. */
export interface O200k {
  /**
   * The number of tokens of the text, exactly as OpenAI's tiktoken has it with `encode_ordinary`: names of special
   * tokens such as `<|endoftext|>` are ordinary text, a lone surrogate counts as U+FFFD. Time is n log n at worst.
   */
  count(text: string): number;
}

/**
 * A counter over a table made by `tools/o200k-table.mjs`. Nothing is parsed or copied: opening takes microseconds and
 * the table is read in place. `io` when the bytes are not a whole table.
 */
export function createO200k(table: Uint8Array): O200k {
  const ranks = openRankTable(table);
  const countPiece = createPieceCounter(ranks);
  const encoder = new TextEncoder();
  const count = (text: string): number => {
    const bytes = encoder.encode(text);
    const classified = { bytes, classes: ranks.classesOf(bytes) };
    let tokens = 0;
    for (let start = 0, end = 0; start < bytes.length; start = end) {
      end = endOfPiece(classified, start);
      tokens += countPiece(bytes, start, end);
    }
    return tokens;
  };
  return { count };
}
