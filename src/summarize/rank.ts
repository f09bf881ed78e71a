import { isPreserved, topicKey } from "../base/memory-type.ts";
import type { Passage } from "../base/passage.ts";
import { compareRefs, limitRefs, mergeRefs, refsOverlap, type Ref } from "../base/refs.ts";

/** Refs that a line of a summary names at most: one for each day of a month. */
const mostRefs = 31;
/** Keywords of a topic. */
const mostKeywords = 12;

/**
 * Merges what says the same and orders it: preserved entries first, newest first; then topics by weight, each followed by what is told of it in turns, so
 * that every topic gets its best line before any gets its second (the diversity of maximal marginal relevance, Carbonell and Goldstein 1998,
 * by quota instead of by similarity).
 */
export function rankPassages(passages: readonly Passage[]): readonly Passage[] {
  const topics = mergeTopics(passages.filter((passage) => passage.role === "topic"));
  const preserved = newestOfSame(passages.filter((passage) => passage.role === "preserved"));
  const entities = mergeEntities(passages.filter((passage) => passage.role === "entity"));
  const details = withoutRepeats(
    passages.filter((passage) => !["topic", "preserved", "entity"].includes(passage.role)),
  );
  return [...preserved, ...interleave(topics, [...roundRobin(details, topics), ...entities])];
}

function mergeTopics(passages: readonly Passage[]): readonly Passage[] {
  const groups = new Map<string, Passage[]>();
  for (const passage of passages) {
    const key = topicKey(passage.topic);
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [passage]);
    else group.push(passage);
  }
  const merged = [...groups.values()].map(mergeTopic);
  return merged.toSorted(
    (a, b) =>
      Number(isPreserved(b.type)) - Number(isPreserved(a.type)) ||
      b.weight - a.weight ||
      byNewest(a, b) ||
      (a.topic < b.topic ? -1 : 1),
  );
}

function mergeTopic(group: readonly Passage[]): Passage {
  const newestFirst = group.toSorted(byNewest);
  const newest = newestFirst[0];
  if (newest === undefined) throw new Error("a topic without passages");
  const { refs, passages } = named(newestFirst);
  const days = new Set(refs.map((ref) => ref.log.slice(0, 10)));
  const preserved = group.find((passage) => isPreserved(passage.type));
  return {
    ...newest,
    type: preserved?.type ?? newest.type,
    text: mergeLists(
      passages.map((passage) => passage.text),
      mostKeywords,
    ),
    refs,
    weight: group.reduce((sum, passage) => sum + Math.max(1, passage.weight), 0) + days.size,
  };
}

/** The refs that a line for all of these names, and the passages that they lead to: a line has no word from anywhere else. */
function named(group: readonly Passage[]): { readonly refs: readonly Ref[]; readonly passages: readonly Passage[] } {
  const all = mergeRefs(group.flatMap((passage) => passage.refs));
  if (all.length <= mostRefs) return { refs: all, passages: group };
  const refs = limitRefs(all, mostRefs);
  return { refs, passages: group.filter((passage) => passage.refs.every((ref) => refsOverlap([ref], refs))) };
}

/** Lists of words, taken in turns, without repeats. */
function mergeLists(lists: readonly string[], most: number): string {
  const queues = lists.map((list) => list.split(", ").filter((word) => word !== ""));
  const taken = new Map<string, string>();
  for (let round = 0; taken.size < most && queues.some((queue) => round < queue.length); round++)
    for (const queue of queues) {
      const word = queue[round];
      if (word !== undefined && taken.size < most && !taken.has(topicKey(word))) taken.set(topicKey(word), word);
    }
  return [...taken.values()].join(", ");
}

/** Of preserved entries of the same topic and text only the newest; all refs are named. */
function newestOfSame(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Map<string, Passage>();
  for (const passage of passages.toSorted(byNewest)) {
    const key = `${topicKey(passage.topic)}\n${passage.lines
      .slice(1)
      .map((line) => line.text.trim())
      .join("\n")}`;
    if (!seen.has(key)) seen.set(key, passage);
  }
  return [...seen.values()].toSorted((a, b) => (a.type === b.type ? byNewest(a, b) : a.type === "user" ? -1 : 1));
}

function mergeEntities(passages: readonly Passage[]): readonly Passage[] {
  const kinds = [...new Set(passages.map((passage) => passage.topic))].toSorted();
  return kinds.flatMap((kind) => {
    const group = passages.filter((passage) => passage.topic === kind).toSorted(byNewest);
    const first = group[0];
    if (first === undefined) return [];
    const { refs, passages: told } = named(group);
    const text = mergeLists(
      told.map((passage) => passage.text),
      mostKeywords,
    );
    return [{ ...first, text, refs }];
  });
}

function withoutRepeats(passages: readonly Passage[]): readonly Passage[] {
  const seen = new Map<string, Passage>();
  for (const passage of passages.toSorted(byNewest)) {
    const key = `${passage.role}\n${topicKey(passage.topic)}\n${topicKey(passage.text)}`;
    const known = seen.get(key);
    if (known === undefined) seen.set(key, passage);
    else
      seen.set(key, {
        ...known,
        refs: limitRefs([...known.refs, ...passage.refs], mostRefs),
        weight: known.weight + 0.5,
      });
  }
  return [...seen.values()];
}

/** The best of every topic, then the second of every topic, and so on; heavier topics first in each round. */
function roundRobin(details: readonly Passage[], topics: readonly Passage[]): readonly Passage[] {
  const order = new Map(topics.map((topic, index) => [topicKey(topic.topic), index]));
  const byTopic = new Map<string, Passage[]>();
  for (const passage of details.toSorted(
    (a, b) => b.weight - a.weight || byNewest(a, b) || (a.text < b.text ? -1 : 1),
  )) {
    const key = topicKey(passage.topic);
    const list = byTopic.get(key);
    if (list === undefined) byTopic.set(key, [passage]);
    else list.push(passage);
  }
  const queues = [...byTopic]
    .toSorted(([a], [b]) => (order.get(a) ?? topics.length) - (order.get(b) ?? topics.length))
    .map(([, list]) => list);
  const longest = queues.reduce((most, queue) => Math.max(most, queue.length), 0);
  const turns: Passage[] = [];
  for (let round = 0; round < longest; round++)
    for (const queue of queues) if (queue[round] !== undefined) turns.push(queue[round] as Passage);
  return turns;
}

/** Two topics, one detail, and so on: both get their share of a limited space. */
function interleave(topics: readonly Passage[], details: readonly Passage[]): readonly Passage[] {
  const mixed: Passage[] = [];
  for (let index = 0; index * 2 < topics.length || index < details.length; index++) {
    mixed.push(...topics.slice(index * 2, index * 2 + 2));
    const detail = details[index];
    if (detail !== undefined) mixed.push(detail);
  }
  return mixed;
}

function byNewest(a: Passage, b: Passage): number {
  return -compareRefs(newestRef(a), newestRef(b));
}

const noRef: Ref = { log: "", from: 0, to: 0 };

function newestRef(passage: Passage): Ref {
  return passage.refs.at(-1) ?? noRef;
}
