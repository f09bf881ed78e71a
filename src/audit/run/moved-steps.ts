import { MemoryError } from "../../base/errors.ts";
import type { FileChange, FileStamp } from "../../platform/files.ts";
import { movedPath } from "../../tree/model/period.ts";
import { type MovedLogs, type ShorteningStep, printMoved } from "../../tree/model/moved-format.ts";
import type { TreeMemory } from "../../tree/memory.ts";
import { readMovedRecord } from "../../tree/logs/logical-files.ts";
import { encode } from "../../tree/run/tree-files.ts";
import type { RecordedFile } from "./history-format.ts";

/** The record of shortened notes, to be written again. */
export interface MovedSteps {
  readonly logs: MovedLogs;
  /** What has to stand there when it is written again. */
  readonly expect: "absent" | { readonly stamp: FileStamp };
}

/** Reads the record; empty when there is none. Errors: `archive_damaged`, `newer_store`, `not_a_file`, `link_outside`, `io`. */
export async function readMoved(memory: TreeMemory): Promise<MovedSteps> {
  const { logs, stamp, problem } = await readMovedRecord(memory.files);
  if (problem !== undefined) throw problem;
  return { logs, expect: stamp === undefined ? "absent" : { stamp } };
}

/** Writes the record; without any step it goes. Returned means on disk. Errors: `changed_by_other`, `io`, `disk_full`. */
export async function writeMoved(memory: TreeMemory, record: MovedSteps, logs: MovedLogs): Promise<MovedSteps> {
  const bytes = logs.size === 0 ? undefined : encode(printMoved(logs));
  if (bytes === undefined && record.expect === "absent") return record;
  const change: FileChange = { path: movedPath, bytes, expect: record.expect };
  const [outcome] = await memory.files.commit([change]);
  if (outcome?.outcome === "removed") return { logs, expect: "absent" };
  if (outcome?.outcome === "written") return { logs, expect: { stamp: outcome.stamp ?? "" } };
  const message = `${movedPath} was changed by another program meanwhile, so nothing was written over it: run it again.`;
  throw new MemoryError("changed_by_other", message, { path: movedPath });
}

/** The record with other steps of some logs; without those that have none left. */
export function withSteps(
  logs: MovedLogs,
  changed: readonly (readonly [path: string, steps: readonly ShorteningStep[]])[],
): MovedLogs {
  const next = new Map(logs);
  for (const [path, steps] of changed)
    if (steps.length === 0) next.delete(path);
    else next.set(path, steps);
  return next;
}

export function isSameStep(a: Pick<RecordedFile, "part" | "before" | "after">, b: ShorteningStep): boolean {
  return a.part === b.part && a.before.sha256 === b.before.sha256 && a.after.sha256 === b.after.sha256;
}

/** The steps before the one that made of a note what an audit left. With the bytes before that step, it and all later ones have not happened. */
export function stepsBefore(
  steps: readonly ShorteningStep[],
  file: Pick<RecordedFile, "part" | "before" | "after">,
): readonly ShorteningStep[] {
  const index = steps.findLastIndex((step) => isSameStep(file, step));
  return index < 0 ? steps : steps.slice(0, index);
}
