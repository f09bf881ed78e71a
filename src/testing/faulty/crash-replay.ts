import { crashOf } from "./crash-model.ts";
import { applyChange, copyOf } from "./disk-model.ts";
import type { DiskChange, DiskModel } from "./disk-model.ts";
import { createSeededRandom } from "../seeded-random.ts";
import type { SeededRandom } from "../seeded-random.ts";

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

interface Recording<Fs> {
  readonly journal: readonly JournalEntry[];
  start(): DiskModel;
  operations(): number;
  open(disk: DiskModel): Fs;
}

/** The ways to look back at a recorded run. */
export interface Crashes<Fs> {
  crashAt(operation: number, random: SeededRandom): Fs;
  killAt(operation: number): Fs;
  crashStates(seed: number, count: number): Iterable<CrashState<Fs>>;
}

/** Replays a recorded run; going forward in time costs only the changes in between. */
export function createCrashes<Fs>(recording: Recording<Fs>): Crashes<Fs> {
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

function createReplay<Fs>(recording: Recording<Fs>): (operation: number) => DiskModel {
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
function pointsOf<Fs>(recording: Recording<Fs>, random: SeededRandom, count: number): readonly number[] {
  const places = Array.from({ length: count }, () => random.below(recording.journal.length + 1));
  const end = recording.operations();
  return places.toSorted((a, b) => a - b).map((place) => recording.journal[place]?.at ?? end);
}
