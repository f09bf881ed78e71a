import { Buffer } from "node:buffer";
import { isInTheWay } from "../../base/errors.ts";
import { isObject, parseObject } from "../../base/json.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import {
  parseSource,
  parseTopics,
  printSource,
  printTopics,
  type RawSource,
  type Source,
} from "../model/node-sections.ts";
import type { LogFaults } from "../model/raw-scan.ts";
import type { FileEntry, FileStamp, Files } from "../../platform/files.ts";
import { nodePath } from "../model/period.ts";
import type { NodeFacts } from "../model/tree-state.ts";
import { writeCacheFile, isRacy } from "./idle.ts";

/**
 * What was read of files whose stamps have not changed since. Disposable: without it everything is read again, with the same result.
 * A file changed in the last moments before the cache was written is read again (the racy-clean rule of git's index).
 */
export interface TreeCache {
  raw(path: string, entry: Pick<FileEntry, "stamp" | "changedAt">): CachedLog | undefined;
  node(path: string, entry: Pick<FileEntry, "stamp" | "changedAt">): NodeFacts | undefined;
}

export interface CachedLog {
  readonly source: RawSource;
  readonly content: "blank" | "text";
  readonly faults: LogFaults;
  /** `none`: the rules in force find no secret in it. Default: not known. */
  readonly secrets?: "none" | undefined;
}

export interface CacheEntries {
  readonly logs: ReadonlyMap<string, { readonly stamp: FileStamp; readonly log: CachedLog }>;
  readonly nodes: ReadonlyMap<string, { readonly stamp: FileStamp; readonly facts: NodeFacts }>;
}

export const cacheFolder = ".heartwood/cache";
const cacheName = "tree.json";
const cacheVersion = 6;

interface LogRow extends Omit<CachedLog, "source" | "secrets"> {
  readonly stamp: FileStamp;
  readonly source: string;
  /** The rules that find no secret in it. */
  readonly withoutSecrets?: string;
}

/** Topics and sources stay text until they are needed: thousands of nodes are loaded, and few are looked at. */
interface NodeRow extends Omit<NodeFacts, "topics" | "sources" | "problem"> {
  readonly stamp: FileStamp;
  readonly topics: string;
  readonly sources: readonly string[];
}

interface Rows {
  readonly logs: Readonly<Record<string, LogRow>>;
  readonly nodes: Readonly<Record<string, NodeRow>>;
  /** When they were written. Milliseconds since the epoch. */
  readonly changedAt: number;
}

/** Reads the cache; whatever is wrong with it, the answer is an empty one. */
export async function readCache(files: Files): Promise<TreeCache> {
  const rows = await readRows(files).catch((error: unknown) => {
    if (isInTheWay(error)) return undefined;
    throw error;
  });
  const current = <Row extends { readonly stamp: FileStamp }>(
    row: Row | undefined,
    { stamp, changedAt }: Pick<FileEntry, "stamp" | "changedAt">,
  ): Row | undefined => (row?.stamp !== stamp || isRacy(changedAt, rows?.changedAt ?? 0) ? undefined : row);
  return {
    raw: (path, entry) => readLog(current(rows?.logs[path], entry)),
    node: (path, entry) => readNode(current(rows?.nodes[path], entry)),
  };
}

async function readRows(files: Files): Promise<Rows | undefined> {
  const entry = (await files.list(cacheFolder)).find(({ name }) => name === cacheName);
  const read = entry === undefined ? undefined : await files.read(`${cacheFolder}/${cacheName}`);
  const value = parseObject(Buffer.from(read?.bytes ?? []).toString("utf8"));
  if (entry === undefined || value?.["version"] !== cacheVersion) return undefined;
  if (!isObject(value["logs"]) || !isObject(value["nodes"])) return undefined;
  return { ...(value as unknown as Rows), changedAt: entry.changedAt };
}

/** Writes it, without waiting for the disk. */
export async function writeCache(files: Files, entries: CacheEntries): Promise<void> {
  const logs = Object.fromEntries(
    Array.from(entries.logs, ([path, { stamp, log }]): [string, LogRow] => {
      const { source, content, faults, secrets } = log;
      const without = secrets === "none" ? { withoutSecrets: ruleSetId } : {};
      return [path, { stamp, source: printSource(source), content, faults, ...without }];
    }),
  );
  const nodes = Object.fromEntries(
    Array.from(entries.nodes.values(), ({ stamp, facts }): [string, NodeRow] => {
      const topics = printTopics(facts.topics);
      return [nodePath(facts.name), { ...facts, stamp, topics, sources: facts.sources.map(printSource) }];
    }),
  );
  const text = JSON.stringify({ version: cacheVersion, logs, nodes });
  await writeCacheFile(files, `${cacheFolder}/${cacheName}`, Buffer.from(text));
}

function readLog(row: LogRow | undefined): CachedLog | undefined {
  const source = row === undefined ? undefined : parseSource(row.source);
  if (row === undefined || source?.kind !== "raw") return undefined;
  const { content, faults, withoutSecrets } = row;
  return { source, content, faults, secrets: withoutSecrets === ruleSetId ? "none" : undefined };
}

function readNode(row: NodeRow | undefined): NodeFacts | undefined {
  if (row === undefined) return undefined;
  const { topics, sources: printed, stamp: _stamp, ...facts } = row;
  let sources: readonly Source[] | undefined;
  return {
    ...facts,
    problem: undefined,
    get topics() {
      return parseTopics(topics);
    },
    get sources() {
      sources ??= printed.map(parseSource).filter((source) => source !== undefined);
      return sources;
    },
  };
}
