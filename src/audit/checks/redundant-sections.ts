import { type LinePair, thresholds } from "../model/finding.ts";
import {
  type MemoryText,
  type NoteText,
  type Section,
  comparedText,
  isBlank,
  isOwnComment,
  keyOf,
  linesOf,
  ownSections,
} from "../model/memory-text.ts";
import { compareTexts } from "../../base/lists.ts";
import { oneLine, shownHeading, shownLines } from "../model/shown-text.ts";
import { TokenTable } from "../model/tokens.ts";

/** A section of a note that MEMORY.md also contains. */
export interface CrossFileIssue {
  /** The name in `memory/`: `2026-01-03.md`. */
  readonly file: string;
  readonly path: string;
  readonly section: string;
  readonly lines: LinePair;
  /** Three decimals. */
  readonly similarity: number;
  readonly shared_tokens: number;
  readonly section_tokens: number;
  readonly severity: "high" | "medium";
  readonly recommendation: string;
  /** The heading of MEMORY.md's section, or `MEMORY.md` for the whole. */
  readonly against: string;
  readonly against_lines: LinePair;
  /** Up to three lines of each side for a reader, redacted: what is the same, and what differs. */
  readonly quotes: readonly QuotedLine[];
}

/** A line of a note next to the line of MEMORY.md that is most like it. Redacted, at most 200 characters each. */
export interface QuotedLine {
  readonly line: number;
  readonly text: string;
  readonly memory_line: number | null;
  readonly memory_text: string | null;
}

/** A section of a note that repeats MEMORY.md, before anything is written about it. */
export interface SectionMatch {
  readonly note: NoteText;
  readonly section: Section;
  readonly likeness: Likeness;
  readonly severity: "high" | "medium";
}

