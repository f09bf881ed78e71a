import type { NumberedLine } from "../../base/lines.ts";
import { type LineKind, parseHeading, scanLines } from "../../base/markdown.ts";
import { isPreserved, topicKey, parseTaggedTopic } from "../../base/memory-type.ts";
import { shown } from "../../text/shown.ts";
import { hasWord } from "./item-checks.ts";
import { type AnswerFinding } from "../../tree/answers/record.ts";
import { keptTitle, type SummaryRequest, titlesOf } from "./request.ts";

/** The lines of an answer that count, with their 1-based lines in the answer as it came. */
interface AnswerText {
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
function itemText(line: string): string | undefined {
  const match = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/su.exec(line);
  return match === null ? undefined : withoutRefs(match[1] ?? "");
}

function withoutRefs(text: string): string {
  const flat = text.replaceAll(/\s+/gu, " ").trim();
  return flat.endsWith(")") || flat.endsWith(").") ? flat.replace(refs, "") : flat;
}

/** An answer taken apart. */
export interface Outline {
  /** Headings as the format has them, and items without refs; an item without a letter or digit is none. */
  readonly lines: readonly NumberedLine[];
  /** How many items each section has. */
  readonly items: ReadonlyMap<string, number>;
  /** Keys of the entries that were named. */
  readonly named: ReadonlySet<string>;
  /** The lines that count for its size: all but the words below the headings of entries. */
  readonly counted: readonly string[];
  readonly findings: readonly AnswerFinding[];
}

/** What makes two entries the same. */
export function entryKey(entry: { readonly topic: string; readonly type: string }): string {
  return `${entry.type} ${topicKey(entry.topic)}`;
}

/** Reads the lines of an answer section by section. Linear. */
export function outlineOf(lines: readonly NumberedLine[], request: SummaryRequest): Outline {
  const reader = new OutlineReader(request);
  const kinds = scanLines(lines.map(({ text }) => text)).lines;
  lines.forEach((line, index) => reader.read(line, kinds[index]?.kind ?? "text"));
  return reader.outline();
}

const tooMany = 20;

class OutlineReader {
  readonly #titles: readonly string[];
  readonly #title: string | undefined;
  readonly #entries: ReadonlyMap<string, string>;
  readonly #lines: NumberedLine[] = [];
  readonly #named = new Set<string>();
  readonly #counted: string[] = [];
  readonly #findings: AnswerFinding[] = [];
  #section = "";
  #headings = 0;
  /** Whether the words of an entry stand here, which do not count. */
  #place: "section" | "entry" = "section";
  #before: "item" | "other" = "other";

  constructor({ kind, mustKeep }: SummaryRequest) {
    this.#titles = titlesOf(kind);
    this.#title = kind === "weekly" ? "weekly summary" : kind === "monthly" ? "monthly summary" : undefined;
    this.#entries = new Map(mustKeep.map((entry) => [entryKey(entry), entry.topic]));
  }

