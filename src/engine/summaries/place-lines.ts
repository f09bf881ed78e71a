import type { SourceText } from "../../summarize/answers/request.ts";
import type { ThreadAnswerItem } from "../../thread/answered-summary.ts";
import type { Role } from "../../thread/frame.ts";
import type { SummaryLine } from "../../thread/summarizer.ts";
import { closestLine, matchLines } from "./match-lines.ts";

/** Items of an answer as lines of messages that the sources have: the one that an item names, else the one that it fits best; without those that fit none. */
export function placeLines(items: readonly ThreadAnswerItem[], sources: readonly SourceText[]): readonly SummaryLine[] {
  const lines = sources.flatMap((source) => source.lines).filter(({ seq }) => seq !== undefined);
  const roles = new Map(lines.map(({ seq, text }) => [seq, roleIn(text)]));
  const texts = lines.map(({ text }) => text.slice(text.indexOf(": ") + 2));
  const found = matchLines(
    items.map(({ text }) => text),
    texts,
  );
  return items.flatMap(({ seq: named, text }, at): readonly SummaryLine[] => {
    const best = closestLine(text, texts, found[at] ?? []);
    const seq = named !== undefined && roles.has(named) ? named : best === undefined ? undefined : lines[best]?.seq;
    return seq === undefined ? [] : [{ seq, role: roles.get(seq) ?? "user", text }];
  });
}

/** A line of a source begins with the role of its message. */
function roleIn(text: string): Role {
  const role = /^(user|assistant|system|tool): /u.exec(text)?.[1];
  return (role ?? "user") as Role;
}
