import { describe, expect, it } from "vitest";
import { isTemporaryName } from "../../src/base/known-paths.ts";
import { appendEntry } from "../../src/tree/logs/log-add.ts";
import { type LogAddInput } from "../../src/tree/inputs.ts";
import { readStateFile, stateFilePath } from "../../src/tree/run/tree-files.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { openOn, textOf } from "../fixtures/crash-scene.ts";

/**
 * `log add` on a disk that loses power (G1, G4): acknowledged entries are in the log, whole and once. Without an acknowledgement, adding the entry
 * again with the same id gives a whole entry, once. The state file is whole and counts at least the acknowledged entries.
 */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? 10_000);
const runs = 40;
const today = "2026-03-15";

describe("log add on a disk that loses power", () => {
  it(`keeps and counts every acknowledged entry in ${statesWanted} crash states`, async () => {
    const seen = await crashRuns({ states: statesWanted });
    expect(seen.damage.slice(0, 5)).toEqual([]);
    expect(seen.states >= statesWanted).toBe(true);
    // The test would prove nothing without acknowledged, torn and interrupted entries.
    expect(seen.acknowledged > seen.states).toBe(true);
    expect(seen.torn > 0).toBe(true);
    expect(seen.repeated > 0).toBe(true);
    expect(seen.lostOnce > 0).toBe(true);
  });

  for (const ignoreFsync of ["files", "folders", "all"] as const) {
    it(`fails if the fsync of ${ignoreFsync} is patched out (negative control)`, async () => {
      const seen = await crashRuns({ states: 400, fs: { ignoreFsync } });
      expect(seen.damage.length > 0).toBe(true);
    });
  }
});

interface Seen {
  states: number;
  acknowledged: number;
  /** Logs that ended in a torn entry. */
  torn: number;
  /** Entries that were added again and were already there. */
  repeated: number;
  /** Entries that were missing or torn when they were added again. */
  lostOnce: number;
  readonly damage: string[];
}

async function crashRuns(plan: { readonly states: number; readonly fs?: FaultyFsOptions }): Promise<Seen> {
  const seen: Seen = { states: 0, acknowledged: 0, torn: 0, repeated: 0, lostOnce: 0, damage: [] };
  for (let run = 0; run < runs; run += 1) {
    const recorded = await recordRun(run, plan.fs ?? {});
    for (const crash of recorded.fs.crashStates(run, Math.ceil(plan.states / runs))) {
      seen.states += 1;
      await inspect(seen, {
        entries: recorded.entries,
        at: crash.at,
        fs: crash.fs,
        title: `run ${run} at ${crash.at}`,
      });
    }
  }
  return seen;
}

interface Entry {
  readonly input: LogAddInput & { readonly id: string; readonly body: string };
  readonly path: string;
  readonly startedAt: number;
  readonly acknowledgedAt: number;
}

const oldLog = "memory/2026-03-13.md";
const oldText = "# 2026-03-13\r\n\r\n## Old [project]\r\n- a note without a final newline";
const days = ["2026-03-13", "2026-03-14", today];

async function recordRun(
  run: number,
  options: FaultyFsOptions,
): Promise<{ readonly fs: FaultyFs; readonly entries: readonly Entry[] }> {
  const random = createSeededRandom(run);
  const others = `{ "lastCompactionRun": null, "theirs": "kept" }`;
  const fs = createFaultyFs({
    ...options,
    files: { [oldLog]: oldText, ...(run % 2 === 0 ? { [stateFilePath]: others } : {}) },
  });
  const memory = openOn(fs, { today, seed: run });
  const entries: Entry[] = [];
  for (let count = 0; count < 4 + random.below(4); count += 1) {
    const date = days[random.below(days.length)] ?? today;
    const input = { topic: `Topic ${count}`, body: bodyOf(random, count), date, id: `entry-${run}-${count}` };
    const startedAt = fs.operations;
    await appendEntry(memory, input);
    entries.push({ input, path: `memory/${date}.md`, startedAt, acknowledgedAt: fs.operations });
  }
  return { fs, entries };
}

function bodyOf(random: SeededRandom, count: number): string {
  const lines = Array.from({ length: 1 + random.below(6) }, (_, line) =>
    `- ${count}.${line}: café ${"naïve 완료 ".repeat(random.below(60))}`.trimEnd(),
  );
  return `${lines.join("\n")}\n- end of ${count}`;
}

interface Crashed {
  readonly entries: readonly Entry[];
  readonly at: number;
  readonly fs: FaultyFs;
  readonly title: string;
}

async function inspect(seen: Seen, crashed: Crashed): Promise<void> {
  const { entries, at, fs } = crashed;
  const acknowledged = entries.filter((entry) => entry.acknowledgedAt <= at);
  const asked = entries.filter((entry) => entry.startedAt < at && entry.acknowledgedAt > at);
  seen.acknowledged += acknowledged.length;
  if ([...fs.files()].some(([path, bytes]) => path.startsWith("memory/2") && bytes.at(-1) !== 10 && path !== oldLog))
    seen.torn += 1;
  await check(seen, crashed, { present: acknowledged, counted: acknowledged.length });
  // There was no acknowledgement, so the entry is added again; then power is lost again, right after the acknowledgement.
  const memory = openOn(fs, { today, seed: 1000 + at });
  for (const { input } of asked) {
    const { action } = await appendEntry(memory, input);
    if (action === "duplicate") seen.repeated += 1;
    else seen.lostOnce += 1;
  }
  const again = fs.crashAt(fs.operations, createSeededRandom(at));
  await check(
    seen,
    { ...crashed, fs: again, title: `${crashed.title}, asked again` },
    { present: [...acknowledged, ...asked], counted: acknowledged.length },
  );
}

async function check(
  seen: Seen,
  { fs, title }: Crashed,
  wanted: { readonly present: readonly Entry[]; readonly counted: number },
): Promise<void> {
  const files = fs.files();
  if (!textOf(files.get(oldLog)).startsWith(oldText))
    seen.damage.push(`${title}: the old bytes of ${oldLog} are damaged`);
  for (const { input, path } of wanted.present) {
    const [, ...found] = textOf(files.get(path)).replaceAll("\r\n", "\n").split(`<!-- hw id=${input.id} `);
    const copies = found.filter((text) => text.slice(text.indexOf("\n") + 1).startsWith(`${input.body}\n`)).length;
    if (copies !== 1) seen.damage.push(`${title}: ${copies} copies of ${input.id} in ${path}`);
  }
  const state = await readStateFile(openOn(fs, { today, seed: 3 }));
  if (state.state === "unreadable") seen.damage.push(`${title}: the state file is torn`);
  if (state.entries < wanted.counted)
    seen.damage.push(`${title}: ${state.entries} entries are counted, ${wanted.counted} were acknowledged`);
  const strange = [...files.keys()].filter(
    (path) =>
      !/^memory\/(?:2026-03-1\d\.md|\.compaction-state\.json)$/u.test(path) &&
      !isTemporaryName(path.replace(/^.*\//u, "")),
  );
  for (const path of strange) seen.damage.push(`${title}: ${path} should not be there`);
}
