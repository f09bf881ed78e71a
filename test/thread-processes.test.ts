import { mkdtempSync, rmSync } from "node:fs";
import type { ChildProcess } from "node:child_process";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { acknowledgedOf, beginBusyThread, damageIn, endOf, openFolder, startWorker } from "./fixtures/busy-thread.ts";

/** Real processes at once on one thread: some append, some schedule, one compiles. */
const inCi = process.env["CI"] !== undefined;
const rounds = Number(process.env["HEARTWOOD_ROUNDS"] ?? (inCi ? 100 : 15));

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("many processes on one thread", () => {
  it(
    `4 append, 2 schedule and 1 compiles, ${rounds} rounds: no frame is lost, and no cut has two jobs`,
    { timeout: 900_000 },
    async () => {
      const dir = newFolder();
      await beginBusyThread(dir);
      const roles = ["append", "append", "append", "append", "schedule", "schedule", "compile"];
      const ends = await Promise.all(roles.map((role, index) => started(role, dir, `${role}${index}`)));
      expect(ends.map(({ status, errors }) => ({ status, errors }))).toEqual(
        roles.map(() => ({ status: 0, errors: "" })),
      );
      const told = ends.flatMap((end) => end.told);
      const acknowledged = acknowledgedOf(told);
      const sizes = Array.from({ length: rounds }, (_, round): number => (round % 4 === 3 ? 12 : 1));
      const perWorker = sizes.reduce((sum, many) => sum + many, 0);
      expect(acknowledged.size).toBe(4 * perWorker);
      expect(await damageIn(dir, acknowledged)).toEqual([]);
      expect(await cutsPlannedTwice(dir)).toEqual([]);
      expect(told.some((line) => line.startsWith("decided completed"))).toBe(true);
    },
  );

  it("four schedulers at once start one job for one cut", { timeout: 120_000 }, async () => {
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
});

/** The rounds of a worker that ends by itself. */
async function started(role: string, dir: string, name: string, count = rounds): ReturnType<typeof endOf> {
  const child = startWorker(role, dir, { name, rounds: count });
  children.push(child);
  return endOf(child);
}

/** Cuts that stand in the plans of two summarizer jobs. */
async function cutsPlannedTwice(dir: string): Promise<readonly unknown[]> {
  const memory = openFolder(dir);
  try {
    const types = ["continuity_job_spawned"];
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
