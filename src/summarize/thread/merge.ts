import { chooseUnits } from "./choose.ts";
import type { Line } from "./line.ts";
import { valuesOf } from "./pool.ts";
import { Reader } from "./reader.ts";
import type { Units } from "./units.ts";

/** Lines of a rung above level 0. */
const mostLines = 24;

/** What the first line of a part has before the last: it stood first in other company. */
const STANDING = 1.6;

const reader = new Reader();

/** The lines worth keeping of parts that follow one another, the most telling first. */
export function mergeLines(parts: readonly (readonly Line[])[]): readonly Line[] {
  const lines = parts.flat();
  const units = readLines(lines);
  const values = valuesOf(units);
  let at = 0;
  for (const part of parts)
    for (let rank = 0; rank < part.length; rank++, at++)
      values[at] = (values[at] as number) + STANDING * (1 - rank / part.length);
  return chooseUnits(units, values, mostLines).map((unit) => lines[unit] as Line);
}

/** The lines of a pool, one unit each; they stand until the next pool is read. */
export function readLines(lines: readonly Line[]): Units {
  const { units } = reader;
  units.clear();
  for (const [index, line] of lines.entries()) reader.read(line, index, "whole");
  return units;
}
