import { LINK_TYPES, parentIn, textOf, CUMULATIVE_KIND } from "../plan/thread-state.ts";
import type { SummaryPart, UncoveredPart } from "../model/context.ts";
import { frameOf } from "../model/frame.ts";
import { MemoryError, type Warning } from "../../base/errors.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { readSummaryLines } from "../run/read-summary.ts";
import { frameAt } from "../run/threads.ts";
import type { Place, ThreadHead, StoredCheckpoint } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Candidate } from "../plan/cover.ts";
import { blockOfRule, blockSize, levelsOf, rungKind } from "../plan/ladder.ts";

export interface Anchor {
  readonly head: ThreadHead;
  readonly seq: number;
}

/** A thread of the chain, up to its last included frame. */
export interface Segment {
  readonly thread_id: string;
  readonly to_seq: number;
  /** The last frame whose checkpoints may be used: for a parent, its head at the time of the branch. */
  readonly known_seq: number;
  /** Number of its messages up to `to_seq`, and their weight. */
  readonly messages: number;
  readonly weight: number;
  readonly last: Place | undefined;
  /** Number of messages in the preceding parents, and their weight. */
  readonly messages_before: number;
  readonly weight_before: number;
}

/** What precedes the oldest thread of a chain. */
export type Beginning =
  | {
      readonly kind: "handoff";
      readonly thread_id: string;
      readonly to_seq: number;
      readonly artifact_id: string | null;
      readonly markdown: string | null;
    }
  /** A parent that is not in the store, or is too many links away. */
  | { readonly kind: "unknown"; readonly thread_id: string; readonly to_seq: number; readonly known_seq: number };

/** A thread and its parents, oldest first; ordinals count messages across all of them. */
export interface Chain {
  readonly segments: readonly Segment[];
  readonly beginning: Beginning | null;
  readonly messages: number;
  readonly weight: number;
}

/** Maximum number of parents to follow. */
const MOST_LINKS = 32;

/** Where a compile ends: at a message, by default at the head. Errors: `message_not_found`, `not_a_message`. */
export async function findAnchor(memory: ThreadMemory, head: ThreadHead, at: string | undefined): Promise<Anchor> {
  if (at === undefined) return { head, seq: head.head_seq };
  const { thread_id } = head;
  const [place] = await memory.threads.places(thread_id, [{ id: at }]);
  if (place !== undefined) return { head, seq: place.seq };
  const shown = JSON.stringify(at.slice(0, 60));
  // Only the newest frames are searched, because this only improves the error.
  const newest = { order: "descending", limit: 1_000, most_bytes: 16 * 1024 * 1024 } as const;
  const frames = await memory.threads.frames({ thread_id, ...newest });
  throw frames.some((stored) => frameOf(stored)?.id === at)
    ? new MemoryError("not_a_message", `${shown} is a frame, not a message; pass the id of a message.`, { at })
    : new MemoryError("message_not_found", `Message ${shown} is not in ${thread_id}; check the id.`, { at });
}

/** Follows a thread's links to its parents. A cycle ends the chain. */
export async function readChain(memory: ThreadMemory, anchor: Anchor): Promise<Chain> {
  const found: Omit<Segment, "messages_before" | "weight_before">[] = [];
  const seen = new Set<string>();
  let at = { thread_id: anchor.head.thread_id, to_seq: anchor.seq, known_seq: anchor.seq };
  let beginning: Beginning | null = null;
  for (;;) {
    const { thread_id, to_seq, known_seq } = at;
    seen.add(thread_id);
    const [last] = await memory.threads.places(thread_id, [{ seq: to_seq }]);
    found.push({ thread_id, to_seq, known_seq, messages: last?.ordinal ?? 0, weight: last?.weight ?? 0, last });
    const link = await linkOf(memory, thread_id, to_seq);
    if (link === undefined || seen.has(link.thread_id)) break;
    const isFollowed = link.kind === "unknown" && found.length <= MOST_LINKS;
    if (!isFollowed || (await memory.threads.head(link.thread_id)) === undefined) {
      beginning = link;
      break;
    }
    at = link;
  }
  let [messages, weight] = [0, 0];
  const segments = found.toReversed().map((segment) => {
    const placed = { ...segment, messages_before: messages, weight_before: weight };
    messages += segment.messages;
    weight += segment.weight;
    return placed;
  });
  return { segments, beginning, messages, weight };
}

/** The segment that contains a message of the chain; `undefined` for an ordinal outside the chain. */
export function segmentOf(chain: Chain, ordinal: number): Segment | undefined {
  return chain.segments.find(
    ({ messages_before, messages }) => ordinal > messages_before && ordinal <= messages_before + messages,
  );
}

