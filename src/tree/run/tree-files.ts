import { Buffer } from "node:buffer";
import { decodeText } from "../../base/lines.ts";
import { SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files, FileEntry } from "../../platform/files.ts";
import { cleared } from "../compose/secrets.ts";
import { builtInRule, contentDigest, parseNode, type Node } from "../model/node-format.ts";
import { nodePath, type NodeName, rootPath, archiveFolder, memoryFolder, nodeLevels } from "../model/period.ts";
import { recordsFolder } from "../model/period.ts";
import type { NodeFacts } from "../model/tree-state.ts";
import { parseTopics, printTopics } from "../model/node-sections.ts";
import { ifInTheWay, type Warning, MemoryError } from "../../base/errors.ts";
import { parseRoot, type RootDocument } from "../root/root-format.ts";
import { isOldMonth, passagesFor, type RootInputs, type RootMonth } from "../root/root-compose.ts";
import { ruleSetId } from "../../text/redact/redact.ts";
import { keepValue, keptValue } from "./idle.ts";
import type { TreeMemory } from "../memory.ts";
import { parseObject } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import { isTemporaryName } from "../../base/known-paths.ts";

/** A node file as read. `node` is set if the file can be parsed as one, even if heartwood did not write it. */
export interface NodeFile {
  readonly facts: NodeFacts;
  readonly node: Node | undefined;
  readonly bytes: Uint8Array;
  readonly text: string;
  readonly stamp: FileStamp;
  /** 1-based line of the file where the body begins. */
  readonly bodyLine: number;
}

export async function readNodeFile(files: Files, name: NodeName): Promise<NodeFile | undefined> {
  const read = await files.read(nodePath(name));
  return read === undefined ? undefined : nodeFileOf(name, read);
}

export function nodeFileOf(name: NodeName, { bytes, stamp }: Pick<NodeFile, "bytes" | "stamp">): NodeFile {
  const text = decodeText(bytes);
  const base = { bytes, text: text ?? "", stamp, bodyLine: 1 };
  const notText = { state: "broken", line: 1, message: "it is not UTF-8" } as const;
  const reading = text === undefined ? notText : parseNode(name, text);
  if (reading.state === "broken") {
    const { line, message } = reading;
    const facts = { ...factsOf({ ...unknownNode, name }, bytes.length), content: "", recorded: "" };
    return { ...base, node: undefined, facts: { ...facts, reading: "broken", problem: { line, message } } };
  }
  if (reading.state === "ours") {
    const facts = { ...factsOf(reading.node, bytes.length), recorded: reading.recorded };
    const node = facts.recorded === facts.content ? reading.node : { ...reading.node, spans: [] };
    return { ...base, node, facts, bodyLine: reading.bodyLine };
  }
  // A foreign node is treated as fixed, because heartwood never changes it.
  const { topics, body } = reading;
  const node = cleared({ ...unknownNode, name, status: "fixed" as const, topics, body }, new SecretValues());
  const facts: NodeFacts = { ...factsOf(node, bytes.length), reading: "unknown" };
  return { ...base, node, facts, bodyLine: base.text.split("\n").length - body.length };
}

const unknownNode = {
  status: "tentative",
  topics: [],
  weeks: [],
  madeBy: "unknown",
  redactedBy: undefined,
  since: undefined,
  spans: [],
  sources: [],
  body: [],
  foreign: [],
} as const;

/** The facts of a node that was just composed or read. */
export function factsOf(node: Node, bytes: number): NodeFacts {
  const content = contentDigest(node);
  // Parsed on demand: thousands of nodes are in memory, but few of their topics are needed.
  const topics = printTopics(node.topics);
  const { name, status, madeBy, redactedBy, answer, since, sources, body } = node;
  const own = { name, status, madeBy, redactedBy, answer, since, sources };
  return {
    ...own,
    reading: "ours",
    get topics() {
      return parseTopics(topics);
    },
    content,
    recorded: content,
    lines: body.length,
    bytes,
    problem: undefined,
  };
}

export function encode(text: string): Uint8Array {
  return Buffer.from(text, "utf8");
}

