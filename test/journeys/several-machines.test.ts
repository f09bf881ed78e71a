import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createSeededRandom } from "../../src/testing/index.ts";
import type { DoctorResult } from "../../src/operations/doctor.ts";
import { cloneAt, type Clone } from "../fixtures/git-clones.ts";

/** One person's memory on two machines, in a folder that a program such as Syncthing keeps the same. */
const days = ["2026-03-15", "2026-03-16", "2026-03-17"];
let base = "";
let desk: Clone;
let laptop: Clone;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-machines-")));
  [desk, laptop] = ["desk", "laptop"].map((name) => {
    mkdirSync(join(base, name));
    return cloneAt(join(base, name));
  }) as [Clone, Clone];
});
afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 20 }));

/** What `.stignore` of the guide leaves to each machine. */
const isIgnored = (path: string): boolean => path.startsWith(".heartwood/") || path === "memory/.compaction-state.json";

/**
 * Syncs two folders as Syncthing does: of a file that both changed since the last time, the newer version wins, and the
 * other becomes a conflict copy. The desk's versions count as newer in even rounds.
 */
class Syncing {
  #last = new Map<string, string>();
  #rounds = 0;
  conflicts = 0;

  sync(): void {
    this.#rounds += 1;
    const sides = [desk, laptop].map((one) => new Map([...one.files(".")].filter(([path]) => !isIgnored(path))));
    const [ours = new Map<string, string>(), theirs = new Map<string, string>()] = sides;
    for (const path of new Set([...ours.keys(), ...theirs.keys()])) {
      const [left, right, last] = [ours.get(path), theirs.get(path), this.#last.get(path)];
      if (left === right) continue;
      if (left === last) this.#put(desk, path, right);
      else if (right === last) this.#put(laptop, path, left);
      else if (left === undefined || right === undefined) this.#both(path, left ?? right);
      else this.#conflict(path, this.#rounds % 2 === 0 ? [left, right] : [right, left]);
    }
    this.#last = new Map([...desk.files(".")].filter(([path]) => !isIgnored(path)));
  }

  #conflict(path: string, [winner, loser]: readonly [string, string]): void {
    this.conflicts += 1;
    this.#both(path, winner);
    const number = String(this.#rounds).padStart(6, "0");
    this.#both(path.replace(/(\.[a-z]+)$/u, `.sync-conflict-20260317-${number}-ABCDEFG$1`), loser);
  }

  #both(path: string, text: string | undefined): void {
    for (const machine of [desk, laptop]) this.#put(machine, path, text);
  }

  #put(machine: Clone, path: string, text: string | undefined): void {
    if (text === undefined) machine.remove(path);
    else machine.write(path, text);
  }
}

const shared = (machine: Clone) =>
  [...machine.files("memory")].filter(([path]) => !isIgnored(path) && !path.includes("/archive/"));

describe("two machines with a synced folder", () => {
  test("have the entries of both, each once, and equal files, however the syncs are interleaved", async () => {
    const random = createSeededRandom(7);
    const syncing = new Syncing();
    await desk.run(days[0] ?? "", "memory.init", { platform: "plain" });
    const ids = new Map<string, string[]>();
    let number = 0;
    for (const today of days)
      for (let round = 0; round < 12; round++) {
        for (const machine of [desk, laptop]) {
          if (random.chance(0.6)) {
            const date = days[random.below(days.indexOf(today) + 1)] ?? today;
            const id = `e${(number += 1)}`;
            await machine.run(today, "log.add", { topic: `Topic ${number % 4}`, body: "- done", id, date });
            ids.set(date, [...(ids.get(date) ?? []), id]);
          }
          if (random.chance(0.3)) await machine.run(today, "tree.compact", {});
          if (random.chance(0.3)) await machine.resolve(today);
        }
        if (random.chance(0.5)) syncing.sync();
      }
    expect(syncing.conflicts).toBeGreaterThan(5);
    for (let round = 0; round < 3; round++) {
      syncing.sync();
      for (const machine of [desk, laptop]) await machine.resolve("2026-03-18");
    }
    const before = syncing.conflicts;
    syncing.sync();
    expect(syncing.conflicts).toBe(before);
    for (const [day, expected] of ids)
      for (const machine of [desk, laptop]) {
        const log = machine.read(`memory/${day}.md`) ?? "";
        expect([...log.matchAll(/ id=(e\d+) /gu)].map(([, id]) => id).toSorted()).toEqual(expected.toSorted());
      }
    expect(shared(laptop)).toEqual(shared(desk));
    expect(shared(desk).filter(([path]) => path.includes("conflict"))).toEqual([]);
  });

  test.each([
    ["Syncthing", "2026-03-15.sync-conflict-20260315-140500-ABCDEFG.md"],
    ["Dropbox", "2026-03-15 (Ann's conflicted copy 2026-03-15).md"],
    ["Nextcloud", "2026-03-15 (conflicted copy 2026-03-15 140500).md"],
    ["iCloud", "2026-03-15 2.md"],
    ["Google Drive", "2026-03-15 (1).md"],
  ])(
    "a conflict copy of %s is not read as a log, doctor names it, and `git resolve` merges it",
    async (_program, name) => {
      const today = "2026-03-15";
      await desk.run(today, "log.add", { topic: "A", body: "- a", id: "a" });
      const text = desk.read("memory/2026-03-15.md") ?? "";
      desk.write(`memory/${name}`, `${text}\n## B [project]\n- b\n`);
      const found = async (): Promise<DoctorResult["checks"]> => {
        const { checks } = (await desk.run(today, "memory.doctor", {})) as DoctorResult;
        return checks.filter(({ name: check, state }) => check === "raw logs" && state === "problem");
      };
      expect(await found()).toMatchObject([{ fix: "heartwood git resolve" }]);
      expect(await desk.resolve(today)).toEqual({
        merged: [{ path: "memory/2026-03-15.md", from: "copy" }],
        removed: [`memory/${name}`],
        left: [],
      });
      expect(desk.read("memory/2026-03-15.md")).toBe(`${text}\n## B [project]\n- b\n`);
      expect(await found()).toEqual([]);
    },
  );
});
