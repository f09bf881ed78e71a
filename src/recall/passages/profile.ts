import { isDay } from "../../base/calendar.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { parseEntryComment, parseHeadingTopic, type MemoryType } from "../../base/memory-type.ts";
import { compactionRoot } from "../../tree/root/root-format.ts";
import type { SourceLine } from "../rank/speakers.ts";
import { sectionsIn, withoutBlankEnds, type WholeSection } from "./sections.ts";

/**
 * The sections of a redacted MEMORY.md or USER.md, of type `user` unless a heading names another type. An item that starts with a day, today or earlier,
 * becomes a section dated that day. Comments, items without a value (`- Name:`), headings without text, and the section that repeats ROOT.md are left out.
 * Linear time.
 */
export function sectionsOfProfile(texts: readonly string[], today: string): readonly WholeSection[] {
  return sectionsIn(withoutComments(texts))
    .filter(({ heading }) => heading !== compactionRoot)
    .flatMap((section) => entriesOf(section, today));
}

function entriesOf({ heading, origin, lines }: WholeSection, today: string): readonly WholeSection[] {
  const entries: WholeSection[] = [];
  const outer = { heading, type: typeOf(heading, "user"), day: dayIn(headingDay, heading, today) };
  let entry = outer;
  /** The line of the nearest heading, added to items because they may not name their subject. */
  let above: string | undefined;
  /** The indent of the current dated item. */
  let within: number | undefined;
  let part: SourceLine[] = [];
  const begin = (next: typeof outer, indent?: number): void => {
    const { day, ...said } = entry;
    const own = withoutBlankEnds(part);
    const [first] = own;
    if (first !== undefined && own.some(({ text }) => text !== "" && parseHeading(text) === undefined))
      entries.push({
        ...said,
        origin: origin === "" ? "user" : origin,
        lines: above === undefined || first.text === above ? own : [{ ...first, text: above }, ...own],
        ...(day === "" ? {} : { day }),
      });
    [entry, within, part] = [next, indent, []];
  };
  const kinds = scanLines(lines.map(({ text }) => text)).lines;
  let undated = outer;
  for (const [at, line] of lines.entries()) {
    const { kind } = kinds[at] ?? {};
    const indent = indentOf(line.text);
    const item = kind === "text" ? itemText.exec(line.text)?.[1] : undefined;
    if (kind === "heading") {
      const text = parseHeading(line.text)?.text ?? "";
      const type = typeOf(text, outer.type);
      const next = type === outer.type ? outer : { ...outer, heading: text, type };
      if (next.type !== entry.type || within !== undefined) begin(next);
      [undated, above] = [next, line.text];
    } else if (line.text !== "" && (within === undefined || indent <= within)) {
      const day = item === undefined ? "" : dayIn(itemDay, item, today);
      if (day !== "") begin({ ...undated, day }, indent);
      else if (within !== undefined) begin(undated);
    }
    if (item === undefined || !/[:：][*_]*\s*$/u.test(item) || isFollowedBelow(lines, at)) part.push(line);
  }
  begin(outer);
  return entries;
}

function typeOf(heading: string, outer: MemoryType): MemoryType {
  const { type, tagged } = parseHeadingTopic(heading);
  return tagged === "tagged" ? type : outer;
}

const itemText = /^\s*(?:[-*+]|\d{1,9}[.)])\s+(.*)$/u;
const itemDay = /^[*_[(]*(\d{4}-\d{2}-\d{2})(?!\d)/u;
const headingDay = /(?<![\d-])(\d{4}-\d{2}-\d{2})(?![\d-])/u;

/** The matching day, or empty. Also empty for a future day, because nothing can have been said on it. */
function dayIn(pattern: RegExp, text: string, today: string): string {
  const day = pattern.exec(text)?.[1] ?? "";
  return isDay(day) && day <= today ? day : "";
}

function isFollowedBelow(lines: readonly SourceLine[], at: number): boolean {
  const next = lines[at + 1]?.text === "" ? lines[at + 2] : lines[at + 1];
  return indentOf(next?.text ?? "") > indentOf(lines[at]?.text ?? "");
}

function indentOf(text: string): number {
  return text.search(/\S|$/u);
}

/** Blanks out comments at the start of a line, except heartwood's own, which record who an entry comes from. */
function withoutComments(texts: readonly string[]): readonly string[] {
  const kinds = scanLines(texts).lines;
  const last = texts.findLastIndex((text) => text.includes("-->"));
  let isOpen = false;
  return texts.map((text, index) => {
    const begins = kinds[index]?.kind === "text" && index <= last && /^\s*<!--/u.test(text);
    if (!isOpen && (!begins || parseEntryComment(text) !== undefined)) return text;
    const end = text.indexOf("-->");
    isOpen = end < 0;
    return isOpen ? "" : text.slice(end + 3).trimEnd();
  });
}
