import { sha256, shortDigest } from "../../base/digest.ts";
import { compareTexts } from "../../base/lists.ts";
import { topicKey, type Topic } from "../../base/memory-type.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FileStamp } from "../../platform/files.ts";
import { isWatched, keepValue, keptValue } from "../run/idle.ts";
import { builtInRule, rootRule } from "../model/node-format.ts";
import type { PlacedPassage } from "../model/node-passages.ts";
import { logPath } from "../logs/raw-logs.ts";
import { exactForm, mergeRefs, type Ref } from "../../base/refs.ts";
import { memoryFolder, rootPath } from "../model/period.ts";
import { rootLimits, type PlacedLine, type ComposedRoot } from "../root/root-compose.ts";
import { type RootLimits } from "../root/root-lines.ts";
import { withLogicalLogs, type TreeMemory } from "../memory.ts";
import type { RootInput } from "../inputs.ts";
import { NodeShelf } from "../run/compose-node.ts";
import { readConfiguration, type Configuration } from "../setup/configuration.ts";
import { loadTree } from "../run/load.ts";
import { readRootFile, type RootFile } from "../run/tree-files.ts";
import { renderRoot, type RootRun } from "./root-run.ts";
import { parseRootLine, type RootDocument } from "../root/root-format.ts";

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
  const opened = await openTree(memory);
  const cap = input.max_tokens ?? opened.configuration.rootMaxTokens;
  const composed = smaller || input.dropped === true ? await opened.compose(limits) : undefined;
  if (input.dropped === true) return { cap, dropped: composed?.dropped ?? [] };
  const text = composed?.text ?? opened.root.text;
  const inFile = await linesOfFile(opened);
  const lines = composed === undefined ? inFile : placedInFile(composed.lines, inFile);
  return {
    path: rootPath,
    tokens: composed?.tokens ?? memory.tokens.count(text),
    cap,
    text,
    lines: lines.map(({ line, section, text: own, refs }) => ({ line, section, text: own, sources: rangesOf(refs) })),
  };
}

/** Gives the lines of a smaller rendering their line numbers in the file; 0 if the file lacks the line. */
function placedInFile(lines: readonly PlacedLine[], inFile: readonly FileLine[]): readonly PlacedLine[] {
  const keyOf = ({ section, text }: Pick<FileLine, "section" | "text">): string => `${section}\n${text}`;
  const places = new Map(inFile.map((line) => [keyOf(line), line.line]));
  return lines.map((line) => ({ ...line, line: places.get(keyOf(line)) ?? 0 }));
}

/** Converts refs to line ranges of files. A ref to a whole log gets the range 0 to 0. */
export function rangesOf(refs: readonly Ref[]): readonly LineRange[] {
  return mergeRefs(refs.map(exactForm)).map((ref) => ({ path: logPath(ref.log), lines: [ref.from, ref.to] }));
}

/** ROOT.md, for read operations. The tree is loaded only if something needs it. */
export interface OpenedTree {
  /** With shortened logs shown whole. */
  readonly memory: TreeMemory;
  readonly configuration: Configuration;
  readonly root: RootFile & { readonly document: RootDocument };
  /** Composes ROOT.md again for its own day. */
  readonly compose: (limits?: Partial<RootLimits>) => Promise<ComposedRoot>;
}

/** Opens a tree that has a ROOT.md. Errors: `not_found` if there is none yet. */
export async function openTree(opened: TreeMemory): Promise<OpenedTree> {
  const memory = await withLogicalLogs(opened);
  const { configuration } = await readConfiguration(memory);
  const root = await readRootFile(memory);
  const document = root?.document;
  if (root?.reading !== "ours" || document === undefined)
    throw new MemoryError(
      "not_found",
      `heartwood has not created ${rootPath} in this folder yet: run heartwood compact first.`,
      { path: rootPath },
    );
  const compose = async (limits?: Partial<RootLimits>): Promise<ComposedRoot> => {
    const { state } = await loadTree(memory, { cache: "used", configuration });
    return renderRoot(memory, state, {
      shelf: new NodeShelf(memory.files),
      day: document.lastUpdated,
      limits: { ...rootLimits(limits?.tokens ?? configuration.rootMaxTokens), ...limits },
      foreign: document.foreign,
      cap: configuration.rootMaxTokens,
      answer: document.answer,
    });
  };
  return { memory, configuration, root: { ...root, document }, compose };
}

