import { Buffer } from "node:buffer";
import type { Month } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { isInTheWay, MemoryError } from "../../base/errors.ts";
import { once } from "../../base/lines.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import { parseSource, parseTopics, printSource, printTopics, type RawSource } from "../model/node-sections.ts";
import type { LogFaults } from "../model/raw-scan.ts";
import type { FileEntry, FileStamp, Files } from "../../platform/files.ts";
import { logName } from "../compose/compose-day.ts";
import { monthOfFile, nodePath, type NodeName } from "../model/period.ts";
import type { DividedLog, NodeFacts, RawLog } from "../model/tree-state.ts";
import { manyLines } from "../plan/late-sources.ts";
import { cacheFolder, isRacy, writeCacheFile } from "./idle.ts";

/** A log that is not blank. */
export interface CachedLog {
  readonly source: RawSource;
  readonly faults: LogFaults;
  /** `none`: the current rules find no secret in it. Default: unknown. */
  readonly secrets?: "none" | undefined;
  /** Default: not read, or not needed. */
  readonly divided?: DividedLog | undefined;
  /** The digest of the keys of its sections. Default: not needed. */
  readonly keys?: string | undefined;
}

interface LogEntry {
  readonly stamp: FileStamp;
  readonly log: CachedLog;
}

interface NodeEntry {
  readonly stamp: FileStamp;
  readonly facts: NodeFacts;
}

interface Rows {
  readonly logs: ReadonlyMap<string, LogEntry>;
  readonly nodes: ReadonlyMap<string, NodeEntry>;
}

/** What is known of logs and nodes. Of the `months`, `logs` and `nodes` have only what is notable. */
export interface CacheEntries extends Rows {
  readonly months: ReadonlyMap<Month, SettledMonth>;
}

/**
 * Facts from files whose stamps have not changed. Disposable: without it everything is reread, with the same result.
 * Files changed just before the cache was written are also reread (git's racy-clean rule).
 */
export interface TreeCache extends CacheEntries {
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

export const noCache: TreeCache = { logs: new Map(), nodes: new Map(), months: new Map(), writtenAt: 0 };

/**
 * A month whose nodes are all fixed and of which nothing was due, late or unread when the cache was written. While no
 * file of it changes, that stays so, and most of its rows are never parsed.
 */
export class SettledMonth {
  /** Names its files and their stamps; empty for a month that was not settled. */
  readonly key: string;
  /** The rows of the monthly node, and of logs of which more than the source is of interest. */
  readonly notable: Rows;
  /** As in the cache. */
  readonly printed: PrintedMonth;
  readonly #rest: () => Rows;

  constructor(printed: PrintedMonth) {
    this.printed = printed;
    this.key = printed.key;
    this.notable = readRows(printed.notable);
    this.#rest = once(() => readRows(printed.rest.toString("utf8")));
  }

  all(): Rows {
    const { logs, nodes } = this.#rest();
    return {
      logs: new Map([...this.notable.logs, ...logs]),
      nodes: new Map([...this.notable.nodes, ...nodes]),
    };
  }

  node(name: NodeName): NodeFacts {
    const path = nodePath(name);
    const known = this.notable.nodes.get(path)?.facts;
    return known ?? new SettledNode(name, () => this.#rest().nodes.get(path)?.facts ?? damaged());
  }

  log(path: string, bytes: number): RawLog {
    const known = this.notable.logs.get(path)?.log;
    if (known !== undefined) return rawLogOf(path, bytes, known);
    const source = (): RawSource => this.#rest().logs.get(path)?.log.source ?? damaged();
    return {
      path,
      bytes,
      get source() {
        return source();
      },
      marks: [],
      secrets: "none",
    };
  }
}

interface PrintedMonth {
  readonly key: string;
  /** JSON, parsed at once. */
  readonly notable: string;
  /** JSON, parsed when something asks for it. */
  readonly rest: Buffer;
}

function damaged(): never {
  const path = `${cacheFolder}/${cacheName}`;
  throw new MemoryError("io", `${path} is damaged: delete it; the next run writes it again.`, { path });
}

/** A node of such a month. */
class SettledNode implements NodeFacts {
  readonly name: NodeName;
  readonly status = "fixed";
  readonly reading = "ours";
  readonly problem = undefined;
  readonly #facts: () => NodeFacts;

  constructor(name: NodeName, facts: () => NodeFacts) {
    this.name = name;
    this.#facts = facts;
  }

