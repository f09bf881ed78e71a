import { redact } from "../base/redact/index.ts";
import { rootSections, type RootSection } from "./root-format.ts";

/** One line of an answer about ROOT.md. */
export interface RootAnswerItem {
  readonly section: RootSection;
  /** Plain text on one line, without the mark of the item. */
  readonly text: string;
}

/** Lines of an answer that count, and characters (UTF-16 units) of one. */
export const mostRootItems = 120;
export const longestRootItem = 240;

/** The list items of an answer below the headings of the first three sections, in the order of the sections. What is anything else counts as nothing. */
export function readRootAnswer(lines: readonly string[]): readonly RootAnswerItem[] {
  const items: RootAnswerItem[] = [];
  let section: RootSection | undefined;
  for (const line of lines) {
    const heading = /^#{1,6}\s+(.*)$/u.exec(line)?.[1];
    if (heading !== undefined) section = sectionOf(heading);
    const item = /^\s*(?:[-*+]|\d{1,3}[.)])\s+(.*)$/u.exec(line)?.[1];
    if (item === undefined || section === undefined) continue;
    const text = plainText(item);
    if (text !== "" && items.length < mostRootItems) items.push({ section, text });
  }
  return rootSections.flatMap((one) => items.filter((item) => item.section === one));
}

/** What `readRootAnswer` reads, as it is kept in a record. */
export function printRootAnswer(items: readonly RootAnswerItem[]): readonly string[] {
  return rootSections.flatMap((section) => {
    const own = items.filter((item) => item.section === section);
    return own.length === 0 ? [] : [`## ${section}`, ...own.map(({ text }) => `- ${text}`)];
  });
}

/** The section that a heading names, also without what stands behind its name in brackets; never the index. */
function sectionOf(heading: string): RootSection | undefined {
  const name = nameOf(heading);
  return rootSections.find((section) => section !== "Topics Index" && nameOf(section) === name);
}

function nameOf(heading: string): string {
  return heading
    .replace(/\s*[([].*$/u, "")
    .replace(/[\s:#*]+$/u, "")
    .toLowerCase();
}

/** What turns text around, hides it or ends a line. */
const hidden = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb]/gu;
/** Our tags of a type, and the place marks of ours. */
const tag = /\s*\[(?:project|user|feedback|reference)(?:,[^\]]*)?\]/giu;
const place = /\{\d+\+\d+=[^}]*\}/gu;

/** One line of plain text; empty when nothing is left of it, or when it hides marks within marks. */
function plainText(item: string): string {
  let text = item.slice(0, mostRead);
  for (let round = 0; round < mostRounds; round++) {
    const next = plainer(text);
    if (next === text) return text;
    text = next;
  }
  return "";
}

const mostRead = 4000;
const mostRounds = 8;

/** Without secrets, marks of Markdown's blocks or of ours, and what hides text; bounded. */
function plainer(item: string): string {
  const flat = item.toWellFormed().replaceAll(hidden, " ");
  const inert = [tag, place, /<!--|-->/gu, /[`~]{3,}/gu].reduce((text, mark) => text.replaceAll(mark, ""), flat);
  const text = inert.replaceAll(/\s+/gu, " ").trim();
  const bare = text.replace(/^(?:(?:#{1,6}|[-*+>]|\d{1,3}[.)])(?:\s+|$)|(?:-{3,}|={3,}|<{7}|>{7})\s*)+/u, "");
  return clipped(redact(bare).text).trim();
}

function clipped(text: string): string {
  if (text.length <= longestRootItem) return text;
  const space = text.lastIndexOf(" ", longestRootItem - 1);
  const end = space > longestRootItem / 2 ? space : longestRootItem - 1;
  return `${text
    .slice(0, end)
    .toWellFormed()
    .replace(/\ufffd$/u, "")}…`;
}
