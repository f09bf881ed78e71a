import { chooseUnits } from "./choose.ts";
import type { Line } from "./line.ts";
import { valuesOf } from "./pool.ts";
import { Reader } from "./reader.ts";

/** Lines of a rung above level 0. */
const mostLines = 24;

const reader = new Reader();

/** The lines worth keeping of parts that follow one another, the most telling first. */
export function mergeLines(parts: readonly (readonly Line[])[]): readonly Line[] {
  const lines = parts.flat();
  return chooseUnits(reader.units, valuesOfLines(lines), mostLines).map((unit) => lines[unit] as Line);
}

/** What each line of a pool is worth in it; the units of the pool stay in the reader until the next. */
export function valuesOfLines(lines: readonly Line[]): Float64Array {
  const { units } = reader;
  units.clear();
  for (const [index, { text }] of lines.entries()) reader.read(text, index, "whole");
  return valuesOf(units);
}
