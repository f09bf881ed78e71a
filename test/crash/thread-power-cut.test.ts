import { mkdirSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { createSeededRandom } from "../../src/testing/index.ts";
import { acknowledgedOf, beginBusyThread, damageIn, endOf, startWorker } from "../fixtures/busy-thread.ts";
import { canMount, cutPower, mountAgain, mountDisk, unmount } from "../fixtures/mounted-disk.ts";

/** A real ext4 loses power while processes append to a thread: no acknowledged message is lost, and no artifact is empty. */
const cuts = process.env["CI"] === undefined ? 3 : 40;
const base = mkdtempSync(join(tmpdir(), "heartwood-cut-"));
const isPossible = canMount(base, "ext4");
if (!isPossible)
  console.error(
    "NOT RUN: test/crash/thread-power-cut.test.ts needs root, loop mounts and xfs_io (apt-get install xfsprogs)",
  );
afterAll(() => {
  unmount(join(base, "ext4"));
  rmSync(base, { recursive: true, force: true });
});

describe.skipIf(!isPossible)("a thread on a disk whose power is cut", () => {
  it(`keeps acknowledged messages in ${cuts} power cuts`, async () => {
    const disk = mountDisk(base, "ext4", 65_536);
    const dir = join(disk?.path ?? "", "project");
    mkdirSync(dir);
    await beginBusyThread(dir);
    const random = createSeededRandom(Date.now());
    const acknowledged = new Map<string, number>();
    for (let cut = 0; cut < cuts; cut += 1) {
      const children = [0, 1].map((number) => startWorker("mixed", dir, { name: `${cut}.${number}`, rounds: 100_000 }));
      let out = "";
      for (const child of children) child.stdout?.on("data", (chunk: Buffer) => (out += chunk.toString()));
      const ends = children.map(endOf);
      await Promise.all(children.map((child) => new Promise((resolve) => child.stdout?.once("data", resolve))));
      await new Promise((resolve) => setTimeout(resolve, 20 + random.below(150)));
      // Later acknowledgements do not count: an fsync in progress while ext4 is shut down can succeed although nothing is written any more.
      const told = out.split("\n").slice(0, -1);
      expect(cutPower(disk?.path ?? "")).toBe(true);
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(ends);
      for (const [id, crc] of acknowledgedOf(told)) acknowledged.set(id, crc);
      unmount(disk?.path ?? "");
      expect(mountAgain(base)).toBe(true);
      expect(emptyArtifacts(dir)).toEqual([]);
      expect(await damageIn(dir, acknowledged)).toEqual([]);
    }
    expect(acknowledged.size > cuts).toBe(true);
    console.log(`${cuts} power cuts; ${acknowledged.size} acknowledged frames are there`);
  });
});

function emptyArtifacts(dir: string): readonly string[] {
  const all = readdirSync(join(dir, ".heartwood"), { recursive: true, encoding: "utf8" });
  return all.filter((path) => path.endsWith(".json") && statSync(join(dir, ".heartwood", path)).size === 0);
}
