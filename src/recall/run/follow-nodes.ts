import type { Pointed, Choice } from "../memory.ts";
import { wordKeysInOrder, wordKeys } from "../../text/word-keys.ts";
import { findChunks } from "../index/prepare.ts";
import type { SearchIndex, StoredRow, WeightedTerm, IndexFilter } from "../index/search-index.ts";
import { parseRootLine } from "../../tree/root/root-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { readRootFile } from "../../tree/run/tree-files.ts";
import type { RecallStep } from "../search/inputs-and-results.ts";
import type { RecallQuery } from "./query.ts";
import { parseRefSuffix } from "../../base/refs.ts";
import { daysCovered, parseNodePath } from "../../tree/model/period.ts";

/** How many lines of ROOT.md are followed. Each costs an index query. */
const mostLines = 4;
/** How many parts of nodes are read for one line, and how many lines of each part are followed. */
const mostRowsOfLine = 3;
const mostOfRow = 2;

/** What a step reports, besides its name and time. */
export type StepReport = Omit<RecallStep, "step" | "took_ms">;

/** The source lines a step found, and its report. */
interface StepResult {
  readonly pointed: readonly Pointed[];
  readonly told: StepReport;
}

/**
 * Follows the lines of ROOT.md that are relevant to a message, through the nodes that match them, to source lines. Without a ROOT.md compiled by heartwood it
 * finds nothing and reports why.
 */
export async function retrieveFromRoot(
  memory: TreeMemory,
  index: SearchIndex,
  query: RecallQuery,
): Promise<StepResult> {
  const root = await readRootFile(memory);
  if (root?.document === undefined) {
    const why =
      root === undefined
        ? "memory/ROOT.md does not exist or is not a regular file"
        : "memory/ROOT.md is damaged or was not compiled by heartwood";
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

/** The parts of nodes that best match a line of ROOT.md. Its topic counts more than its text. */
async function rowsBelow(index: SearchIndex, line: string): Promise<readonly StoredRow[]> {
  const { topic, text } = parseRootLine(line);
  const words = (part: string, weight: number): readonly WeightedTerm[] =>
    [...new Set(wordKeysInOrder(part))].slice(0, 12).map((word) => ({ kind: "word", text: word, weight }));
  const any = [...words(topic, 4), ...words(text, 1)];
  if (any.length === 0) return [];
  return (await findChunks(index, { ...nodes, any, limit: mostRowsOfLine })).map(({ row }) => row);
}

/** How many parts of nodes are read. */
const mostNodeRows = 12;

/** Follows nodes that match the message, and those that a model chose, to the source lines they refer to. */
export async function retrieveFromNodes(
  index: SearchIndex,
  query: RecallQuery,
  choice?: Choice,
): Promise<StepResult & Pick<Choice, "warnings">> {
  if (query.terms.length === 0) return { pointed: [], told: { candidates: 0, kept: 0, notes: [] }, warnings: [] };
  const found = await findChunks(index, { ...nodes, any: query.terms, limit: mostNodeRows });
  const rows = found.map(({ row }) => row);
  const pointed = followRows("manifest", rows, query.weights);
  const paths = [...new Set(rows.map(({ source }) => source))];
  const told = { candidates: rows.length, kept: 0, notes: paths };
  if (choice === undefined) return { pointed, told, warnings: [] };
  const chosen = await choice.follow(index, query);
  return {
    pointed: [...pointed, ...chosen],
    told: { ...told, candidates: rows.length + chosen.length, notes: [...choice.notes, ...paths] },
    warnings: choice.warnings,
  };
}

/** How many refs of a line are followed, newest only. */
const mostRefs = 4;
/** How many words in a line are added to the message's. */
const mostLineWords = 12;

/**
 * The source lines that the relevant lines of nodes refer to, for up to two lines of each row. `weights`: how much each word counts, by word key. A node that
 * copies a log has no refs; the same words find the log itself.
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

/** The weights of a message, plus the words in a relevant line at half the mean weight. */
function withLine(weights: ReadonlyMap<string, number>, line: string): ReadonlyMap<string, number> {
  const mean = [...weights.values()].reduce((sum, weight) => sum + weight, 0) / Math.max(1, weights.size);
  const known = [...wordKeys(line)].filter((key) => !weights.has(key)).slice(0, mostLineWords);
  return new Map([...weights, ...known.map((key): readonly [string, number] => [key, mean / 2])]);
}

/** All nodes except ROOT.md, which the first step reads itself. */
const nodes: IndexFilter = { kinds: ["node"], levels: ["monthly", "weekly", "daily"] };

/** Only the heaviest words in a message make up its weight; otherwise every line would be a weak match for a long message. */
const mostMessageWords = 12;
/** Weaker matches are accidental. */
const leastStrength = 0.12;

/**
 * The indexes of at most `most` lines relevant to a message, strongest first, ties in line order. `weights`: how much each word of the message counts, by word
 * key; a word in many of the lines counts less. `strength`, 0 to 1: the share of the message's weight found in the line.
 */
function matchingLines(
  lines: readonly string[],
  weights: ReadonlyMap<string, number>,
  most: number,
): readonly { readonly at: number; readonly strength: number }[] {
  const own = [...weights].toSorted(([, a], [, b]) => b - a);
  const total = own.slice(0, mostMessageWords).reduce((sum, [, weight]) => sum + weight, 0);
  if (total === 0) return [];
  // Searching a line for the beginnings of keys is much cheaper than splitting it into words.
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

/** 1 for a word in one line, falling to 0 for a word in all lines. */
function rarity(count: number, lines: number): number {
  return lines < 2 || count < 2 ? 1 : Math.max(0, 1 - Math.log(count) / Math.log(lines));
}
