import { type Day, daysBetween } from "../../base/calendar.ts";
import { compareTexts } from "../../base/lists.ts";
import type { Passage } from "../../base/passage.ts";
import { lastDayOf } from "../../base/refs.ts";

export interface Mention {
  readonly day: Day;
  /** In lower case. */
  readonly text: string;
}

/** Everything said in any topic, newest first. */
export function mentionsIn(told: readonly Passage[]): readonly Mention[] {
  return told
    .filter(({ role }) => role !== "topic")
    .map(({ text, lines, refs }) => ({
      day: lastDayOf(refs),
      text: [text, ...lines.map((line) => line.text)].join("\n").toLowerCase(),
    }))
    .toSorted((a, b) => compareTexts(b.day, a.day));
}

const leastName = 4;

/**
 * The day a URL or a name of several words (a single word is too common) was last mentioned in any topic; at least
 * `since`.
 */
export function lastMention([pointer, name]: readonly [string, string], mentions: readonly Mention[], since: Day): Day {
  const wanted = [pointer, /\S\s+\S/u.test(name) ? name : ""]
    .map((one) => one.toLowerCase())
    .filter((one) => one.length >= leastName);
  const found = mentions.find(({ day, text }) => day <= since || wanted.some((one) => text.includes(one)));
  return found === undefined || found.day < since ? since : found.day;
}

const tag = / \[project, (\d+)d\]/u;

/**
 * Pairs each found-topic line that is older than the last text containing its name with a copy that has the age of that
 * text. Its refs may be older. Linear in the texts newer than the topic.
 */
export function withLastMention<L extends { readonly text: string; readonly shows?: "keywords" }>(
  lines: readonly L[],
  passages: readonly Passage[],
  today: Day,
): readonly (readonly [L, L])[] {
  const mentions = mentionsIn(passages).filter(({ day }) => day <= today);
  return lines.flatMap((line) => {
    if (line.shows !== "keywords") return [];
    const [mark = "", days = ""] = tag.exec(line.text) ?? [];
    const name = line.text.slice(2, line.text.indexOf(mark)).toLowerCase();
    const newer = mentions.find(({ day, text }) => daysBetween(day, today) >= Number(days) || hasName(text, name));
    const age = newer === undefined ? Number(days) : daysBetween(newer.day, today);
    return age >= Number(days) ? [] : [[line, { ...line, text: line.text.replace(tag, ` [project, ${age}d]`) }]];
  });
}

/** Whether a lower-case text contains a name as whole words; in scripts without spaces, anywhere. */
function hasName(text: string, name: string): boolean {
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1))
    if (
      !joined.test(text.slice(at - 1, at + 1)) &&
      !joined.test(text.slice(at + name.length - 1, at + name.length + 1))
    )
      return true;
  return false;
}

const joined = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}_]{2}$/u;
