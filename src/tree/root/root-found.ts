import { daysBetween, type Day } from "../../base/calendar.ts";
import { topicKey } from "../../base/memory-type.ts";
import { nameKey } from "../../text/word-keys.ts";
import { compareDays, dayOfRef, lastDayOf, mergeRefs } from "../../base/refs.ts";
import { indexLines, type FoundTopic } from "../../base/topic-lines.ts";
import type { RootCandidate } from "./root-lines.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";
import type { NodeSummarizer } from "../model/summarizer.ts";

/** Keywords of a line, and places that it may lead to: a line that points everywhere points nowhere. */
const mostKeywords = 12;
const mostPlaces = 10;

/** What lines for found topics are made of. */
export interface FoundInputs {
  /** Topic lines of the monthlies that nobody named. */
  readonly topics: readonly PlacedPassage[];
  readonly day: Day;
  readonly keys: NodeSummarizer["keys"];
  /** Exact tokens of a text. */
  readonly count: (text: string) => number;
  /** Names that other lines of the index have, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** A line for each found topic. */
export function singleLines({ topics, day }: Pick<FoundInputs, "topics" | "day">): readonly RootCandidate[] {
  const byName = new Map<string, PlacedPassage[]>();
  for (const topic of topics) {
    const list = byName.get(topicKey(topic.topic));
    if (list === undefined) byName.set(topicKey(topic.topic), [topic]);
    else list.push(topic);
  }
  return [...byName.values()].map((group) => {
    const words = new Map(group.flatMap(keywordsOf).map((word) => [topicKey(word), word]));
    const [name = "", ...keywords] = words.values();
    return lineOf({ name, keywords: keywords.slice(0, mostKeywords), of: group, day });
  });
}

/** The lines that lead to as many of the found topics as possible within `tokens` and `lines`; and the topics without those that another stands for. */
export function chooseFound(
  inputs: FoundInputs,
  room: { readonly tokens: number; readonly lines: number },
): { readonly lines: readonly RootCandidate[]; readonly topics: readonly PlacedPassage[] } {
  const { day, keys, count } = inputs;
  const repeats = repeatsOf(inputs.topics);
  const topics = inputs.topics.filter((topic) => !repeats.has(topic));
  const found = topics.map((topic) => foundTopic(topic, ageOf(topic, day)));
  const costs = new Map<string, number>();
  const costOf = (text: string): number => {
    const known = costs.get(text);
    if (known !== undefined) return known;
    const cost = count(text);
    costs.set(text, cost);
    return cost;
  };
  const chosen = indexLines(found, {
    keysOf: keys,
    lineCost: (name) => costOf(`- ${name}`) + tokensOfTag,
    keywordCost: (keyword) => costOf(`, ${keyword}`),
    room: room.tokens,
    mostLines: room.lines,
    mostKeywords: mostKeywords - 1,
    mostPlaces,
    names: inputs.names,
  });
  return {
    lines: chosen.map((line) =>
      lineOf({ ...line, of: line.topics.map((index) => topics[index] as PlacedPassage), day }),
    ),
    topics,
  };
}

/** The names among found topics that were talked of since a day. */
export function namesSince(topics: readonly PlacedPassage[], since: Day): ReadonlySet<string> {
  return new Set(topics.filter((topic) => lastDay(topic) >= since).map(({ topic }) => nameKey(topic)));
}

/** The newest day on which any of them was talked of; empty without any. */
export function newestDay(topics: readonly PlacedPassage[]): Day {
  return topics.reduce((newest, topic) => (lastDay(topic) > newest ? lastDay(topic) : newest), "");
}

/** Topics of which a newer one of the same name has every word: that one stands for them. */
function repeatsOf(topics: readonly PlacedPassage[]): ReadonlySet<PlacedPassage> {
  const kept = new Map<string, { readonly topic: PlacedPassage; readonly words: ReadonlySet<string> }[]>();
  const repeats = new Set<PlacedPassage>();
  for (const topic of topics.toSorted((a, b) => compareDays(lastDay(b), lastDay(a)))) {
    const key = topicKey(topic.topic);
    const words = new Set(keywordsOf(topic).map(topicKey));
    const newer = kept.get(key) ?? [];
    if (newer.some((one) => [...words].every((word) => one.words.has(word)))) repeats.add(topic);
    else kept.set(key, [...newer, { topic, words }]);
  }
  return repeats;
}

/** Chosen lines as topics of history: what a period was about, by how much of it they lead to. */
export function topicsOfLines(lines: readonly RootCandidate[], day: Day): readonly RootTopic[] {
  return lines.map((line): RootTopic => {
    const days = [...new Set(line.refs.map(dayOfRef))].toSorted();
    const last = days.at(-1) ?? day;
    return {
      key: line.topic,
      name: line.text.slice(2, line.text.indexOf(" [project, ")),
      type: "project",
      naming: "found",
      progress: "active",
      keywords: [],
      pointer: "",
      refs: line.refs,
      days,
      last,
      age: Math.max(0, daysBetween(last, day)),
      weight: line.refs.length,
      entries: line.from,
      details: [],
    };
  });
}

/** ` [project, 12d]:` and the line's end. */
const tokensOfTag = 7;

function foundTopic(passage: PlacedPassage, age: number): FoundTopic {
  const size = passage.refs.length;
  const fresh = 0.8 + 0.4 / (1 + age / 45);
  return { keywords: keywordsOf(passage), scores: undefined, value: size ** 0.8 * fresh, size };
}

function keywordsOf(passage: PlacedPassage): readonly string[] {
  return [passage.topic, ...passage.text.split(", ").filter((word) => word !== "")];
}

/** Whole days since a found topic was last talked of. */
export function ageOf(topic: PlacedPassage, day: Day): number {
  return Math.max(0, daysBetween(lastDay(topic), day));
}

function lastDay(passage: PlacedPassage): Day {
  return lastDayOf(passage.refs);
}

function lineOf(line: {
  readonly name: string;
  readonly keywords: readonly string[];
  readonly of: readonly PlacedPassage[];
  readonly day: Day;
}): RootCandidate {
  const refs = mergeRefs(line.of.flatMap((passage) => passage.refs));
  const last = lastDayOf(refs);
  const age = Math.max(0, daysBetween(last, line.day));
  const told = line.keywords.length === 0 ? "" : `: ${line.keywords.join(", ")}`;
  return {
    section: "Topics Index",
    text: `- ${line.name} [project, ${age}d]${told}`,
    topic: topicKey(line.name),
    refs,
    from: line.of,
    value: 1,
  };
}
