import { sha256 } from "../base/digest.ts";
import { ifMemoryError, MemoryError, type Warning } from "../base/errors.ts";
import type { Call } from "../base/operation.ts";
import type { AgentMemory } from "../agents/memory.ts";
import { Needles } from "../text/folded.ts";
import { shown } from "../text/shown.ts";
import { isRedacted, redactThreads } from "../threads/run/redact.ts";
import type { ForgetInput } from "../tree/inputs.ts";
import {
  isForgettingDue,
  noteFollowed,
  readForgettingLeft,
  readForgotten,
  readTombstones,
} from "../tree/logs/forgotten.ts";
import { realFilesOf, withLogicalLogs, withWholeLogs } from "../tree/memory.ts";
import { memoryFolder, rootPath } from "../tree/model/period.ts";
import { runCompact } from "../tree/run/compact.ts";
import { joinRuns, type CompactResult } from "../tree/run/idle.ts";
import { loadTree } from "../tree/run/load.ts";
import { dropNodes } from "../tree/run/reopen.ts";
import { rootCopyPath } from "../tree/run/tree-files.ts";
import { findDerived, noneDerived, type Derived } from "./derived.ts";
import { findForgotten, refuseUnclear, type Found, type FoundLog } from "./find.ts";
import {
  findInFiles,
  findOutside,
  searchBytes,
  type FoundFiles,
  linesFound,
  type FoundLines,
  type Going,
  type Outside,
} from "./searched.ts";
import { daysOf, sweep } from "./sweep.ts";
import {
  cutLogs,
  goingIn,
  longWords,
  planFollowing,
  planWork,
  readWork,
  removeWork,
  writeWork,
  type Work,
} from "./work.ts";

export interface ForgetResult {
  /**
   * `planned`: nothing was changed. `finished`: only work that a crash had interrupted was done. `already_forgotten`: the
   * entry was forgotten before.
   */
  readonly state: "planned" | "done" | "nothing" | "finished" | "already_forgotten";
  /** Pass it with the same input to do exactly this. */
  readonly code: string;
  /** The lines that go, with secrets replaced. */
  readonly lines: readonly ForgottenLines[];
  readonly messages: readonly { readonly thread_id: string; readonly seq: number; readonly text: string }[];
  /** Titles of threads, and other texts in frames that are not messages. */
  readonly fields: readonly ForgottenField[];
  /** Names of topics that go; their entries get the name that they had before, or the next one. */
  readonly renames: readonly { readonly from: string; readonly to: string }[];
  readonly entries: number;
  /** Lines that other entries say too; derived files may keep them. */
  readonly shared: number;
  /** Files that changed or went, apart from logs and threads. If `planned`: those that heartwood made, if only they have the text. */
  readonly files: readonly string[];
  /** What goes with it, or is made again, because it was made from it. */
  readonly derived: Derived;
  /** Files that still contain the text, because heartwood does not change them. */
  readonly left: readonly string[];
  /** Files with the text in their name, and threads with it in their id (`thread:ID`). They keep it. */
  readonly names: readonly string[];
  readonly outside: Outside;
  readonly warnings: readonly Warning[];
}

