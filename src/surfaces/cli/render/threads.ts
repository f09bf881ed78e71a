import {
  aligned,
  counted,
  cutTo,
  firstOf,
  grouped,
  moreLine,
  severityText,
  type Screen,
  type Paint,
} from "./layout.ts";
import type * as results from "../../../threads/run/results.ts";

const mostImported = 40;
const mostShown = 20;

export function renderNewThread(result: results.ThreadResult | results.HandoffResult, { paint }: Screen): string {
  const { thread_id, title, parent } = result;
  return [
    `${paint.good("Created")} thread ${paint.title(thread_id)}${titleText(title)}`,
    ...(parent === null ? [] : [`Parent: ${parentText(parent)}`]),
    ...("summary_artifact_id" in result ? [`Summary: ${result.summary_artifact_id}`] : []),
    `Next: heartwood thread append ${thread_id} --actor user --origin cli`,
  ].join("\n");
}

export function renderThread(result: results.ThreadResult, { paint }: Screen): string {
  const { thread_id, title, workspace, message_count, head_seq, created_at_ms, updated_at_ms, parent } = result;
  const rows = [
    ["Messages", grouped(message_count)],
    ["Head", `seq ${head_seq}`],
    ["Workspace", workspace],
    ["Created", timeText(created_at_ms)],
    ["Last used", timeText(updated_at_ms)],
    ...(parent === null ? [] : [["Parent", parentText(parent)]]),
  ];
  const next = message_count === 0 ? [] : [`Next: heartwood thread compile ${thread_id}`];
  return [`${paint.title(thread_id)}${titleText(title)}`, ...aligned(rows), ...next].join("\n");
}

export function renderThreadList({ threads, total }: results.ThreadListResult, screen: Screen): string {
  if (threads.length === 0) return "No threads yet; create one with `heartwood thread create`.";
  const titleSpace = Math.max(16, Math.min(screen.columns, 140) - 76);
  const rows = threads.map(({ thread_id, message_count, updated_at_ms, title, parent }) => [
    thread_id,
    counted(message_count, "message"),
    timeText(updated_at_ms),
    cutTo([parent?.kind, title].filter((part) => typeof part === "string").join(": "), titleSpace),
  ]);
  const more = moreLine(total - threads.length, "--limit");
  return [screen.paint.title(counted(total, "thread")), ...aligned(rows), ...more].join("\n");
}

export function renderThreadAppend(result: results.ThreadAppendResult, { paint }: Screen): string {
  const { thread_id, appended, known, head_seq, message_id, seq, message_ordinal } = result;
  const last =
    message_id === null || seq === null || message_ordinal === null
      ? `head is seq ${head_seq}`
      : `message ${grouped(message_ordinal)}, seq ${seq} ${paint.dim(`(${message_id})`)}`;
  const skipped = known === 1 ? "1 message was already there" : `${grouped(known)} messages were already there`;
  if (appended === 0) return `Appended nothing to ${thread_id}: ${skipped}; ${last}`;
  const what = `${counted(appended, "frame")} to ${thread_id}${known === 0 ? "" : `, ${skipped}`}`;
  return `${paint.good("Appended")} ${what}: ${last}`;
}

export function renderThreadImport(
  { threads, imported, known }: results.ThreadImportResult,
  { paint }: Screen,
): string {
  const refused = threads.filter(({ error }) => error !== null);
  const verdict = refused.length === 0 ? paint.good("Imported") : paint.warn("Imported");
  const into = counted(threads.length - refused.length, "thread");
  const rows = threads.map(({ thread_id, imported: taken, known: passed, head_seq, error }) => [
    thread_id,
    error === null ? `${counted(taken, "frame")}, ${grouped(passed)} known` : paint.bad("refused"),
    error === null ? `head seq ${head_seq}` : `${error.code} at line ${grouped(error.line)}: ${error.message}`,
  ]);
  return [
    `${verdict} ${counted(imported, "frame")} into ${into}; ${grouped(known)} were already there.`,
    ...firstOf(aligned(rows), mostImported, "--json"),
  ].join("\n");
}

