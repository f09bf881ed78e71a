import type { AgentMemory } from "../agents/memory.ts";
import { sha256 } from "../base/digest.ts";
import { ifMemoryError } from "../base/errors.ts";
import { isObject, parseObject } from "../base/json.ts";
import { isTemporaryName, stateFolder } from "../base/known-paths.ts";
import { readFrontMatter, valueOf } from "../base/front-matter.ts";
import { decodeText, textLines } from "../base/lines.ts";
import { topicKey } from "../base/memory-type.ts";
import { linesOfLog } from "./cut-log.ts";
import { changeAfter, renamesAfter, withLists } from "./fixed-lists.ts";
import { keptFiles, linesWith, openFinder, wordsOfName, type Going, type KeptFile } from "./searched.ts";
import { goingIn, type Work } from "./work.ts";
import type { FileChange, Files } from "../platform/files.ts";
import { unescaped } from "../text/folded.ts";
import { frameOf } from "../threads/model/frame.ts";
import { parseRecord, parseRecordName } from "../tree/answers/record.ts";
import type { VerifyResult } from "../tree/inspect/verify.ts";
import { readForgettingLeft, readForgotten } from "../tree/logs/forgotten.ts";
import { readMovedRecord } from "../tree/logs/logical-files.ts";
import { readRecords } from "../tree/logs/records.ts";
import { realFilesOf } from "../tree/memory.ts";
import { mergeKindOf } from "../tree/merge/files.ts";
import { isFixedRecordsFile } from "../tree/model/fixed-records.ts";
import { dayOfNote, dayOfPart } from "../tree/model/moved-format.ts";
import {
  ancestorsOf,
  answersFolder,
  archiveFolder,
  memoryFolder,
  recordsFolder,
  recordsPath,
  rootPath,
} from "../tree/model/period.ts";
import { rootFiguresPath } from "../tree/root-run/root-run.ts";
import { ledgerPath } from "../tree/run/answer-store.ts";
import { rootCopyPath } from "../tree/run/tree-files.ts";

/** What was derived from what goes. */
interface Touched extends Going {
  readonly work: Work;
  /** Whether one of heartwood's own files has the text, apart from names that stay. */
  isInOwn(bytes: Uint8Array): boolean;
  /** The logs that change, and their days. */
  readonly logs: ReadonlySet<string>;
  readonly days: ReadonlySet<string>;
  /** The days and all periods above them. */
  readonly periods: ReadonlySet<string>;
  /** Parts of shortened logs that the record still names. */
  readonly parts: ReadonlySet<string>;
}

export function daysOf({ logs }: Pick<Work, "logs">): readonly string[] {
  return [...new Set(logs.map(({ path }) => path.slice(memoryFolder.length + 1, memoryFolder.length + 11)))].toSorted();
}

/**
 * Removes what was made from it: caches, the search index, archived nodes, answers of models, records of sessions; and the lines of notes that have the
 * text. Call it with the locks held, after the logs and threads are done. Returns the changed and removed paths.
 */
export async function sweep(memory: AgentMemory, work: Work): Promise<readonly string[]> {
  const changes = await planSweep(memory, work);
  if (changes.some(({ path }) => path.startsWith(searchFolder))) await memory.searchIndex.close();
  const outcomes = await realFilesOf(memory.files).commit(changes);
  return outcomes.filter(({ outcome }) => outcome !== "changed").map(({ path }) => path);
}

/** What `sweep` does, also before the logs are cut. */
export async function planSweep(memory: AgentMemory, work: Work): Promise<readonly FileChange[]> {
  const files = realFilesOf(memory.files);
  const days = daysOf(work);
  const periods = days.flatMap((day) => [day, ...ancestorsOf("daily", day).map(({ period }) => period)]);
  // A log that is cut becomes whole again, so nothing names its parts any more.
  const whole = new Set(work.logs.flatMap((log) => (log.whole === undefined ? [] : [log.path])));
  const moved = [...(await readMovedRecord(files)).logs].filter(([path]) => !whole.has(path));
  const going = goingIn(work);
  const touched: Touched = {
    ...going,
    work,
    isInOwn: await openFinder(memory, going.needles),
    logs: new Set(work.logs.map(({ path }) => path)),
    days: new Set(days),
    periods: new Set(periods),
    parts: new Set(moved.flatMap(([, steps]) => steps.map(({ part }) => part))),
  };
  const changes: FileChange[] = [];
  for (const file of await keptFiles(files)) {
    const change = await changeOf(files, file, touched).catch(ifMemoryError(() => undefined));
    if (change !== undefined) changes.push(change);
  }
  return changes;
}

