import { type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { lastDayOf, mergeRefs, type Ref, refsOverlap } from "../../base/refs.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { datedText, inOneLine, type RootTopic } from "./root-topics.ts";
import type { RootSection } from "./root-format.ts";

/** A candidate line of ROOT.md. */
export interface RootCandidate {
  readonly section: RootSection;
  readonly text: string;
  /** The topic's key; empty for a line about a period. */
  readonly topic: string;
  readonly refs: readonly Ref[];
  /** The passages of monthly nodes that the line is made from. */
  readonly from: readonly PlacedPassage[];
  readonly value: number;
  /** Set for found topics: the line shows only keywords, and its age counts from the last mention. */
  readonly shows?: "keywords";
}

/** How many statements or keywords an index line shows. */
export interface Detail {
  readonly in: "statements" | "keywords";
  readonly most: number;
}

/** The most characters of statements in one index line; the first statement is always shown whole. */
const longestTold = 600;
/** The most keywords of a reference, which mainly shows its pointer. */
const mostOfReference = 5;

/** `- topic [type, Nd]: text → pointer`. A future day is shown as a date instead of the age; marks such as `?` and `by agent` follow it. */
export function indexLine(topic: RootTopic, detail: Detail, today: Day): RootCandidate {
  const doubt = topic.type === "reference" && topic.age > 30 ? ", ?" : "";
  const text = detail.in === "statements" ? statedIn(topic, detail.most, today) : keywordsIn(topic, detail.most);
  const pointer = topic.pointer === "" || text.includes(topic.pointer) ? "" : ` → ${topic.pointer}`;
  const age = topic.last > today ? topic.last : `${topic.age}d`;
  const [type = "", origin] = (topic.tag ?? topic.type).split(" by ");
  const by = origin === undefined ? "" : `, by ${origin}`;
  return {
    section: "Topics Index",
    text: `- ${topic.name} [${type}, ${age}${doubt}${by}]${text === "" ? "" : `: ${text}`}${pointer}`,
    topic: topic.key,
    refs: topic.refs,
    from: topic.entries.length > 0 ? topic.entries : topic.details,
    value: worthOf(topic),
  };
}

/** The first statements that fit, whole. */
function statedIn(topic: RootTopic, most: number, today: Day): string {
  const told: string[] = [];
  let length = 0;
  for (const statement of topic.statements.filter(
    (one, at, all) => all.findIndex((other) => other.text === one.text) === at,
  )) {
    const text = datedText(statement, topic, today);
    length += text.length + 2;
    if (told.length >= most || (told.length > 0 && length > longestTold)) break;
    told.push(text);
  }
  return inOneLine(told);
}

function keywordsIn(topic: RootTopic, most: number): string {
  return topic.keywords
    .filter((word) => topic.pointer === "" || !topic.pointer.includes(word))
    .slice(0, topic.type === "reference" ? Math.min(most, mostOfReference) : most)
    .join(", ");
}

/** `Style [feedback, by import]` if these passages only claim to be the user's words; otherwise the name. */
export function nameWithClaim(topic: RootTopic, from: readonly PlacedPassage[]): string {
  const claimed = [...topic.entries, ...topic.details].flatMap(({ type, tag, refs }) =>
    tag !== undefined && !isPreserved(type) && refsOverlap(refs, refsOf(from)) ? [tag] : [],
  );
  const [tag] = claimed.toSorted();
  return tag === undefined ? topic.name : `${topic.name} [${tag.replace(" by ", ", by ")}]`;
}

/** The most keywords of a line for found topics, including the name. */
export const mostOfFound = 12;

/** One line per found topic. */
export function* singleLines({
  topics,
  day,
}: {
  readonly topics: readonly PlacedPassage[];
  readonly day: Day;
}): Generator<RootCandidate> {
  for (const group of Map.groupBy(topics, ({ topic }) => topicKey(topic)).values()) {
    const words = new Map(group.flatMap(keywordsOfFound).map((word) => [topicKey(word), word]));
    const [name = "", ...keywords] = words.values();
    yield foundLine({ name, keywords: keywords.slice(0, mostOfFound), of: group, day });
  }
}

/** The words of a found topic, its name first. */
export function keywordsOfFound(passage: PlacedPassage): readonly string[] {
  const words = [passage.topic];
  if (passage.text !== "") for (const word of passage.text.split(", ")) if (word !== "") words.push(word);
  return words;
}

export function foundLine(line: {
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
    shows: "keywords",
  };
}

/** The value of a topic in the index: its weight, freshness, type, and how much is known about it. */
export function worthOf(topic: RootTopic): number {
  const told = 0.15 + 0.85 * Math.min(1, Math.max(topic.keywords.length, topic.statements.length * 3) / 8);
  const fresh = 0.4 + 1 / (1 + topic.age / 45);
  const kind = isPreserved(topic.type) ? 4 : topic.type === "reference" ? 0.9 : topic.progress === "done" ? 0.5 : 1;
  return Math.log2(2 + topic.weight) * fresh * kind * told;
}

export function refsOf(passages: readonly PlacedPassage[]): readonly Ref[] {
  return mergeRefs(passages.flatMap((passage) => passage.refs));
}

export function byValue(a: RootCandidate, b: RootCandidate): number {
  return b.value - a.value || (topicKey(a.text) < topicKey(b.text) ? -1 : 1);
}

export interface RootLimits {
  readonly tokens: number;
  readonly characters: number;
  readonly lines: number;
  readonly bytes: number;
}

/** Tracks the remaining space of ROOT.md and what did not fit. */
export class RootSpace {
  readonly chosen: RootCandidate[] = [];
  /** Lines that did not fit, with the reason. */
  readonly dropped = new Map<RootCandidate, string>();
  readonly #count: (text: string) => number;
  readonly #costs = new Map<{ readonly text: string }, number>();
  readonly #replaced: { readonly at: number; readonly line: RootCandidate }[] = [];
  /** Tokens left. */
  free: number;
  freeLines: number;
  #freeBytes: number;

  /** `frame`: ROOT.md without any lines. */
  constructor(limits: RootLimits, count: (text: string) => number, frame: string) {
    this.#count = count;
    this.free = limits.tokens - count(frame);
    this.#freeBytes = Math.min(limits.bytes, limits.characters) - frame.length;
    this.freeLines = limits.lines - frame.split("\n").length;
  }

  fitsAll(lines: readonly { readonly text: string }[], room: number = this.free): boolean {
    const bytes = lines.reduce((sum, line) => sum + Buffer.byteLength(line.text) + 1, 0);
    // Counting tokens is expensive, so it comes last.
    return bytes <= this.#freeBytes && lines.length <= this.freeLines && this.costOf(lines) <= room;
  }

  costOf(lines: readonly { readonly text: string }[]): number {
    return lines.reduce((sum, line) => sum + this.cost(line), 0);
  }

  /** The cost of the lines; if it is more than `most`, some sum above it. */
  costUpTo(lines: Iterable<{ readonly text: string }>, most: number): number {
    let sum = 0;
    for (const line of lines) {
      if (sum > most) break;
      sum += this.cost(line);
    }
    return sum;
  }

  cost(line: { readonly text: string }): number {
    const cost = this.#costs.get(line) ?? this.#count(`${line.text}\n`);
    this.#costs.set(line, cost);
    return cost;
  }

  /** Takes the line unless it costs more than `most` tokens or than what is left. Returns whether it was taken. */
  take(line: RootCandidate, most: number = this.free): boolean {
    const cost = this.cost(line);
    const bytes = Buffer.byteLength(line.text) + 1;
    if (cost > most || cost > this.free || bytes > this.#freeBytes || this.freeLines < 1) return false;
    this.free -= cost;
    this.#freeBytes -= bytes;
    this.freeLines -= 1;
    this.chosen.push(line);
    this.dropped.delete(line);
    return true;
  }

  /** Replaces a selected line with a longer one if it fits. Returns the line now selected. */
  replace(line: RootCandidate, fuller: RootCandidate): RootCandidate {
    const more = this.cost(fuller) - this.cost(line);
    const bytes = Buffer.byteLength(fuller.text) - Buffer.byteLength(line.text);
    const at = this.chosen.indexOf(line);
    if (at < 0 || more > this.free || bytes > this.#freeBytes) return line;
    this.free -= more;
    this.#freeBytes -= bytes;
    this.chosen[at] = fuller;
    this.#replaced.push({ at, line });
    return fuller;
  }

  /** Takes the lines that fit into a share of the space. */
  takeShare(lines: readonly RootCandidate[], share: number): void {
    let left = share;
    for (const line of lines) {
      if (this.take(line, left)) left -= this.cost(line);
      else this.dropped.set(line, "its section's share of the space is full");
    }
  }

  /**
   * Undoes the last replacement or, if there is none, removes the line selected last. Returns false if no line is left.
   */
  dropLast(): boolean {
    const replaced = this.#replaced.pop();
    if (replaced !== undefined) {
      this.chosen[replaced.at] = replaced.line;
      return true;
    }
    const line = this.chosen.pop();
    if (line !== undefined) this.dropped.set(line, "the exact size exceeded the cap");
    return line !== undefined;
  }
}
