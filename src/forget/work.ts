import { sha256 } from "../base/digest.ts";
import { MemoryError } from "../base/errors.ts";
import { fields, isObject, isText, listOf, optionally, parseObject } from "../base/json.ts";
import { decodeText } from "../base/lines.ts";
import { isCount } from "../base/lists.ts";
import type { AgentMemory } from "../agents/memory.ts";
import { folded, Needles, shortestNeedle, wordsOfLine } from "../text/folded.ts";
import { forgetPath, hasOwnParts, noteFollowed, rememberForgotten, unfollowedIn } from "../tree/logs/forgotten.ts";
import { readMovedRecord } from "../tree/logs/logical-files.ts";
import { appendIdentified, identified, readRecords } from "../tree/logs/records.ts";
import { layoutOf, realFilesOf, withWholeLogs } from "../tree/memory.ts";
import { isMark, printMoved, type BytesMark } from "../tree/model/moved-format.ts";
import { memoryFolder, movedPath, parseLogFile } from "../tree/model/period.ts";
import type { ChangeRecord, ForgottenRecord } from "../tree/model/records-format.ts";
import { cutLog, digestsAfter, linesOfLog, planCut, type CutLines } from "./cut-log.ts";
import { findForgotten, type Found } from "./find.ts";
import { listedAfter, type ListedAfter } from "./fixed-lists.ts";
import { pinsAfter } from "./pins-after.ts";
import type { Going } from "./searched.ts";

/** What a forgetting does, written before it begins so that it can be finished after a crash. It has the text, and is removed last. */
export interface Work {
  readonly v: 1;
  /** Folded: to look for in every file. */
  readonly needles: readonly string[];
  /** The lines that go, to keep digests of. */
  readonly lines: readonly string[];
  readonly tombstones: readonly ForgottenRecord[];
  /** Records that make pins follow the cuts. */
  readonly pins?: readonly ChangeRecord[];
  readonly logs: readonly LogWork[];
  /** The tombstone of each message, by the id of its frame. */
  readonly messages: Readonly<Record<string, string>>;
  readonly threads: readonly string[];
  /** Topics that no record of a renaming may name any more. */
  readonly topics: readonly string[];
  /** Ids of artifacts that nothing names any more. */
  readonly artifacts: readonly string[];
  /** Digests by which records name sections that change, and those after it; empty if nothing is left. */
  readonly sections: Readonly<Record<string, string>>;
  /** By path of the log: how records of fixed nodes name its sections afterwards. */
  readonly lists: Readonly<Record<string, ListedAfter>>;
  /** Something was forgotten in another clone, the last at this time: later answers of models were made without it. */
  readonly followed?: string;
}

interface LogWork {
  readonly path: string;
  readonly lines: readonly number[];
  /** The log before and after; `after` has no bytes if the file goes. */
  readonly before: BytesMark;
  readonly after: BytesMark;
  /** For a log that an audit shortened: the note on the disk, and the whole log after the cut, in base64. */
  readonly note?: BytesMark;
  readonly whole?: string;
}

const isWork = fields({
  v: (value) => value === 1,
  needles: listOf(isText),
  lines: listOf(isText),
  tombstones: Array.isArray,
  pins: optionally(Array.isArray),
  logs: listOf(
    fields({
      path: (value) => typeof value === "string" && /^memory\/[^/\0]+\.md$/u.test(value),
      lines: listOf(isCount),
      before: isMark,
      after: isMark,
      note: optionally(isMark),
      whole: optionally(isText),
    }),
  ),
  messages: isObject,
  threads: listOf(isText),
  topics: listOf(isText),
  artifacts: listOf(isText),
  sections: isObject,
  lists: isObject,
  followed: optionally(isText),
});

