import { type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { dayOfRef } from "../../base/refs.ts";
import { byValue, nameWithClaim, refsOf, type RootCandidate } from "./root-lines.ts";
import { isFound, type RootTopic } from "./root-topics.ts";
import { isSaidAgain, type Statement } from "./root-statements.ts";
import { plainKey, quoted } from "../../text/extract/sentences.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** A pattern needs this many days, and ends after this many days of silence. */
const leastDays = 3;
const longestSilence = 90;
/** Most characters of a lesson, and of what recurs about a topic. */
const longestLesson = 120;
const longestRecurring = 90;

/**
 * What recurs on at least three different days, with the days: lessons and corrections that say nearly the same, across
 * topics; then topics with what recurs about them. A recurring name alone is not a pattern.
 */
export function patternLines(topics: readonly RootTopic[], today: Day): readonly RootCandidate[] {
  const again = saidAgain(topics, today);
  const told = new Set(again.flatMap(({ from }) => from.map((passage) => topicKey(passage.topic))));
  const recurring = topics
    .filter((topic) => topic.days.length >= leastDays && topic.age <= longestSilence && !told.has(topic.key))
    .map((topic) => recurringLine(topic, today))
    .filter((line) => line !== undefined);
  return [...again, ...recurring].toSorted(byValue);
}

/** Lessons and corrections repeated in nearly the same words, across topics. */
function saidAgain(topics: readonly RootTopic[], today: Day): readonly RootCandidate[] {
  const said = topics
    .flatMap((topic) => topic.statements)
    .filter(({ passage: { role }, part }) => role === "lesson" || (role === "preserved" && part === "itself"));
  return groupAlike(said).flatMap((group): readonly RootCandidate[] => {
    const days = daysOf(group.map(({ passage }) => passage));
    const [newest] = group;
    const text = newest === undefined ? "" : quoted(newest.text, longestLesson).replace(/[.。]$/u, "");
    if (newest === undefined || text === "" || days.length < leastDays || silence(days, today) > longestSilence)
      return [];
    const names = [...new Map(group.map(({ passage: { topic } }) => [topicKey(topic), topic])).values()];
    const kind = kindOf(group);
    const where = names.length > 1 && kind === "learned" ? ` in ${shownNames(names)}` : "";
    const from = group.map(({ passage }) => passage);
    return [
      {
        section: "Recent Patterns",
        text: `- ${text}: ${kind} on at least ${days.length} days (${shownDays(days, today)})${where}`,
        topic: names.length === 1 ? topicKey(newest.passage.topic) : "",
        refs: refsOf(from),
        from,
        value:
          (kind === "said" ? 0 : lessonsFirst) +
          days.length * (kind === "learned" ? 2 : 1) +
          names.length * 1.5 -
          silence(days, today) / 20,
      },
    ];
  });
}

/** Lessons and corrections come before topics, and lessons come first because they appear nowhere else. */
const lessonsFirst = 1000;

function kindOf(group: readonly Statement[]): "learned" | "said" {
  return group.every(({ passage }) => !isPreserved(passage.type)) ? "learned" : "said";
}

/** A topic with a statement repeated in nearly the same words. */
function recurringLine(topic: RootTopic, today: Day): RootCandidate | undefined {
  const what = recurringStatement(topic);
  if (what === undefined) return undefined;
  const entries = topic.entries.length > 0 ? topic.entries : topic.details;
  return {
    section: "Recent Patterns",
    text: `- ${nameWithClaim(topic, what.from.length > 0 ? what.from : entries)}: on at least ${what.days.length} days (${shownDays(what.days, today)}): ${what.text}`,
    topic: topic.key,
    refs: refsOf([...entries, ...what.from]),
    from: [...entries, ...what.from.filter((passage) => !entries.includes(passage))],
    value:
      Math.log2(topic.days.length) * what.weight -
      silence(topic.days, today) / 20 -
      (topic.progress === "done" ? 1 : 0) -
      (isFound(topic) ? 1 : 0),
  };
}

interface Recurring {
  readonly text: string;
  readonly days: readonly Day[];
  readonly from: readonly PlacedPassage[];
  readonly weight: number;
}

function recurringStatement(topic: RootTopic): Recurring | undefined {
  const groups = groupAlike(topic.statements.filter(({ text }) => !plainKey.test(text)))
    .map((group) => ({ group, days: daysOf(group.map(({ passage }) => passage)) }))
    .filter(({ group, days }) => days.length >= leastDays && (group[0]?.keys.size ?? 0) > 1)
    .toSorted((a, b) => b.days.length - a.days.length);
  const best = groups[0];
  const newest = best?.group[0];
  if (best === undefined || newest === undefined) return undefined;
  const text = quoted(newest.text, longestRecurring).replace(/[.。]$/u, "");
  return text === "" ? undefined : { text, days: best.days, from: best.group.map(({ passage }) => passage), weight: 2 };
}

function daysOf(passages: readonly PlacedPassage[]): readonly Day[] {
  return [...new Set(passages.flatMap((passage) => passage.refs.map(dayOfRef)))].toSorted();
}

/** Days since the last one. */
function silence(days: readonly Day[], today: Day): number {
  return Math.max(0, daysBetween(days.at(-1) ?? today, today));
}

function shownNames(names: readonly string[]): string {
  return names.length <= 2 ? names.toSorted().join(", ") : `${names.length} topics`;
}

/** Shows the year only where it changes; for the first day only if it is not the current year. */
function shownDays(days: readonly Day[], today: Day): string {
  const short = days.map((day, at) => {
    const before = at === 0 ? today : (days[at - 1] ?? today);
    return day.slice(0, 4) === before.slice(0, 4) ? day.slice(5) : day;
  });
  return short.length <= 5 ? short.join(", ") : `${short.slice(0, 2).join(", ")} … ${short.slice(-2).join(", ")}`;
}

/**
 * Groups statements that say nearly the same, newest first. Each joins the group whose newest member shares most words
 * (leader clustering, Hartigan 1975): one pass over an index of words.
 */
function groupAlike(said: readonly Statement[]): readonly (readonly Statement[])[] {
  const groups: Statement[][] = [];
  const byKey = new Map<string, number[]>();
  for (const one of said.toSorted(newestFirst)) {
    const found = leaderOf(one, groups, byKey);
    if (found !== undefined) {
      groups[found]?.push(one);
      continue;
    }
    for (const key of one.keys) {
      const list = byKey.get(key);
      if (list === undefined) byKey.set(key, [groups.length]);
      else list.push(groups.length);
    }
    groups.push([one]);
  }
  return groups;
}

/** A word that occurs in more groups is too common to compare all of them. */
const mostLed = 200;

function leaderOf(
  one: Statement,
  groups: readonly (readonly Statement[])[],
  byKey: ReadonlyMap<string, readonly number[]>,
): number | undefined {
  const shared = new Map<number, number>();
  for (const key of one.keys)
    for (const group of (byKey.get(key) ?? []).slice(0, mostLed)) shared.set(group, (shared.get(group) ?? 0) + 1);
  let best: { readonly group: number; readonly shared: number } | undefined;
  for (const [group, count] of shared) {
    const leader = groups[group]?.[0];
    if (leader === undefined || !isSaidAgain(leader, one)) continue;
    if (best === undefined || count > best.shared) best = { group, shared: count };
  }
  return best?.group;
}

function newestFirst(a: Statement, b: Statement): number {
  if (a.day !== b.day) return a.day < b.day ? 1 : -1;
  return a.text < b.text ? -1 : a.text > b.text ? 1 : 0;
}
