import { type Day, daysBetween } from "../../base/calendar.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { compareTexts } from "../../base/lists.ts";
import { dayOfRef } from "../../base/refs.ts";
import { byValue, nameWithClaim, refsOf, type RootCandidate } from "./root-lines.ts";
import { type RootTopic } from "./root-topics.ts";
import { repeatKey, type Statement } from "./root-statements.ts";
import { plainKey, quoted } from "../../text/extract/sentences.ts";
import type { PlacedPassage } from "../model/node-passages.ts";

/** A pattern needs this many days, and ends after this many days of silence. */
const leastDays = 3;
const longestSilence = 90;
/** The most characters of a lesson, and of a topic's recurring statement. */
const longestLesson = 120;
const longestRecurring = 90;

/**
 * What recurs on at least three different days, with the days: first lessons and corrections repeated in nearly the
 * same words, across topics; then topics with a repeated statement. A recurring name alone is not a pattern.
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
  return repeatsAmong(said, longestLesson)
    .filter(({ days }) => silence(days, today) <= longestSilence)
    .map(({ text, days, from }): RootCandidate => {
      const names = [...new Map(from.map(({ topic }) => [topicKey(topic), topic])).values()];
      const isLearned = from.every(({ type }) => !isPreserved(type));
      const topicsShown = names.length <= 2 ? names.toSorted().join(", ") : `${names.length} topics`;
      const where = names.length > 1 && isLearned ? ` in ${topicsShown}` : "";
      return {
        section: "Recent Patterns",
        text: `- ${text}: ${isLearned ? "learned" : "said"} on at least ${days.length} days (${shownDays(days, today)})${where}`,
        topic: names.length === 1 ? topicKey(names[0] ?? "") : "",
        refs: refsOf(from),
        from,
        value:
          (isLearned ? lessonsFirst : 0) +
          days.length * (isLearned ? 2 : 1) +
          names.length * 1.5 -
          silence(days, today) / 20,
      };
    });
}

/** Lessons and corrections come before topics, and lessons come first because they appear nowhere else. */
const lessonsFirst = 1000;

/** A topic with a statement repeated in nearly the same words. */
function recurringLine(topic: RootTopic, today: Day): RootCandidate | undefined {
  const said = topic.statements.filter(({ text, keys }) => keys.size > 1 && !plainKey.test(text));
  const [most] = repeatsAmong(said, longestRecurring).toSorted((a, b) => b.days.length - a.days.length);
  if (most === undefined) return undefined;
  const { text, days, from } = most;
  const entries = topic.entries.length > 0 ? topic.entries : topic.details;
  return {
    section: "Recent Patterns",
    text: `- ${nameWithClaim(topic, from)}: on at least ${days.length} days (${shownDays(days, today)}): ${text}`,
    topic: topic.key,
    refs: refsOf([...entries, ...from]),
    from: [...entries, ...from.filter((passage) => !entries.includes(passage))],
    value:
      Math.log2(topic.days.length) * 2 -
      silence(topic.days, today) / 20 -
      (topic.progress === "done" ? 1 : 0) -
      (topic.naming === "found" ? 1 : 0),
  };
}

interface Repeat {
  /** The newest wording. */
  readonly text: string;
  readonly days: readonly Day[];
  readonly from: readonly PlacedPassage[];
}

/** Repeated statements with enough days, newest first. */
function repeatsAmong(said: readonly Statement[], longest: number): readonly Repeat[] {
  const newestFirst = said.toSorted((a, b) => compareTexts(b.day, a.day) || compareTexts(a.text, b.text));
  return [...Map.groupBy(newestFirst, repeatKey).values()]
    .map((group): Repeat => {
      const from = group.map(({ passage }) => passage);
      const days = [...new Set(from.flatMap(({ refs }) => refs.map(dayOfRef)))].toSorted();
      return { text: quoted(group[0]?.text ?? "", longest).replace(/[.。]$/u, ""), days, from };
    })
    .filter(({ text, days }) => text !== "" && days.length >= leastDays);
}

/** Days since the last of these days. */
function silence(days: readonly Day[], today: Day): number {
  return Math.max(0, daysBetween(days.at(-1) ?? today, today));
}

/** Shows the year only where it changes; for the first day only if it is not the current year. */
function shownDays(days: readonly Day[], today: Day): string {
  const isWhole = days.length <= 5;
  const shown = isWhole ? days : [...days.slice(0, 2), ...days.slice(-2)];
  const short = shown.map((day, at) => {
    const before = at === 0 ? today : (shown[at - 1] ?? today);
    return day.slice(0, 4) === before.slice(0, 4) ? day.slice(5) : day;
  });
  return isWhole ? short.join(", ") : `${short.slice(0, 2).join(", ")} … ${short.slice(2).join(", ")}`;
}
