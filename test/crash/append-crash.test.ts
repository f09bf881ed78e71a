import { crc32 } from "node:zlib";
import { describe, expect, it } from "vitest";
import { createNodeFiles } from "../../src/platform/node-files/node-files.ts";
import { isTemporaryName } from "../../src/base/known-paths.ts";
import type { Files } from "../../src/platform/files.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";

/**
 * The append writer on a disk that loses power (G1): acknowledged entries are found byte for byte, whatever else was in
 * progress. Entries here end with a checksum, so that a torn one is recognised.
 */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 10_000);
const runs = 40;

describe("appends on a disk that loses power", () => {
  it(`keeps acknowledged entries in ${statesWanted} crash states`, async () => {
    const seen = await crashRuns({ states: statesWanted, seed: 1 });
    expect(seen.damage.slice(0, 5)).toEqual([]);
    expect(seen.states >= statesWanted).toBe(true);
    // The test would prove nothing if no entry were ever torn, acknowledged, or interrupted during recovery.
    expect(seen.acknowledged > seen.states).toBe(true);
    expect(seen.torn > 0).toBe(true);
    expect(seen.nested > 0).toBe(true);
  });

  for (const ignoreFsync of ["files", "folders", "all"] as const) {
    it(`fails if the fsync of ${ignoreFsync} is patched out (negative control)`, async () => {
      const seen = await crashRuns({ states: 400, seed: 1, fs: { ignoreFsync } });
      expect(seen.damage.length > 0).toBe(true);
    });
  }
});

interface Plan {
  readonly states: number;
  readonly seed: number;
  readonly fs?: FaultyFsOptions;
}

interface Seen {
  states: number;
  acknowledged: number;
  torn: number;
  nested: number;
  readonly damage: string[];
}

async function crashRuns(plan: Plan): Promise<Seen> {
  const seen: Seen = { states: 0, acknowledged: 0, torn: 0, nested: 0, damage: [] };
  for (let run = 0; run < runs; run += 1) {
    const seed = plan.seed * 1000 + run;
    const recorded = await recordRun(seed, plan.fs ?? {});
    for (const crash of recorded.fs.crashStates(seed, Math.ceil(plan.states / runs))) {
      const acknowledged = recorded.entries.filter((entry) => entry.acknowledgedAt <= crash.at);
      await inspect(seen, { recorded, acknowledged, fs: crash.fs, title: `run ${run} at ${crash.at}` });
    }
  }
  return seen;
}

interface Entry {
  readonly path: string;
  readonly line: string;
  /** The number of operations when the append returned; infinite when it did not. */
  acknowledgedAt: number;
}

interface Recorded {
  readonly fs: FaultyFs;
  readonly entries: readonly Entry[];
}

interface Crashed {
  readonly recorded: Recorded;
  readonly acknowledged: readonly Entry[];
  readonly fs: FaultyFs;
  readonly title: string;
}

/** Recovers, checks, and recovers again. Sometimes power is lost again during the first recovery. */
async function inspect(seen: Seen, crashed: Crashed): Promise<void> {
  seen.states += 1;
  seen.acknowledged += crashed.acknowledged.length;
  await recover(crashed.fs);
  seen.damage.push(...damageIn(seen, crashed));
  const once = printed(crashed.fs);
  await recover(crashed.fs);
  if (printed(crashed.fs) !== once) seen.damage.push(`${crashed.title}: a second recovery changes something`);
  if (seen.states % 10 !== 0) return;
  for (const again of crashed.fs.crashStates(seen.states, 1)) {
    seen.nested += 1;
    await recover(again.fs);
    seen.damage.push(...damageIn(seen, { ...crashed, fs: again.fs, title: `${crashed.title}, crashed in recovery` }));
  }
}

/** What the next start does: remove leftover temporary files, and end a torn last line so that the next entry is whole. */
async function recover(fs: FaultyFs): Promise<void> {
  const files = createNodeFiles({ root: fs.root, fs });
  for (const [path, bytes] of fs.files()) {
    if (isTemporaryName(path.slice(path.lastIndexOf("/") + 1))) {
      await files.commit([{ path, bytes: undefined, expect: "anything" }]);
    } else if (path.startsWith("log/") && bytes.length > 0 && bytes.at(-1) !== 10) {
      await files.append(path, Buffer.from("\n"));
    }
  }
}