/** Where a line of ROOT.md comes from. It has no words, so nothing that is forgotten or redacted later. */
interface MadeLine extends Pick<PlacedLine, "refs"> {
  readonly from: readonly MadeFrom[];
}

/** A passage of a monthly node. */
export interface MadeFrom extends Pick<PlacedPassage, "path" | "at" | "role" | "refs"> {
  /** `topicMark` of its topic. */
  readonly topic: string;
}

export function topicMark(topic: string): string {
  return shortDigest(sha256(topicKey(topic)));
}

/** By `lineMark`. */
function madeLines(lines: readonly PlacedLine[]): ReadonlyMap<string, MadeLine> {
  const rows = lines.map((line) => {
    const from = line.from.map(({ path, at, role, refs, topic }) => ({
      path,
      at,
      role,
      refs,
      topic: topicMark(topic),
    }));
    return [lineMark(line), { refs: line.refs, from }] as const;
  });
  return new Map(rows);
}

function lineMark({ section, text }: { readonly section: string; readonly text: string }): string {
  return shortDigest(sha256(`${section}\n${text}`));
}

const rootLinesPath = ".heartwood/cache/root-lines.json";

/** Keeps where the lines of ROOT.md come from. Without it, ROOT.md is composed again. `stamps`: of the nodes, with their paths. */
export async function keepLines(
  memory: TreeMemory,
  { document, lines, summary }: RootRun,
  stamps: ReadonlyMap<string, FileStamp>,
): Promise<void> {
  if (document === undefined || lines === undefined || summary === null) return;
  const months = [...stamps].filter(([path]) => path.startsWith(monthlyFolder)).toSorted(byPath);
  const key = linesKey(memory, document, { months, cap: summary.cap });
  await keepValue(memory.files, rootLinesPath, { key, value: [...madeLines(lines)] });
}

/** What is kept for this ROOT.md; `undefined` if it, a monthly node or the configured cap has changed since. */
async function keptLines({
  memory,
  root: { document },
  configuration,
}: OpenedTree): Promise<ReadonlyMap<string, MadeLine> | undefined> {
  const entries = await memory.files.list(monthlyFolder.slice(0, -1));
  const months = entries
    .filter(({ name }) => isWatched("monthly", name))
    .map(({ name, stamp }) => [monthlyFolder + name, stamp] as const);
  const key = linesKey(memory, document, { months, cap: configuration.rootMaxTokens });
  const kept = await keptValue(memory.files, rootLinesPath, key);
  return typeof kept === "string" ? undefined : new Map(kept.value as readonly (readonly [string, MadeLine])[]);
}

const monthlyFolder = `${memoryFolder}/monthly/`;

function linesKey(
  { program }: TreeMemory,
  document: RootDocument,
  from: { readonly months: readonly (readonly [string, FileStamp])[]; readonly cap: number },
): string {
  const { body: _, ...front } = document;
  return JSON.stringify([program.version, builtInRule, rootRule, front, from]);
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

/** A line of ROOT.md on disk. */
export interface FileLine extends MadeLine {
  readonly line: number;
  readonly section: string;
  readonly text: string;
}

/** The lines of ROOT.md on disk that heartwood composed. */
export async function linesOfFile(opened: OpenedTree): Promise<readonly FileLine[]> {
  const { root, compose } = opened;
  const made = (await keptLines(opened)) ?? madeLines((await compose()).lines);
  let section = "";
  return root.text.split(/\r?\n/u).flatMap((text, index): readonly FileLine[] => {
    if (text.startsWith("## ")) section = text.slice(3);
    const line = text === "" ? undefined : made.get(lineMark({ section, text }));
    return line === undefined ? [] : [{ ...line, line: index + 1, section, text }];
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
