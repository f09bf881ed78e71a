import type { Place } from "../store/thread-store.ts";
import type { Part, UncoveredPart } from "../model/context.ts";
import { isFrame, parseFrame } from "../model/frame-format.ts";
import type { SummaryLine } from "../model/summarizer.ts";
import type { ThreadMemory } from "../memory.ts";
import { segmentOf, type Chain } from "./context-chain.ts";
import type { Entry, OpeningEntry, PlainEntry, SummaryEntry } from "./draft.ts";
import type { NewestMessages } from "./newest-messages.ts";
import type { SummaryLines } from "../compact/summary-lines.ts";

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
    once(dates, `${threadId}/${seq}`, () => readDate(memory, threadId, seq));

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
    return { kind: "summary", ...named, until_ms, lines: told(entry.lines, entry.told), state: "there" };
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

/** When a frame was appended; null when it is not there. */
export async function readDate(memory: ThreadMemory, threadId: string, seq: number): Promise<number | null> {
  const query = { thread_id: threadId, from_seq: seq, to_seq: seq, limit: 1 };
  const [stored] = await memory.threads.frames(query);
  const frame = stored === undefined ? undefined : parseFrame(stored.line);
  return frame !== undefined && isFrame(frame) ? frame.timestamp_ms : null;
}

function openingOf({ beginning }: Chain, { lines, told: count }: OpeningEntry): readonly Part[] {
  if (beginning === null) return [];
  const { thread_id, to_seq } = beginning;
  if (beginning.kind === "unknown" || lines === null)
    return [{ kind: "uncovered", thread_id, from_seq: 0, to_seq, messages: null }];
  const chosen = told(lines, count);
  const { artifact_id } = beginning;
  if (artifact_id === null) return [{ kind: "handoff", thread_id, to_seq, lines: chosen }];
  const named = { thread_id, artifact_id, note: "handoff", from_seq: 0, to_seq };
  return [{ kind: "summary", ...named, messages: null, until_ms: null, lines: chosen, state: "there" }];
}

/** The lines that are told, in the order in which they were said. */
function told(lines: SummaryLines, count: number): readonly SummaryLine[] {
  const chosen = Array.from({ length: count }, (_, index) => lines.line(index));
  return chosen.toSorted((one, other) => one.seq - other.seq);
}

function once<T>(known: Map<string, Promise<T>>, key: string, read: () => Promise<T>): Promise<T> {
  const found = known.get(key) ?? read();
  known.set(key, found);
  return found;
}
