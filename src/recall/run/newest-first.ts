import { isOneTopic, type Remembered, type Topical } from "../context/remembered.ts";
import type { StoredRow } from "../index/search-index.ts";
import { mayEnd } from "../../text/facts/changes.ts";
import { visible } from "../../text/visible.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";
import type { Passage, Spoken } from "./passages.ts";
import { replacedPassages, type Replaced } from "./replaced.ts";

export function rememberedOf({ row, lines, text }: Passage): Remembered {
  const { source, day, type, origin, heading, section } = row;
  return { source, lines, day, type, origin, heading, section, text };
}

/** Whether the first is the newer of two passages of one topic. Those of one entry keep their order. */
function isNewer(a: Passage, b: Passage): boolean {
  if (a.row.day !== b.row.day) return a.row.day > b.row.day;
  return a.row.source === b.row.source && a.row.section !== b.row.section && a.lines[0] > b.lines[1];
}

function topicalOf({ passage: { row, text }, speaker }: Spoken): Topical {
  return { type: row.type, heading: row.heading, speaker, text };
}

/** What fits the message far worse does not take the place of the best passage of its topic. */
function isAsGood(one: Passage, best: Passage): boolean {
  return one.score >= best.score || (one.unit === best.unit && one.score * 4 >= best.score);
}

/**
 * The order of passages: of those that are about one thing the newest comes at the place of the best of them, and what is replaced directly after what
 * replaces it.
 */
export function newestFirst(all: readonly Spoken[], replaced: readonly Replaced[]): readonly number[] {
  const topics: number[][] = [];
  const isOfTopic = ([best = 0]: readonly number[], at: number): boolean => {
    const [known, one] = [all[best], all[at]];
    if (known === undefined || one === undefined || known.passage.row.day === "" || one.passage.row.day === "")
      return false;
    const [a, b] = [topicalOf(known), topicalOf(one)];
    return isAsGood(one.passage, known.passage) && isOneTopic(a, b);
  };
  for (const at of all.keys()) {
    const topic = topics.find((known) => isOfTopic(known, at));
    if (topic === undefined) topics.push([at]);
    else topic.push(at);
  }
  const order: number[] = all.map((_, at) => at);
  for (const topic of topics) {
    const sorted = topic.toSorted((a, b) => {
      const [one, other] = [all[a]?.passage, all[b]?.passage];
      if (one === undefined || other === undefined) return a - b;
      return isNewer(one, other) ? -1 : isNewer(other, one) ? 1 : a - b;
    });
    topic.forEach((place, index) => (order[place] = sorted[index] ?? place));
  }
  return behindNewer(order, replaced);
}

function behindNewer(order: readonly number[], replaced: readonly Replaced[]): readonly number[] {
  const newerOf = new Map(replaced.map(({ older, newer }) => [older, newer]));
  const done = new Set<number>();
  const result: number[] = [];
  const put = (at: number): void => {
    if (done.has(at)) return;
    done.add(at);
    const newer = newerOf.get(at);
    if (newer !== undefined) put(newer);
    if (!result.includes(at)) result.push(at);
    for (const one of order) if (newerOf.get(one) === at) put(one);
  };
  order.forEach(put);
  return result;
}

