import {
  type AuditRecord,
  type RecordedFile,
  historyFolder,
  historyPath,
  parseRecord,
  printRecord,
} from "./history-format.ts";
import { localTimestamp } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError, ifMemoryError } from "../../base/errors.ts";
import { artifactPath } from "../../base/known-paths.ts";
import { decodeText } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import type { FileChange, FileStamp } from "../../platform/files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { encode } from "../../tree/run/tree-files.ts";

/** A history entry and the stamp of its file. */
export interface StoredRecord {
  readonly record: AuditRecord;
  readonly stamp: FileStamp;
}

/** Reads the whole history, newest first. Files that cannot be read or are not entries are returned in `skipped`. */
export async function readRecords(memory: Pick<TreeMemory, "files">) {
  const stored: StoredRecord[] = [];
  const skipped: AuditHistoryResult["skipped"][number][] = [];
  for (const { name } of await memory.files.list(historyFolder)) {
    if (!name.endsWith(".json")) continue;
    const path = `${historyFolder}/${name}`;
    const read = await memory.files.read(path, { from: 0, to: largestRecord }).catch(ifMemoryError((error) => error));
    if (read === undefined) continue;
    if (read instanceof MemoryError) {
      skipped.push({ path, code: read.code, message: read.message });
      continue;
    }
    const record = parseRecord(decodeText(read.bytes) ?? "");
    if (typeof record !== "string" && record.id === name.slice(0, -5)) stored.push({ record, stamp: read.stamp });
    else {
      const why = typeof record === "string" ? record : "its id does not match its name";
      skipped.push({ path, code: "damaged_store", message: `${path} is not a history entry: ${why}.` });
    }
  }
  return { stored: stored.toSorted(newestFirst), skipped };
}

/** In bytes. An entry with 365 notes has about 150,000. */
const largestRecord = 64 * 1024 * 1024;

function newestFirst({ record: a }: StoredRecord, { record: b }: StoredRecord): number {
  return Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1);
}

/** A new id, greater than all other ids from the same second. */
export async function newAuditId(memory: TreeMemory, now: number): Promise<string> {
  const stamp = localTimestamp(now, memory.clock.zone);
  const second = stamp.slice(0, 19).replaceAll(/[-:]/gu, "").replace("T", "-");
  const taken = (await memory.files.list(historyFolder))
    .filter(({ name }) => name.startsWith(`${second}-`) && name.endsWith(".json"))
    .map(({ name }) => Number.parseInt(name.slice(second.length + 1, -5), 16));
  const least = greatest([-1, ...taken.filter((digits) => !Number.isNaN(digits))]) + 1;
  if (least > lastDigits) return newAuditId(memory, now + 1_000);
  const [high = 0, low = 0] = memory.random.bytes(2);
  const digits = least + ((high * 256 + low) % Math.max(1, Math.floor((lastDigits + 1 - least) / 2)));
  return `${second}-${digits.toString(16).padStart(4, "0")}`;
}

const lastDigits = 0xffff;

/** Writes an entry, by default a new one; on disk when it returns. Errors: `changed_by_other` if the file is not as expected, `io`, `disk_full`. */
export async function addRecord(
  memory: TreeMemory,
  record: AuditRecord,
  expect: FileChange["expect"] = "absent",
): Promise<FileStamp> {
  const path = historyPath(record.id);
  const [outcome] = await memory.files.commit([{ path, bytes: encode(printRecord(record)), expect }]);
  if (outcome?.outcome === "written") return outcome.stamp ?? "";
  const message = `${path} was changed by another program in the meantime: run the command again.`;
  throw new MemoryError("changed_by_other", message, { path });
}

/** Replaces an entry, or removes it if it contains no more files. */
export async function replaceRecord(memory: TreeMemory, record: AuditRecord, stamp: FileStamp): Promise<void> {
  if (record.files.length > 0) await addRecord(memory, record, { stamp });
  else await memory.files.commit([{ path: historyPath(record.id), bytes: undefined, expect: { stamp } }]);
}

export interface AuditHistoryResult {
  /** Newest first. */
  readonly audits: readonly AuditHistoryEntry[];
  /** History files that cannot be read or are not entries. */
  readonly skipped: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export interface AuditHistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly mode: AuditRecord["mode"];
  readonly undone_at: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly change: RecordedFile["change"];
    readonly before_bytes: number;
    readonly after_bytes: number;
    readonly part: string | null;
    /** Path of the artifact that contains the old bytes. */
    readonly before: string;
    /** Whether the file is as the audit left it, as it was before, changed since, or missing. */
    readonly now: "after" | "before" | "changed" | "missing";
  }[];
}

/** Lists what audits changed, newest first, and the state of each file now. Writes nothing. Errors: `io`, `link_outside`. */
export async function readAuditHistory(memory: TreeMemory): Promise<AuditHistoryResult> {
  const { stored, skipped } = await readRecords(memory);
  const digests = new Map<string, string>();
  // Each file is read once, however many audits changed it.
  for (const path of new Set(stored.flatMap(({ record }) => record.files.map((file) => file.path))))
    digests.set(path, await digestNow(memory, path));
  const audits = stored.map(({ record }): AuditHistoryEntry => {
    const { id, at, mode, undone_at } = record;
    const files = record.files.map(({ path, change, before, after, part }): AuditHistoryEntry["files"][number] => {
      const digest = digests.get(path);
      const known = digest === after.sha256 ? "after" : digest === before.sha256 ? "before" : "changed";
      const now = digest === "missing" ? "missing" : known;
      const bytes = { before_bytes: before.bytes, after_bytes: after.bytes };
      return { path, change, ...bytes, part, before: artifactPath(before.sha256, "json"), now };
    });
    return { id, at, mode, undone_at, files };
  });
  return { audits, skipped };
}

async function digestNow(memory: TreeMemory, path: string): Promise<string> {
  // A file that cannot be read, such as a folder or a link, is not what the audit left.
  const read = await memory.files.read(path).catch(ifMemoryError(() => "changed" as const));
  return read === "changed" ? read : read === undefined ? "missing" : sha256(read.bytes);
}
