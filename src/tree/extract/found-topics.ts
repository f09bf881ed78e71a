import { remembering } from "../../base/lines.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { Passage } from "../../base/passage.ts";
import { mergeRefs, type Ref, refsOverlap } from "../../base/refs.ts";
import { type FoundTopic, type RankedKeyword, rankKeywords } from "../../base/topic-lines.ts";
import { bytesOfLine, type Space } from "../../base/passage.ts";
import { contentWords } from "../../text/extract/words.ts";

/** The most refs of a found topic. */
const mostPlaces = 10;
/** The most keywords of a found topic, including its name. */
const mostKeywords = 11;

/**
 * Ranks topics without a name of their own, each with its best keywords. When space is short, each gets the keywords
 * with the most value per byte, and several topics share a line. Details get the final name of their topic; those of
 * topics that did not fit are dropped.
 */
export function rankFound(
  topics: readonly Passage[],
  details: readonly Passage[],
  space: Space,
): { readonly topics: readonly Passage[]; readonly details: readonly Passage[] } {
  if (topics.length === 0) return { topics: [], details: [] };
  const lines = packLines(fit(named(topics), space.bytes), space.lines);
  const renamed = details.flatMap((detail): readonly Passage[] => {
    const line = lines.find(
      ({ refs }) => refs.some(({ log }) => log === detail.refs[0]?.log) && refsOverlap(refs, detail.refs),
    );
    return line === undefined ? [] : [{ ...detail, topic: line.topic }];
  });
  return { topics: lines, details: renamed };
}

/** A topic with its ranked keywords, the name first. */
interface Named {
  readonly passage: Passage;
  readonly keywords: readonly RankedKeyword[];
}

/**
 * Heaviest first. Two topics with the same name merge if they share another word and have few refs; otherwise the
 * lighter one is renamed to its next free keyword.
 */
function named(passages: readonly Passage[]): readonly Named[] {
  const ranked = rankKeywords(passages.map(foundTopic), keysOf);
  const rows = passages.map((passage, index) => ({
    passage,
    index,
    keywords: nameFirst((ranked[index] ?? []).slice(0, mostKeywords)),
  }));
  rows.sort((a, b) => b.passage.weight - a.passage.weight || a.index - b.index);
  const topics = new Map<string, Named>();
  for (const { passage, keywords } of rows) {
    const key = topicKey(keywords[0]?.shown ?? passage.topic);
    const known = topics.get(key);
    const other = keywords.findIndex(({ shown }) => !topics.has(topicKey(shown)));
    if (known === undefined) topics.set(key, { passage, keywords });
    else if (refsOf(known, passage).length <= mostPlaces && (other < 0 || sharesWord(known.keywords, keywords)))
      topics.set(key, together(known, { passage, keywords }));
    else if (other >= 0) {
      const name = keywords[other] as RankedKeyword;
      topics.set(topicKey(name.shown), { passage, keywords: [name, ...keywords.filter((word) => word !== name)] });
    }
  }
  return [...topics.values()];
}

/** How many keywords are considered as the name. */
const mostNames = 4;

/** Prefers, as the name, a keyword that is not a number, a two-letter abbreviation or a verb form. */
function nameFirst(keywords: readonly RankedKeyword[]): readonly RankedKeyword[] {
  const name = keywords.slice(0, mostNames).find(({ shown }) => !/^\d|^[A-Za-z]{1,2}$|^[a-z]+(?:ing|ed)$/u.test(shown));
  return name === undefined ? keywords : [name, ...keywords.filter((word) => word !== name)];
}

function foundTopic(passage: Passage): FoundTopic {
  const keywords = passage.text.split(", ").filter((word) => word !== "");
  const scores = passage.scores === undefined ? undefined : [passage.scores[0] ?? 1, ...passage.scores];
  return { keywords: [passage.topic, ...keywords], scores, value: passage.weight, size: 1 };
}

function refsOf(known: Named, passage: Passage): readonly Ref[] {
  return mergeRefs([...known.passage.refs, ...passage.refs]);
}

function sharesWord(a: readonly RankedKeyword[], b: readonly RankedKeyword[]): boolean {
  const words = new Set(a.slice(1).flatMap(({ terms }) => terms));
  return b.slice(1).some(({ terms }) => terms.some((term) => words.has(term)));
}

function together(known: Named, other: Named): Named {
  const words = new Set(known.keywords.flatMap(({ terms }) => terms));
  const more = other.keywords.filter(({ terms }) => !terms.some((term) => words.has(term)));
  const kept = known.keywords.slice(0, Math.max(mostKeywords / 2, mostKeywords - more.length));
  const refs = refsOf(known, other.passage);
  return { passage: { ...known.passage, refs }, keywords: [...kept, ...more].slice(0, mostKeywords) };
}

/** One step in filling a summary: a name with its first keywords, or one more keyword. */
interface Addition {
  readonly at: number;
  /** Number of keywords, including the name. */
  readonly keywords: number;
  readonly cost: number;
  readonly density: number;
}

/**
 * Chooses as many keywords as fit, maximizing the odds that a reader who remembers some words of a topic sees two of
 * them (a knapsack problem, solved greedily by density; Dantzig 1957).
 */
