import { describe, expect, it } from "vitest";
import type { FaultyFsOptions } from "../fixtures/faulty/calls.ts";
import { AuditCrashCheck } from "../fixtures/audit-crash-check.ts";
import { again, fresh, playAudit, takingBack, type AuditScene } from "../fixtures/audit-scene.ts";

/**
 * An audit on a disk that loses power at any point, with any part of the unsynced writes lost, torn or kept: every file is completely old or new, old bytes are
 * found, the logical logs are unchanged, and another apply or undo gives the same as an undisturbed one.
 */
/** Crash states per scene: 10,000 in CI, fewer by default to keep `npm run test:all` short. */
const statesWanted = Number(process.env["HEARTWOOD_CRASH_STATES"] ?? (process.env["CI"] === undefined ? 300 : 10_000));
const kinds = [
  ["a first audit", async () => fresh],
  ["a second audit", again],
  ["an undo", takingBack],
] as const;

describe("an audit on a disk that loses power", () => {
  for (const [index, [name, make]] of kinds.entries()) {
    it(`recovers ${name} in ${statesWanted} crash states`, { timeout: 3_600_000 }, async () => {
      const check = await crashScene(await make(), { states: statesWanted, seed: index });
      expect([...new Set(check.damage)].slice(0, 5)).toEqual([]);
      expect(check.states >= statesWanted).toBe(true);
      // The test would prove nothing if all crashes left the same disk, or none happened during a recovery.
      expect(check.recovered > 20).toBe(true);
      expect(check.nested > 0).toBe(true);
      console.log(
        `${name}: ${check.states} crash states, ${check.recovered} of them different, ${check.nested} crashed again in recovery`,
      );
    });
  }

  for (const ignoreFsync of ["files", "folders", "all"] as const)
    it(`fails if the fsync of ${ignoreFsync} is patched out (negative control)`, async () => {
      const check = await crashScene(fresh, { states: 60, seed: 9, fs: { ignoreFsync } });
      const lost = check.damage.filter((what) => /nowhere|neither|another|archive_damaged|is invalid: /u.test(what));
      expect(lost.length > 0).toBe(true);
    });
});

interface Plan {
  readonly states: number;
  readonly seed: number;
  readonly fs?: FaultyFsOptions;
}

async function crashScene(scene: AuditScene, plan: Plan): Promise<AuditCrashCheck> {
  const check = await AuditCrashCheck.of(scene);
  const fs = await playAudit(scene, plan.fs);
  for (const crash of fs.crashStates(plan.seed, plan.states))
    await check.inspect(crash.fs, { seed: 1000 + crash.at, title: `${scene.title} at ${crash.at}` });
  return check;
}
