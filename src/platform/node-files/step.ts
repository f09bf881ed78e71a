import { MemoryError } from "../../base/errors.ts";
import { isInStateFolder } from "../../base/known-paths.ts";
import type { FileChange } from "../files.ts";
import type { Disk } from "./disk.ts";
import { failureOf } from "./failures.ts";
import { kindOf, stampOf, type NodeStat } from "./node-fs.ts";
import { absoluteOf, filePlaceOf, refuseIrregular, writablePlaceOf, type FilePlace } from "./place.ts";

/** One change with its place, after the refusals and a first comparison: what no longer holds is not even written. */
export interface Step {
  readonly change: FileChange;
  readonly place: FilePlace;
  readonly state: "holds" | "changed";
  /** Permission bits: the owner's alone in the state folder, else of the file that is replaced or of the one that this one is like. */
  readonly mode: number | undefined;
  /** Who owns that file. */
  readonly owner: Owner | undefined;
}

export interface Owner {
  readonly uid: number;
  readonly gid: number;
}

/** A step that puts bytes in place. */
export interface WriteStep extends Step {
  readonly change: FileChange & { readonly bytes: Uint8Array };
}

/** Whether a step has bytes to write. */
export function isWrite(step: Step): step is WriteStep {
  return step.state === "holds" && step.change.bytes !== undefined;
}

/** The steps of a batch. Nothing is written yet. Errors: `invalid_path`, `link_outside`, `not_a_file`, `io`. */
export function stepsOf(disk: Disk, changes: readonly FileChange[]): readonly Step[] {
  const seen = new Set<string>();
  return changes.map((change) => {
    if (seen.has(change.path)) {
      throw new MemoryError("internal", `${change.path} stands twice in one batch.`, { path: change.path });
    }
    seen.add(change.path);
    try {
      return stepOf(disk, change);
    } catch (error) {
      throw failureOf("write", change.path, error);
    }
  });
}

function stepOf(disk: Disk, change: FileChange): Step {
  const place = writablePlaceOf(disk, change.path);
  const stat = statOf(disk, place);
  if (stat !== undefined) refuseIrregular(change.path, kindOf(stat));
  const model = stat ?? likeOf(disk, change);
  return {
    change,
    place,
    state: holds(change.expect, stat) ? "holds" : "changed",
    mode: isInStateFolder(change.path) ? 0o600 : model === undefined ? undefined : Number(model.mode) & 0o777,
    owner: model === undefined ? undefined : ownerOf(model),
  };
}

function likeOf(disk: Disk, { like }: FileChange): NodeStat | undefined {
  const stat = like === undefined ? undefined : statOf(disk, filePlaceOf(disk, like));
  return stat !== undefined && kindOf(stat) === "file" ? stat : undefined;
}

/** `undefined` where the system does not say. */
export function ownerOf({ uid, gid }: NodeStat): Owner | undefined {
  return uid === undefined || gid === undefined ? undefined : { uid: Number(uid), gid: Number(gid) };
}

/** Whether what the caller expects of a file is so. */
export function holds(expect: FileChange["expect"], stat: NodeStat | undefined): boolean {
  if (expect === "anything") return stat === undefined || kindOf(stat) === "file";
  if (expect === "absent") return stat === undefined;
  return stat !== undefined && stampOf(stat) === expect.stamp;
}

/** The state of a step's file; `undefined` when absent. */
export function statOf(disk: Disk, place: FilePlace): NodeStat | undefined {
  return place.missing.length > 0 ? undefined : statAt(disk, absoluteOf(place));
}

/** The state of an absolute path; `undefined` when absent. */
export function statAt(disk: Disk, path: string): NodeStat | undefined {
  return disk.fs.lstatSync(path, { bigint: true, throwIfNoEntry: false });
}
