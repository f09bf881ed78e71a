import { greatest } from "../../base/lists.ts";

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

export interface ManifestSpace {
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
