import { listNumbers, decodeLoosely, oneLine, shownHeading, shownLines } from "../model/shown-text.ts";
import { cutBytes } from "../../tree/model/moved-format.ts";
import { type AuditFinding, createFinding, thresholds } from "../model/finding.ts";
import {
  type MemoryText,
  type Section,
  isBlank,
  readText,
  charactersOf,
  estimateTokens,
} from "../model/memory-text.ts";

export interface SectionFigures {
  /** `header` for the text before the first heading. */
  readonly heading: string;
  /** 0 for `header`. */
  readonly level: number;
  /** 1-based line of the heading, or of the first line. */
  readonly line: number;
  /** Number of lines without the heading. A final line end does not count as another line. */
  readonly lines: number;
  readonly tokens: number;
  /** The beginning of its text on one line, at most 120 characters, redacted. */
  readonly preview: string;
  readonly bloated: boolean;
}

export interface DuplicateLine {
  /** The first occurrence, trimmed and redacted. */
  readonly text: string;
  readonly count: number;
  readonly lines: readonly number[];
}

/** Runs all checks of MEMORY.md. */
export function judgeMemory(text: MemoryText, maxMemoryKb: number) {
  const { path } = text;
  const memory = measureMemory(text);
  const sections = measureSections(text);
  const duplicates = findDuplicateLines(text);
  const findings = [
    ...checkMemoryMax({ ...memory, path }, maxMemoryKb),
    ...checkLoaderLimits(text),
    ...checkSectionBloat(path, sections),
    ...checkDuplicateLines(path, duplicates),
    ...checkAdaptive(text),
  ];
  return { memory, sections, duplicates, findings };
}

/** The size of MEMORY.md without its derived section; only `lines` includes it. `tokens` is an estimate; `text` is the measured text, for an exact count. */
export function measureMemory(text: MemoryText) {
  const own = withoutDerived(text);
  const decoded = decodeLoosely(own);
  return {
    bytes: own.length,
    characters: charactersOf(decoded),
    lines: text.lines.length,
    tokens: estimateTokens(decoded),
    text: decoded,
  };
}

function withoutDerived({ bytes, lines }: MemoryText): Uint8Array {
  const derived = lines.filter((line) => line.part === "derived").map(({ from, to }) => [from, to] as const);
  return derived.length === 0 ? bytes : cutBytes(bytes, derived);
}

/** `memory_over_max`: more than `maxMemoryKb` × 1,024 bytes without the derived section. */
export function checkMemoryMax(
  memory: { readonly path: string; readonly bytes: number },
  maxMemoryKb: number,
): AuditFinding[] {
  const most = maxMemoryKb * 1024;
  if (memory.bytes <= most) return [];
  const message = `${memory.path} has ${memory.bytes} bytes; the limit is ${most} (${maxMemoryKb} KB): merge what belongs together, move detail to knowledge/.`;
  return [createFinding("memory_over_max", memory.path, message)];
}

/** `memory_over_loader`: loaders stop reading at a limit. The finding is about the whole file, because the line where they stop moves with every edit. */
export function checkLoaderLimits(text: MemoryText): readonly AuditFinding[] {
  const { path, bytes, lines } = text;
  const { loaderLines, loaderBytes } = thresholds;
  if (lines.length <= loaderLines && bytes.length <= loaderBytes) return [];
  const first = Math.min(loadedLines(text) + 1, lines.length);
  const message =
    `${path} has ${lines.length} lines and ${bytes.length} bytes; loaders read at most ${loaderLines} lines and ${loaderBytes} bytes, ` +
    `so the agent may not see anything from line ${first} on. Move detail to knowledge/.`;
  return [createFinding("memory_over_loader", path, message)];
}

function loadedLines({ lines }: MemoryText): number {
  const cut = lines.findIndex(({ to }, index) => index === thresholds.loaderLines || to > thresholds.loaderBytes);
  return cut < 0 ? lines.length : cut;
}

/** The size of MEMORY.md and the limits it exceeds, for `status`. Linear time. */
export function memorySizeOf(bytes: Uint8Array) {
  const text = readText({ path: "MEMORY.md", bytes });
  const own = withoutDerived(text).length;
  const limits = [
    { name: "trigger", size: own, most: thresholds.trigger },
    { name: "loader_lines", size: text.lines.length, most: thresholds.loaderLines },
    { name: "loader_bytes", size: bytes.length, most: thresholds.loaderBytes },
  ] as const;
  return {
    bytes: bytes.length,
    own_bytes: own,
    lines: text.lines.length,
    loaded_lines: loadedLines(text),
    over: limits.filter(({ size, most }) => size > most).map(({ name }) => name),
  };
}

