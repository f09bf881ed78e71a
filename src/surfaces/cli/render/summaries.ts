import { sha256 } from "../../../base/digest.ts";
import type { AskedRequest } from "../../../tree/answers/record.ts";
import type * as results from "../../../summaries/run/inputs-and-results.ts";
import {
  aligned,
  counted,
  firstOf,
  grouped,
  moreLine,
  nextLines,
  stackedRows,
  wrapTo,
  type Paint,
  type Screen,
} from "./layout.ts";

const summaries = (count: number): string => counted(count, "summary", "summaries");

/** Lists the summaries an agent may write. For a job requested by id, shows everything a model would get. */
export function renderPending(result: results.PendingResult, screen: Screen): string {
  const [job] = result.jobs;
  if (screen.input["job"] !== undefined && job !== undefined) return wholeJob(job, result, screen);
  const { open, over_limit } = result.hidden;
  const hidden = `  ${counted(open, "more node")} may still change: the period is not over, or a child is open (--open)`;
  return [
    screen.paint.title(result.jobs.length === 0 ? "No pending summaries" : `${summaries(result.jobs.length)} pending`),
    ...jobRows(result.jobs, screen),
    ...moreLine(over_limit, "--limit"),
    ...(open === 0 ? [] : [hidden]),
    ...nextLines(result.next, screen.paint),
  ].join("\n");
}

function jobRows(jobs: readonly results.SummaryJob[], { columns, paint }: Screen): readonly string[] {
  const cells = jobs.map((job) => [
    job.job_id,
    job.state === "due" ? paint.good(job.state) : job.state === "open" ? paint.dim(job.state) : paint.warn(job.state),
    `${grouped(job.tokens)} tokens to read`,
    `at most ${grouped(job.budget_tokens)} to write`,
  ]);
  const rows = stackedRows(cells, columns);
  return jobs.flatMap((job, index) => [
    ...(rows[index] ?? []),
    ...noteLines(job).flatMap((note) => wrapTo(note, columns - 4).map((line) => `    ${line}`)),
  ]);
}

function noteLines({ must_keep, left_out_lines, refused }: results.SummaryJob): readonly string[] {
  const kept = must_keep.map(({ topic, type }) => `${topic} [${type}]`).join(", ");
  return [
    ...(kept === "" ? [] : [`must keep word for word: ${kept}`]),
    ...(left_out_lines === 0 ? [] : [`${counted(left_out_lines, "source line")} did not fit`]),
    ...(refused.length === 0 ? [] : [`an answer was refused: ${refused.join(", ")}`]),
  ];
}

/** The first and last lines are for the user, who pastes everything in between unchanged. */
function wholeJob(job: results.SummaryJob, { next }: results.PendingResult, screen: Screen): string {
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

/** The tag contains a hash of the text, which the text cannot predict, so no source line can close it. */
function sourceLines({ sources }: results.SummaryJob): readonly string[] {
  const texts = sources.flatMap(({ name, text }) => [`== ${name} ==`, text.trimEnd(), ""]);
  const id = sha256(texts.join("\n")).slice(0, 8);
  return [`<sources ${id}>`, ...texts.slice(0, -1), `</sources ${id}>`];
}

export function renderSubmit(result: results.SubmitResult, screen: Screen): string {
  const { paint } = screen;
  const { path, state, late } = result;
  return [
    verdictOf(result, paint),
    ...findingLines(result.findings, screen),
    ...(path === null ? [] : [`${state === "refused" ? "Set aside" : "Recorded"}: ${path}`]),
    ...(late ? [paint.warn("The node is fixed; only a reopen can use the answer.")] : []),
    ...nextLines(result.next, paint),
  ].join("\n");
}

function verdictOf({ job_id, state, findings }: results.SubmitResult, paint: Paint): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const more = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  if (state === "known") return `An answer to ${job_id} was already accepted; nothing was written.`;
  if (state === "accepted") return `${paint.good("Accepted")} ${job_id}${more}.`;
  return `${paint.bad("Refused")} ${job_id}: ${counted(errors, "error")}${more}. The built-in summary stays in use.`;
}

