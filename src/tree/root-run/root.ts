import { exactForm, mergeRefs, type Ref } from "../../base/refs.ts";
import { memoryFolder, rootPath } from "../model/period.ts";
import { rootLimits, type PlacedLine } from "../root/root-compose.ts";
import type { TreeMemory } from "../memory.ts";
import { linesOfFile, openTree } from "../run/opened-tree.ts";
import type { RootInput } from "../inputs.ts";

/** ROOT.md with the raw lines behind each of its lines; smaller on request; or what did not fit. Errors: `not_found`. */
export async function readRoot(memory: TreeMemory, input: RootInput): Promise<RootResult | DroppedResult> {
  const smaller = input.max_tokens !== undefined || input.max_chars !== undefined;
  const limits = {
    ...(input.max_tokens === undefined ? {} : rootLimits(input.max_tokens)),
    ...(input.max_chars === undefined ? {} : { characters: input.max_chars }),
  };
  const opened = await openTree(memory, limits);
  const cap = input.max_tokens ?? opened.configuration.rootMaxTokens;
  const { composed } = opened;
  if (input.dropped === true) return { cap, dropped: composed.dropped };
  const text = smaller ? composed.text : opened.root.text;
  const inFile = linesOfFile(opened);
  const lines = smaller ? placedInFile(composed.lines, inFile) : inFile;
  return {
    path: rootPath,
    tokens: smaller ? composed.tokens : memory.tokens.count(text),
    cap,
    text,
    lines: lines.map(rootLine),
  };
}

/** The lines of a smaller rendering where they stand in the file; 0 for one that the file does not have. */
function placedInFile(lines: readonly PlacedLine[], inFile: readonly PlacedLine[]): readonly PlacedLine[] {
  const keyOf = ({ section, text }: PlacedLine): string => `${section}\n${text}`;
  const places = new Map(inFile.map((line) => [keyOf(line), line.line]));
  return lines.map((line) => ({ ...line, line: places.get(keyOf(line)) ?? 0 }));
}

function rootLine(line: PlacedLine): RootLine {
  return { line: line.line, section: line.section, text: line.text, sources: rangesOf(line.refs) };
}

/** Refs as places in files. A log known only as a whole has the lines 0 to 0. */
export function rangesOf(refs: readonly Ref[]): readonly LineRange[] {
  return mergeRefs(refs.map(exactForm)).map((ref) => ({ path: logPath(ref.log), lines: [ref.from, ref.to] }));
}

export function logPath(log: string): string {
  return `${memoryFolder}/${log}.md`;
}

export interface RootResult {
  readonly path: string;
  readonly tokens: number;
  readonly cap: number;
  readonly text: string;
  readonly lines: readonly RootLine[];
}

export interface RootLine {
  /** 1-based line of the file at `path`; 0 for a line that only a smaller rendering (`max_tokens`, `max_chars`) has. */
  readonly line: number;
  readonly section: string;
  readonly text: string;
  /** Where its raw lines stood when nodes recorded them; a trace tells where they stand now. */
  readonly sources: readonly LineRange[];
}

export interface LineRange {
  readonly path: string;
  readonly lines: readonly [number, number];
}

export interface DroppedResult {
  readonly cap: number;
  readonly dropped: readonly {
    readonly section: string;
    readonly text: string;
    readonly reason: string;
    readonly tokens: number;
  }[];
}
