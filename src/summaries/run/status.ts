import { shortDigest } from "../../base/digest.ts";
import { addDays, isDay } from "../../base/calendar.ts";
import { ifInTheWay, MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { LedgerLine } from "../../tree/answers/ledger.ts";
import { printJobId, summaryKinds } from "../../tree/answers/record.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { nodePath } from "../../tree/model/period.ts";
import type { ListedRecord } from "../../tree/answers/record.ts";
import type { TreeState } from "../../tree/model/tree-state.ts";
import { acceptedFor, isSummary, waitEnds, waitingNodes } from "../../tree/plan/status.ts";
import { readLedgerFile } from "../../tree/run/answer-store.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import { readSpent, budgetsOf, effectiveSettings, isChoosingOff, narrowed } from "./budget.ts";
import type { LedgerInput, LedgerEntry, LedgerResult, SummariesStatus } from "./inputs-and-results.ts";
import type { RootLook } from "./root-subject.ts";

/** The status when no model is configured and no answer is recorded. */
export const noSummaries: SummariesStatus = {
  adapter: "off",
  model: null,
  pending: 0,
  waiting: [],
  late: [],
  refused: 0,
  spent: { requests: 0, tokens: 0 },
  budgets: null,
};

/** The state of model-written summaries, as far as file names and the ledger show it. */
export async function readSummariesStatus(memory: SummaryMemory, look: RootLook): Promise<SummariesStatus> {
  const { configuration, loaded } = look;
  const { state } = loaded;
  const settings = effectiveSettings(memory, configuration);
  const { adapter } = settings;
  const known = state.answers?.known ?? new Map<string, never>();
  const { chooser: named, user } = memory;
  const chooser =
    named === undefined || user.recall === undefined || isChoosingOff(configuration)
      ? undefined
      : { model: named.id, budgets: budgetsOf(narrowed(user.recall, configuration)) };
  const isOff = adapter === "off";
  if (isOff && known.size === 0 && chooser === undefined) return noSummaries;
  return {
    adapter,
    model: isOff ? null : adapter === "pull" ? "pull" : (memory.summarizer?.id ?? null),
    pending: isOff ? 0 : await countPending(memory, look),
    waiting: waitingNodes(state).map(({ name }) => {
      const path = nodePath(name);
      const { runs, since } = state.answers?.waited.get(path) ?? { runs: 0, since: null };
      return { path, runs, since, until: since === null ? null : waitEnds(since) };
    }),
    late: lateAnswers(state),
    refused: [...known.values()].reduce((sum, answers) => sum + refusedAlone(answers), 0),
    spent:
      isOff && chooser === undefined
        ? noSummaries.spent
        : await readSpent(memory).catch(ifInTheWay(() => noSummaries.spent)),
    budgets: isOff ? null : budgetsOf(settings),
    ...(chooser === undefined ? {} : { chooser }),
  };
}

/** The number of jobs `summaries pending` would list. Kinds whose records cannot be read count as zero, since no answer could be recorded. */
async function countPending(memory: SummaryMemory, look: RootLook): Promise<number> {
  const [{ openSubjects }, { unanswered }] = await Promise.all([import("./jobs.ts"), import("./subject.ts")]);
  const source = openSubjects(memory, look);
  let pending = 0;
  for (const kind of summaryKinds) {
    // ROOT.md is never due while a node is, so skip the cost of rendering it.
    if (kind === "root" && pending > 0) continue;
    const found = await unanswered(memory, source, kind).catch(ifInTheWay(() => []));
    pending += found.filter(({ state }) => state === "due").length;
  }
  return pending;
}

/** Refused answers that no accepted answer has replaced; a corrected one needs no more attention. */
function refusedAlone(answers: readonly ListedRecord[]): number {
  const accepted = new Set(answers.filter(({ state }) => state === "accepted").map(({ basis }) => basis));
  return answers.filter(({ state, basis }) => state === "refused" && !accepted.has(basis)).length;
}

function lateAnswers(state: TreeState): SummariesStatus["late"] {
  const late = state.nodes.all().filter((node) => {
    if (node.status !== "fixed" || !isSummary(node)) return false;
    const [accepted] = acceptedFor(state.answers, node);
    return accepted !== undefined && accepted.digest !== shortDigest(node.answer?.digest ?? "");
  });
  return late.map(({ name }) => ({ path: nodePath(name), reopen: `heartwood compact --reopen ${name.period}` }));
}

const defaultDays = 30;

/** The requests sent and their cost, in bounded memory. Errors: `invalid_date`, `invalid_config`. */
export async function readLedger(memory: TreeMemory, input: LedgerInput): Promise<LedgerResult> {
  const today = memory.clock.today();
  const since = sinceDay(input.since, today);
  const limit = input.limit ?? 50;
  const { configuration } = await readConfiguration(memory);
  const lines: LedgerLine[] = [];
  const { fold, torn } = await readLedgerFile(memory, (line) => {
    if (line.day >= since) lines.push(line);
    if (lines.length > limit) lines.shift();
  });
  const { requests, tokens } = fold.totals(today);
  return {
    days: fold.days().filter(({ day }) => day >= since),
    lines: lines.toReversed().map(entryOf),
    spent: { requests, tokens },
    budgets: budgetsOf(effectiveSettings(memory, configuration)),
    torn,
  };
}

/** A choice has no job id. */
function entryOf(line: LedgerLine): LedgerEntry {
  const { kind, label, digest } = line;
  return digest === undefined || kind === "choice" ? line : { ...line, job_id: printJobId({ kind, label, digest }) };
}

function sinceDay(given: string | undefined, today: string): string {
  if (given === undefined) return today > "0001-02-01" ? addDays(today, 1 - defaultDays) : "0001-01-01";
  if (isDay(given)) return given;
  const message = `since is ${JSON.stringify(shown(given, 40))}; use a day such as 2026-03-15.`;
  throw new MemoryError("invalid_date", message, { field: "since" });
}