const searchFolder = `${stateFolder}/search/`;

/** What happens to a file; `undefined` if it stays as it is. A conflict copy of one of heartwood's files is treated as that file. */
async function changeOf(files: Files, file: KeptFile, touched: Touched): Promise<FileChange | undefined> {
  const { path, original, kind } = file;
  const removed: FileChange = { path, bytes: undefined, expect: "anything" };
  const name = path.slice(path.lastIndexOf("/") + 1);
  if (kind === "yours" || path.startsWith(`${stateFolder}/threads/`) || name.startsWith("lock-")) return undefined;
  if (path.startsWith(searchFolder)) return removed;
  if (isOutdated(file, touched) && !(await isAnsweredSince(files, path, touched.work))) return removed;
  // Left by an interrupted batch: only this command writes there, and the locks are held.
  if (isTemporaryName(name) && path.startsWith("knowledge/")) return removed;
  if (path.startsWith(`${stateFolder}/cache/`) && path !== rootCopyPath && path !== rootFiguresPath) return removed;
  const read = await files.read(path);
  if (read === undefined) return undefined;
  if (path === rootFiguresPath) return figuresChange(files, touched);
  const changed = (bytes: Uint8Array): FileChange => ({ path, bytes, expect: { stamp: read.stamp }, like: path });
  if (original.startsWith(`${recordsFolder}/`) && isFixedRecordsFile(original.slice(recordsFolder.length + 1))) {
    const bytes = withLists(read.bytes, touched.work.lists);
    return bytes === read.bytes ? undefined : bytes.length === 0 ? removed : changed(bytes);
  }
  if (name.endsWith(".jsonl")) {
    const kept = linesOfLog(read.bytes).bytes.filter((line) => !isInLine(original, line, touched));
    const isGone = (topic: string): boolean =>
      touched.needles.isIn(topic) || touched.work.topics.includes(topicKey(topic));
    const bytes = Buffer.concat(
      original === recordsPath
        ? renamesAfter(kept, isGone).flatMap(
            (line) => changeAfter(renamedSection(line, touched), touched.work.tombstones) ?? [],
          )
        : kept,
    );
    return bytes.equals(read.bytes) ? undefined : bytes.length === 0 ? removed : changed(bytes);
  }
  if (path.startsWith(`${stateFolder}/audit/`)) {
    const bytes = historyWithout(read.bytes, touched);
    return bytes === read.bytes ? undefined : bytes === undefined ? removed : changed(bytes);
  }
  const isIn = kind === "own" ? touched.isInOwn(read.bytes) : kind === "note" || touched.needles.isInBytes(read.bytes);
  if (!isIn) return undefined;
  const isOwn =
    path.startsWith(`${stateFolder}/`) || path.startsWith(`${archiveFolder}/nodes/`) || isTemporaryName(name);
  if (isOwn && path !== rootCopyPath) return removed;
  // A node is made again, unless another program wrote it.
  if (original !== rootPath && mergeKindOf(original) === "derived" && isMadeByRule(read.bytes)) return removed;
  if (!name.endsWith(".md") || touched.parts.has(path)) return undefined;
  const left = linesWithout(file, read.bytes, touched);
  return left === read.bytes ? undefined : changed(left);
}

function isMadeByRule(node: Uint8Array): boolean {
  const reading = readFrontMatter(textLines(decodeText(node) ?? ""));
  const rule = reading.state === "read" ? valueOf(reading.front, "made-by") : undefined;
  return rule !== undefined && rule !== "foreign";
}

function linesWithout(file: KeptFile, text: Uint8Array, going: Going): Uint8Array {
  const { texts, bytes } = linesOfLog(text);
  const gone = linesWith(file, texts, going);
  return gone.size === 0 ? text : Buffer.concat(bytes.filter((_, index) => !gone.has(index + 1)));
}

