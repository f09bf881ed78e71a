import type { Item } from "./items.ts";
import { itemsOf, mayBeGerman } from "./line-items.ts";
import { contextOf } from "./source-words.ts";

/** A line of an answer. */
export interface AnswerLine {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** What of a line is checked, and what it speaks of. */
export interface CheckedLine {
  readonly line: number;
  readonly items: readonly Item[];
  readonly context: ReadonlySet<string>;
}

const refs = /\s\(~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?(?:, ~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?){0,63}\)\s*$/u;
const tag = /\[(?:project|feedback|user|reference)(?:, ?done)?\]/giu;
const mark = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?(?:#\d{1,9} (?:user|assistant|system|tool)\b:?\s*)?/u;

/** The lines of an answer: headings of the format have nothing to check; names of topics are words of the answer's own. */
export function* readAnswer(lines: readonly AnswerLine[]): Generator<CheckedLine> {
  const topics = new Set<string>();
  const german = lines.filter(({ text }) => mayBeGerman(text)).length * 4 > lines.length;
  let section = "";
  for (const { text, line } of lines) {
    const heading = /^ {0,3}(#{1,6})\s+(.*)$/u.exec(text);
    if (heading !== null) {
      if ((heading[1] ?? "").length < 3) {
        section = (heading[2] ?? "").trim().toLowerCase();
        continue;
      }
      yield { line, items: itemsOf((heading[2] ?? "").replaceAll(tag, " "), "title"), context: new Set() };
      continue;
    }
    yield readItem({
      text: text.replace(refs, "").replaceAll(tag, " ").replace(mark, ""),
      line,
      section,
      topics,
      place: german ? "title" : "text",
    });
  }
}

interface ItemLine extends AnswerLine {
  readonly section: string;
  readonly topics: Set<string>;
  /** Of an answer whose capitals say nothing: `title`. */
  readonly place: "title" | "text";
}

function readItem({ text, line, section, topics, place }: ItemLine): CheckedLine {
  const colon = nameEnd(text);
  const name = text.slice(0, colon).trim();
  const isTopic = section === "topics" || topics.has(name.toLowerCase());
  if (section === "topics") topics.add(name.toLowerCase());
  const context = contextOf(text.normalize("NFKC"));
  const items =
    isTopic && colon > 0 ? [...itemsOf(name, "title"), ...itemsOf(text.slice(colon + 1), place)] : itemsOf(text, place);
  const listed = section === "topics" || colon < 1 ? 0 : text.slice(colon + 1).split(/[,;、，]| and | und /u).length;
  return {
    line,
    items: items.filter(
      (item) =>
        !(item.kind === "number" && item.keys.includes(`n${listed}`) && listed > 1 && name.includes(item.shown)),
    ),
    context,
  };
}

/** Where a topic's name ends: at the first colon before a space, else 0. */
function nameEnd(text: string): number {
  const colon = text.search(/:(?=\s)|[：]/u);
  return colon < 0 || colon > 100 ? 0 : colon;
}
