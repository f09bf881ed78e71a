import type { Month } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { isTemporaryName } from "../../base/known-paths.ts";
import { decodeText, joinLines } from "../../base/lines.ts";
import type { FileEntry, Files, FileStamp } from "../../platform/files.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import type { TreeMemory } from "../memory.ts";
import {
  changesName,
  memoryFolder,
  monthOfFile,
  monthsAround,
  type NodeLevel,
  nodeLevels,
  nodePath,
  recordsFolder,
  recordsPath,
} from "../model/period.ts";
import { noLateRecords } from "../model/late-records.ts";
import { parseRecords } from "../model/records-format.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { lateSourcesOf } from "../plan/late-sources.ts";
import type { Step } from "../plan/plan.ts";
import { isRacy, isWatched } from "./idle.ts";
import { isSettled } from "./tree-files.ts";
import { addRows, type CacheEntries, noCache, readCache, type SettledMonth, type TreeCache } from "./tree-cache.ts";

type MonthFiles = ReadonlyMap<Month, readonly (readonly [string, FileStamp])[]>;

/** What is known before the folders are read. `basis`: what months must be settled for; without it, all are opened. */
export async function cacheFor(
  files: Files,
  known: "used" | "ignored" | { readonly cacheable: CacheEntries; readonly basis: string | undefined },
  basis: string | undefined,
): Promise<TreeCache> {
  if (known === "used") return readCache(files, basis);
  if (known === "ignored") return noCache;
  const { logs, nodes, months } = known.cacheable;
  const rows = { logs: new Map(logs), nodes: new Map(nodes) };
  const isSame = basis !== undefined && known.basis === basis;
  if (!isSame) for (const month of months.values()) addRows(rows, month.all());
  return { ...rows, months: isSame ? months : new Map(), writtenAt: Number.POSITIVE_INFINITY };
}

/** The folders of the tree, and the months in them that are as they were when they were settled. */
export class Listing {
  /** Every entry the tree depends on. */
  readonly stamps = new Map<string, FileStamp>();
  /** The files with records. */
  readonly records: readonly FileEntry[];
  readonly settled = new Map<Month, SettledMonth>();
  hasLeftovers = false;
  readonly #entries = new Map<NodeLevel | "memory", readonly FileEntry[]>();
  readonly #recent = new Set<string>();
  #files: MonthFiles = new Map();

  constructor(records: readonly FileEntry[]) {
    this.records = records;
    this.hasLeftovers = records.some(({ name }) => isTemporaryName(name));
  }

  /** Reads the folders. `writtenAt`: of the cache. */
  async read({ files }: Pick<TreeMemory, "files">, writtenAt: number): Promise<void> {
    for (const level of [...nodeLevels, "memory"] as const) {
      const folder = level === "memory" ? memoryFolder : `${memoryFolder}/${level}`;
      const entries = await files.list(folder);
      this.#entries.set(level, entries);
      for (const { name, stamp, changedAt } of entries) {
        if (isTemporaryName(name)) this.hasLeftovers = true;
        else if (isWatched(level, name)) this.stamps.set(`${folder}/${name}`, stamp);
        if (isRacy(changedAt, writtenAt)) this.#recent.add(`${folder}/${name}`);
      }
    }
    for (const { name, changedAt } of this.records)
      if (isRacy(changedAt, writtenAt)) this.#recent.add(`${recordsFolder}/${name}`);
  }

  entries(level: NodeLevel | "memory"): readonly FileEntry[] {
    return this.#entries.get(level) ?? [];
  }

