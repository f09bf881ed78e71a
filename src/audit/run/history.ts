import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { artifactPlace, readRecords } from "./history-files.ts";
import type { AuditRecord, RecordedFile } from "./history-format.ts";
import type { AuditHistoryEntry, AuditHistoryResult } from "./results.ts";

/** What audits changed, the newest first, and what became of it since. Writes nothing. Errors: `io`, `link_outside`. */
export async function readAuditHistory(memory: TreeMemory): Promise<AuditHistoryResult> {
  const { stored, skipped } = await readRecords(memory);
  const digests = new DigestsNow(memory);
  const audits: AuditHistoryEntry[] = [];
  for (const { record } of stored) audits.push(await entryOf(record, digests));
  return { audits, skipped };
}

async function entryOf(record: AuditRecord, digests: DigestsNow): Promise<AuditHistoryEntry> {
  const files: AuditHistoryEntry["files"][number][] = [];
  for (const file of record.files)
    files.push({
      path: file.path,
      change: file.change,
      before_bytes: file.before.bytes,
      after_bytes: file.after.bytes,
      part: file.part,
      before: artifactPlace(file.before.sha256),
      now: await digests.stateOf(file),
    });
  return { id: record.id, at: record.at, mode: record.mode, undone_at: record.undoneAt, files };
}

/** Each file is read once, however many audits changed it. */
class DigestsNow {
  readonly #memory: TreeMemory;
  readonly #known = new Map<string, string>();

  constructor(memory: TreeMemory) {
    this.#memory = memory;
  }

  async stateOf({ path, before, after }: RecordedFile): Promise<"after" | "before" | "changed" | "missing"> {
    const digest = this.#known.get(path) ?? (await this.#read(path));
    this.#known.set(path, digest);
    if (digest === after.sha256) return "after";
    if (digest === before.sha256) return "before";
    return digest === "missing" ? "missing" : "changed";
  }

  async #read(path: string): Promise<string> {
    try {
      const read = await this.#memory.files.read(path);
      return read === undefined ? "missing" : sha256(read.bytes);
    } catch (error) {
      // A folder or a link stands there now: whatever it is, it is not what the audit left.
      if (error instanceof MemoryError) return "changed";
      throw error;
    }
  }
}
