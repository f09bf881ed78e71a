import { Buffer } from "node:buffer";
import { localTimestamp } from "../../base/calendar.ts";
import { decodeText } from "../../base/lines.ts";
import { ifInTheWay } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { topicKey } from "../../base/memory-type.ts";
import type { FileChange, FileEntry, Files } from "../../platform/files.ts";
import { realFilesOf, type TreeMemory } from "../memory.ts";
import {
  fixedRecordsPath,
  isFixedRecordsFile,
  parseFixedRecords,
  printFixedRecord,
  type FixedRecord,
} from "../model/fixed-records.ts";
import { recordsFolder, recordsPath } from "../model/period.ts";
import { changedMeanwhile } from "./raw-logs.ts";
import { inForce, parseRecords, printRecord, type ChangeRecord } from "../model/records-format.ts";

/** All records, in the order in which they apply; none if there is no such file. Errors: `io`. */
export async function readRecords(files: Files): Promise<readonly ChangeRecord[]> {
  const read = await files.read(recordsPath);
  return read === undefined ? [] : parseRecords(decodeText(read.bytes) ?? "");
}

/** Reads the records of fixed nodes from these files, by default from all of them; none if the folder is missing. Errors: `io`. */
export async function readFixedRecords(
  files: Files,
  entries?: readonly Pick<FileEntry, "name" | "kind">[],
): Promise<readonly FixedRecord[]> {
  const records: FixedRecord[] = [];
  for (const { name, kind } of entries ?? (await files.list(recordsFolder).catch(ifInTheWay(() => [])))) {
    const read = kind === "file" && isFixedRecordsFile(name) ? await files.read(`${recordsFolder}/${name}`) : undefined;
    if (read !== undefined) pushAll(records, parseFixedRecords(decodeText(read.bytes) ?? ""));
  }
  return records;
}

/**
 * Adds records of fixed nodes to the files of their months. Their lines are in order, so that the files of clones that
 * fixed the same nodes are equal. Call it with the `tree` lock held. Errors: `changed_by_other`, `disk_full`, `io`.
 */
export async function addFixedRecords(files: Files, added: readonly FixedRecord[]): Promise<void> {
  const changes: FileChange[] = [];
  for (const [path, own] of Map.groupBy(added, ({ node }) => fixedRecordsPath(node))) {
    const read = await files.read(path);
    const known = decodeText(read?.bytes ?? new Uint8Array(0)) ?? "";
    const lines = [...known.split("\n"), ...own.map(printFixedRecord)].filter((line) => line !== "");
    const bytes = Buffer.from(
      [...new Set(lines)]
        .toSorted()
        .map((line) => `${line}\n`)
        .join(""),
    );
    changes.push({ path, bytes, expect: read === undefined ? "absent" : { stamp: read.stamp } });
  }
  if (changes.length === 0) return;
  const changed = (await files.commit(changes)).find(({ outcome }) => outcome === "changed");
  if (changed !== undefined) throw changedMeanwhile(changed.path);
}

/** A record without what `appendRecords` gives it. */
export type NewRecord = ChangeRecord extends infer One
  ? One extends ChangeRecord
    ? Omit<One, "id" | "at">
    : never
  : never;

/**
 * Appends records in one durable write and returns them with their ids, which are later than all ids in the file. After
 * a crash, either all of them are there or none. `before`: called with them before the write.
 */
export async function appendRecords(
  memory: Pick<TreeMemory, "files" | "ids" | "clock">,
  added: readonly NewRecord[],
  before?: (records: readonly ChangeRecord[]) => Promise<void>,
): Promise<readonly ChangeRecord[]> {
  if (added.length === 0) return [];
  const records = await identified(memory, added);
  await before?.(records);
  await appendIdentified(memory.files, records);
  return records;
}

/** Records with their ids, not yet written. */
export async function identified(
  memory: Pick<TreeMemory, "files" | "ids" | "clock">,
  added: readonly NewRecord[],
): Promise<readonly ChangeRecord[]> {
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  let last = (await readRecords(memory.files)).at(-1)?.id ?? "";
  return added.map((record) => {
    last = idAfter(last, memory.ids.next());
    return { id: last, at, ...record } as ChangeRecord;
  });
}

/** Appends records that have ids, in one durable write. */
export async function appendIdentified(files: Files, records: readonly ChangeRecord[]): Promise<void> {
  if (records.length === 0) return;
  const text = records.map((record) => `${printRecord(record)}\n`).join("");
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const known = await files.read(recordsPath);
    const old = Buffer.from(known?.bytes ?? []);
    const bytes = Buffer.concat([old, Buffer.from(old.length === 0 || old.at(-1) === 10 ? text : `\n${text}`)]);
    const expect = known === undefined ? ("absent" as const) : { stamp: known.stamp };
    // Not an append: after a crash, either all records are there or none.
    const [outcome] = await files.commit([{ path: recordsPath, bytes, expect }]);
    if (outcome?.outcome === "written") return;
  }
  throw changedMeanwhile(recordsPath);
}

/** Another program may write the file at the same time. */
const mostAttempts = 5;

/** `id`, or if it does not come after `last` (the same millisecond, a clock set back): one with the next time. */
function idAfter(last: string, id: string): string {
  if (id > last) return id;
  const time = Number.parseInt(last.replaceAll("-", "").slice(0, 12), 16) + 1;
  const digits = time.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}`;
}

/** The name that a topic has now, if it was renamed and its old name was not given to another topic since. */
export async function renamedTopic(memory: Pick<TreeMemory, "files">, topic: string): Promise<string> {
  const names = new Map<string, string>();
  for (const record of inForce(await readRecords(realFilesOf(memory.files)))) {
    if (record.kind !== "renamed") continue;
    const [from, to] = [topicKey(record.from), topicKey(record.to)];
    for (const [key, name] of names) if (topicKey(name) === from) names.set(key, record.to);
    names.set(from, record.to);
    if (from !== to) names.delete(to);
  }
  return names.get(topicKey(topic)) ?? topic;
}
