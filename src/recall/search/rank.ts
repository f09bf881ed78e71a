import { marksIn, nearness, type Mark } from "../snippets/marks.ts";
import { isOnlyHeadings, plainNote } from "../snippets/plain-text.ts";
import type { WantedWords } from "../snippets/wanted-words.ts";
import type { FoundRow, StoredRow } from "../index/search-index.ts";
import type { ScorePart } from "./results.ts";

/** A row that was found, with what its score is made of. */
export interface Candidate {
  readonly row: StoredRow;
  /** The text as it is shown, and where the words stand in it. */
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
/** What lines lose that are only a heading: they say where something stands, and what is below them says it. */
const bareShare = 0.7;

/** The rows that were found, best first: by their words, by how near these stand to each other, and by their heading. */
export function ranked(
  found: readonly FoundRow[],
  rows: readonly StoredRow[],
  wanted: WantedWords,
): readonly Candidate[] {
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  const top = found.reduce((most, { score }) => Math.max(most, score), 0);
  return rows.map((row) => candidateOf(row, { words: scores.get(row.id) ?? 0, top, wanted })).toSorted(byScore);
}

interface Scoring {
  readonly words: number;
  readonly top: number;
  readonly wanted: WantedWords;
}

function candidateOf(row: StoredRow, { words, top, wanted }: Scoring): Candidate {
  const text = plainNote(row.text);
  const marks = marksIn(text, wanted);
  const near = top * nearShare * nearness(marks, wanted.count);
  const isBare = isOnlyHeadings(row.text);
  const heading = isBare ? 0 : top * headingShare * shareIn(row.heading, wanted);
  const parts = [
    { part: "words", score: words },
    { part: "nearness", score: near },
    { part: "heading", score: heading },
    { part: "only a heading", score: isBare ? -bareShare * words : 0 },
    { part: "node", score: row.kind === "node" ? -nodeShare * words : 0 },
  ].filter(({ score }) => score !== 0);
  return { row, text, marks, score: parts.reduce((sum, part) => sum + part.score, 0), parts };
}

/** The part of the words that stands in a heading. */
function shareIn(heading: string, wanted: WantedWords): number {
  if (wanted.count === 0 || heading === "") return 0;
  return new Set(marksIn(heading, wanted).flatMap(({ words }) => words)).size / wanted.count;
}

/** The better first; of equal ones the newer, and then by place. */
export function byScore(a: Candidate, b: Candidate): number {
  return (
    b.score - a.score ||
    compared(b.row.day, a.row.day) ||
    compared(a.row.source, b.row.source) ||
    a.row.lines[0] - b.row.lines[0]
  );
}

/** The newest first, in the order of their lines. */
export function byDay(a: Candidate, b: Candidate): number {
  return compared(b.row.day, a.row.day) || compared(a.row.source, b.row.source) || a.row.lines[0] - b.row.lines[0];
}

function compared(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
