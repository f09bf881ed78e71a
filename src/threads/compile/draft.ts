import { frameAt } from "../run/threads.ts";
import { type StoredCandidate, segmentOf, type Chain } from "./context-chain.ts";
import type { SummaryLines } from "../run/read-summary.ts";
import type { Place } from "../store/thread-store.ts";
import type { Part, UncoveredPart } from "../model/context.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import type { ThreadMemory } from "../memory.ts";
import type { NewestMessages } from "./newest-messages.ts";

/** A part of a draft context: which messages are raw, which are in which summary, and how many of its lines are shown. Ordinals of the chain. */
export type Entry = PlainEntry | SummaryEntry | OpeningEntry;

interface PlainEntry {
  readonly kind: "raw" | "uncovered";
  readonly from: number;
  readonly to: number;
}

interface SummaryEntry {
  readonly kind: "summary";
  readonly from: number;
  readonly to: number;
  readonly candidate: StoredCandidate;
  readonly lines: SummaryLines;
  readonly shown: number;
}

/** What precedes the first message: a handoff, or a parent that is not there (then without lines). */
interface OpeningEntry {
  readonly kind: "opening";
  readonly lines: SummaryLines | null;
  readonly shown: number;
}

type LinesEntry = SummaryEntry | (OpeningEntry & { readonly lines: SummaryLines });

/** Whether it has lines that can be shown. */
export function hasLines(entry: Entry): entry is LinesEntry {
  return entry.kind === "summary" || (entry.kind === "opening" && entry.lines !== null);
}

/** The draft that shows so many lines of each entry with lines, in their order. One of which no line fits, although it has some, is not shown. */
export function withLines(entries: readonly Entry[], shown: readonly number[]): readonly Entry[] {
  let next = 0;
  return merged(
    entries.map((entry) => {
      if (!hasLines(entry)) return entry;
      const count = shown[next++] ?? 0;
      return count === 0 && entry.lines.count > 0 ? hidden(entry) : { ...entry, shown: count };
    }),
  );
}

/** The draft with a little less in it; undefined when nothing can be left out. Lines go first, then the smallest summaries, then the oldest messages. */
export function shrunk(entries: readonly Entry[]): readonly Entry[] | undefined {
  const withText = entries.filter(hasLines);
  const longest = withText.reduce<LinesEntry | undefined>(
    (most, entry) => (entry.shown > (most?.shown ?? 1) ? entry : most),
    undefined,
  );
  if (longest !== undefined) return replaced(entries, longest, [{ ...longest, shown: longest.shown - 1 }]);
  const smallest = withText.reduce<LinesEntry | undefined>(
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

function hidden(entry: LinesEntry): Entry {
  if (entry.kind === "opening") return { kind: "opening", lines: null, shown: 0 };
  return { kind: "uncovered", from: entry.from, to: entry.to };
}

/** The opening goes last: it may represent any number of messages. */
function sizeOf(entry: LinesEntry): number {
  return entry.kind === "opening" ? Number.POSITIVE_INFINITY : entry.to - entry.from;
}

/** Tells drafts as parts. What it reads for it (places and dates) it reads once. */
export interface PartReader {
  partsOf(entries: readonly Entry[]): Promise<readonly Part[]>;
}

export function createPartReader(memory: ThreadMemory, chain: Chain, newest: NewestMessages): PartReader {
  const places = new Map<string, Promise<Place | undefined>>();
  const dates = new Map<string, Promise<number | null>>();
  const placeOf = (threadId: string, ordinal: number): Promise<Place | undefined> =>
    once(places, `${threadId}/${ordinal}`, async () => (await memory.threads.places(threadId, [{ ordinal }]))[0]);
  const dateOf = (threadId: string, seq: number): Promise<number | null> =>
    once(dates, `${threadId}/${seq}`, async () => (await frameAt(memory, threadId, seq))?.timestamp_ms ?? null);

  const uncovered = async ({ from, to }: PlainEntry): Promise<readonly UncoveredPart[]> => {
    const inside = chain.segments.flatMap(({ thread_id, messages_before, messages }) => {
      const range = [Math.max(1, from - messages_before), Math.min(messages, to - messages_before)] as const;
      return range[0] <= range[1] ? [{ thread_id, range }] : [];
    });
    const parts = inside.map(async ({ thread_id, range: [first, last] }): Promise<UncoveredPart> => {
      const [start, end] = [await placeOf(thread_id, first), await placeOf(thread_id, last)];
      const seqs = { from_seq: start?.seq ?? 0, to_seq: end?.seq ?? 0 };
      return { kind: "uncovered", thread_id, ...seqs, messages: last - first + 1 };
    });
    return Promise.all(parts);
  };
  const raw = async ({ from, to }: PlainEntry): Promise<readonly Part[]> => {
    const parts: Part[] = [];
    for (let ordinal = from; ordinal <= to; ordinal += 1) {
      const message = await newest.read(ordinal);
      if (message !== undefined) parts.push(message.part);
    }
    return parts;
  };
  const summary = async (entry: SummaryEntry): Promise<Part> => {
    const { thread_id } = segmentOf(chain, entry.to) ?? entry.candidate.segment;
    const { artifact_id, kind, from_seq, to_seq } = entry.candidate.checkpoint;
    const messages = entry.to - entry.from + 1;
    const named = { thread_id, artifact_id, note: kind, from_seq, to_seq, messages };
    const until_ms = await dateOf(thread_id, to_seq);
    return { kind: "summary", ...named, until_ms, lines: firstLines(entry.lines, entry.shown), state: "there" };
  };
  return {
    partsOf: async (entries) => {
      const all = entries.map(async (entry): Promise<readonly Part[]> => {
        if (entry.kind === "opening") return openingOf(chain, entry);
        if (entry.kind === "summary") return [await summary(entry)];
        return entry.kind === "raw" ? raw(entry) : uncovered(entry);
      });
      return (await Promise.all(all)).flat();
    },
  };
}

function openingOf({ beginning }: Chain, { lines, shown: count }: OpeningEntry): readonly Part[] {
  if (beginning === null) return [];
  const { thread_id, to_seq } = beginning;
  if (beginning.kind === "unknown" || lines === null)
    return [{ kind: "uncovered", thread_id, from_seq: 0, to_seq, messages: null }];
  const chosen = firstLines(lines, count);
  const { artifact_id } = beginning;
  if (artifact_id === null) return [{ kind: "handoff", thread_id, to_seq, lines: chosen }];
  const named = { thread_id, artifact_id, note: "handoff", from_seq: 0, to_seq };
  return [{ kind: "summary", ...named, messages: null, until_ms: null, lines: chosen, state: "there" }];
}

/** The lines that are shown, in the order in which they were said. */
function firstLines(lines: SummaryLines, count: number): readonly SummaryLine[] {
  const chosen = Array.from({ length: count }, (_, index) => lines.line(index));
  return chosen.toSorted((one, other) => one.seq - other.seq);
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
