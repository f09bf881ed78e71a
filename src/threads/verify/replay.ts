import { type Fault, addedCheckpoint, judgeFrame, faultOf } from "../plan/judge-frame.ts";
import { SUMMARIZER_JOB } from "../model/job-frames.ts";
import type { VerifyThreadsResult } from "../run/results.ts";
import { MemoryError } from "../../base/errors.ts";
import { type StoredFrame, type ThreadHead, INDEXED_TYPES } from "../store/thread-store.ts";
import { emptyThread, foldFrame, type Thread } from "../plan/thread-state.ts";
import { isFrame, parseFrame, type Frame, MESSAGE } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { pushAll } from "../../base/lists.ts";

export type ThreadFinding = VerifyThreadsResult["findings"][number];

/** What was found in one thread, each thing once. */
export interface Findings {
  add(seq: number | null, fault: Fault): void;
  list(): readonly ThreadFinding[];
}

/** Of each severity: a broken thread can have as many as it has frames. Warnings never hide an error. */
const MOST = 1000;

export function collectFindings(threadId: string): Findings {
  const found: ThreadFinding[] = [];
  const counts = { error: 0, warning: 0, info: 0 };
  return {
    add: (seq, { code, severity, message }) => {
      counts[severity] += 1;
      if (counts[severity] <= MOST) found.push({ thread_id: threadId, seq, code, severity, message });
    },
    list: () => [...found, ...SEVERITIES.flatMap((severity) => moreOf(threadId, severity, counts[severity] - MOST))],
  };
}

const SEVERITIES = ["error", "warning", "info"] as const;

function moreOf(threadId: string, severity: Fault["severity"], left: number): readonly ThreadFinding[] {
  if (left <= 0) return [];
  const message = `${left} more findings of this severity are not shown.`;
  return [{ thread_id: threadId, seq: null, code: "more_findings", severity, message }];
}

/** A thread replayed from its frames, with what is compared afterwards. */
export interface Replay {
  readonly thread: Thread;
  readonly frames: number;
  /** The seqs of the frames of `INDEXED_TYPES`. */
  readonly indexed: readonly number[];
  /** The frames that name a bundle, a summary of a handoff, or a job scheduled. */
  readonly compiled: readonly Frame[];
  /** The selections right before those, by the seq of the latter. */
  readonly selections: ReadonlyMap<number, Frame>;
  readonly handoffs: readonly Frame[];
  /** By the id of a checkpoint: the summarizer that its job names; null when the job names none. Not there without a job. */
  readonly makers: ReadonlyMap<string, string | null>;
  /** Whether every frame could be read: else nothing that counts on all of them can be compared. */
  readonly isWhole: boolean;
  /** Reads what was appended since; the head that it came up to. */
  catchUp(): Promise<ThreadHead>;
}

interface ReplayRequest {
  readonly memory: ThreadMemory;
  readonly threadId: string;
  readonly findings: Findings;
  readonly call: Call;
}

const AT_ONCE = 1000;
const PAGE_BYTES = 8 * 1024 * 1024;

interface State {
  thread: Thread;
  frames: number;
  /** Seqs that were asked for. */
  read: number;
  /** How far the store's ordinals are ahead of ours: reported once, then assumed. */
  ahead: number;
  readonly indexed: number[];
  readonly compiled: Frame[];
  readonly selections: Map<number, Frame>;
  readonly handoffs: Frame[];
  readonly makers: Map<string, string | null>;
  /** The summarizers of all jobs, by job id. */
  readonly jobs: Map<string, string | null>;
  /** Jobs that a decision names, and its seq. */
  readonly scheduled: Map<string, number>;
  readonly damaged: Set<number>;
  isWhole: boolean;
}

/** Reads all frames once, folds them and judges each. Errors: `thread_not_found`, `aborted`, and those of the store. */
export async function replayThread(request: ReplayRequest): Promise<Replay> {
  const state = emptyState();
  const replay: Replay = Object.assign(state, { catchUp: () => catchUp(state, request) });
  await replay.catchUp();
  for (const [job, seq] of state.scheduled) {
    if (state.isWhole && !state.jobs.has(job))
      request.findings.add(seq, faultOf("plan_mismatch", `The job ${job} was scheduled and never spawned.`));
  }
  return replay;
}

async function catchUp(state: State, request: ReplayRequest): Promise<ThreadHead> {
  const { memory, threadId } = request;
  const head = await memory.threads.head(threadId);
  if (head === undefined) {
    const sentence = `There is no thread ${threadId} here; \`heartwood thread list\` shows those that there are.`;
    throw new MemoryError("thread_not_found", sentence, { thread_id: threadId });
  }
  while (state.read <= head.head_seq) {
    refuseAborted(request.call);
    const [from, last] = [state.read, Math.min(state.read + AT_ONCE - 1, head.head_seq)];
    const { stored, to } = await readPage(state, request, { from, to: last });
    takeFrames(state, { ...request, stored, from, to });
    state.read = to + 1;
  }
  return head;
}

