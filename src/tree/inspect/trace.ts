import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { topicKey } from "../../base/memory-type.ts";
import { exactOf, mergeRefs, refsOverlap, type Ref } from "../../base/refs.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { logName } from "../compose/compose-day.ts";
import { type NodeName, nodeLevels, nodePath, parseNodePath, rootPath } from "../model/period.ts";
import type { Node } from "../model/node-format.ts";
import { readPassages } from "../model/node-passages.ts";
import type { TreeMemory } from "../memory.ts";
import { nodeFileOf, type NodeFile } from "../run/tree-files.ts";
import { type FileLine, linesOfFile, type MadeFrom, openTree, topicMark } from "../root-run/root.ts";
import { type TraceResult, PlaceFinder, keptLinesOf, logsOnDisk, type LinePlace } from "./trace-places.ts";
import { compareTexts } from "../../base/lists.ts";
import type { Files } from "../../platform/files.ts";
import { readLines } from "../logs/raw-logs.ts";

type ChainEntry = TraceResult["chain"][number];
type RawEntry = TraceResult["raw"][number];

/** Traces a ROOT.md line through every level to its source lines. Errors: `not_found`, `not_traceable`. */
export async function readTrace(memory: TreeMemory, input: { readonly text: string }): Promise<TraceResult> {
  const opened = await openTree(memory);
  const line = findLine(await linesOfFile(opened), input.text);
  const traced = await traceLine(opened.memory, line);
  return { line: { path: rootPath, line: line.line, text: line.text }, ...traced };
}

function findLine(lines: readonly FileLine[], text: string): FileLine {
  const number = Number(/^(?:memory\/)?ROOT(?:\.md)?:(\d{1,6})$/iu.exec(text.trim())?.[1] ?? Number.NaN);
  if (!Number.isNaN(number)) {
    const [nearest] = lines.toSorted((a, b) => Math.abs(a.line - number) - Math.abs(b.line - number));
    if (nearest?.line === number) return nearest;
    const near = nearest === undefined ? "" : ` the nearest compiled line is ROOT:${nearest.line};`;
    const message = `Line ${number} of ROOT.md was not compiled by heartwood;${near} heartwood root --json lists all compiled lines.`;
    throw new MemoryError("not_traceable", message);
  }
  const wanted = topicKey(text);
  const found = lines.filter((line) => topicKey(line.text).includes(wanted));
  const best = found.find((line) => line.section === "Topics Index") ?? found[0];
  if (wanted !== "" && best !== undefined) return best;
  const seen = shown(text, 80);
  const message = `No line of ROOT.md contains "${seen}": pass an exact part of a line, or ROOT:LINE.`;
  throw new MemoryError("not_found", message, { text: seen });
}

interface Found {
  readonly file: NodeFile;
  readonly passages: readonly MadeFrom[];
  /** The indices of its passages in the chain. */
  readonly indices: readonly number[];
}

async function traceLine(memory: TreeMemory, line: FileLine): Promise<Pick<TraceResult, "chain" | "raw">> {
  const { files } = memory;
  const chain: ChainEntry[] = [{ path: rootPath, lines: [line.line, line.line], text: line.text, into: [] }];
  let found: Found[] = [];
  /** Adds the passages selected by `choose` to the chain. */
  const add = async (
    path: string,
    choose: (file: ReadNode) => readonly MadeFrom[],
    into: (passage: MadeFrom) => readonly number[],
  ): Promise<void> => {
    const name = parseNodePath(path);
    const file = name === undefined ? undefined : await readNode(files, name);
    const passages = file?.node === undefined ? [] : choose(file);
    if (file?.node === undefined || passages.length === 0) return;
    const { body } = file.node;
    const indices = passages.map((passage) => {
      const [from, to] = passage.at;
      const { text } = redact(body.slice(from - 1, Math.min(to, from + 11)).join("\n"));
      const before = file.bodyLine - 1;
      return chain.push({ path, lines: [before + from, before + to], text, into: into(passage) }) - 1;
    });
    found.push({ file, passages, indices });
  };
  const monthlies = Map.groupBy(line.from, ({ path }) => path);
  for (const [path, own] of [...monthlies].toSorted(byPath))
    await add(
      path,
      () => own,
      () => [0],
    );
  for (let level = nodeLevels.length - 2; level >= 0; level--) {
    // Passages one level down that share sources with a line found above.
    const links = found.flatMap((parent) => parent.file.facts.sources.map(({ path }) => ({ path, parent })));
    found = [];
    for (const [path, linked] of [...Map.groupBy(links, (link) => link.path)].toSorted(byPath)) {
      const own = linked.map(({ parent }) => parent);
      const wanted = own.flatMap((parent) => parent.passages);
      await add(
        path,
        (file) => matching(file.passages(), wanted, line.refs),
        (passage) => parentsOf(passage, own),
      );
    }
  }
  const finder = new PlaceFinder(files, await logsOnDisk(memory));
  const places: TracedPlace[] = [];
  const wanted = found.map((daily) => refsOf(daily, line.refs));
  const exact = mergeRefs(wanted.flatMap(exactOf));
  for (const [at, daily] of found.entries())
    for (const ref of mergeRefs(wanted[at] ?? []).flatMap((one) => withoutLines(one, exact))) {
      const into = daily.indices.filter((_, index) => refsOverlap(daily.passages[index]?.refs ?? [], [ref]));
      const known = ref.found === undefined ? {} : { approximate: true as const };
      for (const place of await finder.find(ref, daily.file.facts.sources)) places.push({ ...place, into, ...known });
    }
  return { chain, raw: await readPlaces(files, places) };
}

