import { LADDER_JOB, type Created, ladderDetails, type LadderDetails } from "../model/job-frames.ts";
import { blockOfRule, LADDER_RULE, levelsOf, neededBlocks, rungKind, rungRule, type Block } from "../plan/ladder.ts";
import { rungSummary, type Span, printSummary } from "../model/summary.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { StoredCheckpoint, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import { BlockLines, summarizerOf } from "../run/block-lines.ts";
import { readSummary } from "../run/read-summary.ts";
import { decide, pulseOf, runJob, runnable, spawnJob, type Job, type Made, type Task } from "./jobs.ts";
import { checkpointDraft, threadHead } from "../run/threads.ts";
import { lastMessage } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { pushAll } from "../../base/lists.ts";

/**
 * Makes all missing rungs that a compile at the head needs, in one job. Returns `null` if none are missing or another runner is making them. Throws
 * if something fails before the job is spawned or if the call is aborted; every other failure is in the result.
 */
export async function buildLadder(memory: ThreadMemory, task: Task): Promise<R.LadderResult | null> {
  const { job } = await decide(memory, task, async (head, inflight) => {
    const isBuilt = inflight.some(({ kind, lease }) => kind === LADDER_JOB && lease === "held");
    if (isBuilt || !(await isRungMissing(memory, head))) return { answer: undefined, frames: [] };
    const schema = "heartwood.job.compaction_ladder.v1";
    const summarizer = summarizerOf(memory).id;
    const details: LadderDetails = { schema, ladder: LADDER_RULE, weight: head.weight, summarizer };
    return { ...spawnJob(memory, task, { job_kind: LADDER_JOB, details }), answer: undefined };
  });
  if (job === undefined) return null;
  const { status, result, error } = await runJob(memory, job, makeRungs);
  return { job_id: job.job_id, status, created: result.length, error };
}

export async function isRungMissing(memory: ThreadMemory, head: ThreadHead): Promise<boolean> {
  return (await missingRungs(memory, head, head.weight)).length > 0;
}

interface MissingRung {
  readonly block: Block;
  readonly span: Span;
  /** The rung's checkpoints whose artifacts cannot be read: a log may be imported without its artifacts. */
  readonly named: readonly StoredCheckpoint[];
}

/** At most 16 blocks per level are needed; some may have been made twice. */
const NEWEST_RUNGS = 40;

/** The needed, non-empty blocks without a checkpoint whose artifact can be read, coarse before fine, old before new. */
async function missingRungs(memory: ThreadMemory, head: ThreadHead, weight: number): Promise<readonly MissingRung[]> {
  const { thread_id } = head;
  const rungs: StoredCheckpoint[] = [];
  for (let level = levelsOf(weight) - 1; level >= 0; level -= 1) {
    const newest = await memory.threads.checkpoints({ thread_id, kind: rungKind(level), limit: NEWEST_RUNGS });
    pushAll(
      rungs,
      newest.filter(({ cut_rule_id }) => blockOfRule(cut_rule_id)?.level === level),
    );
  }
  const byRule = Map.groupBy(rungs, ({ cut_rule_id }) => cut_rule_id);
  const needed = neededBlocks(weight).map((block) => ({ block, named: byRule.get(rungRule(block)) ?? [] }));
  const isThere = await Promise.all(needed.map(({ named }) => isAnyReadable(memory, named)));
  const lacking = needed.filter((_, at) => isThere[at] === false);
  const end = lacking.length === 0 ? undefined : await lastMessage(memory, head);
  if (end === undefined) return [];
  const lines = new BlockLines(memory, { thread_id, end, onPage: async () => {} });
  const spans = await lines.spans(lacking.map(({ block }) => block));
  return lacking.flatMap((rung, at) => {
    const span = spans[at];
    return span === undefined ? [] : [{ ...rung, span }];
  });
}

async function isAnyReadable(memory: ThreadMemory, checkpoints: readonly StoredCheckpoint[]): Promise<boolean> {
  for (const { artifact_id } of checkpoints) if ((await readSummary(memory, artifact_id)) !== undefined) return true;
  return false;
}

/**
 * Makes the rungs of a job from the details in its frame: old before new, and coarse before fine if they begin together, so that messages are read
 * once, from first to last.
 */
export async function makeRungs(memory: ThreadMemory, job: Job): Promise<Made> {
  const { thread_id } = job;
  const { weight } = runnable(memory, job, ladderDetails);
  const head = await threadHead(memory, thread_id);
  const end = await lastMessage(memory, head);
  if (end === undefined) return { frames: [], created: [] };
  const missing = await missingRungs(memory, head, Math.min(weight, head.weight));
  const lines = new BlockLines(memory, { thread_id, end, onPage: pulseOf(memory, job) });
  lines.keep(missing.map(({ block }) => block));
  const ordered = missing.toSorted(
    (a, b) => a.span.from.ordinal - b.span.from.ordinal || b.block.level - a.block.level,
  );
  let failure: unknown;
  try {
    for (const [done, { block }] of ordered.entries()) {
      job.call.progress?.({ phase: "rung", done, total: ordered.length });
      await lines.ofBlock(block);
    }
  } catch (error) {
    failure = error;
  }
  return { ...(await storeRungs(memory, job, { lines, missing })), failure };
}

/** Stores all finished rungs in one go, then creates the frames that name them. Also called after a failure. */
async function storeRungs(
  memory: ThreadMemory,
  { thread_id, by }: Job,
  { lines, missing }: { readonly lines: BlockLines; readonly missing: readonly MissingRung[] },
): Promise<Made> {
  const summarizer = summarizerOf(memory).id;
  const rungs = missing.flatMap((rung) => {
    const made = lines.kept(rung.block);
    if (made === undefined) return [];
    return [{ ...rung, bytes: printSummary(rungSummary({ ...rung, thread_id, lines: made, summarizer })) }];
  });
  const ids = await memory.artifacts.putAll(rungs.map(({ bytes }) => bytes));
  const frames: FrameDraft[] = [];
  const created: Created[] = [];
  for (const [at, { block, span, named }] of rungs.entries()) {
    const summary_artifact_id = ids[at] as string;
    const cut_rule_id = rungRule(block);
    const { seq: to_seq, id: to_message_id } = span.to;
    // If only the artifact was lost, the rung already has a frame.
    let id = named.find(({ artifact_id }) => artifact_id === summary_artifact_id)?.checkpoint_id;
    if (id === undefined) {
      const range = { from_seq: span.from.seq, from_message_id: span.from.id, to_seq, to_message_id };
      const summary = { summary_kind: rungKind(block.level), summary_artifact_id };
      const frame = checkpointDraft(memory, { cut_rule_id, ...summary, ...range }, by);
      frames.push(frame);
      id = frame.id;
    }
    created.push({ checkpoint_id: id, summary_artifact_id, to_seq, to_message_id, cut_rule_id });
  }
  return { frames, created };
}
