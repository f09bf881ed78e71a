import { type Fault, judgeFrame, faultOf } from "../plan/judge-frame.ts";
import { SUMMARIZER_JOB } from "../model/job-frames.ts";
import type { VerifyThreadsResult } from "../run/results.ts";
import { MemoryError } from "../../base/errors.ts";
import { type StoredFrame, type ThreadHead, INDEXED_TYPES, threadNotFound } from "../store/thread-store.ts";
import { Thread } from "../plan/thread-state.ts";
import { isFrame, parseFrame, type Frame, MESSAGE, recordOf } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";

export type ThreadFinding = VerifyThreadsResult["findings"][number];

/** Per severity, since a broken thread can have as many findings as frames. Warnings never hide an error. */
const MOST = 1000;
const SEVERITIES = ["error", "warning", "info"] as const;

export class Findings {
  readonly #threadId: string;
  readonly #found: ThreadFinding[] = [];
  readonly #counts = { error: 0, warning: 0, info: 0 };

  constructor(threadId: string) {
    this.#threadId = threadId;
  }

  add(seq: number | null, { code, severity, message }: Fault): void {
    this.#counts[severity] += 1;
    if (this.#counts[severity] <= MOST) this.#found.push({ thread_id: this.#threadId, seq, code, severity, message });
  }

  list(): readonly ThreadFinding[] {
    const more = SEVERITIES.filter((severity) => this.#counts[severity] > MOST).map((severity) => ({
      thread_id: this.#threadId,
      seq: null,
      code: "more_findings",
      severity,
      message: `${this.#counts[severity] - MOST} more findings of this severity are not shown.`,
    }));
    return [...this.#found, ...more];
  }
}

const AT_ONCE = 1000;
const PAGE_BYTES = 8 * 1024 * 1024;

/** Replays a thread from its frames: reads each once, judges it and adds it. */
export class Replay {
  readonly thread = new Thread();
  frames = 0;
  /** Whether every frame could be read. If not, nothing that depends on all frames can be compared. */
  isWhole = true;
  /** The seqs of the frames of `INDEXED_TYPES`. */
  readonly indexed: number[] = [];
  /** The frames that name a bundle; the selection frame right before each, by the bundle frame's seq; and the handoffs. */
  readonly compiled: Frame[] = [];
  readonly selections = new Map<number, Frame>();
  readonly handoffs: Frame[] = [];
  /** By checkpoint id: the summarizer named by its job, or null if the job names none. No entry for a checkpoint without a job. */
  readonly makers = new Map<string, string | null>();
  readonly memory: ThreadMemory;
  readonly threadId: string;
  readonly findings: Findings;

  readonly #call: Call;
  #nextSeq = 0;
  /** How far the store's ordinals are ahead of ours; reported once, then assumed. */
  #ahead = 0;
  /** The summarizers of all jobs, by job id. */
  readonly #jobs = new Map<string, string | null>();
  /** The seq of the decision that names each job. */
  readonly #scheduled = new Map<string, number>();

  constructor(memory: ThreadMemory, threadId: string, call: Call) {
    this.memory = memory;
    this.threadId = threadId;
    this.findings = new Findings(threadId);
    this.#call = call;
  }

