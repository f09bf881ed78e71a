import type { Clock } from "../../../platform/clock.ts";
import type { ClaimRequest, Lease, OpenJob } from "../thread-store.ts";
import { MemoryError } from "../../../base/errors.ts";
import { type Frame, frameOf } from "../../model/frame.ts";
import { atOf, columnOf, textOf } from "./rows.ts";
import type { Session } from "./connection.ts";

const SPAWNED = "continuity_job_spawned";
const ENDED = "continuity_job_ended";

/** What a frame says about jobs. A job that is spawned twice is the first one; one that ends without having begun is none. */
export function applyJob(session: Session, thread: number, frame: Frame): void {
  if (frame.type !== SPAWNED && frame.type !== ENDED) return;
  const { job_id, job_kind } = frame.fields;
  const id = columnOf(job_id as string);
  if (frame.type === ENDED) session.statement("DELETE FROM job WHERE thread = ? AND job_id = ?").run(thread, id);
  else
    session
      .statement("INSERT INTO job (thread, job_id, kind, seq) VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING")
      .run(thread, id, columnOf(job_kind as string), frame.seq);
}

/** The same for all frames of a thread after a seq, a thousand at a time. */
export function replayJobs(session: Session, thread: number, after: number): void {
  const last = atOf(thread + 1, 0) - 1;
  let from = atOf(thread, after + 1);
  while (from <= last) {
    // The order of the two types together is that of `at`.
    const frames = session.statement(JOB_FRAMES).all(SPAWNED, from, last, ENDED, from, last) as readonly JobFrame[];
    for (const stored of frames) {
      const frame = frameOf(stored);
      if (frame !== undefined) applyJob(session, thread, frame);
    }
    from = (frames.at(-1)?.at ?? last) + 1;
  }
}

interface JobFrame {
  readonly at: number;
  readonly line: string;
}

const OF_TYPE = "SELECT at FROM indexed WHERE type = ? AND at BETWEEN ? AND ?";
const JOB_FRAMES = `
SELECT at, frame.line FROM (${OF_TYPE} UNION ALL ${OF_TYPE} ORDER BY at LIMIT 1000) AS found CROSS JOIN frame USING (at) ORDER BY at`;

export function openJobs(
  session: Session,
  query: { readonly thread_id?: string; readonly kind?: string; readonly now: number },
): readonly OpenJob[] {
  const conditions = ["1"];
  const values: string[] = [];
  if (query.thread_id !== undefined) {
    conditions.push("job.thread = (SELECT number FROM thread WHERE thread_id = ?)");
    values.push(query.thread_id);
  }
  if (query.kind !== undefined) {
    conditions.push("job.kind = ?");
    values.push(columnOf(query.kind));
  }
  const rows = session
    .statement(
      `SELECT thread_id, job_id, kind, seq, lease_until FROM job JOIN thread ON thread.number = job.thread
       WHERE ${conditions.join(" AND ")} ORDER BY job.thread, seq`,
    )
    .all(...values) as readonly JobRow[];
  return rows.map(({ thread_id, job_id, kind, seq, lease_until }) => ({
    thread_id,
    job_id: textOf(job_id),
    kind: textOf(kind),
    seq,
    lease: lease_until === null ? "none" : lease_until > query.now ? "held" : "over",
  }));
}

interface JobRow extends Omit<OpenJob, "lease"> {
  readonly lease_until: number | null;
}

/** The job must be open and leased by this runner. Errors: `lease_lost`. */
export function requireLease(
  session: Session,
  thread: number,
  held: { readonly job_id: string; readonly runner: string },
): void {
  const row = session
    .statement("SELECT 1 FROM job WHERE thread = ? AND job_id = ? AND runner = ?")
    .get(thread, columnOf(held.job_id), columnOf(held.runner));
  if (row !== undefined) return;
  const sentence = `Job ${held.job_id} is no longer run by ${held.runner}: it was ended or taken over. Nothing was appended.`;
  throw new MemoryError("lease_lost", sentence, { job_id: held.job_id });
}

/** Leases of jobs that the frames before spawned. */
export function beginLeases(
  session: Session,
  leases: readonly Lease[],
  place: { readonly thread: number; readonly after: number; readonly now: number },
): void {
  for (const { job_id, runner, lease_ms } of leases) {
    const { changes } = session
      .statement("UPDATE job SET runner = ?, lease_until = ? WHERE thread = ? AND job_id = ? AND seq > ?")
      .run(columnOf(runner), place.now + lease_ms, place.thread, columnOf(job_id), place.after);
    if (changes === 0)
      throw new MemoryError("internal", `No frame of this call spawned the job ${job_id}, so it has no lease.`);
  }
}

export function claimJob(session: Session, request: ClaimRequest, clock: Pick<Clock, "now">): boolean {
  const [condition, values] =
    request.action === "take" ? ["runner IS NULL", []] : ["runner = ?", [columnOf(request.runner)]];
  // Foreign logs may use a job id in two threads.
  const found = session
    .statement(`SELECT thread FROM job WHERE job_id = ? AND ${condition} ORDER BY thread LIMIT 1`)
    .get(columnOf(request.job_id), ...values) as { readonly thread: number } | undefined;
  if (found === undefined) return false;
  session
    .statement("UPDATE job SET runner = ?, lease_until = ? WHERE thread = ? AND job_id = ?")
    .run(columnOf(request.runner), clock.now() + request.lease_ms, found.thread, columnOf(request.job_id));
  return true;
}