interface ReadNode extends NodeFile {
  /** What can be chosen from it. */
  passages(): readonly MadeFrom[];
}

/** Nodes that were read last, by path; a server traces many lines through the same ones. */
const readBefore = new Map<string, ReadNode>();
const mostBefore = 256;
/** A larger node is read again each time. */
const mostBytes = 512 * 1024;

async function readNode(files: Files, name: NodeName): Promise<ReadNode | undefined> {
  const path = nodePath(name);
  const read = await files.read(path);
  if (read === undefined) return undefined;
  const known = readBefore.get(path);
  readBefore.delete(path);
  if (known !== undefined && Buffer.compare(known.bytes, read.bytes) === 0) {
    readBefore.set(path, known);
    return { ...known, stamp: read.stamp };
  }
  const file = nodeFileOf(name, read);
  let chosen: readonly MadeFrom[] | undefined;
  const passages = (): readonly MadeFrom[] =>
    (chosen ??= readPassages(file.node as Node).map((one) => ({ ...one, path, topic: topicMark(one.topic) })));
  const own = { ...file, passages };
  if (read.bytes.length <= mostBytes) readBefore.set(path, own);
  for (const old of readBefore.keys()) {
    if (readBefore.size <= mostBefore) break;
    readBefore.delete(old);
  }
  return own;
}

