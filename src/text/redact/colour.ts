import type { Span } from "./span.ts";

/** As it is, and as JSON and program texts write it. */
const COLOUR = /(?:\u001b|\\u001[bB]|\\x1[bB])\[[0-9;?]{0,24}[A-Za-z]/g;

/** A text as a terminal shows it, and the way back to its bytes. */
export interface Shown {
  readonly text: string;
  /** Spans of the shown text as spans of the whole text, what is not shown in their middle included. */
  readonly inWhole: (spans: readonly Span[]) => readonly Span[];
}

/** The text without the sequences that colour a terminal; they part names from values and tokens from what is before them. */
export function withoutColour(text: string): Shown {
  const mayHaveColour = text.includes("\u001b[") || text.includes("1b[") || text.includes("1B[");
  if (!mayHaveColour) return { text, inWhole: (spans) => spans };
  const pieces: string[] = [];
  const starts: number[] = [];
  const shifts: number[] = [];
  let from = 0;
  let shown = 0;
  const keep = (end: number): void => {
    if (end === from) return;
    pieces.push(text.slice(from, end));
    starts.push(shown);
    shifts.push(from - shown);
    shown += end - from;
  };
  for (const match of text.matchAll(COLOUR)) {
    keep(match.index);
    from = match.index + match[0].length;
  }
  keep(text.length);
  const whole = (at: number): number => at + (shifts[lastAtMost(starts, at)] ?? 0);
  const inWhole = (spans: readonly Span[]): readonly Span[] =>
    spans.map((span) => ({ ...span, start: whole(span.start), end: whole(span.end - 1) + 1 }));
  return { text: pieces.join(""), inWhole };
}

/** The place of the last number that is not above `most`. */
function lastAtMost(numbers: readonly number[], most: number): number {
  let low = 0;
  let high = numbers.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((numbers[middle] ?? 0) <= most) low = middle;
    else high = middle - 1;
  }
  return low;
}
