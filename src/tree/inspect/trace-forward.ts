import { ifMemoryError } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { exactOf, mergeRefs, refsOverlap, type Ref } from "../../base/refs.ts";
import type { Files } from "../../platform/files.ts";
import { redact } from "../../text/redact/redact.ts";
import { dayOfLog, logName } from "../compose/compose-day.ts";
import { logPath, readLines, readPieces, scanLog } from "../logs/raw-logs.ts";
import { withLogicalLogs, withWholeLogs, type TreeMemory } from "../memory.ts";
import { EntryScan } from "../model/entry-format.ts";
import { spanAt } from "../model/node-format.ts";
import { readPassages } from "../model/node-passages.ts";
import { daysCovered, nodeLevels, nodePath, parseLogFile, rootPath } from "../model/period.ts";
import { rawSourcesOf, type NodeFacts, type TreeState } from "../model/tree-state.ts";
import { linesOfFile, openTree, type LineRange } from "../root-run/root.ts";
import { loadTree } from "../run/load.ts";
import { readNodeFile } from "../run/tree-files.ts";
import { readConfiguration } from "../setup/configuration.ts";
import { logsIn, PlaceFinder } from "./trace-places.ts";

/** Lines that come from a place. */
export interface DerivedLines {
  readonly path: string;
  readonly lines: readonly [number, number];
  /** Without secrets, at most 2,000 characters. */
  readonly text: string;
  /** `verbatim`: a copy. `summary`: made from it. `correction`: an entry that corrects it. */
  readonly how: "verbatim" | "summary" | "correction";
  /** Present if the place is only known to be among possible sources: a model worded the line, or the log was changed. */
  readonly approximate?: true;
}

/**
 * The lines of nodes and of ROOT.md that come from lines of logs (where they are now), from daily nodes upward, then the entries that correct them.
 * Exact where a node has spans or refs. Errors: `invalid_config`, `io`.
 */
export async function derivedLines(opened: TreeMemory, places: readonly LineRange[]): Promise<readonly DerivedLines[]> {
  const memory = await withLogicalLogs(opened);
  const { configuration } = await readConfiguration(memory);
  const loaded = await loadTree(memory, { cache: "used", configuration });
  const { state, root } = loaded;
  const finder = new PlaceFinder(memory.files, logsIn(state));
  const days = [...new Set(places.map(({ path }) => dayOfLog(path)))];
  /** For each node: the lines of logs, as it recorded them. */
  const recorded = new Map<string, readonly Ref[]>();
  const derived: DerivedLines[] = [];
  for (const level of nodeLevels)
    for (const facts of state.nodes.all().filter(({ name }) => name.level === level)) {
      const { first, last } = daysCovered(level, facts.name.period);
      const within = days.filter((day) => first <= day && day <= last);
      if (within.length === 0) continue;
      const wanted =
        facts.reading === "unknown" || facts.sources.length === 0
          ? within.map((log): Ref => ({ log, from: 0, to: 0, found: "by_match" }))
          : level === "daily"
            ? await recordedLines(finder, facts, places)
            : mergeRefs(facts.sources.flatMap(({ path }) => recorded.get(path) ?? []));
      if (wanted.length === 0) continue;
      recorded.set(nodePath(facts.name), wanted);
      pushAll(derived, await linesOfNode(memory.files, facts, wanted));
    }
  if (root?.reading === "ours") pushAll(derived, await linesOfRoot(memory, recorded));
  return [...derived, ...(await correctionsOf(memory.files, state, places))];
}

/** The places as a daily node recorded them: lines may have moved since. */
async function recordedLines(
  finder: PlaceFinder,
  facts: NodeFacts,
  places: readonly LineRange[],
): Promise<readonly Ref[]> {
  const refs: Ref[] = [];
  for (const source of rawSourcesOf(facts)) {
    const log = logName(source.path);
    let from = 1;
    for (const now of await finder.find({ log, from, to: source.lines }, facts.sources)) {
      const by = from - now.lines[0];
      from += now.lines[1] - now.lines[0] + 1;
      const isKnown = now.state === "found" || now.state === "moved";
      for (const { lines } of places.filter((place) => place.path === now.path)) {
        const [first, last] = [Math.max(lines[0], now.lines[0]), Math.min(lines[1], now.lines[1])];
        if (first > last) continue;
        refs.push({ log, from: first + by, to: last + by, ...(isKnown ? {} : { found: "by_match" as const }) });
      }
    }
  }
  return mergeRefs(refs);
}

