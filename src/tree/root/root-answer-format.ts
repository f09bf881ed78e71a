import { plainLine } from "../../text/shown.ts";
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
    const text = plainLine(item, longestRootItem);
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
