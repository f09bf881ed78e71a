import { isOneTopic, type Topical } from "../context/remembered.ts";
import type { StoredRow } from "../index/search-index.ts";
import { mayEnd } from "../../text/facts/changes.ts";
import { visible } from "../../text/visible.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";
import type { Passage, Spoken } from "./passages.ts";
import { replacedPassages, type Replaced } from "./replaced.ts";

/** Whether the first is the newer of two passages of one topic. Those of one entry keep their order. */
function isNewer(a: Passage, b: Passage): boolean {
  if (a.row.day !== b.row.day) return a.row.day > b.row.day;
  return a.row.source === b.row.source && a.row.section !== b.row.section && a.lines[0] > b.lines[1];
}

/** Whether a passage is of the topic of a better one. What fits the message far worse does not take its place. */
function isOfTopic(one: Spoken, best: Spoken): boolean {
  const [a, b] = [best.passage, one.passage];
  if (a.row.day === "" || b.row.day === "") return false;
  const isAsGood = b.score >= a.score || (b.unit === a.unit && b.score * 4 >= a.score);
  const topicalOf = ({ passage: { row, text }, speaker }: Spoken): Topical => {
    return { type: row.type, heading: row.heading, speaker, text };
  };
  return isAsGood && isOneTopic(topicalOf(best), topicalOf(one));
}

/**
 * The order of passages: of those about one thing the newest comes at the place of the best of them, and what is replaced directly after what replaces it.
 */
export function newestFirst(all: readonly Spoken[], replaced: readonly Replaced[]): readonly number[] {
  const topics: { readonly best: Spoken; readonly places: number[] }[] = [];
  for (const [at, one] of all.entries()) {
    const topic = topics.find(({ best }) => isOfTopic(one, best));
    if (topic === undefined) topics.push({ best: one, places: [at] });
    else topic.places.push(at);
  }
  const order: number[] = [...all.keys()];
  for (const { places } of topics) {
    const sorted = places.toSorted((a, b) => {
      const [one, other] = [all[a], all[b]] as [Spoken, Spoken];
      return isNewer(one.passage, other.passage) ? -1 : isNewer(other.passage, one.passage) ? 1 : a - b;
    });
    places.forEach((place, index) => (order[place] = sorted[index] ?? place));
  }
  return afterNewer(order, replaced);
}

function afterNewer(order: readonly number[], replaced: readonly Replaced[]): readonly number[] {
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
export function addNewer(given: Given): Pick<Given, "passages" | "tokens"> & { readonly added: readonly Passage[] } {
  const { passages, tokens, budget, count } = given;
  const others = candidates(passages, given.statements);
  const unchanged = { passages, tokens, added: [] };
  if (others.length === 0) return unchanged;
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
  if (added.size === 0) return unchanged;
  const news = [...added.values()];
  const kept = new Set(found.flatMap(({ older, newer }) => [passages[older], passages[newer]]));
  const context = [...passages];
  let used = news.reduce((sum, { text }) => sum + count(text), tokens);
  for (let at = context.length - 1; at >= 0 && used > budget; at--) {
    const one = context[at];
    if (one === undefined || kept.has(one)) continue;
    used -= count(one.passage.text);
    context.splice(at, 1);
  }
  return used > budget ? unchanged : { passages: context, tokens: used, added: news };
}

/** Statements below the headings of the notes that were found, and facts elsewhere that say that something is over. */
function candidates(passages: readonly Spoken[], statements: readonly StoredRow[]): readonly Spoken[] {
  const notes = passages.filter(({ passage, speaker }) => speaker === null && passage.row.heading !== "");
  const headings = new Set(notes.map(({ passage }) => nameKey(passage.row.heading)));
  const days = passages.map(({ passage }) => passage.row.day);
  const [oldest = ""] = days.filter((day) => day !== "").toSorted();
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
  const dayOf = ({ passage }: Spoken): string => passage.row.day;
  const topicOf = ({ passage }: Spoken): string => nameKey(passage.row.heading);
  const notes = passages.filter((one) => one.speaker === null && dayOf(one) !== "" && one.passage.row.heading !== "");
  return [...Map.groupBy(notes, topicOf)].flatMap(([topic, group]): readonly (readonly [Spoken, Spoken])[] => {
    const left = group.reduce((newest, one) => (dayOf(one) > dayOf(newest) ? one : newest));
    const keys = wordKeys(left.passage.text);
    const [best] = others
      .filter((one) => dayOf(one) > dayOf(left) && topicOf(one) === topic)
      .map((one) => ({ one, day: dayOf(one), shared: sharedKeys(wordKeys(one.passage.text), keys) }))
      .filter(({ shared }) => shared >= leastShared)
      .toSorted((a, b) => (a.day === b.day ? b.shared - a.shared : a.day < b.day ? 1 : -1));
    return best === undefined ? [] : [[left, best.one]];
  });
}
