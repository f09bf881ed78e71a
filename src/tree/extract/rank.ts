import type { Day } from "../../base/calendar.ts";
import { kindOfSaid, type SaidKind } from "../../text/extract/said.ts";
import { isPreserved, topicKey, tagAmong } from "../../base/memory-type.ts";
import type { Passage, Role } from "../../base/passage.ts";
import { groupByName, nameKey, mergeKeywords, mostKeywords, wordKeys } from "../../text/word-keys.ts";
import { rankFound } from "./found-topics.ts";
import { isStatus } from "./items.ts";
import { Elsewhere, isUnblocked, openItems, type Told } from "./pending.ts";
import { asNote } from "../model/summary-format.ts";
import { bytesOfLine, linesOf, type Space } from "../../base/passage.ts";
import {
  compareRefs,
  limitRefs,
  mergeRefs,
  mostRefs,
  type Ref,
  refsOverlap,
  dayOfRef,
  lastDayOf,
} from "../../base/refs.ts";
import { greatest, pushAll } from "../../base/lists.ts";

/** Share of the found topics' space that goes to their details. */
const shareOfNotes = 0.15;
/** Where both exist, found topics leave at least this share to named ones. */
const shareOfGiven = 0.5;
/** Space taken by the title, and by each section heading. */
const frame = { title: { lines: 2, bytes: 80 }, section: { lines: 2, bytes: 40 } };

/**
 * Merges repeats and orders passages for a summary of this size: preserved entries, then the user's words, both newest
 * first; then named topics by weight, interleaved with details so that every topic gets its best line before any gets
 * its second (diversity as in maximal marginal relevance, Carbonell and Goldstein 1998, but by quota). Found topics are
 * blended in.
 */
export function rankPassages(passages: readonly Passage[], space: Space): readonly Passage[] {
  const heads = passages.filter((passage) => passage.role === "topic");
  const foundHeads = heads.filter(({ naming }) => naming === "found");
  const topics = mergeTopics(heads.filter(({ naming }) => naming === "given"));
  const preserved = newestOfSame(passages.filter((passage) => passage.role === "preserved"));
  const entities = mergeEntities(passages.filter((passage) => passage.role === "entity"));
  const said = newestSaid(passages);
  const told = openOn(
    lastDayOf(passages.flatMap(({ refs }) => refs)),
    withoutClosed(
      withoutFormerStatus(
        passages.filter((passage) => !["topic", "preserved", "said", "entity"].includes(passage.role)),
      ),
      Map.groupBy(heads, ({ topic }) => nameKey(topic)),
    ),
  );
  const names = new Set(foundHeads.map(({ topic }) => topicKey(topic)));
  const named = new Set(topics.map(({ topic }) => topicKey(topic)));
  const isOfFound = ({ topic }: Passage): boolean => names.has(topicKey(topic)) && !named.has(topicKey(topic));
  const details = withoutRepeats(told.filter((passage) => !isOfFound(passage)));
  const given = interleave(topics, [...roundRobin(details, topics), ...entities], 2);
  const room = roomForFound(
    space,
    [...preserved, ...saidWithin(said, space.said ?? space.bytes * shareOfSaid), ...given],
    given,
  );
  const found = rankFound(foundHeads, told.filter(isOfFound), lessen(room, 1 - shareOfNotes));
  // Active Context shows the newest topics, so their sentences come first.
  const notes = roundRobin(withoutRepeats(found.details), found.topics.toSorted(byNewest));
  return [...preserved, ...said, ...blend(given, interleave(found.topics, notes, 6))];
}

function roomForFound(space: Space, before: readonly Passage[], given: readonly Passage[]): Space {
  const sections = new Set([...before.map(({ role }) => role), "topic", "note"]).size;
  const left = (of: readonly Passage[]): Space => ({
    lines: space.lines - frame.title.lines - sections * frame.section.lines - sum(of.map(linesOf)),
    bytes: space.bytes - frame.title.bytes - sections * frame.section.bytes - sum(of.map(bytesOfLine)),
  });
  const [all, least] = [
    left(before),
    lessen(left(before.filter((passage) => !given.includes(passage))), 1 - shareOfGiven),
  ];
  return { lines: Math.max(all.lines, least.lines), bytes: Math.max(all.bytes, least.bytes) };
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0);
}