export interface ForgottenLines {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

export interface ForgottenField {
  readonly thread_id: string;
  readonly seq: number;
  /** The name of the field, such as `title`. */
  readonly field: string;
  readonly text: string;
}

const lockWait = 30_000;

/**
 * Forgets for good. Without `yes` or a matching `code`, it only shows what would go. Errors: `usage`, `invalid_date`, `not_found`, `thread_not_found`,
 * `message_not_found`, `busy`, `changed_by_other`, `io`, `disk_full`, `damaged_store`, `archive_damaged`.
 */
export async function runForget(memory: AgentMemory, input: ForgetInput, call: Call): Promise<ForgetResult> {
  refuseUnclear(input);
  const resumed = input.dry_run === true ? undefined : await resumeForgetting(memory, call);
  const rest = input.dry_run === true ? await readForgettingLeft(memory) : undefined;
  const warnings = rest === undefined ? [] : [rest];
  const seen = await look(memory, input);
  const { found } = seen;
  const code = codeOf(seen);
  const plan = resultOf(seen, code);
  const isNothing =
    found.messages.length === 0 &&
    found.fields.length === 0 &&
    found.renames.length === 0 &&
    seen.notes.length === 0 &&
    seen.made.length === 0 &&
    found.logs.every(({ lines }) => lines.length === 0);
  if (isNothing && resumed !== undefined)
    return { ...plan, state: "finished", left: [...new Set([...plan.left, ...resumed.left])] };
  // What is missing may be what the interrupted work has removed.
  if (isNothing && rest !== undefined) return { ...plan, state: "nothing", warnings };
  if (isNothing) return { ...plan, state: await stateOfNothing(memory, input, found) };
  const derived = await findDerived(memory, found);
  const isSure = input.yes === true || input.code === code;
  if (input.dry_run === true || !isSure)
    return { ...plan, derived, outside: await findOutside(memory, outsideOf(found)), warnings };
  const done = await underLocks(memory, async () => {
    // Another process may have logged or forgotten something in between.
    const now = await look(memory, input);
    if (codeOf(now) !== code && input.yes !== true) return undefined;
    const needles = new Needles(now.found.needles);
    const copies = now.found.logs.filter(({ path, original }) => path !== original);
    const texts = [...now.notes, ...copies.map(linesOf)].flatMap((one) => one.texts);
    const more = [...texts, ...now.found.fields.map(({ text }) => text), ...now.staying].filter((text) =>
      needles.isIn(text),
    );
    const work = await planWork(await withWholeLogs(memory), now.found, more);
    await writeWork(memory, work);
    return { now, files: await carryOut(memory, work) };
  });
  if (done === undefined) return { ...plan, derived };
  const { left, run } = await finish(memory, call);
  const { names } = await findInFiles(memory, done.now.going);
  const outside = await findOutside(memory, outsideOf(done.now.found));
  const after = { derived, left, names, outside, warnings: run.warnings.filter((one) => one.code !== "no_heading") };
  return { ...resultOf(done.now, code), ...after, state: "done", files: done.files };
}

/** Finishes a forgetting that a crash interrupted, and forgets what other clones forgot; `undefined` if there is neither. */
export async function resumeForgetting(memory: AgentMemory, call: Call): Promise<Finished | undefined> {
  if (!(await isForgettingDue(realFilesOf(memory.files)))) return undefined;
  const isBegun = await underLocks(memory, async () => {
    const begun = await readWork(memory);
    const work = begun ?? (await planFollowing(memory));
    if (work === undefined) return false;
    if (begun === undefined) await writeWork(memory, work);
    await carryOut(memory, work);
    return true;
  });
  if (!isBegun) return undefined;
  const done = await finish(memory, call);
  // What another clone forgot may wait behind what a crash interrupted.
  const next = await resumeForgetting(memory, call);
  return next === undefined ? done : { left: [...done.left, ...next.left], run: joinRuns(done.run, next.run) };
}

interface Finished {
  /** Files that still contain the text. */
  readonly left: readonly string[];
  /** The run that rebuilt what was derived. */
  readonly run: CompactResult;
}

/** In the order in which everything is locked: a run of the tree, then an append. */
async function underLocks<T>(memory: AgentMemory, act: () => Promise<T>): Promise<T> {
  const tree = await memory.locks.acquire("tree", { holder: "forget", waitMs: lockWait });
  try {
    const append = await memory.locks.acquire("append", { holder: "forget", waitMs: lockWait });
    return await act().finally(() => append.release());
  } finally {
    await tree.release();
  }
}

/** Every step can be repeated. Returns the changed and removed files. */
async function carryOut(memory: AgentMemory, work: Work): Promise<readonly string[]> {
  await cutLogs(await withWholeLogs(memory), work);
  let current = work;
  const onOrphans = async (ids: readonly string[]): Promise<void> => {
    current = { ...current, artifacts: [...new Set([...current.artifacts, ...ids])] };
    await writeWork(memory, current);
  };
  const needles = new Needles(work.needles);
  const messages = new Map(Object.entries(work.messages));
  const titles = new Set(work.threads);
  if (work.followed === undefined || messages.size > 0)
    await redactThreads(memory, { messages, titles, needles, onOrphans });
  await memory.artifacts.remove?.(current.artifacts);
  const { state } = await loadTree(await withLogicalLogs(memory), { cache: "ignored" });
  const dropped = await dropNodes(memory, state, daysOf(work));
  const changed = await sweep(memory, current);
  const isEmpty = state.days.size === 0 && work.logs.length > 0;
  // Without logs no run writes ROOT.md again.
  const gone = isEmpty ? [rootPath, rootCopyPath] : [];
  await memory.files.commit(gone.map((path) => ({ path, bytes: undefined, expect: "anything" as const })));
  return [...new Set([...dropped, ...changed, ...gone])].toSorted();
}

/** Rebuilds what was derived, looks for the text in every byte, and discards it. */
async function finish(memory: AgentMemory, call: Call): Promise<Finished> {
  const work = await readWork(memory);
  const run = await runCompact(memory, { waits: "not_counted" }, call);
  return underLocks(memory, async () => {
    const left = work === undefined ? [] : await searchBytes(memory, goingIn(work));
    await dropOldCopy(memory);
    await noteFollowed(memory, work?.tombstones ?? []);
    await removeWork(memory);
    return { left, run };
  });
}

/** The copy of a `ROOT.md` that another clone's has replaced. */
async function dropOldCopy({ files }: AgentMemory): Promise<void> {
  const [root, copy] = await Promise.all([files.read(rootPath), files.read(rootCopyPath)]);
  if (root === undefined || copy === undefined || Buffer.from(root.bytes).equals(copy.bytes)) return;
  await files.commit([{ path: rootCopyPath, bytes: undefined, expect: { stamp: copy.stamp } }]);
}

/** What is named must exist, or have existed; a text need not. Errors: `not_found`. */
async function stateOfNothing(memory: AgentMemory, input: ForgetInput, found: Found): Promise<ForgetResult["state"]> {
  const { entry, topic, day } = input;
  if (input.message !== undefined) return "already_forgotten";
  if (day !== undefined) return stateOfDay(memory, { ...input, day }, found);
  if (entry !== undefined && entry !== "") {
    if ((await readForgotten(realFilesOf(memory.files))).ids.has(entry)) return "already_forgotten";
    const message = `No entry has the id "${shown(entry, 80)}"; heartwood forget TEXT finds an entry by its text.`;
    throw new MemoryError("not_found", message, { entry: shown(entry, 80) });
  }
  if (topic === undefined || topic === "") return "nothing";
  const message = `No entry has the topic "${shown(topic, 80)}"; heartwood show ROOT lists the topics.`;
  throw new MemoryError("not_found", message, { topic: shown(topic, 80) });
}

/** Errors: `not_found` for lines after the end of their log, or if no log of the day is or was there. */
async function stateOfDay(
  memory: AgentMemory,
  { day, lines }: ForgetInput & { readonly day: string },
  { logs }: Found,
): Promise<ForgetResult["state"]> {
  const own = `${memoryFolder}/${day}.md`;
  const isNamed = (path: string): boolean =>
    path === own || (lines === undefined && path.startsWith(`${memoryFolder}/${day}-`));
  const log = logs.find(({ path, original }) => isNamed(original) && (lines === undefined || path === own));
  if (log !== undefined && lines === undefined) return "nothing";
  if (log !== undefined) {
    const count = log.texts.length;
    const [line] = (lines ?? "").split("-");
    const message = `${own} has no line ${line}; it has ${count} ${count === 1 ? "line" : "lines"}.`;
    throw new MemoryError("not_found", message, { path: own, line: Number(line), lines: count });
  }
  if ((await readTombstones(realFilesOf(memory.files))).some(({ place }) => isNamed(place))) return "already_forgotten";
  const message = `${shown(day, 110)} has no log; heartwood tree lists the days.`;
  throw new MemoryError("not_found", message, { day: shown(day, 110) });
}

/** Whether a message has no words any more because it was forgotten, here or in another clone. */
async function isForgottenMessage(memory: AgentMemory, { thread = "", message = "" }: ForgetInput): Promise<boolean> {
  const tombstones = await readTombstones(realFilesOf(memory.files));
  return (
    tombstones.some(({ place, entry }) => place === `thread:${thread}` && entry === message) ||
    isRedacted(memory, thread, message)
  );
}

interface Seen extends FoundFiles {
  readonly found: Found;
  readonly going: Going;
  /** Files that heartwood made, if only they have the text. */
  readonly made: readonly string[];
}

async function look(memory: AgentMemory, input: ForgetInput): Promise<Seen> {
  const whole = await withWholeLogs(memory);
  const found = await findForgotten(whole, input).catch(
    ifMemoryError(async (error) => {
      if (error.code !== "message_not_found" || !(await isForgottenMessage(memory, input))) throw error;
      return findForgotten(whole, { ids: new Set() });
    }),
  );
  const { logs, messages, fields, renames } = found;
  const going: Going = {
    needles: new Needles(found.needles),
    lines: new Set(longWords(found.lines)),
    ids: new Set(logs.flatMap(({ entries }) => entries.flatMap(({ id }) => id ?? []))),
  };
  const inFiles = await findInFiles(memory, going);
  const isElsewhere = [messages, fields, renames, inFiles.notes, ...logs.map(({ lines }) => lines)].some(
    ({ length }) => length > 0,
  );
  // What was made is made again with what goes; it is searched if nothing else has the text, as when a person removed it from a log.
  const having = isElsewhere ? [] : await searchBytes(memory, going);
  return { found, going, ...inFiles, made: having.filter((path) => !inFiles.left.includes(path)) };
}

/** What would go, as a short code that a caller repeats. It says nothing about the text. */
function codeOf({ found: { logs, messages, fields, renames }, notes, made }: Seen): string {
  // With their texts: other lines may have come to the same place.
  const lines = logs.map(linesOf).flatMap((log) => (log.lines.length > 0 ? [[log.path, log.lines, log.texts]] : []));
  const ids = [...messages.map(({ id }) => id), ...fields.map((one) => [one.thread_id, one.seq, one.name])];
  const files = [...notes.map((note) => [note.path, note.lines, note.texts]), ...made];
  return sha256(JSON.stringify([lines, ids, files, renames.map(({ id }) => id)])).slice(0, 6);
}

function linesOf({ path, lines, texts }: FoundLog): FoundLines {
  return linesFound(path, lines, texts);
}

function resultOf({ found, notes, left, names, made }: Seen, code: string): ForgetResult {
  const lines = [...found.logs.map(linesOf), ...notes].flatMap((one) => {
    const safe = one.lines.length === 0 ? [] : one.safe();
    return one.lines.map((line, index) => ({ path: one.path, line, text: shown(safe[index] ?? "", 200) }));
  });
  return {
    state: "planned",
    code,
    // A blank line before an entry goes with it.
    lines: lines.filter(({ text }) => text.trim() !== ""),
    messages: found.messages.map(({ thread_id, seq, content }) => ({ thread_id, seq, text: shown(content, 200) })),
    fields: found.fields.map(({ thread_id, seq, name, text }) => ({
      thread_id,
      seq,
      field: name,
      text: shown(text, 200),
    })),
    renames: found.renames.map(({ from, to }) => ({ from, to })),
    entries: found.logs.reduce((sum, { path, original, entries }) => sum + (path === original ? entries.length : 0), 0),
    shared: found.shared,
    files: made,
    derived: noneDerived,
    left,
    names,
    outside: { commits: null, transcripts: [] },
    warnings: [],
  };
}

function outsideOf({ needles, logs }: Found) {
  return { needles: new Needles(needles), paths: logs.filter(({ lines }) => lines.length > 0).map(({ path }) => path) };
}
