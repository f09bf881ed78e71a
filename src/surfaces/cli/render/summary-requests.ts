import type * as R from "../../../summaries/run/results.ts";
import { columns as aligned, counted, grouped, widthOf, wrapTo } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import type { AskedRequest } from "../../../tree/answers/record.ts";

/** What was asked and what came of it, or what would go out; then what is left of today. */
export function renderSummariesRun(result: R.SummariesRunResult, screen: Screen): string {
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
export function findingLines(findings: AskedRequest["findings"], { columns, paint }: Screen): readonly string[] {
  const errors = findings.filter(({ severity }) => severity === "error");
  const ordered = [...errors, ...findings.filter(({ severity }) => severity !== "error")];
  const left = ordered.length - mostFindings;
  const more = left > 0 ? [`  … and ${grouped(left)} more (--json)`] : [];
  return [...ordered.slice(0, mostFindings).flatMap(findingRows), ...more];

  function findingRows({ code, severity, message, line }: (typeof findings)[number]): readonly string[] {
    const mark = severity === "error" ? paint.bad("error  ") : paint.warn("warning");
    const place = line === null || message.startsWith(`Line ${line}`) ? "" : `line ${grouped(line)}: `;
    const [first = "", ...more] = wrapTo(`${place}${message} (${code})`, columns - 11);
    return [`  ${mark}  ${first}`, ...more.map((part) => `           ${part}`)];
  }
}

/** `3 of 40 requests, 12,000 of 200,000 tokens`. */
export function spentText({ spent, budgets }: { readonly spent: R.Spent; readonly budgets: R.Budgets | null }): string {
  if (budgets === null) return `${counted(spent.requests, "request")}, ${counted(spent.tokens, "token")}`;
  const { max_requests_per_day: requests, max_tokens_per_day: tokens } = budgets;
  return `${grouped(spent.requests)} of ${counted(requests, "request")}, ${grouped(spent.tokens)} of ${counted(tokens, "token")}`;
}
