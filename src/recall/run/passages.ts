import type { StoredRow, SearchIndex } from "../index/search-index.ts";
import { visible } from "../../text/visible.ts";
import type { ScorePart } from "../search/inputs-and-results.ts";
import { greatest, least } from "../../base/lists.ts";
import { spokenLines } from "../rank/speakers.ts";

/** A passage of the result. */
export interface Passage {
  readonly row: StoredRow;
  readonly unit: "chunk" | "statement";
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly score: number;
  readonly parts: readonly ScorePart[];
  /** Who speaks at its start, as named in the source; `null` outside conversations. */
  readonly speaker: string | null;
}

/** A row as a passage, without score and speaker. */
export function passageOf(row: StoredRow, unit: Passage["unit"], text = visible(row.text).trim()): Passage {
  return { row, unit, lines: row.lines, text, score: 0, parts: [], speaker: null };
}

/** Whether a passage is below a heading, has a day, and is not part of a conversation. */
export function isNote({ row, speaker }: Passage): boolean {
  return speaker === null && row.day !== "" && row.heading !== "";
}

/** Passages whose lines overlap, best first. */
type SamePlace = readonly [Passage, ...Passage[]];

/** Groups passages whose lines overlap, so that no line is returned twice. Ordered by the best passage in each group. */
export function groupByPlace(chosen: readonly Passage[]): readonly SamePlace[] {
  const groups: [Passage, ...Passage[]][] = [];
  for (const one of chosen) {
    const group = groups.find((others) => others.some((other) => isSamePlace(one, other)));
    if (group === undefined) groups.push([one]);
    else group.push(one);
  }
  return groups;
}

/**
 * Merges a group into one passage, in source order. If the best one is a chunk, it replaces the group, because it contains the rest. `around`: chunks around
 * the passages; sentences that are adjacent in them are joined by a space, others by `…`.
 */
export function merged(group: SamePlace, around: readonly StoredRow[]): Passage {
  const [best] = group;
  const said = best.unit === "chunk" ? [best] : group.filter(({ unit }) => unit === "statement");
  const inOrder = said.toSorted((a, b) => a.row.id - b.row.id);
  const texts = inOrder.map((one) => one.text);
  const own = texts.length < 2 ? [] : around.filter(({ source }) => source === best.row.source);
  const whole = own.map((row) => visible(row.text)).join("\n");
  const text = texts.reduce((before, next) => {
    const last = before.slice(-40);
    return whole.includes(`${last} ${next}`) ? `${before} ${next}` : `${before} … ${next}`;
  });
  const lines = [
    least(inOrder.map(({ row }) => row.lines[0])),
    greatest(inOrder.map(({ row }) => row.lines[1])),
  ] as const;
  return { ...best, lines, text };
}

function isSamePlace(one: Passage, other: Passage): boolean {
  const [a, b] = [one.row, other.row];
  return a.source === b.source && a.lines[0] <= b.lines[1] && b.lines[0] <= a.lines[1];
}

/** Adds speakers to passages, from the turns of their whole sections. Errors: `io`. */
export async function withSpeakers(index: SearchIndex, passages: readonly Passage[]): Promise<readonly Passage[]> {
  const chunks = await index.rowsOfSections(
    "chunk",
    passages.map(({ row }) => row.section),
  );
  const sections = new Map(
    [...Map.groupBy(chunks, ({ section }) => section)].map(([section, own]) => {
      const lines = own.flatMap((chunk) => chunk.text.split("\n").map((text) => ({ number: 0, text, chunk })));
      return [section, spokenLines(lines).map((line, at) => ({ ...line, chunk: lines[at]?.chunk }))] as const;
    }),
  );
  return passages.map((passage) => {
    const { row, unit } = passage;
    const said = sections.get(row.section)?.find(({ text, chunk }) => {
      if (chunk === undefined || unit === "chunk") return chunk?.id === row.id;
      const [from] = row.lines;
      return chunk.lines[0] <= from && from <= chunk.lines[1] && text.includes(row.text);
    });
    return { ...passage, speaker: said?.name || null };
  });
}
