import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createCrashes, type JournalEntry } from "../fixtures/faulty-fs.ts";
import { createDiskModel, rootIno, bytesByPath } from "../fixtures/faulty/disk.ts";
import { builtWorker } from "../fixtures/built-worker.ts";
import { acknowledgedOf, damageIn, openFolder } from "../fixtures/busy-thread.ts";
import { createdDraft, idOf, messageDraft } from "../fixtures/thread-frames.ts";
import { hasStrace, record, type Recording } from "../fixtures/recorded-calls.ts";

/**
 * A thread on a disk that loses power: every file-system call of real processes is recorded with its data, and disks are made from it on which unsynced
 * writes are lost, torn or reordered. On each of them, acknowledged messages are there, seqs have no gap, and verify finds nothing.
 */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 160);
if (!hasStrace) console.error("NOT RUN: test/crash/thread-power-states.test.ts needs strace (apt-get install strace)");

type Run = readonly [role: string, rounds: number, inject?: string];
const plainRuns: readonly (readonly Run[])[] = [
  [["mixed", 12]],
  [["mixed", 110]],
  [
    ["dying", 20],
    ["mixed", 10],
    ["dying", 5],
  ],
];

let base = "";
const recordings: Recording[] = [];
beforeAll(() => {
  base = realpathSync(mkdtempSync(join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "heartwood-power-")));
  if (!hasStrace) return;
  // A new store; one that moves its write-ahead log into the database; one that continues after a kill.
  for (const runs of plainRuns) recordings.push(recorded(runs));
  // Stores created by a process that is killed before its nth fsync, and then used by another.
  for (const when of process.env["CI"] === undefined ? [2] : [1, 2, 3, 4, 5])
    recordings.push(
      recorded([
        ["mixed", 1, `fsync:signal=KILL:when=${when}`],
        ["mixed", 4],
      ]),
    );
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(!hasStrace)("a thread on a disk that loses power", () => {
  it(`keeps acknowledged messages in ${statesWanted} crash states`, async () => {
    let states = 0;
    let acknowledged = 0;
    const damage: string[] = [];
    for (const [number, recording] of recordings.entries()) {
      const seen = await crash(recording, { states: Math.ceil(statesWanted / recordings.length), seed: number + 1 });
      states += seen.states;
      acknowledged += seen.acknowledged;
      damage.push(...seen.damage);
    }
    expect(damage.slice(0, 10)).toEqual([]);
    expect(states >= statesWanted).toBe(true);
    expect(acknowledged > states).toBe(true);
    console.log(`${states} crash states of threads, with ${acknowledged} acknowledged frames`);
  });

  it.each([
    ["every file", () => true],
    ["the write-ahead log", (path: string) => path.endsWith("-wal")],
    ["folders", (path: string) => path === "folder"],
  ] as const)("fails if the fsync of %s is removed (negative control)", async (_what, isOut) => {
    const damage: string[] = [];
    for (const recording of recordings.slice(0, 3)) {
      const seen = await crash(withoutSync(recording, isOut), { states: 30, seed: 7 });
      damage.push(...seen.damage);
      if (damage.length > 0) break;
    }
    expect(damage.length > 0).toBe(true);
  });
});

function recorded(runs: readonly Run[]): Recording {
  const dir = join(base, `run${recordings.length}`);
  mkdirSync(dir);
  const recording: Recording = { journal: [], told: [], calls: 0 };
  for (const [index, [role, rounds, inject]] of runs.entries()) {
    const command = [
      process.execPath,
      builtWorker("fixtures/thread-worker.ts"),
      role,
      dir,
      `run${index}`,
      String(rounds),
    ];
    const { errors } = record(recording, {
      dir,
      log: join(base, "strace.log"),
      command,
      ...(inject === undefined ? {} : { inject }),
    });
    if (errors !== "") throw new Error(`the recorded run failed: ${errors}`);
  }
  return recording;
}

async function crash(
  recording: Recording,
  how: { readonly states: number; readonly seed: number },
): Promise<{ readonly states: number; readonly acknowledged: number; readonly damage: readonly string[] }> {
  const damage: string[] = [];
  let [states, told] = [0, 0];
  const crashes = createCrashes({
    journal: recording.journal,
    start: createDiskModel,
    operations: () => recording.calls,
    open: (disk) => bytesByPath(disk, rootIno),
  });
  for (const { fs, at } of crashes.crashStates(how.seed, how.states)) {
    const acknowledged = acknowledgedOf(recording.told.filter((line) => line.at <= at).map(({ line }) => line));
    states += 1;
    told += acknowledged.size;
    for (const found of await inspect(fs, { acknowledged, state: states })) damage.push(`${at}: ${found}`);
  }
  return { states, acknowledged: told, damage };
}

/** Opens a disk as the next start does, twice, and sometimes continues with it. */
async function inspect(
  files: ReadonlyMap<string, Uint8Array>,
  how: { readonly acknowledged: ReadonlyMap<string, number>; readonly state: number },
): Promise<readonly string[]> {
  const dir = join(base, "state");
  rmSync(dir, { recursive: true, force: true });
  mkdirSync(dir);
  for (const [path, bytes] of files) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), bytes);
  }
  try {
    const damage = [...(await damageIn(dir, how.acknowledged))];
    const once = await linesIn(dir);
    if ((await linesIn(dir)).join("\n") !== once.join("\n")) damage.push("a second recovery gives other frames");
    if (how.state % 10 !== 0) return damage;
    await goOn(dir, once.length);
    return [...damage, ...(await damageIn(dir, how.acknowledged))];
  } catch (error) {
    return [String(error)];
  }
}

async function linesIn(dir: string): Promise<readonly string[]> {
  const memory = openFolder(dir);
  try {
    return (await memory.threads.frames({ thread_id: "busy", limit: 10_000 })).map(({ line }) => line);
  } finally {
    await memory.close();
  }
}

async function goOn(dir: string, frames: number): Promise<void> {
  const memory = openFolder(dir);
  try {
    if (frames === 0) await memory.threads.append({ thread_id: "busy", frames: [createdDraft()] });
    const { appended } = await memory.threads.append({ thread_id: "busy", frames: [messageDraft(1, idOf(1))] });
    expect(appended[0]?.seq).toBe(Math.max(1, frames));
  } finally {
    await memory.close();
  }
}

function withoutSync(recording: Recording, isOut: (path: string) => boolean): Recording {
  const names = new Map<number, string>([[rootIno, "folder"]]);
  for (const { change } of recording.journal) {
    if (change.type === "make") names.set(change.node.ino, change.node.kind === "folder" ? "folder" : change.name);
  }
  const isKept = ({ change }: JournalEntry): boolean => change.type !== "sync" || !isOut(names.get(change.node) ?? "");
  return { ...recording, journal: recording.journal.filter(isKept) };
}