/** `2026-03-15 12:00:00Z`; the number itself if it is not a valid date. */
function timeText(milliseconds: number): string {
  const date = new Date(milliseconds);
  if (Number.isNaN(date.getTime())) return `${milliseconds} ms`;
  return date
    .toISOString()
    .replace("T", " ")
    .replace(/\.\d+Z$/u, "Z");
}

function titleText(title: string | null): string {
  return title === null ? "" : ` “${title}”`;
}

function parentText({ kind, thread_id, seq, message_id }: results.ThreadParent): string {
  const message = message_id === null ? "" : ` (message ${message_id})`;
  return `${kind} of ${thread_id.slice(0, 96).replaceAll(/\s/gu, " ")} at seq ${seq}${message}`;
}

export function renderCutPoints(result: results.CutPointsResult, { paint }: Screen): string {
  const { thread_id, stride_messages, message_count, cut_points } = result;
  const head = `${thread_id}: ${counted(message_count, "message")}, a cut point every ${grouped(stride_messages)}`;
  if (cut_points.length === 0) return `${head}; none reached yet.`;
  const rows = cut_points.map((cut) => [
    `message ${grouped(cut.target_message_ordinal)}`,
    `seq ${cut.to_seq}`,
    cut.to_message_id,
    cut.already_checkpointed ? paint.good("summarized") : paint.warn("open"),
  ]);
  return [paint.title(head), ...aligned(rows)].join("\n");
}

export function renderAuto(result: results.AutoResult, { paint }: Screen): string {
  const { thread_id, status, planned, error } = result;
  const lines = [...createdRows(result.result), ...(error === null ? [] : [paint.bad(error)])];
  const job = jobText(result.job_id);
  if (status === "completed")
    return [`${paint.good("Summarized")} ${thread_id}: ${checkpoints(result.result)}${job}`, ...lines].join("\n");
  if (status === "failed") return [`${paint.bad("Failed")} to summarize ${thread_id}${job}`, ...lines].join("\n");
  return `${thread_id}, stride ${grouped(result.stride_messages)}: ${planText(planned, paint)}`;
}

export function renderSchedule(result: results.ScheduleResult | results.ScheduleAllResult, screen: Screen): string {
  if (!("threads" in result)) return scheduleLines(result, screen).join("\n");
  const { threads, checked } = result;
  const head = `${counted(checked, "thread")} checked, ${grouped(threads.length)} with something to do.`;
  return [screen.paint.title(head), ...threads.flatMap((one) => scheduleLines(one, screen))].join("\n");
}

function scheduleLines(result: results.ScheduleResult, { paint }: Screen): readonly string[] {
  const { thread_id, decision, planned, ladder, error, job_id } = result;
  const job = jobText(job_id);
  const said: Readonly<Record<results.ScheduleResult["decision"], string>> = {
    noop: planned.length === 0 ? `nothing to summarize` : planText(planned, paint),
    skipped_inflight: paint.warn(`a job is in flight${job}`),
    scheduled: `scheduled${job}; heartwood thread run-pending runs it`,
    completed: `${paint.good("summarized")}: ${checkpoints(result.result)}${job}`,
    failed: `${paint.bad("failed")}${job}`,
  };
  const rungs = ladder === null ? [] : [`  ${counted(ladder.created, "summary", "summaries")} made for compile`];
  const failed = ladder === null || ladder.status === "completed" ? "" : (ladder.error ?? "unknown cause");
  return [
    `${paint.title(thread_id)}: ${said[decision]}`,
    ...createdRows(result.result),
    ...(error === null ? [] : [`  ${paint.bad(error)}`]),
    ...rungs.map((line) => (failed === "" ? line : `${line}, then ${paint.bad(`failed: ${failed}`)}`)),
  ];
}

export function renderManual(result: results.ManualResult, { paint }: Screen): string {
  const { thread_id, to_seq, to_message_id, summary_artifact_id } = result;
  const where = `up to seq ${to_seq} ${paint.dim(`(message ${to_message_id})`)}`;
  return `${paint.good("Recorded")} a summary of ${thread_id} ${where}\nSummary: ${summary_artifact_id}`;
}