/** The copy of ROOT.md tells which of its lines a person wrote: without a digest of it, ROOT.md would be archived whole. */
async function figuresChange(files: Files, touched: Touched): Promise<FileChange | undefined> {
  const copy = (await files.read(rootCopyPath))?.bytes ?? new Uint8Array(0);
  const left = linesWithout({ path: rootCopyPath, original: rootCopyPath, kind: "own" }, copy, touched);
  if (left === copy) return undefined;
  const bytes = Buffer.from(JSON.stringify({ copy_sha256: sha256(left) }));
  return { path: rootFiguresPath, bytes, expect: "anything" };
}

/** Whether a file was made from what goes, whatever words it has. */
function isOutdated({ path, original }: KeptFile, { work, days, periods, parts }: Touched): boolean {
  const name = original.slice(original.lastIndexOf("/") + 1);
  const isTouched = days.size > 0;
  if (path !== original && mergeKindOf(original) === "derived")
    return original === rootPath ? isTouched : periods.has(name.slice(0, -".md".length));
  if (path.startsWith(`${archiveFolder}/nodes/`)) {
    const [period = ""] = name.split(".");
    return periods.has(period) || (isTouched && ["ROOT", "MEMORY"].includes(period));
  }
  const part = dayOfPart(original);
  if (part !== undefined) return days.has(part) && !parts.has(path);
  if (path.startsWith(`${answersFolder}/`)) {
    const label = parseRecordName(name)?.label ?? name;
    const kind = path.slice(answersFolder.length + 1).split("/")[0];
    if (kind === "root") return isTouched;
    if (kind === "thread")
      return Object.keys(work.messages).length > 0 && threadsOf(work).some((id) => label.startsWith(`${id}.`));
    return periods.has(label.split(".")[0] ?? "");
  }
  const artifact = /^\.heartwood\/artifacts\/[0-9a-f]{2}\/([0-9a-f]{64})\./u.exec(path)?.[1];
  return artifact !== undefined && work.artifacts.includes(artifact);
}

/** Whether a model answered after another clone forgot it. */
async function isAnsweredSince(files: Files, path: string, { followed }: Work): Promise<boolean> {
  if (followed === undefined || !path.startsWith(`${answersFolder}/`)) return false;
  const answer = parseRecord(decodeText((await files.read(path))?.bytes ?? new Uint8Array(0)) ?? "");
  return answer !== "damaged" && Date.parse(answer.at) > Date.parse(followed);
}

function threadsOf({ tombstones }: Work): readonly string[] {
  return tombstones.flatMap(({ place }) => (place.startsWith("thread:") ? [place.slice("thread:".length)] : []));
}

/** Whether a line of a record names what goes. A text that a session got has words of it if it was made from a derived file. */
function isInLine(path: string, line: Uint8Array, touched: Touched): boolean {
  const { needles, logs, days, work } = touched;
  if (path === recordsPath) return work.sections[sectionIn(line)] === "";
  if (needles.isInBytes(line)) return true;
  // What is rebuilt may wait for a model's answer again.
  if (path === ledgerPath) return isWait(line, touched);
  if (!path.startsWith(`${stateFolder}/sessions/`)) return false;
  const { lines } = parseObject(decodeText(line)?.trim() ?? "") ?? {};
  const threads = threadsOf(work).map((id) => `thread:${id}`);
  return (
    Array.isArray(lines) &&
    lines.some((place) => {
      const source = String(place).replace(/:[\d-]+$/u, "");
      return logs.has(source) || threads.includes(source) || (days.size > 0 && isDerived(source));
    })
  );
}

function isWait(line: Uint8Array, { periods, days }: Touched): boolean {
  const { event, kind, label } = parseObject(decodeText(line)?.trim() ?? "") ?? {};
  return event === "waited" && (periods.has(String(label).split(".")[0] ?? "") || (kind === "root" && days.size > 0));
}

/** The digest by which a record names a section of a log; empty for any other line. */
function sectionIn(line: Uint8Array): string {
  const { section } = parseObject(decodeText(line)?.trim() ?? "") ?? {};
  return typeof section === "string" ? section : "";
}

