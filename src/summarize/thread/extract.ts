import { chooseUnits } from "./choose.ts";
import type { Line, Utterance } from "./line.ts";
import { lineText } from "./line-text.ts";
import { valuesOf } from "./pool.ts";
import { Reader } from "./reader.ts";
import { withoutSecrets } from "./secrets.ts";

/** Lines of a block of level 0. */
const mostLines = 16;

const reader = new Reader();

/** The lines worth keeping of messages that follow one another, the most telling first. Linear in their length. */
export function extractLines(utterances: readonly Utterance[]): readonly Line[] {
  const { units } = reader;
  units.clear();
  const texts = utterances.map(({ text }, index) => readWithoutSecrets(text, index));
  const values = valuesOf(units);
  return chooseUnits(units, values, mostLines).flatMap((unit): readonly Line[] => {
    const index = units.text[unit] as number;
    const { seq, role } = utterances[index] as Utterance;
    const text = lineText(texts[index] as string, units.from[unit] as number, units.to[unit] as number);
    return text === "" ? [] : [{ seq, role, text }];
  });
}

function readWithoutSecrets(text: string, index: number): string {
  const { units } = reader;
  const before = units.count;
  reader.read(text, index, "sentences");
  const safe = withoutSecrets(text, reader.secrets);
  if (safe === text) return text;
  units.cutBack(before);
  reader.read(safe, index, "sentences");
  return safe;
}
