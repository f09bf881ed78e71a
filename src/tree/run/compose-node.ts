import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { foreignLines, readFrontMatter, valueOf } from "../../base/front-matter.ts";
import { joinLines, textLines } from "../../base/lines.ts";
import { scanLines } from "../../base/markdown.ts";
import { isPreserved } from "../../base/memory-type.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { waitsForAnswer } from "../plan/status.ts";
import { type NodeAnswer, composeParent } from "../compose/compose-summary.ts";
import { cleared, readInto, SecretScan, withPieces } from "../compose/secrets.ts";
import { DayComposer, logName } from "../compose/compose-day.ts";
import { contentDigest, foreignRule, ownKeys, parseNode, printNode, type Node } from "../model/node-format.ts";
import { nodePath, type NodeName } from "../model/period.ts";
import type { LogPart } from "../plan/late-parts.ts";
import type { Step } from "../plan/plan.ts";
import type { LogFaults, RawWindow } from "../model/raw-scan.ts";
import { parseTopics, type NodeSource, type RawSource } from "../model/node-sections.ts";
import { type LogSection, SectionReader } from "../model/log-sections.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { encode, factsOf, readNodeFile } from "./tree-files.ts";
import { changedMeanwhile, type KnownSecrets, readSecretsOfLogs, scanLog } from "../logs/raw-logs.ts";
import type { NodeFacts, RawLog, TreeState } from "../model/tree-state.ts";

export interface ReadyNode {
  readonly node: Node;
  readonly facts: NodeFacts;
  readonly bytes: Uint8Array;
  readonly warnings: readonly Warning[];
  readonly logs: readonly ReadLog[];
  /** By path, of logs that were read whole. Default: not known. */
  readonly sections?: ReadonlyMap<string, readonly LogSection[]>;
}

export interface ReadLog {
  readonly source: RawSource;
  readonly stamp: FileStamp;
  readonly faults: LogFaults;
  /** `beginning`: only the first bytes of the log were read. */
  readonly extent: "whole" | "beginning";
}

export type ComposeStep = Extract<Step, { readonly act: "compose" }>;

/** Recently written nodes, kept so that parents need not reread them. Bounded in bytes. */
export class NodeShelf {
  readonly #files: Files;
  readonly #nodes = new Map<string, { readonly node: Node; readonly size: number }>();
  #size = 0;

  constructor(files: Files) {
    this.#files = files;
  }

