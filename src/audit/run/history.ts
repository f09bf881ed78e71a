import { type AuditRecord, historyFolder, historyPath, parseRecord, printRecord } from "./history-format.ts";
import { localTimestamp } from "../../base/calendar.ts";
import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import { artifactPath } from "../../base/known-paths.ts";
import { decodeText } from "../../base/lines.ts";
import { greatest } from "../../base/lists.ts";
import type { FileStamp } from "../../platform/files.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { encode } from "../../tree/run/tree-files.ts";

/** An entry of the history with the stamp of its file. */
export interface StoredRecord {
  readonly record: AuditRecord;
  readonly stamp: FileStamp;
}

/** The whole history, the newest first, and the files that are no entries. */
interface StoredHistory {
  readonly stored: readonly StoredRecord[];
  readonly skipped: AuditHistoryResult["skipped"];
}

/** Reads the history. What cannot be read is told and passed over. */
export async function readRecords(memory: Pick<TreeMemory, "files">): Promise<StoredHistory> {
  const stored: StoredRecord[] = [];
  const skipped: AuditHistoryResult["skipped"][number][] = [];
  for (const { name } of await memory.files.list(historyFolder)) {
    if (!name.endsWith(".json")) continue;
    const path = `${historyFolder}/${name}`;
    try {
      const read = await memory.files.read(path, { from: 0, to: largestRecord });
      if (read === undefined) continue;
      const record = parseRecord(decodeText(read.bytes) ?? "");
      const why =
        typeof record === "string" ? record : record.id === name.slice(0, -5) ? undefined : "its id is not its name";
      if (why === undefined && typeof record !== "string") stored.push({ record, stamp: read.stamp });
      else skipped.push({ path, code: "damaged_store", message: `${path} is no entry of the history: ${why ?? ""}.` });
    } catch (error) {
      if (!(error instanceof MemoryError)) throw error;
      skipped.push({ path, code: error.code, message: error.message });
    }
  }
  return { stored: stored.toSorted(newestFirst), skipped };
}

/** Bytes; an entry of 365 notes has some 150,000. */
const largestRecord = 64 * 1024 * 1024;

function newestFirst({ record: a }: StoredRecord, { record: b }: StoredRecord): number {
  return Date.parse(b.at) - Date.parse(a.at) || (a.id < b.id ? 1 : -1);
}

/** A new id, greater than those of the same second. */
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

/** Writes a new entry; returned means on disk. Errors: `changed_by_other` when there is one with that id, `io`, `disk_full`. */
export async function addRecord(memory: TreeMemory, record: AuditRecord): Promise<FileStamp> {
  return commitRecord(memory, record, "absent");
}

/** Replaces an entry, or takes it away when nothing of it is left. */
export async function replaceRecord(memory: TreeMemory, record: AuditRecord, stamp: FileStamp): Promise<void> {
  if (record.files.length > 0) await commitRecord(memory, record, { stamp });
  else await memory.files.commit([{ path: historyPath(record.id), bytes: undefined, expect: { stamp } }]);
}

async function commitRecord(
  memory: TreeMemory,
  record: AuditRecord,
  expect: "absent" | { readonly stamp: FileStamp },
): Promise<FileStamp> {
  const path = historyPath(record.id);
  const [outcome] = await memory.files.commit([{ path, bytes: encode(printRecord(record)), expect }]);
  if (outcome?.outcome === "written") return outcome.stamp ?? "";
  throw new MemoryError("changed_by_other", `${path} was changed by another program meanwhile: run it again.`, {
    path,
  });
}

export interface AuditHistoryResult {
  /** The newest first. */
  readonly audits: readonly AuditHistoryEntry[];
  /** Files of the history that cannot be read. */
  readonly skipped: readonly { readonly path: string; readonly code: string; readonly message: string }[];
}

export interface AuditHistoryEntry {
  readonly id: string;
  readonly at: string;
  readonly mode: "normal" | "aggressive";
  readonly undone_at: string | null;
  readonly files: readonly {
    readonly path: string;
    readonly change: "cut" | "rotated" | "compressed";
    readonly before_bytes: number;
    readonly after_bytes: number;
    readonly part: string | null;
    /** Where the old bytes are. */
    readonly before: string;
    /** What the file is now: as the audit left it, as it was before, or changed since. */
    readonly now: "after" | "before" | "changed" | "missing";
  }[];
}

/** What audits changed, the newest first, and what became of it since. Writes nothing. Errors: `io`, `link_outside`. */
export async function readAuditHistory(memory: TreeMemory): Promise<AuditHistoryResult> {
  const { stored, skipped } = await readRecords(memory);
  const digests = new Map<string, string>();
  const audits: AuditHistoryEntry[] = [];
  for (const { record } of stored) {
    const files: AuditHistoryEntry["files"][number][] = [];
    for (const { path, change, before, after, part } of record.files) {
      // Each file is read once, however many audits changed it.
      const digest = digests.get(path) ?? (await digestNow(memory, path));
      digests.set(path, digest);
      const known = digest === after.sha256 ? "after" : digest === before.sha256 ? "before" : undefined;
      files.push({
        path,
        change,
        before_bytes: before.bytes,
        after_bytes: after.bytes,
        part,
        before: artifactPath(before.sha256, "json"),
        now: known ?? (digest === "missing" ? "missing" : "changed"),
      });
    }
    audits.push({ id: record.id, at: record.at, mode: record.mode, undone_at: record.undoneAt, files });
  }
  return { audits, skipped };
}

async function digestNow(memory: TreeMemory, path: string): Promise<string> {
  try {
    const read = await memory.files.read(path);
    return read === undefined ? "missing" : sha256(read.bytes);
  } catch (error) {
    // A folder or a link stands there now: whatever it is, it is not what the audit left.
    if (error instanceof MemoryError) return "changed";
    throw error;
  }
}
