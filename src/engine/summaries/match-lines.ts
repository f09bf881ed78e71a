import { wordKeys } from "../../base/word-keys.ts";
import { bestLines, createLineIndex } from "../../summarize/answers/match.ts";

/** For each text the indices of the lines that it fits best, in their order; none where it shares no word with any. */
export function matchLines(texts: readonly string[], lines: readonly string[]): readonly (readonly number[])[] {
  // The seq of a line brings its index back.
  const index = createLineIndex([{ name: "", lines: lines.map((text, seq) => ({ text, refs: [], seq })) }]);
  return texts.map((text) => bestLines({ topic: "", text }, index).flatMap(({ seq }) => seq ?? []));
}

/** Of lines the index of the one that has the most of a text's words, of equal ones the first. */
export function closestLine(text: string, lines: readonly string[], among: readonly number[]): number | undefined {
  const keys = wordKeys(text);
  const shared = (at: number): number => [...wordKeys(lines[at] ?? "")].filter((key) => keys.has(key)).length;
  return among.toSorted((a, b) => shared(b) - shared(a) || a - b)[0];
}
