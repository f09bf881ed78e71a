import { isAlike } from "./pool.ts";
import type { Units } from "./units.ts";

/**
 * Units of a pool, the greatest value first, at most `most`, of equal values the earlier first. Of units that are alike and would be chosen the last
 * stands in the place of the best.
 */
export function chooseUnits(units: Units, values: Float64Array, most: number): readonly number[] {
  const chosen: number[] = [];
  const rest = values.slice();
  // What is said again and again may be all of the best: then those behind them are looked at.
  for (let round = 0; round < ROUNDS && chosen.length < most; round++) {
    const order = bestOf(rest, units.count, most * 2 + 8);
    for (const unit of order) {
      if (chosen.length === most) break;
      const twin = twinOf(units, unit, chosen);
      if (twin >= 0) chosen[twin] = Math.max(unit, chosen[twin] as number);
      else chosen.push(unit);
      rest[unit] = TAKEN;
    }
    if (order.length < most * 2 + 8) break;
  }
  return chosen;
}

/** How often the next best are looked at; more than a block of short sentences needs. */
const ROUNDS = 12;
const TAKEN = Number.NEGATIVE_INFINITY;

function twinOf(units: Units, unit: number, chosen: readonly number[]): number {
  for (let at = 0; at < chosen.length; at++) if (isAlike(units, unit, chosen[at] as number)) return at;
  return -1;
}

/** The units without those that are like one before them in the order. Quadratic, over a few hundred lines. */
export function withoutTwins(units: Units, order: readonly number[]): readonly number[] {
  const kept: number[] = [];
  for (const unit of order) if (!kept.some((other) => isAlike(units, unit, other))) kept.push(unit);
  return kept;
}

const bestUnits = new Int32Array(256);

/** The units of the greatest values, in their order. Linear but for those that come among the best. */
function bestOf(values: Float64Array, count: number, most: number): Int32Array {
  let size = 0;
  for (let unit = 0; unit < count; unit++) {
    const value = values[unit] as number;
    if (value === TAKEN) continue;
    if (size === most && value <= (values[bestUnits[size - 1] as number] as number)) continue;
    let place = size < most ? size++ : size - 1;
    for (; place > 0 && value > (values[bestUnits[place - 1] as number] as number); place--)
      bestUnits[place] = bestUnits[place - 1] as number;
    bestUnits[place] = unit;
  }
  return bestUnits.subarray(0, size);
}
