import { parseHeading } from "../../base/markdown.ts";
import type { NumberedLine } from "../../base/lines.ts";

/** The lines of an answer that count, with their 1-based lines in the answer as it came. */
export interface AnswerText {
  readonly lines: readonly NumberedLine[];
  /** The line on which front matter begins; `undefined` without any. */
  readonly frontMatter: number | undefined;
}

/** What turns text around, hides it or ends nothing: taken away. Tabs and line ends stay. */
const hidden =
  /[\u0000-\u0008\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** A text without what hides or turns text around. */
export function withoutHidden(text: string): string {
  return text.toWellFormed().replaceAll(hidden, "");
}

/**
 * An answer without what models put around it: what they thought before it (`<think>`, as Qwen3 and DeepSeek-R1 write it), a fence around the whole, and text before its
 * beginning: the first heading, or in an answer without headings the first list item.
 */
export function readAnswerText(text: string, begins: "with_heading" | "with_item"): AnswerText {
  const all = text.split(lineEnd).map((one, index): NumberedLine => ({ text: withoutHidden(one), line: index + 1 }));
  const said = withoutThoughts(all);
  const start = said.findIndex(({ text: one }) => isBeginning(one, begins));
  const before = start < 0 ? said : said.slice(0, start);
  const frontMatter = frontMatterIn(before);
  if (start < 0) return { lines: [], frontMatter };
  const fence = openFence(before);
  const body = said.slice(start);
  return { lines: fence === undefined ? body : withoutFenceEnd(body, fence), frontMatter };
}

function withoutThoughts(lines: readonly NumberedLine[]): readonly NumberedLine[] {
  const first = lines.findIndex(({ text }) => text.trim() !== "");
  if (!/^\s*<think(?:ing)?>/iu.test(lines[first]?.text ?? "")) return lines;
  const end = lines.findIndex(({ text }) => /<\/think(?:ing)?>\s*$/iu.test(text));
  return end < 0 ? [] : lines.slice(end + 1);
}

const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+\S/u;

function isBeginning(line: string, begins: "with_heading" | "with_item"): boolean {
  return parseHeading(line) !== undefined || (begins === "with_item" && item.test(line));
}

/** A first line `---`, and a second one before the answer begins. */
function frontMatterIn(before: readonly NumberedLine[]): number | undefined {
  const told = before.filter(({ text }) => text.trim() !== "" && !fenceMark.test(text));
  const isFront = told[0]?.text.trim() === "---" && told.slice(1).some(({ text }) => text.trim() === "---");
  return isFront ? told[0]?.line : undefined;
}

const fenceMark = /^\s{0,3}(`{3,}|~{3,})\s*[\w-]*\s*$/u;

/** The mark of a fence that is still open where the answer begins. */
function openFence(before: readonly NumberedLine[]): string | undefined {
  let open: string | undefined;
  for (const { text } of before) {
    const mark = fenceMark.exec(text)?.[1];
    if (mark !== undefined) open = open === undefined ? mark : undefined;
  }
  return open;
}

/** The lines up to the last mark that can end the fence around them; what stands behind it is no part of the answer. */
function withoutFenceEnd(lines: readonly NumberedLine[], fence: string): readonly NumberedLine[] {
  const end = lines.findLastIndex(({ text }) => {
    const mark = text.trim();
    return mark.length >= fence.length && mark === (fence[0] ?? "").repeat(mark.length);
  });
  return end < 0 ? lines : lines.slice(0, end);
}

/** Refs as nodes have them, at the end of a line, also when marked as found, and with a full stop behind them. */
const refs =
  /\s*\(~?\d\d-\d\d(?:-[^\s():,]+)?(?::\d{1,15}(?:-\d{1,15})?)?(?:, ~?\d\d-\d\d(?:-[^\s():,]+)?(?::\d{1,15}(?:-\d{1,15})?)?)*\)\.?\s*$/u;

/** The text of an item without its mark and without refs at its end. */
export function itemText(line: string): string | undefined {
  const match = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/su.exec(line);
  return match === null ? undefined : withoutRefs(match[1] ?? "");
}

export function withoutRefs(text: string): string {
  const flat = text.replaceAll(/\s+/gu, " ").trim();
  return flat.endsWith(")") || flat.endsWith(").") ? flat.replace(refs, "") : flat;
}
