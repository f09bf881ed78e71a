import type { Cumulation, Line } from "./line.ts";
import { valuesOfLines } from "./merge.ts";

/** The lines of a cumulative summary, the newest first: every octave of age has its share of the space. */
export function cumulateLines({ base, delta, base_to_seq, to_seq, space }: Cumulation): readonly Line[] {
  const stride = Math.max(1, to_seq - base_to_seq);
  const lines = [...delta, ...base];
  const values = valuesOfLines(lines);
  const octaves = new Map<number, number[]>();
  for (const [index, { seq }] of lines.entries()) {
    const octave = Math.floor(Math.log2(Math.max(0, to_seq - seq) / stride + 1));
    const own = octaves.get(octave);
    if (own === undefined) octaves.set(octave, [index]);
    else own.push(index);
  }
  const groups = [...octaves.values()].map((group) =>
    group.toSorted((a, b) => (values[b] as number) - (values[a] as number) || a - b),
  );
  const chosen = fill(groups, lines, space);
  return chosen.toSorted((a, b) => b.seq - a.seq);
}

/** Deals the space out in equal shares; what one group leaves goes to the others. */
function fill(groups: readonly (readonly number[])[], lines: readonly Line[], space: number): readonly Line[] {
  const sizes = groups.map((group) => group.reduce((sum, index) => sum + sizeOf(lines[index] as Line), 0));
  const order = groups.map((_, at) => at).toSorted((a, b) => (sizes[a] as number) - (sizes[b] as number) || a - b);
  const chosen: Line[] = [];
  let left = space;
  for (const [done, at] of order.entries()) {
    let share = left / (groups.length - done);
    for (const index of groups[at] as readonly number[]) {
      const line = lines[index] as Line;
      const size = sizeOf(line);
      if (size > share) continue;
      share -= size;
      left -= size;
      chosen.push(line);
    }
  }
  return chosen;
}

/** Characters of the printed line with its line end. */
function sizeOf({ seq, role, text }: Line): number {
  return String(seq).length + role.length + text.length + 7;
}
