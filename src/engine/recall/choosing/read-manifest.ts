import { MemoryError } from "../../../base/errors.ts";
import { topicKey } from "../../../base/memory-type.ts";
import type { FileEntry } from "../../../ports/files.ts";
import type { ManifestNode } from "../../../recall/choice/manifest.ts";
import { memoryFolder, nodeLabel, nodePath, parentOf, parseNodeFile, type NodeName } from "../../../tree/period.ts";
import type { NodeFacts } from "../../../tree/state.ts";
import type { Memory } from "../../memory.ts";
import { readNodeFile } from "../../node-files.ts";
import { readCache, type TreeCache } from "../../tree-cache.ts";

/** Nodes of each level that are read, the newest. */
const mostOfLevel = { monthly: 240, weekly: 53, daily: 31 } as const;
const levels = ["monthly", "weekly", "daily"] as const;

/**
 * What the nodes are about, from months to days, of each level the newest first. A topic that a node above names is left out below it. A node that cannot be
 * read is passed over.
 */
export async function readManifest(memory: Memory): Promise<readonly ManifestNode[]> {
  const cache = await readCache(memory.files);
  const told = new Map<string, Set<string>>();
  const nodes: ManifestNode[] = [];
  for (const level of levels)
    for (const { name, entry } of await newestOf(memory, level)) {
      const facts = await factsOf(memory, { cache, name, entry });
      const above = keysAbove(name).flatMap((key) => [...(told.get(key) ?? [])]);
      const known = new Set(above);
      const topics = (facts?.topics ?? []).map((topic) => topic.name).filter((topic) => !known.has(topicKey(topic)));
      const own = told.get(keyOf(name)) ?? new Set();
      told.set(keyOf(name), new Set([...own, ...topics.map(topicKey)]));
      nodes.push({ path: nodePath(name), label: nodeLabel(name), level, topics });
    }
  return nodes.filter(({ topics }) => topics.length > 0);
}

interface Found {
  readonly name: NodeName;
  readonly entry: FileEntry;
}

async function newestOf(memory: Memory, level: (typeof levels)[number]): Promise<readonly Found[]> {
  const entries = await memory.files.list(`${memoryFolder}/${level}`);
  const found = entries.flatMap((entry): readonly Found[] => {
    const name = entry.kind === "file" ? parseNodeFile(level, entry.name) : undefined;
    return name === undefined ? [] : [{ name, entry }];
  });
  return found.toSorted((a, b) => newestFirst(a.name, b.name)).slice(0, mostOfLevel[level]);
}

function newestFirst(a: NodeName, b: NodeName): number {
  return a.period === b.period ? b.late - a.late : a.period < b.period ? 1 : -1;
}

async function factsOf(
  memory: Memory,
  { cache, name, entry }: Found & { readonly cache: TreeCache },
): Promise<NodeFacts | undefined> {
  try {
    return cache.node(nodePath(name), entry) ?? (await readNodeFile(memory.files, name))?.facts;
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
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