async function linesOfNode(files: Files, facts: NodeFacts, wanted: readonly Ref[]): Promise<readonly DerivedLines[]> {
  const file = await readNodeFile(files, facts.name);
  const node = file?.node;
  if (file === undefined || node === undefined) return [];
  const before = file.bodyLine - 1;
  const spans = node.body.map((_, index) => spanAt(node.spans, index + 1));
  const made = (
    how: "verbatim" | "summary",
    [from, to]: readonly [number, number],
    isExact: boolean,
  ): DerivedLines => ({
    path: nodePath(facts.name),
    lines: [before + from, before + to],
    text: shortText(node.body.slice(from - 1, to).join("\n")),
    how,
    ...(isExact ? {} : { approximate: true }),
  });
  const exact = exactOf(wanted);
  const copies: DerivedLines[] = [];
  let begun: number | undefined;
  for (const [index, ref] of [...spans, undefined].entries()) {
    const isWanted = ref !== undefined && refsOverlap([ref], wanted);
    if (isWanted) begun ??= index + 1;
    else if (begun !== undefined) {
      const refs = spans.slice(begun - 1, index).filter((one) => one !== undefined);
      copies.push(made("verbatim", [begun, index], refsOverlap(refs, exact)));
      begun = undefined;
    }
  }
  const summaries = new Map<number, DerivedLines>();
  for (const { at, refs } of readPassages(node)) {
    // Lines with spans are copies, which are found line by line.
    if (spans.slice(at[0] - 1, at[1]).some((ref) => ref !== undefined) || !refsOverlap(refs, wanted)) continue;
    const isExact = refsOverlap(exactOf(refs), exact);
    const known = summaries.get(at[0]);
    if (known === undefined || (isExact && known.approximate === true))
      summaries.set(at[0], made("summary", at, isExact));
  }
  return [...copies, ...summaries.values()].toSorted((a, b) => a.lines[0] - b.lines[0]);
}

async function linesOfRoot(
  memory: TreeMemory,
  recorded: ReadonlyMap<string, readonly Ref[]>,
): Promise<readonly DerivedLines[]> {
  return (await linesOfFile(await openTree(memory))).flatMap(({ line, text, refs, from }): readonly DerivedLines[] => {
    const wanted = from.flatMap(({ path }) => recorded.get(path) ?? []);
    if (!refsOverlap(refs, wanted)) return [];
    const isExact = refsOverlap(exactOf(refs), exactOf(wanted));
    const lines = [line, line] as const;
    return [
      { path: rootPath, lines, text: shortText(text), how: "summary", ...(isExact ? {} : { approximate: true }) },
    ];
  });
}

/** The entries that correct any of these lines. */
async function correctionsOf(
  files: Files,
  state: TreeState,
  places: readonly LineRange[],
): Promise<readonly DerivedLines[]> {
  const found: DerivedLines[] = [];
  for (const { path, source, corrects } of [...state.days.values()].flatMap(({ logs }) => logs)) {
    const all = source === undefined ? (await scanLog(files, path))?.faults.corrects : corrects;
    for (const { source: wrong, lines, line } of all ?? []) {
      if (!places.some((place) => place.path === wrong && place.lines[0] <= lines[1] && lines[0] <= place.lines[1]))
        continue;
      const [read] = await readLines(files, path, [{ from: line, to: line + longestShown }], "kept");
      const rows = (read?.text ?? "").split(/\r?\n/u);
      const next = rows.findIndex((row, at) => at > 0 && row.startsWith("## "));
      const text = (next < 0 ? rows : rows.slice(0, next)).join("\n").trimEnd();
      const last = line + text.split("\n").length - 1;
      found.push({ path, lines: [line, last], text: shortText(text), how: "correction" });
    }
  }
  return found;
}

/** Lines of a correction that are read. */
const longestShown = 60;
const longestText = 2000;

/** Without secrets, at most 2,000 characters. */
export function shortText(text: string): string {
  return Array.from(redact(text).text).slice(0, longestText).join("");
}

/** The lines of the entry with this id, from its heading to its end, also if it was removed; `undefined` if no log has it. Errors: `io`. */
export async function findEntry(opened: TreeMemory, id: string): Promise<LineRange | undefined> {
  const { files } = await withWholeLogs(opened);
  const names = await files.names("memory");
  for (const name of names.toReversed()) {
    if (parseLogFile(name).state !== "log") continue;
    const path = logPath(name.slice(0, -".md".length));
    const scan = new EntryScan(new Map([[id, ""]]));
    const isRead = await (async () => {
      for await (const piece of readPieces(files, path)) if (piece !== undefined) scan.push(piece.bytes);
      return true;
    })().catch(ifMemoryError(() => false));
    const found = isRead ? scan.end().found.get(id) : undefined;
    if (found !== undefined) return { path, lines: found.lines };
  }
  return undefined;
}
