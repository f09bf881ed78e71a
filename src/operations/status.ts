import { memorySizeOf } from "../audit/checks/memory-checks.ts";
import { localTimestamp } from "../base/calendar.ts";
import { MemoryError, type Warning } from "../base/errors.ts";
import { decodeText, splitLines, textLines } from "../base/lines.ts";
import { stateFolder } from "../base/known-paths.ts";
import type { Check } from "./doctor-tree.ts";
import type { Memory } from "./operation.ts";
import { chooseEmbedder, countEmbedded } from "../recall/index/embedding.ts";
import type { EmbeddedCount } from "../recall/memory.ts";
import { readSummariesStatus } from "../summaries/run/status.ts";
import { lateSourcesOf, logWarnings, type LateSource } from "../tree/plan/late-sources.ts";
import { replaceCompactionRoot } from "../tree/root/root-format.ts";
import { memoryFolder, nodeLevels, type NodeLevel } from "../tree/model/period.ts";
import type { TreeState } from "../tree/model/tree-state.ts";
import { readRootFigures } from "../tree/root-run/root-run.ts";
import { lookAround } from "../tree/run/compact.ts";
import type { SkippedSource } from "../tree/model/tree-state.ts";
import type { DueNode, RootSummary } from "../tree/run/idle.ts";
import { readConfiguration, type Configuration } from "../tree/setup/configuration.ts";
import { firstEntry, agentNotesAdvice, agentNotesTarget, hotFiles } from "../tree/setup/init.ts";
import type { SummariesStatus } from "../summaries/run/inputs-and-results.ts";

export interface LevelCount {
  readonly total: number;
  readonly fixed: number;
  readonly tentative: number;
  readonly late: number;
}

export interface StatusResult {
  readonly dir: string;
  readonly today: string;
  readonly time_zone: string;
  readonly platform: string;
  readonly trust: "trusted" | "untrusted";
  readonly raw: {
    readonly days: number;
    readonly files: number;
    readonly bytes: number;
    readonly first: string | null;
    readonly last: string | null;
  };
  readonly nodes: { readonly daily: LevelCount; readonly weekly: LevelCount; readonly monthly: LevelCount };
  readonly root: (RootSummary & { readonly last_updated: string }) | null;
  readonly due_nodes: readonly DueNode[];
  readonly run_due: { readonly yes: boolean; readonly reason: string };
  readonly last_run: string | null;
  readonly late: readonly LateSource[];
  /** MEMORY.md; `null` if it is missing or unreadable. */
  readonly memory: {
    readonly bytes: number;
    /** Without the section that mirrors ROOT.md. */
    readonly own_bytes: number;
    readonly lines: number;
    /** The number of whole lines that loaders read: up to line 200 and byte 25,000. */
    readonly loaded_lines: number;
    /** `trigger`: its own bytes are over 15 × 1024. `loader_lines`, `loader_bytes`: the file is larger than what loaders read. */
    readonly over: readonly ("trigger" | "loader_lines" | "loader_bytes")[];
  } | null;
  /** Sizes of hot files and agents' notes against their targets, in lines. */
  readonly files: readonly {
    readonly path: string;
    readonly lines: number;
    readonly target_lines: number;
    readonly over: boolean;
    /** What to do if it is over; otherwise `null`. */
    readonly advice: string | null;
  }[];
  readonly summaries: SummariesStatus;
  /** How many statements recall finds by meaning; `null` without an embedding model. */
  readonly vectors: EmbeddedCount | null;
  readonly skipped: readonly SkippedSource[];
  readonly warnings: readonly Warning[];
  /** Warnings about raw logs, as in `doctor`. */
  readonly log_warnings: readonly Warning[];
  /** The command to run next. */
  readonly next: string;
}

/** Reads what exists, what is due or late, and what to run next. Writes nothing. Errors: `invalid_config`, `io`. */
export async function readStatus(memory: Memory): Promise<StatusResult> {
  const { configuration, warnings } = await readConfiguration(memory);
  const { embedder, warnings: ofEmbedder } = await chooseEmbedder(memory);
  const look = await lookAround(memory, configuration);
  const { state, stateFile, skipped } = look.loaded;
  const sizes = await readSizes(memory, configuration);
  const { lastRun } = stateFile;
  const summaries = await readSummariesStatus(memory, { configuration, loaded: look.loaded });
  const { summary: figures } = await readRootFigures(memory, look.loaded, configuration);
  // Parts of `.heartwood/` that are not used, and why.
  const standing = checkStanding(memory).map(({ message }) => ({ code: "foreign_state", path: stateFolder, message }));
  const last_updated = look.loaded.root?.document?.lastUpdated ?? state.today;
  const facts = {
    dir: memory.dir,
    today: state.today,
    time_zone: memory.clock.zone,
    platform: configuration.platform,
    trust: memory.trust.state(),
    raw: rawFacts(state),
    nodes: countNodes(state),
    root: figures && { ...figures, last_updated },
    due_nodes: look.due,
    run_due: look.gate,
    memory: sizes.memory,
    skipped: [...skipped, ...sizes.skipped],
    log_warnings: logWarnings(look.loaded),
    summaries,
    vectors: (await countEmbedded(memory.searchIndex, embedder)) ?? null,
    last_run: lastRun === undefined ? null : localTimestamp(lastRun, memory.clock.zone),
    late: lateSourcesOf(state, new Set(skipped.map(({ path }) => path))),
    files: sizes.files,
    warnings: [...warnings, ...ofEmbedder, ...standing, ...look.loaded.warnings],
  };
  return { ...facts, next: nextCommand(facts, configuration) };
}