export interface RootFile {
  readonly reading: "ours" | "unknown" | "broken" | "unreadable";
  readonly document: RootDocument | undefined;
  readonly text: string;
  readonly bytes: Uint8Array;
  readonly stamp: FileStamp;
  /** 1-based line of the file where the body begins. */
  readonly bodyLine: number;
  readonly message: string;
}

/** A copy of ROOT.md as last written: any difference is a user's edit. Disposable. */
export const rootCopyPath = ".heartwood/cache/ROOT.md";

const unreadRoot = { document: undefined, text: "", bytes: new Uint8Array(0), bodyLine: 1, message: "" };

export async function readRootFile(memory: TreeMemory, entry?: FileEntry): Promise<RootFile | undefined> {
  if (entry !== undefined && entry.kind !== "file")
    return { ...unreadRoot, reading: "unreadable", stamp: entry.stamp, message: `${rootPath} is not a regular file` };
  return readRootAt(memory, rootPath);
}

export async function readRootAt(memory: TreeMemory, path: string): Promise<RootFile | undefined> {
  const read = await memory.files.read(path).catch(ifInTheWay(() => undefined));
  if (read === undefined) return undefined;
  const text = decodeText(read.bytes);
  const base = { ...unreadRoot, bytes: read.bytes, stamp: read.stamp, text: text ?? "" };
  if (text === undefined) return { ...base, reading: "broken", message: "it is not UTF-8" };
  const reading = parseRoot(text);
  if (reading.state === "broken") return { ...base, reading: "broken", message: reading.message };
  if (reading.state === "unknown") return { ...base, reading: "unknown" };
  return { ...base, reading: "ours", document: reading.root, bodyLine: reading.bodyLine };
}

/** `memory/.compaction-state.json`: three values that other tools also read and write. Unknown keys are preserved. */
export interface StateFile {
  readonly state: "missing" | "unreadable" | "read";
  /** Milliseconds since the epoch. */
  readonly lastRun: number | undefined;
  readonly rawLines: number;
  readonly entries: number;
  readonly others: Readonly<Record<string, unknown>>;
  /** Set if a link or folder is at the path: the file is neither read nor written. */
  readonly inTheWay: Warning | undefined;
}

export const stateFilePath = "memory/.compaction-state.json";

const empty = { lastRun: undefined, rawLines: 0, entries: 0, others: {}, inTheWay: undefined };

export async function readStateFile(memory: TreeMemory): Promise<StateFile> {
  const read = await memory.files.read(stateFilePath).catch(
    ifInTheWay(({ code }) => {
      const seen = code === "link_outside" ? "a link" : "not a regular file";
      const message = `${stateFilePath} is ${seen}: it is neither read nor written, so runs are not recorded and no cooldown applies; move it aside`;
      return { code, path: stateFilePath, message };
    }),
  );
  if (read !== undefined && "code" in read) return { state: "unreadable", ...empty, inTheWay: read };
  if (read === undefined) return { state: "missing", ...empty };
  const value = parseObject(decodeText(read.bytes) ?? "");
  if (value === undefined) return { state: "unreadable", ...empty };
  const { lastCompactionRun, rawLinesSinceLastCompaction, checkpointsSinceLastCompaction, ...others } = value;
  const lastRun = typeof lastCompactionRun === "string" ? Date.parse(lastCompactionRun) : Number.NaN;
  return {
    ...empty,
    state: "read",
    lastRun: Number.isFinite(lastRun) ? lastRun : undefined,
    rawLines: isCount(rawLinesSinceLastCompaction) ? rawLinesSinceLastCompaction : 0,
    entries: isCount(checkpointsSinceLastCompaction) ? checkpointsSinceLastCompaction : 0,
    others,
  };
}

/** Writes the whole file, replacing one that is not JSON. Call it with the `append` lock held. */
export async function writeStateFile(
  memory: TreeMemory,
  state: Pick<StateFile, "lastRun" | "rawLines" | "entries" | "others">,
): Promise<void> {
  const value = {
    ...state.others,
    lastCompactionRun: state.lastRun === undefined ? null : new Date(state.lastRun).toISOString(),
    rawLinesSinceLastCompaction: state.rawLines,
    checkpointsSinceLastCompaction: state.entries,
  };
  const bytes = encode(`${JSON.stringify(value, null, 2)}\n`);
  await memory.files.commit([{ path: stateFilePath, bytes, expect: "anything" }]);
}

