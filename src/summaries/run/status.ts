import { shortDigest } from "../../base/digest.ts";
import { addDays, isDay, localDay } from "../../base/calendar.ts";
import { isInTheWay, MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { LedgerLine } from "../../tree/answers/ledger.ts";
import { printJobId } from "../../tree/answers/record.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { nodePath } from "../../tree/model/period.ts";
import type { ListedRecord } from "../../tree/answers/record.ts";
import type { TreeState } from "../../tree/model/tree-state.ts";
import { acceptedFor, askableNodes, isSummary, waitEnds, waitingNodes } from "../../tree/plan/status.ts";
import { firstUsable, listAllRecords, readLedgerFile } from "../../tree/run/answer-store.ts";
import { readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import type { LedgerInput } from "./inputs.ts";
import type { LedgerEntry, LedgerResult, Spent, SummariesStatus } from "./results.ts";
import type { RootLook } from "./root-subject.ts";
import { budgetsOf, choiceBudgets, effectiveSettings, isChoosingOff } from "./settings.ts";

/** Where no model is configured and no answer is on record. */
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

/** The state of summaries by a model, as far as names of files and the ledger show it. */
export async function readSummariesStatus(memory: SummaryMemory, look: RootLook): Promise<SummariesStatus> {
  const { configuration, loaded } = look;
  const { state } = loaded;
  const settings = effectiveSettings(memory, configuration);
  const { adapter } = settings;
  const known = state.answers?.known ?? new Map<string, never>();
  const { chooser: named } = memory;
  const chooser =
    named === undefined || isChoosingOff(configuration)
      ? undefined
      : { model: named.id, budgets: budgetsOf(choiceBudgets(memory, configuration)) };
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
    spent: isOff && chooser === undefined ? noSummaries.spent : await readSpent(memory),
    budgets: isOff ? null : budgetsOf(settings),
    ...(chooser === undefined ? {} : { chooser }),
  };
}

/** What `summaries pending` would list: nodes, ROOT.md where no node is listed, and threads. */
async function countPending(memory: SummaryMemory, look: RootLook): Promise<number> {
  const nodes = askableNodes(look.loaded.state).filter((node) => node.state === "due").length;
  return nodes + (nodes > 0 ? 0 : await countPendingRoot(memory, look)) + (await countPendingThreads(memory));
}

async function countPendingRoot(memory: SummaryMemory, look: RootLook): Promise<number> {
  const { rootSubjects } = await import("./root-subject.ts");
  const due = (await rootSubjects(memory, look)).filter((subject) => subject.state === "due");
  if (due.length === 0) return 0;
  try {
    const records = await listAllRecords(memory, "root");
    const answered = await Promise.all(due.map((subject) => firstUsable(memory, records, subject)));
    return answered.filter((record) => record === undefined).length;
  } catch (error) {
    // Where records cannot be read, nothing can be recorded either.
    if (isInTheWay(error)) return 0;
    throw error;
  }
}

/** A store of threads that is not there is not opened. */
async function countPendingThreads(memory: SummaryMemory): Promise<number> {
  if ((await memory.files.list(".heartwood/threads")).length === 0) return 0;
  const { mostThreadSubjects, threadSubjects } = await import("./thread-subject.ts");
  return (await threadSubjects(memory, { limit: mostThreadSubjects })).length;
}

/** Refused answers beside which none was accepted: a corrected one needs no look any more. */
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

/** Nothing where the ledger cannot be read: a warning says so, and the rest is known all the same. */
async function readSpent(memory: SummaryMemory): Promise<Spent> {
  try {
    const { requests, tokens } = (await readLedgerFile(memory)).fold.totals(memory.clock.today());
    return { requests, tokens };
  } catch (error) {
    if (isInTheWay(error)) return noSummaries.spent;
    throw error;
  }
}

const defaultDays = 30;

/** What was asked, and what it cost, in bounded memory. Errors: `invalid_date`, `invalid_config`. */
export async function readLedger(memory: TreeMemory, input: LedgerInput): Promise<LedgerResult> {
  const today = localDay(memory.clock.now(), memory.clock.zone);
  const since = sinceDay(input.since, today);
  const limit = input.limit ?? 50;
  const { configuration } = await readConfiguration(memory);
  let lines: LedgerLine[] = [];
  const { fold, torn } = await readLedgerFile(memory, (line) => {
    if (line.day >= since) lines.push(line);
    if (lines.length === limit * 2) lines = lines.slice(limit);
  });
  const { requests, tokens } = fold.totals(today);
  return {
    days: fold.days().filter(({ day }) => day >= since),
    lines: lines.slice(-limit).toReversed().map(entryOf),
    spent: { requests, tokens },
    budgets: budgetsOf(effectiveSettings(memory, configuration)),
    torn,
  };
}

/** A choice is no job. */
function entryOf(line: LedgerLine): LedgerEntry {
  const { kind, label, digest } = line;
  return digest === undefined || kind === "choice" ? line : { ...line, job_id: printJobId({ kind, label, digest }) };
}

function sinceDay(given: string | undefined, today: string): string {
  if (given === undefined) return today > "0001-02-01" ? addDays(today, 1 - defaultDays) : "0001-01-01";
  if (isDay(given)) return given;
  const message = `since is ${JSON.stringify(shown(given, 40))}; give a day as 2026-03-15.`;
  throw new MemoryError("invalid_date", message, { field: "since" });
}
