import { Buffer } from "node:buffer";
import { isInTheWay } from "../../base/errors.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import {
  parseTopics,
  printTopics,
  parseSource,
  parseSpans,
  printSpans,
  printSource,
  type RawSource,
  type Source,
} from "../model/node-sections.ts";
import type { LogFaults } from "../model/raw-scan.ts";
import type { FileEntry, FileStamp, Files } from "../../platform/files.ts";
import { parseNodeLabel, nodeLabel, type NodeLevel } from "../model/period.ts";
import type { NodeFacts } from "../model/tree-state.ts";
import { writeCacheFile, isRacy } from "./idle.ts";
import { isMemoryType } from "../../base/memory-type.ts";

/**
 * What was read of files whose stamps have not changed since. Disposable: without it everything is read again, with the same result.
 * A file changed in the last moments before the cache was written is read again (the racy-clean rule of git's index).
 */
export interface TreeCache {
  raw(path: string, entry: Pick<FileEntry, "stamp" | "changedAt">): CachedLog | undefined;
  node(path: string, entry: FileEntry): NodeFacts | undefined;
}

export interface CachedLog {
  readonly source: RawSource;
  readonly content: "blank" | "text";
  readonly faults: LogFaults;
  /** `none`: the rules in force find no secret in it. Default: that is not known. */
  readonly secrets?: "none" | undefined;
}

export interface CacheEntries {
  readonly logs: ReadonlyMap<string, { readonly stamp: FileStamp; readonly log: CachedLog }>;
  readonly nodes: ReadonlyMap<string, { readonly stamp: FileStamp; readonly facts: NodeFacts }>;
}

export const cacheFolder = ".heartwood/cache";
const cacheName = "tree.json";
const cacheVersion = 5;

type LogRow = readonly [
  path: string,
  stamp: string,
  source: string,
  content: "blank" | "text",
  /** The rules that find no secret in it. */
  withoutSecrets: string,
  conflicts: string,
  told: string,
  tags: LogFaults["tags"],
];
type NodeRow = readonly [
  level: NodeLevel,
  label: string,
  stamp: string,
  reading: NodeFacts["reading"],
  status: NodeFacts["status"],
  topics: string,
  madeBy: string,
  redactedBy: string,
  /** The request digest and who answered, with a space between. */
  answer: string,
  since: string,
  content: string,
  recorded: string,
  lines: number,
  bytes: number,
  ...sources: string[],
];

const emptyCache: TreeCache = { raw: () => undefined, node: () => undefined };

/** Reads the cache; whatever is wrong with it, the answer is an empty one. */
export async function readCache(files: Files): Promise<TreeCache> {
  try {
    return await readRows(files);
  } catch (error) {
    if (isInTheWay(error)) return emptyCache;
    throw error;
  }
}

async function readRows(files: Files): Promise<TreeCache> {
  const entry = (await files.list(cacheFolder)).find((candidate) => candidate.name === cacheName);
  const read = entry === undefined ? undefined : await files.read(`${cacheFolder}/${cacheName}`);
  if (entry === undefined || read === undefined) return emptyCache;
  const rows = parseRows(Buffer.from(read.bytes).toString("utf8"));
  if (rows === undefined) return emptyCache;
  const logs = new Map(rows.logs.map((row) => [row[0], row]));
  const nodes = new Map(rows.nodes.map((row) => [`memory/${row[0]}/${row[1]}.md`, row]));
  return {
    raw: (path, file) => {
      const row = logs.get(path);
      return row === undefined || row[1] !== file.stamp || isRacy(file.changedAt, entry.changedAt)
        ? undefined
        : readLogRow(row);
    },
    node: (path, file) => {
      const row = nodes.get(path);
      return row === undefined || row[2] !== file.stamp || isRacy(file.changedAt, entry.changedAt)
        ? undefined
        : readNodeRow(row);
    },
  };
}

/** Writes it, without waiting for the disk. */
export async function writeCache(files: Files, entries: CacheEntries): Promise<void> {
  const logs = [...entries.logs].map(([path, { stamp, log }]): LogRow => [
    path,
    stamp,
    printSource(log.source),
    log.content,
    log.secrets === "none" ? ruleSetId : "",
    printSpans(log.faults.conflicts),
    log.faults.told ?? "",
    log.faults.tags,
  ]);
  const nodes = [...entries.nodes.values()].map(({ stamp, facts }) => printNodeRow(stamp, facts));
  const text = JSON.stringify({ version: cacheVersion, logs, nodes });
  await writeCacheFile(files, `${cacheFolder}/${cacheName}`, Buffer.from(text));
}

function parseRows(text: string): { readonly logs: readonly LogRow[]; readonly nodes: readonly NodeRow[] } | undefined {
  try {
    const value = JSON.parse(text) as { readonly version?: unknown; readonly logs?: unknown; readonly nodes?: unknown };
    if (value.version !== cacheVersion || !Array.isArray(value.logs) || !Array.isArray(value.nodes)) return undefined;
    return { logs: value.logs as LogRow[], nodes: value.nodes as NodeRow[] };
  } catch {
    return undefined;
  }
}

function readLogRow(row: LogRow): CachedLog | undefined {
  const source = parseSource(row[2]);
  if (source?.kind !== "raw") return undefined;
  const faults = { conflicts: parseSpans(row[5]) ?? [], told: row[6] === "" ? undefined : row[6], tags: row[7] };
  return { source, content: row[3], faults, secrets: row[4] === ruleSetId ? "none" : undefined };
}

function printNodeRow(stamp: FileStamp, facts: NodeFacts): NodeRow {
  return [
    facts.name.level,
    nodeLabel(facts.name),
    stamp,
    facts.reading,
    facts.status,
    printTopics(facts.topics),
    facts.madeBy,
    facts.redactedBy ?? "",
    facts.answer === undefined ? "" : `${facts.answer.digest} ${facts.answer.model}`,
    facts.since ?? "",
    facts.content,
    facts.recorded,
    facts.lines,
    facts.bytes,
    ...facts.sources.map(printSource),
  ];
}

function readNodeRow(row: NodeRow): NodeFacts | undefined {
  const [
    level,
    label,
    ,
    reading,
    status,
    topics,
    madeBy,
    redactedBy,
    answer,
    since,
    content,
    recorded,
    lines,
    bytes,
    ...printed
  ] = row;
  const name = parseNodeLabel(level, label);
  if (name === undefined || reading === "broken") return undefined;
  let sources: readonly Source[] | undefined;
  return {
    name,
    reading,
    status,
    madeBy,
    content,
    recorded,
    lines,
    bytes,
    redactedBy: redactedBy === "" ? undefined : redactedBy,
    answer: answer === "" ? undefined : { digest: answer.slice(0, 64), model: answer.slice(65) },
    since: since === "" ? undefined : since,
    problem: undefined,
    get topics() {
      return parseTopics(topics).filter((topic) => isMemoryType(topic.type));
    },
    get sources() {
      sources ??= printed.map(parseSource).filter((source) => source !== undefined);
      return sources;
    },
  };
}
