import type { SourceLine } from "./types.ts";

/** `person`: what a person said; `assistant`: what a program answered; `author`: not a conversation, the text of who wrote the file. */
export type Speaker = "person" | "assistant" | "author";

export interface SpokenLine extends SourceLine {
  readonly speaker: Speaker;
}

/** Marks of a conversation with an assistant, in their usual forms: `User:`, `**Human**:`, `用户：`. */
const mark = (names: string): RegExp =>
  new RegExp(`^(?:[*_]{2})?(?:${names})(?:[*_]{2})?\\s*[:：](?:[*_]{2})?[ \\t]*`, "iu");
const personMark = mark("User|Human|You|Me|사용자|나|ユーザー|私|用户|用戶|我");
const assistantMark = mark("Assistant|AI|Agent|Bot|Model|System|Tool|어시스턴트|アシスタント|助手");
/** `Caroline: …`, `[09:14] Caroline: …`, `- **Caroline**: …` */
const nameMark =
  /^(?:[-*] )?(?:\[[^\]]{1,32}\] ?|\(\d[^)]{1,30}\) ?)?[*_]{0,2}(\p{Lu}[\p{L}\p{N}.'’-]{0,23}(?: \p{Lu}[\p{L}\p{N}.'’-]{0,23}){0,2})[*_]{0,2} ?[:：][*_]{0,2} \S/u;

/** So many lines of at least two names make a dialogue of named people. */
const fewestNamedTurns = 4;

/**
 * Who says each line of a section. `User:` and `Assistant:` marks are taken off; names of people stay, since they tell who it is about. A section
 * without turns is its author's. Lines before the first turn are the author's.
 */
export function spokenLines(lines: readonly SourceLine[]): readonly SpokenLine[] {
  if (!lines.some(({ text }) => personMark.test(text) || assistantMark.test(text))) return named(lines);
  let speaker: Speaker = "author";
  return lines.map(({ number, text }) => {
    if (!/[:：]/u.test(text.slice(0, longestMark))) return { number, text, speaker };
    const said = personMark.exec(text) ?? assistantMark.exec(text);
    if (said === null) return { number, text, speaker };
    speaker = personMark.test(text) ? "person" : "assistant";
    return { number, text: text.slice(said[0].length), speaker };
  });
}

const longestMark = 24;

function named(lines: readonly SourceLine[]): readonly SpokenLine[] {
  const names = lines.map(({ text }) => nameMark.exec(text.slice(0, 120))?.[1]);
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const people = [...counts].filter(([, count]) => count > 1);
  const turns = people.reduce((sum, [, count]) => sum + count, 0);
  const isDialogue = people.length > 1 && turns >= fewestNamedTurns;
  let speaker: Speaker = "author";
  return lines.map((line, index) => {
    if (isDialogue && (counts.get(names[index] ?? "") ?? 0) > 1) speaker = "person";
    return { ...line, speaker };
  });
}
