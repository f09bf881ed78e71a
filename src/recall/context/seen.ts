import { isPlain } from "../../text/words/scripts.ts";

/** A text reduced to its words, to detect repetitions: without case, punctuation and spacing. Begins and ends with a space. */
export function wordsOnly(text: string): string {
  const lower = text.toLowerCase();
  const words = lower.match(isPlain(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [text];
  return ` ${words.join(" ")} `;
}

/** What the reader of a result already knows. */
export interface Known {
  /** Everything in the reader's context, by `wordsOnly`. */
  readonly seen: string;
  /** Whether a source is the reader's own conversation. */
  isOwn(row: { readonly source: string; readonly heading: string; readonly lines: readonly [number, number] }): boolean;
}

export const nothingKnown: Known = { seen: "", isOwn: () => false };