export function renderDrop({ job_id, path, next }: results.DropResult, { paint }: Screen): string {
  const dropped = `${paint.good("Dropped")} the answer to ${job_id}; it is kept in ${path}`;
  return [dropped, ...nextLines(next, paint)].join("\n");
}

export function renderSummariesRun(result: results.SummariesRunResult, screen: Screen): string {
  const lines = requestLines(result.requests, screen);
  const nothing = result.dry_run === true ? "No model would be asked." : "No model was asked.";
  return [
    ...(lines.length === 0 ? [nothing] : lines),
    `Today: ${spentText(result)}`,
    ...nextLines(result.next, screen.paint),
  ].join("\n");
}

/** The requests of a run or dry run, under a line that counts them. */
export function requestLines(requests: readonly AskedRequest[], screen: Screen): readonly string[] {
  if (requests.length === 0) return [];
  return [screen.paint.title(headlineOf(requests)), ...requestRows(requests, screen)];
}

function headlineOf(requests: readonly AskedRequest[]): string {
  const of = Map.groupBy(requests, ({ outcome }) => outcome);
  const models = [...new Set(requests.map(({ model }) => model))].join(", ");
  const planned = of.get("would_ask") ?? [];
  if (planned.length > 0) {
    const tokens = planned.reduce((sum, request) => sum + request.tokens, 0);
    return `Would ask ${models} for ${summaries(planned.length)}, at most ${counted(tokens, "token")}. Nothing was sent.`;
  }
  const sent = (["accepted", "refused", "failed"] as const)
    .map((outcome) => ({ outcome, count: of.get(outcome)?.length ?? 0 }))
    .filter(({ count }) => count > 0);
  if (sent.length === 0) return `Nothing was sent to ${models}: a budget is used up.`;
  const parts = sent.map(({ outcome, count }) => `${grouped(count)} ${outcome}`);
  return `Asked ${models} for ${summaries(sent.reduce((sum, { count }) => sum + count, 0))}: ${parts.join(", ")}`;
}

function requestRows(requests: readonly AskedRequest[], screen: Screen): readonly string[] {
  const { columns, paint } = screen;
  const cells = requests.map((request) => {
    const [colour, said] = OUTCOMES[request.outcome];
    return [request.job_id, paint[colour](said), costText(request)];
  });
  const rows = stackedRows(cells, columns);
  return requests.flatMap(({ findings, error, outcome }, index) => {
    const said = error === null ? [] : wrapTo(`${error.code}: ${error.message}`, columns - 4);
    return [
      ...(rows[index] ?? []),
      ...said.map((line) => `    ${line}`),
      ...findingLines(findings, { ...screen, columns: columns - 2 }).map((line) => `  ${line}`),
      ...(outcome === "refused" ? ["    Set aside; the built-in summary stays in use."] : []),
    ];
  });
}

const OUTCOMES: Readonly<Record<AskedRequest["outcome"], readonly [keyof Paint, string]>> = {
  accepted: ["good", "accepted"],
  refused: ["warn", "refused"],
  failed: ["bad", "failed"],
  would_ask: ["dim", "would be sent"],
  no_budget: ["warn", "not sent: over the budget"],
};

function costText({ outcome, tokens, requests }: AskedRequest): string {
  if (outcome === "would_ask" || outcome === "no_budget") return `at most ${counted(tokens, "token")}`;
  return `${counted(tokens, "token")}, ${counted(requests, "request")}`;
}

/** Maximum findings shown per answer; `--json` and the record have all of them. */
const mostFindings = 10;

