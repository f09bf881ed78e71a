import { type LinePair, thresholds } from "../model/finding.ts";
import {
  type MemoryLine,
  type MemoryText,
  type NoteText,
  type Section,
  comparedText,
  isBlank,
  isOwnComment,
  keyOf,
  linesOf,
  numberOf,
  numberTokens,
  ownSections,
  piecesOf,
  tokensOf,
} from "../model/memory-text.ts";
import { compareTexts } from "../../base/lists.ts";
import { decodeLoosely, oneLine, shownHeading, shownLines } from "../model/shown-text.ts";

/** A section of a note that repeats MEMORY.md, as reported. */
export interface CrossFileIssue {
  /** File name in `memory/`: `2026-01-03.md`. */
  readonly file: string;
  readonly path: string;
  readonly section: string;
  readonly lines: LinePair;
  /** Rounded to three decimals. */
  readonly similarity: number;
  readonly shared_tokens: number;
  readonly section_tokens: number;
  readonly severity: "high" | "medium";
  readonly recommendation: string;
  /** The heading of the section of MEMORY.md, or `MEMORY.md` for the whole file. */
  readonly against: string;
  readonly against_lines: LinePair;
  /** Up to three redacted pairs of lines that show what is the same and what differs. */
  readonly quotes: readonly QuotedLine[];
}

/** A line of a note and the most similar line of MEMORY.md. Both are redacted and at most 200 characters long. */
export interface QuotedLine {
  readonly line: number;
  readonly text: string;
  readonly memory_line: number | null;
  readonly memory_text: string | null;
}

/** A section of a note that repeats MEMORY.md. */
export interface SectionMatch {
  readonly note: NoteText;
  readonly section: Section;
  readonly likeness: Likeness;
  readonly severity: "high" | "medium";
}

/** Reports sections of notes that repeat MEMORY.md, by path and line. */
export function findRedundantSections(
  memory: MemoryText,
  notes: readonly NoteText[],
  matches = matchSections(memory, notes),
): readonly CrossFileIssue[] {
  const quote = quoteLines(memory);
  return matches.map(({ note, section, likeness, severity }): CrossFileIssue => {
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
      quotes: quote(note.text, section, against),
    };
  });
}

const recommendations = {
  high: "REMOVE — fully duplicated in MEMORY.md",
  medium: "COMPACT — keep only decisions and action items",
} as const;

/** Finds sections of notes that repeat MEMORY.md, by path and line. */
export function matchSections(memory: MemoryText, notes: readonly NoteText[]): readonly SectionMatch[] {
  const known = tokensIn(memory);
  const [mayRepeat, compare] = [screenWith(known), compareWith(memory, known)];
  return notes
    .toSorted((a, b) => compareTexts(a.note.path, b.note.path))
    .filter(({ note }) => piecesOf(decodeLoosely(note.bytes)).some(mayRepeat))
    .flatMap((note) =>
      ownSections(note).flatMap((section): readonly SectionMatch[] => {
        const compared = comparedText(note.text, section);
        if (!mayRepeat(compared)) return [];
        const likeness = compare(tokensOf(compared));
        if (likeness === undefined || likeness.similarity <= thresholds.similarity) return [];
        const severity = likeness.similarity > thresholds.highSimilarity ? "high" : "medium";
        return [{ note, section, likeness, severity }];
      }),
    );
}

interface Likeness {
  /** `undefined`: MEMORY.md as a whole. */
  readonly section: Section | undefined;
  /** Jaccard similarity (shared tokens / all tokens), not rounded. */
  readonly similarity: number;
  readonly shared: number;
  /** Number of different tokens in the section of the note. */
  readonly tokens: number;
}

/**
 * Returns a function that compares a text, given as tokens, with each section of MEMORY.md and with the whole file, without derived sections. It returns the
 * most similar one that shares more than `thresholds.sharedTokens` tokens with the text; ties go to the first section in the file, and to the whole file last.
 */
export function compareWith(
  memory: MemoryText,
  { sections, sets } = tokensIn(memory),
): (tokens: ReadonlySet<string>) => Likeness | undefined {
  const alike = indexTokens(sets);
  return (tokens) => {
    let best: Likeness | undefined;
    for (const { text, shared, similarity } of alike(tokens))
      if (shared > thresholds.sharedTokens && similarity > (best?.similarity ?? 0))
        best = { section: sections[text], similarity, shared, tokens: tokens.size };
    return best;
  };
}

/** The sections of MEMORY.md without derived ones, and the tokens of each and then of all together. */
function tokensIn(memory: MemoryText) {
  const sections = memory.sections.filter((section) => !section.derived);
  const sets = sections.map((section) => tokensOf(comparedText(memory, section)));
  return { sections, sets: [...sets, new Set(sets.flatMap((tokens) => [...tokens]))] };
}

/**
 * Returns a function that rules out texts of notes that cannot repeat MEMORY.md, several times as fast as a comparison: a similarity above the threshold needs
 * more than that share of the tokens on the other side. It counts the numbers of tokens, so it may count too many, but never too few.
 */
