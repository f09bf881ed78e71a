import { Buffer } from "node:buffer";
import { isText, listOf, parseObject } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import { ofTree, type ChangeRecord } from "../model/records-format.ts";
import { cacheFolder } from "./idle.ts";
import type { Day } from "../../base/calendar.ts";
import { MemoryError, ifInTheWay } from "../../base/errors.ts";
import { greatest } from "../../base/lists.ts";
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
import { winnerOf, type FixedRecord } from "../model/fixed-records.ts";
import { noLateRecords } from "../model/late-records.ts";
import { lateSourcesOf } from "../plan/late-sources.ts";
import { addFixedRecords, appendRecords, readFixedRecords, readRecords, type NewRecord } from "../logs/records.ts";
import type { TreeMemory } from "../memory.ts";

/** A request to build fixed nodes again. */
export interface Redo {
  /** A period, `FROM..TO`, `late`, or with `accept` also `all`. */
  readonly what: string;
  /** `accept`: nodes of logs that are gone are removed too. */
  readonly action: "reopen" | "accept";
}

/** What the input asks to build again, if anything. Errors: `invalid_period`. */
export function redoOf({ reopen, accept }: { readonly reopen?: string; readonly accept?: string }): Redo | undefined {
  if (reopen !== undefined && accept !== undefined)
    throw new MemoryError("invalid_period", "Both a period to reopen and one to accept were given; accept does both.");
  if (accept !== undefined) return { what: accept, action: "accept" };
  return reopen === undefined ? undefined : { what: reopen, action: "reopen" };
}

/** The paths of the nodes to remove: of the periods, of all periods below them with addenda, and of all their ancestors. */
export function planReopen(state: TreeState, { what, action }: Redo): readonly string[] {
  const late = state.nodes.all().flatMap(({ name }) => (name.late > 0 ? [name] : []));
  const changed = action === "reopen" ? [] : changedDays(state);
  const chosen =
    what === "late" ? late : what === "all" && action === "accept" ? changed : periodsOf(state, { what, action });
  const found = new Set<string>();
  for (const place of chosen) {
    const below = [...late, ...changed].filter(({ level, period }) => {
      return ancestorsOf(level, period).some((above) => periodKey(above) === periodKey(place));
    });
    for (const member of [place, ...below].flatMap((one) => [one, ...ancestorsOf(one.level, one.period)]))
      for (const node of state.nodes.of(member.level, member.period))
        if (action === "accept" ? node.reading !== "unknown" : hasSources(state, node)) found.add(nodePath(node.name));
  }
  return [...found].toSorted();
}

/** The days whose logs a person edited or removed after their node was fixed. */
function changedDays(state: TreeState): readonly Place[] {
  const changed = lateSourcesOf(state, new Set()).filter(({ code }) => code !== "late_source");
  return [...new Set(changed.map(({ period }) => period))].map((period) => ({ level: "daily", period }));
}

