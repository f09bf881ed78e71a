import type { Clock } from "../../../platform/clock.ts";
import type { ClaimRequest, Lease, OpenJob } from "../thread-store.ts";
import { type Frame, frameOf } from "../../model/frame.ts";
import { jobNotSpawned, leaseLost } from "../checked-draft.ts";
import { columnOf, textOf } from "../column-text.ts";
import { findThread, MOST_THREADS } from "./rows.ts";
import { ofTypes } from "./read-frames.ts";
import type { Session } from "./connection.ts";

const SPAWNED = "continuity_job_spawned";
const ENDED = "continuity_job_ended";

/** Records what a frame says about jobs. If a job is spawned twice, the first spawn is used; the end of a job that is not open is ignored. */
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

/** Applies all frames in a thread in a range of seqs, a thousand at a time. */
export function replayJobs(session: Session, thread: number, range: { readonly from: number; readonly to: number }) {
  let { from } = range;
  while (from <= range.to) {
    const frames = ofTypes(session, { thread, from, to: range.to, order: "ASC", limit: 1000 }, [SPAWNED, ENDED]);
    for (const stored of frames) {
      const frame = frameOf(stored);
      if (frame !== undefined) applyJob(session, thread, frame);
    }
    from = (frames.at(-1)?.seq ?? range.to) + 1;
  }
}

export function openJobs(
  session: Session,
  query: { readonly thread_id?: string; readonly kind?: string; readonly now: number },
): readonly OpenJob[] {
  const number = query.thread_id === undefined ? undefined : (findThread(session, query.thread_id)?.number ?? 0);
  const rows = session
    .statement(OPEN_JOBS)
    .all(
      number ?? 0,
      number ?? MOST_THREADS,
      query.kind === undefined ? null : columnOf(query.kind),
    ) as readonly JobRow[];
  return rows.map(({ thread_id, job_id, kind, seq, lease_until }) => ({
    thread_id,
    job_id: textOf(job_id),
    kind: textOf(kind),
    seq,
    lease: lease_until === null ? "none" : lease_until > query.now ? "held" : "over",
  }));
}

const OPEN_JOBS = `
SELECT thread_id, job_id, kind, seq, lease_until FROM job JOIN thread ON thread.number = job.thread
WHERE job.thread BETWEEN ? AND ? AND kind = coalesce(?, kind) ORDER BY job.thread, seq`;

interface JobRow extends Omit<OpenJob, "lease"> {
  readonly lease_until: number | null;
}

export function requireLease(
  session: Session,
  thread: number,
  held: { readonly job_id: string; readonly runner: string },
): void {
  const row = session
    .statement("SELECT 1 FROM job WHERE thread = ? AND job_id = ? AND runner = ?")
    .get(thread, columnOf(held.job_id), columnOf(held.runner));
  if (row === undefined) throw leaseLost(held);
}

/** Starts leases for jobs spawned by the preceding frames. */
export function beginLeases(
  session: Session,
  leases: readonly Lease[],
  place: { readonly thread: number; readonly after: number; readonly now: number },
): void {
  for (const { job_id, runner, lease_ms } of leases) {
    const { changes } = session
      .statement("UPDATE job SET runner = ?, lease_until = ? WHERE thread = ? AND job_id = ? AND seq > ?")
      .run(columnOf(runner), place.now + lease_ms, place.thread, columnOf(job_id), place.after);
    if (changes === 0) throw jobNotSpawned(job_id);
  }
}

export function claimJob(session: Session, request: ClaimRequest, clock: Pick<Clock, "now">): boolean {
  const [job, runner] = [columnOf(request.job_id), columnOf(request.runner)];
  const [condition, values] = request.action === "take" ? ["runner IS NULL", []] : ["runner = ?", [runner]];
  // Imported logs may use the same job id in two threads.
  const first = `(SELECT thread FROM job WHERE job_id = ? AND ${condition} ORDER BY thread LIMIT 1)`;
  const { changes } = session
    .statement(`UPDATE job SET runner = ?, lease_until = ? WHERE thread = ${first} AND job_id = ?`)
    .run(runner, clock.now() + request.lease_ms, job, ...values, job);
  return changes !== 0;
}
