import type { NumberedLine } from "../../base/lines.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { isPreserved, parseTaggedTopic, topicKey } from "../../base/memory-type.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { shown } from "../../text/shown.ts";
import type { AnswerFinding } from "../../tree/answers/record.ts";
import { hasWord } from "./item-checks.ts";
import { keptTitle, type SummaryRequest, titlesOf } from "./request.ts";

/** Characters that reverse or hide text or have no visible effect, except tabs and line breaks. */
const hidden =
  /[\u0000-\u0008\u000e-\u001f\u007f\u0080-\u0084\u0086-\u009f\u202a-\u202e\u2060-\u2069\ufeff\ufff9-\ufffb]/gu;
export const lineEnd = /\r\n|[\n\r\v\f\u0085\u2028\u2029]/u;

/** Removes characters that hide or reverse text. */
export function withoutHidden(text: string): string {
  return text.toWellFormed().replaceAll(hidden, "");
}

/**
 * Where an answer begins after the model's reasoning in `<think>…</think>` blocks, as written by Qwen3 and DeepSeek-R1. The first opening tag may
 * be missing if it was in the server's prompt. Tags within the answer are left alone, because the answer may be about them.
 */
export function endOfThoughts(text: string): number {
  for (let end = 0; ;) {
    const rest = text.slice(end);
    const begins = /^\s*<think(?:ing)?>/iu.test(rest);
    const close = /<\/think(?:ing)?>/iu.exec(rest);
    if (close === null) return begins ? text.length : end;
    const to = close.index + close[0].length;
    const isOurs =
      begins || (!/<think(?:ing)?>/iu.test(rest.slice(0, to)) && /^[^\S\n]*(?:\n|$)/u.test(rest.slice(to)));
    if (!isOurs) return end;
    end += to;
  }
}

const itemMark = String.raw`(?:[-*+]|\d{1,3}[.)])`;
const item = new RegExp(String.raw`^\s*${itemMark}\s+(\S.*)$`, "su");

/**
 * The relevant lines in an answer, with their 1-based line numbers in the original. Omits what models add around it: reasoning, a fence around the
 * whole answer, and text before the first heading (or, in an answer without headings, the first list item). `frontMatter`: the line where front matter
 * begins; `undefined` if there is none.
 */
export function readAnswerText(
  text: string,
  begins: "with_heading" | "with_item",
): { readonly lines: readonly NumberedLine[]; readonly frontMatter: number | undefined } {
  const thought = endOfThoughts(text);
  const first = text.slice(0, thought).split(lineEnd).length;
  const lines = text.slice(thought).split(lineEnd);
  const said = lines.map((one, at): NumberedLine => ({ text: withoutHidden(one), line: first + at }));
  const isBeginning = (line: string): boolean =>
    parseHeading(line) !== undefined || (begins === "with_item" && item.test(line));
  const start = said.findIndex((line) => isBeginning(line.text));
  const before = start < 0 ? said : said.slice(0, start);
  // Front matter: a first line `---`, and a second one before the answer begins.
  const [opening, ...others] = before.filter((line) => line.text.trim() !== "" && !fenceMark.test(line.text));
  const isRule = (line: NumberedLine | undefined): boolean => line?.text.trim() === "---";
  const frontMatter = isRule(opening) && others.some(isRule) ? opening?.line : undefined;
  if (start < 0) return { lines: [], frontMatter };
  // A fence that is open when the answer begins ends at the last matching fence mark.
  const fence = before.filter((line) => fenceMark.test(line.text));
  const [, mark] = fence.length % 2 === 0 ? [] : (fenceMark.exec(fence.at(-1)?.text ?? "") ?? []);
  const end = mark === undefined ? -1 : said.findLastIndex((line, at) => at > start && line.text.trim() === mark);
  return { lines: said.slice(start, end < 0 ? undefined : end), frontMatter };
}