function byPath([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number {
  return compareTexts(a, b);
}

/**
 * The raw lines that the traced line reaches through a daily node. Approximate unless every level has exact refs to
 * them.
 */
function refsOf(daily: Found, line: readonly Ref[]): readonly Ref[] {
  const exact = exactOf(line);
  const refs = daily.passages.flatMap((passage) => within(passage.refs, line));
  return refs
    .map((ref): Ref => (refsOverlap([ref], exact) ? ref : { ...ref, found: "by_match" }))
    .flatMap((ref) => wholeLog(ref, daily));
}

/** Removes the lines with exact refs from an approximate ref. */
function withoutLines(ref: Ref, exact: readonly Ref[]): readonly Ref[] {
  if (ref.found === undefined) return [ref];
  return exact.reduce<readonly Ref[]>((left, one) => left.flatMap((part) => withoutPart(part, one)), [ref]);
}

function withoutPart(ref: Ref, gone: Ref): readonly Ref[] {
  if (!refsOverlap([ref], [gone]) || ref.from === 0 || gone.from === 0) return [ref];
  const before = { ...ref, to: gone.from - 1 };
  const behind = { ...ref, from: gone.to + 1 };
  return [before, behind].filter(({ from, to }) => from <= to);
}

/** Expands a ref to a whole log to all the lines recorded in the daily node. */
function wholeLog(ref: Ref, daily: Found): readonly Ref[] {
  if (ref.from > 0) return [ref];
  return daily.file.facts.sources.flatMap((source) =>
    source.kind === "raw" && logName(source.path) === ref.log ? [{ ...ref, from: 1, to: source.lines }] : [],
  );
}

/**
 * Passages that match those one level up: same sources, topic and role if possible, otherwise only the same sources and
 * topic, or only the sources if the topic was renamed on the way.
 */
function matching(
  passages: readonly MadeFrom[],
  wanted: readonly MadeFrom[],
  line: readonly Ref[],
): readonly MadeFrom[] {
  const said = wanted.flatMap((passage) => passage.refs);
  const refs = within(said, line);
  const overlapping = passages.filter((passage) => passage.role !== "entity" && refsOverlap(passage.refs, refs));
  const topics = new Set(wanted.map(({ topic }) => topic));
  const same = overlapping.filter(({ topic }) => topics.has(topic));
  const roles = new Set(wanted.map((passage) => passage.role));
  const alike = same.filter((passage) => roles.has(passage.role));
  return alike.length > 0 ? alike : same.length > 0 ? same : overlapping;
}

/** The refs that share lines with those of the traced line. */
function within(refs: readonly Ref[], line: readonly Ref[]): readonly Ref[] {
  return refs.filter((ref) => refsOverlap([ref], line));
}

function parentsOf(passage: MadeFrom, parents: readonly Found[]): readonly number[] {
  const found = parents.flatMap((parent) =>
    parent.indices.filter((_, index) => refsOverlap(parent.passages[index]?.refs ?? [], passage.refs)),
  );
  return found.length > 0 ? found : parents.flatMap((parent) => parent.indices);
}

/** Traced lines, with the chain entries made from them. */
export interface TracedPlace extends LinePlace {
  readonly into: readonly number[];
  /** Set if only approximate refs lead there. */
  readonly approximate?: true;
}

/** Reads the text at these places, in the order of the logs. Missing lines have no text. */
async function readPlaces(files: Files, places: readonly TracedPlace[]): Promise<readonly RawEntry[]> {
  const merged = mergePlaces(places);
  const entries: RawEntry[] = [];
  for (const path of new Set(merged.map((place) => place.path))) {
    const own = merged.filter((place) => place.path === path);
    const standing = own.filter(isStanding);
    const spans = standing.map(({ lines: [from, to] }) => ({ from, to }));
    const reads = spans.length === 0 ? [] : await readLines(files, path, spans, "kept");
    const keptIn = reads.length === 0 ? () => null : await keptLinesOf(files, path);
    for (const place of own) {
      const read = reads[standing.indexOf(place)];
      const nowhere = { ...place, sha256: "", text: "", kept_in: null };
      if (read === undefined) entries.push(nowhere);
      else if (read.extent === "cut") entries.push({ ...nowhere, state: "changed" });
      else {
        const text = firstOf(redact(read.text).text, 2000);
        entries.push({ ...place, sha256: read.sha256, text, kept_in: keptIn(place.lines) });
      }
    }
  }
  return entries;
}

/** So many characters, none cut in two. */
function firstOf(text: string, most: number): string {
  return Array.from(text.slice(0, 2 * most))
    .slice(0, most)
    .join("");
}

export function isStanding({ state }: LinePlace): boolean {
  return state === "found" || state === "moved";
}

/**
 * Merges places that overlap, or that are adjacent and in the same state. Lines that have moved relative to one node
 * may be in place for another.
 */
function mergePlaces(places: readonly TracedPlace[]): readonly TracedPlace[] {
  const merged: TracedPlace[] = [];
  for (const place of places.toSorted(comparePlaces)) {
    const last = merged.at(-1);
    if (last === undefined || !joins(last, place)) merged.push(place);
    else
      merged[merged.length - 1] = {
        path: last.path,
        lines: [last.lines[0], Math.max(last.lines[1], place.lines[1])],
        state: last.state === place.state ? last.state : "found",
        ...(last.approximate === undefined ? {} : { approximate: true as const }),
        into: [...new Set([...last.into, ...place.into])].toSorted((a, b) => a - b),
      };
  }
  return merged;
}

function joins(last: TracedPlace, next: TracedPlace): boolean {
  if (last.path !== next.path || last.approximate !== next.approximate || isStanding(last) !== isStanding(next))
    return false;
  return next.lines[0] <= last.lines[1] + (last.state === next.state ? 1 : 0);
}

/** By log and line. Missing lines have outdated numbers and come after existing ones. */
function comparePlaces(a: TracedPlace, b: TracedPlace): number {
  const byLog = compareTexts(logName(a.path), logName(b.path));
  const byState = Number(isStanding(b)) - Number(isStanding(a));
  return byLog || byState || a.lines[0] - b.lines[0] || a.lines[1] - b.lines[1];
}