  /** Reads frames appended since the last call, and returns the head up to which it read. Errors: `thread_not_found`, `aborted`, and store errors. */
  async catchUp(): Promise<ThreadHead> {
    const thread_id = this.threadId;
    const head = await this.memory.threads.head(thread_id);
    if (head === undefined) throw threadNotFound(thread_id);
    // If a page cannot be read, smaller ones are tried, down to the single damaged frame.
    for (let [at, limit] = [this.#nextSeq, AT_ONCE]; at <= head.head_seq;) {
      this.refuseAborted();
      const range = { from_seq: at, to_seq: limit === 1 ? at : head.head_seq, limit };
      const page = await this.memory.threads.frames({ thread_id, ...range, most_bytes: PAGE_BYTES }).catch(ifDamaged);
      if (page instanceof MemoryError) {
        limit = Math.ceil(limit / 4);
        if (range.limit > 1) continue;
        this.#skipTo(at);
        this.findings.add(at, faultOf(page.code, page.message));
        this.isWhole = false;
        this.#nextSeq = at += 1;
        continue;
      }
      for (const stored of page) {
        this.#skipTo(stored.seq);
        this.#takeFrame(stored);
        this.#nextSeq = stored.seq + 1;
      }
      at = (page.at(-1)?.seq ?? range.to_seq) + 1;
      limit = Math.min(2 * limit, AT_ONCE);
    }
    this.#skipTo(head.head_seq + 1);
    return head;
  }

  /** Call after the last frame: reports decisions whose job was never spawned. */
  judgeSchedules(): void {
    if (!this.isWhole) return;
    for (const [job, seq] of this.#scheduled)
      if (!this.#jobs.has(job))
        this.findings.add(seq, faultOf("plan_mismatch", `Job ${job} was scheduled but never spawned.`));
  }

  refuseAborted(): void {
    if (this.#call.signal?.aborted === true) throw new MemoryError("aborted", "The check was stopped.");
  }

  /** Reports missing seqs before this one. */
  #skipTo(seq: number): void {
    const missing = this.#nextSeq;
    if (missing >= seq) return;
    const seqs = missing === seq - 1 ? `seq ${missing}` : `the seqs ${missing} to ${seq - 1}`;
    this.findings.add(missing, faultOf("seq_gap", `No frame has ${seqs}.`));
    this.isWhole = false;
    this.#nextSeq = seq;
  }

  #takeFrame(stored: StoredFrame): void {
    this.frames += 1;
    const frame = parseFrame(stored.line);
    if (!isFrame(frame) || frame.thread_id !== this.threadId || frame.seq !== stored.seq) {
      const fault = isFrame(frame)
        ? `The line says thread ${frame.thread_id}, seq ${frame.seq}; it is stored as seq ${stored.seq}.`
        : `The line is not a frame: ${frame.reason}.`;
      this.isWhole = false;
      this.findings.add(stored.seq, faultOf("invalid_frame", fault));
      return;
    }
    const faults = this.isWhole ? judgeFrame(this.thread, frame) : [];
    const job = this.thread.open_jobs.find(({ kind }) => kind === SUMMARIZER_JOB);
    this.thread.add(frame);
    if (this.isWhole) this.#compareColumns(stored, frame);
    if (frame.type === MESSAGE) return;
    for (const fault of faults) this.findings.add(frame.seq, fault);
    this.#note(frame, job?.job_id);
  }

  #compareColumns(stored: StoredFrame, frame: Frame): void {
    const mismatch = (message: string): void => this.findings.add(frame.seq, faultOf("index_mismatch", message));
    const { count } = this.thread.places;
    if (stored.type !== frame.type) mismatch(`The store records the type ${frame.type} as ${stored.type}.`);
    if (stored.ordinal === count + this.#ahead) return;
    this.#ahead = stored.ordinal - count;
    mismatch(`The store counts ${stored.ordinal} messages up to here; there are ${count}.`);
  }

  /** Records what can only be compared once all frames are known. `job`: the open summarizer job. */
  #note(frame: Frame, job: string | undefined): void {
    const { type, fields, seq } = frame;
    if ((INDEXED_TYPES as readonly string[]).includes(type)) this.indexed.push(seq);
    if (type === "continuity_context_compiled") this.compiled.push(frame);
    if (type === "continuity_context_selection_decided") this.selections.set(seq + 1, frame);
    if (type === "continuity_handoff_created") this.handoffs.push(frame);
    if (type === "continuity_job_spawned") {
      const { summarizer } = recordOf(fields["details"]);
      this.#jobs.set(String(fields["job_id"]), typeof summarizer === "string" ? summarizer : null);
    }
    if (type === "continuity_compaction_auto_schedule_decided" && fields["decision"] === "scheduled")
      this.#scheduled.set(String(fields["job_id"]), seq);
    if (type === "continuity_compaction_checkpoint_created" && job !== undefined)
      this.makers.set(String(fields["checkpoint_id"]), this.#jobs.get(job) ?? null);
  }
}

function ifDamaged(error: unknown): MemoryError {
  if (error instanceof MemoryError && error.code === "damaged_store") return error;
  throw error;
}
