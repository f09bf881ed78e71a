import type { StoredCandidate } from "./context-chain.ts";
import type { SummaryLine } from "../../base/summary-line.ts";

/** A part of a draft context: which messages are raw, which are in which summary, and how many of its lines are shown. Ordinals of the chain. */
export type Entry = PlainEntry | SummaryEntry | OpeningEntry;

export interface PlainEntry {
  readonly kind: "raw" | "uncovered";
  readonly from: number;
  readonly to: number;
}

export interface SummaryEntry {
  readonly kind: "summary";
  readonly from: number;
  readonly to: number;
  readonly candidate: StoredCandidate;
  readonly lines: readonly SummaryLine[];
  /** When its last message was said. */
  readonly until_ms: number | null;
  readonly shown: number;
}

/** What precedes the first message: a handoff, or a parent that is not there (then without lines). */
export interface OpeningEntry {
  readonly kind: "opening";
  readonly lines: readonly SummaryLine[] | null;
  readonly shown: number;
}

type LinesEntry = SummaryEntry | (OpeningEntry & { readonly lines: readonly SummaryLine[] });

/** Whether it has lines that can be shown. */
export function hasLines(entry: Entry): entry is LinesEntry {
  return entry.kind === "summary" || (entry.kind === "opening" && entry.lines !== null);
}

/** The draft that shows these numbers of lines of its entries with lines, in order. An entry with lines of which none fits is not shown. */
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

/** The draft with a little less in it; undefined when nothing can be left out. Lines go first, then the smallest summaries, then the oldest messages. */
export function shrunk(entries: readonly Entry[]): readonly Entry[] | undefined {
  const withText = entries.filter(hasLines);
  const longest = withText.toSorted((a, b) => b.shown - a.shown)[0];
  if (longest !== undefined && longest.shown > 1)
    return replaced(entries, longest, [{ ...longest, shown: longest.shown - 1 }]);
  const smallest = withText.toSorted((a, b) => sizeOf(a) - sizeOf(b))[0];
  if (smallest !== undefined) return merged(replaced(entries, smallest, [hidden(smallest)]));
  const oldest = entries.find((entry): entry is PlainEntry => entry.kind === "raw");
  if (oldest === undefined) return undefined;
  const { from, to } = oldest;
  const rest: readonly Entry[] = from < to ? [{ kind: "raw", from: from + 1, to }] : [];
  return merged(replaced(entries, oldest, [{ kind: "uncovered", from, to: from }, ...rest]));
}

/** The draft with other entries in the place of one. */
export function replaced(entries: readonly Entry[], old: Entry, by: readonly Entry[]): readonly Entry[] {
  return entries.flatMap((entry) => (entry === old ? by : [entry]));
}

/** Neighbours that are both raw, or both uncovered, as one. */
export function merged(entries: readonly Entry[]): readonly Entry[] {
  const joined: Entry[] = [];
  for (const entry of entries) {
    const last = joined.at(-1);
    if ((entry.kind === "raw" || entry.kind === "uncovered") && last?.kind === entry.kind)
      joined[joined.length - 1] = { ...entry, from: last.from };
    else joined.push(entry);
  }
  return joined;
}

function hidden(entry: LinesEntry): Entry {
  if (entry.kind === "opening") return { kind: "opening", lines: null, shown: 0 };
  return { kind: "uncovered", from: entry.from, to: entry.to };
}

/** The opening goes last: it may represent any number of messages. */
function sizeOf(entry: LinesEntry): number {
  return entry.kind === "opening" ? Number.MAX_VALUE : entry.to - entry.from;
}
