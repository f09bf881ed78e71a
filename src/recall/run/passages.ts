import type { StoredRow, SearchIndex } from "../index/search-index.ts";
import { visible } from "../../text/visible.ts";
import type { ScorePart } from "../search/results.ts";
import type { Recalled } from "./search-step.ts";
import { greatest, least } from "../../base/lists.ts";
import { personIn, spokenLines, turnAbove } from "../rank/speakers.ts";

/** A passage as it is handed over. */
export interface Passage {
  readonly row: StoredRow;
  readonly unit: Recalled["unit"];
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly score: number;
  readonly parts: readonly ScorePart[];
  /** Who speaks where it begins, by the name in the source; `null` outside conversations. */
  readonly speaker: string | null;
}

/** What a row says by itself. */
export function passageOf(row: StoredRow, unit: Passage["unit"], text = visible(row.text).trim()): Passage {
  return { row, unit, lines: row.lines, text, score: 0, parts: [], speaker: null };
}

/** Whether it is below a heading of a dated text that is no conversation. */
export function isNote({ row, speaker }: Passage): boolean {
  return speaker === null && row.day !== "" && row.heading !== "";
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
 * Passages of the same lines as one, in the order in which they were said; a chunk contains what is said in its lines. `around` is the text of chunks that contain them:
 * sentences that follow each other there stay together, between others is `…`.
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
  return { row: best.row, unit: best.unit, lines, text, score: best.score, parts: partsOf(best), speaker: null };
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

/**
 * The passages with their speakers. `read` are chunks at hand: only where they do not show it the passage's own chunk is read, and last its whole section.
 * Errors: `io`.
 */
export async function withSpeakers(
  index: SearchIndex,
  passages: readonly Passage[],
  read: readonly StoredRow[],
): Promise<readonly Passage[]> {
  const names: (string | null | undefined)[] = passages.map((passage) => speakerNear(passage, read));
  const missing = (): readonly Passage[] => passages.filter((_, at) => names[at] === undefined);
  const fill = (chunks: readonly StoredRow[], find: typeof speakerNear): void =>
    passages.forEach((passage, at) => {
      if (names[at] === undefined) names[at] = find(passage, chunks);
    });
  const statements = missing().filter(({ unit }) => unit === "statement");
  if (statements.length > 0)
    fill(
      await index.rowsAt(
        "chunk",
        statements.map(({ row }) => row),
      ),
      speakerAbove,
    );
  const sections = new Set(missing().map(({ row }) => row.section));
  if (sections.size > 0) fill(await index.rowsOfSections("chunk", [...sections]), speakerIn);
  return passages.map((passage, at) => ({ ...passage, speaker: names[at] ?? null }));
}

/** `undefined` when the chunks at hand do not show it. */
function speakerNear(passage: Passage, chunks: readonly StoredRow[]): string | null | undefined {
  const name = speakerAbove(passage, chunks);
  if (name !== undefined || passage.unit === "chunk") return name;
  // In a conversation with an assistant, only what the person says is a statement.
  const own = chunks.filter(({ section }) => section === passage.row.section);
  return own.map(({ text }) => personIn(text)).find((person) => person !== undefined);
}

/** By the turns above it in its own chunk; `undefined` when they do not show it. */
function speakerAbove({ row, unit }: Passage, chunks: readonly StoredRow[]): string | null | undefined {
  const chunk = unit === "chunk" ? row : chunks.find((one) => contains(one, row));
  if (chunk === undefined) return undefined;
  const lines = chunk.text.split("\n");
  const name = turnAbove(lines, unit === "chunk" ? 0 : lines.findIndex((line) => line.includes(row.text)));
  if (typeof name === "string") return name;
  return name === null && chunk.lines[0] === chunk.sectionLines[0] ? null : undefined;
}

function contains(chunk: StoredRow, { section, lines: [from], text }: StoredRow): boolean {
  return chunk.section === section && chunk.lines[0] <= from && from <= chunk.lines[1] && chunk.text.includes(text);
}

/** By the turns of the whole section. */
function speakerIn({ row, unit }: Passage, chunks: readonly StoredRow[]): string | null {
  const lines = chunks
    .filter(({ section }) => section === row.section)
    .flatMap((chunk) => chunk.text.split("\n").map((text) => ({ number: 0, text, chunk })));
  const said = spokenLines(lines).find(({ text }, at) => {
    const chunk = lines[at]?.chunk;
    if (chunk === undefined) return false;
    return unit === "chunk" ? chunk.id === row.id : contains(chunk, row) && text.includes(row.text);
  });
  return said?.name || null;
}
