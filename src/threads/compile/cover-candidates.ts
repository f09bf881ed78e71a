import type { CheckpointQuery, Place, StoredCheckpoint } from "../store/thread-store.ts";
import type { Candidate } from "../plan/cover.ts";
import { blockOfRule, blockSize, levelsOf, rungKind } from "../plan/ladder.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Chain, Segment } from "./context-chain.ts";

/** A summary that may stand in a covering, and the checkpoint that names it. */
export interface StoredCandidate extends Candidate {
  readonly segment: Segment;
  readonly checkpoint: StoredCheckpoint;
}

/** Of each level, and of the cumulative summaries, so many of the newest are looked at. A full ladder needs 8. */
const MOST_OF_A_KIND = 24;
export const CUMULATIVE = "cumulative_v1";

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
  const found = await Promise.all([...kinds, CUMULATIVE].map((kind) => memory.threads.checkpoints({ ...query, kind })));
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

/** Those of others may end at a frame that is no message: then the message before it counts. */
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