/** Sections of notes that MEMORY.md also has, by path and line. */
export function findRedundantSections(memory: MemoryText, notes: readonly NoteText[]): readonly CrossFileIssue[] {
  const quotes = quoteLines(memory);
  return matchSections(memory, notes).map((match): CrossFileIssue => {
    const { note, section, likeness, severity } = match;
    const against = likeness.section;
    return {
      file: note.note.path.replace(/^memory\//u, ""),
      path: note.note.path,
      section: shownHeading(note.text, section),
      lines: linesOf(section),
      similarity: Math.round(likeness.similarity * 1000) / 1000,
      shared_tokens: likeness.shared,
      section_tokens: likeness.tokens,
      severity,
      recommendation: recommendations[severity],
      against: against === undefined ? memory.path : shownHeading(memory, against),
      against_lines: linesOf(against ?? { from: 0, to: memory.lines.length }),
      quotes: quotes({ note: note.text, section, against }),
    };
  });
}

const recommendations = {
  high: "REMOVE — fully duplicated in MEMORY.md",
  medium: "COMPACT — keep only decisions and action items",
} as const;

/** The same before anything is said of them, and also of notes that no edit may touch. Linear in the notes, however many sections MEMORY.md has. */
export function matchSections(memory: MemoryText, notes: readonly NoteText[]): readonly SectionMatch[] {
  const { table, sections } = tokensOf(notes);
  const compare = compareWith(memory, table);
  return sections.flatMap(({ note, section, tokens }): readonly SectionMatch[] => {
    const likeness = compare(tokens);
    if (likeness === undefined || likeness.similarity <= thresholds.similarity) return [];
    const severity = likeness.similarity > thresholds.highSimilarity ? "high" : "medium";
    return [{ note, section, likeness, severity }];
  });
}

interface NoteTokens {
  readonly table: TokenTable;
  /** By path and line. */
  readonly sections: readonly {
    readonly note: NoteText;
    readonly section: Section;
    readonly tokens: readonly number[];
  }[];
}

function tokensOf(notes: readonly NoteText[]): NoteTokens {
  const known = noteTokens.get(notes);
  if (known !== undefined) return known;
  const table = new TokenTable();
  const sections = notes
    .toSorted((a, b) => compareTexts(a.note.path, b.note.path))
    .flatMap((note) =>
      ownSections(note).map((section) => {
        return { note, section, tokens: table.tokensOf(comparedText(note.text, section)) };
      }),
    );
  noteTokens.set(notes, { table, sections });
  return { table, sections };
}

/** Most of the work; the same notes are judged for the report, and for the edits against MEMORY.md as it will be. */
const noteTokens = new WeakMap<readonly NoteText[], NoteTokens>();

/** What of MEMORY.md a text is most like. */
interface Likeness {
  /** `undefined`: MEMORY.md as a whole. */
  readonly section: Section | undefined;
  /** Shared tokens / all tokens (Jaccard), not rounded. */
  readonly similarity: number;
  readonly shared: number;
  /** Tokens of the text. */
  readonly tokens: number;
}

/**
 * Compares texts, given as the numbers of their tokens in this table, with MEMORY.md as a whole and with each of its sections, the derived ones left
 * out. A comparison gives the highest similarity among those with which the text shares more than `thresholds.sharedTokens` tokens; of equal ones a
 * section before the whole, the first in the file. It takes for each token as many steps as sections have it.
 */
export function compareWith(
  memory: MemoryText,
  table: TokenTable,
): (tokens: readonly number[]) => Likeness | undefined {
  const sections = memory.sections.filter((section) => !section.derived);
  const sets = sections.map((section) => table.tokensOf(comparedText(memory, section)));
  const whole = new Set(sets.flat());
  // Sections with too few tokens cannot be like anything.
  const places = placesOf(sets.map((set, index) => [index, set.length > thresholds.sharedTokens ? set : []]));
  const counts = new Int32Array(sections.length);
  return (tokens) => {
    if (tokens.length <= thresholds.sharedTokens) return undefined;
    let inWhole = 0;
    const touched: number[] = [];
    for (const token of tokens) {
      if (whole.has(token)) inWhole += 1;
      for (const index of places.get(token) ?? []) {
        const count = counts[index] ?? 0;
        if (count === 0) touched.push(index);
        counts[index] = count + 1;
      }
    }
    let best: (Likeness & { readonly index: number }) | undefined;
    const consider = (index: number, shared: number, size: number): void => {
      if (shared <= thresholds.sharedTokens) return;
      const similarity = shared / (tokens.length + size - shared);
      const isBetter =
        best === undefined || similarity > best.similarity || (similarity === best.similarity && index < best.index);
      if (isBetter) best = { index, section: sections[index], similarity, shared, tokens: tokens.length };
    };
    for (const index of touched) {
      consider(index, counts[index] ?? 0, sets[index]?.length ?? 0);
      counts[index] = 0;
    }
    consider(sections.length, inWhole, whole.size);
    return best;
  };
}

/** For each token the numbers of the texts that contain it, at most so many. */
function placesOf(
  texts: Iterable<readonly [number, readonly number[]]>,
  most = Number.POSITIVE_INFINITY,
): ReadonlyMap<number, readonly number[]> {
  const places = new Map<number, number[]>();
  for (const [number, tokens] of texts)
    for (const token of tokens) {
      const known = places.get(token);
      if (known === undefined) places.set(token, [number]);
      else if (known.length < most) known.push(number);
    }
  return places;
}

/** Shows lines of a section next to those of MEMORY.md that are most like them: first what differs a little, then what has no likeness, then what is the same. */
export function quoteLines(memory: MemoryText): (quoted: {
  readonly note: MemoryText;
  readonly section: Section;
  /** `undefined`: all of MEMORY.md. */
  readonly against: Section | undefined;
}) => readonly QuotedLine[] {
  const table = new TokenTable();
  const known = new Map<Section | undefined, LineIndex>();
  const shownOf = new Map<number, string>();
  const ofMemory = (line: number): string => {
    const shown = shownOf.get(line) ?? oneLine([shownLines(memory)[line] ?? ""], 200);
    shownOf.set(line, shown);
    return shown;
  };
  return ({ note, section, against }) => {
    const index = known.get(against) ?? indexLines(memory, against, table);
    known.set(against, index);
    const pairs: Pair[] = [];
    for (let at = section.from; at < section.to && pairs.length < mostLines; at++) {
      const line = note.lines[at];
      if (line === undefined || line.reading !== "exact" || isBlank(line) || (section.level > 0 && at === section.from))
        continue;
      if (isOwnComment(note, at)) continue;
      pairs.push({ line: at, ...mostAlike(index, keyOf(line), () => table.tokensOf(line.text)) });
    }
    const best = pairs.toSorted((a, b) => rankOf(a) - rankOf(b) || b.similarity - a.similarity || a.line - b.line);
    return best.slice(0, mostQuotes).map((pair) => quote(pair, note, ofMemory));
  };
}

const mostQuotes = 3;
/** Of a section so many lines are looked at. */
const mostLines = 200;

interface Pair {
  readonly line: number;
  /** `undefined`: no line of MEMORY.md is alike. */
  readonly memoryLine: number | undefined;
  /** 1: the same text. */
  readonly similarity: number;
}

function indexLines(memory: MemoryText, against: Section | undefined, table: TokenTable) {
  /** The first line of each text. */
  const keys = new Map<string, number>();
  const tokens = new Map<number, readonly number[]>();
  const { from, to } = against ?? { from: 0, to: memory.lines.length };
  for (let at = from; at < to; at++) {
    const line = memory.lines[at];
    if (line === undefined || line.part === "derived" || line.reading !== "exact" || isBlank(line)) continue;
    const key = keyOf(line);
    if (!keys.has(key)) keys.set(key, at);
    tokens.set(at, table.tokensOf(line.text));
  }
  return { keys, tokens, places: placesOf(tokens, mostPlaces) };
}

type LineIndex = ReturnType<typeof indexLines>;

/** A token of more lines says little of any. */
const mostPlaces = 50;

/** Lines that share less of their words say different things: shown side by side they would look like two versions of one. */
const leastLikeness = 0.25;

/** `tokensOf` is asked only when no line has the same text. */
function mostAlike(index: LineIndex, key: string, tokensOf: () => readonly number[]): Omit<Pair, "line"> {
  const same = index.keys.get(key);
  if (same !== undefined) return { memoryLine: same, similarity: 1 };
  const tokens = tokensOf();
  const shared = new Map<number, number>();
  for (const token of tokens)
    for (const line of index.places.get(token) ?? []) shared.set(line, (shared.get(line) ?? 0) + 1);
  let best: Omit<Pair, "line"> = { memoryLine: undefined, similarity: 0 };
  for (const [line, count] of shared) {
    const similarity = count / (tokens.length + (index.tokens.get(line)?.length ?? 0) - count);
    if (similarity >= leastLikeness && similarity > best.similarity)
      best = { memoryLine: line, similarity: Math.min(similarity, 0.999) };
  }
  return best;
}

function rankOf({ similarity }: Pair): number {
  return similarity === 1 ? 2 : similarity > 0 ? 0 : 1;
}

function quote({ line, memoryLine }: Pair, note: MemoryText, ofMemory: (line: number) => string): QuotedLine {
  return {
    line: line + 1,
    text: oneLine([shownLines(note)[line] ?? ""], 200),
    memory_line: memoryLine === undefined ? null : memoryLine + 1,
    memory_text: memoryLine === undefined ? null : ofMemory(memoryLine),
  };
}
