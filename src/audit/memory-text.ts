import { readFrontMatter } from "../base/front-matter.ts";
import { longestLineBytes, splitLines } from "../base/lines.ts";
import { parseHeading, scanLines, type LineKind } from "../base/markdown.ts";
import type { LinePair } from "./finding.ts";
import type { FileAsRead } from "./workspace.ts";

/** A memory file as lines and sections. Parsed once; every check reads this. */
export interface MemoryText {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly lines: readonly MemoryLine[];
  /** In order, without gaps; the first may be `header`. Empty for an empty file. */
  readonly sections: readonly Section[];
}

export interface MemoryLine {
  /** Without line end and byte order mark. */
  readonly text: string;
  /** Offset of its first byte, and of the byte behind its line end. A byte order mark is before the first line. */
  readonly from: number;
  readonly to: number;
  readonly kind: LineKind;
  /** Of a heading, 1 to 6; else 0. */
  readonly level: number;
  /** `core`, `derived`, `front` (front matter), `fence` (marks included); `free` is the rest. */
  readonly part: "core" | "derived" | "front" | "fence" | "free";
  /** `inexact`: `text` is not all that stands there (not UTF-8, over 64 KiB, carriage returns inside): it equals no other line. */
  readonly reading: "exact" | "not-utf-8" | "inexact";
}

/** Lines `[from, to)` by index, the heading first unless it is `header`. */
export interface Section {
  /** The heading's text; `header` for what stands before the first. */
  readonly heading: string;
  /** 0 for `header`. */
  readonly level: number;
  readonly from: number;
  readonly to: number;
  /** Whether it belongs to `## Compaction Root`. */
  readonly derived: boolean;
}

/** Reads a memory file. Linear. */
export function readText({ path, bytes }: Pick<FileAsRead, "path" | "bytes">): MemoryText {
  const split = splitLines(bytes);
  const texts = split.map(({ text }, index) => (index === 0 ? text.replace(/^\uFEFF/u, "") : text));
  const { lines: kinds } = scanLines(texts);
  const front = readFrontMatter(texts);
  const frontLines = front.state === "read" ? front.front.lines : 0;
  const parts = partsOf(texts, kinds);
  const lines = split.map((line, index): MemoryLine => {
    const { kind, level } = index < frontLines ? { kind: "text" as const, level: 0 } : (kinds[index] ?? plain);
    const part = index < frontLines ? "front" : (parts[index] ?? "free");
    const isWhole = line.to - line.from <= longestLineBytes && line.returns === "none";
    const reading = line.encoding === "not-utf-8" ? "not-utf-8" : isWhole ? "exact" : "inexact";
    return {
      text: texts[index] ?? "",
      from: index === 0 ? markLength(bytes) : line.from,
      to: line.to,
      kind,
      level,
      part,
      reading,
    };
  });
  return { path, bytes, lines, sections: sectionsOf(lines) };
}

const plain = { kind: "text", level: 0 } as const;

/** Length of a byte order mark. */
function markLength(bytes: Uint8Array): number {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? 3 : 0;
}

function partsOf(
  texts: readonly string[],
  kinds: readonly { readonly kind: LineKind; readonly level: number }[],
): readonly MemoryLine["part"][] {
  let frozen: { readonly part: "core" | "derived"; readonly until: number } | undefined;
  return texts.map((text, index) => {
    const { kind, level } = kinds[index] ?? plain;
    if (kind === "heading" && (frozen === undefined || level <= frozen.until)) frozen = frozenFrom(text, level);
    if (frozen !== undefined) return frozen.part;
    return kind === "fence" || kind === "code" ? "fence" : "free";
  });
}

function frozenFrom(
  text: string,
  level: number,
): { readonly part: "core" | "derived"; readonly until: number } | undefined {
  const title = parseHeading(text)?.text ?? "";
  if (level === 2 && title === "Compaction Root") return { part: "derived", until: 2 };
  return level <= 3 && title.startsWith("Core (Static)") ? { part: "core", until: level } : undefined;
}

function sectionsOf(lines: readonly MemoryLine[]): readonly Section[] {
  const starts = lines.flatMap((line, index) => (line.kind === "heading" && line.level <= 3 ? [index] : []));
  const first = starts[0] === 0 ? [] : [0];
  const all = lines.length === 0 ? [] : [...first, ...starts];
  return all.map((from, at): Section => {
    const line = lines[from];
    const isHeading = line?.kind === "heading" && line.level <= 3;
    return {
      heading: isHeading ? (parseHeading(line.text)?.text ?? "") : "header",
      level: isHeading ? line.level : 0,
      from,
      to: all[at + 1] ?? lines.length,
      derived: line?.part === "derived",
    };
  });
}

/** Whether nothing stands in the line; what cannot be read is something. */
export function isBlank(line: Pick<MemoryLine, "text" | "reading">): boolean {
  return line.reading === "exact" && line.text.trim() === "";
}

/** The section's text, its heading included, lines joined by LF. */
export function textOf(text: MemoryText, section: Pick<Section, "from" | "to">): string {
  return text.lines
    .slice(section.from, section.to)
    .map((line) => line.text)
    .join("\n");
}

/** Its first and last line, 1-based. */
export function linesOf(section: Pick<Section, "from" | "to">): LinePair {
  return [section.from + 1, section.to];
}