/** The forgetting that is under way; `undefined` if there is none. Errors: `damaged_store` if its file is not one of heartwood's. */
export async function readWork({ files }: Pick<AgentMemory, "files">): Promise<Work | undefined> {
  const read = await realFilesOf(files).read(forgetPath);
  if (read === undefined) return undefined;
  const work = parseObject(decodeText(read.bytes) ?? "");
  if (work !== undefined && isWork(work)) return work as unknown as Work;
  const message = `${forgetPath} is damaged: what was being forgotten cannot be finished from it. Remove the file, then run heartwood forget again.`;
  throw new MemoryError("damaged_store", message, { path: forgetPath });
}

export async function writeWork({ files }: Pick<AgentMemory, "files">, work: Work): Promise<void> {
  const bytes = Buffer.from(`${JSON.stringify(work)}\n`);
  const [outcome] = await realFilesOf(files).commit([{ path: forgetPath, bytes, expect: "anything", mode: 0o600 }]);
  if (outcome?.outcome === "written") return;
  const message = `${forgetPath} could not be written, because .heartwood/ is not this machine's: run heartwood doctor. Nothing was forgotten.`;
  throw new MemoryError("foreign_state", message, { path: forgetPath });
}

export async function removeWork({ files }: Pick<AgentMemory, "files">): Promise<void> {
  await realFilesOf(files).commit([{ path: forgetPath, bytes: undefined, expect: "anything" }]);
}

/** What goes from files, by the work. */
export function goingIn({ needles, lines, tombstones }: Pick<Work, "needles" | "lines" | "tombstones">): Going {
  return {
    needles: new Needles(needles),
    lines: new Set(longWords(lines)),
    ids: new Set(tombstones.flatMap(({ entry }) => entry ?? [])),
  };
}

/** The words of lines that have enough of them to stand for themselves. */
export function longWords(lines: readonly string[]): readonly string[] {
  return lines.map(wordsOfLine).filter((words) => words.length >= shortestNeedle);
}

/** Plans the whole work. `memory` shows shortened logs whole; `more` are lines that go with it, or have the text and stay. */
export async function planWork(memory: AgentMemory, found: Found, more: readonly string[] = []): Promise<Work> {
  const cuts: CutLines = new Map(
    found.logs.filter(({ lines }) => lines.length > 0).map(({ path, lines }) => [path, lines]),
  );
  const logs: LogWork[] = [];
  const lists: Record<string, ListedAfter> = {};
  for (const { path, original, lines } of found.logs) {
    const read = await memory.files.read(path);
    if (read === undefined) continue;
    const after = cutLog(path, read.bytes, cuts);
    if (after === read.bytes) continue;
    if (path === original)
      lists[path] = await listedAfter(realFilesOf(memory.files), path, {
        before: read.bytes,
        after: after ?? nothing,
        cut: lines,
      });
    const work = { path, lines, before: markOf(read.bytes), after: markOf(after ?? nothing) };
    const isWhole = (await layoutOf(memory.files, path)) === undefined;
    const note = isWhole ? undefined : await realFilesOf(memory.files).read(path);
    logs.push(
      note === undefined
        ? work
        : { ...work, note: markOf(note.bytes), whole: Buffer.from(after ?? nothing).toString("base64") },
    );
  }
  const ofLogs = found.logs
    .filter(({ lines }) => lines.length > 0)
    .flatMap(({ original: place, entries, lines }) => {
      const whole = entries.map(({ id }) =>
        id === undefined ? { kind: "forgotten" as const, place } : { kind: "forgotten" as const, place, entry: id },
      );
      const inside = new Set(
        entries.flatMap(({ from, to }) => Array.from({ length: to - from + 1 }, (_, index) => from + index)),
      );
      return lines.every((line) => inside.has(line)) || whole.length > 0
        ? whole
        : [{ kind: "forgotten" as const, place }];
    });
  // The days of a topic whose name goes are made again.
  const renamed = [...new Set(found.renames.flatMap((record) => record.logs))];
  for (const path of renamed.filter((one) => logs.every((log) => log.path !== one))) {
    const mark = markOf((await memory.files.read(path))?.bytes ?? nothing);
    logs.push({ path, lines: [], before: mark, after: mark });
  }
  const ofRenames = renamed.map((place) => ({ kind: "forgotten" as const, place, renamed: true as const }));
  const ofMessages = found.messages.map(({ thread_id, id }) => ({
    kind: "forgotten" as const,
    place: `thread:${thread_id}`,
    entry: id,
  }));
  const ofFields = found.fields.map(({ thread_id }) => ({ kind: "forgotten" as const, place: `thread:${thread_id}` }));
  // A log and its copy have the same entries.
  const each = new Map([...ofLogs, ...ofRenames, ...ofMessages, ...ofFields].map((one) => [JSON.stringify(one), one]));
  const moved = pinsAfter(await readRecords(realFilesOf(memory.files)), found.logs);
  const added = await identified(memory, [...each.values(), ...moved]);
  const tombstones = added.filter((one) => one.kind === "forgotten");
  const pins = added.filter(({ kind }) => kind !== "forgotten");
  const ids = tombstones.flatMap(({ id, entry, place }) =>
    entry !== undefined && place.startsWith("thread:") ? [[entry, id] as const] : [],
  );
  const { needles, threads, topics } = found;
  const sections = found.logs.flatMap((log) => digestsAfter(log.texts, log.lines));
  return {
    v: 1,
    needles,
    lines: [...found.lines, ...more],
    tombstones,
    ...(pins.length === 0 ? {} : { pins }),
    logs,
    messages: Object.fromEntries(ids),
    threads,
    topics,
    artifacts: [],
    sections: Object.fromEntries(sections),
    lists,
  };
}

