import { describe, expect, it } from "vitest";
import { withLogicalLogs } from "../src/engine/logical-logs.ts";
import { createFaultyFs, type FaultyFs, type FaultyFsOptions } from "../src/testing/index.ts";
import {
  again,
  auditIds,
  fresh,
  isNote,
  openAudited,
  performAudit,
  playAudit,
  takingBack,
  undoAll,
  visible,
  type AuditScene,
} from "./fixtures/audit-scene.ts";
import { differences, litterIn } from "./fixtures/crash-rules.ts";
import { printed, type Tree } from "./fixtures/crash-scene.ts";

/**
 * An audit on a disk that loses power, at any point and with any part of the unsynced writes lost, torn or kept: every file is whole old or whole new, old
 * bytes are found, the logical logs are as before, and another apply or undo ends where an undisturbed one does.
 */
/** Of each scene. All 10,000 in CI; fewer by default, to keep `npm test` short. */
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
      // The harness would prove nothing if all crashes left the same disk, or none came during a recovery.
      expect(check.recovered > 20).toBe(true);
      expect(check.nested > 0).toBe(true);
      console.log(
        `${name}: ${check.states} crash states, ${check.recovered} of them different, ${check.nested} crashed again in recovery`,
      );
    });
  }

  for (const ignoreFsync of ["files", "folders", "all"] as const)
    it(`goes red when the fsync of ${ignoreFsync} is patched out (negative control)`, async () => {
      const check = await crashScene(fresh, { states: 150, seed: 9, fs: { ignoreFsync } });
      const lost = check.damage.filter((what) => /nowhere|neither|another|archive_damaged|makes no sense/u.test(what));
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

class AuditCrashCheck {
  readonly damage: string[] = [];
  states = 0;
  recovered = 0;
  nested = 0;
  readonly #before: Tree;
  /** What people wrote: it must be found for ever. */
  readonly #owned: Tree;
  /** Audits before the scene, which nobody takes back. */
  readonly #earlier: ReadonlySet<string>;
  readonly #after: Tree;
  /** What taking everything back leaves. */
  readonly #undone: Tree;
  /** What another apply leaves. */
  readonly #applied: Tree;
  readonly #logical: Tree;
  readonly #seen = new Set<string>();

  private constructor(known: {
    readonly before: Tree;
    readonly owned: Tree;
    readonly earlier: ReadonlySet<string>;
    readonly after: Tree;
    readonly undone: Tree;
    readonly applied: Tree;
    readonly logical: Tree;
  }) {
    this.#before = known.before;
    this.#owned = known.owned;
    this.#earlier = known.earlier;
    this.#after = known.after;
    this.#undone = known.undone;
    this.#applied = known.applied;
    this.#logical = known.logical;
  }

  static async of(scene: AuditScene): Promise<AuditCrashCheck> {
    const start = createFaultyFs({ files: scene.start });
    const before = start.files();
    const after = (await playAudit(scene)).files();
    const undoneFs = createFaultyFs({ files: Object.fromEntries(after) });
    const earlier = scene.act === "apply" ? auditIds(before) : new Set<string>();
    await undoAll(openAudited(undoneFs, { seed: 3 }), earlier);
    const appliedFs = createFaultyFs({ files: scene.start });
    await performAudit(openAudited(appliedFs, { seed: 4 }), "apply");
    return new AuditCrashCheck({
      before,
      owned: scene.act === "apply" ? before : undoneFs.files(),
      earlier,
      after,
      undone: visible(undoneFs.files()),
      applied: visible(appliedFs.files()),
      logical: await logicalLogs(start),
    });
  }

  async inspect(fs: FaultyFs, how: { readonly seed: number; readonly title: string }): Promise<void> {
    this.states += 1;
    const key = printed(fs.files());
    if (this.#seen.has(key)) return;
    this.#seen.add(key);
    this.recovered += 1;
    const found = await this.#recoveries(fs, how.seed);
    this.damage.push(...found.map((what) => `${how.title}: ${what}`));
  }

  /** Both ways of recovery, each from the same disk; every tenth crashes once more on its way. */
  async #recoveries(fs: FaultyFs, seed: number): Promise<readonly string[]> {
    const found = [...(await this.#lossesIn(fs))];
    const files = Object.fromEntries(fs.files());
    for (const way of ["apply", "undo"] as const) {
      const own = createFaultyFs({ files });
      found.push(...(await this.#recover(own, way, seed)));
      if (this.recovered % 5 !== 0) continue;
      for (const crash of own.crashStates(seed, 2)) {
        this.nested += 1;
        found.push(...(await this.#lossesIn(crash.fs)), ...(await this.#recover(crash.fs, way, seed + 1)));
      }
    }
    return found;
  }

  async #recover(fs: FaultyFs, way: "apply" | "undo", seed: number): Promise<readonly string[]> {
    const wanted = way === "apply" ? this.#applied : this.#undone;
    try {
      await this.#run(fs, way, seed);
      const once = fs.files();
      const calls = { ...fs.counters };
      const found = [
        ...differences(wanted, visible(once)).map((path) => `${way}: ${path} is not what an undisturbed run leaves`),
        // With nothing to take back nothing is written; the next apply or compaction clears our own store.
        ...litterIn(way === "apply" ? once : visible(once)),
        ...(await this.#lossesIn(fs)),
      ];
      await this.#run(fs, way, seed + 10);
      const wrote = (["writeSync", "renameSync", "unlinkSync", "mkdirSync"] as const).filter(
        (call) => fs.counters[call] !== calls[call],
      );
      return [...found, ...wrote.map((call) => `${way}: a second run calls ${call}`)];
    } catch (error) {
      return [`${way}: ${String(error)}`];
    }
  }

  async #run(fs: FaultyFs, way: "apply" | "undo", seed: number): Promise<void> {
    const memory = openAudited(fs, { seed });
    if (way === "apply") return performAudit(memory, "apply");
    return undoAll(memory, this.#earlier);
  }

  async #lossesIn(fs: FaultyFs): Promise<readonly string[]> {
    const files = fs.files();
    const all = new Set([...files.values()].map((bytes) => Buffer.from(bytes).toString("latin1")));
    const lost: string[] = [];
    for (const [path, bytes] of this.#before) {
      if (!isOwned(path)) continue;
      const now = files.get(path);
      const isPart = path.startsWith("memory/archive/") && !this.#after.has(path);
      const known = [bytes, this.#after.get(path), this.#applied.get(path), this.#undone.get(path)];
      if (!isPart && !known.some((one) => one !== undefined && now !== undefined && Buffer.compare(one, now) === 0))
        lost.push(`${path} is neither old nor new`);
    }
    for (const [path, bytes] of this.#owned)
      if (isOwned(path) && !all.has(Buffer.from(bytes).toString("latin1")))
        lost.push(`the old bytes of ${path} are nowhere`);
    return [...lost, ...(await this.#changedLogs(fs))];
  }

  async #changedLogs(fs: FaultyFs): Promise<readonly string[]> {
    try {
      const logical = await logicalLogs(fs);
      return differences(this.#logical, logical).map((path) => `the log ${path} is another`);
    } catch (error) {
      return [String(error)];
    }
  }
}

/** The raw logs as the tree reads them. */
async function logicalLogs(fs: FaultyFs): Promise<Tree> {
  const memory = await withLogicalLogs(openAudited(fs, { seed: 5 }));
  const logs = new Map<string, Uint8Array>();
  for (const { name } of await memory.files.list("memory")) {
    const path = `memory/${name}`;
    const read = isNote(path) ? await memory.files.read(path) : undefined;
    if (read !== undefined) logs.set(path, read.bytes);
  }
  return logs;
}

function isOwned(path: string): boolean {
  return !path.startsWith(".heartwood/") && path !== "memory/archive/moved.json";
}