async function linkOf(memory: ThreadMemory, threadId: string, toSeq: number): Promise<Beginning | undefined> {
  const [stored] = await memory.threads.frames({ thread_id: threadId, to_seq: toSeq, types: LINK_TYPES, limit: 1 });
  const frame = frameOf(stored);
  if (frame === undefined) return undefined;
  const { kind, thread_id, seq: to_seq } = parentIn(frame);
  if (kind === "branch") {
    const head = frame.fields["parent_head_seq"];
    const known_seq = Number.isSafeInteger(head) ? Math.max(head as number, to_seq) : to_seq;
    return { kind: "unknown", thread_id, to_seq, known_seq };
  }
  const [artifact_id, markdown] = [textOf(frame, "summary_artifact_id"), textOf(frame, "summary_markdown")];
  return { kind, thread_id, to_seq, artifact_id, markdown };
}

/** A part for messages that are not shown, given as a range of ordinals in the thread; empty if the range is empty. */
export async function uncoveredPart(
  { threads }: ThreadMemory,
  thread_id: string,
  [first, last]: readonly [number, number],
): Promise<readonly UncoveredPart[]> {
  if (first > last) return [];
  const [from, to] = await threads.places(thread_id, [{ ordinal: first }, { ordinal: last }]);
  const seqs = { from_seq: from?.seq ?? 0, to_seq: to?.seq ?? 0 };
  return [{ kind: "uncovered", thread_id, ...seqs, messages: last - first + 1 }];
}

/** A checkpoint's summary as a part, with its lines returned separately, or a warning that says why they cannot be read. */
export async function readPart(
  memory: ThreadMemory,
  thread_id: string,
  { artifact_id, from_seq, to_seq }: StoredCheckpoint,
  of: Pick<SummaryPart, "note" | "messages">,
): Promise<{ readonly part: SummaryPart; readonly lines: readonly SummaryLine[] | Warning }> {
  const until_ms = (await frameAt(memory, thread_id, to_seq))?.timestamp_ms ?? null;
  const lines = await readSummaryLines(memory, { artifact_id, thread_id, to_seq });
  const covered = { thread_id, artifact_id, from_seq, to_seq, until_ms };
  return { part: { kind: "summary", ...covered, ...of, lines: [], state: "there" }, lines };
}

/** A summary that may be part of the cover, and the checkpoint that names it. */
export interface StoredCandidate extends Candidate {
  readonly segment: Segment;
  readonly checkpoint: StoredCheckpoint;
}

/** How many of the newest summaries are considered, per level and among cumulative ones. A full ladder needs 8. */
const MOST_OF_A_KIND = 24;

/** The rungs and cumulative summaries of a segment, as named by frames up to its end, with one query per level. */
export async function readCandidates(
  { threads }: ThreadMemory,
  chain: Chain,
  segment: Segment,
): Promise<readonly StoredCandidate[]> {
  const { thread_id, to_seq, known_seq } = segment;
  const query = { thread_id, to_seq_at_most: to_seq, frame_seq_at_most: known_seq, limit: MOST_OF_A_KIND };
  const kinds = [...Array(levelsOf(segment.weight)).keys()].map(rungKind);
  const rungs = await Promise.all(kinds.map((kind) => threads.checkpoints({ ...query, kind })));
  const cumulatives = await threads.checkpoints({ ...query, kind: CUMULATIVE_KIND });
  const candidates = [...rungs.flat(), ...cumulatives].map(async (checkpoint): Promise<readonly StoredCandidate[]> => {
    const block = checkpoint.kind === CUMULATIVE_KIND ? null : blockOfRule(checkpoint.cut_rule_id);
    // A rung of a different ladder has other blocks, so its weight is unknown.
    if (block === undefined) return [];
    if (block !== null && (rungKind(block.level) !== checkpoint.kind || checkpoint.ordinals === null)) return [];
    const [from, to] = checkpoint.ordinals ?? (await ordinalsAround(threads, thread_id, checkpoint));
    if (from < 1 || to < from || to > segment.messages) return [];
    const before = segment.messages_before;
    const end = segment.weight_before + (block === null ? 0 : (block.index + 1) * blockSize(block.level));
    const [level, distance] = [block?.level ?? null, Math.max(0, chain.weight - end)];
    return [{ from: before + from, to: before + to, level, distance, segment, checkpoint }];
  });
  return (await Promise.all(candidates)).flat();
}

/** A foreign checkpoint may end at a frame that is not a message; then it ends at the preceding message. */
async function ordinalsAround(
  threads: ThreadMemory["threads"],
  threadId: string,
  { from_seq, to_seq }: StoredCheckpoint,
): Promise<readonly [number, number]> {
  const [before, last] = await threads.places(threadId, [{ seq: from_seq - 1 }, { seq: to_seq }]);
  return [(before?.ordinal ?? 0) + 1, last?.ordinal ?? 0];
}
