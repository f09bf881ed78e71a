import { redact } from "../../text/redact/redact.ts";
import { chooseUnits, type Unit, Units, valuesOf, withoutTwins } from "./choose-units.ts";
import type { SummaryLine, Utterance, Cumulation } from "../../base/summary-line.ts";
import { printLine } from "../model/summary.ts";
import { TextReader } from "./text-reader.ts";

/** The built-in thread summarizer, which needs no model: selects sentences from the messages verbatim, in any script. Deterministic; redacts secrets. */
export const builtInThreadSummarizer = {
  id: "built-in-thread-1",
  extract: extractLines,
  merge: mergeLines,
  cumulate: cumulateLines,
} as const;

/** Maximum lines from a level 0 block. */
const MOST_EXTRACTED = 16;

/** The lines worth keeping from consecutive messages, most informative first. Linear in their length. */
function extractLines(utterances: readonly Utterance[]): readonly SummaryLine[] {
  const units = new Units();
  const texts = utterances.map(({ text, role }, index) => {
    const safe = redact(text).text;
    new TextReader(units, { text: safe, role, index, cutting: "sentences" }).read();
    return safe;
  });
  const values = diluted(valuesOf(units), units, utterances);
  const chosen = chooseUnits(units, values, MOST_EXTRACTED);
  return chosen.flatMap((at): readonly SummaryLine[] => {
    const unit = units.all[at] as Unit;
    const { seq, role } = utterances[unit.text] as Utterance;
    const before = chosen.includes(at - 1) ? undefined : units.all[at - 1];
    const from = before !== undefined && leansOn(unit, before) ? before.from : unit.from;
    const text = lineText(texts[unit.text] as string, from, unit.to);
    return text === "" ? [] : [{ seq, role, text }];
  });
}

/** Whether a unit makes no sense without the one right before it, and both fit on a line. */
function leansOn(unit: Unit, before: Unit): boolean {
  if (unit.leans === 0 || unit.text !== before.text || unit.from !== before.to) return false;
  return unit.to - before.from <= longestLine;
}

/** The more sentences a message has, the less each is worth; the effect is stronger for lines of tool output. */
function diluted(values: Float64Array, units: Units, utterances: readonly Utterance[]): Float64Array {
  const sizes = new Map<number, number>();
  for (const { text } of units.all) sizes.set(text, (sizes.get(text) ?? 0) + 1);
  return values.map((value, at) => {
    const { text } = units.all[at] as Unit;
    const size = sizes.get(text) as number;
    if (utterances[text]?.role === "tool") return value - OUTPUT_DILUTION * Math.max(0, Math.log2(size / FEW_LINES));
    return value - DILUTION * Math.max(SHORT, Math.log2(size / FEW));
  });
}

/** The number of sentences a message may have without penalty, and the cost of each doubling. */
const FEW = 5;
const DILUTION = 0.35;
/** Caps the bonus for messages of one or two sentences. */
const SHORT = -1.4;
/** The same numbers for lines of tool output. */
const FEW_LINES = 3;
const OUTPUT_DILUTION = 0.7;

/** Maximum lines of a rung above level 0. */
const MOST_MERGED = 24;

/** The bonus of a part's first line over its last, because it was ranked first there. */
const STANDING = 1.6;

/** A part with no chosen line still gets one if its best line is at most this much worse than the last chosen line. */
const LENIENCE = 1;

/** The lines worth keeping from consecutive parts, most informative first. */
function mergeLines(parts: readonly (readonly SummaryLine[])[]): readonly SummaryLine[] {
  const lines = parts.flat();
  const units = readLines(lines);
  const values = valuesOf(units);
  let at = 0;
  for (const part of parts)
    for (let rank = 0; rank < part.length; rank++, at++)
      values[at] = (values[at] as number) + STANDING * (1 - rank / part.length);
  crowded(values, lines);
  const chosen = chooseUnits(units, values, MOST_MERGED);
  return heard(chosen, values, parts).map((unit) => lines[unit] as SummaryLine);
}

/** The penalty for each further line from the same message, up to a limit, so that other messages get lines too. */
const CROWDED = 0.3;
const MOST_CROWDED = 5;

/** Lowers the values of further lines from the same message. */
function crowded(values: Float64Array, lines: readonly SummaryLine[]): void {
  const seen = new Map<number, number>();
  for (const [at, { seq }] of lines.entries()) {
    const before = seen.get(seq) ?? 0;
    seen.set(seq, before + 1);
    values[at] = (values[at] as number) - CROWDED * Math.min(MOST_CROWDED, before);
  }
}

