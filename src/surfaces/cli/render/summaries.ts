import { sha256 } from "../../../base/digest.ts";
import type { AskedRequest } from "../../../tree/answers/record.ts";
import type {
  Budgets,
  DropResult,
  LedgerResult,
  PendingResult,
  Spent,
  SubmitResult,
  SummariesRunResult,
  SummaryJob,
} from "../../../summaries/run/results.ts";
import { moreLine, aligned, counted, grouped, widthOf, wrapTo, firstOf, type Paint, type Screen } from "./layout.ts";

/** What an agent may write; of one job that was asked for by its id, all that goes to a model. */
export function renderPending(result: PendingResult, screen: Screen): string {
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

function jobRows(jobs: readonly SummaryJob[], { columns, paint }: Screen): readonly string[] {
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

function stateText({ state }: SummaryJob, paint: Paint): string {
  if (state === "due") return paint.good(state);
  return state === "open" ? paint.dim(state) : paint.warn(state);
}

function noteLines({ must_keep, left_out_lines, refused }: SummaryJob): readonly string[] {
  const kept = must_keep.map(({ topic, type }) => `${topic} [${type}]`).join(", ");
  return [
    ...(kept === "" ? [] : [`must name, kept word for word: ${kept}`]),
    ...(left_out_lines === 0 ? [] : [`${counted(left_out_lines, "line")} of the sources did not fit`]),
    ...(refused.length === 0 ? [] : [`an answer was refused: ${refused.join(", ")}`]),
  ];
}

function hiddenLines({ open, over_limit }: PendingResult["hidden"]): readonly string[] {
  const nodes = `${counted(open, "more node")} may still change: the period is not over, or a child is open`;
  return [...moreLine(over_limit, "--limit"), ...(open === 0 ? [] : [`  ${nodes} (--open)`])];
}

/** The head and the end are for the person; what stands between them is to be pasted as it is. */
function wholeJob(job: SummaryJob, { next }: PendingResult, screen: Screen): string {
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
function sourceLines({ sources }: SummaryJob): readonly string[] {
  const texts = sources.flatMap(({ name, text }) => [`== ${name} ==`, text.trimEnd(), ""]);
  const id = sha256(texts.join("\n")).slice(0, 8);
  return [`<sources ${id}>`, ...texts.slice(0, -1), `</sources ${id}>`];
}

/** Whether the answer is taken, why not, and what follows. */
export function renderSubmit(result: SubmitResult, screen: Screen): string {
  const { paint } = screen;
  const lines = [verdictOf(result, paint), ...findingLines(result.findings, screen)];
  if (result.path !== null) lines.push(`${result.state === "refused" ? "Kept aside" : "Recorded"}: ${result.path}`);
  if (result.late) lines.push(paint.warn("The node is fixed: only a reopen takes the answer in."));
  return [...lines, ...nextLines(result.next, paint)].join("\n");
}

function verdictOf({ job_id, state, findings }: SubmitResult, paint: Paint): string {
  const errors = findings.filter(({ severity }) => severity === "error").length;
  const warnings = findings.length - errors;
  const told = warnings === 0 ? "" : `, ${counted(warnings, "warning")}`;
  if (state === "known") return `An answer to ${job_id} was accepted before; nothing was written.`;
  if (state === "accepted") return `${paint.good("Accepted")} ${job_id}${told}.`;
  return `${paint.bad("Refused")} ${job_id}: ${counted(errors, "error")}${told}. The built-in summary stands.`;
}

/** What was set aside. */
export function renderDrop({ job_id, path, next }: DropResult, { paint }: Screen): string {
  return [`${paint.good("Dropped")} the answer to ${job_id}; it is kept in ${path}`, ...nextLines(next, paint)].join(
    "\n",
  );
}

function nextLines(next: string, paint: Paint): readonly string[] {
  return next === "" ? [] : [`Next: ${paint.title(next)}`];
}

/** What was asked and what came of it, or what would go out; then what is left of today. */
export function renderSummariesRun(result: SummariesRunResult, screen: Screen): string {
  const lines = requestLines(result.requests, screen);
  const nothing = result.dry_run === true ? "Nothing would be asked." : "Nothing was asked.";
  return [
    ...(lines.length === 0 ? [nothing] : lines),
    `Today: ${spentText(result)}`,
    ...(result.next === "" ? [] : [`Next: ${screen.paint.title(result.next)}`]),
  ].join("\n");
}

/** Requests under one line that counts them, of this run or a dry one; none of none. */
export function requestLines(requests: readonly AskedRequest[], screen: Screen): readonly string[] {
  if (requests.length === 0) return [];
  return [screen.paint.title(headlineOf(requests)), ...requestRows(requests, screen)];
}

function headlineOf(requests: readonly AskedRequest[]): string {
  const of = (...outcomes: readonly AskedRequest["outcome"][]): readonly AskedRequest[] =>
    requests.filter(({ outcome }) => outcomes.includes(outcome));
  const models = [...new Set(requests.map(({ model }) => model))].join(", ");
  const planned = of("would_ask");
  if (planned.length > 0) {
    const tokens = planned.reduce((sum, request) => sum + request.tokens, 0);
    return `Would ask ${models} for ${summaries(planned.length)}, at most ${counted(tokens, "token")}. Nothing was sent.`;
  }
  const sent = of("accepted", "refused", "failed");
  if (sent.length === 0) return `Nothing was sent to ${models}: a budget is spent.`;
  const parts = (["accepted", "refused", "failed"] as const)
    .map((outcome) => ({ outcome, count: of(outcome).length }))
    .filter(({ count }) => count > 0)
    .map(({ outcome, count }) => `${grouped(count)} ${outcome}`);
  return `Asked ${models} for ${summaries(sent.length)}: ${parts.join(", ")}`;
}

function summaries(count: number): string {
  return counted(count, "summary", "summaries");
}

function requestRows(requests: readonly AskedRequest[], screen: Screen): readonly string[] {
  const cells = requests.map((request) => [
    request.job_id,
    outcomeText(request.outcome, screen.paint),
    costText(request),
  ]);
  const rows = aligned(cells);
  const isBeside = rows.every((row) => widthOf(row) <= screen.columns);
  return requests.flatMap(({ findings, error, outcome }, index) => {
    const [id = "", ...what] = cells[index] ?? [];
    const said = error === null ? [] : wrapTo(`${error.code}: ${error.message}`, screen.columns - 4);
    return [
      ...(isBeside ? [rows[index] ?? ""] : [`  ${id}`, `    ${what.join(", ")}`]),
      ...said.map((line) => `    ${line}`),
      ...findingLines(findings, { ...screen, columns: screen.columns - 2 }).map((line) => `  ${line}`),
      ...(outcome === "refused" ? ["    It is kept aside; the built-in summary stands."] : []),
    ];
  });
}

const OUTCOMES: Readonly<Record<AskedRequest["outcome"], readonly [keyof Paint, string]>> = {
  accepted: ["good", "accepted"],
  refused: ["warn", "refused"],
  failed: ["bad", "failed"],
  would_ask: ["dim", "would go out"],
  no_budget: ["warn", "not sent: over the budget"],
};

function outcomeText(outcome: AskedRequest["outcome"], paint: Paint): string {
  const [colour, said] = OUTCOMES[outcome];
  return paint[colour](said);
}

function costText({ outcome, tokens, requests }: AskedRequest): string {
  if (outcome === "would_ask" || outcome === "no_budget") return `at most ${counted(tokens, "token")}`;
  return `${counted(tokens, "token")}, ${counted(requests, "request")}`;
}

/** Findings of one answer that are shown; `--json` and its record have all. */
const mostFindings = 10;

/** Each finding of an answer with its line, what refuses it first. */
function findingLines(findings: AskedRequest["findings"], { columns, paint }: Screen): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const ordered = [...errors, ...findings.filter(({ severity }) => severity !== "error")];
  return [...ordered.slice(0, mostFindings).flatMap(findingRows), ...moreLine(ordered.length - mostFindings, "--json")];

  function findingRows({ code, severity, message, line }: (typeof findings)[number]): readonly string[] {
    const mark = severity === "error" ? paint.bad("error  ") : paint.warn("warning");
    const place = line === null || message.startsWith(`Line ${line}`) ? "" : `line ${grouped(line)}: `;
    const [first = "", ...more] = wrapTo(`${place}${message} (${code})`, columns - 11);
    return [`  ${mark}  ${first}`, ...more.map((part) => `           ${part}`)];
  }
}

/** `3 of 40 requests, 12,000 of 200,000 tokens`. */
export function spentText({ spent, budgets }: { readonly spent: Spent; readonly budgets: Budgets | null }): string {
  if (budgets === null) return `${counted(spent.requests, "request")}, ${counted(spent.tokens, "token")}`;
  const { max_requests_per_day: requests, max_tokens_per_day: tokens } = budgets;
  return `${grouped(spent.requests)} of ${counted(requests, "request")}, ${grouped(spent.tokens)} of ${counted(tokens, "token")}`;
}

type Line = LedgerResult["lines"][number];

/** Days and lines that are shown; `--json` has all. */
const ROWS = { days: 14, lines: 20 };

/** Totals by day, then what was asked and what came of it. */
export function renderLedger(result: LedgerResult, screen: Screen): string {
  const { days, lines, torn } = result;
  const { paint } = screen;
  const empty = days.length + lines.length === 0;
  return [
    ...(empty ? ["No model was asked, and no answer was submitted."] : []),
    ...(days.length === 0 ? [] : [paint.title("By day"), ...firstOf(aligned(dayRows(days)), ROWS.days + 1)]),
    ...(lines.length === 0 ? [] : ["", paint.title("The newest first"), ...lineRows(lines, screen)]),
    ...(empty ? [] : [""]),
    `Today: ${spentText(result)}`,
    ...(torn === 0 ? [] : [paint.warn(`${counted(torn, "line")} of the ledger could not be read.`)]),
  ].join("\n");
}

function dayRows(days: LedgerResult["days"]): readonly (readonly string[])[] {
  const head = ["day", "requests", "tokens", "accepted", "refused", "failed", "submitted"];
  const rows = days.map(({ day, requests, tokens, accepted, refused, failed, submitted }) => [
    day,
    ...[requests, tokens, accepted, refused, failed, submitted].map(grouped),
  ]);
  return [head, ...rows];
}

function lineRows(lines: LedgerResult["lines"], { columns, paint }: Screen): readonly string[] {
  const shown = lines.slice(0, ROWS.lines);
  const rows = aligned(shown.map((line) => cellsOf(line, paint)));
  const notes = shown.map(({ code, message }) =>
    message === undefined ? undefined : `${code ?? "failed"}: ${message}`,
  );
  return [
    ...rows.flatMap((row, index) => [row, ...wrapTo(notes[index] ?? "", columns - 4).map((line) => `    ${line}`)]),
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