/** The sections of MEMORY.md in order, without the derived one and without a `header` of only blank lines. */
export function measureSections(text: MemoryText): readonly SectionFigures[] {
  const isBlankHeader = ({ level, from, to }: Section): boolean =>
    level === 0 && text.lines.slice(from, to).every(isBlank);
  return text.sections
    .filter((section) => !section.derived && !isBlankHeader(section))
    .map((section) => {
      const { level, to } = section;
      const from = level === 0 ? section.from : section.from + 1;
      const tokens = estimateTokens(rawText(text, from, to));
      const preview = oneLine(shownLines(text).slice(from, to), 120);
      const figures = { lines: to - from, tokens, preview, bloated: tokens > thresholds.sectionTokens };
      return { heading: shownHeading(text, section), level, line: section.from + 1, ...figures };
    });
}

/** The text of the lines, including lines that are too long or not UTF-8. */
function rawText({ bytes, lines }: MemoryText, from: number, to: number): string {
  const [first, last] = [lines[from], lines[to - 1]];
  return first === undefined || last === undefined || to <= from
    ? ""
    : decodeLoosely(bytes.subarray(first.from, last.to));
}

/** `section_bloat`: a section with more than 500 tokens. */
export function checkSectionBloat(path: string, sections: readonly SectionFigures[]): readonly AuditFinding[] {
  return sections
    .filter(({ bloated }) => bloated)
    .map(({ heading, level, line, lines, tokens }) => {
      const name = level === 0 ? "The text before the first heading" : `Section "${oneLine([heading], 60)}"`;
      const message = `${name} has ${tokens} tokens; the limit is ${thresholds.sectionTokens}: split it, or keep only its conclusion.`;
      return createFinding("section_bloat", path, message, [line, line + lines - (level === 0 ? 1 : 0)]);
    });
}

/**
 * Lines of more than 10 characters that are repeated, compared trimmed and case-folded, in the order of their first occurrence. The derived
 * section is skipped, and so are `inexact` lines. Linear time.
 */
export function findDuplicateLines(text: MemoryText): readonly DuplicateLine[] {
  const candidates = text.lines.flatMap((line, index) => {
    const trimmed = line.text.trim();
    const isCompared = line.part !== "derived" && line.reading === "exact";
    return isCompared && charactersOf(trimmed) > thresholds.duplicateCharacters
      ? [{ key: folded(trimmed), number: index + 1 }]
      : [];
  });
  return [...Map.groupBy(candidates, ({ key }) => key).values()].flatMap((group) => {
    if (group.length === 1) return [];
    const lines = group.map(({ number }) => number);
    return [{ text: oneLine([shownLines(text)[(lines[0] ?? 1) - 1] ?? ""], 200), count: lines.length, lines }];
  });
}

/** Folds case. Converts to upper case first, because that unifies letters that lower case does not (ß and ss, ς and σ). */
function folded(text: string): string {
  return text.toUpperCase().toLowerCase();
}

/** `duplicate_line`: one for each repeated line. */
export function checkDuplicateLines(path: string, duplicates: readonly DuplicateLine[]): readonly AuditFinding[] {
  return duplicates.map(({ text, count, lines }) => {
    const first = lines[0] ?? 1;
    const message = `"${oneLine([text], 60)}" occurs ${count} times (lines ${listNumbers(lines)}): keep one.`;
    return createFinding("duplicate_line", path, message, [first, first]);
  });
}

/** `adaptive_over_target`: `## Adaptive…`, up to the next heading of level 1 or 2, has more than 50 non-blank lines. */
export function checkAdaptive(text: MemoryText): readonly AuditFinding[] {
  return text.sections.flatMap((section, index) => {
    if (section.level !== 2 || section.derived || !section.heading.startsWith("Adaptive")) return [];
    let next = index + 1;
    while ((text.sections[next]?.level ?? 0) > 2) next += 1;
    const to = text.sections[next]?.from ?? text.lines.length;
    const count = text.lines.slice(section.from + 1, to).filter((line) => !isBlank(line)).length;
    if (count <= thresholds.adaptiveLines) return [];
    const message =
      `"${shownHeading(text, section)}" has ${count} lines; the limit is ${thresholds.adaptiveLines}: ` +
      "merge the oldest ones, move detail to knowledge/.";
    return [createFinding("adaptive_over_target", text.path, message, [section.from + 1, to])];
  });
}
