import { MemoryError } from "../../base/errors.ts";
import { splitLines } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { SummaryMemory } from "../memory.ts";
import { redact } from "../../text/redact/redact.ts";
import { frontTopics } from "../../tree/model/node-sections.ts";
import { type NodeName, memoryFolder, nodeLabel, nodePath, parentOf, parseNodeFile } from "../../tree/model/period.ts";

/** What the front matter of a node says that it is about. */
export interface ManifestNode {
  /** `memory/monthly/2026-03.md`. */
  readonly path: string;
  /** `2026-03`, `2026-W11`, `2026-03-10.late-1`. */
  readonly label: string;
  readonly level: "monthly" | "weekly" | "daily";
  /** The most important first. */
  readonly topics: readonly string[];
}

/** One topic of one node, which a number stands for. */
export interface ManifestTopic {
  readonly number: number;
  readonly node: ManifestNode;
  readonly name: string;
}

interface ManifestSpace {
  readonly tokens: number;
  readonly topics: number;
  readonly count: (text: string) => number;
}

/** A longer name is a text, of which the beginning tells. Characters. */
const mostOfName = 80;
/** What a number, the line end and the indentation cost. */
const tokensOfLine = 4;

/**
 * The topics that there is space for, numbered from 1 in the order of the nodes. Of one level each node gives its first topic, then its second one, and so on, so
 * that a long memory is told of as a whole; a level gets what those before it left. Pure; the same nodes give the same numbers.
 */
export function fitManifest(nodes: readonly ManifestNode[], space: ManifestSpace): readonly ManifestTopic[] {
  const taken = new Map<ManifestNode, string[]>();
  const left = { tokens: space.tokens, topics: space.topics };
  const levels = new Set(nodes.map(({ level }) => level));
  for (const level of levels) {
    const own = nodes.filter((node) => node.level === level);
    if (!takeInTurn(own, { taken, left, count: space.count })) break;
  }
  let number = 0;
  return nodes.flatMap((node) =>
    (taken.get(node) ?? []).map((name): ManifestTopic => ({ number: (number += 1), node, name })),
  );
}

interface Taking {
  readonly taken: Map<ManifestNode, string[]>;
  readonly left: { tokens: number; topics: number };
  readonly count: (text: string) => number;
}

/** Whether all of it had space. */
function takeInTurn(nodes: readonly ManifestNode[], { taken, left, count }: Taking): boolean {
  const most = greatest([0, ...nodes.map(({ topics }) => topics.length)]);
  for (let turn = 0; turn < most; turn++)
    for (const node of nodes) {
      const name = node.topics[turn]?.slice(0, mostOfName).toWellFormed();
      if (name === undefined) continue;
      const known = taken.get(node);
      const cost = count(name) + tokensOfLine + (known === undefined ? count(node.label) + tokensOfLine : 0);
      if (cost > left.tokens || left.topics < 1) return false;
      left.tokens -= cost;
      left.topics -= 1;
      if (known === undefined) taken.set(node, [name]);
      else known.push(name);
    }
  return true;
}

/** Bytes of a node that are read: its front matter stands at the beginning. */
const mostBytes = 1024 * 1024;
/** Nodes of each level that are read, the newest. */
const mostOfLevel = { monthly: 240, weekly: 53, daily: 31 } as const;
const levels = ["monthly", "weekly", "daily"] as const;

/**
 * What the nodes are about, from months to days, of each level the newest first. A topic that a node above names is left out below it. A node that cannot be
 * read is passed over.
 */
export async function readManifest(memory: SummaryMemory): Promise<readonly ManifestNode[]> {
  const told = new Map<string, Set<string>>();
  const nodes: ManifestNode[] = [];
  for (const level of levels)
    for (const name of await newestOf(memory, level)) {
      const above = keysAbove(name).flatMap((key) => [...(told.get(key) ?? [])]);
      const known = new Set(above);
      const topics = (await topicsOf(memory, name)).filter((topic) => !known.has(topicKey(topic)));
      const own = told.get(keyOf(name)) ?? new Set();
      told.set(keyOf(name), new Set([...own, ...topics.map(topicKey)]));
      nodes.push({ path: nodePath(name), label: nodeLabel(name), level, topics });
    }
  return nodes.filter(({ topics }) => topics.length > 0);
}

async function newestOf(memory: SummaryMemory, level: (typeof levels)[number]): Promise<readonly NodeName[]> {
  const entries = await memory.files.list(`${memoryFolder}/${level}`);
  const names = entries.flatMap(({ kind, name: file }) => {
    const name = kind === "file" ? parseNodeFile(level, file) : undefined;
    return name === undefined ? [] : [name];
  });
  return names.toSorted(newestFirst).slice(0, mostOfLevel[level]);
}

function newestFirst(a: NodeName, b: NodeName): number {
  return a.period === b.period ? b.late - a.late : a.period < b.period ? 1 : -1;
}

async function topicsOf(memory: SummaryMemory, name: NodeName): Promise<readonly string[]> {
  try {
    const read = await memory.files.read(nodePath(name), { from: 0, to: mostBytes });
    if (read === undefined) return [];
    const lines = splitLines(read.bytes).map(({ text }) => text);
    return frontTopics(lines).map((topic) => redact(topic.name).text);
  } catch (error) {
    if (error instanceof MemoryError) return [];
    throw error;
  }
}

function keyOf({ level, period }: Pick<NodeName, "level" | "period">): string {
  return `${level}/${period}`;
}

function keysAbove({ level, period }: Pick<NodeName, "level" | "period">): readonly string[] {
  const parent = parentOf(level, period);
  return parent === undefined ? [] : [keyOf(parent), ...keysAbove(parent)];
}
