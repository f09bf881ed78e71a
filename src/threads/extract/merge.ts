import { chooseUnits } from "./choose.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { valuesOf } from "./pool.ts";
import { Reader } from "./reader.ts";
import type { Units } from "./units.ts";

/** Lines of a rung above level 0. */
const mostLines = 24;

/** What the first line of a part has before the last: it stood first in other company. */
const STANDING = 1.6;

const reader = new Reader();

/** A part of which nothing was chosen still gets a line when its best is no worse than the last one by more than this. */
const LENIENCE = 1;

/** The lines worth keeping of parts that follow one another, the most telling first. */
export function mergeLines(parts: readonly (readonly SummaryLine[])[]): readonly SummaryLine[] {
  const lines = parts.flat();
  const units = readLines(lines);
  const values = valuesOf(units);
  let at = 0;
  for (const part of parts)
    for (let rank = 0; rank < part.length; rank++, at++)
      values[at] = (values[at] as number) + STANDING * (1 - rank / part.length);
  crowded(values, lines);
  const chosen = chooseUnits(units, values, mostLines);
  return heard(chosen, values, parts).map((unit) => lines[unit] as SummaryLine);
}

/** What each further line of one message costs, up to so many: others are to be heard too. */
const CROWDED = 0.3;
const MOST_CROWDED = 5;

/** Lessens the values of lines behind others of their message, which stand before them in the order of what they tell. */
export function crowded(values: Float64Array, lines: readonly SummaryLine[]): void {
  const told = new Map<number, number>();
  for (const [at, { seq }] of lines.entries()) {
    const before = told.get(seq) ?? 0;
    told.set(seq, before + 1);
    values[at] = (values[at] as number) - CROWDED * Math.min(MOST_CROWDED, before);
  }
}

/** With the best line of a part that is silent in the place of the last line of another. */
function heard(
  chosen: readonly number[],
  values: Float64Array,
  parts: readonly (readonly SummaryLine[])[],
): readonly number[] {
  const last = chosen.at(-1);
  if (last === undefined || chosen.length < mostLines) return chosen;
  let from = 0;
  for (const part of parts) {
    const to = from + part.length;
    if (to > from && !chosen.some((unit) => unit >= from && unit < to)) {
      let best = from;
      for (let unit = from; unit < to; unit++) if ((values[unit] as number) > (values[best] as number)) best = unit;
      const isClose = (values[best] as number) > (values[last] as number) - LENIENCE;
      return isClose ? [...chosen.slice(0, -1), best] : chosen;
    }
    from = to;
  }
  return chosen;
}

/** The lines of a pool, one unit each; they stand until the next pool is read. */
export function readLines(lines: readonly SummaryLine[]): Units {
  const { units } = reader;
  units.clear();
  for (const [index, line] of lines.entries()) reader.read(line, index, "whole");
  return units;
}