  /** Takes the settled months of which no file has changed. Returns the cache with the rows of the others. */
  settle(cache: TreeCache): TreeCache {
    if (cache.months.size === 0) return cache;
    this.#files = filesByMonth(this.stamps);
    const stamps = stampsOf(this.records);
    const rows = { logs: new Map(cache.logs), nodes: new Map(cache.nodes) };
    for (const [month, known] of cache.months) {
      const own = this.#files.get(month) ?? [];
      const paths = [...own.map(([path]) => path), ...recordsOf(month).map((name) => `${recordsFolder}/${name}`)];
      const isSame = known.key === keyOf(month, own, stamps) && !paths.some((path) => this.#recent.has(path));
      if (isSame) this.settled.set(month, known);
      else addRows(rows, known.all());
    }
    return { ...cache, ...rows };
  }

  /** The settled month of a log or node. */
  settledOf(path: string): SettledMonth | undefined {
    return this.settled.size > 0 && this.stamps.has(path) ? this.settled.get(monthOfFile(path) ?? "") : undefined;
  }

  /** The files with records, without those of which all nodes are in settled months. */
  recordsToRead(): readonly FileEntry[] {
    return this.records.filter(({ name }) => {
      const month = recordsName.exec(name)?.[1];
      const own = month === undefined ? [] : monthsAround(month).filter((one) => this.#files.has(one));
      return own.length === 0 || !own.every((one) => this.settled.has(one));
    });
  }
}

const recordsName = /^fixed-(\d{4}-(?:0[1-9]|1[0-2]))\.jsonl$/u;

/** The files with the records of a month's nodes: a week may begin in another month than it counts to. */
function recordsOf(month: Month): readonly string[] {
  return monthsAround(month).map((one) => `fixed-${one}.jsonl`);
}

/** Names the files of a month and the records of its nodes, with their stamps. `records`: by name. */
function keyOf(
  month: Month,
  files: readonly (readonly [string, FileStamp])[],
  records: ReadonlyMap<string, FileStamp>,
): string {
  const rows = files.map(([path, stamp]) => `${path} ${stamp}`).toSorted();
  return sha256(joinLines([...rows, ...recordsOf(month).map((name) => records.get(name) ?? "")]));
}

/** What months are settled for beside their files: the program, and the records of changes. */
export function basisOf({ version }: TreeMemory["program"], records: readonly FileEntry[]): string {
  return basisFor(version, stampsOf(records).get(changesName));
}

function basisFor(version: string, changes: FileStamp | undefined): string {
  return `${version} ${ruleSetId} ${changes ?? ""}`;
}

/** As `basisOf`, after a run: also with the records of changes that it added, unless others were added meanwhile. */
export async function basisAfter(
  { files, program }: Pick<TreeMemory, "files" | "program">,
  { late = noLateRecords }: TreeState,
  records: readonly FileEntry[],
): Promise<string> {
  const read = await files.read(recordsPath);
  const now = parseRecords(decodeText(read?.bytes ?? new Uint8Array(0)) ?? "");
  const idsOf = (all: readonly { readonly id: string }[]): string => joinLines(all.map(({ id }) => id).toSorted());
  return idsOf(now) === idsOf(late.all) ? basisFor(program.version, read?.stamp) : basisOf(program, records);
}

function stampsOf(records: readonly FileEntry[]): ReadonlyMap<string, FileStamp> {
  return new Map(records.map(({ name, stamp }) => [name, stamp]));
}

function filesByMonth(stamps: ReadonlyMap<string, FileStamp>): MonthFiles {
  const found = new Map<Month, (readonly [string, FileStamp])[]>();
  for (const file of stamps) {
    const month = monthOfFile(file[0]);
    if (month === undefined) continue;
    const own = found.get(month);
    if (own === undefined) found.set(month, [file]);
    else own.push(file);
  }
  return found;
}

/**
 * The months that are settled after a run, with their keys: all files were read, all nodes are fixed and as heartwood
 * wrote them, and nothing is due or late. `records`: as they were when they were read; if they changed since, the keys do
 * not fit, and the next run looks again.
 */
export function settledNow(run: {
  readonly state: TreeState;
  readonly steps: readonly Step[];
  readonly stamps: ReadonlyMap<string, FileStamp>;
  readonly records: readonly FileEntry[];
  readonly entries: CacheEntries;
}): ReadonlyMap<Month, string> {
  const { state, steps, stamps, entries } = run;
  const byName = stampsOf(run.records);
  const late = lateSourcesOf(state, new Set()).map(({ path }) => path);
  const missing = late.concat(steps.map(({ name }) => nodePath(name)));
  const busy = new Set(missing.map(monthOfFile));
  const settled = new Map<Month, string>();
  for (const [month, own] of filesByMonth(stamps)) {
    const key = keyOf(month, own, byName);
    const isKnown = entries.months.get(month)?.key === key;
    const isRead = ([path]: readonly [string, FileStamp]): boolean =>
      entries.logs.has(path) || isFixed(entries.nodes.get(path)?.facts);
    const hasNode = entries.nodes.has(nodePath({ level: "monthly", period: month, late: 0 }));
    if (!busy.has(month) && (isKnown || (hasNode && own.every(isRead)))) settled.set(month, key);
  }
  return settled;
}

function isFixed(facts: NodeFacts | undefined): boolean {
  return facts !== undefined && isSettled(facts) && facts.name.late === 0;
}
