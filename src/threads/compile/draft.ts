import type { StoredCandidate } from "./cover-candidates.ts";
import type { SummaryLines } from "../compact/summary-lines.ts";

/** A context on its way: which messages are raw, which stand in which summary, and how many lines of each are told. Ordinals of the chain. */
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
  readonly lines: SummaryLines;
  readonly told: number;
}

/** What stands before the first message: a handoff, or a parent that is not there (then without lines). */
export interface OpeningEntry {
  readonly kind: "opening";
  readonly lines: SummaryLines | null;
  readonly told: number;
}

export type TellingEntry = SummaryEntry | (OpeningEntry & { readonly lines: SummaryLines });

/** Whether lines of it can be told. */
export function isTelling(entry: Entry): entry is TellingEntry {
  return entry.kind === "summary" || (entry.kind === "opening" && entry.lines !== null);
}

/** The draft with that many lines told of each entry that can tell, in their order. One of which no line fits, although it has some, is not shown. */
export function withLines(entries: readonly Entry[], told: readonly number[]): readonly Entry[] {
  let next = 0;
  return merged(
    entries.map((entry) => {
      if (!isTelling(entry)) return entry;
      const count = told[next++] ?? 0;
      return count === 0 && entry.lines.count > 0 ? hidden(entry) : { ...entry, told: count };
    }),
  );
}

/** The draft with a little less in it; undefined when nothing can be left out. Lines go first, then the smallest summaries, then the oldest messages. */
export function shrunk(entries: readonly Entry[]): readonly Entry[] | undefined {
  const telling = entries.filter(isTelling);
  const longest = telling.reduce<TellingEntry | undefined>(
    (most, entry) => (entry.told > (most?.told ?? 1) ? entry : most),
    undefined,
  );
  if (longest !== undefined) return replaced(entries, longest, [{ ...longest, told: longest.told - 1 }]);
  const smallest = telling.reduce<TellingEntry | undefined>(
    (least, entry) => (least === undefined || sizeOf(entry) < sizeOf(least) ? entry : least),
    undefined,
  );
  if (smallest !== undefined) return merged(replaced(entries, smallest, [hidden(smallest)]));
  const oldest = entries.find(({ kind }) => kind === "raw");
  if (oldest?.kind !== "raw") return undefined;
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
    const isPlain = entry.kind === "raw" || entry.kind === "uncovered";
    if (isPlain && last !== undefined && last.kind === entry.kind)
      joined[joined.length - 1] = { ...entry, from: last.from };
    else joined.push(entry);
  }
  return joined;
}

function hidden(entry: TellingEntry): Entry {
  if (entry.kind === "opening") return { kind: "opening", lines: null, told: 0 };
  return { kind: "uncovered", from: entry.from, to: entry.to };
}

/** The opening goes last: it may stand for any number of messages. */
function sizeOf(entry: TellingEntry): number {
  return entry.kind === "opening" ? Number.POSITIVE_INFINITY : entry.to - entry.from;
}