  read(line: NumberedLine, kind: LineKind): void {
    if (kind === "heading") this.#readHeading(line);
    else if (this.#place === "entry") return;
    else if (kind === "text" || kind === "mark") this.#readText(line);
    else if (kind === "fence")
      this.#refuse("markup", line, "is a code fence inside the answer; an answer holds headings and list items only");
    if (kind !== "heading") this.#counted.push(line.text);
  }

  outline(): Outline {
    // An item may get its words from the lines that go on with it.
    const lines = this.#lines.filter(({ text }) => !text.startsWith("- ") || hasWord(text));
    return {
      lines,
      items: itemsOf(lines),
      named: this.#named,
      counted: this.#counted,
      findings: this.#findings,
    };
  }

  #readHeading(line: NumberedLine): void {
    const heading = parseHeading(line.text);
    if (heading === undefined) return;
    const { level, text } = heading;
    this.#before = "other";
    const name = plainHeading(text);
    const title = level === 2 ? this.#titles.find((one) => one.toLowerCase() === name) : undefined;
    if (title !== undefined) {
      this.#headings += 1;
      this.#section = title;
      this.#place = "section";
      this.#counted.push(line.text);
      this.#lines.push({ text: `## ${title}`, line: line.line });
    } else if (this.#section === keptTitle && level >= 3) this.#readEntry(line, { level, text });
    else if (level === 1 && this.#headings === 0 && this.#title !== undefined && name.startsWith(this.#title))
      this.#headings += 1;
    else this.#refuse("heading", line, `is no heading of this summary; ${allowed(this.#titles)}`);
  }

  /** A heading below the section of entries: of one, or a part of the words of one. */
  #readEntry(line: NumberedLine, { level, text }: { readonly level: number; readonly text: string }): void {
    const { name, type, tagged } = parseTaggedTopic(text.replaceAll("**", ""));
    const keys =
      tagged === "tagged"
        ? [entryKey({ topic: name, type })]
        : ["user", "feedback"].map((one) => entryKey({ topic: name, type: one }));
    const known = keys.filter((key) => this.#entries.has(key));
    for (const key of known) this.#named.add(key);
    const isEntry = level === 3 && (known.length > 0 || (tagged === "tagged" && isPreserved(type)));
    if (isEntry || this.#place === "section") this.#counted.push(line.text);
    if (known.length > 0) this.#lines.push({ text: `### ${text}`, line: line.line });
    else if (isEntry || this.#place === "section")
      this.#warn("heading", line, "names an entry that is none of must_keep; it is left out");
    this.#place = "entry";
  }

  #readText(line: NumberedLine): void {
    const text = line.text;
    if (text.trim() === "") return;
    const markup = markupIn(text);
    if (markup !== undefined)
      this.#refuse("markup", line, `holds ${markup}; an answer holds headings and list items only`);
    const item = itemText(text);
    const last = this.#lines.at(-1);
    if (item !== undefined && item !== "") this.#addItem({ text: `- ${item}`, line: line.line });
    else if (/^\s/u.test(text) && this.#before === "item" && last !== undefined)
      this.#lines[this.#lines.length - 1] = { ...last, text: withoutRefs(`${last.text} ${text.trim()}`) };
    else this.#before = "other";
  }

  #addItem(line: NumberedLine): void {
    if (this.#section === "" && this.#titles.length > 0) return;
    this.#before = "item";
    this.#lines.push(line);
  }

  #refuse(code: "heading" | "markup", line: NumberedLine, why: string): void {
    this.#find({ code, severity: "error", message: sentence(line, why), line: line.line });
  }

  #warn(code: "heading", line: NumberedLine, why: string): void {
    this.#find({ code, severity: "warning", message: sentence(line, why), line: line.line });
  }

  #find(finding: AnswerFinding): void {
    if (this.#findings.filter(({ code }) => code === finding.code).length < tooMany) this.#findings.push(finding);
  }
}

/** Of an answer without sections all are of the section with the empty name. */
function itemsOf(lines: readonly NumberedLine[]): ReadonlyMap<string, number> {
  const items = new Map<string, number>();
  let section = "";
  for (const { text } of lines)
    if (text.startsWith("- ")) items.set(section, (items.get(section) ?? 0) + 1);
    else if (text.startsWith("## ")) section = text.slice(3);
  return items;
}

function sentence(line: NumberedLine, why: string): string {
  return `Line ${line.line}, "${shown(line.text.trim(), 80)}", ${why}.`;
}

function allowed(titles: readonly string[]): string {
  return titles.length === 0
    ? "a summary of a thread has list items only"
    : `allowed are ${titles.map((title) => `## ${title}`).join(", ")}`;
}

/** A heading without marks of emphasis, what stands in brackets behind it and a colon at its end, in lower case. */
function plainHeading(text: string): string {
  return text
    .replaceAll(/\*\*|__|`/gu, "")
    .replace(/\s*\([^()]*\)\s*$/u, "")
    .replace(/[\s:：]+$/u, "")
    .toLowerCase();
}

const htmlBlock = /^\s*(?:(?:[-*+]|\d{1,3}[.)])\s+)?<(?:\/?[a-z][a-z0-9-]*(?:[\s/>]|$)|[!?])/iu;
const place = /\{\d+\+\d+=[^}]*\}/u;

function markupIn(text: string): string | undefined {
  if (text.includes("<!--") || text.includes("-->")) return "a comment";
  if (htmlBlock.test(text)) return "HTML";
  if (place.test(text)) return "a mark of places such as {1+2=log:3}";
  return /^\s*(?:[-*+]\s+)?(?:`{3,}|~{3,})/u.test(text) ? "a code fence" : undefined;
}
