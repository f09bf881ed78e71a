import { ifMemoryError, type Warning } from "../../base/errors.ts";
import { withWaits, waitingNodes } from "../plan/status.ts";
import { rootPath, workingFile } from "../model/period.ts";
import { planTree } from "../plan/plan.ts";
import { readConfiguration, type Configuration } from "../setup/configuration.ts";
import { dueNodes, gateOf } from "./due.ts";
import { removeLeftovers, removeLeftoversAlone, readStateFile, writeStateFile } from "./tree-files.ts";
import { writeIdleRecord, type CompactResult, type DueNode, type ComposeInput } from "./idle.ts";
import { applyRecords, planApply } from "./apply-records.ts";
import { planReopen, redoOf, reopenPeriods, type Redo } from "./reopen.ts";
import { noLateRecords } from "../model/late-records.ts";
import { loadTree, type LoadedTree } from "./load.ts";
import { logWarnings } from "../plan/late-sources.ts";
import { isPassing, refuseUnread } from "../model/tree-state.ts";
import { stampOfNote, withLogicalLogs, type TreeMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { readRootFigures, rootAsItIs, rootDue, runRoot, type RootRun } from "../root-run/root-run.ts";
import { keepLines } from "../root-run/root.ts";
import { recordFixed } from "./apply-records.ts";
import { TreeRun } from "./tree-run.ts";
import { basisAfter, settledNow } from "./settled.ts";
import { writeCache, type CachedLog } from "./tree-cache.ts";
import type { Step } from "../plan/plan.ts";

/** How long a run waits for another one before it fails with `busy`, in milliseconds. */
const lockWait = 30_000;

/**
 * Brings the tree up to date. Checks first without a lock. If nothing is due, writes nothing but caches that are missing,
 * as in a fresh clone. Errors: `busy`, `disk_full`, `io`, `invalid_config`, `invalid_period`.
 */
export async function runCompact(memory: TreeMemory, input: ComposeInput, call: Call): Promise<CompactResult> {
  const started = performance.now();
  const { configuration, warnings } = await readConfiguration(memory);
  const look = await lookAround(memory, configuration, redoOf(input) === undefined ? undefined : "opened");
  const looked = await resultOfLooking(memory, input, look, configuration);
  const result = looked ?? (await lockAndRun(memory, { input, call, configuration, look }));
  const took = Math.round(performance.now() - started);
  return { ...result, warnings: [...warnings, ...result.warnings], duration_ms: took };
}

type Result = Omit<CompactResult, "duration_ms">;

async function lockAndRun(memory: TreeMemory, work: Work): Promise<Result> {
  const signal = work.call.signal === undefined ? {} : { signal: work.call.signal };
  const lease = await memory.locks.acquire("tree", { holder: "compact", waitMs: lockWait, ...signal });
  return runLocked(memory, work).finally(() => lease.release());
}

async function resultOfLooking(
  memory: TreeMemory,
  input: ComposeInput,
  look: Look,
  configuration: Configuration,
): Promise<Result | undefined> {
  const { loaded, gate } = look;
  const redo = redoOf(input);
  const isDry = input.dry_run === true;
  const waits = input.if_due === true && !gate.yes;
  const idle = redo === undefined && (look.due.length === 0 || waits);
  if (!idle && !isDry) return undefined;
  if (!isDry && loaded.hasLeftovers) await removeLeftoversAlone(memory);
  const due = redo === undefined ? look.due : dueReopened(look, redo);
  const { state, skipped } = loaded;
  const figures = await readRootFigures(memory, loaded, configuration);
  const result: Result = {
    ...(isDry ? { dry_run: true } : {}),
    ...(idle && waits && due.length > 0 ? { waits: gate.reason } : {}),
    today: state.today,
    cycles: 0,
    written: [],
    unchanged: state.nodes.all().length,
    skipped,
    warnings: look.warnings,
    due,
    root: figures.summary,
  };
  if (!isDry && look.due.length === 0 && loaded.uncached && memory.localState?.look().is !== "foreign")
    await keepCaches(memory, { loaded, figures, result }).catch(ifMemoryError(() => undefined));
  return result;
}

/** So that the next commands do not read everything again. */
async function keepCaches(
  opened: TreeMemory,
  look: {
    readonly loaded: LoadedTree;
    readonly figures: Awaited<ReturnType<typeof readRootFigures>>;
    readonly result: Result;
  },
): Promise<void> {
  const { loaded, result } = look;
  const memory = await withLogicalLogs(opened);
  const root = await rootAsItIs(memory, loaded.root, look.figures);
  const run = new TreeRun(memory, loaded, {});
  await remember(memory, { loaded, run, root, result, synced: [], keys: new Map(), steps: [] });
}

type Look = Awaited<ReturnType<typeof lookAround>>;

/** `months`: see `loadTree`. */
export async function lookAround(opened: TreeMemory, configuration: Configuration, months?: "opened") {
  const memory = await withLogicalLogs(opened);
  const how = { cache: "used", configuration } as const;
  const known = await loadTree(memory, months === undefined ? how : { ...how, months });
  const isOutdated = known.unapplied.length > 0 && months === undefined;
  const loaded = withoutOutdated(isOutdated ? await loadTree(memory, { ...how, months: "opened" }) : known);
  const steps = planTree(loaded.state);
  const root = await rootDue(memory, loaded, { configuration, steps });
  const hasWork = steps.length > 0 || root !== undefined;
  const notes =
    (hasWork ? await (await notesTool(memory, loaded))?.readSnapshot(memory, loaded) : undefined)?.due ?? [];
  const sections =
    root === undefined && configuration.platform === "openclaw"
      ? await (await import("../setup/other-programs.ts")).syncDue(memory, loaded.root?.document)
      : [];
  const due = [...dueNodes(loaded.state, steps, root, notes), ...sections];
  const gate = gateOf(memory, due, loaded.stateFile, configuration);
  return { loaded, due, gate, warnings: [...loaded.warnings, ...logWarnings(loaded)] };
}

/** As it will be once the nodes that do not follow the records are gone. */
function withoutOutdated(loaded: LoadedTree): LoadedTree {
  const paths = loaded.unapplied.length === 0 ? [] : planApply(loaded.state, loaded.unapplied);
  const { state } = loaded;
  return paths.length === 0 ? loaded : { ...loaded, state: { ...state, nodes: state.nodes.without(paths) } };
}

/** Loaded on demand: a new memory has no ROOT.md or WORKING.md to copy from. */
async function notesTool(memory: TreeMemory, loaded: LoadedTree) {
  const head = memory.files.read(workingFile, { from: 0, to: 0 }).catch(ifMemoryError(() => "unread"));
  return loaded.root !== undefined || (await head) !== undefined ? import("./run-notes.ts") : undefined;
}

function dueReopened({ loaded, due: known }: Look, redo: Redo): readonly DueNode[] {
  const plan = planReopen(loaded.state, redo);
  if (plan.length === 0) return known;
  const { late = noLateRecords, nodes } = loaded.state;
  const state = { ...loaded.state, late: late.without(plan), nodes: nodes.without(plan) };
  const due = dueNodes(state, planTree(state), "changed");
  const detail = "it is reopened and rebuilt from its sources";
  return due.map((node) => (plan.includes(node.path) ? { ...node, detail } : node));
}

interface Work {
  readonly input: ComposeInput;
  readonly call: Call;
  readonly configuration: Configuration;
  readonly look: Look;
}

async function runLocked(opened: TreeMemory, { input, call, configuration, look }: Work): Promise<Result> {
  opened.onWork?.();
  const memory = await withLogicalLogs(opened);
  // Another run may have finished in between: reread what changed.
  const before = await followRecords(memory, look.loaded, configuration);
  const redo = redoOf(input);
  await removeLeftovers(memory);
  if (redo !== undefined) refuseUnread(before.skipped);
  const notes = await (await notesTool(memory, before))?.writeNotes(memory, before, configuration);
  if (redo !== undefined) await reopenPeriods(memory, before.state, redo);
  // Keep the ROOT.md from which the user's lines were taken, so later edits to it are not overwritten.
  const loaded =
    notes?.wrote === true || redo !== undefined
      ? { ...(await loadTree(memory, { cache: before, configuration })), root: before.root }
      : before;
  const run = new TreeRun(memory, loaded, call);
  const cycles = await runCycles(run, input.cycles).finally(async () => run.end());
  // Before ROOT.md: while it is due, the next run records what a crash left out.
  const keys = await recordFixed(memory, run.state, run.listings);
  const root = await runRoot(memory, { loaded, run, configuration });
  const synced =
    configuration.platform === "openclaw"
      ? await (await import("../setup/other-programs.ts")).syncMemoryFile(memory, root.document, loaded.root?.document)
      : [];
  const waiting = input.waits === "not_counted" ? [] : waitingNodes(run.state).map(({ name }) => name);
  if (waiting.length > 0) await (await import("./answer-store.ts")).countWaits(memory, waiting);
  run.state = withWaits(run.state, waiting);
  // What waits now may be planned differently.
  const steps = waiting.length > 0 ? planTree(run.state) : planTree(run.state, (level) => run.planned(level));
  const wrote = run.written.length > 0 || root.written !== undefined;
  // Record runs that only found waiting nodes too; otherwise the next runs would ignore the cooldown.
  if (wrote || waiting.length > 0) await countRun(memory);
  const result: Result = {
    today: run.state.today,
    cycles: Math.max(cycles, root.written === undefined ? 0 : 1),
    written: root.written === undefined ? run.written : [...run.written, root.written],
    unchanged: run.state.nodes.all().length - new Set(run.written.map((node) => node.path)).size,
    skipped: [...loaded.skipped, ...run.skipped],
    warnings: [
      ...loaded.warnings,
      ...logWarnings(loaded, run.logs),
      ...(notes?.warnings ?? []),
      ...run.warnings,
      ...root.warnings,
      ...synced,
    ],
    due: dueNodes(run.state, steps, undefined),
    root: root.summary,
  };
  await remember(memory, { loaded, run, root, result, synced, keys, steps });
  return result;
}

/** Loads the tree without the nodes that do not follow the records yet; they are removed. */
async function followRecords(memory: TreeMemory, known: LoadedTree, configuration: Configuration): Promise<LoadedTree> {
  const loaded = await loadTree(memory, { cache: known, configuration });
  if (loaded.unapplied.length === 0) return loaded;
  const dropped = await applyRecords(memory, loaded.state, loaded.unapplied);
  return dropped === "none" ? loaded : loadTree(memory, { cache: loaded, configuration });
}

/** Writes the caches after the newest file has settled, so their stamps are reliable. */
async function remember(
  memory: TreeMemory,
  work: {
    readonly loaded: LoadedTree;
    readonly run: TreeRun;
    readonly root: RootRun;
    readonly result: Result;
    readonly synced: readonly Warning[];
    /** See `recordFixed`. */
    readonly keys: ReadonlyMap<string, string>;
    /** What is still due. */
    readonly steps: readonly Step[];
  },
): Promise<void> {
  const { loaded, run, root, result, synced } = work;
  await memory.files.settle?.();
  await saveCache(memory, loaded, work);
  await keepLines(memory, root, run.stamps);
  // A read or write that failed may succeed next time even if no stamp changes.
  const hasFailed =
    loaded.stateFile.inTheWay !== undefined ||
    loaded.skipped.some(isPassing) ||
    run.skipped.length > 0 ||
    synced.some(({ code }) => code !== "section_replaced");
  if (result.due.length > 0 || hasFailed || root.stamp === undefined) return;
  const stamps = [...run.stamps, [rootPath, root.stamp] as const];
  const listing = new Map(stamps.map(([path, stamp]) => [path, stampOfNote(stamp)]));
  const { skipped, warnings } = loaded;
  const unchanged = run.state.nodes.all().length;
  const idle = { ...result, cycles: 0, written: [], unchanged, skipped, warnings, due: [] };
  await writeIdleRecord(memory, listing, idle);
}

/**
 * Without a limit, each level is fully composed before the next. This composes each node once and yields the same bytes
 * as any number of limited cycles. Returns the equivalent number of limited cycles.
 */
async function runCycles(run: TreeRun, limit: number | undefined): Promise<number> {
  let cycles = 0;
  for (let round = 0; round < (limit ?? mostRounds); round++) {
    const composed = await run.cycle(limit === undefined ? Number.POSITIVE_INFINITY : 1);
    if (composed === 0) break;
    cycles += composed;
  }
  return cycles;
}

/** Late data may move up one level per round; needing more rounds than this would be a bug. */
const mostRounds = 8;

async function countRun(memory: TreeMemory): Promise<void> {
  const lease = await memory.locks.acquire("append", { holder: "compact", waitMs: lockWait });
  try {
    const state = await readStateFile(memory);
    if (state.inTheWay !== undefined) return;
    await writeStateFile(memory, { lastRun: memory.clock.now(), rawLines: 0, entries: 0, others: state.others });
  } finally {
    await lease.release();
  }
}

async function saveCache(
  memory: TreeMemory,
  loaded: LoadedTree,
  { run, keys, steps }: Pick<Parameters<typeof remember>[1], "run" | "keys" | "steps">,
): Promise<void> {
  const { without } = await run.secrets();
  const logs = new Map<string, { readonly stamp: string; readonly log: CachedLog }>(loaded.cacheable.logs);
  for (const [path, { source, stamp, faults }] of run.logs) {
    const known = logs.get(path);
    logs.set(path, { stamp, log: { ...(known?.stamp === stamp ? known.log : {}), source, faults } });
  }
  for (const [path, { stamp, log }] of logs) {
    const secrets = without.get(path) === stamp ? "none" : log.secrets;
    if (secrets !== log.secrets || keys.has(path))
      logs.set(path, { stamp, log: { ...log, secrets, keys: log.keys ?? keys.get(path) } });
  }
  const nodes = new Map(loaded.cacheable.nodes);
  for (const { path } of run.written) {
    const facts = run.state.nodes.get(path);
    const stamp = run.stamps.get(path);
    if (facts !== undefined && stamp !== undefined) nodes.set(path, { stamp, facts });
  }
  const entries = { logs, nodes, months: loaded.cacheable.months };
  const { state, stamps } = run;
  const { records } = loaded;
  const settled = settledNow({ state, steps, stamps, records, entries });
  await writeCache(memory.files, entries, { basis: await basisAfter(memory, state, records), settled });
}