function damageIn(seen: Seen, { recorded, acknowledged, fs, title }: Crashed): readonly string[] {
  const damage: string[] = [];
  const lines = new Map(
    [...fs.files()].map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8").split("\n")]),
  );
  for (const entry of acknowledged) {
    const copies = (lines.get(entry.path) ?? []).filter((line) => line === entry.line).length;
    if (copies !== 1) damage.push(`${title}: ${copies} copies of an acknowledged entry in ${entry.path}`);
  }
  const known = new Set([...recorded.entries.map((entry) => entry.line), ...firstLines]);
  for (const [path, found] of lines) {
    if (!path.startsWith("log/")) continue;
    if (path === oldLog && found[0] !== firstLines[0]) damage.push(`${title}: the old entries of ${path} are damaged`);
    for (const line of found) {
      if (line === "" || known.has(line)) continue;
      seen.torn += 1;
      if (isWhole(line)) damage.push(`${title}: a torn entry looks whole in ${path}`);
    }
  }
  return damage;
}

const oldLog = "log/old.md";
const firstLines = [lineOf("first", 300)];
const logs = [oldLog, "log/new.md", "log/deep/er/new.md", "log/deep/other.md"];

/**
 * One run: bursts of appends, in sequence or in parallel, between commits of other files. A process can be killed, so
 * that the next one finds files whose names are not durable yet, and an fsync can fail.
 */
async function recordRun(seed: number, options: FaultyFsOptions): Promise<Recorded> {
  const random = createSeededRandom(seed);
  const entries: Entry[] = [];
  let fs = createFaultyFs({ ...options, files: { [oldLog]: `${firstLines[0]}\n`, "tree/a.md": "old" } });
  if (seed % 4 === 0) {
    await work({ fs, random, entries, bursts: 2 });
    const at = random.below(fs.operations);
    const before = entries.filter((entry) => entry.acknowledgedAt <= at);
    fs = fs.killAt(at);
    // The new disk counts operations from 0, so everything acknowledged by then comes before all of them.
    entries.splice(
      0,
      entries.length,
      ...before.map((entry) => ({ ...entry, acknowledgedAt: 0 })),
      ...lost(entries, before),
    );
    await recover(fs);
  }
  if (seed % 4 === 1) failSomeFsyncs(fs, random);
  await work({ fs, random, entries, bursts: 3 });
  return { fs, entries };
}

function lost(entries: readonly Entry[], before: readonly Entry[]): readonly Entry[] {
  return entries.filter((entry) => !before.includes(entry)).map((entry) => ({ ...entry, acknowledgedAt: Infinity }));
}

function failSomeFsyncs(fs: FaultyFs, random: SeededRandom): void {
  for (let count = 0; count < 6; count += 1) fs.failAt(random.below(400), random.chance(0.5) ? "EIO" : "ENOSPC");
}

interface Work {
  readonly fs: FaultyFs;
  readonly random: SeededRandom;
  readonly entries: Entry[];
  readonly bursts: number;
}

async function work({ fs, random, entries, bursts }: Work): Promise<void> {
  const files = createNodeFiles({ root: fs.root, fs, random });
  for (let burst = 0; burst < bursts; burst += 1) {
    const appends = Array.from({ length: 4 + random.below(4) }, () => {
      const entry: Entry = {
        path: logs[random.below(logs.length)] ?? oldLog,
        line: lineOf(`${entries.length}-${burst}`, random.chance(0.2) ? 3000 : random.below(200)),
        acknowledgedAt: Infinity,
      };
      entries.push(entry);
      return () => appendEntry(files, fs, entry);
    });
    const others = [() => commitOthers(files, random)];
    if (random.chance(0.5)) await Promise.all([...appends, ...others].map((act) => act()));
    else for (const act of [...appends, ...others]) await act();
  }
}

/** First ends the torn line of a failed append, as the writer of a log must. */
async function appendEntry(files: Files, fs: FaultyFs, entry: Entry): Promise<void> {
  const last = fs.files().get(entry.path)?.at(-1);
  const start = last === undefined || last === 10 ? "" : "\n";
  const isDone = await files.append(entry.path, Buffer.from(`${start}${entry.line}\n`)).then(
    () => true,
    () => false,
  );
  if (isDone) entry.acknowledgedAt = fs.operations;
}

async function commitOthers(files: Files, random: SeededRandom): Promise<void> {
  const changes = Array.from({ length: 3 }, (_, index) => ({
    path: `tree/${["a", "b/c", "d"][index]}.md`,
    bytes: random.bytes(random.below(900)),
    expect: "anything" as const,
  }));
  await files.commit(changes).catch((error: unknown) => {
    if (!(error instanceof Error && error.name === "MemoryError")) throw error;
  });
}

function lineOf(id: string, length: number): string {
  const text = `- 10:00 [${id}] ${"lorem ipsum ".repeat(Math.ceil(length / 12))}`;
  return `${text}~${crc32(text).toString(16)}`;
}

function isWhole(line: string): boolean {
  const end = line.lastIndexOf("~");
  return end !== -1 && crc32(line.slice(0, end)).toString(16) === line.slice(end + 1);
}

function printed(fs: FaultyFs): string {
  return JSON.stringify([...fs.files()].map(([path, bytes]) => [path, Buffer.from(bytes).toString("latin1")]));
}
