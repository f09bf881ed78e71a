import type { NumberedLine } from "../../base/lines.ts";
import { isPreserved, topicKey } from "../../base/memory-type.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { shown } from "../../base/shown.ts";
import { parseTaggedTopic } from "../../base/standing.ts";
import { itemText, withoutRefs } from "./answer-text.ts";
import type { AnswerFinding, SummaryRequest } from "./request.ts";
import { hasWord } from "./item-words.ts";
import { keptTitle, titlesOf } from "./sections.ts";

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

  read(line: NumberedLine, kind: "text" | "heading" | "fence" | "code"): void {
    if (kind === "heading") this.#readHeading(line);
    else if (this.#place === "entry") return;
    else if (kind === "text") this.#readText(line);
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
