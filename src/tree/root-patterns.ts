import { daysBetween, type Day } from "../base/calendar.ts";
import { topicKey } from "../base/memory-type.ts";
import { dayOfRef } from "../base/refs.ts";
import { longestDetail, textOf } from "./root-active.ts";
import { byValue, refsOf, shorten, type RootCandidate } from "./root-lines.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";

interface PatternLine extends RootCandidate {
  /** How many. */
  readonly days: number;
}

/** What recurs: topics, lessons and corrections seen on at least three different days, with those days. */
export function patternLines(topics: readonly RootTopic[], today: Day): readonly RootCandidate[] {
  const recurring = topics
    .filter((topic) => topic.days.length >= leastDays && topic.age <= longestSilence)
    .map((topic): PatternLine => {
      const said = { what: topic.name, kind: topic.type === "feedback" ? "corrected on" : "on", days: topic.days };
      const from = topic.entries.length > 0 ? topic.entries : topic.details;
      return { ...patternLine(said, from, today), topic: topic.key, refs: topic.refs };
    });
  const again = saidAgain(topics, today);
  const told = new Set(again.map((line) => `${line.topic}\n${line.days}`));
  const others = recurring.filter((line) => !told.has(`${line.topic}\n${line.days}`));
  return [...again, ...others].toSorted(byValue);
}

/** Days on which something must have been seen to be a pattern, and days of silence after which it is none any more. */
const leastDays = 3;
const longestSilence = 90;

/** The same lesson or correction, word for word, in whatever topics it was given. */
function saidAgain(topics: readonly RootTopic[], today: Day): readonly PatternLine[] {
  const said = new Map<string, PlacedPassage[]>();
  for (const passage of topics.flatMap((topic) => topic.details)) {
    if (passage.role !== "lesson" && passage.role !== "preserved") continue;
    const key = topicKey(textOf(passage));
    if (key === "") continue;
    const list = said.get(key);
    if (list === undefined) said.set(key, [passage]);
    else list.push(passage);
  }
  return [...said.values()].flatMap((group): readonly PatternLine[] => {
    const days = [...new Set(group.flatMap((passage) => passage.refs.map(dayOfRef)))].toSorted();
    const [first] = group;
    if (first === undefined || days.length < leastDays || daysBetween(days.at(-1) ?? today, today) > longestSilence)
      return [];
    const topicKeys = new Set(group.map((passage) => topicKey(passage.topic)));
    const kind = first.role === "lesson" ? "learned on" : first.type === "feedback" ? "corrected on" : "said on";
    const what = shorten(textOf(first).replace(/^rule:\s*/iu, ""), longestDetail);
    return [
      { ...patternLine({ what, kind, days }, group, today), topic: topicKeys.size === 1 ? topicKey(first.topic) : "" },
    ];
  });
}

function patternLine(
  said: { readonly what: string; readonly kind: string; readonly days: readonly Day[] },
  from: readonly PlacedPassage[],
  today: Day,
): PatternLine {
  const { what, kind, days } = said;
  const weight = kind === "corrected on" ? 2 : 1;
  return {
    section: "Recent Patterns",
    text: `- ${what}: ${kind} ${days.length} days (${shownDays(days)})`,
    topic: "",
    days: days.length,
    refs: refsOf(from),
    from,
    value: days.length * weight - Math.max(0, daysBetween(days.at(-1) ?? today, today)) * 0.05,
  };
}

function shownDays(days: readonly Day[]): string {
  const short = days.map((day) => day.slice(5));
  return short.length <= 5 ? short.join(", ") : `${short.slice(0, 2).join(", ")} … ${short.slice(-2).join(", ")}`;
}
