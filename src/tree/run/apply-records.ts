import { archiveBytes } from "../logs/archive.ts";
import type { TreeMemory } from "../memory.ts";
import {
  ancestorsOf,
  nodePath,
  parseLogFile,
  parseNodePath,
  memoryFolder,
  periodKey,
  type Place,
} from "../model/period.ts";
import type { ChangeRecord } from "../model/records-format.ts";
import { type TreeState, rawSourcesOf, type NodeFacts, type RawDay } from "../model/tree-state.ts";
import { isForeign, isOurs, dayParts, parentParts } from "../plan/late-parts.ts";
import { plannedDrops, removeNodes, writeApplied } from "./reopen.ts";
import { keysOf, listing, type FixedRecord } from "../model/fixed-records.ts";
import { noLateRecords } from "../model/late-records.ts";
import { readSections } from "../logs/raw-logs.ts";
import { addFixedRecords } from "../logs/records.ts";
import type { LogSection } from "../model/log-sections.ts";

/** The nodes that records of another clone, or of an edit, change: they are removed and built again. */
export function planApply(state: TreeState, unapplied: readonly ChangeRecord[]): readonly string[] {
  const all = state.late?.all ?? [];
  const byId = new Map(all.map((record) => [record.id, record]));
  const touched = unapplied.map((record) => (record.kind === "undone" ? (byId.get(record.of) ?? record) : record));
  const days = touched.flatMap(logsTouched).flatMap((log) => {
    const name = parseLogFile(log.slice(memoryFolder.length + 1));
    return name.state === "log" ? [name.day] : [];
  });
  const late = touched.flatMap((record): readonly Place[] => {
    const name = record.kind === "late" ? parseNodePath(record.node) : undefined;
    return name === undefined ? [] : [name, ...ancestorsOf(name.level, name.period)];
  });
  const own = late
    .flatMap(({ level, period }) => state.nodes.of(level, period))
    // What a person wrote gives way only to a change of what it was made from.
    .filter((node) => node.reading === "ours" && !isForeign(node))
    .map(({ name }) => nodePath(name));
  return [...new Set([...plannedDrops(state, days), ...own])].toSorted();
}

function logsTouched(record: ChangeRecord): readonly string[] {
  if (record.kind === "removed") return [record.log];
  if (record.kind === "renamed") return record.logs;
  return record.kind === "forgotten" ? [record.place] : [];
}

/** Removes the nodes that do not follow the records yet, for the run to build them again. Call it with the `tree` lock held. */
export async function applyRecords(
  memory: TreeMemory,
  state: TreeState,
  unapplied: readonly ChangeRecord[],
): Promise<"dropped" | "none"> {
  if (unapplied.length === 0) return "none";
  const paths = planApply(state, unapplied);
  const forgotten = new Set(
    planApply(
      state,
      unapplied.filter(({ kind }) => kind === "forgotten"),
    ),
  );
  for (const path of paths) {
    const node = state.nodes.get(path);
    if (node === undefined || forgotten.has(path) || !isForeign(node)) continue;
    const read = await memory.files.read(path);
    if (read !== undefined) await archiveBytes(memory.files, path, read.bytes);
  }
  await removeNodes(memory, paths);
  await writeApplied(
    memory.files,
    (state.late?.all ?? []).map(({ id }) => id),
  );
  return paths.length === 0 ? "none" : "dropped";
}

/** More sections than this in a day are not listed, to keep the records small. */
const mostListed = 20_000;

/**
 * Records what each node that became fixed was made from, unless another clone recorded it already. A node whose sources
 * a person edited or removed is recorded once that was accepted. Call it with the `tree` lock held, after a run. Returns `keysOf` of the logs whose
 * sections were read.
 */
