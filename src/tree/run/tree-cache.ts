import { Buffer } from "node:buffer";
import { isInTheWay } from "../../base/errors.ts";
import { once } from "../../base/lines.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import { parseSource, parseTopics, printSource, printTopics, type RawSource } from "../model/node-sections.ts";
import type { LogSection } from "../model/log-sections.ts";
import type { LogFaults } from "../model/raw-scan.ts";
import type { FileEntry, FileStamp, Files } from "../../platform/files.ts";
import { nodePath } from "../model/period.ts";
import type { NodeFacts, PrefixMark } from "../model/tree-state.ts";
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

/** What tells the lines of a log from each other that different nodes have. */
export interface DividedLog {
  /** What was asked for. */
  readonly by: string;
  readonly marks: readonly PrefixMark[];
  readonly sections: readonly LogSection[];
}

export interface CacheEntries {
  readonly logs: ReadonlyMap<string, { readonly stamp: FileStamp; readonly log: CachedLog }>;
  readonly nodes: ReadonlyMap<string, { readonly stamp: FileStamp; readonly facts: NodeFacts }>;
}

/**
 * Facts from files whose stamps have not changed. Disposable: without it everything is reread, with the same result.
 * Files changed just before the cache was written are also reread (git's racy-clean rule).
 */
export interface TreeCache extends CacheEntries {
  /** Milliseconds since the epoch. */
  readonly writtenAt: number;
}

export const noCache: TreeCache = { logs: new Map(), nodes: new Map(), writtenAt: 0 };

const cacheName = "tree.json";
const cacheVersion = 8;

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

/** Reads the cache; an unusable one is treated as empty. */
export async function readCache(files: Files): Promise<TreeCache> {
  try {
    const entry = (await files.list(cacheFolder)).find(({ name }) => name === cacheName);
    const read = entry === undefined ? undefined : await files.read(`${cacheFolder}/${cacheName}`);
    const value = parseObject(Buffer.from(read?.bytes ?? []).toString("utf8"));
    if (entry === undefined || value?.["version"] !== cacheVersion) return noCache;
    const [logs, nodes] = [rowsOf<LogRow>(value["logs"]), rowsOf<NodeRow>(value["nodes"])];
    return {
      logs: new Map(
        logs.flatMap(([path, { stamp, source: printed, withoutSecrets, faults, divided, keys }]) => {
          const source = parseSource(printed);
          const secrets = withoutSecrets === ruleSetId ? ("none" as const) : undefined;
          return source?.kind === "raw"
            ? [[path, { stamp, log: { source, secrets, faults, divided, keys } }] as const]
            : [];
        }),
      ),
      nodes: new Map(nodes.map(([path, row]) => [path, { stamp: row.stamp, facts: readNode(row) }])),
      writtenAt: entry.changedAt,
    };
  } catch (error) {
    if (isInTheWay(error)) return noCache;
    throw error;
  }
}

function rowsOf<Row>(value: unknown): readonly (readonly [string, Row])[] {
  const rows = isObject(value) ? Object.entries(value) : [];
  return rows.flatMap(([path, row]) => (isObject(row) ? [[path, row as unknown as Row] as const] : []));
}

/** Does not wait for the disk. */
export async function writeCache(files: Files, entries: CacheEntries): Promise<void> {
  const logs = Object.fromEntries(
    Array.from(entries.logs, ([path, { stamp, log }]): [string, LogRow] => {
      const { source, secrets, faults, divided, keys } = log;
      const without = secrets === "none" ? { withoutSecrets: ruleSetId } : {};
      return [path, { stamp, source: printSource(source), faults, divided, keys, ...without }];
    }),
  );
  const nodes = Object.fromEntries(
    Array.from(entries.nodes.values(), ({ stamp, facts }) => [nodePath(facts.name), rowOf(facts, stamp)] as const),
  );
  const text = JSON.stringify({ version: cacheVersion, logs, nodes });
  await writeCacheFile(files, `${cacheFolder}/${cacheName}`, Buffer.from(text));
}

/** The rows that were read: thousands of nodes are written again, of which few have changed. */
const readRows = new WeakMap<NodeFacts, NodeRow>();

function rowOf(facts: NodeFacts, stamp: FileStamp): NodeRow {
  const read = readRows.get(facts);
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
  readRows.set(read, row);
  return read;
}
