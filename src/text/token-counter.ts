/** Counts the tokens of a text. The default counts o200k BPE exactly. */
export interface TokenCounter {
  readonly id: string;
  count(text: string): number;
}
