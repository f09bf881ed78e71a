import { marksIn, nearness, type Mark, type QueryWords } from "../snippets/marks.ts";
import { isOnlyHeadings, plainNote } from "../snippets/snippet.ts";
import type { StoredRow, SourceLevel } from "../index/search-index.ts";
import type { ScorePart } from "./inputs-and-results.ts";
import { compareTexts, greatest } from "../../base/lists.ts";
import { parseRefSuffix } from "../../base/refs.ts";

/** A row that was found, with the parts of its score. */
export interface Candidate {
  readonly row: StoredRow;
  /** The text to show, and the places of the words in it. */
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** The most that nearness and the heading can add, as a share of the best word score. */
const nearShare = 0.3;
const headingShare = 0.2;
/** The share of its word score that a node loses, because it repeats the logs of many days. */
const nodeShare = 0.25;
/** The share that a row with only headings loses: it shows where something is, but not what. */
const bareShare = 0.7;

/** Ranks rows by their words, by how close together the words are, and by their heading. Best first. */
export function ranked(
  found: readonly { readonly row: StoredRow; readonly score: number }[],
  wanted: QueryWords,
): readonly Candidate[] {
  const top = Math.max(0, greatest(found.map(({ score }) => score)));
  return found.map(({ row, score }) => candidateOf(row, score, top, wanted)).toSorted(byScore);
}

/** `words`: the row's word score; `top`: the best word score. */
function candidateOf(row: StoredRow, words: number, top: number, wanted: QueryWords): Candidate {
  const text = plainNote(row.text);
  const marks = marksIn(text, wanted);
  const isBare = isOnlyHeadings(row.text);
  const inHeading = isBare || row.heading === "" ? [] : marksIn(row.heading, wanted).flatMap((mark) => mark.words);
  const share = wanted.count === 0 ? 0 : new Set(inHeading).size / wanted.count;
  const parts = [
    { part: "words", score: words },
    { part: "nearness", score: top * nearShare * nearness(marks, wanted.count) },
    { part: "heading", score: top * headingShare * share },
    { part: "only a heading", score: isBare ? -bareShare * words : 0 },
    { part: "node", score: row.kind === "node" ? -nodeShare * words : 0 },
  ].filter(({ score }) => score !== 0);
  return { row, text, marks, score: parts.reduce((sum, part) => sum + part.score, 0), parts };
}

/** Best first; ties newest first, then by place. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || byDay(a, b);
}

/** Newest first, then by source and line. */
export function byDay(a: Candidate, b: Candidate): number {
  return (
    compareTexts(b.row.day, a.row.day) || compareTexts(a.row.source, b.row.source) || a.row.lines[0] - b.row.lines[0]
  );
}

/** Height of each level above the source text: logs, then nodes from the lowest level up. */
const heights: Readonly<Record<SourceLevel, number>> = { raw: 0, none: 0, daily: 1, weekly: 2, monthly: 3, root: 4 };
/** Lines shorter than this, in characters, are too common to compare. */
const leastLetters = 12;

/**
 * Drops a node if every one of its lines with found words repeats a hit from a log or a lower node: that hit contains the line, or the line refers to it. Hits
 * in different logs are different events, so all of them stay.
 */
export function withoutCopies(candidates: readonly Candidate[]): readonly Candidate[] {
  if (!candidates.some(({ row }) => heights[row.level] > 0)) return candidates;
  const kept = new Map<number, Candidate>();
  const texts: Text[] = [];
  const heightOf = ({ row }: Candidate): number => heights[row.level];
  for (const candidate of candidates.toSorted((a, b) => heightOf(a) - heightOf(b))) {
    const { row } = candidate;
    const height = heightOf(candidate);
    const lower = texts.filter((text) => text.height < height);
    const owners = height === 0 ? [] : linesOf(candidate).map((line) => lower.find((text) => says(text, line))?.id);
    const [owner] = owners;
    const log = owner === undefined || owners.includes(undefined) ? undefined : kept.get(owner);
    if (log !== undefined) kept.set(log.row.id, alsoIn(log, row.source));
    else {
      kept.set(row.id, candidate);
      texts.push({ id: row.id, height, source: row.source, lines: row.lines, text: keyOf(row.text) });
    }
  }
  return [...kept.values()];
}

/** A row that a node may repeat. */
interface Text extends Pick<StoredRow, "id" | "source" | "lines" | "text"> {
  readonly height: number;
}

/** A line of a node: its text, and the log lines it refers to. */
interface Line {
  readonly text: string;
  readonly from: readonly { readonly source: string; readonly from: number; readonly to: number }[];
}

function says({ source, lines, text }: Text, line: Line): boolean {
  if (text.includes(line.text)) return true;
  return line.from.some((ref) => {
    return ref.source === source && (ref.from === 0 || (ref.from <= lines[1] && ref.to >= lines[0]));
  });
}

function alsoIn(log: Candidate, source: string): Candidate {
  const part = `also in ${source}`;
  return log.parts.some((known) => known.part === part) ? log : { ...log, parts: [...log.parts, { part, score: 0 }] };
}

/** The lines that contain found words; all lines if no words are marked. */
function linesOf({ row, marks, text }: Candidate): readonly Line[] {
  const found = [...new Set(marks.map(({ start, end }) => keyOf(text.slice(start, end))))];
  const near = row.day === "" ? undefined : row.day;
  const lines = row.text
    .split("\n")
    .filter((line) => !line.startsWith("#"))
    .map((line) => lineOf(line.trimEnd(), near))
    .filter((line) => line.text.length >= leastLetters);
  return found.length === 0 ? lines : lines.filter((line) => found.some((mark) => line.text.includes(mark)));
}

/** `near`: a day that supplies the year of refs. */
function lineOf(line: string, near: string | undefined): Line {
  if (near === undefined) return { text: keyOf(line), from: [] };
  const { text, refs } = parseRefSuffix(line, near);
  return { text: keyOf(text), from: refs.map(({ log, from, to }) => ({ source: `memory/${log}.md`, from, to })) };
}

/** Normalizes list markers, spacing and case, which may differ between a log and a node. */
function keyOf(text: string): string {
  return text
    .replaceAll(/^\s*(?:[-*+]|\d{1,3}[.)])\s+|^\\+(?=#|<)|…$/gmu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}
