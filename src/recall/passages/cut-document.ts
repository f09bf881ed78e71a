import { parseEntryComment, parseHeadingTopic, type EntryComment, type Origin } from "../../base/memory-type.ts";
import { readFrontMatter } from "../../base/front-matter.ts";
import { parseHeading, scanLines } from "../../base/markdown.ts";
import { statementsOf } from "../rank/statement.ts";
import { chunksOf } from "./chunks.ts";
import { toldInFront } from "./front-lines.ts";
import type { CutSection, PassageLine } from "./types.ts";

/** A section before it is cut: all that its chunks and statements are made of. */
export interface WholeSection {
  /** The line of its heading without the marks; empty before the first. */
  readonly heading: string;
  /** As the comment right below its heading records it; empty without one. */
  readonly origin: Origin | "";
  /** Without blank ones at its ends. */
  readonly lines: readonly PassageLine[];
}

/** The sections of a Markdown document, redacted. One begins at each heading of level 1 or 2 outside fences. Of front matter only what people write is kept. Linear. */
export function sectionsIn(texts: readonly string[]): readonly WholeSection[] {
  const front = readFrontMatter(texts);
  const skipped = front?.state === "read" ? front.front.lines : 0;
  const told = front?.state === "read" ? toldInFront(texts.slice(0, skipped)) : [];
  const rest = skipped === 0 ? texts : texts.slice(skipped);
  const kinds = scanLines(rest).lines;
  const sections: WholeSection[] =
    told.length === 0 ? [] : [{ heading: "", origin: "", lines: withoutBlankEnds(told) }];
  let heading = "";
  let origin: WholeSection["origin"] = "";
  let lines: PassageLine[] = [];
  const flush = (): void => {
    if (lines.some(({ text }) => text !== "")) sections.push({ heading, origin, lines: withoutBlankEnds(lines) });
    lines = [];
  };
  rest.forEach((text, index) => {
    const kind = kinds[index];
    if (kind?.kind === "heading" && kind.level <= 2) {
      flush();
      heading = parseHeading(text)?.text ?? "";
      origin = ourComment(rest[index + 1] ?? "")?.origin ?? "";
    }
    if (ourComment(text) !== undefined) return;
    lines.push({ number: 1 + skipped + index, text: text.trim() === "" ? "" : text });
  });
  flush();
  return sections;
}

function ourComment(text: string): EntryComment | undefined {
  return text.startsWith("<!-- hw ") ? parseEntryComment(text) : undefined;
}

/** Its chunks and statements: of the same section always the same. Linear. */
export function cutSection({ heading, origin, lines }: WholeSection): CutSection {
  const { name, type } = parseHeadingTopic(heading.replace(/^\\/u, ""));
  const statements = statementsOf(lines).map(({ line, text, weight }) => ({
    lines: [line, line] as const,
    text,
    weight,
  }));
  return {
    heading: name,
    type,
    origin,
    lines: [lines[0]?.number ?? 1, lines.at(-1)?.number ?? 1],
    chunks: chunksOf(lines),
    statements,
  };
}

function withoutBlankEnds(lines: readonly PassageLine[]): readonly PassageLine[] {
  let [from, to] = [0, lines.length];
  while (from < to && lines[from]?.text === "") from += 1;
  while (to > from && lines[to - 1]?.text === "") to -= 1;
  return lines.slice(from, to);
}