function rawFacts(state: TreeState): StatusResult["raw"] {
  const days = [...state.days.keys()].toSorted();
  const logs = [...state.days.values()].flatMap((day) => day.logs);
  const bytes = logs.reduce((sum, log) => sum + log.bytes, 0);
  return { days: days.length, files: logs.length, bytes, first: days[0] ?? null, last: days.at(-1) ?? null };
}

/** `total`, `fixed` and `tentative` count nodes; addenda are counted separately. */
function countNodes(state: TreeState): StatusResult["nodes"] {
  const all = state.nodes.all();
  const countsOf = (level: NodeLevel): LevelCount => {
    const own = all.filter((node) => node.name.level === level);
    const nodes = own.filter((node) => node.name.late === 0);
    const fixed = nodes.filter((node) => node.status === "fixed").length;
    return { total: nodes.length, fixed, tentative: nodes.length - fixed, late: own.length - nodes.length };
  };
  return { daily: countsOf("daily"), weekly: countsOf("weekly"), monthly: countsOf("monthly") };
}

/** Reads the sizes of hot files and agents' notes. An unreadable file is reported as skipped. */
async function readSizes(memory: Memory, configuration: Configuration) {
  const agents = (await memory.files.list(`${memoryFolder}/agents`)).filter((entry) => entry.kind === "folder");
  const notes = agents.map(({ name }) => ({
    path: `${memoryFolder}/agents/${name}/AGENT.md`,
    target: agentNotesTarget,
    advice: agentNotesAdvice,
  }));
  const files: StatusResult["files"][number][] = [];
  const skipped: SkippedSource[] = [];
  let size: StatusResult["memory"] = null;
  for (const { path, target, advice } of [...hotFiles, ...notes]) {
    try {
      const read = await memory.files.read(path);
      if (read === undefined) continue;
      if (path === "MEMORY.md") size = memorySizeOf(read.bytes);
      const isSynced = path === "MEMORY.md" && configuration.platform === "openclaw";
      const lines = isSynced ? linesBesideRoot(read.bytes) : splitLines(read.bytes).length;
      const over = lines > target;
      files.push({ path, lines, target_lines: target, over, advice: over ? advice : null });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      skipped.push({ path, code: error.code, message: error.message });
    }
  }
  return { memory: size, files, skipped };
}

/** Lines without the section that each run updates: it is as long as ROOT.md, and people cannot trim it. */
function linesBesideRoot(bytes: Uint8Array): number {
  const text = decodeText(bytes);
  if (text === undefined) return splitLines(bytes).length;
  const emptied = replaceCompactionRoot(text, []);
  // The emptied section still has its heading line.
  return emptied.length < text.length ? textLines(emptied).length - 1 : textLines(text).length;
}

type Facts = Omit<StatusResult, "next">;

function nextCommand(facts: Facts, configuration: Configuration): string {
  if (isAgentsTurn(facts)) return "heartwood summaries pending";
  if (facts.run_due.yes || (facts.root === null && facts.due_nodes.length > 0)) return "heartwood compact";
  const isEmpty = facts.raw.files === 0 && nodeLevels.every((level) => facts.nodes[level].total === 0);
  if (isEmpty && configuration.file === "none") return "heartwood init";
  const toFix = facts.log_warnings.filter(({ code }) => code !== "no_heading");
  if (facts.skipped.length + toFix.length > 0) return "heartwood doctor";
  // Even within the cooldown: an explicit request does not have to wait.
  if (facts.due_nodes.length > 0) return "heartwood compact";
  if (facts.memory !== null && facts.memory.over.length > 0) return "heartwood audit";
  return isEmpty ? firstEntry : facts.root === null ? "heartwood tree" : "heartwood root";
}

/** Whether everything that is due is a summary an agent could write. */
function isAgentsTurn({ summaries, due_nodes: due, root, skipped }: Facts): boolean {
  if (summaries.adapter !== "pull" || summaries.pending === 0 || root === null || skipped.length > 0) return false;
  const waiting = new Set(summaries.waiting.map(({ path }) => path));
  return due.every(({ path }) => waiting.has(path));
}

export function checkStanding({ localState }: Memory): readonly Check[] {
  const standing = localState?.look();
  const check = { name: stateFolder, fix: null };
  if (standing?.is === "foreign") return [{ ...check, state: "problem", message: standing.message }];
  if (standing?.is !== "older" || standing.problem === undefined) return [];
  return [{ ...check, state: "note", message: `caches and the index are not saved: ${standing.problem}` }];
}
