import { logPath } from "../logs/raw-logs.ts";
import { exactForm, mergeRefs, type Ref } from "../../base/refs.ts";
import { rootPath } from "../model/period.ts";
import { rootLimits, type PlacedLine, type ComposedRoot } from "../root/root-compose.ts";
import { type RootLimits } from "../root/root-lines.ts";
import { withLogicalLogs, type TreeMemory } from "../memory.ts";
import type { RootInput } from "../inputs.ts";
import { MemoryError } from "../../base/errors.ts";
import { NodeShelf } from "../run/compose-node.ts";
import { readConfiguration, type Configuration } from "../setup/configuration.ts";
import { loadTree, type LoadedTree } from "../run/load.ts";
import type { RootFile } from "../run/tree-files.ts";
import { renderRoot } from "./root-run.ts";
import { parseRootLine, type RootDocument } from "../root/root-format.ts";
import type { Topic } from "../../base/memory-type.ts";

export interface DroppedResult {
  readonly cap: number;
  readonly dropped: readonly {
    readonly section: string;
    readonly text: string;
    readonly reason: string;
    readonly tokens: number;
  }[];
}

export interface LineRange {
  readonly path: string;
  readonly lines: readonly [number, number];
}

export interface RootLine {
  /** 1-based line of the file at `path`; 0 for a line found only in a smaller rendering (`max_tokens`, `max_chars`). */
  readonly line: number;
  readonly section: string;
  readonly text: string;
  /** The recorded places of its source lines; a trace returns the current ones. */
  readonly sources: readonly LineRange[];
}

export interface RootResult {
  readonly path: string;
  readonly tokens: number;
  readonly cap: number;
  readonly text: string;
  readonly lines: readonly RootLine[];
}

/**
 * ROOT.md with the source lines of each line, optionally rendered smaller; or the dropped lines. Errors: `not_found`.
 */
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
    lines: lines.map(({ line, section, text: own, refs }) => ({ line, section, text: own, sources: rangesOf(refs) })),
  };
}

/** Gives the lines of a smaller rendering their line numbers in the file; 0 if the file lacks the line. */
function placedInFile(lines: readonly PlacedLine[], inFile: readonly PlacedLine[]): readonly PlacedLine[] {
  const keyOf = ({ section, text }: PlacedLine): string => `${section}\n${text}`;
  const places = new Map(inFile.map((line) => [keyOf(line), line.line]));
  return lines.map((line) => ({ ...line, line: places.get(keyOf(line)) ?? 0 }));
}

/** Converts refs to line ranges of files. A ref to a whole log gets the range 0 to 0. */
export function rangesOf(refs: readonly Ref[]): readonly LineRange[] {
  return mergeRefs(refs.map(exactForm)).map((ref) => ({ path: logPath(ref.log), lines: [ref.from, ref.to] }));
}

/** A tree with its ROOT.md, for read operations. */
export interface OpenedTree {
  /** With shortened logs shown whole. */
  readonly memory: TreeMemory;
  readonly configuration: Configuration;
  readonly loaded: LoadedTree;
  readonly shelf: NodeShelf;
  readonly root: RootFile;
  /** ROOT.md composed again for its own day, to find the sources of its lines. */
  readonly composed: ComposedRoot;
}

/** Opens a tree that has a ROOT.md. Errors: `not_found` if there is none yet. */
export async function openTree(opened: TreeMemory, limits?: Partial<RootLimits>): Promise<OpenedTree> {
  const memory = await withLogicalLogs(opened);
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, { cache: "used", configuration });
  const root = loaded.root;
  if (root === undefined || root.reading !== "ours")
    throw new MemoryError(
      "not_found",
      `heartwood has not created ${rootPath} in this folder yet: run heartwood compact first.`,
      { path: rootPath },
    );
  const shelf = new NodeShelf(memory.files);
  const cap = rootLimits(limits?.tokens ?? configuration.rootMaxTokens);
  const made = {
    shelf,
    day: root.document?.lastUpdated ?? loaded.state.today,
    limits: { ...cap, ...limits },
    foreign: root.document?.foreign ?? [],
    cap: configuration.rootMaxTokens,
    answer: root.document?.answer,
  };
  return { memory, configuration, loaded, shelf, root, composed: await renderRoot(memory, loaded.state, made) };
}

/** The lines of ROOT.md on disk that are also in the composed one, with their line numbers in the file. */
export function linesOfFile(opened: OpenedTree): readonly PlacedLine[] {
  const file = opened.root.text.split(/\r?\n/u);
  const byText = new Map(opened.composed.lines.map((line) => [`${line.section}\n${line.text}`, line]));
  let section = "";
  return file.flatMap((text, index): readonly PlacedLine[] => {
    if (text.startsWith("## ")) section = text.slice(3);
    const line = byText.get(`${section}\n${text}`);
    return line === undefined ? [] : [{ ...line, line: index + 1 }];
  });
}

export function topicsInRoot(document: RootDocument): readonly Topic[] {
  const start = document.body.indexOf("## Topics Index");
  const lines = start < 0 ? [] : document.body.slice(start + 1);
  return lines
    .filter((line) => line.startsWith("- "))
    .map((line) => parseRootLine(line))
    .map(({ topic, type }) => ({ name: topic, type }));
}
