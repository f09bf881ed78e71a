import { redact } from "../../text/redact/redact.ts";
import { chooseUnits } from "./choose.ts";
import type { SummaryLine, Utterance } from "../../base/summary-line.ts";
import { lineText, longestLine } from "./line-text.ts";
import { valuesOf } from "./pool.ts";
import { Reader } from "./reader.ts";
import type { Units } from "./units.ts";

/** Lines of a block of level 0. */
const mostLines = 16;

const reader = new Reader();

/** The lines worth keeping of messages that follow one another, the most telling first. Linear in their length. */
export function extractLines(utterances: readonly Utterance[]): readonly SummaryLine[] {
  const { units } = reader;
  units.clear();
  const texts = utterances.map(readWithoutSecrets);
  const values = diluted(valuesOf(units), units, utterances);
  const chosen = chooseUnits(units, values, mostLines);
  return chosen.flatMap((unit): readonly SummaryLine[] => {
    const index = units.text[unit] as number;
    const { seq, role } = utterances[index] as Utterance;
    const from = leansOn(units, unit, chosen) ? unit - 1 : unit;
    const text = lineText(texts[index] as string, units.from[from] as number, units.to[unit] as number);
    return text === "" ? [] : [{ seq, role, text }];
  });
}

/** Whether a unit is to be read with the one before it, which is not told itself and stands right before it; both fit on a line. */
function leansOn(units: Units, unit: number, chosen: readonly number[]): boolean {
  if (units.leans[unit] === 0 || unit === 0 || units.text[unit] !== units.text[unit - 1]) return false;
  const [from, to] = [units.from[unit - 1] as number, units.to[unit] as number];
  return units.to[unit - 1] === units.from[unit] && to - from <= longestLine && !chosen.includes(unit - 1);
}

/** A message of many sentences says less with each, and output of many lines much less. */
function diluted(values: Float64Array, units: Units, utterances: readonly Utterance[]): Float64Array {
  for (let from = 0, to = 0; from < units.count; from = to) {
    while (to < units.count && units.text[to] === units.text[from]) to += 1;
    const isOutput = utterances[units.text[from] as number]?.role === "tool";
    const lost = isOutput
      ? OUTPUT_DILUTION * Math.max(0, Math.log2((to - from) / FEW_LINES))
      : DILUTION * Math.max(SHORT, Math.log2((to - from) / FEW));
    for (let unit = from; unit < to; unit++) values[unit] = (values[unit] as number) - lost;
  }
  return values;
}

/** Sentences of a message that count as they are, and what each doubling of them costs. */
const FEW = 5;
const DILUTION = 0.35;
/** A message of a sentence or two was sent for these. */
const SHORT = -1.4;
/** The same of the lines of output. */
const FEW_LINES = 3;
const OUTPUT_DILUTION = 0.7;

/** Reads a message without its secrets; the text of which the units are. */
function readWithoutSecrets({ text, role }: Utterance, index: number): string {
  const safe = redact(text).text;
  reader.read({ text: safe, role }, index, "sentences");
  return safe;
}
