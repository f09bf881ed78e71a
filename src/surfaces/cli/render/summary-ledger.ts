import type * as R from "../../../summaries/run/results.ts";
import { columns as aligned, counted, firstOf, grouped, wrapTo } from "./layout.ts";
import type { Paint, Screen } from "./screen.ts";
import { spentText } from "./summary-requests.ts";

type Line = R.LedgerResult["lines"][number];

/** Days and lines that are shown; `--json` has all. */
const ROWS = { days: 14, lines: 20 };

/** Totals by day, then what was asked and what came of it. */
export function renderLedger(result: R.LedgerResult, screen: Screen): string {
  const { days, lines, torn } = result;
  const { paint } = screen;
  const empty = days.length + lines.length === 0;
  return [
    ...(empty ? ["No model was asked, and no answer was submitted."] : []),
    ...(days.length === 0 ? [] : [paint.title("By day"), ...firstOf(aligned(dayRows(days)), ROWS.days + 1, asItIs)]),
    ...(lines.length === 0 ? [] : ["", paint.title("The newest first"), ...lineRows(lines, screen)]),
    ...(empty ? [] : [""]),
    `Today: ${spentText(result)}`,
    ...(torn === 0 ? [] : [paint.warn(`${counted(torn, "line")} of the ledger could not be read.`)]),
  ].join("\n");
}

function dayRows(days: R.LedgerResult["days"]): readonly (readonly string[])[] {
  const head = ["day", "requests", "tokens", "accepted", "refused", "failed", "submitted"];
  const rows = days.map(({ day, requests, tokens, accepted, refused, failed, submitted }) => [
    day,
    ...[requests, tokens, accepted, refused, failed, submitted].map(grouped),
  ]);
  return [head, ...rows];
}

function lineRows(lines: R.LedgerResult["lines"], { columns, paint }: Screen): readonly string[] {
  const shown = lines.slice(0, ROWS.lines);
  const rows = aligned(shown.map((line) => cellsOf(line, paint)));
  const notes = shown.map(({ code, message }) =>
    message === undefined ? undefined : `${code ?? "failed"}: ${message}`,
  );
  return [
    ...rows.flatMap((row, index) => [row, ...wrapTo(notes[index] ?? "", columns - 4).map((line) => `    ${line}`)]),
    ...(lines.length > shown.length ? [`  … and ${grouped(lines.length - shown.length)} more (--json)`] : []),
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

function asItIs(row: string): string {
  return row;
}
