import { isInTheWay, MemoryError } from "../../base/errors.ts";
import { acceptedFor, digitsOfName, isSummary, waitEnds, askableNodes, waitingNodes } from "../../tree/plan/status.ts";
import type { KnownAnswer, NodeFacts, TreeState } from "../../tree/model/tree-state.ts";
import { nodePath } from "../../tree/model/period.ts";
import { type Configuration, readConfiguration } from "../../tree/setup/configuration.ts";
import type { SummaryMemory } from "../memory.ts";
import type { SummariesStatus, LedgerEntry, LedgerResult } from "./results.ts";
import type { RootLook } from "./root-subject.ts";
import type { Subject } from "./subject.ts";
import { budgetsOf, choiceBudgets, effectiveSettings, isChoosingOff } from "./settings.ts";
import { addDays, isDay, localDay } from "../../base/calendar.ts";
import { shown } from "../../text/shown.ts";
import type { LedgerLine } from "../../tree/answers/ledger.ts";
import { readLedgerFile } from "../../tree/run/answer-store.ts";
import { printJobId } from "../../tree/answers/record.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import type { LedgerInput } from "./inputs.ts";

/** What status says where no model is configured and no answer is on record. */
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

/** How things stand with summaries by a model, as far as names of files and the ledger tell. */
export async function readSummariesStatus(
  memory: SummaryMemory,
  { configuration, loaded }: RootLook,
): Promise<SummariesStatus> {
  const { state } = loaded;
  const settings = effectiveSettings(memory, configuration);
  const { adapter } = settings;
  const known = state.answers?.known ?? new Map<string, never>();
  const chooser = chooserOf(memory, configuration);
  const isOff = adapter === "off";
  if (isOff && known.size === 0 && chooser === undefined) return noSummaries;
  return {
    adapter,
    model: isOff ? null : adapter === "pull" ? "pull" : (memory.summarizer?.id ?? null),
    pending: isOff ? 0 : await countPending(memory, { configuration, loaded }),
    waiting: waitingNodes(state).map((node) => waitingFact(state, node)),
    late: lateAnswers(state),
    refused: [...known.values()].reduce((sum, answers) => sum + refusedAlone(answers), 0),
    spent: isOff && chooser === undefined ? noSummaries.spent : await readSpent(memory),
    budgets: isOff ? null : budgetsOf(settings),
    ...(chooser === undefined ? {} : { chooser }),
  };
}

function chooserOf(memory: SummaryMemory, configuration: Configuration): SummariesStatus["chooser"] {
  if (memory.chooser === undefined || isChoosingOff(configuration)) return undefined;
  return { model: memory.chooser.id, budgets: budgetsOf(choiceBudgets(memory, configuration)) };
}

/** What `summaries pending` would list: nodes, ROOT.md where no node is listed, and threads. */
async function countPending(memory: SummaryMemory, look: RootLook): Promise<number> {
  const nodes = askableNodes(look.loaded.state).filter((node) => node.state === "due").length;
  const others = [...(nodes > 0 ? [] : await pendingRoot(memory, look)), ...(await pendingThreads(memory))];
  return nodes + others.length;
}

async function pendingRoot(memory: SummaryMemory, look: RootLook): Promise<readonly Subject[]> {
  const { rootSubjects } = await import("./root-subject.ts");
  const due = (await rootSubjects(memory, look)).filter((subject) => subject.state === "due");
  if (due.length === 0) return [];
  const { firstUsable, listAllRecords } = await import("../../tree/run/answer-store.ts");
  try {
    const records = await listAllRecords(memory, "root");
    const answered = await Promise.all(due.map((subject) => firstUsable(memory, records, subject)));
    return due.filter((_, index) => answered[index] === undefined);
  } catch (error) {
    // Where records cannot be read, nothing can be recorded either.
    if (isInTheWay(error)) return [];
    throw error;
  }
}

/** A store of threads that is not there is not opened. */
async function pendingThreads(memory: SummaryMemory): Promise<readonly Subject[]> {
  if ((await memory.files.list(".heartwood/threads")).length === 0) return [];
  const { mostThreadSubjects, threadSubjects } = await import("./thread-subject.ts");
  return threadSubjects(memory, { limit: mostThreadSubjects });
}

/** Refused answers beside which none was accepted: a corrected one is nothing to look at any more. */
function refusedAlone(answers: readonly KnownAnswer[]): number {
  const accepted = new Set(answers.filter(({ state }) => state === "accepted").map(({ basis }) => basis));
  return answers.filter(({ state, basis }) => state === "refused" && !accepted.has(basis)).length;
}

function waitingFact(state: TreeState, { name }: NodeFacts): SummariesStatus["waiting"][number] {
  const path = nodePath(name);
  const waited = state.answers?.waited.get(path);
  const since = waited?.since ?? null;
  return { path, runs: waited?.runs ?? 0, since, until: since === null ? null : waitEnds(since) };
}

/** Answers that came after their node was fixed. */
function lateAnswers(state: TreeState): SummariesStatus["late"] {
  const late = state.nodes.all().filter((node) => {
    if (node.status !== "fixed" || !isSummary(state, node)) return false;
    const accepted = acceptedFor(state.answers, node.name, node.sources);
    return accepted !== undefined && accepted.digest !== node.answer?.digest.slice(0, digitsOfName);
  });
  return late.map(({ name }) => ({ path: nodePath(name), reopen: `heartwood compact --reopen ${name.period}` }));
}

/** A ledger that cannot be read is told of by a warning; the tree is no less known for it. */
async function readSpent(memory: SummaryMemory): Promise<SummariesStatus["spent"]> {
  const { readLedgerFile } = await import("../../tree/run/answer-store.ts");
  try {
    const { requests, tokens } = (await readLedgerFile(memory)).fold.totals(memory.clock.today());
    return { requests, tokens };
  } catch (error) {
    if (isInTheWay(error)) return noSummaries.spent;
    throw error;
  }
}

const defaultDays = 30;

/** What was asked, and what it cost. Holds few more lines than it gives. Errors: `invalid_date`, `invalid_config`. */
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

function entryOf(line: LedgerLine): LedgerEntry {
  const { kind, label, digest } = line;
  // A choice is nobody's job.
  if (digest === undefined || kind === "choice") return line;
  return { ...line, job_id: printJobId({ kind, label, digest }) };
}

function sinceDay(given: string | undefined, today: string): string {
  if (given === undefined) return today > "0001-02-01" ? addDays(today, 1 - defaultDays) : "0001-01-01";
  if (isDay(given)) return given;
  throw new MemoryError("invalid_date", `since is ${JSON.stringify(shown(given, 40))}; give a day as 2026-03-15.`, {
    field: "since",
  });
}
