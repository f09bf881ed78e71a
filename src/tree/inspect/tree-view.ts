import { MemoryError } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { rootRule } from "../model/node-format.ts";
import {
  levelOf,
  memoryFolder,
  nodePath,
  newestFirst,
  nodeLevels,
  oldestFirst,
  parentOf,
  parseNodeFile,
  rootPath,
  type NodeLevel,
  type NodeName,
  type Period,
} from "../model/period.ts";
import { type NodeFacts, rawSourcesOf, type TreeState } from "../model/tree-state.ts";
import type { Topic } from "../../base/memory-type.ts";
import { shown } from "../../text/shown.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { loadTree } from "../run/load.ts";
import { withLogicalLogs, type TreeMemory } from "../memory.ts";
import { readNodeFile, readRootFile } from "../run/tree-files.ts";
import { logPath } from "../logs/raw-logs.ts";
import { topicsInRoot } from "../root-run/root.ts";
import { readRootFigures } from "../root-run/root-run.ts";
import type { Level } from "../run/idle.ts";

export interface TreeNodeView {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly late: number;
  readonly status: "tentative" | "fixed";
  readonly summarizer: string;
  readonly lines: number;
  readonly bytes: number;
  readonly topics: readonly string[];
  readonly children: readonly TreeNodeView[];
  /** The raw logs of a daily node. */
  readonly raw: readonly string[];
}

export interface TreeResult {
  readonly root: { readonly path: string; readonly last_updated: string; readonly tokens: number } | null;
  /** Months, newest first. */
  readonly months: readonly TreeNodeView[];
}

/** All nodes as a tree, newest first. A node whose parent is not built yet is at the top level. Errors: `invalid_config`, `io`. */
export async function readTree(opened: TreeMemory): Promise<TreeResult> {
  const memory = await withLogicalLogs(opened);
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, { cache: "used", configuration });
  const { summary: figures } = await readRootFigures(memory, loaded, configuration);
  const last_updated = loaded.root?.document?.lastUpdated ?? "";
  const root = figures === null ? null : { path: rootPath, last_updated, tokens: figures.tokens };
  return { root, months: viewsOf(loaded.state) };
}

function viewsOf(state: TreeState): readonly TreeNodeView[] {
  const children = new Map<string, NodeFacts[]>();
  const top: NodeFacts[] = [];
  for (const node of state.nodes.all()) {
    const parent = holderOf(state, node);
    if (parent === undefined) top.push(node);
    else children.set(nodePath(parent.name), [...(children.get(nodePath(parent.name)) ?? []), node]);
  }
  const view = (node: NodeFacts): TreeNodeView => {
    const below = (children.get(nodePath(node.name)) ?? []).toSorted(newestOnTop);
    return { ...ownView(state, node), children: below.map(view) };
  };
  return top.toSorted(newestOnTop).map(view);
}

/** The node that includes this one, or else the last node of its parent period. */
function holderOf(state: TreeState, node: NodeFacts): NodeFacts | undefined {
  const parent = parentOf(node.name.level, node.name.period);
  const candidates = parent === undefined ? [] : state.nodes.of(parent.level, parent.period);
  const path = nodePath(node.name);
  return candidates.find((candidate) => candidate.sources.some((source) => source.path === path)) ?? candidates.at(-1);
}

function ownView(state: TreeState, node: NodeFacts): Omit<TreeNodeView, "children"> {
  const { level, period, late } = node.name;
  const raw = rawSourcesOf(node).map(({ path }) => path);
  const logs = level === "daily" ? (state.days.get(period)?.logs.map((log) => log.path) ?? []) : [];
  return {
    path: nodePath(node.name),
    level,
    period,
    late,
    status: node.status,
    summarizer: node.madeBy,
    lines: node.lines,
    bytes: node.bytes,
    topics: printed(node.topics),
    raw: node.reading === "ours" ? raw : logs,
  };
}

/** Months, weeks, days; newest first within each; a node before its addenda. */
function newestOnTop({ name: a }: NodeFacts, { name: b }: NodeFacts): number {
  return nodeLevels.indexOf(b.level) - nodeLevels.indexOf(a.level) || newestFirst(a, b);
}

