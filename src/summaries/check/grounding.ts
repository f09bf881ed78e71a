import { shown } from "../../text/shown.ts";
import type { AnswerFinding } from "../../tree/answers/record.ts";
import type { Item } from "./items.ts";
import { itemsOf, mayBeGerman } from "./line-items.ts";
import { SourceIndex } from "./source-index.ts";
import { contextOf } from "./source-words.ts";

/** A line of an answer. */
interface AnswerLine {
  readonly text: string;
  /** 1-based. */
  readonly line: number;
}

/** What of a line is checked, and what it speaks of. */
interface CheckedLine {
  readonly line: number;
  readonly items: readonly Item[];
  readonly context: ReadonlySet<string>;
}

const refs = /\s\(~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?(?:, ~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?){0,63}\)\s*$/u;
const tag = /\[(?:project|feedback|user|reference)(?:, ?done)?\]/giu;
const mark = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?(?:#\d{1,9} (?:user|assistant|system|tool)\b:?\s*)?/u;

/** The lines of an answer: headings of the format have nothing to check; names of topics are words of the answer's own. */
function* checkedLines(lines: readonly AnswerLine[]): Generator<CheckedLine> {
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

/** Fewer than this are never many. */
const few = 3;
/** The share of what was checked from which on more than a few are many. */
const share = 0.1;
/** Characters of a value in a message. */
const longest = 80;

/**
 * What of an answer the sources do not contain: a warning for each number, date, identifier, path, address or name, once a line. When they are many, an
 * error stands first, which refuses the answer: more than 3 and more than a tenth of what was checked, or more than a half and at least two.
 * More sources never give more findings, and their order does not matter. Linear in the texts.
 */
export function groundingFindings(
  answerLines: readonly AnswerLine[],
  sources: readonly string[],
): readonly AnswerFinding[] {
  const index = new SourceIndex(sources);
  let checked = 0;
  const warnings: AnswerFinding[] = [];
  for (const { items, line, context } of checkedLines(answerLines)) {
    const seen = new Set<string>();
    for (const item of items) {
      const value = `${item.kind} ${item.shown}`;
      if (seen.has(value)) continue;
      seen.add(value);
      checked += 1;
      if (!isGrounded(item, index, context)) warnings.push(warningOf(item, line));
    }
  }
  const many =
    (warnings.length > few && warnings.length > checked * share) ||
    (warnings.length > 1 && warnings.length * 2 > checked);
  return many ? [refusal(warnings.length, checked), ...warnings] : warnings;
}

function isGrounded(item: Item, index: SourceIndex, context: ReadonlySet<string>): boolean {
  const { keys, kind, shown: text } = item;
  if (kind === "path" || kind === "address")
    return (
      keys.some((key) => index.keys.has(key)) || (keys.length === 0 ? index.hasSegments(text) : index.hasCode(text))
    );
  if (kind === "identifier")
    return index.hasCode(text) || keys.some((key) => key.startsWith("w") && index.text.hasName(key.slice(1)));
  if (kind === "number")
    return (
      keys.some((key) => index.hasNumber(key, context, isOrdinary(key) ? "near" : "anywhere")) ||
      isDayOfMonth(text, index)
    );
  if (kind === "date") return keys.some((key) => index.hasDate(key, context));
  if (kind === "quote") return keys.some((key) => index.text.hasQuote(key.slice(1)));
  if (kind === "version")
    return keys.some((key) => index.keys.has(key) || index.hasNumber(`n${Number(key.slice(1))}`, context, "anywhere"));
  if (kind === "name") return keys.some((key) => index.keys.has(key) || isNamed(key, index));
  return keys.some((key) => index.keys.has(key));
}

function isNamed(key: string, index: SourceIndex): boolean {
  const name = key.slice(1);
  if (key.startsWith("w")) return index.text.hasName(name);
  if (key.startsWith("k")) return index.text.hasKatakana(name);
  return key.startsWith("h") ? index.text.hasCharacters(name) : index.hasCode(name);
}

/** Whether a number is so common that it says something only beside the words that it belongs to. */
function isOrdinary(key: string): boolean {
  const value = Number(key.slice(1));
  return Number.isInteger(value) && value < 1000;
}

/** `the 15th`, `15日` of a date that the sources tell in full. */
function isDayOfMonth(text: string, index: SourceIndex): boolean {
  const day = /^(\d{1,2})\s?(?:st|nd|rd|th|日|일|号)$/u.exec(text)?.[1];
  return day !== undefined && index.hasDayOfMonth(Number(day));
}

function warningOf({ kind, shown: text }: Item, line: number): AnswerFinding {
  const message = `The ${kind} "${safe(text)}" is not in the sources, or not where they speak of this.`;
  return { code: "ungrounded", severity: "warning", message, line };
}

function refusal(found: number, checked: number): AnswerFinding {
  const message = `${found} of the ${checked} numbers, dates, names and identifiers of the answer are not in the sources; a summary says only what they say.`;
  return { code: "ungrounded", severity: "error", message, line: null };
}

/** Without secrets and without signs that a terminal would obey. */
function safe(text: string): string {
  return shown(text, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}