function periodsOf(state: TreeState, { what, action }: Redo): readonly Place[] {
  const [first = "", last = first, ...more] = what.split("..");
  const level = levelOf(first);
  if (level === undefined || levelOf(last) !== level || more.length > 0 || last < first) {
    const seen = shown(what, 60);
    const message = `The period is "${seen}"; it must be a day, week or month (2026-03-15, 2026-W11, 2026-03), a range FROM..TO of one kind, ${action === "accept" ? "late or all" : "or late"}.`;
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

/**
 * Removes nodes so the run rebuilds them. Their bytes are archived and journaled first, and it is recorded that nothing
 * of them is late any more.
 */
export async function reopenPeriods(memory: TreeMemory, state: TreeState, redo: Redo): Promise<void> {
  const files: { readonly path: string; readonly bytes: Uint8Array }[] = [];
  for (const path of planReopen(state, redo)) {
    const read = await memory.files.read(path);
    if (read !== undefined) files.push({ path, bytes: read.bytes });
  }
  if (files.length === 0) return;
  await journalReplaced(memory, { action: "reopen", what: redo.what }, files);
  const paths = files.map(({ path }) => path);
  // In this order, a crash leaves nodes that are rebuilt as they were.
  await removeNodes(memory, paths);
  await addFixedRecords(
    memory.files,
    paths.flatMap((node): readonly FixedRecord[] => {
      const known = (state.late ?? noLateRecords).fixed(node);
      return known?.listed === undefined ? [] : [{ kind: "fixed", node, version: known.version + 1 }];
    }),
  );
  await recordLate(
    memory,
    paths.flatMap((path) => (state.late ?? noLateRecords).folded(path)),
  );
}

/**
 * Records that nodes are again what they were before they were reopened. Call it before their bytes are restored, with the
 * `tree` lock held. `at`: when they were reopened.
 */
export async function undoReopening(memory: TreeMemory, paths: readonly string[], at: string): Promise<void> {
  const nodes = new Set(paths);
  const fixed = (await readFixedRecords(memory.files)).filter(({ node }) => nodes.has(node));
  const before: FixedRecord[] = [];
  for (const [node, records] of Map.groupBy(fixed, ({ node: path }) => path)) {
    const version = greatest(records.map((record) => record.version));
    const earlier = records.filter((record) => record.version < version && record.of !== undefined);
    const { of } = winnerOf(earlier) ?? {};
    if (of !== undefined) before.push({ kind: "fixed", node, version: version + 1, of });
  }
  await addFixedRecords(memory.files, before);
  const folded = (await readRecords(memory.files)).filter((record) => {
    return record.kind === "late" && record.late === 0 && nodes.has(record.node) && record.at >= at;
  });
  await recordLate(
    memory,
    folded.map(({ id }) => ({ kind: "undone", of: id })),
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
  const paths = plannedDrops(state, days);
  await removeNodes(memory, paths);
  return paths;
}

/** The paths of the nodes of these days and of all nodes above them. */
export function plannedDrops(state: TreeState, days: Iterable<Day>): readonly string[] {
  const found = new Set<string>();
  for (const day of days)
    for (const { level, period } of [{ level: "daily", period: day } as const, ...ancestorsOf("daily", day)])
      for (const node of state.nodes.of(level, period))
        if (node.reading !== "unknown" && (level === "daily" || hasSources(state, node)))
          found.add(nodePath(node.name));
  return [...found].toSorted();
}

/**
 * Parents first, each level on disk before the next: after a crash, a parent left without its children would become
 * fixed before they are rebuilt.
 */
export async function removeNodes({ files }: Pick<TreeMemory, "files">, paths: readonly string[]): Promise<void> {
  for (const level of nodeLevels.toReversed()) {
    const own = paths.filter((path) => path.startsWith(`${memoryFolder}/${level}/`));
    if (own.length > 0) await files.commit(own.map((path) => ({ path, bytes: undefined, expect: "anything" })));
  }
}

/** The ids of the records that the nodes of this clone follow. Disposable: without it, their nodes are built once more. */
const appliedPath = `${cacheFolder}/records.json`;

/** The records that the nodes of this clone do not follow yet. */
export async function unappliedOf(files: Files, records: readonly ChangeRecord[]): Promise<readonly ChangeRecord[]> {
  if (records.length === 0) return [];
  const applied = await readApplied(files);
  return ofTree(records).filter(({ id }) => !applied.has(id));
}

async function readApplied(files: Files): Promise<ReadonlySet<string>> {
  const read = await files.read(appliedPath).catch(ifInTheWay(() => undefined));
  const ids = parseObject(decodeText(read?.bytes ?? Buffer.alloc(0)) ?? "")?.["applied"];
  return new Set(areIds(ids) ? (ids as readonly string[]) : []);
}

const areIds = listOf(isText);

export async function writeApplied(files: Files, ids: Iterable<string>): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify({ applied: [...ids] })}\n`);
  await files.commit([{ path: appliedPath, bytes, expect: "anything" }]).catch(ifInTheWay(() => undefined));
}

/**
 * Records what is late. The nodes of this clone follow these records from the start; that is noted first, so that a
 * crash in between does not make the run take them for those of another clone.
 */
export async function recordLate(memory: TreeMemory, added: readonly NewRecord[]): Promise<readonly ChangeRecord[]> {
  return appendRecords(memory, added, async (records) => {
    const applied = await readApplied(memory.files);
    await writeApplied(memory.files, [...applied, ...records.map(({ id }) => id)]);
  });
}