export function lessen(space: Space, share: number): Space {
  return { lines: Math.max(0, Math.floor(space.lines * share)), bytes: Math.max(0, Math.floor(space.bytes * share)) };
}

/** Takes from both lists so that neither gets more than half the bytes while the other has something left. */
function blend(given: readonly Passage[], found: readonly Passage[]): readonly Passage[] {
  if (given.length === 0) return found;
  const mixed: Passage[] = [];
  let ahead = 0;
  for (let [a, b] = [0, 0]; a < given.length || b < found.length;) {
    const isGiven = b >= found.length || (a < given.length && ahead <= 0);
    const next = isGiven ? given[a++] : found[b++];
    if (next === undefined) break;
    mixed.push(next);
    ahead += isGiven ? bytesOfLine(next) : -bytesOfLine(next);
  }
  return mixed;
}

function mergeTopics(passages: readonly Passage[]): readonly Passage[] {
  const merged = groupByName(passages, ({ type }) => isPreserved(type)).map(mergeTopic);
  return merged.toSorted(
    (a, b) =>
      Number(isPreserved(b.type)) - Number(isPreserved(a.type)) ||
      b.weight - a.weight ||
      byNewest(a, b) ||
      (a.topic < b.topic ? -1 : 1),
  );
}

function mergeTopic(group: readonly Passage[]): Passage {
  const merged = mergeLists(group);
  const days = new Set(merged.refs.map(dayOfRef));
  const type = group.find((passage) => isPreserved(passage.type))?.type ?? merged.type;
  const weight = sum(group.map((passage) => Math.max(1, passage.weight))) + days.size;
  return { ...merged, type, tag: tagAmong(group, type), weight };
}

/**
 * The newest passage, with the keywords and refs of all passages merged in. Uses only keywords of passages whose refs
 * are kept.
 */
function mergeLists(group: readonly Passage[]): Passage {
  const newestFirst = group.toSorted(byNewest);
  const all = mergeRefs(newestFirst.flatMap((passage) => passage.refs));
  const refs = all.length <= mostRefs ? all : limitRefs(all, mostRefs);
  const named =
    refs === all ? newestFirst : newestFirst.filter((one) => one.refs.every((ref) => refsOverlap([ref], refs)));
  const text = mergeKeywords(
    named.map((passage) => passage.text.split(", ")),
    mostKeywords,
  ).join(", ");
  return { ...(newestFirst[0] as Passage), text, refs };
}

/** Keeps the newest of preserved entries with the same topic and text. */
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

const kinds: readonly (SaidKind | undefined)[] = ["instruction", "preference", "fact", undefined];

/** The user's sentences without repeats: instructions, then preferences, then facts, newest first. */
export function newestSaid<P extends Passage>(passages: readonly P[]): readonly P[] {
  const said = passages.filter(({ role }) => role === "said");
  return eachOnce(said, ({ text }) => topicKey(text))
    .map((passage) => ({ passage, kind: kindOfSaid(passage.text.split(" … ", 1)[0] ?? "") }))
    .toSorted((a, b) => kinds.indexOf(a.kind) - kinds.indexOf(b.kind))
    .map(({ passage }) => passage);
}

/** The user's words take at most this share of a node. */
export const shareOfSaid = 0.25;

/** The leading sentences that fit into `bytes`. */
export function saidWithin(said: readonly Passage[], bytes: number): readonly Passage[] {
  let taken = 0;
  const end = said.findIndex((passage) => (taken += bytesOfLine(passage)) > bytes);
  return end < 0 ? said : said.slice(0, end);
}

function mergeEntities(passages: readonly Passage[]): readonly Passage[] {
  const byKind = [...Map.groupBy(passages, ({ topic }) => topic)].toSorted(([a], [b]) => (a < b ? -1 : 1));
  return byKind.map(([, group]) => mergeLists(group));
}

/** The newest passage for each key, with the refs of all that share the key; newest first. */
function eachOnce<P extends Passage>(passages: readonly P[], keyOf: (passage: P) => string): readonly P[] {
  return [...Map.groupBy(passages.toSorted(byNewest), keyOf).values()].map((same) => {
    const refs = limitRefs(mergeRefs(same.flatMap((passage) => passage.refs)), mostRefs);
    const [newest] = same as [P];
    return { ...newest, refs, weight: newest.weight + (same.length - 1) / 2 };
  });
}

