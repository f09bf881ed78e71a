import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import { LINK_TYPES, parentIn } from "../plan/thread-state.ts";
import { frameOf } from "../model/frame.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Place, ThreadHead, CheckpointQuery, StoredCheckpoint } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Candidate } from "../plan/cover.ts";
import { blockOfRule, blockSize, levelsOf, rungKind } from "../plan/ladder.ts";

/** The last frame of a thread that counts. */
export interface Anchor {
  readonly head: ThreadHead;
  readonly seq: number;
}

/** A thread of the chain, up to its last frame that counts. */
export interface Segment {
  readonly thread_id: string;
  readonly to_seq: number;
  /** Its last frame whose checkpoints count: of a parent, its head when it was branched. */
  readonly known_seq: number;
  /** Its messages up to there, and their weight. */
  readonly messages: number;
  readonly weight: number;
  /** Its last message; undefined without one. */
  readonly last: Place | undefined;
  /** Messages in the parents before it, and their weight. */
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
  /** A parent that is not in the store, or has too many children between. */
  | { readonly kind: "unknown"; readonly thread_id: string; readonly to_seq: number; readonly known_seq: number };

/** A thread and its parents, the oldest first; each message has one ordinal over all of them. */
export interface Chain {
  readonly segments: readonly Segment[];
  readonly beginning: Beginning | null;
  readonly messages: number;
  readonly weight: number;
}

/** More parents are not followed. */
const MOST_LINKS = 32;

/** Where a compile ends: at a message, else at the head. Errors: `message_not_found`, `not_a_message`. */
export async function findAnchor(memory: ThreadMemory, head: ThreadHead, at: string | undefined): Promise<Anchor> {
  if (at === undefined) return { head, seq: head.head_seq };
  const [place] = await memory.threads.places(head.thread_id, [{ id: at }]);
  if (place !== undefined) return { head, seq: place.seq };
  const isOther = await isOtherFrame(memory, head.thread_id, at);
  const shown = JSON.stringify(at.slice(0, 60));
  throw isOther
    ? new MemoryError("not_a_message", `${shown} is a frame, and no message; give the id of a message.`, { at })
    : new MemoryError("message_not_found", `There is no message ${shown} in ${head.thread_id}; check the id.`, { at });
}

/** Follows the links of a thread to its parents. A parent that is its own child ends the chain. */
export async function readChain(memory: ThreadMemory, anchor: Anchor): Promise<Chain> {
  const found: Omit<Segment, "messages_before" | "weight_before">[] = [];
  const seen = new Set<string>();
  let [threadId, toSeq, known_seq]: [string, number, number] = [anchor.head.thread_id, anchor.seq, anchor.seq];
  let beginning: Beginning | null = null;
  for (;;) {
    seen.add(threadId);
    const [last] = await memory.threads.places(threadId, [{ seq: toSeq }]);
    const [messages, weight] = [last?.ordinal ?? 0, last?.weight ?? 0];
    found.push({ thread_id: threadId, to_seq: toSeq, known_seq, messages, weight, last });
    const link = await linkOf(memory, threadId, toSeq);
    if (link === undefined || seen.has(link.thread_id)) break;
    const isFollowed = link.kind === "unknown" && found.length <= MOST_LINKS;
    if (!isFollowed || (await memory.threads.head(link.thread_id)) === undefined) {
      beginning = link;
      break;
    }
    [threadId, toSeq, known_seq] = [link.thread_id, link.to_seq, link.known_seq];
  }
  return joined(found.toReversed(), beginning);
}

function joined(
  found: readonly Omit<Segment, "messages_before" | "weight_before">[],
  beginning: Beginning | null,
): Chain {
  let [messages, weight] = [0, 0];
  const segments = found.map((segment) => {
    const placed = { ...segment, messages_before: messages, weight_before: weight };
    messages += segment.messages;
    weight += segment.weight;
    return placed;
  });
  return { segments, beginning, messages, weight };
}

/** The segment that holds a message of the chain. Ordinals outside the chain have none. */
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
  const { parent_head_seq: head, summary_artifact_id, summary_markdown } = frame.fields;
  if (kind === "branch") {
    const known_seq = Number.isSafeInteger(head) ? Math.max(head as number, to_seq) : to_seq;
    return { kind: "unknown", thread_id, to_seq, known_seq };
  }
  const textOrNull = (value: unknown): string | null => (typeof value === "string" ? value : null);
  return {
    kind,
    thread_id,
    to_seq,
    artifact_id: textOrNull(summary_artifact_id),
    markdown: textOrNull(summary_markdown),
  };
}

