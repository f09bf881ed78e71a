import { wordKeysInOrder } from "../../text/word-keys.ts";
import type { SearchIndex, StoredRow, WeightedTerm } from "../index/search-index.ts";
import { bearingLines } from "../context/bearing.ts";
import { parseRootLine } from "../../tree/root/root-format.ts";
import type { RecallMemory } from "../memory.ts";
import { readRootFile } from "../../tree/run/tree-files.ts";
import { followRows, withLine } from "./follow.ts";
import { nodeRows } from "./node-rows.ts";
import type { StepTold } from "./one.ts";
import type { Pointed } from "./pointed.ts";
import type { RecallQuery } from "./query.ts";
import { pushAll } from "../../base/lists.ts";

/** Lines of ROOT.md that are followed; each costs a look into the index. */
const mostLines = 4;
/** Parts of nodes in which a line is looked for, and lines of each. */
const mostRows = 3;
const mostOfRow = 2;

/** What a step found: where it leads, and what it tells. */
export interface Led {
  readonly pointed: readonly Pointed[];
  readonly told: StepTold;
}

/**
 * The lines of ROOT.md that bear on a message, followed through the nodes that say the same to raw lines. Without a ROOT.md of ours it leads nowhere and says so.
 */
export async function lookInRoot(memory: RecallMemory, index: SearchIndex, query: RecallQuery): Promise<Led> {
  const root = await readRootFile(memory);
  if (root === undefined) return nowhere("there is no memory/ROOT.md");
  if (root.document === undefined) return nowhere("memory/ROOT.md is not one that heartwood compiled");
  const lines = root.document.body.filter((line) => line.startsWith("- "));
  const bearing = bearingLines(lines, query.weights(), mostLines);
  const pointed: Pointed[] = [];
  for (const { at, strength } of bearing) {
    const line = lines[at] ?? "";
    const rows = await rowsBelow(index, line);
    const led = followRows({ step: "root", rows, weights: () => withLine(query.weights(), line), most: mostOfRow });
    pushAll(
      pointed,
      led.map((one) => ({ ...one, strength: Math.min(one.strength, strength) })),
    );
  }
  return { pointed, told: { candidates: lines.length, kept: 0, notes: bearing.map(({ at }) => lines[at] ?? "") } };
}

function nowhere(why: string): Led {
  return { pointed: [], told: { candidates: 0, kept: 0, notes: [why] } };
}

/** The parts of nodes that say what the line says: those with its topic first. */
async function rowsBelow(index: SearchIndex, line: string): Promise<readonly StoredRow[]> {
  const { topic, text } = parseRootLine(line);
  const words = (part: string, weight: number): readonly WeightedTerm[] =>
    [...new Set(wordKeysInOrder(part))].slice(0, 12).map((word) => ({ kind: "word", text: word, weight }));
  const any = [...words(topic, 4), ...words(text, 1)];
  if (any.length === 0) return [];
  return nodeRows(index, any, mostRows);
}
