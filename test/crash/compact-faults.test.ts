import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { compactMemory } from "../../src/summaries/run/compact.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import type { Fault } from "../fixtures/faulty/calls.ts";
import { CrashCheck } from "../fixtures/crash-check.ts";
import { nodesOf, openOn, perform, printed, type Act, type Scene } from "../fixtures/crash-scene.ts";
import { firstBuild, incremental, reopening } from "../fixtures/crash-scenes.ts";

/**
 * One file-system call of a compaction fails, or the process is killed before it: the error has a code and a cause, and a clean run afterwards gives the
 * same as without the failure. HEARTWOOD_FAULTS=all tests every call; the default is a share of them.
 */
const stride = process.env["HEARTWOOD_FAULTS"] === "all" ? 1 : 11;
const faults = ["EIO", "ENOSPC", "EACCES"] as const;
const kinds = [
  ["a first build", () => firstBuild(1)],
  ["an incremental run", () => incremental(0)],
  ["a reopened period", () => reopening(0)],
] as const;

describe.each(kinds)("%s", (_name, make) => {
  it("reports every call that fails, and a clean run afterwards leaves no damage and no temporary files", async () => {
    const calm = await compactionOf(await make());
    const { scene, act, operations } = calm;
    const check = new CrashCheck();
    const silent: string[] = [];
    let told = 0;
    for (const [turn, fault] of faults.entries()) {
      for (let operation = turn * 7; operation < operations; operation += stride) {
        const fs = createFaultyFs({ files: scene.start });
        const call = await failingRun(scene, act, { fs, operation, fault });
        // A failed call before the lock is taken may have no effect, because the run reads again.
        if (call === "told") told += 1;
        else if (call !== "done" || printed(nodesOf(fs.files())) !== printed(nodesOf(calm.fs.files())))
          silent.push(`${fault} at ${operation}: ${call}`);
        await check.inspect({
          scene,
          act,
          before: createFaultyFs({ files: scene.start }).files(),
          fs,
          seed: operation,
          title: `${scene.title}, ${fault} at ${operation}`,
        });
      }
    }
    expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
    expect(silent).toEqual([]);
    expect(told > 0).toBe(true);
  });

  it("recovers from a kill before every call", async () => {
    const { scene, act, fs } = await compactionOf(await make());
    const check = new CrashCheck();
    const before = createFaultyFs({ files: scene.start }).files();
    for (let operation = 0; operation <= fs.operations; operation += stride) {
      await check.inspect({
        scene,
        act,
        before,
        fs: fs.killAt(operation),
        seed: operation,
        title: `${scene.title}, killed at ${operation}`,
      });
    }
    expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
    expect(check.recovered > 10).toBe(true);
  });
});

interface Compaction {
  readonly scene: Scene;
  readonly act: Act;
  readonly fs: FaultyFs;
  readonly operations: number;
}

/** Only the compaction of a scene, run once undisturbed. */
async function compactionOf(scene: Scene): Promise<Compaction> {
  const act = scene.acts.find(({ kind }) => kind === "compact") ?? { kind: "compact", input: {} };
  const fs = createFaultyFs({ files: scene.start });
  await perform(openOn(fs, { today: scene.today, seed: 7 }), act);
  return { scene: { ...scene, acts: [act] }, act, fs, operations: fs.operations };
}

/** `told`: an error with a code and a cause, or a result that names the failure. Otherwise, what happened instead. */
async function failingRun(
  scene: Scene,
  act: Act,
  how: { readonly fs: FaultyFs; readonly operation: number; readonly fault: Fault },
): Promise<string> {
  const { fs, operation, fault } = how;
  fs.failAt(operation, fault);
  try {
    const result = await compactMemory(
      openOn(fs, { today: scene.today, seed: 7 }),
      act.kind === "compact" ? act.input : {},
      {},
    );
    return tellsOf(result, fault) ? "told" : "done";
  } catch (error) {
    if (!(error instanceof MemoryError)) return String(error);
    const isRight = error.code === (fault === "ENOSPC" ? "disk_full" : "io") && error.message.includes(fault);
    return isRight ? "told" : `${error.code}: ${error.message}`;
  }
}

function tellsOf(result: CompactResult, fault: Fault): boolean {
  return [...result.skipped, ...result.warnings].some((told) => told.message.includes(fault));
}
