import { topicKey } from "../../base/memory-type.ts";
import type { Passage } from "../../base/passage.ts";
import { compareRefs, limitRefs, mergeRefs, type Ref, refsOverlap } from "../../base/refs.ts";
import { type FoundTopic, type RankedKeyword, rankKeywords } from "../../base/topic-lines.ts";
import { bytesOfLine, type Space } from "../../base/passage.ts";
import { contentWords } from "../../text/extract/words.ts";

/** Places that a found topic leads to: so many may stand in a line of ROOT.md. */
const mostPlaces = 10;
/** Keywords of a found topic, its name included. */
const mostKeywords = 11;

/**
 * The topics that nobody named, each with its best keywords among those of all. In a space too small each gets as many keywords as bring most for
 * their bytes, and several stand in a line. What is told of them gets the name that they have in the end; what is told of a topic that did not fit is left out.
 */
export function rankFound(
  topics: readonly Passage[],
  details: readonly Passage[],
  space: Space,
): { readonly topics: readonly Passage[]; readonly details: readonly Passage[] } {
  if (topics.length === 0) return { topics: [], details: [] };
  const lines = packLines(fit(named(topics), space.bytes), space.lines);
  const byLog = new Map<string, Passage[]>();
  for (const line of lines)
    for (const log of new Set(line.refs.map((ref) => ref.log))) {
      const list = byLog.get(log);
      if (list === undefined) byLog.set(log, [line]);
      else list.push(line);
    }
  const renamed = details.flatMap((detail): readonly Passage[] => {
    const from = byLog.get(detail.refs[0]?.log ?? "") ?? [];
    const line = from.find((candidate) => refsOverlap(candidate.refs, detail.refs));
    return line === undefined ? [] : [{ ...detail, topic: line.topic }];
  });
  return { topics: lines, details: renamed };
}

/** A topic with its name and keywords as ranked. */
interface Named {
  readonly passage: Passage;
  readonly keywords: readonly RankedKeyword[];
}

/** The weightiest first. Topics of the same name are one when they share another word and have few enough refs; otherwise the lighter one is called by its next word. */
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
    else if (saysAll(keywords, known.keywords)) topics.set(key, toldAgain(known, passage));
    else if (refsOf(known, passage).length <= mostPlaces && (other < 0 || sharesWord(known.keywords, keywords)))
      topics.set(key, together(known, { passage, keywords }));
    else if (other >= 0) {
      const name = keywords[other] as RankedKeyword;
      topics.set(topicKey(name.shown), { passage, keywords: [name, ...keywords.filter((word) => word !== name)] });
    }
  }
  return [...topics.values()];
}

/** Names that are looked at beside the best keyword. */
const mostNames = 4;

/** A figure, an abbreviation of two letters or a verb is no name where one of the next keywords can be one. */
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

/** Whether these keywords have all words of those. */
function saysAll(these: readonly RankedKeyword[], those: readonly RankedKeyword[]): boolean {
  const words = new Set(these.flatMap(({ terms }) => terms));
  return those.every(({ terms }) => terms.every((term) => words.has(term)));
}

/** The same said again: all places of the newer, which have all words, and the newest of the older as far as there is room. */
function toldAgain(known: Named, passage: Passage): Named {
  const isNewer = compareRefs(passage.refs.at(-1) ?? noRef, known.passage.refs.at(-1) ?? noRef) > 0;
  const [newer, older] = isNewer ? [passage.refs, known.passage.refs] : [known.passage.refs, passage.refs];
  const more = limitRefs(older, Math.max(0, mostPlaces - newer.length));
  return { passage: { ...known.passage, refs: mergeRefs([...newer, ...more]) }, keywords: known.keywords };
}

const noRef: Ref = { log: "", from: 0, to: 0 };

function together(known: Named, other: Named): Named {
  const words = new Set(known.keywords.flatMap(({ terms }) => terms));
  const more = other.keywords.filter(({ terms }) => !terms.some((term) => words.has(term)));
  const kept = known.keywords.slice(0, Math.max(mostKeywords / 2, mostKeywords - more.length));
  const refs = refsOf(known, other.passage);
  return { passage: { ...known.passage, refs }, keywords: [...kept, ...more].slice(0, mostKeywords) };
}

/** A name with its first keywords, or one more keyword: what can be added to a summary at a time. */
interface Addition {
  readonly at: number;
  /** Keywords, the name included. */
  readonly keywords: number;
  readonly cost: number;
  readonly density: number;
}

/**
 * The topics with as many keywords as fit: those are taken that add most, for their bytes, to the odds that a reader who has some words of a topic in mind sees
 * two of them (a knapsack; greedy by density, Dantzig 1957).
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

/** First the beginning that brings most for its bytes, as one; a single word of a topic finds nothing. Then word by word. */
function additionsOf(topic: Named, at: number): readonly Addition[] {
  const steps = stepsOf(topic);
  let first = steps.length === 0 ? 0 : 1;
  for (let count = 2; count <= steps.length; count++)
    if (densityOf(steps.slice(0, count)) > densityOf(steps.slice(0, first))) first = count;
  const beginning = steps.slice(0, first);
  const additions: Addition[] = [{ at, keywords: first, cost: costOf(beginning), density: densityOf(beginning) }];
  for (let index = first; index < steps.length; index++) {
    const step = steps.slice(index, index + 1);
    // Never above the one before, so that a keyword is not taken without it.
    const density = Math.min(additions.at(-1)?.density ?? 0, densityOf(step));
    additions.push({ at, keywords: index + 1, cost: costOf(step), density });
  }
  return additions;
}

interface KeywordStep {
  readonly cost: number;
  readonly gain: number;
}

/** What each keyword costs, the name with the whole head of its line, and what it adds to the odds of being found. */
function stepsOf({ passage, keywords }: Named): readonly KeywordStep[] {
  const head = bytesOfLine({ ...passage, topic: keywords[0]?.shown ?? passage.topic, text: "" });
  // What was told more often is worth more, though less each time.
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

/** The words of a text in the form in which they are compared. */
export function keysOf(text: string): readonly string[] {
  return contentWords(text).map((word) => word.key);
}

/**
 * Puts topics into at most so many lines, a line each when there is room. Otherwise those that share words stand together, in lines of about the same
 * length; the order is that of the topics given wherever nothing is shared. About `O(n · words)`.
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

/** Topics that have no line yet, by their words. */
class Waiting {
  readonly #words: readonly (readonly string[])[];
  readonly #byWord = new Map<string, Set<number>>();
  readonly #open: Set<number>;

  constructor(topics: readonly Passage[]) {
    this.#words = topics.map(({ topic, text }) => [
      ...new Set(contentWords(`${topic}, ${text}`).map(({ key }) => key)),
    ]);
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

  /** The topic that shares the rarest words with those of a line. */
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