const fenceMark = /^\s{0,3}(`{3,}|~{3,})\s*[\w-]*\s*$/u;

/** Removes refs in the node format, even if followed by a period. */
function withoutRefs(text: string): string {
  const flat = text.replaceAll(/\s+/gu, " ").trim();
  const { text: said, refs } = parseRefSuffix(flat.replace(/\)\.$/u, ")"), "2000-01-01");
  return refs.length > 0 ? said.trimEnd() : flat;
}

export function entryKey(entry: { readonly topic: string; readonly type: string }): string {
  return `${entry.type} ${topicKey(entry.topic)}`;
}

export interface Outline {
  /** Headings as the format spells them, and items without refs. Items without a letter or digit are dropped. */
  readonly lines: readonly NumberedLine[];
  /** Names of the sections with items; the empty string for an answer without sections. */
  readonly filled: ReadonlySet<string>;
  readonly named: ReadonlySet<string>;
  /** The lines that count toward the answer's size: all but the text below entry headings. */
  readonly counted: readonly string[];
  readonly findings: readonly AnswerFinding[];
}

/** Maximum findings reported individually per code. */
const mostOfCode = 20;

/** Reads the lines in an answer section by section. Linear time. */
export function outlineOf(lines: readonly NumberedLine[], { kind, mustKeep }: SummaryRequest): Outline {
  const titles = titlesOf(kind);
  const entries = new Set(mustKeep.map(entryKey));
  const kept: NumberedLine[] = [];
  const named = new Set<string>();
  const counted: string[] = [];
  const findings: AnswerFinding[] = [];
  let section = "";
  let headings = 0;
  /** Text within an entry does not count toward the size. */
  let place: "section" | "entry" = "section";
  let before: "item" | "other" = "other";

  const find = (code: "heading" | "markup", { line, text }: NumberedLine, why: string): void => {
    if (findings.filter((finding) => finding.code === code).length >= mostOfCode) return;
    const message = `Line ${line}, "${shown(text.trim(), 80)}", ${why}.`;
    findings.push({ code, severity: why === strangeEntry ? "warning" : "error", message, line });
  };

  const readHeading = (line: NumberedLine): void => {
    const heading = parseHeading(line.text);
    if (heading === undefined) return;
    const { level, text } = heading;
    before = "other";
    const name = plainHeading(text);
    const title = level === 2 ? titles.find((one) => one.toLowerCase() === name) : undefined;
    const isWhole = (kind === "weekly" || kind === "monthly") && name.startsWith(`${kind} summary`);
    if (title !== undefined) {
      headings += 1;
      section = title;
      place = "section";
      counted.push(line.text);
      kept.push({ text: `## ${title}`, line: line.line });
    } else if (section === keptTitle && level >= 3) readEntry(line, level, text);
    else if (level === 1 && headings === 0 && isWhole) headings += 1;
    else find("heading", line, `is not a heading of this summary; ${allowed(titles)}`);
  };

  /** A heading in the section of entries: either an entry's own, or one within its text. */
  const readEntry = (line: NumberedLine, level: number, text: string): void => {
    const { name: topic, type, tagged } = parseTaggedTopic(text.replaceAll("**", ""));
    const types = tagged === "tagged" ? [type] : ["user", "feedback"];
    const known = types.map((one) => entryKey({ topic, type: one })).filter((key) => entries.has(key));
    for (const key of known) named.add(key);
    const isEntry = level === 3 && (known.length > 0 || (tagged === "tagged" && isPreserved(type)));
    const isCounted = isEntry || place === "section";
    if (isCounted) counted.push(line.text);
    if (known.length > 0) kept.push({ text: `### ${text}`, line: line.line });
    else if (isCounted) find("heading", line, strangeEntry);
    place = "entry";
  };

  const readText = (line: NumberedLine): void => {
    const { text } = line;
    if (text.trim() === "") return;
    const markup = markupIn(text);
    if (markup !== undefined) find("markup", line, `contains ${markup}; ${onlyItems}`);
    const said = withoutRefs(item.exec(text)?.[1] ?? "");
    const last = kept.at(-1);
    if (said !== "") {
      if (section === "" && titles.length > 0) return;
      before = "item";
      kept.push({ text: `- ${said}`, line: line.line });
    } else if (/^\s/u.test(text) && before === "item" && last !== undefined)
      kept[kept.length - 1] = { ...last, text: withoutRefs(`${last.text} ${text.trim()}`) };
    else before = "other";
  };

  const kinds = scanLines(lines.map(({ text }) => text)).lines;
  for (const [index, line] of lines.entries()) {
    const is = kinds[index]?.kind ?? "text";
    if (is === "heading") readHeading(line);
    else if (place === "section") {
      if (is === "text" || is === "mark") readText(line);
      else if (is === "fence") find("markup", line, `is a code fence inside the answer; ${onlyItems}`);
      counted.push(line.text);
    }
  }
  // An item's words may be on its continuation lines.
  const worded = kept.filter(({ text }) => !text.startsWith("- ") || hasWord(text));
  const filled = new Set<string>();
  let current = "";
  for (const { text } of worded)
    if (text.startsWith("## ")) current = text.slice(3);
    else if (text.startsWith("- ")) filled.add(current);
  return { lines: worded, filled, named, counted, findings };
}

const strangeEntry = "is an entry that is not in must_keep; it is omitted";
const onlyItems = "an answer may contain only headings and list items";

function allowed(titles: readonly string[]): string {
  if (titles.length === 0) return "a summary of a thread may contain only list items";
  return `the allowed headings are ${titles.map((title) => `## ${title}`).join(", ")}`;
}

/** A heading in lowercase, without emphasis, a trailing remark in brackets or a trailing colon. */
function plainHeading(text: string): string {
  return text
    .replaceAll(/\*\*|__|`/gu, "")
    .replace(/\s*\([^()]*\)\s*$/u, "")
    .replace(/[\s:：]+$/u, "")
    .toLowerCase();
}

const htmlBlock = new RegExp(String.raw`^\s*(?:${itemMark}\s+)?<(?:\/?[a-z][a-z0-9-]*(?:[\s/>]|$)|[!?])`, "iu");

function markupIn(text: string): string | undefined {
  if (text.includes("<!--") || text.includes("-->")) return "a comment";
  if (htmlBlock.test(text)) return "HTML";
  if (/\{\d+\+\d+=[^}]*\}/u.test(text)) return "a mark of places such as {1+2=log:3}";
  return /^\s*(?:[-*+]\s+)?(?:`{3,}|~{3,})/u.test(text) ? "a code fence" : undefined;
}
