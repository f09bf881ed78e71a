import { mostWaits, waitEnds, waitingNodes } from "../plan/status.ts";
import { nodePath, rootPath } from "../model/period.ts";
import type { DueReason, Step } from "../plan/plan.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import type { Configuration } from "../setup/configuration.ts";
import type { TreeMemory } from "../memory.ts";
import type { DueNode } from "./idle.ts";
import type { RootReason } from "../root-run/root-run.ts";
import type { StateFile } from "./tree-files.ts";

const reasons: Readonly<Record<DueReason, string>> = {
  new: "its sources have no node yet",
  changed: "its sources changed",
  status: "its period ended, so it becomes fixed",
  rule: "the rule that made it is no longer used",
  late: "data arrived after it was fixed; an addendum has it",
  foreign: "its body was not written by heartwood; it is recorded",
  damaged: "its front matter cannot be read; it is rebuilt",
  adopt: "it was not made by heartwood; it is adopted, or rebuilt from its sources",
  answer: "a model answer for it was recorded or dropped",
};

const rootReasons: Readonly<Record<RootReason, string>> = {
  new: "it does not exist yet",
  changed: "its sources or its contents changed",
  ages: "it is a new day, so the ages of its topics changed",
  adopt: "it was not made by heartwood; it is rebuilt, and lines that only it has are added to today's log",
  damaged: "its front matter cannot be read; it is rebuilt",
  answer: "a model answer was recorded after it was made, or its own was dropped",
};

/** The due nodes with explanations, in the order in which a run processes them. */
export function dueNodes(
  state: TreeState,
  steps: readonly Step[],
  root: RootReason | undefined,
  notes: readonly DueNode[] = [],
): readonly DueNode[] {
  const nodes = steps.map(({ name, reason }): DueNode => {
    return { path: nodePath(name), level: name.level, period: name.period, reason, detail: reasons[reason] };
  });
  const planned = new Set(nodes.map(({ path }) => path));
  const waiting = waitingNodes(state).map((facts) => waitingNode(state, facts));
  const due = [...notes, ...nodes, ...waiting.filter(({ path }) => !planned.has(path))];
  if (root === undefined) return due;
  return [...due, { path: rootPath, level: "root", period: "ROOT", reason: root, detail: rootReasons[root] }];
}

/** A run that finds this node waiting only counts the wait and leaves the node unchanged. */
function waitingNode(state: TreeState, { name }: NodeFacts): DueNode {
  const path = nodePath(name);
  const waited = state.answers?.waited.get(path);
  const until = waitEnds(waited?.since ?? state.today);
  const detail = `it is waiting for a model answer (${waited?.runs ?? 0} of ${mostWaits.runs} runs, until ${until}); then it is fixed without one`;
  return { path, level: name.level, period: name.period, reason: "answer", detail };
}

const mostLines = 300;
const mostEntries = 5;

/** Whether a run should start: a node is due, and enough was logged or enough time has passed since the last run. */
export function gateOf(
  memory: TreeMemory,
  due: readonly DueNode[],
  stateFile: StateFile,
  { cooldownHours }: Configuration,
): { readonly yes: boolean; readonly reason: string } {
  const { rawLines, entries, lastRun = Number.NEGATIVE_INFINITY } = stateFile;
  const hours = (memory.clock.now() - lastRun) / 3_600_000;
  if (due.length === 0) return { yes: false, reason: "no node is due" };
  if (stateFile.state !== "read") return { yes: true, reason: `the state file is ${stateFile.state}` };
  if (cooldownHours === 0) return { yes: true, reason: "cooldownHours is 0" };
  if (rawLines > mostLines)
    return { yes: true, reason: `${rawLines} lines were logged since the last run (more than ${mostLines})` };
  if (entries > mostEntries)
    return { yes: true, reason: `${entries} entries were logged since the last run (more than ${mostEntries})` };
  if (hours < 0) return { yes: true, reason: "the last run is in the future" };
  if (!Number.isFinite(hours)) return { yes: true, reason: "no earlier run is recorded" };
  const ago = `the last run was ${hours.toFixed(1)} hours ago`;
  if (hours >= cooldownHours) return { yes: true, reason: ago };
  return { yes: false, reason: `${ago}; cooldownHours is ${cooldownHours}` };
}
