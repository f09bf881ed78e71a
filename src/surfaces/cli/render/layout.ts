import { stripVTControlCharacters } from "node:util";
import { pushAll } from "../../../base/lists.ts";

/** East Asian wide and full-width forms and emoji take two columns; combining marks and joiners take none. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u;
const NARROWEST = /\p{Mn}|\p{Me}|\u200C|\u200D|\uFE0F/u;
const PLAIN_ASCII = /^[\x20-\x7E]*$/;

/** How many columns the text takes on a terminal; colours take none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  if (PLAIN_ASCII.test(bare)) return bare.length;
  let width = 0;
  for (const character of bare) width += NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

/** The text with blanks up to the width. */
export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text on one line, cut to the width with `…` at its end. Only for text without colours. */
export function cutTo(text: string, width: number): string {
  const line = text.replace(/\s*\n\s*/g, " ");
  if (widthOf(line) <= width) return line;
  let kept = "";
  let used = 0;
  for (const character of line) {
    used += widthOf(character);
    if (used > width - 1) break;
    kept += character;
  }
  return `${kept.trimEnd()}…`;
}

/** The text in lines of at most the width, broken at blanks where there are some. Only for text without colours. */
export function wrapTo(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.replace(/\s*\n\s*/g, " ").split(" ")) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (widthOf(longer) <= width) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    const [first, rest] = splitAt(word, width);
    pushAll(lines, first);
    line = rest;
  }
  return line === "" ? lines : [...lines, line];
}

/** A word too long for a line, as full lines and what is left of it. */
function splitAt(word: string, width: number): readonly [readonly string[], string] {
  const full: string[] = [];
  let rest = "";
  for (const character of word) {
    if (rest !== "" && widthOf(rest + character) > width) {
      full.push(rest);
      rest = "";
    }
    rest += character;
  }
  return [full, rest];
}

/** Rows with aligned columns, two blanks between them, none at the end of a line. */
export function columns(rows: readonly (readonly string[])[], indent = "  "): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) =>
    `${indent}${row.map((cell, index) => padTo(cell, widths[index] ?? 0)).join("  ")}`.trimEnd(),
  );
}

/** The first rows, and a row that counts the others. */
export function firstOf<T>(items: readonly T[], limit: number, line: (item: T) => string): readonly string[] {
  const shown = items.slice(0, limit).map(line);
  return items.length > limit ? [...shown, `  … and ${grouped(items.length - limit)} more`] : shown;
}

/** `1 node`, `3 nodes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `12,345` in every locale. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** Bytes as a person reads them: `512 B`, `15.9 MB` (powers of 1000). */
export function bytesText(bytes: number): string {
  if (bytes < 1_000) return `${bytes} B`;
  const unit = bytes < 999_950 ? "kB" : "MB";
  return `${(bytes / (unit === "kB" ? 1e3 : 1e6)).toFixed(1)} ${unit}`;
}

/** `memory/x.md:3` or `memory/x.md:3-7`. */
export function placeOf(path: string, [from, to]: readonly [number, number]): string {
  return from === to ? `${path}:${from}` : `${path}:${from}-${to}`;
}

/** `0.4 s`, `12 ms`. */
export function durationText(ms: number): string {
  return ms < 100 ? `${Math.round(ms)} ms` : `${(ms / 1_000).toFixed(1)} s`;
}