/** The record with the digest of what is left of its section. */
function renamedSection(line: Buffer, { work }: Touched): Buffer {
  const section = sectionIn(line);
  const now = work.sections[section];
  if (now === undefined || now === "") return line;
  return Buffer.from(line.toString("utf8").replace(`"section":"${section}"`, `"section":"${now}"`));
}

function isDerived(source: string): boolean {
  return source === rootPath || source === "MEMORY.md" || /^memory\/(?:daily|weekly|monthly)\//u.test(source);
}

/** A record of an audit without the logs that are whole again: it has digests of them. */
function historyWithout(bytes: Uint8Array, { logs, needles, work }: Touched): Uint8Array | undefined {
  const record = parseObject(decodeText(bytes) ?? "");
  const files = record?.["files"];
  if (record === undefined || !Array.isArray(files)) return needles.isInBytes(bytes) ? undefined : bytes;
  const notes = new Set(work.logs.flatMap(({ path }) => (dayOfNote(path) === undefined ? [] : [path])));
  const kept = files.filter(
    (file) => !(isObject(file) && logs.has(String(file["path"])) && notes.has(String(file["path"]))),
  );
  if (kept.length === files.length) return bytes;
  return kept.length === 0 ? undefined : Buffer.from(`${JSON.stringify({ ...record, files: kept })}\n`);
}

type Finding = VerifyResult["findings"][number];

/** A shorter id, which a person chose, may be a word of a text; it counts only as the id of an entry. */
const longId = 20;

/** Looks in every byte that is kept for ids of entries that were forgotten, and for lines that were forgotten here. */
export async function verifyForgotten(memory: AgentMemory): Promise<VerifyResult> {
  const files = realFilesOf(memory.files);
  const forgotten = await readForgotten(files);
  const findings: Finding[] = [];
  const found = (code: string, path: string, message: string): void =>
    void findings.push({ code, severity: "error", path, line: null, message });
  const rest = await readForgettingLeft(memory);
  if (rest !== undefined) found(rest.code, "", rest.message);
  const kept = (await keptFiles(files)).filter(({ original }) => original !== recordsPath);
  for (const file of kept) {
    const { path } = file;
    if (forgotten.has(wordsOfName(file)))
      found("forgotten_name", path, `the name of ${path} has what was forgotten: rename it`);
    const read = await files.read(path).catch(ifMemoryError(() => undefined));
    if (read === undefined) continue;
    const text = Buffer.from(read.bytes).toString("utf8");
    const id = [...forgotten.ids].find((one) => text.includes(one.length < longId ? `<!-- hw id=${one} ` : one));
    if (id !== undefined)
      found("forgotten_entry", path, `${path} has an entry that was forgotten: run heartwood forget --entry ${id}`);
    // Strings of JSON and of databases are between quotes and control characters.
    const isBack = unescaped(text)
      .split(/[\u0000-\u001F"\uFFFD]/u)
      .some((line) => forgotten.has(line));
    if (isBack)
      found(
        "forgotten_line",
        path,
        `${path} has a line that was forgotten: forget it again with heartwood forget TEXT`,
      );
  }
  for (const record of await readRecords(files)) {
    if (record.kind !== "forgotten" || record.entry === undefined || !record.place.startsWith("thread:")) continue;
    const thread_id = record.place.slice("thread:".length);
    const [place] = await memory.threads.places(thread_id, [{ id: record.entry }]);
    const [stored] =
      place === undefined ? [] : await memory.threads.frames({ thread_id, from_seq: place.seq, limit: 1 });
    if (stored === undefined || frameOf(stored)?.fields["content"] === "") continue;
    found(
      "forgotten_message",
      record.place,
      `the message at seq ${stored.seq} of ${record.place} has words that were forgotten`,
    );
  }
  const { count, unknown } = forgotten.tombstones;
  const ok = findings.length === 0;
  if (unknown > 0) {
    const message = `the words of ${unknown} of ${count} tombstones are not known here, because another clone forgot them or they are short: only ids were checked. heartwood forget TEXT looks for the words`;
    findings.push({ code: "words_not_known", severity: "info", path: recordsPath, line: null, message });
  }
  return { ok, checked: kept.length, findings };
}
