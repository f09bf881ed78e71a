import type { SummariesStatus } from "../../../summaries/run/results.ts";
import { columns as aligned, counted, firstOf } from "./layout.ts";
import type { Screen } from "./screen.ts";
import { spentText } from "./summary-requests.ts";

const ROWS = 6;

/** Summaries by a model, where one is configured or something is on record; nothing else. */
export function summariesLines(status: SummariesStatus, { paint }: Screen): readonly string[] {
  const { adapter, model, pending, waiting, late, refused, spent, budgets } = status;
  const choices = choiceLines(status, paint);
  const isUsed =
    adapter !== "off" ||
    late.length + refused > 0 ||
    (status.chooser === undefined && spent.requests + spent.tokens > 0);
  if (!isUsed) return choices;
  const rows = [
    ...(pending === 0
      ? []
      : [["Pending", `${counted(pending, "summary", "summaries")} (heartwood summaries pending)`]]),
    ...(refused === 0 ? [] : [["Refused", paint.warn(counted(refused, "answer"))]]),
    ...(spent.requests === 0 && (budgets === null || adapter === "pull")
      ? []
      : [["Today", spentText({ spent, budgets })]]),
  ];
  return [
    paint.title(`Summaries by ${adapter === "off" ? "a model: off" : (model ?? adapter)}`),
    ...aligned(rows),
    ...firstOf(aligned(waiting.map(waitingRow)), ROWS, asItIs),
    ...firstOf(aligned(late.map(({ path, reopen }) => [path, "answered late", reopen])), ROWS, asItIs),
    ...choices,
  ];
}

/** What all requests of the day cost, against what a choice may find spent. */
function choiceLines({ chooser, spent }: SummariesStatus, paint: Screen["paint"]): readonly string[] {
  if (chooser === undefined) return [];
  const title = paint.title(`Nodes for recall chosen by ${chooser.model}`);
  return [title, ...aligned([["Today", spentText({ spent, budgets: chooser.budgets })]])];
}

/** When its runs or days are over, a node is fixed without an answer. */
function waitingRow({ path, runs, since, until }: SummariesStatus["waiting"][number]): readonly string[] {
  const begun = since === null ? "" : `since ${since} (${counted(runs, "run")})`;
  return [
    path,
    "waits for an answer",
    [begun, ...(until === null ? [] : [`until ${until}`])].filter(Boolean).join(", "),
  ];
}

function asItIs(row: string): string {
  return row;
}
