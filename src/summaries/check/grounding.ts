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

/** The position of the first colon before whitespace, where a topic's name ends; else 0. */
function nameEnd(text: string): number {
  const colon = text.search(/:(?=\s)|[：]/u);
  return colon < 0 || colon > 100 ? 0 : colon;
}

/** `share` applies only to more findings than this. */
const few = 3;
/** More findings than this share of the checked items are "many". */
const share = 0.1;
/** Maximum characters of a value in a message. */
const longest = 80;

/**
 * Finds what an answer says but the sources do not: one warning per line for each number, date, identifier, path, address or name. If there are many
 * (more than 3 and more than a tenth of the checked items, or at least two and more than half), an error that refuses the answer comes first.
 * Adding sources never adds findings, and their order does not matter. Linear time.
 */
export function groundingFindings(
  answerLines: readonly NumberedLine[],
  sources: readonly string[],
): readonly AnswerFinding[] {
  const index = new SourceIndex(sources);
  const topics = new Set<string>();
  // In a German answer, capital letters carry no information.
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
      // Headings that the format requires need no check.
      if (level.length < 3) section = heading.trim().toLowerCase();
      else check(itemsOf(heading.replaceAll(tag, " "), "title"), new Set(), line);
      continue;
    }
    const text = whole.replace(refs, "").replaceAll(tag, " ").replace(mark, "");
    const colon = nameEnd(text);
    const [name, rest] = [text.slice(0, colon).trim(), text.slice(colon + 1)];
    if (section === "topics") topics.add(name.toLowerCase());
    // Topic names are the answer's own words.
    const isTopic = colon > 0 && topics.has(name.toLowerCase());
    const items = isTopic ? [...itemsOf(name, "title"), ...itemsOf(rest, place)] : itemsOf(text, place);
    // `3 fruits: apples, pears, plums`: the number counts the listed items.
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
  const message = `The ${kind} "${safe(text)}" is not in the sources, or not in the parts that this line is about.`;
  return { code: "ungrounded", severity: "warning", message, line };
}

function refusalOf(found: number, checked: number): AnswerFinding {
  const message = `${found} of the ${checked} numbers, dates, names and identifiers in the answer are not in the sources; a summary must say only what the sources say.`;
  return refusal("ungrounded", message);
}

/** Removes secrets and terminal control characters. */
function safe(text: string): string {
  return shown(text, longest).replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, " ");
}
