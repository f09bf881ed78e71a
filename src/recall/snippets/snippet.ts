import { once } from "../../base/lines.ts";
import type { Mark } from "./marks.ts";

/** Columns of a snippet: letters of East Asian writing take two. */
const snippetWidth = 240;

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。！？]/u;
const letters = once(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** The part of a text (one line) with most of the marks, with «hits» and with … where it is cut, at borders of words. */
export function snippetOf(text: string, marks: readonly Mark[], width = snippetWidth): string {
  if (widthIn(text, 0, text.length) <= width) return marked(text, marks, 0, text.length);
  const [from, to] = densest(text, marks, width);
  const spare = width - widthIn(text, from, to);
  // More of what comes after: a sentence is read from its beginning.
  const start = borderFrom(text, reach(text, from, -Math.floor(spare / 3)), 1, from);
  const end = borderFrom(text, reach(text, start, width), -1, Math.max(to, start + 1));
  const [before, behind] = [start > 0 ? "…" : "", end < text.length ? "…" : ""];
  return `${before}${marked(text, marks, start, end).trim()}${behind}`;
}

/** From the first to the last of the marks that fit and say most. */
function densest(text: string, marks: readonly Mark[], width: number): readonly [number, number] {
  let best: readonly [number, number] = [0, 0];
  let most = 0;
  for (let first = 0; first < marks.length; first++) {
    const { start, end } = marks[first] as Mark;
    const seen = new Set<number>();
    let [said, to] = [0, Math.min(end, reach(text, start, width))];
    for (let last = first; last < marks.length; last++) {
      const mark = marks[last] as Mark;
      if (last > first && widthIn(text, start, mark.end) > width) break;
      for (const word of mark.words) seen.add(word);
      said += 1;
      if (last > first) to = mark.end;
    }
    const worth = seen.size * 4 + Math.min(said, 12);
    if (worth > most) [best, most] = [[start, to], worth];
  }
  return best;
}

function marked(text: string, marks: readonly Mark[], from: number, to: number): string {
  let result = "";
  let at = from;
  for (const { start, end } of marks) {
    if (end <= from || start >= to) continue;
    const [first, last] = [Math.max(start, from), Math.min(end, to)];
    result += `${text.slice(at, first)}«${text.slice(first, last)}»`;
    at = last;
  }
  return result + text.slice(at, to);
}

function widthIn(text: string, from: number, to: number): number {
  let columns = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    columns += code < 0x1100 ? 1 : code >= 0xdc00 && code <= 0xdfff ? 1 : wide.test(text.charAt(at)) ? 2 : 1;
  }
  return columns;
}

/** The place so many columns away, or the end of the text there. */
function reach(text: string, from: number, columns: number): number {
  const step = columns < 0 ? -1 : 1;
  let [at, left] = [from, Math.abs(columns)];
  while (left > 0 && at + step >= 0 && at + step <= text.length) {
    left -= widthIn(text, step < 0 ? at - 1 : at, step < 0 ? at : at + 1);
    if (left >= 0) at += step;
  }
  return at;
}

/** Letters of one word at most that are left out for a border. */
const longestWord = 32;

/** The first border of a word from the place on, in the direction of a step of 1 or -1, up to the limit; else the first place there where no letter is cut. */
function borderFrom(text: string, place: number, step: 1 | -1, limit: number): number {
  const isPast = (at: number): boolean => (at - limit) * step > 0;
  for (let at = place; !isPast(at) && Math.abs(at - place) <= longestWord; at += step)
    if (isWordBorder(text, at)) return at;
  let at = place;
  while (at > 0 && !isPast(at + step) && isWithinLetter(text, at)) at += step;
  return at;
}

function isWordBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const [before, behind] = [text.charAt(at - 1), text.charAt(at)];
  if (before === " " || behind === " ") return true;
  return (unspaced.test(before) || unspaced.test(behind)) && !isWithinLetter(text, at);
}

/** Whether the place is within what a reader sees as one letter: with its marks, a pair of flags, an emoji with its skin. */
function isWithinLetter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || Math.max(text.charCodeAt(at - 1), text.charCodeAt(at)) < firstMark) return false;
  // A few units decide, however long the text.
  const from = Math.max(0, at - longestWord);
  return (
    letters()
      .segment(text.slice(from, at + longestWord))
      .containing(at - from)?.index !==
    at - from
  );
}

/** Letters before it are never joined. */
const firstMark = 0x300;

/** Signs that a terminal would act on, that hide, or that turn text around. Joiners of emoji and of Persian and Indic writing stay. */
const hidden =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** Of ASCII what has nothing to hide. */
const printable = /^[\n\r\t -~]*$/;

/**
 * A remembered text as one line that can be shown anywhere: white space becomes one space, what is hidden or acts on a screen is taken out. The marks
 * of a hit, `«` and `»`, are kept for hits: in the text they become `‹` and `›`.
 */
export function plainText(text: string): string {
  if (printable.test(text)) return text.replaceAll(/\s{2,}|[\n\r\t]/g, " ").trim();
  return text
    .toWellFormed()
    .replaceAll(hidden, "")
    .replaceAll(/\s+/gu, " ")
    .replaceAll("«", "‹")
    .replaceAll("»", "›")
    .trim();
}

const comment = /^[ \t]*<!--[^\n]*-->[ \t]*(?:\n|$)/gmu;
const headings = /^#{1,6}[ \t][^\n]*(?:\n+|$)/gmu;
const item = /\n\s*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/gu;
const firstItem = /^\s*(?:[-*+]|\d{1,3}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/u;

/** The lines of a note as one line: without its headings, which are shown apart, and comments; `·` parts the items of a list. */
export function plainNote(text: string): string {
  const body = isOnlyHeadings(text) ? text : withoutHeadings(text);
  return plainText(body.replace(firstItem, "").replaceAll(item, " · "));
}

/** Whether a note says nothing below its headings. */
export function isOnlyHeadings(text: string): boolean {
  return withoutHeadings(text).trim() === "";
}

function withoutHeadings(text: string): string {
  return text.replaceAll(comment, "").replaceAll(headings, "");
}