/**
 * Plans to forget here what was forgotten in other clones. They may have taken only a line, which nothing names: so what was derived from the log goes,
 * whether the text is still here or not. `undefined` if there is nothing to do.
 */
export async function planFollowing(opened: AgentMemory): Promise<Work | undefined> {
  const files = realFilesOf(opened.files);
  const tombstones = await unfollowedIn(files);
  if (tombstones.length === 0 || opened.localState?.look().is === "foreign") return undefined;
  const memory = await withWholeLogs(opened);
  // A new clone has only what the others share.
  if (!(await hasOwnParts(files))) return void (await noteFollowed(opened, tombstones));
  const ids = tombstones.flatMap(({ entry }) => entry ?? []);
  const found = await findForgotten(memory, { ids: new Set(ids) });
  const work = await planWork(memory, found);
  const known = new Set(work.logs.map(({ path }) => path));
  const logs: LogWork[] = [];
  for (const path of new Set(tombstones.map(({ place }) => place))) {
    const folder = `${memoryFolder}/`;
    if (known.has(path) || !path.startsWith(folder) || parseLogFile(path.slice(folder.length)).state !== "log")
      continue;
    const mark = markOf((await memory.files.read(path))?.bytes ?? nothing);
    logs.push({ path, lines: [], before: mark, after: mark });
  }
  const byEntry = new Map(tombstones.map(({ entry, id }) => [entry ?? "", id]));
  const messages = Object.entries(work.messages).map(([frame, by]) => [frame, byEntry.get(frame) ?? by] as const);
  // Messages that only this clone has.
  const own = work.tombstones.filter(({ entry = "" }) => entry in work.messages && !byEntry.has(entry));
  const times = tombstones.map(({ at }) => at).toSorted((a, b) => Date.parse(a) - Date.parse(b));
  return {
    ...work,
    // Copies of the log have the comment of the entry.
    needles: [...work.needles, ...ids.map((id) => folded(`<!-- hw id=${id} at=`))],
    tombstones: [...tombstones, ...own],
    logs: [...work.logs, ...logs],
    messages: Object.fromEntries(messages),
    followed: times.at(-1) ?? "",
  };
}

const nothing = new Uint8Array(0);

function markOf(bytes: Uint8Array): BytesMark {
  return { bytes: bytes.length, sha256: sha256(bytes) };
}

