import type { StoredRow } from "../index/search-index.ts";
import type { Contradiction } from "../context/contradictions.ts";
import { visible } from "../../text/visible.ts";
import type { ScorePart } from "../search/results.ts";
import type { Recalled } from "./search-step.ts";
import { greatest, least } from "../../base/lists.ts";

/** A passage as it is handed over. */
export interface Passage {
  readonly row: StoredRow;
  readonly unit: Recalled["unit"];
  readonly lines: readonly [number, number];
  readonly text: string;
  readonly score: number;
  readonly parts: readonly ScorePart[];
}

/** Passages of the same lines, the best first. */
export type SamePlace = readonly [Recalled, ...Recalled[]];

/** The chosen passages by their lines, in the order of the best of each: no lines are handed over twice. */
export function byPlace(chosen: readonly Recalled[]): readonly SamePlace[] {
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

/** The order of passages: as they were chosen, but what was superseded stands right behind what supersedes it. */
export function newerFirst(count: number, contradictions: readonly Contradiction[]): readonly number[] {
  const newerOf = new Map(contradictions.map(({ older, newer }) => [older, newer]));
  const topOf = (at: number): number => {
    const seen = new Set<number>();
    let top = at;
    for (let next = newerOf.get(top); next !== undefined && !seen.has(next); next = newerOf.get(top)) {
      seen.add(next);
      top = next;
    }
    return top;
  };
  const order: number[] = [];
  const done = new Set<number>();
  const put = (at: number): void => {
    if (done.has(at)) return;
    done.add(at);
    order.push(at);
    for (const { older, newer } of contradictions) if (newer === at) put(older);
  };
  for (let at = 0; at < count; at++) put(topOf(at));
  return order;
}
