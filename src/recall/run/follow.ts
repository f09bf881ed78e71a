import { wordKeys } from "../../text/word-keys.ts";
import { parseRefSuffix, type Ref } from "../../base/refs.ts";
import type { StoredRow } from "../index/search-index.ts";
import { bearingLines } from "../context/bearing.ts";
import { daysCovered, nodeLevels, parseNodeFile, type NodeName } from "../../tree/model/period.ts";
import type { Pointed } from "./pointed.ts";

export interface Followed {
  readonly step: Pointed["step"];
  readonly rows: readonly StoredRow[];
  /** How much each word says, by its key. */
  readonly weights: () => ReadonlyMap<string, number>;
  /** Lines of one row that are followed. */
  readonly most: number;
}

/** Refs of one line that are followed: the newest. */
const mostRefs = 4;
/** Words of a line that say what it is about. */
const mostWords = 12;

/** Where the lines of nodes that bear on a message lead: to the raw lines that they name. A copy of a log names none; its log is found by the same words. */
export function followRows({ step, rows, weights, most }: Followed): readonly Pointed[] {
  return rows.flatMap((row) => {
    const name = nodeOf(row.source);
    if (name === undefined) return [];
    const days = daysCovered(name.level, name.period);
    const lines = row.text.split("\n");
    return bearingLines(lines, weights(), most).flatMap(({ at, strength }): readonly Pointed[] => {
      const { refs } = parseRefSuffix(lines[at] ?? "", days.first);
      return refs
        .filter(({ from }) => from > 0)
        .slice(-mostRefs)
        .map((ref) => pointedBy(ref, { step, strength }));
    });
  });
}

function pointedBy({ log, from, to }: Ref, led: Pick<Pointed, "step" | "strength">): Pointed {
  return { ...led, source: `memory/${log}.md`, lines: [from, to] };
}

/** The node that a source of the index is. */
function nodeOf(source: string): NodeName | undefined {
  const [, level, file] = source.split("/");
  const known = nodeLevels.find((candidate) => candidate === level);
  return known === undefined || file === undefined ? undefined : parseNodeFile(known, file);
}

/** The weights of a message, and those of the words of a line that bears on it: half as much, for they only say what the line is about. */
export function withLine(weights: ReadonlyMap<string, number>, line: string): ReadonlyMap<string, number> {
  const mean = [...weights.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.size);
  const known = [...wordKeys(line)].filter((key) => !weights.has(key)).slice(0, mostWords);
  return new Map([...weights, ...known.map((key): readonly [string, number] => [key, mean / 2])]);
}
