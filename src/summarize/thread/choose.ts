import { likeness } from "./pool.ts";
import type { Units } from "./units.ts";

/** Units that share this much of their words are one. */
const ALIKE = 0.8;

/** Units of a pool, the greatest value first, at most `most`, none like another; of equal values the earlier first. */
export function chooseUnits(units: Units, values: Float64Array, most: number): readonly number[] {
  const order = bestOf(values, units.count, most * 2 + 8);
  const chosen: number[] = [];
  for (const unit of order) {
    if (chosen.length === most) break;
    if (!chosen.some((other) => likeness(units, unit, other) >= ALIKE)) chosen.push(unit);
  }
  return chosen;
}

/** The units of the greatest values, in their order; a heap would be no faster for so few. */
function bestOf(values: Float64Array, count: number, most: number): readonly number[] {
  const order = Array.from({ length: count }, (_, unit) => unit);
  order.sort((a, b) => (values[b] as number) - (values[a] as number) || a - b);
  return order.slice(0, most);
}
