import { MemoryError } from "../../base/errors.ts";
import { splitLines } from "../../base/lines.ts";
import { greatest, pushAll } from "../../base/lists.ts";
import { topicKey } from "../../base/memory-type.ts";
import { redact } from "../../text/redact/redact.ts";
import { frontTopics } from "../../tree/model/node-sections.ts";
import { memoryFolder, nodeLabel, type NodeName, nodePath, parentOf, parseNodeFile } from "../../tree/model/period.ts";
import type { SummaryMemory } from "../memory.ts";

/** The topics from the front matter of a node. */
export interface ManifestNode {
  /** `memory/monthly/2026-03.md`. */
  readonly path: string;
  /** `2026-03`, `2026-W11`, `2026-03-10.late-1`. */
  readonly label: string;
  readonly level: "monthly" | "weekly" | "daily";
  readonly topics: readonly string[];
}

export interface ManifestTopic {
  readonly number: number;
  readonly node: ManifestNode;
  readonly name: string;
}

/** Maximum characters of a topic name. A longer one is prose, and its beginning is enough. */
const mostOfName = 80;
/** Tokens for the number, the indentation and the newline. */
const tokensOfLine = 4;

/**
 * Selects the topics that fit the space and numbers them from 1 in the order of the nodes. Within a level, each node contributes its first topic, then
 * each its second, and so on, so that every part of a long memory is represented. Each level gets the space left by earlier levels. Pure: the same
 * nodes give the same numbers.
 */
export function fitManifest(
  nodes: readonly ManifestNode[],
  space: { readonly tokens: number; readonly topics: number; readonly count: (text: string) => number },
): readonly ManifestTopic[] {
  let number = 0;
  const taken = takeInTurn(nodes, space);
  return nodes.flatMap((node) =>
    (taken.get(node) ?? []).map((name): ManifestTopic => ({ number: (number += 1), node, name })),
  );
}

function takeInTurn(
  nodes: readonly ManifestNode[],
  { tokens, topics, count }: Parameters<typeof fitManifest>[1],
): ReadonlyMap<ManifestNode, readonly string[]> {
  const taken = new Map<ManifestNode, string[]>();
  const left = { tokens, topics };
  for (const own of Map.groupBy(nodes, ({ level }) => level).values()) {
    const turns = greatest(own.map((node) => node.topics.length));
    for (let turn = 0; turn < turns; turn++)
      for (const node of own) {
        const name = node.topics[turn]?.slice(0, mostOfName).toWellFormed();
        if (name === undefined) continue;
        const known = taken.get(node) ?? [];
        left.tokens -= count(name) + tokensOfLine + (known.length > 0 ? 0 : count(node.label) + tokensOfLine);
        left.topics -= 1;
        if (left.tokens < 0 || left.topics < 0) return taken;
        taken.set(node, [...known, name]);
      }
  }
  return taken;
}

/** Maximum bytes read from a node; its front matter comes first. */
const mostBytes = 1024 * 1024;
/** How many nodes at each level are read, newest first. */
const mostOfLevel = { monthly: 240, weekly: 53, daily: 31 } as const;
const levels = ["monthly", "weekly", "daily"] as const;

/**
 * The topics of the nodes, from months to days, newest first within a level. A topic already named by an ancestor is omitted. Nodes that cannot be
 * read are skipped.
 */
export async function readManifest(memory: SummaryMemory): Promise<readonly ManifestNode[]> {
  const named = new Map<string, string[]>();
  const nodes: ManifestNode[] = [];
  for (const level of levels)
    for (const name of await newestOf(memory, level)) {
      const known = new Set(keysAbove(name).flatMap((key) => named.get(key) ?? []));
      const topics = (await topicsOf(memory, name)).filter((topic) => !known.has(topicKey(topic)));
      const own = named.get(keyOf(name)) ?? [];
      pushAll(own, topics.map(topicKey));
      named.set(keyOf(name), own);
      if (topics.length > 0) nodes.push({ path: nodePath(name), label: nodeLabel(name), level, topics });
    }
  return nodes;
}

async function newestOf(memory: SummaryMemory, level: (typeof levels)[number]): Promise<readonly NodeName[]> {
  const entries = await memory.files.list(`${memoryFolder}/${level}`);
  return entries
    .flatMap(({ kind, name }) => (kind === "file" ? (parseNodeFile(level, name) ?? []) : []))
    .toSorted((a, b) => (a.period === b.period ? b.late - a.late : a.period < b.period ? 1 : -1))
    .slice(0, mostOfLevel[level]);
}

async function topicsOf(memory: SummaryMemory, name: NodeName): Promise<readonly string[]> {
  try {
    const read = await memory.files.read(nodePath(name), { from: 0, to: mostBytes });
    const lines = read === undefined ? [] : splitLines(read.bytes).map(({ text }) => text);
    return frontTopics(lines).map((topic) => redact(topic.name).text);
  } catch (error) {
    if (error instanceof MemoryError) return [];
    throw error;
  }
}

type Place = Pick<NodeName, "level" | "period">;

function keyOf({ level, period }: Place): string {
  return `${level}/${period}`;
}

function keysAbove({ level, period }: Place): readonly string[] {
  const parent = parentOf(level, period);
  return parent === undefined ? [] : [keyOf(parent), ...keysAbove(parent)];
}