function withoutRepeats(passages: readonly Passage[]): readonly Passage[] {
  return eachOnce(passages, ({ role, topic, text }) => `${role}\n${topicKey(topic)}\n${topicKey(text)}`);
}

/** The best detail of every topic, then the second best, and so on; heavier topics first. */
function roundRobin(details: readonly Passage[], topics: readonly Passage[]): readonly Passage[] {
  const order = new Map(topics.map((topic, index) => [nameKey(topic.topic), index]));
  const ranked = details.toSorted((a, b) => b.weight - a.weight || byNewest(a, b) || (a.text < b.text ? -1 : 1));
  const byTopic = Map.groupBy(ranked, ({ topic }) => nameKey(topic));
  const queues = [...byTopic]
    .toSorted(([a], [b]) => (order.get(a) ?? topics.length) - (order.get(b) ?? topics.length))
    .map(([, list]) => list);
  const longest = Math.max(0, greatest(queues.map((queue) => queue.length)));
  return Array.from({ length: longest }, (_, round) => queues.flatMap((queue) => queue.slice(round, round + 1))).flat();
}

/** Alternates `turn` topics with one detail. */
function interleave(topics: readonly Passage[], details: readonly Passage[], turn: number): readonly Passage[] {
  const mixed: Passage[] = [];
  for (let index = 0; index * turn < topics.length || index < details.length; index++) {
    pushAll(mixed, topics.slice(index * turn, (index + 1) * turn));
    const detail = details[index];
    if (detail !== undefined) mixed.push(detail);
  }
  return mixed;
}

export function byNewest(a: Passage, b: Passage): number {
  return -compareRefs(newestRef(a), newestRef(b));
}

const noRef: Ref = { log: "", from: 0, to: 0 };

export function newestRef(passage: Passage): Ref {
  return passage.refs.at(-1) ?? noRef;
}

/** Drops open items that are closed, and blocks that are over. */
function withoutClosed(
  passages: readonly Passage[],
  heads: ReadonlyMap<string, readonly Passage[]>,
): readonly Passage[] {
  if (!passages.some(({ role }) => isPending(role))) return passages;
  const told = passages.filter(({ topic }) => topic !== "").toSorted(byNewest);
  const elsewhere = new Elsewhere([...passages, ...[...heads.values()].flat()]);
  const pending = new Set<Passage>();
  for (const [key, group] of Map.groupBy(told, ({ topic }) => nameKey(topic))) {
    const entries = (heads.get(key) ?? []).flatMap(({ refs }) => refs);
    const said = group.map((passage): Told => {
      return { text: passage.text, keys: wordKeys(passage.text), day: lastDayOf(passage.refs), passage };
    });
    for (const { from } of openItems(said, { elsewhere, entries }))
      for (const { passage } of from) pending.add(passage);
    for (const one of said) if (one.passage.role === "blocked" && !isUnblocked(one, said)) pending.add(one.passage);
  }
  return passages.filter((passage) => !isPending(passage.role) || passage.topic === "" || pending.has(passage));
}

const outcomes: readonly Role[] = ["outcome", "done", "blocked", "failed", "abandoned"];

/** Drops statuses that are superseded by a later outcome of the same topic. */
function withoutFormerStatus(passages: readonly Passage[]): readonly Passage[] {
  const stated = passages.filter(({ role }) => outcomes.includes(role)).toSorted((a, b) => byNewest(b, a));
  const newest = new Map(stated.map((passage) => [nameKey(passage.topic), passage]));
  return passages.filter((passage) => {
    const isFormer = byNewest(passage, newest.get(nameKey(passage.topic)) ?? passage) > 0;
    return !(isFormer && outcomes.includes(passage.role) && isStatus(passage.text));
  });
}

/** Turns items that were open before the last day into notes: silence does not mean they are still open. */
function openOn(day: Day, passages: readonly Passage[]): readonly Passage[] {
  return passages.map((passage) => {
    const isOpen = passage.role !== "open" || passage.topic === "" || lastDayOf(passage.refs) >= day;
    return isOpen ? passage : asNote(passage);
  });
}

function isPending(role: Role): boolean {
  return role === "open" || role === "blocked";
}
