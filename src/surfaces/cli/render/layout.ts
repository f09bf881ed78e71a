import { styleText, stripVTControlCharacters } from "node:util";
import { pushAll } from "../../../base/lists.ts";
import type { SinkLook } from "../terminal.ts";

export interface Screen {
  readonly columns: number;
  readonly paint: Paint;
  /** The input of the operation; empty if it does not matter. */
  readonly input: Readonly<Record<string, unknown>>;
}

export interface View extends SinkLook {
  readonly input?: Readonly<Record<string, unknown>>;
}

/** Colors by meaning; without colors, each returns the text unchanged. */
export interface Paint {
  title(text: string): string;
  dim(text: string): string;
  good(text: string): string;
  warn(text: string): string;
  bad(text: string): string;
  /** A matching word; without colors, `«word»`. */
  hit(text: string): string;
}

/** Cuts nothing in a pipe, since a program or pager may need the whole line. */
export function screenOf({ kind, columns, colours, input = {} }: View): Screen {
  const width = kind === "terminal" ? columns : Number.POSITIVE_INFINITY;
  return { columns: width, paint: colours === "on" ? COLOURED : PLAIN, input };
}

const PLAIN: Paint = {
  title: (text) => text,
  dim: (text) => text,
  good: (text) => text,
  warn: (text) => text,
  bad: (text) => text,
  hit: (text) => `«${text}»`,
};

const COLOURED: Paint = {
  title: painter("bold"),
  dim: painter("dim"),
  good: painter("green"),
  warn: painter("yellow"),
  bad: painter("red"),
  hit: painter("bold"),
};

function painter(format: Parameters<typeof styleText>[0]): (text: string) => string {
  return (text) => styleText(format, text, { validateStream: false });
}

/** East Asian wide and full-width forms and emoji take two columns; combining marks and joiners take none. */
const WIDE =
  /[\u1100-\u115F\u2E80-\u303E\u3041-\uA4CF\uA960-\uA97F\uAC00-\uD7A3\uF900-\uFAFF\uFE30-\uFE6F\uFF01-\uFF60\uFFE0-\uFFE6]|\p{Emoji_Presentation}|[\u{20000}-\u{3FFFD}]/u;
const NARROWEST = /\p{Mn}|\p{Me}|\u200C|\u200D|\uFE0F/u;
const PLAIN_ASCII = /^[\x20-\x7E]*$/;

/** Columns the text takes up on a terminal; colors take up none. */
export function widthOf(text: string): number {
  const bare = stripVTControlCharacters(text);
  if (PLAIN_ASCII.test(bare)) return bare.length;
  let width = 0;
  for (const character of bare) width += NARROWEST.test(character) ? 0 : WIDE.test(character) ? 2 : 1;
  return width;
}

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - widthOf(text)));
}

/** The text on one line, cut to the width with a trailing `…`. Only for text without colors. */
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

/** The text wrapped to the width, at spaces if possible. Only for text without colors. */
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

/** Splits a word too long for a line into full lines and the rest. */
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

/** Rows with aligned columns, two spaces apart, without trailing spaces. */
export function aligned(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows) {
    row.forEach((cell, index) => {
      widths[index] = Math.max(widths[index] ?? 0, widthOf(cell));
    });
  }
  return rows.map((row) => `  ${row.map((cell, index) => padTo(cell, widths[index] ?? 0)).join("  ")}`.trimEnd());
}

/** Aligned rows if they all fit the width; otherwise each first cell on its own line, with the rest below it. */
export function stackedRows(cells: readonly (readonly string[])[], columns: number): readonly (readonly string[])[] {
  const rows = aligned(cells);
  if (rows.every((row) => widthOf(row) <= columns)) return rows.map((row) => [row]);
  return cells.map(([first = "", ...more]) => [`  ${first}`, `    ${more.filter((cell) => cell !== "").join(", ")}`]);
}

export function paragraphs(parts: readonly (readonly string[])[]): string {
  return parts
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n"))
    .join("\n\n");
}

export function nextLines(command: string, paint: Paint): readonly string[] {
  return command === "" ? [] : [`Next: ${paint.title(command)}`];
}

export function severityText(severity: string, paint: Paint): string {
  if (severity === "error" || severity === "high") return paint.bad(severity);
  return severity === "warning" || severity === "medium" ? paint.warn(severity) : paint.dim(severity);
}

/** The first rows, then a line that counts the rest. `hint`: the option that shows them. */
export function firstOf(rows: readonly string[], limit: number, hint?: string): readonly string[] {
  return [...rows.slice(0, limit), ...moreLine(rows.length - limit, hint)];
}

/** A line that counts what is not shown; empty if everything is. */
export function moreLine(count: number, hint?: string): readonly string[] {
  return count > 0 ? [`  … and ${grouped(count)} more${hint === undefined ? "" : ` (${hint})`}`] : [];
}

/** `1 node`, `3 nodes`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${grouped(count)} ${count === 1 ? one : many}`;
}

/** `12,345` in every locale. */
export function grouped(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}

/** `512 B`, `15.9 MB` (powers of 1000). */
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
