import { once } from "../../base/lines.ts";
import { easternSpeakers, isPlain } from "../../text/words/scripts.ts";

/** A redacted line of a section. `number` is its 1-based line in the source, or its seq in a thread; `text` has no line end. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/**
 * `person`: what a person said to an assistant; `assistant`: its answer; `named`: a turn of a dialogue between named people;
 * `author`: text outside conversations, by the author of the file.
 */
type Speaker = "person" | "assistant" | "named" | "author";

export interface SpokenLine extends SourceLine {
  readonly speaker: Speaker;
  /** The speaker's name in the source; empty for an author. */
  readonly name: string;
  /** Number of the turn in a conversation with an assistant; 0 outside. */
  readonly turn: number;
}

/** Speaker marks of a conversation with an assistant, in their usual forms: `User:`, `**Human**:`, `用户：`. */
const mark = (names: string, flags: string): RegExp =>
  new RegExp(`^(?:[*_]{2})?(${names})(?:[*_]{2})?\\s*[:：](?:[*_]{2})?[ \\t]*`, flags);
const latinPerson = "User|Human|You|Me";
const latinAssistant = "Assistant|AI|Agent|Bot|Model|System|Tool";
/** Two sets, because letters from other scripts make a pattern slow, and most lines have none. */
const marks = {
  latin: { person: mark(latinPerson, "i"), assistant: mark(latinAssistant, "i") },
  any: {
    person: mark(`${latinPerson}|${easternSpeakers.person}`, "iu"),
    assistant: mark(`${latinAssistant}|${easternSpeakers.assistant}`, "iu"),
  },
};
/** `Caroline: …`, `[09:14] Caroline: …`, `- **Caroline**: …` */
const nameMark = once(
  () =>
    /^(?:[-*] )?(?:\[[^\]]{1,32}\] ?|\(\d[^)]{1,30}\) ?)?[*_]{0,2}([\p{Lu}\p{Lo}][\p{L}\p{N}.'’-]{0,23}(?: \p{Lu}[\p{L}\p{N}.'’-]{0,23}){0,2})[*_]{0,2} ?[:：][*_]{0,2} ?\S/u,
);

/** A speaker mark has its colon within the first 24 characters, or 90 for a named person; these patterns rule lines out quickly. */
const longestMark = 24;
const mayBeMarked = /^[^:：]{0,23}[:：]/;
const mayBeNamed = /^[^:：]{0,89}[:：]/;
/** A dialogue between named people needs at least this many turns, by at least two names. */
const fewestTurns = 4;

/**
 * Finds the speaker of each line of a section. `User:` and `Assistant:` marks are removed; names of people stay, because they show who the line is about. A
 * section without turns belongs to its author, and so do the lines before the first turn.
 */
export function spokenLines(lines: readonly SourceLine[]): readonly SpokenLine[] {
  let speaker: Speaker = "author";
  let name = "";
  let turns = 0;
  const spoken = lines.map(({ number, text }): SpokenLine => {
    if (!mayBeMarked.test(text)) return { number, text, speaker, name, turn: turns };
    const { person: personMark, assistant } = marksFor(text);
    const person = personMark.exec(text);
    const said = person ?? assistant.exec(text);
    if (said === null) return { number, text, speaker, name, turn: turns };
    turns += 1;
    speaker = person === null ? "assistant" : "person";
    name = said[1] ?? "";
    return { number, text: text.slice(said[0].length), speaker, name, turn: turns };
  });
  return turns > 0 ? spoken : namedLines(lines);
}

/** Whether a line begins with the mark of a person or an assistant. */
export function isMarked(line: string): boolean {
  if (!mayBeMarked.test(line)) return false;
  const { person, assistant } = marksFor(line);
  return person.test(line) || assistant.test(line);
}

/** Whether a speaker's name means a person who talks to an assistant: `User`, `用户`. */
export function isPersonMark(name: string): boolean {
  return marksFor(name).person.test(`${name}:`);
}

function namedLines(lines: readonly SourceLine[]): readonly SpokenLine[] {
  const names = lines.map(({ text }) => (mayBeNamed.test(text) ? nameMark().exec(text)?.[1] : undefined));
  const counts = new Map<string, number>();
  for (const name of names) if (name !== undefined) counts.set(name, (counts.get(name) ?? 0) + 1);
  const people = new Set([...counts].filter(([, count]) => count > 1).map(([name]) => name));
  const turns = names.filter((name) => name !== undefined && people.has(name)).length;
  const isDialogue = people.size > 1 && turns >= fewestTurns;
  let speaker: Speaker = "author";
  let name = "";
  return lines.map((line, index) => {
    const own = names[index] ?? "";
    if (isDialogue && people.has(own)) [speaker, name] = ["named", own];
    return { ...line, speaker, name, turn: 0 };
  });
}

function marksFor(line: string): (typeof marks)["any"] {
  return isPlain(line.slice(0, longestMark)) ? marks.latin : marks.any;
}
