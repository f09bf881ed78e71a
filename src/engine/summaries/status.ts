import { isInTheWay } from "../../base/errors.ts";
import { acceptedFor, digitsOfName, isSummary, waitEnds } from "../../tree/answers.ts";
import { askableNodes, waitingNodes } from "../../tree/askable.ts";
import { nodePath } from "../../tree/period.ts";
import type { NodeFacts, TreeState } from "../../tree/state.ts";
import type { Configuration } from "../configuration.ts";
import type { Memory } from "../memory.ts";
import type { SummariesStatus } from "./results.ts";
import { budgetsOf, effectiveSettings } from "./settings.ts";

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
  memory: Memory,
  { configuration, state }: { readonly configuration: Configuration; readonly state: TreeState },
): Promise<SummariesStatus> {
  const settings = effectiveSettings(memory, configuration);
  const { adapter } = settings;
  const known = state.answers?.known ?? new Map<string, never>();
  if (adapter === "off" && known.size === 0) return noSummaries;
  const isOff = adapter === "off";
  return {
    adapter,
    model: isOff ? null : adapter === "pull" ? "pull" : (memory.summarizer?.id ?? null),
    pending: isOff ? 0 : askableNodes(state).filter((node) => node.state === "due").length,
    waiting: waitingNodes(state).map((node) => waitingFact(state, node)),
    late: lateAnswers(state),
    refused: [...known.values()].flat().filter((answer) => answer.state === "refused").length,
    spent: isOff ? noSummaries.spent : await readSpent(memory),
    budgets: isOff ? null : budgetsOf(settings),
  };
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
async function readSpent(memory: Memory): Promise<SummariesStatus["spent"]> {
  const { readLedgerFile } = await import("./ledger.ts");
  try {
    const { requests, tokens } = (await readLedgerFile(memory)).fold.totals(memory.clock.today());
    return { requests, tokens };
  } catch (error) {
    if (isInTheWay(error)) return noSummaries.spent;
    throw error;
  }
}
