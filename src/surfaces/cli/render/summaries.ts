import { sha256 } from "../../../base/digest.ts";
import type * as R from "../../../summaries/run/results.ts";
import { columns as aligned, counted, grouped, widthOf, wrapTo } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { findingLines } from "./summary-requests.ts";

/** What an agent may write; of one job that was asked for by its id, all that goes to a model. */
export function renderPending(result: R.PendingResult, screen: Screen): string {
  const [job] = result.jobs;
  if (screen.input["job"] !== undefined && job !== undefined) return wholeJob(job, result, screen);
  const head =
    result.jobs.length === 0
      ? "No summary is wanted"
      : `${counted(result.jobs.length, "summary", "summaries")} could be written`;
  return [
    screen.paint.title(head),
    ...jobRows(result.jobs, screen),
    ...hiddenLines(result.hidden),
    ...nextLines(result.next, screen.paint),
  ].join("\n");
}

function jobRows(jobs: readonly R.SummaryJob[], { columns, paint }: Screen): readonly string[] {
  const cells = jobs.map((job) => [
    job.job_id,
    stateText(job, paint),
    `${grouped(job.tokens)} tokens to read`,
    `at most ${grouped(job.budget_tokens)} to write`,
  ]);
  const rows = aligned(cells);
  const isBeside = rows.every((row) => widthOf(row) <= columns);
  return jobs.flatMap((job, index) => {
    const [id = "", ...what] = cells[index] ?? [];
    const row = isBeside ? [rows[index] ?? ""] : [`  ${id}`, `    ${what.join(", ")}`];
    return [...row, ...noteLines(job).flatMap((note) => wrapTo(note, columns - 4).map((line) => `    ${line}`))];
  });
}

function stateText({ state }: R.SummaryJob, paint: Paint): string {
  if (state === "due") return paint.good(state);
  return state === "open" ? paint.dim(state) : paint.warn(state);
}

function noteLines({ must_keep, left_out_lines, refused }: R.SummaryJob): readonly string[] {
  const kept = must_keep.map(({ topic, type }) => `${topic} [${type}]`).join(", ");
  return [
    ...(kept === "" ? [] : [`must name, kept word for word: ${kept}`]),
    ...(left_out_lines === 0 ? [] : [`${counted(left_out_lines, "line")} of the sources did not fit`]),
    ...(refused.length === 0 ? [] : [`an answer was refused: ${refused.join(", ")}`]),
  ];
}

function hiddenLines({ open, over_limit }: R.PendingResult["hidden"]): readonly string[] {
  const nodes = `${counted(open, "more node")} may still change: the period is not over, or a child is open`;
  return [
    ...(over_limit === 0 ? [] : [`  … and ${grouped(over_limit)} more (--limit)`]),
    ...(open === 0 ? [] : [`  ${nodes} (--open)`]),
  ];
}

/** The head and the end are for the person; what stands between them is to be pasted as it is. */
function wholeJob(job: R.SummaryJob, { next }: R.PendingResult, screen: Screen): string {
  const submit = `heartwood summaries submit ${job.job_id} --file FILE`;
  return [
    ...jobRows([job], screen),
    "",
    job.prompt.trimEnd(),
    "",
    ...sourceLines(job),
    "",
    ...nextLines(next === "" ? submit : next, screen.paint),
  ].join("\n");
}

/** The mark has digits that the text cannot know, so that no line of it can end the sources. */
function sourceLines({ sources }: R.SummaryJob): readonly string[] {
  const texts = sources.flatMap(({ name, text }) => [`== ${name} ==`, text.trimEnd(), ""]);
  const id = sha256(texts.join("\n")).slice(0, 8);
  return [`<sources ${id}>`, ...texts.slice(0, -1), `</sources ${id}>`];
}

/** Whether the answer is taken, why not, and what follows. */
export function renderSubmit(result: R.SubmitResult, screen: Screen): string {
  const { paint } = screen;
  const lines = [verdictOf(result, paint), ...findingLines(result.findings, screen)];
  if (result.path !== null) lines.push(`${result.state === "refused" ? "Kept aside" : "Recorded"}: ${result.path}`);
  if (result.late) lines.push(paint.warn("The node is fixed: only a reopen takes the answer in."));
  return [...lines, ...nextLines(result.next, paint)].join("\n");
}

function verdictOf({ job_id, state, findings }: R.SubmitResult, paint: Paint): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const told = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  if (state === "known") return `An answer to ${job_id} was accepted before; nothing was written.`;
  if (state === "accepted") return `${paint.good("Accepted")} ${job_id}${told}.`;
  return `${paint.bad("Refused")} ${job_id}: ${counted(errors, "error")}${told}. The built-in summary stands.`;
}

/** What was set aside. */
export function renderDrop({ job_id, path, next }: R.DropResult, { paint }: Screen): string {
  return [`${paint.good("Dropped")} the answer to ${job_id}; it is kept in ${path}`, ...nextLines(next, paint)].join(
    "\n",
  );
}

function nextLines(next: string, paint: Paint): readonly string[] {
  return next === "" ? [] : [`Next: ${paint.title(next)}`];
}
