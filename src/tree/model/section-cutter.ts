import { Buffer } from "node:buffer";
import { readFrontMatter } from "../../base/front-matter.ts";
import { listMark, parseHeading } from "../../base/markdown.ts";
import { isPreserved, parseEntryComment, parseHeadingTopic } from "../../base/memory-type.ts";
import type { SourceLine, SourceSection } from "../../base/passage.ts";
import { isTurn } from "../../text/extract/said.ts";
import { opensRole } from "../extract/items.ts";
import { roleNamed } from "../../text/extract/verdict.ts";
import { namesNothing } from "../extract/passages.ts";
import { cleanTopicName } from "./node-sections.ts";
import { isDayTitle } from "./period.ts";

interface Opening {
  /** The heading level; 0 if there is no heading or it names no topic. */
  readonly level: number;
  readonly topic: Pick<SourceSection, "heading" | "topic" | "type" | "tagged">;
  readonly lines: number;
}

const noTopic = { heading: "", topic: "", type: "project", tagged: "untagged" } as const;
const note: Opening = { level: 0, topic: noTopic, lines: 0 };

/** A bold line counts as a heading below all other levels. */
const boldLevel = 7;

/**
 * Splits the lines in a log into sections, piece by piece, and the same way for a log and its copies. A level 1 or 2
 * heading starts a section. A deeper heading or a bold line starts one only if no heading above it names a topic. Text
 * after the end of an entry becomes a section without a heading.
 */
export class SectionCutter {
  readonly #log: string;
  #open = note;
  /** The content of the section so far: nothing, only a list, or other text. */
  #holds: "nothing" | "list" | "text" = "nothing";
  #entry: "ours" | "other" = "other";
  /** Bytes remaining in the body of one of our entries. */
  #left: number | undefined;
  #isKeyed = false;
  #isTalk = false;
  #afterBlank = true;
  #isAtStart = true;

  constructor(log: string) {
    this.#log = log;
  }

