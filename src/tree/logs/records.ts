import { localTimestamp } from "../../base/calendar.ts";
import { decodeText } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import type { TreeMemory } from "../memory.ts";
import { parseRecords, printRecord, recordsPath, type ChangeRecord } from "../model/records-format.ts";

/** All records, in the order in which they apply; none if there is no such file. Errors: `io`. */
export async function readRecords(files: Files): Promise<readonly ChangeRecord[]> {
  const read = await files.read(recordsPath);
  return read === undefined ? [] : parseRecords(decodeText(read.bytes) ?? "");
}

/** A record without what `appendRecords` gives it. */
export type NewRecord = ChangeRecord extends infer One
  ? One extends ChangeRecord
    ? Omit<One, "id" | "at">
    : never
  : never;

/** Appends records in one durable write and returns them with their ids. */
export async function appendRecords(
  memory: Pick<TreeMemory, "files" | "ids" | "clock">,
  added: readonly NewRecord[],
): Promise<readonly ChangeRecord[]> {
  const records = identified(memory, added);
  await appendIdentified(memory.files, records);
  return records;
}

/** Records with their ids, not yet written. */
export function identified(
  memory: Pick<TreeMemory, "ids" | "clock">,
  added: readonly NewRecord[],
): readonly ChangeRecord[] {
  const at = localTimestamp(memory.clock.now(), memory.clock.zone);
  return added.map((record) => ({ id: memory.ids.next(), at, ...record }) as ChangeRecord);
}

/** Appends records that have ids, in one durable write. */
export async function appendIdentified(files: Files, records: readonly ChangeRecord[]): Promise<void> {
  if (records.length === 0) return;
  // A line that a crash tore must not take the next one with it.
  const text = `\n${records.map(printRecord).join("\n")}\n`;
  const before = await files.read(recordsPath, { from: 0, to: 0 });
  const last =
    before === undefined || before.size === 0
      ? undefined
      : await files.read(recordsPath, { from: before.size - 1, to: before.size });
  await files.append(recordsPath, Buffer.from(last === undefined || last.bytes[0] === 10 ? text.slice(1) : text));
}
