import type { SourceLine } from "./types.ts";

/**
 * `person`: what a person said to an assistant; `assistant`: what it answered; `named`: a turn of a dialogue between named people;
 * `author`: no conversation, the text of who wrote the file.
 */
export type Speaker = "person" | "assistant" | "named" | "author";

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
  /^(?:[-*] )?(?:\[[^\]]{1,32}\] ?|\(\d[^)]{1,30}\) ?)?[*_]{0,2}([\p{Lu}\p{Lo}][\p{L}\p{N}.'’-]{0,23}(?: \p{Lu}[\p{L}\p{N}.'’-]{0,23}){0,2})[*_]{0,2} ?[:：][*_]{0,2} ?\S/u;

/** Characters within which a mark of an assistant's conversation, and one of a named person, has its colon. */
const longestMark = 24;
const longestName = 90;
/** So many turns of at least two names make a dialogue of named people. */
const fewestTurns = 4;

/**
 * Who says each line of a section. `User:` and `Assistant:` marks are taken off; names of people stay, since they tell who it is about. A section
 * without turns is its author's, and so are the lines before the first turn.
 */
export function spokenLines(lines: readonly SourceLine[]): readonly SpokenLine[] {
  let speaker: Speaker = "author";
  let turns = 0;
  const spoken = lines.map(({ number, text }): SpokenLine => {
    if (!hasColon(text, longestMark)) return { number, text, speaker };
    const person = personMark.exec(text);
    const said = person ?? assistantMark.exec(text);
    if (said === null) return { number, text, speaker };
    turns += 1;
    speaker = person === null ? "assistant" : "person";
    return { number, text: text.slice(said[0].length), speaker };
  });
  return turns > 0 ? spoken : namedLines(lines);
}

function namedLines(lines: readonly SourceLine[]): readonly SpokenLine[] {
  const names = lines.map(({ text }) => (hasColon(text, longestName) ? nameMark.exec(text)?.[1] : undefined));
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const people = new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name));
  const turns = names.filter((name) => name !== undefined && people.has(name)).length;
  const isDialogue = people.size > 1 && turns >= fewestTurns;
  let speaker: Speaker = "author";
  return lines.map((line, index) => {
    if (isDialogue && people.has(names[index] ?? "")) speaker = "named";
    return { ...line, speaker };
  });
}

function hasColon(text: string, within: number): boolean {
  for (let at = 0; at < within && at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x3a || code === 0xff1a) return true;
  }
  return false;
}