interface Given {
  readonly passages: readonly Spoken[];
  readonly tokens: number;
  /** Of the sections that were found. */
  readonly statements: readonly StoredRow[];
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** Statements that are compared, and those that are added. */
const [mostCompared, mostAdded] = [60, 5];
/** Words that a newer statement of a heading shares with an older one to be added. */
const leastShared = 2;

/**
 * The passages, and of the statements that were passed over those that replace one of them, and the newest below the heading of a note that says something of
 * the same. The last passages make room.
 */
export function addNewer(given: Given): Pick<Given, "passages" | "tokens"> {
  const { passages, tokens, budget, count } = given;
  const others = candidates(passages, given.statements);
  if (others.length === 0) return { passages, tokens };
  const found = replacedPassages([...passages, ...others]).filter(({ older }) => older < passages.length);
  const added = new Map<Spoken, Passage>();
  const add = (one: Spoken | undefined, left: Spoken | undefined): void => {
    if (one === undefined || left === undefined || added.has(one) || added.size >= mostAdded) return;
    const { score } = left.passage;
    added.set(one, { ...one.passage, score, parts: [{ part: "supersedes", score }] });
  };
  for (const { older, newer } of found)
    if (newer >= passages.length) add(others[newer - passages.length], passages[older]);
  for (const [left, one] of newerBelow(passages, others)) add(one, left);
  if (added.size === 0) return { passages, tokens };
  const news = [...added.values()].map((passage): Spoken => ({ passage, speaker: null }));
  const kept = new Set(found.flatMap(({ older, newer }) => [passages[older], passages[newer]]));
  const context = [...passages];
  let used = news.reduce((sum, { passage }) => sum + count(passage.text), tokens);
  for (let at = context.length - 1; at >= 0 && used > budget; at--) {
    const one = context[at];
    if (one === undefined || kept.has(one)) continue;
    used -= count(one.passage.text);
    context.splice(at, 1);
  }
  return used > budget ? { passages, tokens } : { passages: [...context, ...news], tokens: used };
}

/** Statements below the headings of the notes that were found, and facts elsewhere that say that something is over. */
function candidates(passages: readonly Spoken[], statements: readonly StoredRow[]): readonly Spoken[] {
  const notes = passages.filter(({ passage, speaker }) => speaker === null && passage.row.heading !== "");
  const headings = new Set(notes.map(({ passage }) => nameKey(passage.row.heading)));
  const [oldest = ""] = passages
    .map(({ passage }) => passage.row.day)
    .filter((day) => day !== "")
    .toSorted();
  const isThere = ({ source, lines: [from, to] }: StoredRow): boolean =>
    passages.some(({ passage: { row, lines } }) => row.source === source && lines[0] <= to && from <= lines[1]);
  return statements
    .filter((row) => row.day !== "" && row.day >= oldest)
    .filter((row) => headings.has(nameKey(row.heading)) || (row.type !== "project" && mayEnd(row.text.toLowerCase())))
    .filter((row) => !isThere(row))
    .slice(0, mostCompared)
    .map((row): Spoken => {
      const text = visible(row.text).trim();
      return { passage: { row, unit: "statement", lines: row.lines, text, score: 0, parts: [] }, speaker: null };
    });
}

/** For notes whose heading has a newer entry that is not among the passages: of that its statement with most of the same words. */
function newerBelow(passages: readonly Spoken[], others: readonly Spoken[]): readonly (readonly [Spoken, Spoken])[] {
  const notes = passages.filter(
    ({ passage: { row }, speaker }) => speaker === null && row.day !== "" && row.heading !== "",
  );
  const newest = new Map<string, Spoken>();
  for (const one of notes) {
    const key = nameKey(one.passage.row.heading);
    const known = newest.get(key);
    if (known === undefined || known.passage.row.day < one.passage.row.day) newest.set(key, one);
  }
  return [...newest].flatMap(([key, left]): readonly (readonly [Spoken, Spoken])[] => {
    const keys = wordKeys(left.passage.text);
    const alike = others
      .filter(({ passage: { row } }) => row.day > left.passage.row.day && nameKey(row.heading) === key)
      .map((one) => ({ one, shared: sharedKeys(wordKeys(one.passage.text), keys) }))
      .filter(({ shared }) => shared >= leastShared)
      .toSorted((a, b) =>
        a.one.passage.row.day < b.one.passage.row.day
          ? 1
          : a.one.passage.row.day > b.one.passage.row.day
            ? -1
            : b.shared - a.shared,
      );
    const [best] = alike;
    return best === undefined ? [] : [[left, best.one]];
  });
}
