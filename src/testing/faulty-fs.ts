import type { NodeFs } from "../platform/node-files/disk.ts";
import { createCrashes, type CrashState, type JournalEntry } from "./faulty/crash-replay.ts";
import { applyChange, copyOf, createDiskModel, rootIno, type DiskChange, type DiskModel } from "./faulty/disk-model.ts";
import { bytesByPath, plantFile } from "./faulty/disk-tree.ts";
import { createFaultyCalls, type FaultyCalls } from "./faulty/calls.ts";
import type { Fault, FaultyFsOptions, FsCall } from "./faulty/options.ts";
import type { SeededRandom } from "./seeded-random.ts";

export type { CrashState } from "./faulty/crash-replay.ts";
export type { Fault, FaultyFsOptions, FsCall } from "./faulty/options.ts";

/**
 * A file system in memory that behaves like a disk that can lose power. Every call counts as one operation, numbered
 * from 0. Data is durable after the fsync of its file, a name after the fsync of its folder; all else may be lost, each
 * for itself, and writes may be torn. After a failed fsync the data concerned can stay lost even when a later one succeeds.
 */
export interface FaultyFs extends NodeFs {
  readonly root: string;
  /** How many operations there were; the number of the next one. */
  readonly operations: number;
  readonly counters: Readonly<Record<FsCall, number>>;
  /** The operation with this number will fail (or write half). */
  failAt(operation: number, fault: Fault): void;
  /**
   * A state that the disk can be in when the power goes after the first `operation` operations. A file system that is
   * returned here or below has its own count of operations, from 0, no descriptors and no faults.
   */
  crashAt(operation: number, random: SeededRandom): FaultyFs;
  /** What a process finds that starts when another was killed after the first `operation` operations: nothing is lost yet. */
  killAt(operation: number): FaultyFs;
  /** `count` crash states at points spread over the whole run, in the order of time; the same for the same seed. */
  crashStates(seed: number, count: number): Iterable<CrashState<FaultyFs>>;
  /** Another program saves a file in place, and it is durable at once. Missing folders are made. */
  plant(path: string, bytes: string | Uint8Array): void;
  /** All files by path relative to the root, as programs see them now. */
  files(): ReadonlyMap<string, Uint8Array>;
}

/** A new disk with `options.files` on it. */
export function createFaultyFs(options: FaultyFsOptions = {}): FaultyFs {
  const disk = createDiskModel();
  for (const [path, bytes] of Object.entries(options.files ?? {})) {
    plantFile({ disk, apply: (change) => applyChange(disk, change) }, path, bytes);
  }
  return faultyFsOn(disk, options);
}

function faultyFsOn(disk: DiskModel, options: FaultyFsOptions): FaultyFs {
  const faults = new Map<number, Fault>();
  const setting = { root: "/project", stamps: "real", ignoreFsync: "none", ...options } as const;
  const recording = { disk, start: undefined as DiskModel | undefined, journal: [] as JournalEntry[] };
  const calls = createFaultyCalls({ ...setting, disk, faults, apply: (change) => record(recording, change, calls) });
  const crashes = createCrashes({
    journal: recording.journal,
    start: () => recording.start ?? disk,
    operations: () => calls.state.operations,
    open: (model) => faultyFsOn(model, options),
  });
  return {
    ...calls.fs,
    ...crashes,
    root: setting.root,
    counters: calls.state.counters,
    get operations() {
      return calls.state.operations;
    },
    failAt: (operation, fault) => void faults.set(operation, fault),
    plant: (path, bytes) => calls.plant(path, bytes),
    files: () => bytesByPath(disk, rootIno),
  };
}

interface Recording {
  readonly disk: DiskModel;
  /** The disk before the first change. */
  start: DiskModel | undefined;
  readonly journal: JournalEntry[];
}

function record(recording: Recording, change: DiskChange, { state }: Pick<FaultyCalls, "state">): void {
  recording.start ??= copyOf(recording.disk);
  recording.journal.push({ at: state.operations - 1, change });
  applyChange(recording.disk, change);
}