/** The frames of a page, and how far it goes; of one that cannot be read whole, those that can be read by themselves. */
async function readPage(
  state: State,
  { memory, threadId, findings }: ReplayRequest,
  { from, to }: { readonly from: number; readonly to: number },
): Promise<{ readonly stored: readonly StoredFrame[]; readonly to: number }> {
  const range = { thread_id: threadId, limit: AT_ONCE, most_bytes: PAGE_BYTES };
  const read = (first: number, last: number): Promise<readonly StoredFrame[]> =>
    memory.threads.frames({ ...range, from_seq: first, to_seq: last });
  try {
    const stored = await read(from, to);
    // What is missing after them is found when the next page is read.
    return { stored, to: stored.at(-1)?.seq ?? to };
  } catch (error) {
    if (!isDamaged(error)) throw error;
  }
  const frames: StoredFrame[] = [];
  for (let seq = from, left = PAGE_BYTES; seq <= to; seq += 1) {
    if (left < 0) return { stored: frames, to: seq - 1 };
    try {
      const found = await read(seq, seq);
      pushAll(frames, found);
      left -= found[0]?.line.length ?? 0;
    } catch (error) {
      if (!isDamaged(error)) throw error;
      findings.add(seq, faultOf(error.code, error.message));
      state.damaged.add(seq);
    }
  }
  return { stored: frames, to };
}

function isDamaged(error: unknown): error is MemoryError {
  return error instanceof MemoryError && error.code === "damaged_store";
}

export function refuseAborted({ signal }: Call): void {
  if (signal?.aborted === true) throw new MemoryError("aborted", "The check was stopped.");
}

function emptyState(): State {
  return {
    thread: emptyThread,
    frames: 0,
    read: 0,
    ahead: 0,
    indexed: [],
    compiled: [],
    selections: new Map(),
    handoffs: [],
    makers: new Map(),
    jobs: new Map(),
    scheduled: new Map(),
    damaged: new Set(),
    isWhole: true,
  };
}

interface Page extends ReplayRequest {
  readonly stored: readonly StoredFrame[];
  readonly from: number;
  readonly to: number;
}

function takeFrames(state: State, page: Page): void {
  const there = new Map(page.stored.map((frame) => [frame.seq, frame]));
  let missing: number | undefined;
  for (let seq = page.from; seq <= page.to + 1; seq += 1) {
    const stored = there.get(seq);
    const isMissing = stored === undefined && seq <= page.to && !state.damaged.has(seq);
    if (isMissing) missing ??= seq;
    else if (missing !== undefined) {
      page.findings.add(missing, gap(missing, seq - 1));
      missing = undefined;
    }
    if (stored === undefined && seq <= page.to) state.isWhole = false;
    if (stored !== undefined) takeFrame(state, page, stored);
  }
}

function gap(from: number, to: number): Fault {
  return faultOf("seq_gap", `No frame has ${from === to ? `seq ${from}` : `the seqs ${from} to ${to}`}.`);
}

function takeFrame(state: State, { findings, threadId }: Page, stored: StoredFrame): void {
  state.frames += 1;
  const frame = parseFrame(stored.line);
  const fault = lineFault(frame, { threadId, seq: stored.seq });
  if (fault !== undefined || !isFrame(frame)) {
    state.isWhole = false;
    findings.add(stored.seq, faultOf("invalid_frame", fault ?? ""));
    return;
  }
  const before = state.thread;
  const after = foldFrame(before, frame);
  state.thread = after;
  if (state.isWhole) compareColumns(state, findings, { stored, frame });
  if (frame.type === MESSAGE) return;
  if (state.isWhole) for (const found of judgeFrame({ before, frame, after })) findings.add(frame.seq, found);
  note(state, { before, frame });
}

function lineFault(
  frame: ReturnType<typeof parseFrame>,
  place: { readonly threadId: string; readonly seq: number },
): string | undefined {
  if (!isFrame(frame)) return `The line is no frame: ${frame.reason}.`;
  if (frame.thread_id === place.threadId && frame.seq === place.seq) return undefined;
  return `The line says thread ${frame.thread_id}, seq ${frame.seq}; it is kept as seq ${place.seq}.`;
}

function compareColumns(
  state: State,
  findings: Findings,
  { stored, frame }: { readonly stored: StoredFrame; readonly frame: Frame },
): void {
  const { count } = state.thread.places;
  if (stored.type !== frame.type)
    findings.add(frame.seq, faultOf("index_mismatch", `The store keeps ${frame.type} as ${stored.type}.`));
  if (stored.ordinal === count + state.ahead) return;
  state.ahead = stored.ordinal - count;
  findings.add(
    frame.seq,
    faultOf("index_mismatch", `The store counts ${stored.ordinal} messages up to here; there are ${count}.`),
  );
}

/** Keeps what is compared when all frames are known. */
function note(state: State, { before, frame }: { readonly before: Thread; readonly frame: Frame }): void {
  const { type, fields, seq } = frame;
  if ((INDEXED_TYPES as readonly string[]).includes(type)) state.indexed.push(seq);
  if (type === "continuity_context_compiled") state.compiled.push(frame);
  if (type === "continuity_context_selection_decided") state.selections.set(seq + 1, frame);
  if (type === "continuity_handoff_created") state.handoffs.push(frame);
  if (type === "continuity_job_spawned") state.jobs.set(String(fields["job_id"]), summarizerOf(fields["details"]));
  if (type === "continuity_compaction_auto_schedule_decided" && fields["decision"] === "scheduled")
    state.scheduled.set(String(fields["job_id"]), seq);
  if (type !== "continuity_compaction_checkpoint_created") return;
  const checkpoint = addedCheckpoint({ before, frame, after: state.thread });
  const job = before.open_jobs.find(({ kind }) => kind === SUMMARIZER_JOB);
  if (checkpoint !== undefined && job !== undefined)
    state.makers.set(checkpoint.checkpoint_id, state.jobs.get(job.job_id) ?? null);
}

function summarizerOf(details: unknown): string | null {
  if (typeof details !== "object" || details === null) return null;
  const summarizer = (details as Readonly<Record<string, unknown>>)["summarizer"];
  return typeof summarizer === "string" ? summarizer : null;
}
