import type { StoredRow, SearchIndex } from "../index/search-index.ts";
import { visible } from "../../text/visible.ts";
import type { ScorePart } from "../search/results.ts";
import type { Recalled } from "./search-step.ts";
import { greatest, least } from "../../base/lists.ts";
import { personIn, spokenLines, turnAbove, type SpokenLine } from "../rank/speakers.ts";

/** A passage as it is handed over. */
export interface Passage {
  readonly row: StoredRow;
  readonly unit: Recalled["unit"];
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** A passage with who speaks in it. */
export interface Spoken {
  readonly passage: Passage;
  readonly speaker: string | null;
}

/** Passages of the same lines, the best first. */
type SamePlace = readonly [Recalled, ...Recalled[]];

/** The chosen passages by their lines, in the order of the best of each: no lines are handed over twice. */
export function groupByPlace(chosen: readonly Recalled[]): readonly SamePlace[] {
  const groups: [Recalled, ...Recalled[]][] = [];
  for (const one of chosen) {
    const group = groups.find((others) => others.some((other) => isSamePlace(one, other)));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

/**
 * Passages of the same lines as one, in the order in which they were said; a chunk holds what is said in its lines. `around` is the text of chunks that hold them:
 * sentences that follow each other there stay together, between others stands `…`.
 */
export function merged(group: SamePlace, around: readonly StoredRow[]): Passage {
  const [best] = group;
  const said = best.unit === "chunk" ? [best] : group.filter(({ unit }) => unit === "statement");
  const inOrder = said.toSorted((a, b) => a.row.id - b.row.id);
  const texts = inOrder.map((one) => visible(one.text).trim());
  const whole = texts.length < 2 ? "" : around.map((row) => visible(row.text)).join("\n");
  const text = texts.reduce((before, next) => {
    const last = before.slice(-40);
    return whole.includes(`${last} ${next}`) ? `${before} ${next}` : `${before} … ${next}`;
  });
  const lines = [
    least(inOrder.map(({ row }) => row.lines[0])),
    greatest(inOrder.map(({ row }) => row.lines[1])),
  ] as const;
  return { row: best.row, unit: best.unit, lines, text, score: best.score, parts: partsOf(best) };
}

function isSamePlace(one: Recalled, other: Recalled): boolean {
  const [a, b] = [one.row, other.row];
  return a.source === b.source && a.lines[0] <= b.lines[1] && b.lines[0] <= a.lines[1];
}

function partsOf({ parts, steps }: Recalled): readonly ScorePart[] {
  const { section, words, meaning, weight, before, direct } = parts;
  const told = [
    ...steps.map((step): ScorePart => ({ part: `step ${step}`, score: 1 })),
    { part: "section", score: section },
    { part: "words", score: words },
    { part: "meaning", score: meaning },
    { part: "telling", score: weight },
    { part: "words before", score: before },
    { part: "answered by words", score: direct },
  ];
  return told
    .filter(({ score }) => score !== 0)
    .map(({ part, score }) => ({ part, score: Math.round(score * 1000) / 1000 }));
}

type Placed = Pick<Passage, "row" | "unit">;

/**
 * Who speaks where each passage begins, by the name in the source; `null` where nobody does. `read` are chunks that are at hand: where they do not tell, all of the
 * section is read. Errors: `io`.
 */
export async function speakersOf(
  index: SearchIndex,
  passages: readonly Placed[],
  read: readonly StoredRow[],
): Promise<readonly (string | null)[]> {
  const atHand = bySection(read);
  const byHand = passages.map((passage) => speakerNear(passage, atHand.get(passage.row.section) ?? []));
  const own = bySection(await ownChunks(index, passages, byHand));
  const near = passages.map((passage, at) =>
    byHand[at] !== undefined ? byHand[at] : speakerAbove(passage, own.get(passage.row.section) ?? []),
  );
  const unknown = new Set(passages.filter((_, at) => near[at] === undefined).map(({ row }) => row.section));
  const rest = unknown.size === 0 ? [] : await index.rowsOfSections("chunk", [...unknown]);
  const spoken = new Map([...bySection(rest)].map(([section, rows]) => [section, linesOf(rows)]));
  return passages.map((passage, at) => {
    const name = near[at];
    return name === undefined ? speakerIn(spoken.get(passage.row.section) ?? [], passage) : name;
  });
}

/** The chunks in which statements stand of whose speakers nothing is known: mostly they begin with the name, and a whole section is much to read. */
async function ownChunks(
  index: SearchIndex,
  passages: readonly Placed[],
  told: readonly (string | null | undefined)[],
): Promise<readonly StoredRow[]> {
  const places = passages
    .filter(({ unit }, at) => unit === "statement" && told[at] === undefined)
    .map(({ row: { source, lines } }) => ({ source, lines }));
  return places.length === 0 ? [] : index.rowsAt("chunk", places);
}

function bySection(rows: readonly StoredRow[]): ReadonlyMap<number, readonly StoredRow[]> {
  const sections = new Map<number, StoredRow[]>();
  for (const row of rows) {
    const known = sections.get(row.section);
    if (known === undefined) sections.set(row.section, [row]);
    else known.push(row);
  }
  return sections;
}

/** `undefined` when the chunks at hand do not tell. */
function speakerNear(passage: Placed, chunks: readonly StoredRow[]): string | null | undefined {
  const name = speakerAbove(passage, chunks);
  // Of a talk with an assistant only what the person says is a statement.
  return name === undefined && passage.unit === "statement" ? firstOf(chunks, (one) => personIn(one.text)) : name;
}

/** By the turns above it in its own chunk; `undefined` when they do not tell. */
function speakerAbove({ row, unit }: Placed, chunks: readonly StoredRow[]): string | null | undefined {
  const chunk = unit === "chunk" ? row : chunks.find((one) => holds(one, row));
  if (chunk === undefined) return undefined;
  const lines = chunk.text.split("\n");
  const name = turnAbove(lines, unit === "chunk" ? 0 : lines.findIndex((line) => line.includes(row.text)));
  if (typeof name === "string") return name;
  return name === null && chunk.lines[0] === chunk.sectionLines[0] ? null : undefined;
}

function firstOf<Row, Found>(rows: readonly Row[], find: (row: Row) => Found | undefined): Found | undefined {
  for (const row of rows) {
    const found = find(row);
    if (found !== undefined) return found;
  }
  return undefined;
}

function holds(chunk: StoredRow, { section, lines: [from], text }: StoredRow): boolean {
  return chunk.section === section && chunk.lines[0] <= from && from <= chunk.lines[1] && chunk.text.includes(text);
}

interface ChunkLine extends SpokenLine {
  readonly chunk: StoredRow;
}

function linesOf(rows: readonly StoredRow[]): readonly ChunkLine[] {
  const lines = rows.flatMap((chunk) => chunk.text.split("\n").map((text) => ({ number: 0, text, chunk })));
  return spokenLines(lines).map((line, at) => ({ ...line, chunk: lines[at]?.chunk as StoredRow }));
}

function speakerIn(lines: readonly ChunkLine[], { row, unit }: Placed): string | null {
  const said = lines.find(({ chunk, text }) =>
    unit === "chunk" ? chunk.id === row.id : holds(chunk, row) && text.includes(row.text),
  );
  return said === undefined || said.name === "" ? null : said.name;
}
