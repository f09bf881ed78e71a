import { wordsOnly } from "../../text/corrected.ts";
import { isOneTopic, type Known } from "../context/remembered.ts";
import type { StoredRow } from "../index/search-index.ts";
import { mayEnd } from "../../text/facts/changes.ts";
import { nameKey, sharedKeys, wordKeys } from "../../text/word-keys.ts";
import { isNote, passageOf, type Passage } from "./passages.ts";
import { replacedPassages, type Replaced } from "./replaced.ts";

/** Whether `a` is newer than `b`, for two passages on the same topic. Passages of the same entry keep their order. */
function isNewer(a: Passage, b: Passage): boolean {
  if (a.row.day !== b.row.day) return a.row.day > b.row.day;
  return a.row.source === b.row.source && a.row.section !== b.row.section && a.lines[0] > b.lines[1];
}

/** How much of the message's weight a passage contains. Needed because scores of chunks and statements are not comparable. */
type Answered = (passage: Passage) => number;

/** Whether a passage is on the same topic as a better one and fits the message at least a quarter as well. */
function isOfTopic(one: Passage, best: Passage, answered: Answered): boolean {
  if (one.row.day === "" || best.row.day === "") return false;
  const isNear =
    one.unit === best.unit ? one.score * 4 >= best.score : answered(one) > 0 && answered(one) * 4 >= answered(best);
  return (one.score >= best.score || isNear) && isOneTopic({ ...best.row, ...best }, { ...one.row, ...one });
}

/** A newer passage answers the same question as the best one if it contains at least this share of the message weight that the best one contains. */
const minAnswered = 0.7;

/**
 * The order of passages, by index: those about the same thing trade places so that the newest comes first, and a replaced passage comes directly after the one
 * that replaces it.
 */
export function newestFirst(
  all: readonly Passage[],
  replaced: readonly Replaced[],
  answered: Answered,
): readonly number[] {
  const shares = new Map(all.map((one) => [one, answered(one)]));
  const shareOf: Answered = (one) => shares.get(one) ?? 0;
  const topics: { readonly best: Passage; readonly places: number[] }[] = [];
  const [first] = all;
  const most = first === undefined ? 0 : shareOf(first);
  for (const [at, one] of all.entries()) {
    const isAnswer = first !== undefined && most > 0 && isNewer(one, first) && shareOf(one) >= minAnswered * most;
    const topic = isAnswer ? topics[0] : topics.find(({ best }) => isOfTopic(one, best, shareOf));
    if (topic === undefined) topics.push({ best: one, places: [at] });
    else topic.places.push(at);
  }
  const order: number[] = [...all.keys()];
  for (const { places } of topics) {
    const sorted = places.toSorted((a, b) => {
      const [one, other] = [all[a], all[b]] as [Passage, Passage];
      return isNewer(one, other) ? -1 : isNewer(other, one) ? 1 : a - b;
    });
    places.forEach((place, index) => (order[place] = sorted[index] ?? place));
  }
  return afterNewer(order, replaced);
}

function afterNewer(order: readonly number[], replaced: readonly Replaced[]): readonly number[] {
  const newerOf = new Map(replaced.map(({ older, newer }) => [older, newer]));
  const done = new Set<number>();
  const result = new Set<number>();
  const put = (at: number): void => {
    if (done.has(at)) return;
    done.add(at);
    const newer = newerOf.get(at);
    if (newer !== undefined) put(newer);
    result.add(at);
    for (const one of order) if (newerOf.get(one) === at) put(one);
  };
  order.forEach(put);
  return [...result];
}

interface Given {
  readonly passages: readonly Passage[];
  readonly tokens: number;
  /** Statements of the sections that were found. */
  readonly statements: readonly StoredRow[];
  readonly budget: number;
  readonly count: (text: string) => number;
  readonly known: Known;
}

/** How many statements are compared, and how many are added at most. */
const [mostCompared, mostAdded] = [60, 5];
/** Minimum number of words that a newer statement must share with an older one under the same heading to be added. */
const leastShared = 1;

/**
 * Adds statements that were not chosen: those that replace a passage, and for the newest note under each heading a statement from a newer entry under that
 * heading that shares words with it. The last passages are dropped to make room.
 */
export function addNewer(given: Given): Pick<Given, "passages" | "tokens"> & { readonly added: readonly Passage[] } {
  const { passages, tokens, budget, count } = given;
  const others = candidates(passages, given.statements, given.known);
  const unchanged = { passages, tokens, added: [] };
  if (others.length === 0) return unchanged;
  const found = replacedPassages([...passages, ...others]).filter(({ older }) => older < passages.length);
  const added = new Map<Passage, Passage>();
  const add = (one: Passage | undefined, left: Passage | undefined): void => {
    if (one === undefined || left === undefined || added.has(one) || added.size >= mostAdded) return;
    const { score } = left;
    added.set(one, { ...one, score, parts: [{ part: "supersedes", score }] });
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
    used -= count(one.text);
    context.splice(at, 1);
  }
  return used > budget ? unchanged : { passages: context, tokens: used, added: news };
}

/** Statements under the same headings as the notes among the passages, and facts elsewhere that say something ended. */
function candidates(passages: readonly Passage[], statements: readonly StoredRow[], known: Known): readonly Passage[] {
  const notes = passages.filter(({ row, speaker }) => speaker === null && row.heading !== "");
  const headings = new Set(notes.map(({ row }) => nameKey(row.heading)));
  const days = passages.map(({ row }) => row.day);
  const [oldest = ""] = days.filter((day) => day !== "").toSorted();
  const isThere = ({ source, lines: [from, to] }: StoredRow): boolean =>
    passages.some(({ row, lines }) => row.source === source && lines[0] <= to && from <= lines[1]);
  return statements
    .filter((row) => row.day !== "" && row.day >= oldest)
    .filter((row) => headings.has(nameKey(row.heading)) || (row.type !== "project" && mayEnd(row.text.toLowerCase())))
    .filter((row) => !isThere(row) && !known.isOwn(row) && !known.seen.includes(wordsOnly(row.text)))
    .slice(0, mostCompared)
    .map((row) => passageOf(row, "statement"));
}

/** For the newest note under each heading: from the newest later entry that shares words with it, the statement that shares the most. */
function newerBelow(
  passages: readonly Passage[],
  others: readonly Passage[],
): readonly (readonly [Passage, Passage])[] {
  const topicOf = ({ row }: Passage): string => nameKey(row.heading);
  return [...Map.groupBy(passages.filter(isNote), topicOf)].flatMap(([topic, group]) => {
    const left = group.reduce((newest, one) => (one.row.day > newest.row.day ? one : newest));
    const keys = wordKeys(left.text);
    const [best] = others
      .filter((one) => one.row.day > left.row.day && topicOf(one) === topic)
      .map((one) => ({ one, day: one.row.day, shared: sharedKeys(wordKeys(one.text), keys) }))
      .filter(({ shared }) => shared >= leastShared)
      .toSorted((a, b) => (a.day === b.day ? b.shared - a.shared : a.day < b.day ? 1 : -1));
    return best === undefined ? [] : [[left, best.one] as const];
  });
}
