import type { Day } from "../../base/calendar.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import {
  ancestorsOf,
  childrenOf,
  levelBelow,
  levelOf,
  memoryFolder,
  nodeLevels,
  nodePath,
  periodKey,
  type Place,
} from "../model/period.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { journalReplaced } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";

/** The paths of the nodes that reopening would remove: the periods, all periods below them with addenda, and all their ancestors. */
export function planReopen(state: TreeState, what: string): readonly string[] {
  const late = state.nodes.all().filter((node) => node.name.late > 0);
  const chosen = what === "late" ? late.map(({ name }) => name) : periodsOf(state, what);
  const found = new Set<string>();
  for (const place of chosen) {
    const below = late
      .map(({ name }) => name)
      .filter(({ level, period }) => {
        return ancestorsOf(level, period).some((above) => periodKey(above) === periodKey(place));
      });
    for (const member of [place, ...below].flatMap((one) => [one, ...ancestorsOf(one.level, one.period)]))
      for (const node of state.nodes.of(member.level, member.period))
        if (hasSources(state, node)) found.add(nodePath(node.name));
  }
  return [...found].toSorted();
}

function periodsOf(state: TreeState, what: string): readonly Place[] {
  const [first = "", last = first, ...more] = what.split("..");
  const level = levelOf(first);
  if (level === undefined || levelOf(last) !== level || more.length > 0 || last < first) {
    const seen = shown(what, 60);
    const message = `The period is "${seen}"; it must be a day, week or month (2026-03-15, 2026-W11, 2026-03), a range FROM..TO of one kind, or late.`;
    throw new MemoryError("invalid_period", message, { period: seen });
  }
  const places = state.nodes
    .periods(level)
    .filter((period) => period >= first && period <= last)
    .map((period) => ({ level, period }));
  if (places.length > 0) return places;
  const message = `No node for ${what}: heartwood tree lists all nodes.`;
  throw new MemoryError("not_found", message, { period: what });
}

/** Whether a node can be rebuilt. One that cannot is kept. */
function hasSources(state: TreeState, { name: { level, period }, reading }: NodeFacts): boolean {
  if (reading === "unknown") return false;
  const below = levelBelow(level);
  if (below === undefined) return state.days.has(period);
  return childrenOf(level, period).some((child) => state.nodes.of(below, child).length > 0);
}

/** Removes nodes so the run rebuilds them. Their bytes are archived and journaled first. */
export async function reopenPeriods(memory: TreeMemory, state: TreeState, what: string): Promise<void> {
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const path of planReopen(state, what)) {
    const read = await memory.files.read(path);
    if (read !== undefined) files.push({ path, bytes: read.bytes });
  }
  if (files.length === 0) return;
  await journalReplaced(memory, { action: "reopen", what }, files);
  await removeNodes(
    memory,
    files.map(({ path }) => path),
  );
}

/**
 * Removes the nodes of these days, with addenda, and all nodes above them, so that a run rebuilds them from what the
 * logs have now. Keeps no copy. A node that another program wrote stays, as does a week or month with nothing below it.
 * Call it with the `tree` lock held; returns the paths of the removed nodes.
 */
export async function dropNodes(
  memory: Pick<TreeMemory, "files">,
  state: TreeState,
  days: Iterable<Day>,
): Promise<readonly string[]> {
  const found = new Set<string>();
  for (const day of days)
    for (const { level, period } of [{ level: "daily", period: day } as const, ...ancestorsOf("daily", day)])
      for (const node of state.nodes.of(level, period))
        if (node.reading !== "unknown" && (level === "daily" || hasSources(state, node)))
          found.add(nodePath(node.name));
  const paths = [...found].toSorted();
  await removeNodes(memory, paths);
  return paths;
}

/**
 * Parents first, each level on disk before the next: after a crash, a parent left without its children would become
 * fixed before they are rebuilt.
 */
async function removeNodes({ files }: Pick<TreeMemory, "files">, paths: readonly string[]): Promise<void> {
  for (const level of nodeLevels.toReversed()) {
    const own = paths.filter((path) => path.startsWith(`${memoryFolder}/${level}/`));
    if (own.length > 0) await files.commit(own.map((path) => ({ path, bytes: undefined, expect: "anything" })));
  }
}