  cut(given: readonly SourceLine[]): readonly SourceSection[] {
    const rows = given.some(({ kind }) => kind === "mark") ? given.filter(({ kind }) => kind !== "mark") : given;
    const sections: SourceSection[] = [];
    let lines: SourceLine[] = [];
    const begin = (): void => {
      lines = [];
      sections.push({ ...this.#open.topic, log: this.#log, lines });
    };
    for (let index = this.#isAtStart ? frontMatterOf(rows) : 0; index < rows.length; index++) {
      const row = rows[index] as SourceLine;
      const opening = this.#openingAt(rows, index);
      if (opening !== undefined) this.#begin(opening);
      if (opening !== undefined || sections.length === 0) begin();
      const isHeading = opening !== undefined && opening.lines > 0;
      lines.push(isHeading ? { ...row, kind: "heading" } : row);
      if (isHeading) index += opening.lines - 1;
      else this.#take(row);
    }
    return sections;
  }

  #begin(opening: Opening): void {
    this.#open = opening;
    this.#holds = "nothing";
    this.#entry = "other";
    this.#left = undefined;
    this.#isKeyed = false;
    this.#isTalk = false;
    this.#afterBlank = true;
    this.#isAtStart = false;
  }

  #take({ text, kind }: SourceLine): void {
    const comment = this.#holds === "nothing" && this.#open.lines > 0 ? parseEntryComment(text) : undefined;
    if (comment !== undefined) {
      this.#entry = "ours";
      this.#left = comment.bytes;
      return;
    }
    if (this.#left !== undefined) this.#left -= Buffer.byteLength(text) + 1;
    const afterBlank = this.#afterBlank;
    this.#afterBlank = isBlank(text);
    if (this.#afterBlank || this.#isTalk) return;
    const isNew = this.#holds === "nothing" || !this.#isKeyed;
    const isItem = isNew && kind === "text" && itemStart.test(text);
    if (this.#holds === "nothing") this.#holds = isItem ? "list" : "text";
    else if (kind === "heading" || (afterBlank && introduces(text))) this.#holds = "text";
    this.#isKeyed ||= isItem && opensRole(text.replace(itemStart, ""));
    this.#isTalk ||= isTurn(text);
    this.#isAtStart = false;
  }

  #openingAt(rows: readonly SourceLine[], index: number): Opening | undefined {
    const { text, kind } = rows[index] as SourceLine;
    if (kind !== "heading" && isBlank(text)) return undefined;
    const heading = kind === "heading" ? parseHeading(text) : undefined;
    if (heading?.level === 1) return this.#titleOf(heading.text, rows, { index, lines: 1 });
    if (heading?.level === 2) return opening(2, heading.text, 1);
    const isBelow = this.#isBelow(text, kind);
    if (heading !== undefined)
      return isBelow || this.#divides(heading.level) ? opening(heading.level, heading.text, 1) : undefined;
    const isOpen = kind === "text" && (isBelow || (this.#entry === "other" && !this.#isTalk));
    return (isOpen ? this.#looseHeading(rows, index) : undefined) ?? (isBelow ? note : undefined);
  }

  #divides(level: number): boolean {
    if (this.#entry === "ours" || this.#isTalk) return false;
    return this.#open.level === 0 || (this.#open.level > 2 && level <= this.#open.level);
  }

  /**
   * A level 1 heading names a topic if it has text below it and is not the title of the day. If it comes first in the
   * log and is the only one, it is the title.
   */
  #titleOf(text: string, rows: readonly SourceLine[], at: { readonly index: number; readonly lines: number }): Opening {
    const isAlone = this.#isAtStart && !rows.slice(at.index + at.lines).some(isTitle);
    const names = !isAlone && !isDayTitle(text) && hasTextBelow(rows, at.index + at.lines);
    return names ? opening(1, text, at.lines) : { ...note, lines: at.lines };
  }

  /** Whether the entry ended before this line. Not called for level 1 and 2 headings. */
  #isBelow(text: string, kind: SourceLine["kind"]): boolean {
    if (this.#open.topic.heading === "") return false;
    if (this.#left !== undefined)
      return this.#left <= 0 && (this.#afterBlank || !(/^\s/u.test(text) || itemStart.test(text)));
    const isList = this.#holds === "list" && (this.#isKeyed || this.#open.topic.tagged === "tagged");
    return isList && this.#afterBlank && kind === "text" && !this.#isTalk && isParagraph(text) && !opensRole(text);
  }

  /** Detects underlined headings, bold lines and `##` without a space. */
  #looseHeading(rows: readonly SourceLine[], index: number): Opening | undefined {
    const { text: line } = rows[index] as SourceLine;
    if (!this.#afterBlank && !line.startsWith("##")) return undefined;
    const text = line.trim();
    const packed = /^##(?=[^#\s])(.*)$/u.exec(text)?.[1];
    if (packed !== undefined && parseHeadingTopic(packed).tagged === "tagged") return opening(2, packed, 1);
    if (!this.#afterBlank || !isTitleText(text)) return undefined;
    const below = rows[index + 1]?.kind === "text" ? underline.exec(rows[index + 1]?.text ?? "")?.[1] : undefined;
    if (below !== undefined)
      return below.startsWith("=") ? this.#titleOf(text, rows, { index, lines: 2 }) : opening(2, text, 2);
    const bold = boldLine.exec(text)?.[1]?.replace(/[:：]$/u, "");
    const isHeading =
      bold !== undefined && isTitleText(bold) && roleNamed(bold) === undefined && hasTextBelow(rows, index + 1);
    return isHeading && this.#divides(boldLevel) ? opening(boldLevel, bold, 1) : undefined;
  }
}

/** The number of front matter lines at the start of a log; some note-taking programs write them. */
function frontMatterOf(rows: readonly SourceLine[]): number {
  if (rows[0]?.number !== 1 || !rows[0].text.startsWith("---")) return 0;
  const read = readFrontMatter(rows.slice(0, longestFront).map(({ text }) => text));
  return read.state === "read" && read.front.blocks.some(({ key }) => key !== "") ? read.front.lines : 0;
}

const longestFront = 200;

function opening(level: number, text: string, lines: number): Opening {
  const { name, type, tagged } = parseHeadingTopic(text.replace(/^\\/u, ""));
  const given = isPreserved(type) ? name : undated(level > 2 ? name.replace(time, "") : name);
  const topic = { heading: text, topic: cleanTopicName(given), type, tagged };
  if (level <= 2) return { level: tagged === "untagged" && namesNothing(name) ? 0 : level, topic, lines };
  if (tagged === "tagged") return { level, topic, lines };
  if (namesNothing(name)) return { level: 0, topic: noTopic, lines };
  return { level, topic: roleNamed(given.replace(/[:：]$/u, "")) === undefined ? topic : noTopic, lines };
}

const date = String.raw`\d{4}[-./]\d{1,2}[-./]\d{1,2}\.?`;
const dated = new RegExp(String.raw`^\(?${date}\)?[\s,:–—-]+(?=\S)|[\s,:–—-]+\(?${date}\)?$`, "gu");
const time = /^\d{1,2}:\d{2}\s*[–—:-]?\s*(?=\S)/u;

/** Removes a date before or after the name in a heading, so that `2026-03-10 standup` is the same topic every day. */
function undated(name: string): string {
  return name.replaceAll(dated, "").trim();
}

const itemStart = new RegExp(String.raw`^\s*${listMark}`, "u");
function introduces(text: string): boolean {
  return /[:：]$/u.test(text.trimEnd().slice(-1));
}

const underline = /^(={3,}|-{4,})\s*$/u;
const boldLine = /^\*\*(?=\S)([^*]*[^\s*])\*\*[:：]?$/u;
const longestTitle = 80;

const mayBeBlank = /^(?:\s|$|[-*_][-*_ \t])/;

function isBlank(text: string): boolean {
  return text === "" || (mayBeBlank.test(text) && /^\s*(?:[-*_]\s*){3,}$|^\s*$/u.test(text));
}

/** Whether a line after a blank one starts a paragraph that neither continues a list nor introduces one. */
function isParagraph(text: string): boolean {
  const begins = /^[*_]{0,3}[\p{L}\p{N}\p{Emoji_Presentation}"'“„«「『（(¿¡[]/u.test(text);
  return begins && !itemStart.test(text) && !introduces(text);
}

function isTitleText(text: string): boolean {
  const begins = text.length <= longestTitle && /^[*]{0,3}[\p{L}\p{N}"“„«「『（(¿¡]/u.test(text);
  return begins && !/[.!?。！？;,，、]$/u.test(text);
}

function isTitle({ kind, text }: SourceLine): boolean {
  return kind === "heading" ? /^#(?:\s|$)/u.test(text) : kind === "text" && /^={3,}\s*$/u.test(text);
}

function hasTextBelow(rows: readonly SourceLine[], from: number): boolean {
  const next = rows.slice(from, from + 20).find(({ text }) => !isBlank(text));
  return next !== undefined && next.kind !== "heading";
}
