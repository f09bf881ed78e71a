import { Buffer } from "node:buffer";
import { localTimestamp } from "../../base/calendar.ts";
import { decodeText } from "../../base/lines.ts";
import type { FileChange, Files } from "../../platform/files.ts";
import type { TreeMemory } from "../memory.ts";
import {
  fixedRecordsPath,
  isFixedRecordsFile,
  parseFixedRecords,
  printFixedRecord,
  recordsFolder,
  type FixedRecord,
} from "../model/fixed-records.ts";
import { ifInTheWay } from "../../base/errors.ts";
import { pushAll } from "../../base/lists.ts";
import { changedMeanwhile } from "./raw-logs.ts";
import { parseRecords, printRecord, recordsPath, type ChangeRecord } from "../model/records-format.ts";

/** All records, in the order in which they apply; none if there is no such file. Errors: `io`. */
export async function readRecords(files: Files): Promise<readonly ChangeRecord[]> {
  const read = await files.read(recordsPath);
  return read === undefined ? [] : parseRecords(decodeText(read.bytes) ?? "");
}

/** All records of fixed nodes; none if there is no such folder. Errors: `io`. */
export async function readFixedRecords(files: Files): Promise<readonly FixedRecord[]> {
  const records: FixedRecord[] = [];
  for (const { name, kind } of await files.list(recordsFolder).catch(ifInTheWay(() => []))) {
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

/** Appends records in one durable write and returns them with their ids. `before`: called with them before the write. */
export async function appendRecords(
  memory: Pick<TreeMemory, "files" | "ids" | "clock">,
  added: readonly NewRecord[],
  before?: (records: readonly ChangeRecord[]) => Promise<void>,
): Promise<readonly ChangeRecord[]> {
  if (added.length === 0) return [];
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  const records = added.map((record) => ({ id: memory.ids.next(), at, ...record }) as ChangeRecord);
  await before?.(records);
  const text = records.map((record) => `${printRecord(record)}\n`).join("");
  for (let attempt = 0; attempt < mostAttempts; attempt++) {
    const known = await memory.files.read(recordsPath);
    const old = Buffer.from(known?.bytes ?? []);
    const bytes = Buffer.concat([old, Buffer.from(old.length === 0 || old.at(-1) === 10 ? text : `\n${text}`)]);
    const expect = known === undefined ? ("absent" as const) : { stamp: known.stamp };
    // Not an append: after a crash, either all records are there or none.
    const [outcome] = await memory.files.commit([{ path: recordsPath, bytes, expect }]);
    if (outcome?.outcome === "written") return records;
  }
  throw changedMeanwhile(recordsPath);
}

/** Another program may write the file at the same time. */
const mostAttempts = 5;
