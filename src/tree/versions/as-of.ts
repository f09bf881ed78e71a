import { epochOf, isDay, type Day } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { compareTexts, pushAll } from "../../base/lists.ts";
import type { FileBytes, FileChange, FileEntry, FileStamp, Files } from "../../platform/files.ts";
import { shown } from "../../text/shown.ts";
import { dayOfLog, logName } from "../compose/compose-day.ts";
import { logsIn, PlaceFinder } from "../inspect/trace-places.ts";
import { isStanding } from "../inspect/trace.ts";
import { readNode, type ShowResult } from "../inspect/tree-view.ts";
import { scanLog } from "../logs/raw-logs.ts";
import { readRecords } from "../logs/records.ts";
import { realFilesOf, type TreeMemory, withLogicalLogs } from "../memory.ts";
import {
  ancestorsOf,
  answersFolder,
  daysCovered,
  hasEnded,
  movedPath,
  nodeLevels,
  nodePath,
  periodKey,
  recordsPath,
  rootPath,
} from "../model/period.ts";
import { parseRecords, type ChangeRecord } from "../model/records-format.ts";
import { rawSourcesOf, type NodeFacts, type TreeState } from "../model/tree-state.ts";
import { runCompact } from "../run/compact.ts";
import { loadTree } from "../run/load.ts";
import { encode, stateFilePath } from "../run/tree-files.ts";
import { logAsOf, mayHaveLater, type Arrivals } from "./log-as-of.ts";

/**
 * The memory as it was at the end of a day, compacted for that day: made only from what had been recorded by then. Nothing is written. Nodes of periods
 * that had ended are used as they are, so it costs about a week and a month. Errors: `invalid_date`, `io`, `invalid_config`.
 */
export async function memoryAsOf(opened: TreeMemory, date: string): Promise<TreeMemory> {
  const day = date.trim();
  if (!isDay(day)) {
    const message = `The date is "${shown(day, 40)}"; it must be a day such as 2026-03-15.`;
    throw new MemoryError("invalid_date", message, { date: shown(day, 40) });
  }
  const real = realFilesOf(opened.files);
  const records = await readRecords(real);
  const later = records.filter((record) => isLater(record, day));
  const earlier = new Map(later.length === 0 ? [] : [[recordsPath, await earlierRecords(real, day)]]);
  const then = overlayFiles(real, { isHidden: () => false, replaced: earlier });
  const memory = await withLogicalLogs(viewOf(opened, { files: then }));
  const { state } = await loadTree(memory, { cache: "used" });
  const logs = await logsAsOf(memory, state, { day, later });
  const hidden = hiddenNodes(state, { day, later, records, logs });
  const replaced = new Map([...logs].flatMap(([path, bytes]) => (bytes === undefined ? [] : [[path, bytes] as const])));
  const isHidden = (path: string): boolean =>
    !isSeen(path, "with caches") || path === movedPath || hidden.has(path) || (logs.has(path) && !replaced.has(path));
  const now = epochOf(day, 86_399_000, opened.clock.zone);
  const clock = { id: "end-of-a-day", zone: opened.clock.zone, today: () => day, now: () => now };
  return compacted(viewOf(memory, { files: overlayFiles(memory.files, { isHidden, replaced }), clock }));
}

/** A node or ROOT.md as it was at the end of a day. Errors: those of `memoryAsOf` and `readNode`; `not_found` if nothing had been recorded. */
export async function readNodeAsOf(
  opened: TreeMemory,
  input: { readonly period: string; readonly as_of: string },
): Promise<ShowResult> {
  const memory = await memoryAsOf(opened, input.as_of);
  if ((await memory.files.read(rootPath)) === undefined) {
    const day = memory.clock.today();
    throw new MemoryError("not_found", `Nothing had been recorded by the end of ${day}.`, { date: day });
  }
  return readNode(memory, input);
}

/** The memory in these files, compacted for today without writing anything. Errors: `io`, `invalid_config`. */
export async function memoryIn(opened: TreeMemory, files: ReadableFiles): Promise<TreeMemory> {
  const isOwn = files === opened.files;
  const isHidden = (path: string): boolean => !isSeen(path, isOwn ? "with caches" : "without caches");
  return compacted(viewOf(opened, { files: overlayFiles(isOwn ? realFilesOf(opened.files) : files, { isHidden }) }));
}

/** No lock is needed, because nothing is written. No model is asked, and its answers are not used: they may be of a later day. */
async function compacted(memory: TreeMemory): Promise<TreeMemory> {
  const locks = { id: "no-locks", acquire: async () => ({ release: async () => {} }) };
  const alone = viewOf(memory, { locks, user: { qmd: "off" } });
  await runCompact(alone, {}, {});
  return withLogicalLogs(alone);
}