function fit(topics: readonly Named[], bytes: number): readonly Passage[] {
  const additions = topics.flatMap(additionsOf).toSorted((a, b) => b.density - a.density || a.at - b.at);
  const taken = topics.map(() => 0);
  let room = bytes;
  for (const { at, cost, keywords } of additions) {
    if (cost > room) continue;
    room -= cost;
    taken[at] = keywords;
  }
  return topics.flatMap((topic, at) => {
    const count = taken[at] ?? 0;
    return count === 0 ? [] : [passageOfTopic(topic, count)];
  });
}

/**
 * The first step is the prefix with the best value per byte, since a single word finds nothing; then one keyword at a
 * time.
 */
function additionsOf(topic: Named, at: number): readonly Addition[] {
  const steps = stepsOf(topic);
  let first = Math.min(1, steps.length);
  for (let count = 2; count <= steps.length; count++)
    if (densityOf(steps.slice(0, count)) > densityOf(steps.slice(0, first))) first = count;
  const beginning = steps.slice(0, first);
  const additions: Addition[] = [{ at, keywords: first, cost: costOf(beginning), density: densityOf(beginning) }];
  for (const [index, { cost, gain }] of steps.slice(first).entries()) {
    // The density never increases, so a keyword is never taken before the ones ahead of it.
    const density = Math.min(additions.at(-1)?.density ?? 0, gain / cost);
    additions.push({ at, keywords: first + index + 1, cost, density });
  }
  return additions;
}

interface KeywordStep {
  readonly cost: number;
  readonly gain: number;
}

/** The cost of each keyword (the name pays for the head of the line) and what it adds to the odds of being found. */
function stepsOf({ passage, keywords }: Named): readonly KeywordStep[] {
  const head = bytesOfLine({ ...passage, topic: keywords[0]?.shown ?? passage.topic, text: "" });
  // Frequent topics are worth more, with diminishing returns.
  const worth = Math.sqrt(passage.refs.length);
  let [none, one] = [1, 0];
  return keywords.map((word, rank): KeywordStep => {
    let gain = 0;
    for (let count = 0; count < word.terms.length; count++) {
      gain += worth * one * word.odds;
      [none, one] = [none * (1 - word.odds), one * (1 - word.odds) + none * word.odds];
    }
    return { cost: rank === 0 ? head : Buffer.byteLength(word.shown) + 2, gain };
  });
}

function costOf(steps: readonly KeywordStep[]): number {
  return steps.reduce((sum, { cost }) => sum + cost, 0);
}

function densityOf(steps: readonly KeywordStep[]): number {
  return steps.reduce((sum, { gain }) => sum + gain, 0) / costOf(steps);
}

function passageOfTopic({ passage, keywords }: Named, count: number): Passage {
  const [name = passage.topic, ...words] = keywords.slice(0, count).map(({ shown }) => shown);
  return { ...passage, topic: name, text: words.join(", "), scores: undefined };
}

/** The content words in a keyword in the form used for comparison. */
export function keysOfKeyword(keyword: string): readonly string[] {
  return contentWords(keyword).map(({ key }) => key);
}

const keysOf = remembering(keysOfKeyword, 50_000, 100);

/**
 * Packs topics into at most `lines` lines of similar length. If there are enough lines, each topic gets its own;
 * otherwise topics that share words share a line. Keeps the order where nothing is shared. About `O(n · words)`.
 */
function packLines(topics: readonly Passage[], lines: number): readonly Passage[] {
  if (topics.length <= lines) return topics;
  const total = topics.reduce((sum, topic) => sum + bytesOfLine(topic), 0);
  const enough = Math.ceil(total / Math.max(1, lines));
  const waiting = new Waiting(topics);
  const packed: Passage[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (let line: number[] = [], next = waiting.first(); next !== undefined;) {
    const topic = topics[next] as Passage;
    const begins = length >= enough;
    packed.push({ ...topic, place: begins ? "own_line" : "same_line" });
    length = bytesOfLine(topic) + (begins ? 0 : length);
    line = begins ? [next] : [...line, next];
    waiting.take(next);
    next = (length < enough ? waiting.nearest(line) : undefined) ?? waiting.first();
  }
  return packed;
}

/** Topics without a line yet, indexed by word. */
class Waiting {
  readonly #words: readonly (readonly string[])[];
  readonly #byWord = new Map<string, Set<number>>();
  readonly #open: Set<number>;

  constructor(topics: readonly Passage[]) {
    this.#words = topics.map(({ topic, text }) => [...new Set(keysOf(`${topic}, ${text}`))]);
    this.#open = new Set(topics.keys());
    this.#words.forEach((words, index) => {
      for (const word of words) {
        const known = this.#byWord.get(word);
        if (known === undefined) this.#byWord.set(word, new Set([index]));
        else known.add(index);
      }
    });
  }

  first(): number | undefined {
    return this.#open.values().next().value;
  }

  take(index: number): void {
    this.#open.delete(index);
    for (const word of this.#words[index] ?? []) this.#byWord.get(word)?.delete(index);
  }

  /** The topic that shares the rarest words with a line. */
  nearest(line: readonly number[]): number | undefined {
    const shared = new Map<number, number>();
    for (const word of new Set(line.flatMap((index) => this.#words[index] ?? []))) {
      const others = this.#byWord.get(word);
      for (const other of others ?? []) shared.set(other, (shared.get(other) ?? 0) + 1 / (1 + (others?.size ?? 0)));
    }
    let best: number | undefined;
    for (const [index, value] of shared)
      if (best === undefined || value > (shared.get(best) ?? 0) || (value === shared.get(best) && index < best))
        best = index;
    return best;
  }
}