/** Only the newest frames are looked at: it only makes the error better. */
async function isOtherFrame(memory: ThreadMemory, threadId: string, id: string): Promise<boolean> {
  const newest = { order: "descending", limit: 1_000, most_bytes: 16 * 1024 * 1024 } as const;
  const frames = await memory.threads.frames({ thread_id: threadId, ...newest });
  return frames.some((stored) => frameOf(stored)?.id === id);
}

/** A summary that may be part of a covering, and the checkpoint that names it. */
export interface StoredCandidate extends Candidate {
  readonly segment: Segment;
  readonly checkpoint: StoredCheckpoint;
}

/** Of each level, and of the cumulative summaries, so many of the newest are looked at. A full ladder needs 8. */
const MOST_OF_A_KIND = 24;

/** The rungs and cumulative summaries of a segment that frames up to its end name: one query a level. */
export async function readCandidates(
  memory: ThreadMemory,
  chain: Chain,
  segment: Segment,
): Promise<readonly StoredCandidate[]> {
  const kinds = [...Array(levelsOf(segment.weight)).keys()].map(rungKind);
  const query: Omit<CheckpointQuery, "kind"> = {
    thread_id: segment.thread_id,
    to_seq_at_most: segment.to_seq,
    frame_seq_at_most: segment.known_seq,
    limit: MOST_OF_A_KIND,
  };
  const found = await Promise.all(
    [...kinds, CUMULATIVE_KIND].map((kind) => memory.threads.checkpoints({ ...query, kind })),
  );
  const rungs = found.slice(0, -1).flatMap((ofLevel) => ofLevel.flatMap((one) => rungOf(chain, segment, one) ?? []));
  return [...rungs, ...(await cumulativesOf(memory, { chain, segment, checkpoints: found.at(-1) ?? [] }))];
}

function rungOf(chain: Chain, segment: Segment, checkpoint: StoredCheckpoint): StoredCandidate | undefined {
  const { cut_rule_id, kind, ordinals } = checkpoint;
  const block = blockOfRule(cut_rule_id);
  // A rung of another ladder has other blocks, and says nothing of its weight.
  if (block === undefined || rungKind(block.level) !== kind || ordinals === null) return undefined;
  const end = segment.weight_before + (block.index + 1) * blockSize(block.level);
  return candidateOf({ chain, segment, checkpoint, ordinals, level: block.level, end });
}

interface Cumulatives {
  readonly chain: Chain;
  readonly segment: Segment;
  readonly checkpoints: readonly StoredCheckpoint[];
}

/** A foreign one may end at a frame that is not a message: then the message before it counts. */
async function cumulativesOf(
  memory: ThreadMemory,
  { chain, segment, checkpoints }: Cumulatives,
): Promise<readonly StoredCandidate[]> {
  const open = checkpoints.filter(({ ordinals }) => ordinals === null);
  const targets = open.flatMap(({ from_seq, to_seq }) => [{ seq: from_seq - 1 }, { seq: to_seq }]);
  const places = targets.length === 0 ? [] : await memory.threads.places(segment.thread_id, targets);
  const found = new Map<StoredCheckpoint, readonly [Place | undefined, Place | undefined]>();
  for (const [index, checkpoint] of open.entries()) found.set(checkpoint, [places[2 * index], places[2 * index + 1]]);
  return checkpoints.flatMap((checkpoint) => {
    const [before, last] = found.get(checkpoint) ?? [];
    const ordinals = checkpoint.ordinals ?? [(before?.ordinal ?? 0) + 1, last?.ordinal ?? 0];
    return candidateOf({ chain, segment, checkpoint, ordinals, level: null, end: segment.weight_before }) ?? [];
  });
}

interface Found {
  readonly chain: Chain;
  readonly segment: Segment;
  readonly checkpoint: StoredCheckpoint;
  readonly ordinals: readonly [number, number];
  readonly level: number | null;
  /** The weight in the chain up to its end. */
  readonly end: number;
}

function candidateOf({ chain, segment, checkpoint, ordinals, level, end }: Found): StoredCandidate | undefined {
  const [from, to] = ordinals;
  if (from < 1 || to < from || to > segment.messages) return undefined;
  return {
    from: segment.messages_before + from,
    to: segment.messages_before + to,
    level,
    distance: Math.max(0, chain.weight - end),
    segment,
    checkpoint,
  };
}
