import { wordKeys, wordKeysInOrder } from "../../text/word-keys.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import type { SearchIndex, WeightedTerm } from "../../recall/index/search-index.ts";
import type { ManifestNode, ManifestTopic } from "./manifest.ts";
import { daysCovered, parseNodeLabel } from "../../tree/model/period.ts";
import { followRows } from "../../recall/run/follow-nodes.ts";
import type { Pointed } from "../../recall/memory.ts";
import type { RecallQuery } from "../../recall/run/query.ts";
import { pushAll } from "../../base/lists.ts";

/** Lines of one part of a node that are followed, and places to which one topic leads. */
const mostOfRow = 2;
const mostPlaces = 3;
/** The part of what a line bears that is the topic; the rest is the message. */
const shareOfTopic = 0.75;
/** Raw lines of the days, where the node names none. */
const mostRaw = 2;
const mostWords = 12;
/** No node has so many lines. */
const lastLine = 1_000_000_000;

/** Where topics lead that somebody chose: to the raw lines that the lines of their nodes name, else to those of the days that hold their words. */
export async function followTopics(
  index: SearchIndex,
  query: RecallQuery,
  topics: readonly ManifestTopic[],
): Promise<readonly Pointed[]> {
  const pointed: Pointed[] = [];
  for (const topic of topics) {
    const led = await throughNode(index, query, topic);
    pushAll(pointed, led.length > 0 ? led : await throughDays(index, topic));
  }
  return pointed;
}

async function throughNode(
  index: SearchIndex,
  query: RecallQuery,
  { node, name }: ManifestTopic,
): Promise<readonly Pointed[]> {
  const found = await index.rowsAt("chunk", [{ source: node.path, lines: [1, lastLine] }]);
  const near = daysOf(node)?.first ?? "";
  // Of a line with several topics only the chosen one says where it leads.
  const rows = found.map((row) => ({ ...row, text: topicsApart(row.text, near) }));
  const weights = withTopic(query.weights(), name);
  const led = followRows({ step: "chosen", rows, weights: () => weights, most: mostOfRow });
  const least = shareOfTopic / 4;
  return led
    .filter(({ strength }) => strength >= least)
    .toSorted((a, b) => b.strength - a.strength)
    .slice(0, mostPlaces);
}

/** A line for each part that says where it leads: `a: b (03-15:1); d: e (03-16:2-4)` are two. The last one may have been cut off. */
function topicsApart(text: string, near: string): string {
  const lines = text.split("\n").map((line) => {
    const parts = line.split(/(?<=\)); /u);
    return parts.slice(0, -1).every((part) => parseRefSuffix(part, near).refs.length > 0) ? parts.join("\n") : line;
  });
  return lines.join("\n");
}

/** The words of a topic with those of the message, so that of several lines about it the ones that bear on the message come first. */
function withTopic(weights: ReadonlyMap<string, number>, name: string): ReadonlyMap<string, number> {
  const keys = [...wordKeys(name)];
  const sum = [...weights.values()].reduce((all, weight) => all + weight, 0);
  const own = keys.map((key): readonly [string, number] => [key, shareOfTopic / keys.length]);
  const rest = [...weights].map(([key, weight]): readonly [string, number] => {
    return [key, (weight / Math.max(sum, Number.MIN_VALUE)) * (1 - shareOfTopic)];
  });
  return new Map([...rest, ...own]);
}

async function throughDays(index: SearchIndex, { node, name }: ManifestTopic): Promise<readonly Pointed[]> {
  const words = [...new Set(wordKeysInOrder(name))].slice(0, mostWords);
  const any = words.map((text): WeightedTerm => ({ kind: "word", text, weight: 1 }));
  const days = daysOf(node);
  if (any.length === 0 || days === undefined) return [];
  const found = await index.find({ kinds: ["raw"], since: days.first, until: days.last, any, limit: mostRaw });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows.map(({ source, lines }) => ({ step: "chosen", source, lines, strength: shareOfTopic }));
}

function daysOf({ level, label }: ManifestNode): { readonly first: string; readonly last: string } | undefined {
  const name = parseNodeLabel(level, label);
  return name === undefined ? undefined : daysCovered(level, name.period);
}
