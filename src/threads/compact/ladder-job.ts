import { MemoryError } from "../../base/errors.ts";
import { checkpointFrame, LADDER_JOB, spawnedLadder } from "../model/job-frames.ts";
import type { Actor, Created, LadderDetails } from "../model/job-frames.ts";
import { blockOfRule, levelsOf, neededBlocks, rungKind, rungRule, type Block } from "../plan/ladder.ts";
import { rungSummary, type Span, printSummary } from "../model/summary.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { StoredCheckpoint, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { BlockLines } from "../run/block-lines.ts";
import { readSummary } from "../run/read-summary.ts";
import { decide, finishJob, leaseOf, pulseOf, type Ended, type Job, type Made } from "./jobs.ts";
import { stamp } from "../run/threads.ts";
import { lastMessage } from "./cut-points.ts";
import type * as R from "../run/results.ts";
import { summarizerOf } from "../run/cumulative-lines.ts";
import { pushAll } from "../../base/lists.ts";

/**
 * Makes the rungs that a compile at the head needs and that are missing, as one job. `null` when none is missing, or another runner is at it. Throws
 * before the job is spawned, and when the call is stopped; every other failure is in the result.
 */
export async function buildLadder(
  memory: ThreadMemory,
  thread: Actor & { readonly thread_id: string },
  call: Call = {},
): Promise<R.LadderResult | null> {
  const { thread_id, actor_id, origin } = thread;
  const by = { actor_id, origin };
  const spawned = await decide(memory, { thread_id, by, call }, async ({ head, inflight }) => {
    const isBuilt = inflight.some(({ kind, lease }) => kind === LADDER_JOB && lease === "held");
    if (isBuilt || !(await isRungMissing(memory, head))) return { answer: undefined, frames: [] };
    const job = { thread_id, job_id: memory.ids.next(), job_kind: LADDER_JOB, runner: memory.ids.next(), by, call };
    const details = { weight: head.weight, summarizer: summarizerOf(memory).id };
    const frame = spawnedLadder(stamp(memory), job.job_id, { ...details, by });
    return { answer: { job, details }, frames: [frame], leases: [leaseOf(job)] };
  });
  if (spawned === undefined) return null;
  const { status, created, error } = await runLadderJob(memory, spawned.job, spawned.details);
  return { job_id: spawned.job.job_id, status, created: created.length, error };
}

/** Whether a compile at the head of a thread lacks a rung. */
export async function isRungMissing(memory: ThreadMemory, head: ThreadHead): Promise<boolean> {
  return (await missingRungs(memory, head, head.weight)).length > 0;
}

/** Runs a ladder job from what its frame records, and ends it. Throws only what stopped the call. */
export async function runLadderJob(memory: ThreadMemory, job: Job, details: LadderDetails | undefined): Promise<Ended> {
  memory.onWork?.();
  return finishJob(memory, job, await makeRungs(memory, job, details));
}

interface MissingRung {
  readonly block: Block;
  readonly span: Span;
  /** Its checkpoints, whose artifacts cannot be read: a log may come without them. */
  readonly named: readonly StoredCheckpoint[];
}

/** The needed blocks with messages that have no checkpoint whose artifact can be read, coarse before fine, old before new. */
async function missingRungs(
  memory: ThreadMemory,
  head: Pick<ThreadHead, "thread_id" | "message_count">,
  weight: number,
): Promise<readonly MissingRung[]> {
  const named: StoredCheckpoint[] = [];
  for (let level = levelsOf(weight) - 1; level >= 0; level -= 1)
    pushAll(named, await rungsThere(memory, head.thread_id, level));
  const byRule = Map.groupBy(named, ({ cut_rule_id }) => cut_rule_id);
  const needed = neededBlocks(weight).map((block) => ({ block, named: byRule.get(rungRule(block)) ?? [] }));
  const isThere = await Promise.all(needed.map((rung) => isAnyReadable(memory, rung.named)));
  const lacking = needed.filter((_, at) => isThere[at] === false);
  const end = lacking.length === 0 ? undefined : await lastMessage(memory, head);
  if (end === undefined) return [];
  const spans = await blockLines(memory, { thread_id: head.thread_id, end }).spans(lacking.map(({ block }) => block));
  return lacking.flatMap((rung, at) => {
    const span = spans[at];
    return span === undefined ? [] : [{ ...rung, span }];
  });
}

/** The newest rungs of a level: all that a compile at the head needs are among them. */
async function rungsThere(
  memory: ThreadMemory,
  thread_id: string,
  level: number,
): Promise<readonly StoredCheckpoint[]> {
  const newest = await memory.threads.checkpoints({ thread_id, kind: rungKind(level), limit: NEWEST_RUNGS });
  return newest.filter(({ cut_rule_id }) => blockOfRule(cut_rule_id)?.level === level);
}

