import { MemoryError } from "../../base/errors.ts";
import type { CommitOutcome, FileChange } from "../files.ts";
import { codeOf, failureOf, stampOf, type Disk, type NodeStat } from "./disk.ts";
import { absoluteOf, filePlaceOf, syncChain } from "./place.ts";
import {
  holds,
  isWrite,
  statAt,
  statOf,
  stepsOf,
  discardLitter,
  writeTemporaries,
  type Step,
  type Batch,
} from "./batch.ts";

/** Replaces, creates or removes files as one batch, in the order of the write protocol. */
export async function commitBatch(disk: Disk, changes: readonly FileChange[]): Promise<readonly CommitOutcome[]> {
  const steps = stepsOf(disk, changes);
  const batch: Batch = { temporaries: new Map(), litter: new Set(), folders: new Map() };
  try {
    await writeTemporaries(disk, steps.filter(isWrite), batch);
    const outcomes = steps.map((step) => applyStep(disk, step, batch));
    await syncChanged(disk, steps, outcomes);
    return outcomes;
  } catch (error) {
    throw withLeftovers(failureOf("write", "", error), discardLitter(disk, batch));
  }
}

/** No `await` between the comparison and the rename: the window stays as small as the system allows. */
function applyStep(disk: Disk, step: Step, batch: Batch): CommitOutcome {
  const { change, place } = step;
  if (step.state === "changed") return { path: change.path, outcome: "changed" };
  const temporary = batch.temporaries.get(change.path);
  try {
    if (temporary === undefined) return removeTarget(disk, step);
    const target = `${temporary.folder}/${place.name}`;
    if (!holds(change.expect, statAt(disk, target))) {
      disk.fs.unlinkSync(temporary.path);
      batch.litter.delete(temporary.path);
      return { path: change.path, outcome: "changed" };
    }
    disk.fs.renameSync(temporary.path, target);
    batch.litter.delete(temporary.path);
    return { path: change.path, outcome: "written", stamp: stampAfter(temporary.stat, statAt(disk, target)) };
  } catch (error) {
    throw failureOf(temporary === undefined ? "remove" : "replace", change.path, error);
  }
}

function removeTarget(disk: Disk, step: Step): CommitOutcome {
  const { change, place } = step;
  const stat = statOf(disk, place);
  if (!holds(change.expect, stat)) return { path: change.path, outcome: "changed" };
  try {
    if (stat !== undefined) disk.fs.unlinkSync(absoluteOf(place));
  } catch (error) {
    if (codeOf(error) !== "ENOENT") throw error;
  }
  return { path: change.path, outcome: "removed" };
}

/**
 * The rename itself changes the ctime, so the stamp is read after it. When another program was faster, the stamp of
 * the temporary file is returned: it matches nothing, and the next comparison says `changed`, as it should.
 */
function stampAfter(written: NodeStat, named: NodeStat | undefined): string {
  const isOurs =
    named !== undefined &&
    named.ino === written.ino &&
    named.size === written.size &&
    named.mtimeNs === written.mtimeNs;
  return stampOf(isOurs ? named : written);
}

async function syncChanged(disk: Disk, steps: readonly Step[], outcomes: readonly CommitOutcome[]): Promise<void> {
  const synced = new Set<string>();
  for (const [index, { change }] of steps.entries()) {
    if (change.durability === "cache" || outcomes[index]?.outcome === "changed") continue;
    const dir = change.path.slice(0, Math.max(change.path.lastIndexOf("/"), 0));
    if (synced.has(dir)) continue;
    synced.add(dir);
    try {
      await syncChain(disk, filePlaceOf(disk, change.path));
    } catch (error) {
      throw failureOf("sync the folder of", change.path, error);
    }
  }
}

function withLeftovers(error: MemoryError, leftovers: readonly string[]): MemoryError {
  if (leftovers.length === 0) return error;
  const sentence = `${error.message} Temporary files are left: ${leftovers.join(", ")}.`;
  return new MemoryError(error.code, sentence, { ...error.details, leftovers }, error);
}