/** Returns the chosen lines, possibly replacing the last one with the best line of a part that has none. */
function heard(
  chosen: readonly number[],
  values: Float64Array,
  parts: readonly (readonly SummaryLine[])[],
): readonly number[] {
  const last = chosen.at(-1);
  if (last === undefined || chosen.length < MOST_MERGED) return chosen;
  let from = 0;
  for (const part of parts) {
    const units = Array.from(part, (_, at) => from + at);
    from += part.length;
    if (units.length === 0 || units.some((unit) => chosen.includes(unit))) continue;
    const best = units.reduce((one, other) => ((values[other] as number) > (values[one] as number) ? other : one));
    const isClose = (values[best] as number) > (values[last] as number) - LENIENCE;
    return isClose ? [...chosen.slice(0, -1), best] : chosen;
  }
  return chosen;
}

/** Reads lines as units, one per line. */
function readLines(lines: readonly SummaryLine[]): Units {
  const units = new Units();
  for (const [index, line] of lines.entries()) new TextReader(units, { ...line, index, cutting: "whole" }).read();
  return units;
}

/** Maximum lines per source that compete for the space; the first ones are the most informative. */
const mostCandidates = 2000;

/**
 * The lines in a cumulative summary, newest first. Lines are grouped into octaves by age, in multiples of the delta's length. Every octave gets the
 * same share of the space, and unused space goes to the others. So both the newest lines and the beginning keep their share, however many summaries
 * came before.
 */
function cumulateLines({ base, delta, base_to_seq, to_seq, space }: Cumulation): readonly SummaryLine[] {
  const stride = Math.max(1, to_seq - base_to_seq);
  const lines = [...delta.slice(0, mostCandidates), ...base.slice(0, mostCandidates)];
  const units = readLines(lines);
  const values = valuesOf(units);
  crowded(values, lines);
  const newestFirst = [...lines.keys()].sort((a, b) => seqOf(lines, b) - seqOf(lines, a) || a - b);
  const octaveOf = (at: number): number => Math.floor(Math.log2(Math.max(0, to_seq - seqOf(lines, at)) / stride + 1));
  const octaves = Map.groupBy(withoutTwins(units, newestFirst), octaveOf);
  // Highest value first. Ties go to the older line, since otherwise no line would ever reach the next octave.
  const groups = [...octaves.values()].map((group) =>
    group
      .toSorted((a, b) => (values[b] as number) - (values[a] as number) || seqOf(lines, a) - seqOf(lines, b))
      .map((at) => lines[at] as SummaryLine),
  );
  return fill(groups, space).toSorted((a, b) => b.seq - a.seq);
}

function seqOf(lines: readonly SummaryLine[], at: number): number {
  return (lines[at] as SummaryLine).seq;
}

/** Distributes the space, starting with the groups that need the least; what they leave unused goes to the others. */
function fill(groups: readonly (readonly SummaryLine[])[], space: number): readonly SummaryLine[] {
  const order = groups
    .map((group) => ({ group, needs: group.reduce((sum, line) => sum + sizeOf(line), 0) }))
    .sort((a, b) => a.needs - b.needs);
  const chosen: SummaryLine[] = [];
  let left = space;
  for (const [done, { group }] of order.entries()) {
    let share = left / (order.length - done);
    for (const line of group) {
      const size = sizeOf(line);
      if (size > share) continue;
      share -= size;
      left -= size;
      chosen.push(line);
    }
  }
  return chosen;
}

/** Characters of the printed line, including its line end. */
function sizeOf(line: SummaryLine): number {
  return printLine(line).length + 1;
}

/** Maximum code points per line. */
const longestLine = 240;

const head = /^(?:[-*+•·>#]+\s+|\d{1,3}[.)]\s+|\[[ xX]\]\s+)+/u;

/** The text of a unit as one line: without control characters or list marker, with whitespace collapsed, cut at a word. */
function lineText(text: string, from: number, to: number): string {
  const far = Math.min(to, from + 4 * longestLine);
  const flat = text
    .slice(from, far)
    .trim()
    .toWellFormed()
    .replaceAll(/[\p{Cc}\s\u200b]+/gu, " ")
    .trim()
    .replace(head, "");
  return flat.length <= longestLine && far === to ? flat : cut(flat);
}

function cut(flat: string): string {
  if (flat.length < longestLine) return `${flat}…`;
  const points = Array.from(flat.slice(0, 2 * longestLine));
  if (points.length <= longestLine && flat.length <= 2 * longestLine) return flat;
  const most = points.slice(0, longestLine - 1).join("");
  const space = most.lastIndexOf(" ");
  return `${most.slice(0, space > most.length * 0.7 ? space : most.length).trimEnd()}…`;
}
