import { MemoryError } from "../../base/errors.ts";
import { splitLines } from "../../base/lines.ts";
import { redact } from "../../text/redact/redact.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { ManifestNode } from "./manifest.ts";
import { frontTopics } from "../../tree/model/topic-format.ts";
import { type NodeName, memoryFolder, nodeLabel, nodePath, parentOf, parseNodeFile } from "../../tree/model/period.ts";
import type { SummaryMemory } from "../memory.ts";

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
