import { once } from "../../base/lines.ts";
import type { Mark } from "./marks.ts";

/** Width of a snippet in columns. East Asian characters take two. */
const snippetWidth = 240;

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。！？]/u;
const letters = once(() => new Intl.Segmenter(undefined, { granularity: "grapheme" }));

/** The part of a one-line text with the most marks: «hits» are marked, and … shows where the text is cut, at word borders. */
export function snippetOf(text: string, marks: readonly Mark[], width = snippetWidth): string {
  if (widthIn(text, 0, text.length) <= width) return marked(text, marks, 0, text.length);
  const [from, to] = densest(text, marks, width);
  const spare = width - widthIn(text, from, to);
  // One third of the spare width goes before the marks and the rest after them.
  const start = borderFrom(text, reach(text, from, -Math.floor(spare / 3)), 1, from);
  const end = borderFrom(text, reach(text, start, width), -1, Math.max(to, start + 1));
  const [before, behind] = [start > 0 ? "…" : "", end < text.length ? "…" : ""];
  return `${before}${marked(text, marks, start, end).trim()}${behind}`;
}

/** The range of marks that fits the width and contains the most different words. */
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

/** The place this many columns away, or the end of the text in that direction. */
function reach(text: string, from: number, columns: number): number {
  const step = columns < 0 ? -1 : 1;
  let [at, left] = [from, Math.abs(columns)];
  while (left > 0 && at + step >= 0 && at + step <= text.length) {
    left -= widthIn(text, step < 0 ? at - 1 : at, step < 0 ? at : at + 1);
    if (left >= 0) at += step;
  }
  return at;
}

/** How far to look for a word border, in characters. */
const longestWord = 32;

/** The first word border from `place` in the direction of `step`, up to the limit; otherwise the first place that does not cut a letter. */
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

/** Whether the place is inside a grapheme: a letter with combining marks, a flag, an emoji with a skin tone. */
function isWithinLetter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length || Math.max(text.charCodeAt(at - 1), text.charCodeAt(at)) < firstMark) return false;
  // A short range around the place is enough.
  const from = Math.max(0, at - longestWord);
  return (
    letters()
      .segment(text.slice(from, at + longestWord))
      .containing(at - from)?.index !==
    at - from
  );
}

/** First combining mark: characters below it are never joined. */
const firstMark = 0x300;

/** Control characters, invisible characters, and characters that reverse text. Joiners in emoji and in Persian and Indic writing stay. */
const hidden =
  /[\u0000-\u0008\u000e-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu;

/** ASCII text without control characters. */
const printable = /^[\n\r\t -~]*$/;

/**
 * A remembered text as one line that is safe to show: white space becomes one space, and invisible and control characters are removed. `«` and `»` in the text
 * become `‹` and `›`, because they mark hits.
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

/** A note as one line, without comments and without headings, which are shown separately. List items are separated by `·`. */
export function plainNote(text: string): string {
  const body = isOnlyHeadings(text) ? text : withoutHeadings(text);
  return plainText(body.replace(firstItem, "").replaceAll(item, " · "));
}

/** Whether a note has no text below its headings. */
export function isOnlyHeadings(text: string): boolean {
  return withoutHeadings(text).trim() === "";
}

function withoutHeadings(text: string): string {
  return text.replaceAll(comment, "").replaceAll(headings, "");
}
