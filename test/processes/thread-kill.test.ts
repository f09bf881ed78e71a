import type { ChildProcess } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createSeededRandom } from "../../src/testing/index.ts";
import { acknowledgedOf, beginBusyThread, damageIn, endOf, startWorker } from "../fixtures/busy-thread.ts";

/** Real processes append to one thread and are killed at random times: acknowledged messages are there, and the thread has no gap. */
const kills = Number(process.env["HEARTWOOD_KILLS"] ?? (process.env["CI"] === undefined ? 12 : 500));
const lanes = 3;

const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("a thread whose writers are killed", () => {
  it(`contains all acknowledged messages after ${kills} kill -9`, async () => {
    const dir = newFolder();
    await beginBusyThread(dir);
    const seed = Date.now();
    const random = createSeededRandom(seed);
    const acknowledged = new Map<string, number>();
    const killsOfLane = Math.min(10, Math.ceil(kills / lanes));
    for (let done = 0; done < kills; done += lanes * killsOfLane) {
      await Promise.all(
        Array.from({ length: lanes }, async (_, lane) => {
          for (let kill = 0; kill < killsOfLane; kill += 1) {
            const first = kill % 2 === 0 ? "ack" : "ready";
            const told = await killed(dir, { name: `${done}.${lane}.${kill}`, first, after: random.below(80) });
            for (const [id, crc] of acknowledgedOf(told)) acknowledged.set(id, crc);
          }
        }),
      );
      expect(await damageIn(dir, acknowledged), `seed ${seed}`).toEqual([]);
    }
    expect(acknowledged.size).toBeGreaterThanOrEqual(kills / 2);
  });

  it("fails if a frame is reported as acknowledged that was never written (negative control)", async () => {
    const dir = newFolder();
    await beginBusyThread(dir);
    const { told } = await endOf(started("mixed", dir, { name: "a", rounds: 5 }));
    const acknowledged = new Map(acknowledgedOf(told));
    expect(await damageIn(dir, acknowledged)).toEqual([]);
    expect(acknowledged.size > 4).toBe(true);
    const [first = ""] = acknowledged.keys();
    acknowledged.set(first, 1).set("0199c0de-0000-7000-8000-00000000dead", 0);
    expect((await damageIn(dir, acknowledged)).length).toBe(2);
  });
});

/** Killed some milliseconds after it printed a line that starts with `first`. */
async function killed(
  dir: string,
  how: { readonly name: string; readonly first: "ready" | "ack"; readonly after: number },
): Promise<readonly string[]> {
  const child = started("mixed", dir, { name: how.name, rounds: 100_000 });
  const ended = endOf(child);
  const begun = new Promise<void>((resolve) => {
    let out = "";
    child.stdout?.on("data", (chunk: Buffer) => {
      out += chunk.toString();
      if (`\n${out}`.includes(`\n${how.first}`)) resolve();
    });
  });
  await Promise.race([begun, ended]);
  await new Promise((resolve) => setTimeout(resolve, how.after));
  child.kill("SIGKILL");
  const { told, errors } = await ended;
  expect(errors).toBe("");
  return told;
}

function started(role: string, dir: string, how: { readonly name: string; readonly rounds: number }): ChildProcess {
  const child = startWorker(role, dir, how);
  children.push(child);
  return child;
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-kill-"));
  folders.push(folder);
  return folder;
}