  get topics() {
    return this.#facts().topics;
  }
  get sources() {
    return this.#facts().sources;
  }
  get madeBy() {
    return this.#facts().madeBy;
  }
  get redactedBy() {
    return this.#facts().redactedBy;
  }
  get answer() {
    return this.#facts().answer;
  }
  get since() {
    return this.#facts().since;
  }
  get content() {
    return this.#facts().content;
  }
  get recorded() {
    return this.#facts().recorded;
  }
  get lines() {
    return this.#facts().lines;
  }
  get bytes() {
    return this.#facts().bytes;
  }
}

export function rawLogOf(path: string, bytes: number, log: CachedLog | undefined): RawLog {
  return {
    path,
    bytes,
    source: log?.source,
    marks: log?.divided?.marks ?? [],
    sections: log?.divided?.sections,
    secrets: log?.secrets,
    corrects: log?.faults.corrects,
  };
}

const cacheName = "tree.json";
export const cacheVersion = 9;

interface LogRow extends Omit<CachedLog, "source" | "secrets"> {
  readonly stamp: FileStamp;
  readonly source: string;
  /** The rule set that finds no secret in it. */
  readonly withoutSecrets?: string;
}

/** Topics and sources are parsed only when needed: thousands of nodes are loaded, few are inspected. */
interface NodeRow extends Omit<NodeFacts, "topics" | "sources" | "problem"> {
  readonly stamp: FileStamp;
  readonly topics: string;
  readonly sources: readonly string[];
}

/** The cached facts of a file, unless it changed since. */
export function current<Known extends { readonly stamp: FileStamp }>(
  known: Known | undefined,
  entry: Pick<FileEntry, "stamp" | "changedAt">,
  { writtenAt }: TreeCache,
): Known | undefined {
  return known?.stamp !== entry.stamp || isRacy(entry.changedAt, writtenAt) ? undefined : known;
}

/**
 * Reads the cache; an unusable one is treated as empty. `basis`: what months are settled for (`basisOf`); without it, or
 * if it changed, the rows of all months are read.
 */
export async function readCache(files: Files, basis?: string): Promise<TreeCache> {
  try {
    const entry = (await files.list(cacheFolder)).find(({ name }) => name === cacheName);
    const read = entry === undefined ? undefined : await files.read(`${cacheFolder}/${cacheName}`);
    const bytes = Buffer.from(read?.bytes ?? []);
    const headEnd = bytes.indexOf("\n") + 1;
    const head = parseObject(bytes.toString("utf8", 0, headEnd));
    const isWhole = head?.["version"] === cacheVersion && head["sha256"] === sha256(bytes.subarray(headEnd));
    if (entry === undefined || !isWhole) return noCache;
    const restStart = bytes.indexOf("\n\n", headEnd - 1) + 2;
    const lines = bytes.toString("utf8", headEnd, restStart).split("\n").slice(0, -2);
    const [logs, nodes] = [new Map<string, LogEntry>(), new Map<string, NodeEntry>()];
    const months = new Map<Month, SettledMonth>();
    let from = restStart;
    for (const line of lines) {
      const [month = "", key = "", size = "", notable = ""] = line.split("\t");
      const rest = bytes.subarray(from, (from += Number(size)));
      const known = new SettledMonth({ key, notable, rest });
      const isSettled = key !== "" && basis !== undefined && head["basis"] === basis;
      if (isSettled) months.set(month, known);
      addRows({ logs, nodes }, isSettled ? known.notable : known.all());
    }
    return { logs, nodes, months, writtenAt: entry.changedAt };
  } catch (error) {
    if (isInTheWay(error)) return noCache;
    throw error;
  }
}

export function addRows(to: { logs: Map<string, LogEntry>; nodes: Map<string, NodeEntry> }, rows: Rows): void {
  for (const [path, row] of rows.logs) to.logs.set(path, row);
  for (const [path, row] of rows.nodes) to.nodes.set(path, row);
}

function readRows(text: string): Rows {
  const value = parseObject(text);
  const logs = rowsOf<LogRow>(value?.["logs"]).flatMap(([path, row]): readonly (readonly [string, LogEntry])[] => {
    const { stamp, source: printed, withoutSecrets, faults, divided, keys } = row;
    const source = parseSource(printed);
    const secrets = withoutSecrets === ruleSetId ? "none" : undefined;
    return source?.kind === "raw" ? [[path, { stamp, log: { source, secrets, faults, divided, keys } }]] : [];
  });
  const nodes = rowsOf<NodeRow>(value?.["nodes"]);
  return {
    logs: new Map(logs),
    nodes: new Map(nodes.map(([path, row]) => [path, { stamp: row.stamp, facts: readNode(row) }])),
  };
}

function rowsOf<Row>(value: unknown): readonly (readonly [string, Row])[] {
  const rows = isObject(value) ? Object.entries(value) : [];
  return rows.flatMap(([path, row]) => (isObject(row) ? [[path, row as unknown as Row] as const] : []));
}

interface PrintedRows {
  readonly logs: Record<string, LogRow>;
  readonly nodes: Record<string, NodeRow>;
}

/** Does not wait for the disk. `settled`: the keys of the months that are settled now. */
export async function writeCache(
  files: Files,
  entries: CacheEntries,
  { basis, settled }: { readonly basis: string; readonly settled: ReadonlyMap<Month, string> },
): Promise<void> {
  const printed = new Map<Month, PrintedMonth>();
  const rows = { logs: new Map<string, LogEntry>(), nodes: new Map<string, NodeEntry>() };
  for (const [month, one] of entries.months)
    if (settled.get(month) === one.key) printed.set(month, one.printed);
    else addRows(rows, one.all());
  addRows(rows, entries);
  const opened = new Map<Month, { readonly notable: PrintedRows; readonly rest: PrintedRows }>();
  const place = (path: string, is: "notable" | "rest"): PrintedRows | undefined => {
    const month = monthOfFile(path) ?? "";
    if (printed.has(month)) return undefined;
    const own = opened.get(month) ?? { notable: { logs: {}, nodes: {} }, rest: { logs: {}, nodes: {} } };
    opened.set(month, own);
    return own[is];
  };
  for (const [path, { stamp, log }] of rows.logs) {
    const { source, secrets, faults, divided, keys } = log;
    const without = secrets === "none" ? { withoutSecrets: ruleSetId } : {};
    const to = place(path, isNotable(path, log) ? "notable" : "rest")?.logs;
    if (to !== undefined) to[path] = { stamp, source: printSource(source), faults, divided, keys, ...without };
  }
  for (const [path, { stamp, facts }] of rows.nodes) {
    const to = place(path, facts.name.level === "monthly" ? "notable" : "rest")?.nodes;
    if (to !== undefined) to[path] = rowOf(facts, stamp);
  }
  for (const [month, { notable, rest }] of opened) {
    const key = settled.get(month) ?? "";
    printed.set(month, { key, notable: JSON.stringify(notable), rest: Buffer.from(JSON.stringify(rest)) });
  }
  const lines = Array.from(printed, ([month, { key, notable, rest }]) => {
    return `${month}\t${key}\t${rest.length}\t${notable}\n`;
  });
  const rests = Array.from(printed.values(), ({ rest }) => rest);
  const body = Buffer.concat([Buffer.from(`${lines.join("")}\n`), ...rests]);
  const head = JSON.stringify({ version: cacheVersion, basis, sha256: sha256(body) });
  await writeCacheFile(files, `${cacheFolder}/${cacheName}`, Buffer.concat([Buffer.from(`${head}\n`), body]));
}

/** Whether more of a log is of interest than its source, as long as it does not change. */
function isNotable(path: string, { faults, divided, secrets }: CachedLog): boolean {
  const { conflicts, told = "", tags, unheaded, corrects = [] } = faults;
  const isFaulty = conflicts.length + tags.length + corrects.length > 0 || unheaded >= manyLines;
  return isFaulty || !logName(path).startsWith(told) || divided !== undefined || secrets !== "none";
}

/** The rows that were read: thousands of nodes are written again, of which few have changed. */
const rowsRead = new WeakMap<NodeFacts, NodeRow>();

function rowOf(facts: NodeFacts, stamp: FileStamp): NodeRow {
  const read = rowsRead.get(facts);
  if (read !== undefined) return read.stamp === stamp ? read : { ...read, stamp };
  return { ...facts, stamp, topics: printTopics(facts.topics), sources: facts.sources.map(printSource) };
}

function readNode(row: NodeRow): NodeFacts {
  const { topics, sources: printed, stamp: _stamp, ...facts } = row;
  const sources = once(() => printed.map(parseSource).filter((source) => source !== undefined));
  const read: NodeFacts = {
    ...facts,
    problem: undefined,
    get topics() {
      return parseTopics(topics);
    },
    get sources() {
      return sources();
    },
  };
  rowsRead.set(read, row);
  return read;
}
