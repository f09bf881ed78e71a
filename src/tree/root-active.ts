import { addDays, type Day } from "../base/calendar.ts";
import { isPreserved } from "../base/memory-type.ts";
import { dayOfRef } from "../base/refs.ts";
import { byValue, refsOf, shorten, type RootCandidate } from "./root-lines.ts";
import type { PlacedPassage, RootTopic } from "./root-topics.ts";

/** First and last day of what is active: the seven days that end today, or the newest day with a log when they are empty. */
export function activeDays(topics: readonly RootTopic[], today: Day): { readonly first: Day; readonly last: Day } {
  const first = addDays(today, -6);
  if (topics.some((topic) => topic.days.some((day) => day >= first))) return { first, last: "9999-12-31" };
  const newest =
    topics
      .map((topic) => topic.last)
      .toSorted()
      .at(-1) ?? today;
  return { first: newest, last: newest };
}

/** Characters of what is told in one line. */
export const longestDetail = 150;
/** Less than this says nothing; then the topic's keywords say more. */
const leastDetail = 12;

/** What is going on: for each topic of the active days the newest and weightiest thing that is told of it. */
export function activeLines(
  topics: readonly RootTopic[],
  window: { readonly first: Day; readonly last: Day },
): readonly RootCandidate[] {
  return topics
    .map((topic): RootCandidate | undefined => {
      const inWindow = (passage: PlacedPassage): boolean =>
        passage.refs.some((ref) => dayOfRef(ref) >= window.first && dayOfRef(ref) <= window.last);
      const told = topic.details
        .filter((passage) => inWindow(passage) && textOf(passage) !== "")
        .toSorted((a, b) => roleValue(b) - roleValue(a));
      const entries = topic.entries.filter(inWindow);
      const says = told.slice(0, 2).reduce((length, passage) => length + textOf(passage).length, 0);
      const chosen = says >= leastDetail || entries.length === 0 ? told.slice(0, 2) : entries.slice(0, 1);
      const fallback = chosen.every((passage) => textOf(passage) === "") ? told.slice(0, 2) : chosen;
      const from = fallback.length > 0 ? fallback : entries.slice(0, 1);
      if (from.length === 0) return undefined;
      const text = shorten(
        from
          .map(textOf)
          .filter((part, index, all) => all.indexOf(part) === index)
          .join("; "),
        longestDetail,
      );
      const value =
        (isPreserved(topic.type) ? 2 : 1) +
        Math.log2(1 + topic.weight) +
        (topic.progress === "done" ? -0.5 : 0.5) -
        topic.age * 0.15;
      return {
        section: "Active Context (recent ~7 days)",
        text: `- ${topic.name}: ${text === "" ? `on ${topic.last}` : text}`,
        topic: topic.key,
        refs: refsOf(from),
        from,
        value,
      };
    })
    .filter((line) => line !== undefined)
    .toSorted(byValue);
}

export function textOf(passage: PlacedPassage): string {
  if (passage.role !== "preserved") return passage.text;
  const line = passage.lines.slice(1).find((candidate) => !/^\s*(?:$|`{3}|~{3})/u.test(candidate.text));
  return (line?.text ?? "").replace(/^\s*[-*]\s+/u, "").replaceAll("**", "");
}

/** A word or two say little, whatever their role. */
function roleValue(passage: PlacedPassage): number {
  if (passage.role !== "preserved" && passage.text.length < 16) return 0.5;
  return { preserved: 5, open: 4, decision: 3, done: 2, lesson: 2, note: 1, topic: 0, entity: 0 }[passage.role];
}