/** Not a copy: some properties of a memory are getters, evaluated only when used. */
function viewOf(memory: TreeMemory, changed: Partial<TreeMemory>): TreeMemory {
  const own = Object.entries(changed).map(([name, value]) => [name, { value, enumerable: true }] as const);
  return Object.create(memory, Object.fromEntries(own)) as TreeMemory;
}

/** What a version consists of: logs, nodes, records, and the configuration. ROOT.md is composed again. */
function isSeen(path: string, caches: "with caches" | "without caches"): boolean {
  if (path.startsWith("memory/")) return path !== rootPath && path !== stateFilePath;
  if (!path.includes("/")) return path.endsWith(".config.json");
  return caches === "with caches" && path.startsWith(".heartwood/") && !path.startsWith(`${answersFolder}/`);
}

function isLater(record: ChangeRecord, day: Day): boolean {
  return record.at.slice(0, 10) > day || (record.kind === "late" && record.since > day);
}

/** The file of records without the later ones. */
async function earlierRecords(files: ReadableFiles, day: Day): Promise<Uint8Array> {
  const text = decodeText((await files.read(recordsPath))?.bytes ?? new Uint8Array()) ?? "";
  const isEarlier = (line: string): boolean => parseRecords(line).every((record) => !isLater(record, day));
  return encode(text.split("\n").filter(isEarlier).join("\n"));
}

interface Then {
  readonly day: Day;
  /** The records of later days. */
  readonly later: readonly ChangeRecord[];
}

/** The logs that have changed since, as they were; `undefined` for one that did not exist. */
async function logsAsOf(memory: TreeMemory, state: TreeState, { day, later }: Then) {
  const logs = new Map<string, Uint8Array | undefined>();
  for (const one of state.days.values())
    for (const { path } of one.logs) {
      const read = one.day > day ? undefined : await memory.files.read(path);
      const arrivals = await arrivalsOf(memory, state, { path, day, later });
      if (read === undefined) logs.set(path, undefined);
      else if (arrivals.lines.length + arrivals.sections.size > 0 || mayHaveLater(read.bytes, day)) {
        const scan = await scanLog(memory.files, path, { grouping: 0 });
        logs.set(path, logAsOf(read.bytes, scan?.source.sections ?? [], { day, ...arrivals }));
      }
    }
  return logs;
}

/** What is known of the arrival of a log's lines, other than from its entries: from addenda and records. */
async function arrivalsOf(
  memory: TreeMemory,
  state: TreeState,
  { path, day, later }: Then & { readonly path: string },
): Promise<Arrivals> {
  const finder = new PlaceFinder(memory.files, logsIn(state));
  const nodes = state.nodes.of("daily", dayOfLog(path));
  const lines: (readonly [number, number])[] = [];
  for (const node of nodes.filter(({ since = "" }) => since > day))
    for (const source of rawSourcesOf(node).filter((one) => one.path === path))
      for (const { from, to } of source.part) {
        const now = await finder.find({ log: logName(path), from, to }, [source]);
        pushAll(
          lines,
          now.flatMap((one) => (isStanding(one) && one.path === path ? [one.lines] : [])),
        );
      }
  const sections = later.flatMap((record) =>
    record.kind === "late" && record.source === path && record.section !== undefined
      ? [[record.section, record.from ?? 0] as const]
      : [],
  );
  const recorded = nodes.flatMap(rawSourcesOf).filter((source) => source.path === path);
  return { lines, sections: new Map(sections), recorded: recorded.map(({ bytes }) => bytes) };
}

/** The nodes that did not exist at the end of the day, or not as they are now. */
function hiddenNodes(
  state: TreeState,
  {
    day,
    later,
    records,
    logs,
  }: Then & {
    readonly records: readonly ChangeRecord[];
    readonly logs: ReadonlyMap<string, Uint8Array | undefined>;
  },
): ReadonlySet<string> {
  const touched = new Set(later.flatMap((record) => daysTouched(record, records)));
  const changed = new Set<string>();
  const hidden = new Set<string>();
  for (const level of nodeLevels)
    for (const facts of state.nodes.all().filter(({ name }) => name.level === level)) {
      const { name, sources, since = "" } = facts;
      const isSame =
        level === "daily"
          ? !touched.has(name.period) && rawSourcesOf(facts).every((one) => isAsRecorded(one, logs))
          : sources.every(({ path }) => !hidden.has(path));
      const places = [name, ...ancestorsOf(level, name.period)].map(periodKey);
      // An addendum of that day was still tentative: it is composed again, but the node that it is added to is not.
      if (name.late === 0 && (!isSame || isOpen(facts, day))) for (const place of places) changed.add(place);
      if (changed.has(periodKey(name)) || !isSame || since >= day) hidden.add(nodePath(name));
    }
  return hidden;
}