  put(node: Node, size: number): void {
    this.#size += size;
    this.#nodes.set(nodePath(node.name), { node, size });
    for (const [path, old] of this.#nodes) {
      if (this.#size <= shelfBytes) return;
      this.#nodes.delete(path);
      this.#size -= old.size;
    }
  }

  async get(name: NodeName): Promise<Node> {
    const path = nodePath(name);
    const node = this.#nodes.get(path)?.node ?? (await readNodeFile(this.#files, name))?.node;
    if (node !== undefined) return node;
    throw new MemoryError("io", `${path} can no longer be read: run compact again.`, { path });
  }
}

/** In memory, a node takes twice its bytes or more. */
const shelfBytes = 2 * 1024 * 1024;

/** Reads the raw logs that may contain secrets, and the nodes that heartwood did not write. Unreadable files are skipped. */
export async function readSecrets(
  files: Files,
  state: Pick<TreeState, "days" | "nodes">,
  ofLogs: (logs: readonly RawLog[]) => Promise<KnownSecrets> = async (logs) => readSecretsOfLogs(files, logs),
): Promise<KnownSecrets> {
  const known = await ofLogs([...state.days.values()].flatMap((day) => day.logs));
  for (const { name, reading } of state.nodes.all())
    if (reading === "unknown")
      new SecretScan(known.values).add(((await readNodeFile(files, name))?.text ?? "").split("\n"));
  return known;
}

interface ComposeTools {
  readonly files: Files;
  readonly shelf: NodeShelf;
  readonly secrets: KnownSecrets;
  readonly foreign: readonly string[];
  /** The recorded answer to these sources. */
  answerTo(of: Pick<NodeFacts, "name" | "sources">): Promise<NodeAnswer | undefined>;
}

/** A composed node as text, which another thread can send. */
export interface PrintedNode {
  readonly text: string;
  readonly warnings: readonly Warning[];
  /** The logs it was made from, in the order of its sources. */
  readonly logs: readonly Omit<ReadLog, "source">[];
  readonly sections: ReadonlyMap<string, readonly LogSection[]>;
}

/** Composes the node of one step in memory: reads the sources, composes and prints it. */
export async function composeStep(step: ComposeStep, tools: ComposeTools): Promise<PrintedNode> {
  const { name, from, status, since } = step;
  const made =
    from.kind === "logs"
      ? await composeLogs(step, from.logs, tools)
      : await composeChildren(name, from.children, tools);
  const said = cleared(made.node, withPieces(made.node, made.pieces));
  const { warnings, logs, sections } = made;
  const text = printNode({ ...said, name, status, since, foreign: tools.foreign });
  return { text, warnings, sections, logs: logs.map(({ stamp, faults, extent }) => ({ stamp, faults, extent })) };
}

/** A node that waits for an answer to its actual sources is tentative, whatever the step specifies. */
export function readyStep(
  { name }: ComposeStep,
  { text, warnings, logs, sections }: PrintedNode,
  state: TreeState,
): ReadyNode {
  const made = parsedBack(name, text);
  const isWaiting = made.node.status === "fixed" && waitsForAnswer(state, made.facts);
  const ready = isWaiting ? readyNode({ ...made.node, status: "tentative" }) : made;
  const sources = ready.node.sources.filter((source) => source.kind === "raw");
  const read = logs.flatMap((log, index): readonly ReadLog[] => {
    const source = sources[index];
    return source === undefined ? [] : [{ ...log, source }];
  });
  return { ...ready, warnings, logs: read, sections };
}

export function readyNode(node: Node): ReadyNode {
  return parsedBack(node.name, printNode(node));
}

/**
 * Verifies that a printed node parses back to the same content. Returns the parsed node, which takes one string in
 * memory instead of thousands of pieces.
 */
function parsedBack(name: NodeName, text: string): ReadyNode {
  const bytes = encode(text);
  const reading = parseNode(name, text);
  if (reading.state !== "ours" || contentDigest(reading.node) !== reading.recorded) {
    const path = nodePath(name);
    const message = `${path} did not parse back to the same node, so it was not written: please report this.`;
    throw new MemoryError("internal", message, { path });
  }
  return { node: reading.node, facts: factsOf(reading.node, bytes.length), bytes, warnings: [], logs: [] };
}

interface Made {
  readonly node: Omit<Node, "name" | "status" | "since" | "foreign">;
  /** Parts of the memory's secrets that occur in the sources. */
  readonly pieces: SecretPieces;
  readonly warnings: readonly Warning[];
  readonly logs: readonly ReadLog[];
  readonly sections: ReadonlyMap<string, readonly LogSection[]>;
}

async function composeLogs(
  { name, status }: ComposeStep,
  parts: readonly LogPart[],
  tools: ComposeTools,
): Promise<Made> {
  let logs: ReadLog[] = [];
  const sections = new Map<string, readonly LogSection[]>();
  // Only what a node is fixed with is recorded.
  const wanted = status === "fixed" && name.late === 0 ? sections : undefined;
  let pieces = new SecretPieces(tools.secrets.values);
  const make = (known: SecretValues): DayComposer => {
    pieces = new SecretPieces(tools.secrets.values);
    return new DayComposer(name, known, { pieces });
  };
  const composer = await composeDay(make, async (into) => {
    logs = [];
    for (const log of parts) pushAll(logs, await addLog(into, log, { ...tools, sections: wanted }));
  });
  const sources = logs.map((log) => log.source);
  const answer = composer.isOverThreshold ? await tools.answerTo({ name, sources }) : undefined;
  const { composed, warnings } = composer.end(answer);
  const { shortened, ranked: _, ...made } = composed;
  const path = nodePath(name);
  if (joinLines(composed.body).trim() === "")
    throw new MemoryError("io", `${path} would be empty, so it was not written.`, { path });
  const all = [...warnings, ...shortenedWarnings(name, shortened)];
  return { node: { ...made, sources }, pieces, warnings: all, logs, sections };
}

async function addLog(
  composer: DayComposer,
  { path, part, upTo, sha256 }: LogPart,
  {
    files,
    secrets,
    sections,
  }: Pick<ComposeTools, "files" | "secrets"> & {
    /** Receives the sections of a log that is read whole. Default: they are not cut. */
    readonly sections: Map<string, readonly LogSection[]> | undefined;
  },
): Promise<readonly ReadLog[]> {
  const without = secrets.without.get(path);
  const reader = sections && new SectionReader({ counts: new Set(), lines: new Set() });
  composer.begin({ path, name: logName(path), part, secrets: without === undefined ? "unknown" : "none" });
  const onWindow = (window: RawWindow): void => {
    composer.add(window);
    if (window.at < mostSectioned) reader?.add(window);
  };
  const end = await scanLog(files, path, { onWindow, ...(upTo === undefined ? {} : { upTo }) });
  if (end === undefined)
    throw new MemoryError("io", `${path} was removed after it was listed: run compact again.`, { path });
  const { source, stamp, faults, content } = end;
  const isOther = without !== undefined && stamp !== without;
  const isPart = part.length > 0 || upTo !== undefined;
  if (isOther || (isPart && sha256 !== undefined && source.sha256 !== sha256)) throw changedMeanwhile(path);
  const extent = upTo === undefined ? "whole" : "beginning";
  if (reader !== undefined && !isPart && source.bytes <= mostSectioned) sections?.set(path, reader.end(source.bytes));
  return content === "blank" ? [] : [{ source: { ...source, part }, stamp, faults, extent }];
}

/** The sections of a larger log are not kept, because there may be millions. */
const mostSectioned = 4 * 1024 * 1024;

async function composeChildren(name: NodeName, from: readonly NodeName[], tools: ComposeTools): Promise<Made> {
  const children: Node[] = [];
  for (const child of from) children.push(await tools.shelf.get(child));
  const sources = children.map((child): NodeSource => {
    return { kind: "node", path: nodePath(child.name), sha256: contentDigest(child) };
  });
  const answer = await tools.answerTo({ name, sources });
  const pieces = new SecretPieces(tools.secrets.values);
  for (const child of children) readInto(pieces, child);
  const { shortened, ranked: _, ...composed } = composeParent(name, children, answer);
  return {
    node: { ...composed, sources },
    pieces,
    warnings: shortenedWarnings(name, shortened),
    logs: [],
    sections: new Map(),
  };
}

/** The user's own statements and preferences must not be shortened silently. */
function shortenedWarnings(name: NodeName, topics: readonly string[]): readonly Warning[] {
  if (topics.length === 0) return [];
  const path = nodePath(name);
  const named = topics.slice(0, 3).join(", ") + (topics.length > 3 ? `, and ${topics.length - 3} more` : "");
  const message = `${topics.length} user or feedback entries did not fit completely into the summary in ${path} (${named}); the raw log has them all`;
  return [{ code: "shortened", path, message }];
}

/** Composes a day with the secrets in its logs known. If there are any, the logs are read twice. */
export async function composeDay(
  make: (known: SecretValues) => DayComposer,
  read: (composer: DayComposer) => Promise<void>,
): Promise<DayComposer> {
  const first = make(new SecretValues());
  await read(first);
  if (first.secrets.size === 0) return first;
  const second = make(first.secrets);
  await read(second);
  return second;
}

/** Returns the existing node written by another tool if it can be kept and adds something to `made`, which was composed from the same sources. */
export function adoptedNode(
  made: ReadyNode,
  { name, status }: ComposeStep,
  text: string,
  secrets: SecretValues,
): ReadyNode | undefined {
  const foreign = parseForeignNode(name, text);
  if (foreign === undefined) return undefined;
  const { madeFrom, ...own } = foreign;
  const missing = made.node.sources.some(({ path }) => !madeFrom.has(path.match(periodNamed)?.[0] ?? ""));
  const kept = { ...made.node, ...own, madeBy: foreignRule, spans: [], answer: undefined, status };
  const node = cleared<Node>(kept, secrets);
  if ((madeFrom.size > 0 && missing) || !addsTo(made.node, node)) return undefined;
  return { ...readyNode(node), logs: made.logs };
}

/**
 * Parses a node written by another tool: its front matter must match its name, and its body must contain text other
 * than headings and comments, with no conflict markers and no second front matter. Otherwise `undefined`.
 */
function parseForeignNode(name: NodeName, text: string) {
  const reading = readFrontMatter(textLines(text));
  if (reading.state !== "read" || name.late > 0) return undefined;
  const { front, body } = reading;
  const status = valueOf(front, "status") ?? "fixed";
  if (valueOf(front, "type") !== name.level || valueOf(front, "period") !== name.period) return undefined;
  if (status !== "fixed" && status !== "tentative") return undefined;
  const whole = joinLines(body);
  const says = /\S/u.test(whole.replaceAll(/<!--[^]*?-->|^#{1,6} .*$/gmu, ""));
  const isWhole = scanLines(body).conflicts.length === 0 && !/^---\n(?:type|status|period|source-files):/mu.test(whole);
  if (!says || !isWhole) return undefined;
  const named = `${valueOf(front, "source-files") ?? ""} ${valueOf(front, "weeks") ?? ""}`;
  const madeFrom = new Set(Array.from(named.matchAll(periodNamed), ([period]) => period));
  const topics = parseTopics(valueOf(front, "topics") ?? "");
  return { topics, body, foreign: foreignLines(front, ownKeys), madeFrom };
}

/** A day or week in a file name. */
const periodNamed = /\d{4}-(?:\d{2}-\d{2}|W\d{2})(?!\d)/gu;

/** Whether a foreign node has lines that the composed one lacks, and mentions all its user and feedback topics. */
function addsTo(made: Node, { body, topics }: Node): boolean {
  const lines = new Set(made.body.map((line) => line.trim()));
  const words = wordKeys([...topics.map(({ name }) => name), ...body].join("\n"));
  return (
    body.some((line) => !line.startsWith("#") && line.trim() !== "" && !lines.has(line.trim())) &&
    made.topics.every(({ name, type }) => !isPreserved(type) || [...wordKeys(name)].every((key) => words.has(key)))
  );
}
