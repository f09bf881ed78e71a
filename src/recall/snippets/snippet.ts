import type { Mark } from "./marks.ts";

/** Columns of a snippet: letters of East Asian writing take two. */
const snippetWidth = 240;

const wide =
  /[\u1100-\u115F\u2E80-\uA4CF\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\u{1F300}-\u{1FAFF}\u{20000}-\u{3FFFD}]/u;
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}、。！？]/u;
/** What belongs to the letter before it: marks, joiners, the skin of an emoji, the later half of a letter. */
const goesWithBefore = /^(?:\p{M}|[\u200c\u200d]|[\ufe0e\ufe0f]|[\u1160-\u11ff]|\p{Emoji_Modifier})/u;
const regional = /^[\u{1f1e6}-\u{1f1ff}]/u;

/** The part of a text (one line) that holds most of the marks, with «hits» and with … where it is cut, at borders of words. */
export function snippetOf(text: string, marks: readonly Mark[], width = snippetWidth): string {
  if (widthIn(text, 0, text.length) <= width) return marked(text, marks, 0, text.length);
  const [from, to] = densest(text, marks, width);
  const spare = width - widthIn(text, from, to);
  // More of what comes behind: a sentence is read from its beginning.
  const start = borderBehind(text, reach(text, from, -Math.floor(spare / 3)), from);
  const end = borderBefore(text, reach(text, start, width), Math.max(to, start + 1));
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

/** The first border of a word at or behind the place, before the limit; else the first place where no letter is cut. */
function borderBehind(text: string, place: number, limit: number): number {
  for (let at = place; at <= Math.min(limit, place + longestWord); at++) if (isWordBorder(text, at)) return at;
  let at = place;
  while (at < limit && isWithinLetter(text, at)) at += 1;
  return Math.min(at, limit);
}

function borderBefore(text: string, place: number, limit: number): number {
  for (let at = place; at >= Math.max(limit, place - longestWord); at--) if (isWordBorder(text, at)) return at;
  let at = place;
  while (at > 0 && isWithinLetter(text, at)) at -= 1;
  return at;
}

function isWordBorder(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return true;
  const [before, behind] = [text.charAt(at - 1), text.charAt(at)];
  if (before === " " || behind === " ") return true;
  return (unspaced.test(before) || unspaced.test(behind)) && !isWithinLetter(text, at);
}

function isWithinLetter(text: string, at: number): boolean {
  if (at <= 0 || at >= text.length) return false;
  const behind = text.slice(at, at + 2);
  const before = text.slice(Math.max(0, at - 2), at);
  return (
    goesWithBefore.test(behind) ||
    before.endsWith("\u200d") ||
    isSurrogatePair(text, at) ||
    (regional.test(behind) && regional.test(before))
  );
}

function isSurrogatePair(text: string, at: number): boolean {
  return (text.charCodeAt(at - 1) & 0xfc00) === 0xd800 && (text.charCodeAt(at) & 0xfc00) === 0xdc00;
}

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

/** The lines of a note as one line: without its headings, which are told apart, and comments; `·` parts the items of a list. */
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
