import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { createNodeFiles } from "../../src/platform/node-files/node-files.ts";
import { isTemporaryName } from "../../src/base/known-paths.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import type { VerifyResult } from "../../src/tree/inspect/verify.ts";
import { createFaultyFs, type FaultyFs } from "../fixtures/faulty-fs.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { builtWorker } from "../fixtures/built-worker.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { compact, expectSound, logOf, longLog, rawFiles } from "../situations/scenario.ts";

/** `npm run test:all` builds it first. */
const bin = join(import.meta.dirname, "../../dist/bin.js");
const worker = builtWorker("situations/log-and-compact.ts");

const folders: string[] = [];
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function project(): string {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-processes-"));
  folders.push(dir);
  mkdirSync(join(dir, "memory"));
  return dir;
}

const env = { PATH: process.env["PATH"], HOME: tmpdir(), TZ: "UTC", HEARTWOOD_TODAY: "2026-03-15" };

function json<Result>(dir: string, ...args: readonly string[]): Result {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args, "--json", "--dir", dir], {
    env,
    encoding: "utf8",
    timeout: 600_000,
  });
  if (status !== 0) throw new Error(`heartwood ${args.join(" ")} ended with ${status}: ${stdout}${stderr}`);
  return JSON.parse(stdout) as Result;
}

/** Starts a process and returns its status and stderr. */
async function ended(args: readonly string[], killAfterMs?: number): Promise<string> {
  const child = spawn(process.execPath, args, { env, stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.on("data", (text: Buffer) => (err += text.toString("utf8")));
  const timer = killAfterMs === undefined ? undefined : setTimeout(() => child.kill("SIGKILL"), killAfterMs);
  return new Promise((resolve) => {
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve(`${signal ?? code}${err === "" ? "" : `: ${err}`}`);
    });
  });
}

/** A memory on a disk that can crash. */
function openOn(fs: FaultyFs, seed: number): TestMemory {
  const plain = openTestMemory();
  const files = createNodeFiles({ root: fs.root, fs, random: createSeededRandom(seed) });
  const read = (path: string): string | undefined => {
    const bytes = fs.files().get(path);
    return bytes === undefined ? undefined : Buffer.from(bytes).toString("utf8");
  };
  return {
    ...plain,
    faults: fs,
    read,
    list: () => [...fs.files().keys()].toSorted(),
    memory: { ...plain.memory, files },
  };
}

/** The files under memory/ except the counts for the gate, which a run that writes nothing leaves alone. */
function memoryOf(fs: FaultyFs): ReadonlyMap<string, string> {
  const files = [...fs.files()].filter(
    ([path]) => path.startsWith("memory/") && !path.endsWith("state.json") && !isTemporary(path),
  );
  return new Map(files.map(([path, bytes]) => [path, Buffer.from(bytes).toString("utf8")]));
}

function isTemporary(path: string): boolean {
  return isTemporaryName(path.slice(path.lastIndexOf("/") + 1));
}

function temporariesBelow(dir: string): readonly string[] {
  return readdirSync(dir, { recursive: true, encoding: "utf8" }).filter(isTemporary);
}

describe("concurrent and killed processes", () => {
  it("concurrent: 8 processes log and compact at once in 12 rounds; every entry is there once and nothing is left due", async () => {
    const dir = project();
    const endings = await Promise.all(
      Array.from({ length: 8 }, (_, index) => ended([worker, dir, String(index), "12"])),
    );
    expect(endings).toEqual(Array.from({ length: 8 }, () => "0"));
    const last = json<CompactResult>(dir, "compact");
    expect([last.due, last.skipped]).toEqual([[], []]);
    const log = readFileSync(join(dir, "memory/2026-03-15.md"), "utf8");
    const month = readFileSync(join(dir, "memory/monthly/2026-03.md"), "utf8");
    for (let index = 0; index < 8; index++)
      for (let round = 0; round < 12; round++) {
        const words = `- process ${index} in round ${round} was here.`;
        expect(log.split(`${words}\n`).length - 1, words).toBe(1);
        expect(log.split(` id=p${index}-r${round} `).length - 1, words).toBe(1);
      }
    expect(month).toContain("process 7");
    expect(json<CompactResult>(dir, "compact").written).toEqual([]);
    expect(json<VerifyResult>(dir, "verify").ok).toBe(true);
    expect(temporariesBelow(dir)).toEqual([]);
  });

  it("kill-mid-write: after a kill at any disk call, no file is half written, and the next run completes and leaves no temporary file", async () => {
    const start = {
      ...rawFiles({
        "2026-03-13": logOf("2026-03-13", ["Roof [user]", "- leak"]),
        "2026-03-14": longLog("2026-03-14", "Import", 230),
      }),
      "WORKING.md": "# Working\n\n## Task\n- [ ] go on\n",
    };
    const whole = createFaultyFs({ files: start });
    const calm = openOn(whole, 1);
    await compact(calm);
    const final = memoryOf(whole);
    let litter = 0;
    for (let operation = 1; operation < whole.operations; operation++) {
      const killed = whole.killAt(operation);
      for (const [path, text] of memoryOf(killed))
        if (!path.startsWith("memory/2026-") && text !== final.get(path))
          expect([path, text], `half a file after operation ${operation}`).toEqual([path, final.get(path)]);
      litter += [...killed.files().keys()].some(isTemporary) ? 1 : 0;
      const next = openOn(killed, operation + 2);
      const result = await compact(next);
      expect(result.due).toEqual([]);
      expect(memoryOf(killed), `after operation ${operation}`).toEqual(final);
      expect([...killed.files().keys()].filter(isTemporary)).toEqual([]);
      if (operation % 25 === 0) await expectSound(next);
    }
    // The test would prove nothing if no kill ever left a temporary file behind.
    expect(litter).toBeGreaterThan(10);
  });

  it("kill-mid-write: a real process killed at any moment leaves whole files, and the next run completes", async () => {
    const dir = project();
    const days = Array.from({ length: 28 }, (_, index) => `2026-02-${String(index + 1).padStart(2, "0")}`);
    for (const day of days) writeFileSync(join(dir, `memory/${day}.md`), longLog(day, `Topic of ${day}`, 230));
    const endings: string[] = [];
    for (const wait of [60, 90, 120, 150, 180, 220]) endings.push(await ended([bin, "compact", "--dir", dir], wait));
    for (const ending of endings) expect(["SIGKILL", "0"]).toContain(ending);
    expect(endings).toContain("SIGKILL");
    const last = json<CompactResult>(dir, "compact");
    expect(last.due).toEqual([]);
    for (const day of days)
      expect(readFileSync(join(dir, `memory/${day}.md`), "utf8")).toBe(longLog(day, `Topic of ${day}`, 230));
    expect(readdirSync(join(dir, "memory/daily")).toSorted()).toEqual(days.map((day) => `${day}.md`));
    expect(json<CompactResult>(dir, "compact").written).toEqual([]);
    expect(temporariesBelow(dir)).toEqual([]);
    expect(json<VerifyResult>(dir, "verify").ok).toBe(true);
  });
});
