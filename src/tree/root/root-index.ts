import {
  foundLine,
  indexLine,
  keywordsOfFound,
  mostOfFound,
  type RootCandidate,
  type RootSpace,
  singleLines,
} from "./root-lines.ts";
import { type Day, daysBetween } from "../../base/calendar.ts";
import { remembering } from "../../base/lines.ts";
import { compareTexts } from "../../base/lists.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { lastDayOf } from "../../base/refs.ts";
import { type FoundTopic, indexLines } from "../../base/topic-lines.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import type { RootTopic } from "./root-topics.ts";
import { keysOfKeyword } from "../extract/found-topics.ts";

/** A topic counts as silent after this many days. */
const longestLive = 90;
/** Share that named topics leave to found ones, if both exist. */
const shareOfFound = 0.4;
/** Share that named topics leave to the entries of a journal. */
const shareOfJournal = 0.75;
/**
 * `user` and `feedback` topics get as many keywords as fit into the first share of the space, and never take more than
 * the second.
 */
const shareOfPreserved = 0.45;
const mostOfPreserved = 0.9;
/** Keyword counts to try for other topics. Lines with fewer are hard to find. */
const projectSteps = [12, 9, 7, 5] as const;
/** A memory with more found topics than this per named one counts as a memory of conversations. */
const namedEnough = 3;
/** Lines reserved for Historical Summary. */
const linesOfHistory = 4;

interface IndexRow {
  readonly topic: RootTopic;
  readonly line: RootCandidate;
  /** 0 is dropped last. */
  readonly tier: 0 | 1 | 2;
}

/**
 * The Topics Index when not everything fits: `user` and `feedback` first; then live topics; then topics silent for over
 * 90 days, newest first; then completed ones. If anything of a tier is left out, later tiers are left out entirely.
 * Found topics come after the named ones of their tier; while both are live, the named ones leave them a share of the
 * space.
 */
export class RootIndex {
  readonly #space: RootSpace;
  readonly #found: FoundInputs;
  readonly #preserved: readonly RootTopic[];
  readonly #others: readonly RootTopic[];
  #rows: readonly IndexRow[] = [];
  /** Lines taken for found topics. */
  readonly taken: RootCandidate[] = [];

  constructor(space: RootSpace, topics: readonly RootTopic[], found: FoundInputs) {
    this.#space = space;
    this.#found = found;
    this.#preserved = topics.filter(({ type }) => isPreserved(type));
    this.#others = topics.filter(({ type }) => !isPreserved(type));
  }

  /**
   * Takes the `user` and `feedback` topics: in about half of the space if three keywords each fit there, else in nearly
   * all of it with fewer. Returns whether all fit.
   */
  takePreserved(): "all" | "some" {
    const { free } = this.#space;
    const half = this.#forms(this.#preserved, { steps: [12, 8, 5, 4, 3], room: free * shareOfPreserved });
    const lines = half.map(({ line }) => line);
    const rows = this.#space.fitsAll(lines, free * shareOfPreserved)
      ? half
      : this.#forms(this.#preserved, { steps: [3, 2, 1, 0], room: free * mostOfPreserved });
    const missing = this.#takeRows(this.#takeRows(rows, free * (1 - mostOfPreserved)), 0);
    return missing.length === 0 ? "all" : "some";
  }

