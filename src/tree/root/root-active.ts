import { byDayAndRank, datedText, inOneLine, type RootTopic } from "./root-topics.ts";
import { addDays, type Day } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { dayOfRef } from "../../base/refs.ts";
import { quoted } from "../../text/extract/sentences.ts";
import { byValue, nameWithClaim, refsOf, type RootCandidate } from "./root-lines.ts";
import type { Statement } from "./root-statements.ts";
import { isRepeat, longestCarried, type OpenItem, openItems } from "../extract/pending.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** The active days, inclusive. */
interface ActiveDays {
  readonly first: Day;
  readonly last: Day;
}

/**
 * The seven days up to today and, for plans, the seven after it. If none of them has a log, the newest day that has
 * one.
 */
export function activeDays(topics: readonly RootTopic[], today: Day): ActiveDays {
  const first = addDays(today, -6);
  if (topics.some((topic) => topic.days.some((day) => day >= first && day <= addDays(today, 7))))
    return { first, last: addDays(today, 7) };
  const newest =
    topics
      .map((topic) => topic.days.at(-1) ?? topic.last)
      .toSorted()
      .at(-1) ?? today;
  return { first: newest, last: newest };
}

/** The most characters of details per line. */
const longestDetail = 150;
/** With this many topics described in sentences, found topics that have only keywords are left out. */
const enoughSaid = 5;

/**
 * One line per topic: what was said last on the active days, newest first, or, for other unfinished topics, what is
 * still open. Work in progress first, then heavier and fresher topics. Text that two topics share appears once.
 */
export function activeLines(topics: readonly RootTopic[], window: ActiveDays, today: Day): readonly RootCandidate[] {
  const told = new Set<string>();
  const states = topics
    .flatMap((topic) => {
      const state = stateOf(topic, window, today);
      return state === undefined ? [] : [{ topic, state, value: valueOf(topic, state) }];
    })
    .toSorted((a, b) => b.value - a.value || (a.topic.key < b.topic.key ? -1 : 1));
  // The index already has the keywords of found topics.
  const isEnough = states.filter(({ state }) => state.parts.length > 0).length >= enoughSaid;
  return states
    .filter(({ topic, state }) => !(isEnough && topic.naming === "found" && state.parts.length === 0))
    .flatMap(({ topic, state, value }): readonly RootCandidate[] => {
      const fresh = state.parts.filter((part) => !told.has(topicKey(part.text)));
      const { text, from } = state.parts.length === 0 ? state.keywords : lineOf(fresh);
      if (text === "") return [];
      for (const part of fresh) told.add(topicKey(part.text));
      const section = "Active Context (recent ~7 days)";
      const line = `- ${nameWithClaim(topic, from)}: ${text}`;
      return [{ section, text: line, topic: topic.key, refs: refsOf(from), from, value }];
    })
    .toSorted(byValue);
}

/** One statement of a topic's state, as displayed. */
interface Part {
  readonly text: string;
  readonly of: Statement;
  readonly from: readonly PlacedPassage[];
}

interface State {
  /** Best first. */
  readonly parts: readonly Part[];
  readonly open: "open" | "carried" | "none";
  /** Used if there are no sentences. */
  readonly keywords: { readonly text: string; readonly from: readonly PlacedPassage[] };
}

const noKeywords = { text: "", from: [] };

function stateOf(topic: RootTopic, window: ActiveDays, today: Day): State | undefined {
  const items = openItems(topic.statements);
  const partOf = ({ since, last, from }: Omit<OpenItem<Statement>, "since"> & { readonly since?: Day }): Part => {
    const text = datedText(last, topic, today, since);
    return { of: last, text, from: from.map(({ passage }) => passage) };
  };
  if (!topic.days.some((day) => isIn(day, window))) {
    // What an unfinished topic left open before the active days.
    if (topic.progress === "done") return undefined;
    const left = items.filter(
      ({ last }) => last.day < window.first && last.day >= addDays(window.first, -longestCarried),
    );
    const parts = left.map(partOf);
    return parts.length === 0 ? undefined : { parts, open: "carried", keywords: noKeywords };
  }
  const open = items.filter(({ last }) => isIn(last.day, window));
  const said = newIn(topic, window).map((last) => partOf({ last, from: [last] }));
  const parts = [...open.map(partOf), ...said].toSorted((a, b) => byDayAndRank(a.of, b.of));
  if (parts.length === 0 && isPreserved(topic.type)) return undefined;
  // If there are sentences but none is new, the index is enough.
  const keywords = topic.statements.some(({ day }) => isIn(day, window)) ? noKeywords : keywordsIn(topic, window);
  return { parts, open: open.length > 0 && topic.progress !== "done" ? "open" : "none", keywords };
}

function isIn(day: Day, window: ActiveDays): boolean {
  return day >= window.first && day <= window.last;
}

/** Statements from the active days. For `user` and `feedback` only those that say something new. */
function newIn(topic: RootTopic, window: ActiveDays): readonly Statement[] {
  const inWindow = topic.statements.filter(({ day, passage, text }) => {
    return isIn(day, window) && passage.role !== "open" && !(topic.naming === "found" && /[?？]\s*$/u.test(text));
  });
  if (!isPreserved(topic.type)) return inWindow;
  const before = topic.statements.filter(({ day }) => day < window.first);
  return inWindow.filter((one) => one.part === "itself" && !before.some((old) => isRepeat(one, old)));
}

/**
 * The first part, shortened if necessary, and as many other whole parts as fit, open items first. Skips parts older
 * than one that did not fit.
 */
function lineOf(parts: readonly Part[]): { readonly text: string; readonly from: readonly PlacedPassage[] } {
  const told: { readonly text: string; readonly part: Part }[] = [];
  let left = longestDetail;
  let skipped: Day = "";
  for (const part of [
    ...parts.slice(0, 1),
    ...parts.slice(1).toSorted((a, b) => Number(isOpen(b)) - Number(isOpen(a))),
  ]) {
    if (told.some(({ part: { of } }) => isRepeat(of, part.of))) continue;
    const text = told.length === 0 ? quoted(part.text, longestDetail) : part.text;
    const length = Array.from(text).length + 2;
    if (text === "" || part.of.day < skipped) continue;
    if (told.length > 0 && length > left) {
      skipped = part.of.day;
      continue;
    }
    told.push({ text, part });
    left -= length;
  }
  return { text: inOneLine(told.map(({ text }) => text)), from: told.flatMap(({ part }) => part.from) };
}

function isOpen({ of }: Part): boolean {
  return of.passage.role === "open";
}

/** Keywords from the active days, for a topic without sentences. */
function keywordsIn(topic: RootTopic, window: ActiveDays): State["keywords"] {
  const from = topic.entries.filter(
    (entry) => entry.text !== "" && entry.refs.some((ref) => isIn(dayOfRef(ref), window)),
  );
  const words = [...new Set(from.flatMap((entry) => entry.text.split(", ")))].slice(0, 6);
  return { text: words.join(", "), from };
}

function valueOf(topic: RootTopic, state: State): number {
  const progress = state.open === "none" ? (topic.progress === "done" ? -1 : 0.5) : 1.5;
  const said = state.parts.length === 0 ? -2 : 0;
  const age = state.open === "carried" ? topic.age * 0.06 : topic.age * 0.15;
  return progress + said + Math.log2(1 + topic.weight) + (isPreserved(topic.type) ? 1 : 0) - age;
}
