import { describe, expect, it } from "vitest";
import { isTemporaryName } from "../../src/base/known-paths.ts";
import { appendEntries } from "../../src/tree/logs/append.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { readStateFile, stateFilePath } from "../../src/tree/run/tree-files.ts";
import type { Entry } from "../../src/tree/model/entry-format.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { createSeededRandom, type SeededRandom } from "../../src/testing/index.ts";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { openOn, textOf } from "../fixtures/crash-scene.ts";

/**
 * Many entries in one write, as capture appends the turns of a session, on a disk that loses power (G1, G4): every entry of an acknowledged batch is in the log,
 * whole and once. Any part of an interrupted batch may be there, and appending it again completes it, with every entry whole and once.
 */
const statesWanted = Number(
  process.env["HEARTWOOD_CRASH_STATES"] ?? (process.env["CI"] === undefined ? 3_000 : 10_000),
);
const runs = 40;
const today = "2026-03-15";

describe("many entries in one write on a disk that loses power", () => {
  it(`keeps and counts every acknowledged batch in ${statesWanted} crash states`, async () => {
    const seen = await crashRuns({ states: statesWanted });
    expect(seen.damage.slice(0, 5)).toEqual([]);
    expect(seen.states >= statesWanted).toBe(true);
    // The test would prove nothing without acknowledged batches and partial ones.
    expect(seen.acknowledged > seen.states).toBe(true);
    expect(seen.parts > 0).toBe(true);
    expect(seen.none > 0).toBe(true);
    expect(seen.whole > 0).toBe(true);
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
  /** Interrupted batches of which some, none, or all entries were there when they were appended again. */
  parts: number;
  none: number;
  whole: number;
  readonly damage: string[];
}

async function crashRuns(plan: { readonly states: number; readonly fs?: FaultyFsOptions }): Promise<Seen> {
  const seen: Seen = { states: 0, acknowledged: 0, parts: 0, none: 0, whole: 0, damage: [] };
  for (let run = 0; run < runs; run += 1) {
    const { fs, batches } = await recordRun(run, plan.fs ?? {});
    for (const crash of fs.crashStates(run, Math.ceil(plan.states / runs))) {
      seen.states += 1;
      await inspect(seen, { batches, at: crash.at, fs: crash.fs, title: `run ${run} at ${crash.at}` });
    }
  }
  return seen;
}

interface Batch {
  readonly day: string;
  readonly entries: readonly Entry[];
  readonly startedAt: number;
  readonly acknowledgedAt: number;
}

const days = ["2026-03-13", "2026-03-14", today];
const oldLog = "memory/2026-03-13.md";
const oldText = "# 2026-03-13\r\n\r\n## Old [project]\r\n- a note without a final newline";

async function recordRun(
  run: number,
  options: FaultyFsOptions,
): Promise<{ readonly fs: FaultyFs; readonly batches: readonly Batch[] }> {
  const random = createSeededRandom(run);
  const fs = createFaultyFs({ ...options, files: { [oldLog]: oldText } });
  const memory = openOn(fs, { today, seed: run });
  const batches: Batch[] = [];
  for (let count = 0; count < 3 + random.below(3); count += 1) {
    const day = days[random.below(days.length)] ?? today;
    const earlier = batches.filter((batch) => batch.day === day).flatMap(({ entries }) => entries);
    // A capture without its cursor also appends entries that are already there.
    const known = random.chance(0.3) ? earlier.slice(-2) : [];
    const fresh = Array.from({ length: 1 + random.below(7) }, (_, index) =>
      entryOf(random, `${run}-${count}-${index}`),
    );
    const startedAt = fs.operations;
    await append(memory, day, [...known, ...fresh]);
    batches.push({ day, entries: fresh, startedAt, acknowledgedAt: fs.operations });
  }
  return { fs, batches };
}

async function append(memory: Memory, day: string, entries: readonly Entry[]) {
  const alsoSeen = days.filter((other) => other !== day);
  return (await appendEntries(memory, day, entries, { holder: "capture", counting: "counted", alsoSeen })).appended;
}

function entryOf(random: SeededRandom, name: string): Entry {
  const lines = Array.from({ length: 1 + random.below(4) }, (_, line) =>
    `- ${line}: café ${"naïve 완료 ".repeat(random.below(random.chance(0.2) ? 400 : 30))}`.trimEnd(),
  );
  const body = [`User: question ${name}`, ...lines, `Assistant: the end of ${name}`];
  const at = "2026-03-13T10:00:00+00:00";
  return { topic: `Session ${name.slice(0, 4)}`, type: "project", id: `capture-${name}`, at, origin: "agent", body };
}

interface Crashed {
  readonly batches: readonly Batch[];
  readonly at: number;
  readonly fs: FaultyFs;
  readonly title: string;
}

async function inspect(seen: Seen, crashed: Crashed): Promise<void> {
  const { batches, at, fs, title } = crashed;
  const acknowledged = batches.filter((batch) => batch.acknowledgedAt <= at);
  const asked = batches.filter((batch) => batch.startedAt < at && batch.acknowledgedAt > at);
  const counted = acknowledged.reduce((sum, { entries }) => sum + entries.length, 0);
  seen.acknowledged += acknowledged.length;
  await check(seen, crashed, { present: acknowledged, acknowledged, counted });
  // There was no acknowledgement, so the whole batch is appended again; then power is lost again, right after the acknowledgement.
  const memory = openOn(fs, { today, seed: 1_000 + at });
  for (const { day, entries } of asked) {
    const added = (await append(memory, day, entries)).filter(({ action }) => action === "added").length;
    seen[added === 0 ? "whole" : added === entries.length ? "none" : "parts"] += 1;
    const again = await append(memory, day, entries);
    if (again.some(({ action }) => action === "added")) seen.damage.push(`${title}: appended a third time`);
  }
  const again = fs.crashAt(fs.operations, createSeededRandom(at));
  const wanted = { present: [...acknowledged, ...asked], acknowledged, counted };
  await check(seen, { ...crashed, fs: again, title: `${title}, appended again` }, wanted);
}

async function check(
  seen: Seen,
  { fs, title }: Crashed,
  wanted: { readonly present: readonly Batch[]; readonly acknowledged: readonly Batch[]; readonly counted: number },
): Promise<void> {
  const files = fs.files();
  if (!textOf(files.get(oldLog)).startsWith(oldText))
    seen.damage.push(`${title}: the old bytes of ${oldLog} are damaged`);
  for (const batch of wanted.present) {
    const { day, entries } = batch;
    const log = textOf(files.get(`memory/${day}.md`)).replaceAll("\r\n", "\n");
    const places = entries.map((entry) => placesOf(log, entry));
    for (const [index, found] of places.entries())
      if (found.length !== 1) seen.damage.push(`${title}: ${found.length} copies of ${entries[index]?.id} on ${day}`);
    const order = places.map(([place = 0]) => place);
    // A torn entry is written again after the whole ones.
    if (
      wanted.acknowledged.includes(batch) &&
      order.some((place, index) => index > 0 && place < (order[index - 1] ?? 0))
    )
      seen.damage.push(`${title}: a batch on ${day} is out of its order`);
  }
  const state = await readStateFile(openOn(fs, { today, seed: 3 }));
  if (state.state === "unreadable") seen.damage.push(`${title}: the state file is torn`);
  if (state.entries < wanted.counted)
    seen.damage.push(`${title}: ${state.entries} entries are counted, ${wanted.counted} were acknowledged`);
  const logs = new Set([...days.map((day) => `memory/${day}.md`), stateFilePath]);
  for (const path of files.keys())
    if (!logs.has(path) && !isTemporaryName(path.replace(/^.*\//u, "")))
      seen.damage.push(`${title}: ${path} should not be there`);
}

/** The places where the entry is whole, with its heading. */
function placesOf(log: string, { topic, id, body }: Entry): readonly number[] {
  return [...log.matchAll(new RegExp(`^## ${topic} \\[project\\]\\n<!-- hw id=${id} [^\\n]*\\n`, "gmu"))]
    .filter((found) => log.startsWith(`${body.join("\n")}\n`, found.index + found[0].length))
    .map((found) => found.index);
}
