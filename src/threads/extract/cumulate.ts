import { withoutTwins } from "./choose.ts";
import type { Cumulation, SummaryLine } from "../../base/summary-line.ts";
import { crowded, readLines } from "./merge.ts";
import { valuesOf } from "./pool.ts";

/** Lines that compete for the space; of more, the first are taken, as the most telling. */
const mostCandidates = 2000;

interface Candidate {
  readonly line: SummaryLine;
  readonly value: number;
  readonly octave: number;
  /** Characters of the printed line with its line end. */
  readonly size: number;
}

/**
 * The lines of a cumulative summary, the newest first. Lines are grouped by the octave of their age, counted in the length of the delta; every octave
 * has the same share of the space, and what one leaves goes to the others. So however many summaries came before, the newest has its share, and so has
 * the beginning.
 */
export function cumulateLines({ base, delta, base_to_seq, to_seq, space }: Cumulation): readonly SummaryLine[] {
  const stride = Math.max(1, to_seq - base_to_seq);
  const lines = [...delta.slice(0, mostCandidates), ...base.slice(0, mostCandidates)];
  const units = readLines(lines);
  const values = valuesOf(units);
  crowded(values, lines);
  const candidates = withoutTwins(units, newestFirst(lines)).map((index): Candidate => {
    const line = lines[index] as SummaryLine;
    const octave = Math.floor(Math.log2(Math.max(0, to_seq - line.seq) / stride + 1));
    return { line, value: values[index] as number, octave, size: sizeOf(line) };
  });
  const chosen = fill(groupsOf(candidates), space);
  return chosen.toSorted((a, b) => b.seq - a.seq);
}

function newestFirst(lines: readonly SummaryLine[]): readonly number[] {
  return lines
    .map((_, at) => at)
    .sort((a, b) => (lines[b] as SummaryLine).seq - (lines[a] as SummaryLine).seq || a - b);
}

/** By octave, the greatest value first; of equal ones the older, or no line would ever reach the next octave. */
function groupsOf(candidates: readonly Candidate[]): readonly (readonly Candidate[])[] {
  const groups = new Map<number, Candidate[]>();
  for (const candidate of candidates) {
    const group = groups.get(candidate.octave);
    if (group === undefined) groups.set(candidate.octave, [candidate]);
    else group.push(candidate);
  }
  return [...groups.values()].map((group) => group.sort((a, b) => b.value - a.value || a.line.seq - b.line.seq));
}

/** Deals the space out, to the groups that need least first: what they leave goes to the others. */
function fill(groups: readonly (readonly Candidate[])[], space: number): readonly SummaryLine[] {
  const order = groups
    .map((group) => ({ group, needs: group.reduce((sum, { size }) => sum + size, 0) }))
    .sort((a, b) => a.needs - b.needs);
  const chosen: SummaryLine[] = [];
  let left = space;
  for (const [done, { group }] of order.entries()) {
    let share = left / (order.length - done);
    for (const { line, size } of group) {
      if (size > share) continue;
      share -= size;
      left -= size;
      chosen.push(line);
    }
  }
  return chosen;
}

function sizeOf({ seq, role, text }: SummaryLine): number {
  return String(seq).length + role.length + text.length + 7;
}