/** Whether the period of a node had not ended, unless the node is all that is known of it. */
function isOpen({ name: { level, period }, reading }: NodeFacts, day: Day): boolean {
  const { first, last } = daysCovered(level, period);
  return first > day || (reading === "unknown" ? last > day : !hasEnded(level, period, day));
}

function isAsRecorded(
  { path, bytes, sha256: digest }: ReturnType<typeof rawSourcesOf>[number],
  logs: ReadonlyMap<string, Uint8Array | undefined>,
): boolean {
  if (!logs.has(path)) return true;
  const then = logs.get(path);
  return then !== undefined && then.length >= bytes && sha256(then.subarray(0, bytes)) === digest;
}

/** The days whose nodes a record changed. */
function daysTouched(record: ChangeRecord, all: readonly ChangeRecord[]): readonly Day[] {
  const paths = record.kind === "removed" ? [record.log] : record.kind === "renamed" ? record.logs : [];
  const undone = record.kind === "undone" ? all.filter(({ id }) => id === record.of) : [];
  const days = paths.map((path) => path.slice("memory/".length).slice(0, 10)).filter(isDay);
  return [...days, ...undone.flatMap((one) => daysTouched(one, all))];
}

/** What is below an overlay; never written. */
export type ReadableFiles = Pick<Files, "id" | "list" | "names" | "read">;

export interface Seen {
  /** Whether a file is left out. */
  readonly isHidden: (path: string) => boolean;
  /** Files with other bytes. Default: none. */
  readonly replaced?: ReadonlyMap<string, Uint8Array>;
}

/** Files that show others in part, or with other bytes. What is written stays in memory. */
export function overlayFiles(below: ReadableFiles, { isHidden, replaced = new Map() }: Seen): Files {
  /** By path; `undefined`: removed. */
  const written = new Map<string, { readonly bytes: Uint8Array; readonly stamp: FileStamp } | undefined>();
  let writes = 0;
  const write = (path: string, bytes: Uint8Array | undefined): FileStamp => {
    const stamp = `overlay ${(writes += 1)}`;
    written.set(path, bytes === undefined ? undefined : { bytes, stamp });
    return stamp;
  };
  for (const [path, bytes] of replaced) write(path, bytes);

  const read = async (path: string, range?: Parameters<Files["read"]>[1]): Promise<FileBytes | undefined> => {
    if (!written.has(path)) return isHidden(path) ? undefined : below.read(path, range);
    const own = written.get(path);
    if (own === undefined) return undefined;
    const { bytes, stamp } = own;
    return { bytes: bytes.slice(range?.from ?? 0, range?.to ?? bytes.length), size: bytes.length, stamp };
  };
  const pathIn = (dir: string, name: string): string => (dir === "" ? name : `${dir}/${name}`);
  const list = async (dir: string): Promise<readonly FileEntry[]> => {
    const entries = new Map<string, FileEntry>();
    for (const entry of await below.list(dir))
      if (entry.kind === "folder" || !isHidden(pathIn(dir, entry.name))) entries.set(entry.name, entry);
    for (const [path, own] of written) {
      const [name = "", ...more] = path.slice(dir === "" ? 0 : dir.length + 1).split("/");
      if (path !== pathIn(dir, [name, ...more].join("/"))) continue;
      const known = { name, changedAt: 0, stamp: "" };
      if (more.length > 0 && own !== undefined && !entries.has(name))
        entries.set(name, { ...known, kind: "folder", size: 0 });
      if (more.length > 0) continue;
      if (own === undefined) entries.delete(name);
      else entries.set(name, { ...known, kind: "file", size: own.bytes.length, stamp: own.stamp });
    }
    return [...entries.values()].toSorted((a, b) => compareTexts(a.name, b.name));
  };
  const isExpected = async ({ path, expect }: FileChange): Promise<boolean> => {
    if (expect === "anything") return true;
    const now = await read(path, { from: 0, to: 0 });
    return expect === "absent" ? now === undefined : now?.stamp === expect.stamp;
  };
  return {
    id: `${below.id}+overlay`,
    list,
    names: async (dir) => (await list(dir)).map(({ name }) => name),
    read,
    append: async (path, bytes) => write(path, Buffer.concat([(await read(path))?.bytes ?? new Uint8Array(), bytes])),
    commit: async (changes) => {
      const outcomes = [];
      for (const change of changes) {
        const { path, bytes } = change;
        if (!(await isExpected(change))) outcomes.push({ path, outcome: "changed" as const });
        else if (bytes === undefined) outcomes.push({ path, outcome: "removed" as const, stamp: write(path, bytes) });
        else outcomes.push({ path, outcome: "written" as const, stamp: write(path, bytes) });
      }
      return outcomes;
    },
  };
}
