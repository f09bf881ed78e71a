import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, describe, expect, it, vi } from "vitest";
import { isTemporaryName } from "../../src/base/known-paths.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { builtWorker } from "../fixtures/built-worker.ts";

/** Concurrent real processes on one project folder: no acknowledged entry is lost or duplicated, no process waits forever, and the tree is sound in the end. */
const here = dirname(fileURLToPath(import.meta.url));
const bin = join(here, "../../dist/bin.js");
const worker = builtWorker("fixtures/busy-worker.ts");
const inCi = process.env["CI"] !== undefined;
const rounds = Number(process.env["HEARTWOOD_ROUNDS"] ?? (inCi ? 100 : 10));
const kills = Number(process.env["HEARTWOOD_KILLS"] ?? (inCi ? 500 : 12));

const bases: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const base of bases.splice(0)) rmSync(base, { recursive: true, force: true });
});

describe("many processes on one memory", () => {
  it(`8 of them in ${rounds} rounds: every acknowledged entry is there once, and the last run leaves nothing due`, async () => {
    const dir = newProject();
    const roles = ["append", "append", "append", "command", "compact", "compact", "edit", "checkout"];
    const ends = await Promise.all(
      roles.map(async (role, index) => endOf(startWorker(role, dir, { name: `${role}${index}`, rounds }))),
    );
    expect(ends).toEqual(roles.map(() => ({ status: 0, errors: "" })));
    const asked = told(dir, "asked");
    expect(asked.length).toBe(4 * rounds);
    expect(told(dir, "edits").length > 0).toBe(true);
    expect(damageIn(dir)).toEqual([]);
    expectSound(dir);
  });

  it("fails if an editor saves without comparing again (negative control)", async () => {
    const dir = newProject();
    const log = join(dir, "memory/2026-03-24.md");
    writeFileSync(log, "# 2026-03-24\n");
    const asEdited = readFileSync(log, "utf8");
    expect(await endOf(startWorker("append", dir, { name: "append0", rounds: 3 }))).toEqual({ status: 0, errors: "" });
    expect(damageIn(dir)).toEqual([]);
    writeFileSync(`${log}.next`, asEdited);
    renameSync(`${log}.next`, log);
    expect(damageIn(dir).length).toBe(3);
  });

  it(`survives ${kills} kill -9 at random times: acknowledged entries are there once`, async () => {
    const dir = newProject();
    const random = createSeededRandom(Date.now());
    const lane = async (number: number, count: number): Promise<void> => {
      for (let kill = 0; kill < count; kill += 1) {
        const child = startWorker("both", dir, { name: `killed${number}.${kill}`, rounds: 100_000 });
        await new Promise((resolve) => child.stdout?.once("data", resolve));
        // However slow the machine, something was acknowledged.
        if (kill === 0) await vi.waitFor(() => expect(told(dir, "acked")).not.toEqual([]), { timeout: 60_000 });
        await new Promise((resolve) => setTimeout(resolve, random.below(120)));
        child.kill("SIGKILL");
        await new Promise((resolve) =>
          child.exitCode !== null || child.signalCode !== null ? resolve(0) : child.once("close", resolve),
        );
      }
    };
    const [lanes, killsOfLane] = [3, Math.min(10, Math.ceil(kills / 3))];
    for (let done = 0; done < kills; done += lanes * killsOfLane) {
      await Promise.all(Array.from({ length: lanes }, (_, number) => lane(done + number, killsOfLane)));
      expect(damageIn(dir)).toEqual([]);
      expectSound(dir);
    }
    expect(told(dir, "acked").length > 0).toBe(true);
  });
});

function newProject(): string {
  if (!existsSync(bin)) throw new Error("dist/bin.js is not there; run `node tools/build.mjs` first");
  const base = mkdtempSync(join(tmpdir(), "heartwood-busy-"));
  bases.push(base);
  const dir = join(base, "project");
  mkdirSync(join(dir, "memory"), { recursive: true });
  for (const day of ["2026-03-02", "2026-03-23"])
    writeFileSync(join(dir, `memory/${day}.md`), `# ${day}\n\n## Auth [project]\n- decision: tokens\n`);
  return dir;
}

function startWorker(role: string, dir: string, how: { readonly name: string; readonly rounds: number }): ChildProcess {
  const env = { PATH: process.env["PATH"], HOME: dirname(dir), TZ: "UTC" };
  const child = spawn(process.execPath, [worker, role, dir, how.name, String(how.rounds), bin], {
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.push(child);
  return child;
}

async function endOf(child: ChildProcess): Promise<{ readonly status: number | null; readonly errors: string }> {
  let errors = "";
  child.stderr?.on("data", (chunk: Buffer) => (errors += chunk.toString()));
  child.stdout?.resume();
  const status = await new Promise<number | null>((resolve) => child.once("close", resolve));
  return { status, errors };
}

/** The lines that all workers recorded. */
function told(dir: string, kind: string): readonly string[] {
  const files = readdirSync(dirname(dir)).filter((file) => file.endsWith(`.${kind}`));
  return files.flatMap((file) =>
    readFileSync(join(dirname(dir), file), "utf8")
      .split("\n")
      .filter((line) => line !== ""),
  );
}

/** Acknowledged entries that are not there exactly once, other entries that are there twice, and editor lines that are not there exactly once. */
function damageIn(dir: string): readonly string[] {
  const logs = readdirSync(join(dir, "memory")).filter((file) => /^2026-\d\d-\d\d[^/]*\.md$/u.test(file));
  const lines = logs.flatMap((file) => readFileSync(join(dir, "memory", file), "utf8").split("\n"));
  const copies = new Map<string, number>();
  for (const line of lines) {
    const key = /^<!-- hw id=(\S+) /u.exec(line)?.[1] ?? line;
    copies.set(key, (copies.get(key) ?? 0) + 1);
  }
  const acked = new Set(told(dir, "acked"));
  // Entries that the editor overwrote between its comparison and its rename, as recorded by the editor.
  const clobbered = new Set(told(dir, "clobbered").map((line) => /^<!-- hw id=(\S+) /u.exec(line)?.[1] ?? line));
  const wrong = told(dir, "asked").filter((id) => {
    const count = copies.get(id) ?? 0;
    return count > 1 || (count === 0 && acked.has(id) && !clobbered.has(id));
  });
  return [...wrong, ...told(dir, "edits").filter((line) => copies.get(line) !== 1)];
}

/** The next run completes; after it nothing is due, `verify` finds nothing, and no temporary file is left. */
function expectSound(dir: string): void {
  const first = heartwood(dir, "compact");
  expect([first.status, first.errors]).toEqual([0, ""]);
  const second = heartwood(dir, "compact");
  const result = JSON.parse(second.out) as CompactResult;
  expect({ status: second.status, due: result.due, written: result.written, skipped: result.skipped }).toEqual({
    status: 0,
    due: [],
    written: [],
    skipped: [],
  });
  const verified = heartwood(dir, "verify");
  expect([verified.status, verified.status === 0 ? "" : verified.out]).toEqual([0, ""]);
  const files = readdirSync(dir, { recursive: true, encoding: "utf8" });
  expect(files.filter((file) => isTemporaryName(file.replace(/^.*\//u, "")))).toEqual([]);
}

function heartwood(
  dir: string,
  command: string,
): { readonly status: number | null; readonly out: string; readonly errors: string } {
  const env = { PATH: process.env["PATH"], HOME: dirname(dir), TZ: "UTC" };
  const words = [bin, command, "--json", "--today", "2026-03-24", "--time-zone", "UTC"];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: dir,
    env,
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return { status, out: stdout, errors: stderr };
}