function findingLines(findings: AskedRequest["findings"], { columns, paint }: Screen): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const ordered = [...errors, ...findings.filter(({ severity }) => severity !== "error")];
  const rows = ordered.slice(0, mostFindings).flatMap(({ code, severity, message, line }) => {
    const mark = severity === "error" ? paint.bad("error  ") : paint.warn("warning");
    const place = line === null || message.startsWith(`Line ${line}`) ? "" : `line ${grouped(line)}: `;
    const [first = "", ...more] = wrapTo(`${place}${message} (${code})`, columns - 11);
    return [`  ${mark}  ${first}`, ...more.map((part) => `           ${part}`)];
  });
  return [...rows, ...moreLine(ordered.length - mostFindings, "--json")];
}

/** `3 of 40 requests, 12,000 of 200,000 tokens`. */
export function spentText({ spent, budgets }: Pick<results.SummariesStatus, "spent" | "budgets">): string {
  if (budgets === null) return `${counted(spent.requests, "request")}, ${counted(spent.tokens, "token")}`;
  const { max_requests_per_day: requests, max_tokens_per_day: tokens } = budgets;
  return `${grouped(spent.requests)} of ${counted(requests, "request")}, ${grouped(spent.tokens)} of ${counted(tokens, "token")}`;
}

type Line = results.LedgerResult["lines"][number];

/** Days and lines shown; `--json` has all. */
const ROWS = { days: 14, lines: 20 };

export function renderLedger(result: results.LedgerResult, screen: Screen): string {
  const { days, lines, torn } = result;
  const { paint } = screen;
  const empty = days.length + lines.length === 0;
  return [
    ...(empty ? ["No model was asked, and no answer was submitted."] : []),
    ...(days.length === 0 ? [] : [paint.title("By day"), ...firstOf(aligned(dayRows(days)), ROWS.days + 1)]),
    ...(lines.length === 0 ? [] : ["", paint.title("Newest first"), ...lineRows(lines, screen)]),
    ...(empty ? [] : [""]),
    `Today: ${spentText(result)}`,
    ...(torn === 0 ? [] : [paint.warn(`${counted(torn, "line")} of the ledger could not be read.`)]),
  ].join("\n");
}

function dayRows(days: results.LedgerResult["days"]): readonly (readonly string[])[] {
  const columns = ["requests", "tokens", "accepted", "refused", "failed", "submitted"] as const;
  return [["day", ...columns], ...days.map((day) => [day.day, ...columns.map((name) => grouped(day[name]))])];
}

function lineRows(lines: results.LedgerResult["lines"], { columns, paint }: Screen): readonly string[] {
  const shown = lines.slice(0, ROWS.lines);
  const rows = aligned(shown.map((line) => cellsOf(line, paint)));
  return [
    ...shown.flatMap(({ code, message }, index) => {
      const said = message === undefined ? "" : `${code ?? "failed"}: ${message}`;
      return [rows[index] ?? "", ...wrapTo(said, columns - 4).map((line) => `    ${line}`)];
    }),
    ...moreLine(lines.length - shown.length, "--json"),
  ];
}

function cellsOf(line: Line, paint: Paint): readonly string[] {
  const { at, kind, label, job_id: job, tokens, requests, model } = line;
  const cost = [
    ...(tokens === undefined ? [] : [counted(tokens, "token")]),
    ...(requests === undefined ? [] : [counted(requests, "request")]),
  ];
  const what = job ?? `${kind} ${label}`;
  return [at.replace("T", " ").slice(0, 16), eventText(line, paint), what, cost.join(", "), model ?? ""];
}

function eventText({ event, outcome, codes }: Line, paint: Paint): string {
  if (event === "failed") return paint.bad(event);
  if (outcome === undefined) return event;
  const why = codes === undefined || codes.length === 0 ? "" : ` (${codes.join(", ")})`;
  const said = outcome === "accepted" ? paint.good(outcome) : paint.warn(outcome);
  return `${event === "answered" ? "" : `${event}, `}${said}${why}`;
}
