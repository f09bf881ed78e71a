import type { Pointed, Choice } from "../memory.ts";
import { wordKeysInOrder, wordKeys } from "../../text/word-keys.ts";
import { findChunks } from "../index/prepare.ts";
import type { SearchIndex, StoredRow, WeightedTerm, IndexFilter } from "../index/search-index.ts";
import { parseRootLine } from "../../tree/root/root-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { readRootFile } from "../../tree/run/tree-files.ts";
import type { RecallStep } from "../search/results.ts";
import type { RecallQuery } from "./query.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { daysCovered, parseNodePath } from "../../tree/model/period.ts";

/** Lines of ROOT.md that are followed; each costs a query of the index. */
const mostLines = 4;
/** Parts of nodes in which a line is looked for, and lines of each. */
const mostRowsOfLine = 3;
const mostOfRow = 2;

/** What a step reports besides its time. */
export type StepReport = Omit<RecallStep, "step" | "took_ms">;

/** What a step found: the source lines it leads to, and its report. */
interface StepResult {
  readonly pointed: readonly Pointed[];
  readonly told: StepReport;
}

/**
 * Lines of ROOT.md relevant to a message, followed through the nodes that say the same to source lines. Without a ROOT.md that heartwood compiled it finds nothing and says so.
 */
export async function retrieveFromRoot(
  memory: TreeMemory,
  index: SearchIndex,
  query: RecallQuery,
): Promise<StepResult> {
  const root = await readRootFile(memory);
  if (root?.document === undefined) {
    const why = root === undefined ? "there is no memory/ROOT.md" : "memory/ROOT.md is not one that heartwood compiled";
    return { pointed: [], told: { candidates: 0, kept: 0, notes: [why] } };
  }
  const lines = root.document.body.filter((line) => line.startsWith("- "));
  const bearing = matchingLines(lines, query.weights(), mostLines);
  const pointed: Pointed[] = [];
  for (const { at, strength } of bearing) {
    const line = lines[at] ?? "";
    const rows = await rowsBelow(index, line);
    const led = followRows("root", rows, () => withLine(query.weights(), line));
    for (const one of led) pointed.push({ ...one, strength: Math.min(one.strength, strength) });
  }
  return { pointed, told: { candidates: lines.length, kept: 0, notes: bearing.map(({ at }) => lines[at] ?? "") } };
}

/** The parts of nodes that say what the line says: those with its topic first. */
async function rowsBelow(index: SearchIndex, line: string): Promise<readonly StoredRow[]> {
  const { topic, text } = parseRootLine(line);
  const words = (part: string, weight: number): readonly WeightedTerm[] =>
    [...new Set(wordKeysInOrder(part))].slice(0, 12).map((word) => ({ kind: "word", text: word, weight }));
  const any = [...words(topic, 4), ...words(text, 1)];
  if (any.length === 0) return [];
  return (await findChunks(index, { ...nodes, any, limit: mostRowsOfLine })).map(({ row }) => row);
}

/** Parts of nodes that are read. */
const mostNodeRows = 12;

/** Nodes that match by their topics, and those that a model chose, traced down to the source lines that they refer to. */
export async function retrieveFromNodes(
  index: SearchIndex,
  query: RecallQuery,
  choose?: () => Promise<Choice>,
): Promise<StepResult & Pick<Choice, "warnings">> {
  if (query.terms.length === 0) return { pointed: [], told: { candidates: 0, kept: 0, notes: [] }, warnings: [] };
  const found = await findChunks(index, { ...nodes, any: query.terms, limit: mostNodeRows });
  const rows = found.map(({ row }) => row);
  const pointed = followRows("manifest", rows, query.weights);
  const paths = [...new Set(rows.map(({ source }) => source))];
  const told = { candidates: rows.length, kept: 0, notes: paths };
  if (choose === undefined) return { pointed, told, warnings: [] };
  const choice = await choose();
  const chosen = await choice.follow(index, query);
  return {
    pointed: [...pointed, ...chosen],
    told: { ...told, candidates: rows.length + chosen.length, notes: [...choice.notes, ...paths] },
    warnings: choice.warnings,
  };
}