export async function recordFixed(
  memory: TreeMemory,
  state: TreeState,
  listings: ReadonlyMap<string, DayListing>,
): Promise<ReadonlyMap<string, string>> {
  const records: FixedRecord[] = [];
  const keys = new Map<string, string>();
  for (const node of state.nodes.all()) {
    if (state.settled?.has(periodKey(node.name)) === true) continue;
    const path = nodePath(node.name);
    const known = (state.late ?? noLateRecords).fixed(path);
    if (node.name.late > 0 || node.status !== "fixed" || known?.listed !== undefined || !isOurs(node)) continue;
    const made = listings.get(path);
    const of =
      made !== undefined && isStill(made, state, node)
        ? listingMade(made, keys)
        : await listingOf(memory, state, { node, keys });
    if (of !== undefined) records.push({ kind: "fixed", node: path, version: known?.version ?? 1, of });
  }
  await addFixedRecords(memory.files, records);
  return keys;
}

/** What a daily node was made from, listed when it was composed, so that its logs need not be read again. */
export interface DayListing {
  readonly node: NodeFacts;
  readonly day: RawDay;
  readonly late: TreeState["late"];
  readonly of: FixedRecord["of"];
  readonly keys: ReadonlyMap<string, string>;
}

/** `sections`: of the logs that the node was made from. */
export function listDay(
  state: TreeState,
  node: NodeFacts,
  sections: ReadonlyMap<string, readonly LogSection[]>,
): DayListing | undefined {
  const day = state.days.get(node.name.period);
  if (node.name.level !== "daily" || node.name.late > 0 || node.status !== "fixed" || day === undefined)
    return undefined;
  const logs = day.logs.map((log) => ({ ...log, sections: log.sections ?? sections.get(log.path) }));
  if (logs.some((log) => log.sections === undefined)) return undefined;
  const unread = day.logs.filter((log) => log.sections === undefined);
  const keys = new Map(unread.map(({ path }) => [path, keysOf(sections.get(path) ?? [])]));
  return { node, day, late: state.late, of: listingOfDay(state, node, { ...day, logs }), keys };
}

/** Whether everything that the listing depends on is as it was. */
function isStill({ node, day, late }: DayListing, state: TreeState, now: NodeFacts): boolean {
  const { level, period } = now.name;
  return (
    node === now && day === state.days.get(period) && late === state.late && state.nodes.of(level, period).length === 1
  );
}

function listingMade({ of, keys }: DayListing, known: Map<string, string>): FixedRecord["of"] {
  for (const [path, key] of keys) known.set(path, key);
  return of;
}

/** `undefined` if what the node was made from is not there any more. */
async function listingOf(
  memory: TreeMemory,
  state: TreeState,
  { node, keys }: { readonly node: NodeFacts; readonly keys: Map<string, string> },
): Promise<FixedRecord["of"]> {
  const { name } = node;
  if (name.level !== "daily") {
    const { sources, base } = parentParts(state, name);
    return sources === "lost" || base.from.kind === "logs" ? undefined : base.from.children.map(nodePath);
  }
  const raw = state.days.get(name.period);
  return raw && listingOfDay(state, node, await withSections(memory, raw, keys));
}

function listingOfDay(state: TreeState, node: NodeFacts, raw: RawDay): FixedRecord["of"] {
  const { sources, pieces } = dayParts(state, raw);
  if (sources === "lost" || pieces.length > mostListed) return undefined;
  const byLog = Map.groupBy(pieces, ({ path }) => path);
  return Array.from(byLog, ([path, own]) => {
    const { lines = 0, part = [] } = rawSourcesOf(node).find((source) => source.path === path) ?? {};
    const last = own.at(-1);
    const tail = part.length > 0 || last === undefined ? undefined : lines - last.line + 1;
    return `${path} ${listing(
      own.map(({ piece }) => piece),
      tail,
    )}`;
  });
}

async function withSections({ files }: TreeMemory, raw: RawDay, keys: Map<string, string>): Promise<RawDay> {
  const logs: RawDay["logs"][number][] = [];
  for (const log of raw.logs) {
    const wanted = { counts: new Set<number>(), lines: new Set<number>() };
    const sections = log.sections ?? (await readSections(files, log.path, wanted));
    if (log.sections === undefined) keys.set(log.path, keysOf(sections));
    logs.push({ ...log, sections });
  }
  return { ...raw, logs };
}
