import type { NumberedLine } from "../../base/lines.ts";
import { shown } from "../../text/shown.ts";
import { type AnswerFinding, refusal } from "../../tree/answers/record.ts";
import type { Item } from "./items.ts";
import { itemsOf, mayBeGerman } from "./line-items.ts";
import { SourceIndex } from "./source-index.ts";
import { contextOf } from "./source-words.ts";

const refs = /\s\(~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?(?:, ~?[\w.-]{1,120}:\d{1,7}(?:-\d{1,7})?){0,63}\)\s*$/u;
const tag = /\[(?:project|feedback|user|reference)(?:, ?done)?\]/giu;
const mark = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?(?:#\d{1,9} (?:user|assistant|system|tool)\b:?\s*)?/u;

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
 * error comes first, which refuses the answer: more than 3 and more than a tenth of what was checked, or more than a half and at least two.
 * More sources never give more findings, and their order does not matter. Linear in the texts.
 */
export function groundingFindings(
  answerLines: readonly NumberedLine[],
  sources: readonly string[],
): readonly AnswerFinding[] {
  const index = new SourceIndex(sources);
  const topics = new Set<string>();
  // Of an answer in German capitals say nothing.
  const isGerman = answerLines.filter(({ text }) => mayBeGerman(text)).length * 4 > answerLines.length;
  const place = isGerman ? "title" : "text";
  let section = "";
  let checked = 0;
  const warnings: AnswerFinding[] = [];
  const check = (items: readonly Item[], context: ReadonlySet<string>, line: number): void => {
    for (const item of new Map(items.map((one) => [`${one.kind} ${one.shown}`, one])).values()) {
      checked += 1;
      if (!item.keys.some((key) => index.has(key, context))) warnings.push(warningOf(item, line));
    }
  };
  for (const { text: whole, line } of answerLines) {
    const [, level, heading = ""] = /^ {0,3}(#{1,6})\s+(.*)$/u.exec(whole) ?? [];
    if (level !== undefined) {
      // Headings of the format have nothing to check.
      if (level.length < 3) section = heading.trim().toLowerCase();
      else check(itemsOf(heading.replaceAll(tag, " "), "title"), new Set(), line);
      continue;
    }
    const text = whole.replace(refs, "").replaceAll(tag, " ").replace(mark, "");
    const colon = nameEnd(text);
    const [name, rest] = [text.slice(0, colon).trim(), text.slice(colon + 1)];
    if (section === "topics") topics.add(name.toLowerCase());
    // Names of topics are words of the answer's own.
    const isTopic = colon > 0 && topics.has(name.toLowerCase());
    const items = isTopic ? [...itemsOf(name, "title"), ...itemsOf(rest, place)] : itemsOf(text, place);
    // `3 fruits: apples, pears, plums` counts what it lists.
    const listed = section === "topics" || colon < 1 ? 0 : rest.split(/[,;、，]| and | und /u).length;
    const isCount = ({ kind, keys, shown: value }: Item): boolean =>
      kind === "number" && listed > 1 && keys.includes(`n${listed}`) && name.includes(value);
    check(
      items.filter((item) => !isCount(item)),
      contextOf(text.normalize("NFKC")),
      line,
    );
  }
  const many =
    (warnings.length > few && warnings.length > checked * share) ||
    (warnings.length > 1 && warnings.length * 2 > checked);
  return many ? [refusalOf(warnings.length, checked), ...warnings] : warnings;
}

function warningOf({ kind, shown: text }: Item, line: number): AnswerFinding {
  const message = `The ${kind} "${safe(text)}" is not in the sources, or not where they speak of this.`;
  return { code: "ungrounded", severity: "warning", message, line };
}

function refusalOf(found: number, checked: number): AnswerFinding {
  const message = `${found} of the ${checked} numbers, dates, names and identifiers of the answer are not in the sources; a summary says only what they say.`;
  return refusal("ungrounded", message);
}

/** Without secrets and without signs that a terminal would obey. */
function safe(text: string): string {
  return shown(text, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}