export function renderCompactionStatus(result: results.CompactionStatusResult, { paint }: Screen): string {
  const { thread_id, message_count, stride_messages, next_cut_point, inflight_job_id } = result;
  const { latest_checkpoint: latest, last_schedule_decision: last } = result;
  const rows = [
    ["Latest summary", latest === null ? "none" : `up to seq ${latest.to_seq} (${latest.cut_rule_id})`],
    ["Next cut point", next_cut_point === null ? "none" : cutText(next_cut_point)],
    ["In flight", inflight_job_id === null ? "no job" : paint.warn(`job ${inflight_job_id}`)],
    [
      "Last decision",
      last === null ? "none" : `${last.decision} at ${timeText(last.timestamp_ms)} by ${last.actor_id}`,
    ],
    ["Last job", outcomeText(result.last_job_outcome, paint)],
  ];
  const head = `${thread_id}: ${counted(message_count, "message")}, stride ${grouped(stride_messages)}`;
  return [paint.title(head), ...aligned(rows)].join("\n");
}

function outcomeText(last: results.JobOutcome | null, paint: Paint): string {
  if (last === null) return "none";
  const status = last.status === "completed" ? paint.good(last.status) : paint.bad(last.status);
  return `${status} at ${timeText(last.timestamp_ms)}${last.error === null ? "" : `: ${last.error}`}`;
}

export function renderRunPending({ jobs, abandoned }: results.RunPendingResult, { paint }: Screen): string {
  if (jobs.length + abandoned.length === 0) return "No job is waiting.";
  const rows = [
    ...jobs.map((job) => [
      job.thread_id,
      job.job_id,
      job.status === "completed" ? paint.good(checkpoints(job.result)) : paint.bad("failed"),
      job.error ?? "",
    ]),
    ...abandoned.map((job) => [
      job.thread_id,
      job.job_id,
      paint.warn("its runner died; marked as failed"),
      job.error ?? "",
    ]),
  ];
  const head = `${counted(jobs.length, "job")} run, ${grouped(abandoned.length)} marked as failed`;
  return [paint.title(head), ...aligned(rows)].join("\n");
}

function planText(planned: readonly results.PlannedCut[], paint: Paint): string {
  if (planned.length === 0) return "nothing to summarize; every cut point reached so far has a summary.";
  const head = `${paint.title(`plan: ${counted(planned.length, "checkpoint")}`)}. Nothing was written.`;
  return [head, ...firstOf(aligned(planned.map((cut) => [cutText(cut), cut.to_message_id])), mostShown)].join("\n");
}

function createdRows(created: readonly results.CreatedCheckpoint[]): readonly string[] {
  const rows = aligned(created.map(({ to_seq, summary_artifact_id }) => [`up to seq ${to_seq}`, summary_artifact_id]));
  return firstOf(rows, mostShown);
}

function jobText(id: string | null): string {
  return id === null ? "" : ` (job ${id})`;
}

function checkpoints(created: readonly results.CreatedCheckpoint[]): string {
  return counted(created.length, "checkpoint");
}

function cutText({ target_message_ordinal, to_seq }: results.PlannedCut): string {
  return `message ${grouped(target_message_ordinal)} (seq ${to_seq})`;
}

/** The context as text; messages for a chat API are printed as a document. */
export function renderCompiled({ rendered }: results.CompileResult): string {
  return String(rendered);
}

export function renderThreadVerify(
  { ok, threads, frames, findings }: results.VerifyThreadsResult,
  { paint }: Screen,
): string {
  const verdict = ok ? paint.good("The threads are sound") : paint.bad("The threads have findings");
  const rows = findings.map(({ severity, thread_id, seq, code, message }) => [
    severityText(severity, paint),
    seq === null ? thread_id : `${thread_id}:${seq}`,
    code,
    message,
  ]);
  const size = `${counted(threads, "thread")}, ${counted(frames, "frame")}`;
  return [`${verdict}: ${size}, ${counted(findings.length, "finding")}.`, ...aligned(rows)].join("\n");
}