  /**
   * Takes the other topics, leaving `reserve` tokens free. In a memory of named work, found topics are also dropped by
   * age; in a memory of conversations, they are chosen by coverage, whatever their age.
   */
  takeOthers(reserve: number): void {
    const { journal, topics, day } = this.#found;
    const isMostlyFound = journal || this.#others.length * namedEnough < topics.length;
    const isLive = (topic: PlacedPassage): boolean => isMostlyFound || ageOf(topic, day) <= longestLive;
    const live = topics.filter(isLive);
    const { free } = this.#space;
    const most = free * (journal ? shareOfJournal : shareOfFound);
    const share = Math.min(this.#space.costUpTo(singleLines({ topics: live, day }), most), most);
    const room = free - reserve - (isMostlyFound && !journal ? 0 : share);
    this.#rows = this.#forms(this.#others, { steps: projectSteps, room });
    const [named = [], silent = [], done = []] = this.#tiers();
    const waiting = this.#takeRows(named, reserve + share);
    const isFoundLeft = this.#takeFound(live, reserve) === "some" && !isMostlyFound;
    const left = this.#takeRows(waiting, reserve);
    const isFull =
      (left.length > 0 ? this.#drop(silent) : this.#takeRows(silent, reserve)).length > 0 || left.length > 0;
    const old = newestFirst(topics.filter((topic) => !isLive(topic)));
    const isOldLeft = this.#takeSingles(old, isFull || isFoundLeft ? free : reserve) === "some";
    if (isFull || isFoundLeft || isOldLeft) this.#drop(done);
    else this.#takeRows(done, reserve);
  }

  /** Named topics without a line. */
  leftOut(): ReadonlySet<string> {
    const out = this.#rows.filter(({ line }) => this.#space.dropped.has(line));
    return new Set(out.map(({ topic }) => topic.key));
  }

  /** Takes what still fits, in the same order. */
  takeRest(): void {
    let left: readonly IndexRow[] = [];
    for (const rows of this.#tiers()) {
      if (left.length > 0) return;
      left = this.#takeRows(
        rows.filter(({ line }) => this.#space.dropped.has(line)),
        0,
      );
    }
  }

  #tiers(): readonly (readonly IndexRow[])[] {
    return [0, 1, 2].map((tier) => this.#rows.filter((row) => row.tier === tier));
  }

  /** Index lines with the most keywords at which all of them fit into `room`, or else with the fewest. */
  #forms(
    topics: readonly RootTopic[],
    of: { readonly steps: readonly number[]; readonly room: number },
  ): readonly IndexRow[] {
    let rows: readonly IndexRow[] = [];
    for (const keywords of of.steps) {
      rows = topics.map((topic): IndexRow => {
        const detail = isPreserved(topic.type) || hasSaid(topic) ? "statements" : "keywords";
        const line = indexLine(withoutReasons(topic), { in: detail, most: keywords }, this.#found.day);
        return { topic, line, tier: tierOf(topic) };
      });
      const lines = rows.map(({ line }) => line);
      if (this.#space.fitsAll(lines, of.room)) break;
    }
    return rows;
  }

  /** Takes rows of one tier by value per token, silent ones newest first. Returns those that did not fit. */
  #takeRows(rows: readonly IndexRow[], reserve: number): readonly IndexRow[] {
    const density = ({ line }: IndexRow): number => line.value / (6 + this.#space.cost(line));
    const ordered = rows.toSorted(
      (a, b) =>
        (a.tier === 1 ? a.topic.age - b.topic.age : 0) ||
        density(b) - density(a) ||
        (a.topic.key < b.topic.key ? -1 : 1),
    );
    const left: IndexRow[] = [];
    for (const row of ordered) {
      // Once a silent topic does not fit, no topic silent for longer may be added.
      const hasLine = reserve === 0 || this.#space.freeLines > linesOfHistory;
      const isOpen = hasLine && (row.tier !== 1 || left.length === 0);
      if (!isOpen || !this.#space.take(row.line, this.#space.free - reserve)) left.push(row);
    }
    return this.#drop(left);
  }

  #drop(rows: readonly IndexRow[]): readonly IndexRow[] {
    const reasons = [
      "the index is full",
      "not mentioned for over 90 days, and the index is full",
      "completed, and the index is full",
    ];
    for (const { line, tier } of rows) this.#space.dropped.set(line, reasons[tier] ?? "");
    return rows;
  }

  /** Takes lines for found topics. Returns whether every topic has one. */
  #takeFound(topics: readonly PlacedPassage[], reserve: number): "all" | "some" {
    if (topics.length === 0) return "all";
    // The costs of the words add up to more than the line, so allow slightly more than seems to fit.
    const tokens = Math.floor((this.#space.free - reserve) * 1.15);
    const room = { tokens, lines: Math.max(0, this.#space.freeLines - linesOfHistory) };
    const { lines, topics: kept } = chooseFound({ ...this.#found, topics }, room);
    const told = new Set<PlacedPassage>();
    const shown = new Set<PlacedPassage>();
    for (const line of lines) {
      // A line that covers nothing new only repeats an earlier line in other words.
      const isNew = line.from.some((topic) => !told.has(topic));
      for (const topic of line.from) told.add(topic);
      if (!isNew || !this.#space.take(line, this.#space.free - reserve)) continue;
      this.taken.push(line);
      for (const topic of line.from) shown.add(topic);
    }
    return this.#takeSingles(
      kept.filter((topic) => !shown.has(topic)),
      reserve,
    );
  }

  /** Topics that share no words with others, or have too few words, take the remaining room. */
  #takeSingles(topics: readonly PlacedPassage[], reserve: number): "all" | "some" {
    const names = new Set([...this.#found.names, ...this.taken.map(({ topic }) => topic)]);
    let left = 0;
    for (const line of singleLines({ topics, day: this.#found.day })) {
      const most = this.#space.free - reserve;
      const mayFit = !names.has(line.topic) && this.#space.freeLines > linesOfHistory && most >= leastOfSingle;
      if (mayFit && this.#space.take(line, most)) this.taken.push(line);
      else {
        this.#space.dropped.set(line, "the index is full");
        left += 1;
      }
    }
    return left === 0 ? "all" : "some";
  }
}

/** Drops why and how to apply a rule, which are shown only if room is left. */
function withoutReasons(topic: RootTopic): RootTopic {
  const statements = topic.statements.filter(({ part }) => part === "itself");
  return statements.length === 0 ? topic : { ...topic, statements };
}

function hasSaid(topic: RootTopic): boolean {
  return topic.statements.some(({ passage }) => passage.role === "said");
}

function tierOf(topic: RootTopic): 0 | 1 | 2 {
  if (topic.type !== "project") return 0;
  return topic.progress === "done" ? 2 : topic.age > longestLive ? 1 : 0;
}

/** The most refs of a line for found topics. */
const mostPlaces = 10;

interface FoundInputs {
  /** Whether the topics include the entries of a journal. */
  readonly journal: boolean;
  /** Found topics in the monthly nodes. */
  readonly topics: readonly PlacedPassage[];
  readonly day: Day;
  /** The exact token count of a text. */
  readonly count: (text: string) => number;
  /** Names used by other index lines, in lower case. */
  readonly names: ReadonlySet<string>;
}

/**
 * The lines that cover as many found topics as possible within `tokens` and `lines`, and the topics, without those
 * repeated by a newer one.
 */
function chooseFound(
  inputs: FoundInputs,
  room: { readonly tokens: number; readonly lines: number },
): { readonly lines: readonly RootCandidate[]; readonly topics: readonly PlacedPassage[] } {
  const { day, count } = inputs;
  const repeats = repeatsOf(inputs.topics);
  const topics = inputs.topics.filter((topic) => !repeats.has(topic));
  const found = topics.map((topic) => foundTopic(topic, ageOf(topic, day)));
  const costOf = remembering(count, Number.POSITIVE_INFINITY);
  const chosen = indexLines(found, {
    keysOf: keysOfKeyword,
    lineCost: (name) => costOf(`- ${name}`) + tokensOfTag,
    keywordCost: (keyword) => costOf(`, ${keyword}`),
    leastLineCost: leastOfSingle,
    leastTermCost: tokensOfComma,
    room: room.tokens,
    mostLines: room.lines,
    mostKeywords: mostOfFound - 1,
    mostPlaces,
    names: inputs.names,
  });
  return {
    lines: chosen.map((line) =>
      foundLine({ ...line, of: line.topics.map((index) => topics[index] as PlacedPassage), day }),
    ),
    topics,
  };
}

/** Topics whose words all appear in a newer topic of the same name. */
function repeatsOf(topics: readonly PlacedPassage[]): ReadonlySet<PlacedPassage> {
  const repeats = new Set<PlacedPassage>();
  for (const group of Map.groupBy(topics, ({ topic }) => topicKey(topic)).values()) {
    if (group.length === 1) continue;
    const kept: ReadonlySet<string>[] = [];
    for (const topic of newestFirst(group)) {
      const words = new Set(keywordsOfFound(topic).map(topicKey));
      if (kept.some((newer) => [...words].every((word) => newer.has(word)))) repeats.add(topic);
      else kept.push(words);
    }
  }
  return repeats;
}

function newestFirst(topics: readonly PlacedPassage[]): readonly PlacedPassage[] {
  const dated = topics.map((topic) => ({ topic, last: lastDayOf(topic.refs) }));
  return dated.toSorted((a, b) => compareTexts(b.last, a.last)).map(({ topic }) => topic);
}

/** Tokens of `- name` and of the tag. No line for found topics costs less. */
const leastOfSingle = 9;

/** A comma is always a token of its own. */
const tokensOfComma = 2;

/** Tokens of ` [project, 12d]:` and the newline. */
const tokensOfTag = 7;

function foundTopic(passage: PlacedPassage, age: number): FoundTopic {
  const size = passage.refs.length;
  const fresh = 0.8 + 0.4 / (1 + age / 45);
  return { keywords: keywordsOfFound(passage), scores: undefined, value: size ** 0.8 * fresh, size };
}

/** Whole days since a found topic was last mentioned. */
function ageOf(topic: PlacedPassage, day: Day): number {
  return Math.max(0, daysBetween(lastDayOf(topic.refs), day));
}
