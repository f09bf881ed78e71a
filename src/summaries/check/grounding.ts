import type { NumberedLine } from "../../base/lines.ts";
import { shown } from "../../text/shown.ts";
import type { AnswerFinding } from "../../tree/answers/record.ts";
import { type Item, itemsOf, keysIn } from "./line-items.ts";

const tag = /\[(?:project|feedback|user|reference)(?:, ?done)?\]/giu;
const mark = /^\s*(?:[-*+•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?(?:#\d{1,9} (?:user|assistant|system|tool)\b:?\s*)?/u;
const german =
  /(?<!\p{L})(?:und|der|die|das|ist|nicht|für|mit|wird|wurde|ein|eine|einen|auf|von|zum|zur|den|dem|sind|soll|bei|am|im|durch|nach)(?!\p{L})|[äöüß]/u;

/** The items of each line of an answer. Headings and names of topics are words of the answer's own, whose capitals say nothing; nor do those of German. */
function* itemsOfAnswer(lines: readonly NumberedLine[]): Generator<{ readonly line: number } & Item> {
  const topics = new Set<string>();
  const isGerman = lines.filter(({ text }) => german.test(text)).length * 4 > lines.length;
  let section = "";
  for (const { text: whole, line } of lines) {
    const [, level = "", heading = ""] = /^ {0,3}(#{1,6})\s+(.*)$/u.exec(whole) ?? [];
    if (level !== "" && level.length < 3) section = heading.trim().toLowerCase();
    const text = (level === "" ? whole.replace(mark, "") : heading).replaceAll(tag, " ");
    const name = level === "" ? (/^[^:：]{1,100}(?=:\s|：)/u.exec(text)?.[0] ?? "") : text;
    if (section === "topics") topics.add(name.trim().toLowerCase());
    const own = topics.has(name.trim().toLowerCase()) || level !== "" ? name : "";
    const place = isGerman || german.test(text) ? "title" : "text";
    if (level === "" || level.length > 2)
      for (const item of [...itemsOf(own, "title"), ...itemsOf(text.slice(own.length), place)]) yield { ...item, line };
  }
}

/** Fewer than this are never many. */
const few = 3;
/** The share of what was checked from which on more than a few are many. */
const share = 0.1;

/**
 * What of an answer the sources do not contain: a warning for each number, date, time, identifier, path, address or name, once a line. When they are many, an
 * error comes first, which refuses the answer: more than 3 and more than a tenth of what was checked, or more than a half and at least two.
 * More sources never give more findings, and their order does not matter. Linear in the texts.
 */
export function groundingFindings(
  answerLines: readonly NumberedLine[],
  sources: readonly string[],
): readonly AnswerFinding[] {
  const known = new Set<string>();
  for (const source of sources)
    for (const line of source.split(/\r\n|[\n\r\u2028\u2029]/u)) for (const key of keysIn(line)) known.add(key);
  // A day of the sources without a year is one of any year.
  const isKnown = (key: string): boolean => known.has(key) || known.has(key.replace(/^d\d{4}/u, "d*"));
  const checked = [...new Map(Array.from(itemsOfAnswer(answerLines), (item) => [`${item.line} ${item.shown}`, item]))];
  const invented = checked.flatMap(([, item]) => (item.keys.some((all) => all.every(isKnown)) ? [] : [item]));
  const warnings = invented.map(({ kind, shown: text, line }): AnswerFinding => {
    const message = `The ${kind} "${shown(text, 80)}" is not in the sources.`;
    return { code: "ungrounded", severity: "warning", message, line };
  });
  const many =
    (warnings.length > few && warnings.length > checked.length * share) ||
    (warnings.length > 1 && warnings.length * 2 > checked.length);
  if (!many) return warnings;
  const message = `${warnings.length} of the ${checked.length} numbers, dates, names and identifiers of the answer are not in the sources; a summary says only what they say.`;
  return [{ code: "ungrounded", severity: "error", message, line: null }, ...warnings];
}
