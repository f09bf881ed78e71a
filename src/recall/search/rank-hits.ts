import { marksIn, nearness, type Mark, type QueryWords } from "../snippets/marks.ts";
import { isOnlyHeadings, plainNote } from "../snippets/snippet.ts";
import type { StoredRow, SourceLevel } from "../index/search-index.ts";
import type { ScorePart } from "./results.ts";
import { compareTexts, greatest } from "../../base/lists.ts";
import { parseRefSuffix } from "../../base/refs.ts";

/** A row that was found, with what its score is made of. */
export interface Candidate {
  readonly row: StoredRow;
  /** The text as it is shown, and where the words are in it. */
  readonly text: string;
  readonly marks: readonly Mark[];
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** What nearness and a heading add at most, as parts of the best score of the words. */
const nearShare = 0.3;
const headingShare = 0.2;
/** What a node loses of the score of its words: it repeats what logs say, of many days at once. */
const nodeShare = 0.25;
/** What lines lose that are only a heading: they say where something is, and what is below them says it. */
const bareShare = 0.7;

/** The rows that were found, best first: by their words, by how near these are to each other, and by their heading. */
export function ranked(
  found: readonly { readonly row: StoredRow; readonly score: number }[],
  wanted: QueryWords,
): readonly Candidate[] {
  const top = Math.max(0, greatest(found.map(({ score }) => score)));
  return found.map(({ row, score }) => candidateOf(row, score, top, wanted)).toSorted(byScore);
}

/** `words`: the score of its words; `top`: the best such score. */
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

/** The better first; of equal ones the newer, and then by place. */
export function byScore(a: Candidate, b: Candidate): number {
  return b.score - a.score || byDay(a, b);
}

/** The newest first, in the order of their lines. */
export function byDay(a: Candidate, b: Candidate): number {
  return (
    compareTexts(b.row.day, a.row.day) || compareTexts(a.row.source, b.row.source) || a.row.lines[0] - b.row.lines[0]
  );
}

/** Where a text is first: its log, then the nodes from the lowest up. */
const heights: Readonly<Record<SourceLevel, number>> = { raw: 0, none: 0, daily: 1, weekly: 2, monthly: 3, root: 4 };
/** Letters of a line that differs enough from others. */
const leastLetters = 12;

/**
 * Each text once: of a log and the nodes above it that say the same where the words were found, the log. The same is what has the same words,
 * or is taken from these lines of the log. Two logs are two events and both stay.
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

/** A line of a node: its words, and the lines of logs that it comes from. */
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

/** The lines in which words were found; all of them when none was looked for. */
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

/** `near` gives refs their year. */
function lineOf(line: string, near: string | undefined): Line {
  if (near === undefined) return { text: keyOf(line), from: [] };
  const { text, refs } = parseRefSuffix(line, near);
  return { text: keyOf(text), from: refs.map(({ log, from, to }) => ({ source: `memory/${log}.md`, from, to })) };
}

/** A text without what printing it elsewhere changes: marks of a list, spaces, case. */
function keyOf(text: string): string {
  return text
    .replaceAll(/^\s*(?:[-*+]|\d{1,3}[.)])\s+|^\\+(?=#|<)|…$/gmu, "")
    .replaceAll(/\s+/gu, " ")
    .trim()
    .toLowerCase();
}