function screenWith({ sets }: ReturnType<typeof tokensIn>): (text: string) => boolean {
  const numbered = sets.flatMap((tokens, text) => Array.from(tokens, (token) => ({ number: numberOf(token), text })));
  const places = [...Map.groupBy(numbered, ({ number }) => number)];
  // Flat arrays with open addressing: a `Map` of objects takes longer than everything else. A place is its index, and a slot that of its place and one.
  const numbers = Uint32Array.from(places, ([number]) => number);
  const texts = Uint32Array.from(places.flatMap(([, ofNumber]) => ofNumber.map(({ text }) => text)));
  const ends = new Uint32Array(places.length);
  for (const [place, [, ofNumber]] of places.entries()) ends[place] = (ends[place - 1] ?? 0) + ofNumber.length;
  const slots = new Uint32Array(4 * 2 ** Math.ceil(Math.log2(places.length + 1)));
  const mask = slots.length - 1;
  for (const [place, number] of numbers.entries()) {
    let slot = number & mask;
    while (slots[slot] !== 0) slot = (slot + 1) & mask;
    slots[slot] = place + 1;
  }
  /** The section for which a place was last counted. */
  const seen = new Uint32Array(places.length);
  const shared = new Uint32Array(sets.length);
  let asked = 0;
  const count = (number: number): void => {
    let slot = number & mask;
    let place = slots[slot]! - 1;
    while (place >= 0 && numbers[place] !== number) {
      slot = (slot + 1) & mask;
      place = slots[slot]! - 1;
    }
    if (place < 0 || seen[place] === asked) return;
    seen[place] = asked;
    for (let at = place === 0 ? 0 : ends[place - 1]!; at < ends[place]!; at++) shared[texts[at]!]! += 1;
  };
  return (text) => {
    asked += 1;
    shared.fill(0);
    numberTokens(text, count);
    return sets.some(({ size }, text) => {
      const found = shared[text] ?? 0;
      return found > thresholds.sharedTokens && found / size > thresholds.similarity;
    });
  };
}

/** Returns the indexed texts that share a token with another text, in order. `text`: its index. */
type Alike = (
  tokens: ReadonlySet<string>,
) => readonly { readonly text: number; readonly shared: number; readonly similarity: number }[];

/** Indexes texts, given as tokens, to find those that have tokens in common with another text. */
function indexTokens(texts: readonly ReadonlySet<string>[]): Alike {
  const places = Map.groupBy(
    texts.flatMap((tokens, text) => Array.from(tokens, (token) => ({ token, text }))),
    ({ token }) => token,
  );
  return (tokens) => {
    const counts = new Map<number, number>();
    for (const token of tokens)
      for (const { text } of places.get(token) ?? []) counts.set(text, (counts.get(text) ?? 0) + 1);
    return [...counts]
      .map(([text, shared]) => {
        return { text, shared, similarity: shared / (tokens.size + (texts[text]?.size ?? 0) - shared) };
      })
      .toSorted((a, b) => a.text - b.text);
  };
}

/** Pairs lines in a section with the most similar lines of MEMORY.md: first those that differ a little, then those without a similar line, then equal ones. */
function quoteLines(memory: MemoryText) {
  const known = new Map<Section | undefined, ReturnType<typeof compareLines>>();
  const shownAt = (text: MemoryText, at: number): string => oneLine([shownLines(text)[at] ?? ""], 200);
  /** `against`: a section of MEMORY.md; `undefined` for the whole file. */
  return (note: MemoryText, section: Section, against: Section | undefined): readonly QuotedLine[] => {
    const mostAlike = known.get(against) ?? compareLines(memory, against);
    known.set(against, mostAlike);
    const first = section.level > 0 ? section.from + 1 : section.from;
    const quoted = [...note.lines.entries()]
      .slice(first, section.to)
      .filter(([at, line]) => line.reading === "exact" && !isBlank(line) && !isOwnComment(note, at))
      .slice(0, mostLines)
      .map(([at, line]) => ({ at, ...mostAlike(line) }));
    const best = quoted.toSorted((a, b) => rankOf(a) - rankOf(b) || b.similarity - a.similarity || a.at - b.at);
    return best.slice(0, mostQuotes).map(({ at, memoryLine }) => ({
      line: at + 1,
      text: shownAt(note, at),
      memory_line: memoryLine === undefined ? null : memoryLine + 1,
      memory_text: memoryLine === undefined ? null : shownAt(memory, memoryLine),
    }));
  };
}

const mostQuotes = 3;
/** How many lines in a section are compared. */
const mostLines = 200;

/** Lines less similar than this are about different things. Shown side by side, they would look like two versions of one line. */
const leastLikeness = 0.25;

interface LikeLine {
  /** `undefined`: no line of MEMORY.md is similar. */
  readonly memoryLine: number | undefined;
  /** 1: the same text. */
  readonly similarity: number;
}

/** Returns a function that finds the most similar line; among lines with equal text, the first. */
function compareLines(memory: MemoryText, against: Section | undefined): (line: MemoryLine) => LikeLine {
  const { from, to } = against ?? { from: 0, to: memory.lines.length };
  const lines = [...memory.lines.entries()].slice(from, to).filter(([, line]) => {
    return line.part !== "derived" && line.reading === "exact" && !isBlank(line);
  });
  const keys = new Map(lines.toReversed().map(([at, line]) => [keyOf(line), at]));
  const alike = indexTokens(lines.map(([, { text }]) => tokensOf(text)));
  return (line) => {
    const same = keys.get(keyOf(line));
    if (same !== undefined) return { memoryLine: same, similarity: 1 };
    const [best] = alike(tokensOf(line.text))
      .filter(({ similarity }) => similarity >= leastLikeness)
      .toSorted((a, b) => b.similarity - a.similarity);
    if (best === undefined) return { memoryLine: undefined, similarity: 0 };
    return { memoryLine: lines[best.text]?.[0], similarity: Math.min(best.similarity, 0.999) };
  };
}

function rankOf({ similarity }: LikeLine): number {
  return similarity === 1 ? 2 : similarity > 0 ? 0 : 1;
}