/** Folders where an interrupted batch may leave temporary files. The project folder is one because of MEMORY.md. */
const flatFolders = ["", memoryFolder, recordsFolder, ...nodeLevels.map((level) => `${memoryFolder}/${level}`)];
const deepFolders = [archiveFolder, ".heartwood"];

/**
 * Removes temporary files of interrupted runs. Their targets are intact, in the old or the new version. Call it with
 * the `tree` lock held. Takes the `append` lock, so it does not remove the temporary file of a state file being
 * written.
 */
export async function removeLeftovers(memory: TreeMemory): Promise<void> {
  if ((await findLeftovers(memory)).length === 0) return;
  const lease = await memory.locks.acquire("append", { holder: "compact", waitMs: 30_000 });
  try {
    const paths = await findLeftovers(memory);
    await memory.files.commit(paths.map((path) => ({ path, bytes: undefined, expect: "anything" })));
  } finally {
    await lease.release();
  }
}

/**
 * For a run with nothing else to do. Does nothing if another run is active: it may own some of the files, and it
 * removes the rest.
 */
export async function removeLeftoversAlone(memory: TreeMemory): Promise<void> {
  try {
    const lease = await memory.locks.acquire("tree", { holder: "compact" });
    await removeLeftovers(memory).finally(() => lease.release());
  } catch (error) {
    if (!(error instanceof MemoryError && error.code === "busy")) throw error;
  }
}

/** Temporary files of interrupted runs, and of any active one. */
export async function findLeftovers(memory: TreeMemory): Promise<readonly string[]> {
  const found: string[] = [];
  const look = async (folder: string, depth: "flat" | "deep"): Promise<void> => {
    for (const entry of await memory.files.list(folder)) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (entry.kind === "file" && isTemporaryName(entry.name)) found.push(path);
      if (entry.kind === "folder" && depth === "deep") await look(path, depth);
    }
  };
  for (const folder of flatFolders) await look(folder, "flat");
  for (const folder of deepFolders) await look(folder, "deep");
  return found;
}

/** The passages of fixed months, by the paths of their nodes. */
export type KeptMonths = ReadonlyMap<string, KeptMonth>;
type KeptMonth = Pick<RootMonth, "content" | "passages" | "extent">;

export const monthsPath = ".heartwood/cache/months.json";
/** Change it when `readPassages` reads something else from the same node. */
const monthsVersion = 2;

export async function readMonths({ files, program }: TreeMemory): Promise<KeptMonths | "missing" | "unusable"> {
  const kept = await keptValue(files, monthsPath, monthsKey(program));
  return typeof kept === "string" ? kept : new Map(kept.value as readonly (readonly [string, KeptMonth])[]);
}

/** Writes them if a month was not read from there. Months that are gone or no longer fixed are left out; in a memory with secrets, all are. */
export async function keepMonths(
  memory: TreeMemory,
  facts: readonly NodeFacts[],
  {
    before,
    months,
    secrets,
    day,
  }: Pick<RootInputs, "months" | "secrets" | "day"> & {
    readonly before: KeptMonths | "missing" | "unusable";
  },
): Promise<void> {
  const settled = secrets?.size === 0 ? facts.filter(isSettled) : [];
  const fixed = new Set(settled.map(({ name }) => nodePath(name)));
  const rows = months.map((month): readonly [string, KeptMonth] => {
    const extent = isOldMonth(month.name, day) ? "lasting" : "whole";
    return [nodePath(month.name), { content: month.content, extent, passages: passagesFor(month, day) }];
  });
  const kept = rows.filter(([path]) => fixed.has(path));
  const isKept = ([path, { content }]: (typeof rows)[number]): boolean =>
    typeof before === "object" && before.get(path)?.content === content;
  if (kept.length === 0 && before === "missing") return;
  if (typeof before === "object" && kept.length === before.size && kept.every(isKept)) return;
  await keepValue(memory.files, monthsPath, { key: monthsKey(memory.program), value: kept });
}

export function isSettled({ status, reading, content, recorded }: NodeFacts): boolean {
  return status === "fixed" && reading === "ours" && content === recorded;
}

function monthsKey({ version }: TreeMemory["program"]): string {
  return `${version} ${builtInRule} ${ruleSetId} ${monthsVersion}`;
}
