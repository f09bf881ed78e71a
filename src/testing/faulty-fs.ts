import type { NodeFs } from "../platform/node-files/place.ts";
import { type Fault, type FaultyCalls, type FaultyFsOptions, type FsCall, createFaultyCalls } from "./faulty/calls.ts";
import {
  type DataChange,
  type DiskChange,
  type DiskModel,
  type FileNode,
  type FolderNode,
  applyChange,
  bytesByPath,
  changeNames,
  changedContent,
  copyOf,
  createDiskModel,
  plantFile,
  rootIno,
} from "./faulty/disk.ts";
import { type SeededRandom, createSeededRandom } from "./test-functions.ts";

/**
 * One legal state of a disk after the power went: all that was synced, and of the rest each change of a folder kept or
 * lost for itself, each write kept, lost, cut to a prefix, or torn into 512-byte sectors.
 */
function crashOf(disk: DiskModel, random: SeededRandom): DiskModel {
  const crash: Crash = {
    before: disk,
    after: { nodes: new Map(), nextIno: disk.nextIno, tick: disk.tick + 1 },
    random,
    // Whole-disk luck, so that "nothing more reached the disk" and "all of it did" come up often, too.
    kept: keptShares[random.below(keptShares.length)] ?? 0.5,
  };
  settleFolder(crash, rootIno);
  return crash.after;
}

const keptShares = [0, 0.25, 0.5, 0.75, 1];
const sectorSize = 512;

interface Crash {
  readonly before: DiskModel;
  readonly after: DiskModel;
  readonly random: SeededRandom;
  readonly kept: number;
}

function settleFolder(crash: Crash, ino: number): void {
  const folder = crash.before.nodes.get(ino);
  if (folder?.kind !== "folder" || crash.after.nodes.has(ino)) return;
  const entries = settledNames(crash, folder);
  crash.after.nodes.set(ino, { ...folder, entries, durable: new Map(entries), pending: [] });
  for (const child of entries.values()) {
    const node = crash.before.nodes.get(child);
    if (node?.kind === "folder") settleFolder(crash, child);
    if (node?.kind === "file") settleFile(crash, node);
  }
}

function settledNames(crash: Crash, folder: FolderNode): Map<string, number> {
  const names = new Map(folder.durable);
  for (const change of folder.pending) {
    if (crash.random.chance(crash.kept)) changeNames(names, change);
  }
  return names;
}

function settleFile(crash: Crash, file: FileNode): void {
  if (crash.after.nodes.has(file.ino)) return;
  let content = file.durable;
  for (const change of file.pending) content = settledData(crash, content, change);
  const isAsSeen = content === file.durable && file.pending.length === 0;
  const times = isAsSeen ? {} : { mtime: crash.after.tick, ctime: crash.after.tick };
  crash.after.nodes.set(file.ino, { ...file, ...times, content, durable: content, pending: [] });
}

function settledData(crash: Crash, content: Uint8Array, change: DataChange): Uint8Array {
  if (crash.random.chance(crash.kept)) return changedContent(content, change);
  if (change.type === "cut") return content;
  switch (crash.random.below(3)) {
    case 0:
      return content;
    case 1: {
      const bytes = change.bytes.subarray(0, crash.random.below(change.bytes.length + 1));
      return changedContent(content, { ...change, bytes });
    }
    default:
      return tornIntoSectors(crash, content, change);
  }
}

/** The size reached the disk, of the sectors only some: the others hold what they held, or zeros. */
function tornIntoSectors(crash: Crash, content: Uint8Array, change: DataChange): Uint8Array {
  const { offset, bytes } = change;
  const end = offset + bytes.length;
  const torn = new Uint8Array(Math.max(content.length, end));
  torn.set(content);
  let from = offset;
  while (from < end) {
    const to = Math.min(end, (Math.floor(from / sectorSize) + 1) * sectorSize);
    if (crash.random.chance(0.5)) torn.set(bytes.subarray(from - offset, to - offset), from);
    from = to;
  }
  return torn;
}

/** A crash and when it was: what was acknowledged when `operations <= at` must be found. */
export interface CrashState<Fs> {
  readonly fs: Fs;
  /** All operations with a smaller number had happened, and none after them. */
  readonly at: number;
}

/** A change and the number of the operation that made it. */
export interface JournalEntry {
  readonly at: number;
  readonly change: DiskChange;
}

interface RecordedRun<Fs> {
  readonly journal: readonly JournalEntry[];
  start(): DiskModel;
  operations(): number;
  open(disk: DiskModel): Fs;
}

/** The ways to look back at a recorded run. */
interface Crashes<Fs> {
  crashAt(operation: number, random: SeededRandom): Fs;
  killAt(operation: number): Fs;
  crashStates(seed: number, count: number): Iterable<CrashState<Fs>>;
}

/** Replays a recorded run; going forward in time costs only the changes in between. */
export function createCrashes<Fs>(recording: RecordedRun<Fs>): Crashes<Fs> {
  const stateAt = createReplay(recording);
  return {
    crashAt: (operation, random) => recording.open(crashOf(stateAt(operation), random)),
    killAt: (operation) => recording.open(copyOf(stateAt(operation))),
    *crashStates(seed, count) {
      const random = createSeededRandom(seed);
      for (const at of pointsOf(recording, random, count)) {
        yield { at, fs: recording.open(crashOf(stateAt(at), random)) };
      }
    },
  };
}

function createReplay<Fs>(recording: RecordedRun<Fs>): (operation: number) => DiskModel {
  let disk: DiskModel | undefined;
  let next = 0;
  return (operation) => {
    const isBehind = next === 0 || (recording.journal[next - 1]?.at ?? 0) < operation;
    if (disk === undefined || !isBehind) {
      disk = copyOf(recording.start());
      next = 0;
    }
    for (; next < recording.journal.length; next += 1) {
      const entry = recording.journal[next];
      if (entry === undefined || entry.at >= operation) break;
      applyChange(disk, entry.change);
    }
    return disk;
  };
}

/** A crash is placed just before the next change, when all that was acknowledged in between has been acknowledged. */
function pointsOf<Fs>(recording: RecordedRun<Fs>, random: SeededRandom, count: number): readonly number[] {
  const places = Array.from({ length: count }, () => random.below(recording.journal.length + 1));
  const end = recording.operations();
  return places.toSorted((a, b) => a - b).map((place) => recording.journal[place]?.at ?? end);
}

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
