import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { compileContext } from "../../src/threads/compile/compile.ts";
import { runPendingJobs, runSchedule } from "../../src/threads/compact/schedule.ts";
import { acknowledgedOf, beginBusyThread, damageIn, endOf, openFolder, startWorker } from "../fixtures/busy-thread.ts";

/** Concurrent real processes on one thread: some append, some schedule, one compiles, one verifies. */
const inCi = process.env["CI"] !== undefined;
const rounds = Number(process.env["HEARTWOOD_ROUNDS"] ?? (inCi ? 100 : 15));

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("many processes on one thread", () => {
  it(`4 append, 2 schedule, 1 compiles and 1 verifies, ${rounds} rounds: no frame is lost, and no cut has two jobs`, async () => {
    const dir = newFolder();
    await beginBusyThread(dir);
    const roles = ["append", "append", "append", "append", "schedule", "schedule", "compile", "verify"];
    const ends = await Promise.all(roles.map((role, index) => started(role, dir, `${role}${index}`)));
    expect(ends.map(({ status, errors }) => ({ status, errors }))).toEqual(
      roles.map(() => ({ status: 0, errors: "" })),
    );
    const told = ends.flatMap((end) => end.told);
    expect(told.filter((line) => line.startsWith("found") && !line.startsWith("found still_written"))).toEqual([]);
    const acknowledged = acknowledgedOf(told);
    const sizes = Array.from({ length: rounds }, (_, round): number => (round % 4 === 3 ? 12 : 1));
    const perWorker = sizes.reduce((sum, many) => sum + many, 0);
    expect(acknowledged.size).toBe(4 * perWorker);
    expect(await damageIn(dir, acknowledged)).toEqual([]);
    expect(await cutsPlannedTwice(dir)).toEqual([]);
    expect(told.some((line) => line.startsWith("decided completed"))).toBe(true);
  });

  it("four simultaneous schedulers start one job for one cut", async () => {
    const dir = newFolder();
    await beginBusyThread(dir);
    expect(await started("append", dir, "first", 8)).toMatchObject({ status: 0, errors: "" });
    const ends = await Promise.all(Array.from({ length: 4 }, (_, index) => started("schedule", dir, `s${index}`, 1)));
    expect(ends.map(({ status, errors }) => ({ status, errors }))).toEqual(ends.map(() => ({ status: 0, errors: "" })));
    const decided = ends.flatMap(({ told }) => told).filter((line) => line.startsWith("decided"));
    expect(decided.filter((line) => line.startsWith("decided completed")).length).toBe(1);
    expect(await damageIn(dir, new Map())).toEqual([]);
    expect(await cutsPlannedTwice(dir)).toEqual([]);
  });
  it("a killed runner leaves its summary behind and does not block the schedule after its lease", async () => {
    const dir = newFolder();
    await beginBusyThread(dir);
    expect(await started("append", dir, "first", 8)).toMatchObject({ status: 0, errors: "" });
    expect(await started("runner", dir, "killed", 1)).toMatchObject({ status: null, errors: "" });
    const orphans = artifactsIn(dir);
    expect(await damageIn(dir, new Map())).toEqual([]);
    const input = { thread_id: "busy", stride_messages: 20, actor_id: "user", origin: "test" };
    const [now, later] = [openFolder(dir), openFolder(dir, 61_000)];
    const types = ["continuity_compaction_checkpoint_created"] as const;
    const named = await now.threads.frames({ thread_id: "busy", types, limit: 100 });
    expect(orphans.length).toBe(named.length + 1);
    for (const _ of [1, 2]) expect(await runSchedule(now, input)).toMatchObject({ decision: "skipped_inflight" });
    expect(await runPendingJobs(now, {})).toEqual({ jobs: [], abandoned: [] });
    expect((await compileContext(now, { thread_id: "busy" })).uncovered_messages).toBe(0);
    expect(await runSchedule(later, input)).toMatchObject({ decision: "completed" });
    // The rungs were made earlier by a separate job.
    const ended = (await later.threads.frames({ thread_id: "busy", types: ["continuity_job_ended"], limit: 10 })).map(
      ({ line }) => JSON.parse(line) as { readonly status: string; readonly error?: string },
    );
    expect(ended.map(({ status }) => status)).toEqual(["completed", "failed", "completed"]);
    expect(ended[1]?.error).toMatch(/^lease: /u);
    const decisions = await later.threads.frames({
      thread_id: "busy",
      types: ["continuity_compaction_auto_schedule_decided"],
      limit: 10,
    });
    expect(decisions.length).toBe(3);
    for (const memory of [now, later]) await memory.close();
    expect(await damageIn(dir, new Map())).toEqual([]);
    expect(artifactsIn(dir)).toEqual(expect.arrayContaining([...orphans]));
  });
});

function artifactsIn(dir: string): readonly string[] {
  const all = readdirSync(join(dir, ".heartwood/artifacts"), { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.endsWith(".json")).toSorted();
}

/** Number of rounds of a worker that ends by itself. */
async function started(role: string, dir: string, name: string, count = rounds): ReturnType<typeof endOf> {
  const child = startWorker(role, dir, { name, rounds: count });
  children.push(child);
  return endOf(child);
}

/** Cuts that are in the plans of two summarizer jobs. */
async function cutsPlannedTwice(dir: string): Promise<readonly unknown[]> {
  const memory = openFolder(dir);
  try {
    const types = ["continuity_job_spawned"] as const;
    const frames = await memory.threads.frames({ thread_id: "busy", types, limit: 10_000 });
    const planned = frames.flatMap(({ line }) => {
      const { details } = JSON.parse(line) as {
        readonly details: { readonly planned?: readonly { readonly to_seq: number }[] };
      };
      return (details.planned ?? []).map(({ to_seq }) => to_seq);
    });
    return planned.filter((seq, index) => planned.indexOf(seq) !== index);
  } finally {
    await memory.close();
  }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-busy-thread-"));
  folders.push(folder);
  return folder;
}