function beginsWith(bytes: Uint8Array, mark: BytesMark): boolean {
  return bytes.length >= mark.bytes && sha256(bytes.subarray(0, mark.bytes)) === mark.sha256;
}

/** Writes the tombstones and digests, then the logs. Call it with the locks `tree` and `append` held. */
export async function cutLogs(memory: AgentMemory, work: Work): Promise<void> {
  const files = realFilesOf(memory.files);
  const there = new Set((await readRecords(files)).map(({ id }) => id));
  await appendIdentified(
    files,
    [...work.tombstones, ...(work.pins ?? [])].filter(({ id }) => !there.has(id)),
  );
  // Of what another clone forgot, only the messages that go here have words here.
  const known = work.followed === undefined ? work.tombstones.map(({ id }) => id) : Object.values(work.messages);
  await rememberForgotten({ files, random: memory.random }, work.lines, known);
  await makeWhole(memory, work);
  const cuts: CutLines = new Map(work.logs.map(({ path, lines }) => [path, lines]));
  for (const log of work.logs) {
    const read = await files.read(log.path);
    if (read === undefined || log.whole !== undefined) continue;
    const after = cutNow(log, read.bytes, { cuts, work });
    if (after === read.bytes) continue;
    const [outcome] = await files.commit([{ path: log.path, bytes: after, expect: { stamp: read.stamp } }]);
    if (outcome?.outcome === "changed") throw changed(log.path);
  }
}

function cutNow(
  log: LogWork,
  bytes: Uint8Array,
  { cuts, work }: { readonly cuts: CutLines; readonly work: Work },
): Uint8Array | undefined {
  if (beginsWith(bytes, log.before)) return cutLog(log.path, bytes, cuts);
  if (beginsWith(bytes, log.after)) return bytes;
  // Someone edited it after a crash: what is still there is found by its words.
  const { texts } = linesOfLog(bytes);
  const words = new Set(work.lines.map(wordsOfLine));
  const left = new Set(
    texts.flatMap((text, index) => (words.has(wordsOfLine(text)) && text.trim() !== "" ? [index + 1] : [])),
  );
  return cutLog(log.path, bytes, new Map([[log.path, planCut(texts, left).lines]]));
}

/** A log that an audit shortened becomes whole again, without what is forgotten. Its archived parts have the old bytes; `sweep` removes them. */
async function makeWhole(memory: AgentMemory, work: Work): Promise<void> {
  const files = realFilesOf(memory.files);
  const shortened = work.logs.filter(({ whole }) => whole !== undefined);
  if (shortened.length === 0) return;
  const gone = new Set(shortened.map(({ path }) => path));
  const { logs, stamp } = await readMovedRecord(files);
  const left = new Map([...logs].filter(([path]) => !gone.has(path)));
  // Before the notes: a whole note next to a step would be read as an edited one.
  if (left.size < logs.size && stamp !== undefined)
    await files.commit([
      { path: movedPath, bytes: left.size === 0 ? undefined : Buffer.from(printMoved(left)), expect: { stamp } },
    ]);
  for (const { path, note, whole = "", after } of shortened) {
    const read = await files.read(path);
    if (read === undefined || note === undefined || (beginsWith(read.bytes, after) && !beginsWith(read.bytes, note)))
      continue;
    // What was logged after a crash stays.
    const added = beginsWith(read.bytes, note) ? read.bytes.subarray(note.bytes) : nothing;
    const bytes = Buffer.concat([Buffer.from(whole, "base64"), added]);
    const [outcome] = await files.commit([
      { path, bytes: bytes.length === 0 ? undefined : bytes, expect: { stamp: read.stamp } },
    ]);
    if (outcome?.outcome === "changed") throw changed(path);
  }
}

function changed(path: string): MemoryError {
  const message = `${path} was changed by another program in the meantime: run heartwood forget again, which finishes what was begun.`;
  return new MemoryError("changed_by_other", message, { path });
}
