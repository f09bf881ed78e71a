import { describe, expect, it } from "vitest";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { CrashCheck } from "../fixtures/crash-check.ts";
import { playScene, type Act, type Scene } from "../fixtures/crash-scene.ts";
import { firstBuild, incremental, reopening } from "../fixtures/crash-scenes.ts";

/**
 * Compaction on a disk that loses power at any point, with any part of the unsynced writes lost, torn or kept: acknowledged entries and people's
 * files are found byte for byte, and the next run makes the same tree as an undisturbed one (G1, G2, G4, "Rebuilt").
 */
/** 10,000 in CI, fewer by default to keep `npm run test:all` short. */
const statesWanted = Number(
  process.env["HEARTWOOD_CRASH_STATES"] ?? (process.env["CI"] === undefined ? 3_000 : 10_000),
);
const seeds = [0, 1, 2, 3];
const kinds = [
  ["a first build", firstBuild],
  ["an incremental run", incremental],
  ["a reopened period", reopening],
] as const;

describe("compaction on a disk that loses power", () => {
  for (const [index, [name, make]] of kinds.entries()) {
    const states = Math.ceil(statesWanted / kinds.length);
    it(`recovers ${name} in ${states} crash states`, async () => {
      const check = await crashScenes(
        seeds.map((seed) => make(seed)),
        { states, seed: index },
      );
      expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
      expect(check.states >= states).toBe(true);
      // The test would prove nothing if all crashes left the same disk, or none happened during a recovery.
      expect(check.recovered > states / 20).toBe(true);
      expect(check.nested > 0).toBe(true);
      console.log(
        `${name}: ${check.states} crash states, ${check.recovered} of them different, ${check.nested} crashed again in recovery`,
      );
    });
  }

  for (const ignoreFsync of ["files", "folders", "all"] as const) {
    it(`fails if the fsync of ${ignoreFsync} is patched out (negative control)`, async () => {
      const scenes = [firstBuild(0), incremental(1), reopening(0)];
      for (const scene of scenes) {
        const check = await crashScenes([scene], { states: 60, seed: 9, fs: { ignoreFsync } });
        expect(check.damage.length > 0, (await scene).title).toBe(true);
      }
    });
  }
});

interface Plan {
  readonly states: number;
  readonly seed: number;
  readonly fs?: FaultyFsOptions;
}

async function crashScenes(scenes: readonly (Scene | Promise<Scene>)[], plan: Plan): Promise<CrashCheck> {
  const check = new CrashCheck();
  for (const [index, planned] of scenes.entries()) {
    const scene = await planned;
    const { fs, acts } = await playScene(scene, plan.fs);
    const idle: Act = { kind: "compact", input: {} };
    const end = fs.files();
    for (const crash of fs.crashStates(plan.seed * 100 + index, Math.ceil(plan.states / scenes.length))) {
      const { act, before } = acts.find(({ to }) => to > crash.at) ?? { act: idle, before: end };
      await check.inspect({
        scene,
        act,
        before,
        fs: crash.fs,
        seed: 1000 + crash.at,
        title: `${scene.title} at ${crash.at}`,
      });
    }
  }
  return check;
}