/** Refs of one line that are followed: the newest. */
const mostRefs = 4;
/** Words of a line that say what it is about. */
const mostLineWords = 12;

/**
 * Source lines that the relevant lines of nodes refer to, two lines of each row. `weights`: how much each word says, by its key. A node that copies a log refers to none;
 * the same words find its log.
 */
export function followRows(
  step: Pointed["step"],
  rows: readonly StoredRow[],
  weights: () => ReadonlyMap<string, number>,
): readonly Pointed[] {
  return rows.flatMap((row) => {
    const name = parseNodePath(row.source);
    if (name === undefined) return [];
    const days = daysCovered(name.level, name.period);
    const lines = row.text.split("\n");
    return matchingLines(lines, weights(), mostOfRow).flatMap(({ at, strength }): readonly Pointed[] => {
      const { refs } = parseRefSuffix(lines[at] ?? "", days.first);
      return refs
        .filter(({ from }) => from > 0)
        .slice(-mostRefs)
        .map(({ log, from, to }) => ({ step, strength, source: `memory/${log}.md`, lines: [from, to] }));
    });
  });
}

/** The weights of a message, and those of the words of a line relevant to it: half as much, for they only say what the line is about. */
function withLine(weights: ReadonlyMap<string, number>, line: string): ReadonlyMap<string, number> {
  const mean = [...weights.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.size);
  const known = [...wordKeys(line)].filter((key) => !weights.has(key)).slice(0, mostLineWords);
  return new Map([...weights, ...known.map((key): readonly [string, number] => [key, mean / 2])]);
}

/** The nodes below ROOT.md, which the first step reads itself. */
const nodes: IndexFilter = { kinds: ["node"], levels: ["monthly", "weekly", "daily"] };

/** Words of the message that count, the heaviest; a long message must not make every line weak. */
const mostMessageWords = 12;
/** Less is chance. */
const leastStrength = 0.12;

/**
 * The lines relevant to a message, strongest first, at most `most`, each by its place; of equal ones the one above. `weights`: how much each word of the
 * message says, by its key; a word in many of the lines says less. `strength`, 0 to 1: the part of the message's weight that the line has.
 */
function matchingLines(
  lines: readonly string[],
  weights: ReadonlyMap<string, number>,
  most: number,
): readonly { readonly at: number; readonly strength: number }[] {
  const own = [...weights].toSorted(([, a], [, b]) => b - a);
  const total = own.slice(0, mostMessageWords).reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return [];
  // Taking the words of a line apart costs much more than looking for the beginnings of keys in it.
  const beginnings = [...new Set(own.map(([key]) => key.slice(0, 3)))];
  const keys = lines.map((line) => {
    const lower = line.normalize("NFKC").toLowerCase();
    return beginnings.some((beginning) => lower.includes(beginning)) ? wordKeys(line) : new Set<string>();
  });
  const counts = new Map(own.map(([key]) => [key, keys.filter((line) => line.has(key)).length]));
  const found = keys.map((line, at) => {
    const shared = own.filter(([key]) => line.has(key));
    const weight = shared.reduce((sum, [key, one]) => sum + one * rarity(counts.get(key) ?? 0, lines.length), 0);
    return { at, strength: Math.min(1, weight / total) };
  });
  const enough = found.filter(({ strength }) => strength >= leastStrength);
  return enough.toSorted((a, b) => b.strength - a.strength || a.at - b.at).slice(0, most);
}

/** 1 for a word of one line, falling to 0 for one of all lines. */
function rarity(count: number, lines: number): number {
  return lines < 2 || count < 2 ? 1 : Math.max(0, 1 - Math.log(count) / Math.log(lines));
}