async function isAnyReadable(memory: ThreadMemory, checkpoints: readonly StoredCheckpoint[]): Promise<boolean> {
  for (const { artifact_id } of checkpoints) if ((await readSummary(memory, artifact_id)) !== undefined) return true;
  return false;
}

/** At most 16 blocks of a level are needed; some may have been made twice. */
const NEWEST_RUNGS = 40;

function blockLines(
  memory: ThreadMemory,
  source: Pick<ConstructorParameters<typeof BlockLines>[1], "thread_id" | "end"> & {
    readonly onPage?: () => Promise<void>;
  },
): BlockLines {
  return new BlockLines(memory, { onPage: async () => {}, ...source, summarizer: summarizerOf(memory) });
}

async function makeRungs(memory: ThreadMemory, job: Job, details: LadderDetails | undefined): Promise<Made> {
  const { thread_id } = job;
  let lines: BlockLines | undefined;
  let missing: readonly MissingRung[] = [];
  let failure: unknown;
  try {
    const head = await memory.threads.head(thread_id);
    const end = head === undefined ? undefined : await lastMessage(memory, head);
    refuseOthersDetails(memory, job, details);
    if (head === undefined || end === undefined || details === undefined) return { frames: [], created: [] };
    missing = await missingRungs(memory, head, Math.min(details.weight, head.weight));
    lines = blockLines(memory, { thread_id, end, onPage: pulseOf(memory, job) });
    lines.keep(missing.map(({ block }) => block));
    for (const [done, { block }] of inPasses(missing).entries()) {
      job.call.progress?.({ phase: "rung", done, total: missing.length });
      await lines.ofBlock(block);
    }
  } catch (error) {
    failure = error;
  }
  return storeRungs(memory, job, { lines, missing, failure });
}

/** Old before new, and of those that begin together coarse before fine: so the messages are read once, from first to last. */
function inPasses(missing: readonly MissingRung[]): readonly MissingRung[] {
  return missing.toSorted((a, b) => a.span.from.ordinal - b.span.from.ordinal || b.block.level - a.block.level);
}

/** Stores the rungs whose lines were made, all at once, and then names them. */
async function storeRungs(
  memory: ThreadMemory,
  { thread_id, by }: Job,
  made: {
    readonly lines: BlockLines | undefined;
    readonly missing: readonly MissingRung[];
    readonly failure: unknown;
  },
): Promise<Made> {
  const summarizer = summarizerOf(memory).id;
  const failure = made.failure === undefined ? {} : { failure: made.failure };
  const rungs = made.missing.flatMap((rung) => {
    const lines = made.lines?.kept(rung.block);
    return lines === undefined
      ? []
      : [{ ...rung, bytes: printSummary(rungSummary({ ...rung, thread_id, lines, summarizer })) }];
  });
  try {
    const ids = await memory.artifacts.putAll(rungs.map(({ bytes }) => bytes));
    const all = rungs.map((rung, at) => namedRung(memory, { ...rung, by, summary_artifact_id: ids[at] as string }));
    return { frames: all.flatMap(({ frames }) => frames), created: all.map(({ created }) => created), ...failure };
  } catch (error) {
    return { frames: [], created: [], failure: made.failure ?? error };
  }
}

/** A rung whose artifact had been lost has its frame already. */
function namedRung(
  memory: ThreadMemory,
  rung: MissingRung & { readonly by: Actor; readonly summary_artifact_id: string },
): { readonly frames: readonly FrameDraft[]; readonly created: Created } {
  const { block, span, by, summary_artifact_id } = rung;
  const cut_rule_id = rungRule(block);
  const { seq: to_seq, id: to_message_id } = span.to;
  const created = { summary_artifact_id, to_seq, to_message_id, cut_rule_id };
  const again = rung.named.find(({ artifact_id }) => artifact_id === summary_artifact_id);
  if (again !== undefined) return { frames: [], created: { checkpoint_id: again.checkpoint_id, ...created } };
  const frame = checkpointFrame(stamp(memory), {
    cut_rule_id,
    summary_kind: rungKind(block.level),
    summary_artifact_id,
    from_seq: span.from.seq,
    from_message_id: span.from.id,
    to_seq: span.to.seq,
    to_message_id: span.to.id,
    by,
  });
  return { frames: [frame], created: { checkpoint_id: frame.id, ...created } };
}

function refuseOthersDetails(memory: ThreadMemory, { job_id }: Job, details: LadderDetails | undefined): void {
  const { id } = summarizerOf(memory);
  if (details?.summarizer === id) return;
  throw new MemoryError(
    "invalid_frame",
    `The details of job ${job_id} are not for this ladder and the summarizer ${id}: the next schedule builds what is missing.`,
  );
}