export interface ShowResult {
  readonly path: string;
  readonly level: Level;
  readonly period: string;
  readonly status: "tentative" | "fixed";
  readonly summarizer: string;
  readonly sources: readonly string[];
  readonly topics: readonly string[];
  /** The whole text of the file, including front matter. */
  readonly text: string;
  /** Addenda of the same period, oldest first, with their text. */
  readonly late: readonly { readonly path: string; readonly text: string }[];
}

/**
 * Returns a node with its addenda, or ROOT.md, with any secrets redacted. `period` may be in any case. Errors:
 * `invalid_period`, `not_found`, `io`.
 */
export async function readNode(memory: TreeMemory, input: { readonly period: string }): Promise<ShowResult> {
  const period = input.period.trim().toUpperCase();
  if (period === "ROOT" || period === "ROOT.MD") return showRoot(memory);
  const level = levelOf(period);
  if (level === undefined) {
    const seen = shown(input.period);
    const message = `The period is "${seen}"; it must be a day (2026-03-15), an ISO week (2026-W11), a month (2026-03) or ROOT.`;
    throw new MemoryError("invalid_period", message, { period: seen });
  }
  const present = await nodesAt(memory, level);
  const own = present.filter((name) => name.period === period);
  const [base, ...late] = await Promise.all(own.map((name) => readNodeFile(memory.files, name)));
  if (base === undefined) throw await notFound(memory, level, period, present);
  const { facts } = base;
  return {
    path: nodePath(facts.name),
    level,
    period,
    status: facts.status,
    summarizer: facts.madeBy,
    sources: facts.sources.map((source) => source.path),
    topics: printed(facts.topics),
    text: redact(base.text).text,
    late: late
      .filter((file) => file !== undefined)
      .map((file) => ({ path: nodePath(file.facts.name), text: redact(file.text).text })),
  };
}

async function showRoot(memory: TreeMemory): Promise<ShowResult> {
  const root = await readRootFile(memory);
  const none = `${rootPath} does not exist yet, or is not a regular file: move aside what is there, if anything, and run heartwood compact.`;
  if (root === undefined) throw new MemoryError("not_found", none, { period: "ROOT" });
  const { document } = root;
  return {
    path: rootPath,
    level: "root",
    period: "ROOT",
    status: "tentative",
    summarizer: document === undefined ? "unknown" : rootRule,
    sources: document === undefined ? [] : (await nodesAt(memory, "monthly")).map(nodePath),
    topics: document === undefined ? [] : printed(topicsInRoot(document)),
    text: redact(root.text).text,
    late: [],
  };
}

/** The nodes of a level, oldest first, each before its addenda. */
async function nodesAt(memory: TreeMemory, level: NodeLevel): Promise<readonly NodeName[]> {
  const entries = await memory.files.list(`${memoryFolder}/${level}`);
  const names = entries.map((entry) => parseNodeFile(level, entry.name)).filter((name) => name !== undefined);
  return names.toSorted(oldestFirst);
}

function printed(topics: readonly Topic[]): readonly string[] {
  return topics.map((topic) => `${topic.name} [${topic.type}]`);
}

/** Builds an error that suggests alternatives: the log without a node, or the nearest nodes in time. */
async function notFound(
  memory: TreeMemory,
  level: NodeLevel,
  period: Period,
  present: readonly NodeName[],
): Promise<MemoryError> {
  const before = present.findLast((name) => name.period < period)?.period;
  const after = present.find((name) => name.period > period)?.period;
  const near = [before, after].filter((neighbour) => neighbour !== undefined).join(" and ");
  const verb = before === undefined || after === undefined ? "is" : "are";
  const log = level === "daily" && (await memory.files.read(logPath(period), { from: 0, to: 1 })) !== undefined;
  const nearest =
    near === "" ? "heartwood tree lists all nodes" : `the nearest ${verb} ${near}; heartwood tree lists all`;
  const hint = log ? "its log has no node yet: run heartwood compact" : nearest;
  return new MemoryError("not_found", `No ${level} node for ${period}: ${hint}.`, { period, level });
}
