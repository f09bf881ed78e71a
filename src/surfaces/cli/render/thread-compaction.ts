import type * as R from "../../../threads/run/results.ts";
import { columns, counted, firstOf, grouped } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { timeText } from "./thread.ts";

const ROWS = 20;

/** Where summaries may end, and which have one. */
export function renderCutPoints(result: R.CutPointsResult, { paint }: Screen): string {
  const { thread_id, stride_messages, message_count, cut_points } = result;
  const head = `${thread_id}: ${counted(message_count, "message")}, a cut point every ${grouped(stride_messages)}`;
  if (cut_points.length === 0) return `${head}; none is reached yet.`;
  const rows = cut_points.map((cut) => [
    `message ${grouped(cut.target_message_ordinal)}`,
    `seq ${cut.to_seq}`,
    cut.to_message_id,
    cut.already_checkpointed ? paint.good("summarised") : paint.warn("open"),
  ]);
  return [paint.title(head), ...columns(rows)].join("\n");
}

/** What a compaction made, or would make. */
export function renderAuto(result: R.AutoResult, { paint }: Screen): string {
  const { thread_id, status, planned, error } = result;
  const lines = [...createdRows(result.result), ...(error === null ? [] : [paint.bad(error)])];
  const job = result.job_id === null ? "" : ` (job ${result.job_id})`;
  if (status === "completed")
    return [`${paint.good("Summarised")} ${thread_id}: ${checkpoints(result.result)}${job}`, ...lines].join("\n");
  if (status === "failed") return [`${paint.bad("Failed")} to summarise ${thread_id}${job}`, ...lines].join("\n");
  return planText(`${thread_id}, stride ${grouped(result.stride_messages)}`, planned, paint);
}

/** What was decided for one thread, or for each that had something to do. */
export function renderSchedule(result: R.ScheduleResult | R.ScheduleAllResult, screen: Screen): string {
  if (!("threads" in result)) return scheduleLines(result, screen).join("\n");
  const { threads, checked } = result;
  const head = `${counted(checked, "thread")} checked, ${grouped(threads.length)} with something to do.`;
  return [screen.paint.title(head), ...threads.flatMap((one) => scheduleLines(one, screen))].join("\n");
}

function scheduleLines(result: R.ScheduleResult, { paint }: Screen): readonly string[] {
  const { thread_id, decision, planned, ladder, error, job_id } = result;
  const job = job_id === null ? "" : ` (job ${job_id})`;
  const told: Readonly<Record<R.ScheduleResult["decision"], string>> = {
    noop: planned.length === 0 ? `nothing to summarise` : planText("", planned, paint),
    skipped_inflight: paint.warn(`a job is in flight${job}`),
    scheduled: `scheduled${job}; heartwood thread run-pending runs it`,
    completed: `${paint.good("summarised")}: ${checkpoints(result.result)}${job}`,
    failed: `${paint.bad("failed")}${job}`,
  };
  return [
    `${paint.title(thread_id)}: ${told[decision]}`,
    ...createdRows(result.result),
    ...(error === null ? [] : [`  ${paint.bad(error)}`]),
    ...(ladder === null ? [] : [ladderLine(ladder, paint)]),
  ];
}

function ladderLine({ status, created, error }: R.LadderResult, paint: Paint): string {
  const rungs = `  ${counted(created, "rung")} made for compile`;
  return status === "completed" ? rungs : `${rungs}, then ${paint.bad(`failed: ${error ?? "unknown cause"}`)}`;
}

/** The checkpoint that was recorded. */
export function renderManual(result: R.ManualResult, { paint }: Screen): string {
  const { thread_id, to_seq, to_message_id, summary_artifact_id } = result;
  const where = `up to seq ${to_seq} ${paint.dim(`(message ${to_message_id})`)}`;
  return `${paint.good("Recorded")} a summary of ${thread_id} ${where}\nSummary: ${summary_artifact_id}`;
}

/** Checkpoints, jobs and what is next in one screen. */
export function renderCompactionStatus(result: R.CompactionStatusResult, { paint }: Screen): string {
  const { thread_id, message_count, stride_messages, next_cut_point, inflight_job_id } = result;
  const rows = [
    ["Latest summary", latestText(result.latest_checkpoint)],
    ["Next cut point", next_cut_point === null ? "none" : cutText(next_cut_point)],
    ["In flight", inflight_job_id === null ? "no job" : paint.warn(`job ${inflight_job_id}`)],
    ["Last decision", decisionText(result.last_schedule_decision)],
    ["Last job", outcomeText(result.last_job_outcome, paint)],
  ];
  const head = `${thread_id}: ${counted(message_count, "message")}, stride ${grouped(stride_messages)}`;
  return [paint.title(head), ...columns(rows)].join("\n");
}

function latestText(latest: R.CompactionStatusResult["latest_checkpoint"]): string {
  return latest === null ? "none" : `up to seq ${latest.to_seq} (${latest.cut_rule_id})`;
}

function decisionText(last: R.ScheduleDecision | null): string {
  return last === null ? "none" : `${last.decision} at ${timeText(last.timestamp_ms)} by ${last.actor_id}`;
}

function outcomeText(last: R.JobOutcome | null, paint: Paint): string {
  if (last === null) return "none";
  const status = last.status === "completed" ? paint.good(last.status) : paint.bad(last.status);
  return `${status} at ${timeText(last.timestamp_ms)}${last.error === null ? "" : `: ${last.error}`}`;
}

/** What came of the jobs that were left, and of those whose runner died. */
export function renderRunPending({ jobs, abandoned }: R.RunPendingResult, { paint }: Screen): string {
  if (jobs.length + abandoned.length === 0) return "No job is waiting.";
  const row = (job: R.RanJob, said: string): readonly string[] => [job.thread_id, job.job_id, said, job.error ?? ""];
  const rows = [
    ...jobs.map((job) =>
      row(job, job.status === "completed" ? paint.good(checkpoints(job.result)) : paint.bad("failed")),
    ),
    ...abandoned.map((job) => row(job, paint.warn("its runner died; ended as failed"))),
  ];
  return [paint.title(`${counted(jobs.length, "job")} run, ${grouped(abandoned.length)} ended`), ...columns(rows)].join(
    "\n",
  );
}

function planText(what: string, planned: readonly R.PlannedCut[], paint: Paint): string {
  const prefix = what === "" ? "" : `${what}: `;
  if (planned.length === 0) return `${prefix}nothing to summarise; every cut point that is reached has a summary.`;
  const head = `${prefix}${paint.title(`plan: ${counted(planned.length, "checkpoint")}`)}. Nothing was written.`;
  return [head, ...firstOf(columns(planned.map((cut) => [cutText(cut), cut.to_message_id])), ROWS, asItIs)].join("\n");
}

function createdRows(created: readonly R.CreatedCheckpoint[]): readonly string[] {
  const rows = columns(created.map(({ to_seq, summary_artifact_id }) => [`up to seq ${to_seq}`, summary_artifact_id]));
  return firstOf(rows, ROWS, asItIs);
}

function checkpoints(created: readonly R.CreatedCheckpoint[]): string {
  return counted(created.length, "checkpoint");
}

function cutText({ target_message_ordinal, to_seq }: R.PlannedCut): string {
  return `message ${grouped(target_message_ordinal)} (seq ${to_seq})`;
}

function asItIs(row: string): string {
  return row;
}
