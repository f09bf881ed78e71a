import { MemoryError, type Warning } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { joinLines } from "../../base/lines.ts";
import { SecretPieces, SecretValues } from "../../text/redact/known-secrets.ts";
import type { FileStamp, Files } from "../../platform/files.ts";
import { acceptedFor, waitsForAnswer } from "../plan/status.ts";
import { type NodeAnswer, composeParent } from "../compose/compose-summary.ts";
import { cleared, readInto, SecretScan, withPieces } from "../compose/secrets.ts";
import { DayComposer, logName } from "../compose/compose-day.ts";
import { contentDigest, parseNode, printNode, type Node } from "../model/node-format.ts";
import { nodePath, type NodeName } from "../model/period.ts";
import type { LogPart } from "../plan/late-parts.ts";
import type { Step } from "../plan/plan.ts";
import type { LogFaults, RawWindow } from "../model/raw-scan.ts";
import type { NodeSource, RawSource } from "../model/node-sections.ts";
import type { TreeMemory } from "../memory.ts";
import { encode, factsOf, readNodeFile } from "./tree-files.ts";
import { changedMeanwhile, type KnownSecrets, readSecretsOfLogs, scanLog } from "../logs/raw-logs.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";

export interface ReadyNode {
  readonly node: Node;
  readonly facts: NodeFacts;
  readonly bytes: Uint8Array;
  readonly warnings: readonly Warning[];
  readonly logs: readonly ReadLog[];
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

const shelfBytes = 8 * 1024 * 1024;

/** Reads the raw logs that may contain secrets, and the nodes that heartwood did not write. Unreadable files are skipped. */
export async function readSecrets(files: Files, state: Pick<TreeState, "days" | "nodes">): Promise<KnownSecrets> {
  const known = await readSecretsOfLogs(
    files,
    [...state.days.values()].flatMap((day) => day.logs),
  );
  for (const { name, reading } of state.nodes.all())
    if (reading === "unknown")
      new SecretScan(known.values).add(((await readNodeFile(files, name))?.text ?? "").split("\n"));
  return known;
}

interface ComposeTools {
  readonly shelf: NodeShelf;
  readonly state: TreeState;
  readonly secrets: KnownSecrets;
  readonly foreign: readonly string[];
}

/**
 * Carries out one step in memory: reads the sources, composes the node, prints it and parses the result. A node that
 * waits for an answer to its actual sources is tentative, whatever the step specifies.
 */
export async function composeStep(memory: TreeMemory, step: ComposeStep, tools: ComposeTools): Promise<ReadyNode> {
  const { name, from } = step;
  const made =
    from.kind === "logs"
      ? await composeLogs(memory, name, from.logs, tools)
      : await composeChildren(memory, name, from.children, tools);
  const said = cleared(made.node, withPieces(made.node, made.pieces));
  const node: Node = { ...said, name: step.name, status: step.status, since: step.since, foreign: tools.foreign };
  const ready = readyNode(node);
  const isWaiting = node.status === "fixed" && waitsForAnswer(tools.state, ready.facts);
  return {
    ...(isWaiting ? readyNode({ ...node, status: "tentative" }) : ready),
    warnings: made.warnings,
    logs: made.logs,
  };
}

/** The recorded answer to these sources. Reads nothing if none is recorded. */
async function answerTo(
  memory: TreeMemory,
  of: Pick<NodeFacts, "name" | "sources">,
  { answers }: TreeState,
): Promise<NodeAnswer | undefined> {
  if (acceptedFor(answers, of).length === 0) return undefined;
  return (await import("./answer-store.ts")).findAnswer(memory, answers, of);
}

/**
 * Prints a node and verifies that it parses back to the same content. Returns the parsed node, which takes one string
 * in memory instead of thousands of pieces.
 */
export function readyNode(node: Node): ReadyNode {
  const text = printNode(node);
  const bytes = encode(text);
  const reading = parseNode(node.name, text);
  if (reading.state !== "ours" || contentDigest(reading.node) !== reading.recorded) {
    const path = nodePath(node.name);
    const message = `${path} did not parse back to the same node, so it was not written: please report this.`;
    throw new MemoryError("internal", message, { path });
  }
  return { node: reading.node, facts: factsOf(node, bytes.length), bytes, warnings: [], logs: [] };
}

interface Made {
  readonly node: Omit<Node, "name" | "status" | "since" | "foreign">;
  /** Parts of the memory's secrets that occur in the sources. */
  readonly pieces: SecretPieces;
  readonly warnings: readonly Warning[];
  readonly logs: readonly ReadLog[];
}

async function composeLogs(
  memory: TreeMemory,
  name: NodeName,
  parts: readonly LogPart[],
  tools: ComposeTools,
): Promise<Made> {
  let logs: ReadLog[] = [];
  let pieces = new SecretPieces(tools.secrets.values);
  const make = (known: SecretValues): DayComposer => {
    pieces = new SecretPieces(tools.secrets.values);
    return new DayComposer(name, known, { pieces });
  };
  const composer = await composeDay(make, async (into) => {
    logs = [];
    for (const log of parts) pushAll(logs, await addLog(memory.files, into, log, tools.secrets.without.get(log.path)));
  });
  const sources = logs.map((log) => log.source);
  const answer = composer.isOverThreshold ? await answerTo(memory, { name, sources }, tools.state) : undefined;
  const { composed, warnings } = composer.end(answer);
  const { shortened, ranked: _, ...made } = composed;
  const path = nodePath(name);
  if (joinLines(composed.body).trim() === "")
    throw new MemoryError("io", `${path} would be empty, so it was not written.`, { path });
  return { node: { ...made, sources }, pieces, warnings: [...warnings, ...shortenedWarnings(name, shortened)], logs };
}

async function addLog(
  files: Files,
  composer: DayComposer,
  { path, part, upTo, sha256 }: LogPart,
  without: FileStamp | undefined,
): Promise<readonly ReadLog[]> {
  composer.begin({ path, name: logName(path), part, secrets: without === undefined ? "unknown" : "none" });
  const onWindow = (window: RawWindow): void => composer.add(window);
  const end = await scanLog(files, path, { onWindow, ...(upTo === undefined ? {} : { upTo }) });
  if (end === undefined)
    throw new MemoryError("io", `${path} was removed after it was listed: run compact again.`, { path });
  const { source, stamp, faults, content } = end;
  const isOther = without !== undefined && stamp !== without;
  const isPart = part.length > 0 || upTo !== undefined;
  if (isOther || (isPart && sha256 !== undefined && source.sha256 !== sha256)) throw changedMeanwhile(path);
  const extent = upTo === undefined ? "whole" : "beginning";
  return content === "blank" ? [] : [{ source: { ...source, part }, stamp, faults, extent }];
}

async function composeChildren(
  memory: TreeMemory,
  name: NodeName,
  from: readonly NodeName[],
  tools: ComposeTools,
): Promise<Made> {
  const children: Node[] = [];
  for (const child of from) children.push(await tools.shelf.get(child));
  const sources = children.map((child): NodeSource => {
    return { kind: "node", path: nodePath(child.name), sha256: contentDigest(child) };
  });
  const answer = await answerTo(memory, { name, sources }, tools.state);
  const pieces = new SecretPieces(tools.secrets.values);
  for (const child of children) readInto(pieces, child);
  const { shortened, ranked: _, ...composed } = composeParent(name, children, answer);
  return { node: { ...composed, sources }, pieces, warnings: shortenedWarnings(name, shortened), logs: [] };
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
