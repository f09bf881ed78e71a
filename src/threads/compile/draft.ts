import type { StoredCandidate } from "./context-chain.ts";
import { merged, plainSpan, type PlainSpan } from "../plan/cover.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import type { HandoffPart, SummaryPart, UncoveredPart } from "../model/context.ts";

/** A part of a draft context: which messages are raw, which are summarized, and how many lines of each summary are shown. Ordinals count across the chain. */
export type Entry = PlainSpan | LinesEntry | UnknownEntry;

/** A summary of messages, or the handed-over summary before the first message. */
export interface LinesEntry {
  readonly kind: "lines";
  readonly from: number;
  readonly to: number;
  /** Null for a handed-over summary, which may cover any number of messages. */
  readonly candidate: StoredCandidate | null;
  /** Without its lines. */
  readonly part: SummaryPart | HandoffPart;
  readonly lines: readonly SummaryLine[];
  readonly shown: number;
}

/** What precedes the first message and is not shown. */
interface UnknownEntry {
  readonly kind: "unknown";
  readonly part: UncoveredPart;
}

export function hasLines(entry: Entry): entry is LinesEntry {
  return entry.kind === "lines";
}

export function openingEntry(part: LinesEntry["part"], lines: readonly SummaryLine[]): LinesEntry {
  return { kind: "lines", from: 0, to: 0, candidate: null, part, lines, shown: 0 };
}

export function unknownEntry({ thread_id, to_seq }: Pick<UncoveredPart, "thread_id" | "to_seq">): UnknownEntry {
  return { kind: "unknown", part: { kind: "uncovered", thread_id, from_seq: 0, to_seq, messages: null } };
}

/** Sets how many lines each summary entry shows, in order. An entry with lines that shows none of them is hidden. */
export function withLines(entries: readonly Entry[], shown: readonly number[]): readonly Entry[] {
  let next = 0;
  return merged(
    entries.map((entry) => {
      if (!hasLines(entry)) return entry;
      const count = shown[next++] ?? 0;
      return count === 0 && entry.lines.length > 0 ? hidden(entry) : { ...entry, shown: count };
    }),
  );
}

/** Removes a little from the draft; undefined if nothing can be removed. Lines go first, then the smallest summaries, then the oldest messages. */
export function shrunk(entries: readonly Entry[]): readonly Entry[] | undefined {
  const withText = entries.filter(hasLines);
  const longest = withText.toSorted((a, b) => b.shown - a.shown)[0];
  if (longest !== undefined && longest.shown > 1)
    return replaced(entries, longest, [{ ...longest, shown: longest.shown - 1 }]);
  const smallest = withText.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
  if (smallest !== undefined) return merged(replaced(entries, smallest, [hidden(smallest)]));
  const oldest = entries.find((entry): entry is PlainSpan => entry.kind === "raw");
  if (oldest === undefined) return undefined;
  const { from, to } = oldest;
  return merged(replaced(entries, oldest, [...plainSpan("uncovered", from, from), ...plainSpan("raw", from + 1, to)]));
}

export function replaced(entries: readonly Entry[], old: Entry, by: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry === old ? by : [entry]));
}

function hidden({ candidate, part, from, to }: LinesEntry): Entry {
  return candidate === null ? unknownEntry(part) : { kind: "uncovered", from, to };
}

function sizeOf({ candidate, from, to }: LinesEntry): number {
  return candidate === null ? Number.MAX_VALUE : to - from;
}
