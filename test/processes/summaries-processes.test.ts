import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readLedgerFile } from "../../src/tree/run/answer-store.ts";
import { openMemory } from "../../src/open.ts";
import { builtWorker } from "../fixtures/built-worker.ts";

/** Real processes with the real lock: no request is sent twice, and all share one budget. */
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

async function play(
  subjects: number,
  requestsPerDay: number,
): Promise<{ readonly dir: string; readonly sent: readonly string[] }> {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-asking-"));
  folders.push(dir);
  mkdirSync(join(dir, "memory"));
  const worker = builtWorker("fixtures/asking-worker.ts");
  const ends = Array.from(
    { length: 3 },
    () =>
      new Promise<string>((resolve) => {
        const child = spawn(process.execPath, [worker, dir, `${subjects}`, `${requestsPerDay}`]);
        let errors = "";
        child.stderr.on("data", (text) => (errors += String(text)));
        child.on("close", (status) => resolve(status === 0 ? "" : `${status}: ${errors}`));
      }),
  );
  expect(await Promise.all(ends)).toEqual(["", "", ""]);
  return { dir, sent: readFileSync(join(dir, "sent"), "utf8").trimEnd().split("\n") };
}

describe("processes that ask at the same time", () => {
  it("send each request once", async () => {
    const { dir, sent } = await play(12, 100);
    expect(sent.toSorted()).toEqual(Array.from({ length: 12 }, (_, index) => `${index}`).toSorted());
    expect(readdirSync(join(dir, ".heartwood/artifacts/answers/daily"))).toHaveLength(12);
  });

  it("share one budget", async () => {
    const { dir, sent } = await play(12, 5);
    expect(sent).toHaveLength(5);
    const memory = await openMemory({ dir, today: "2026-03-24", timeZone: "UTC" });
    expect((await readLedgerFile(memory)).fold.totals("2026-03-24").requests).toBe(5);
    await memory.close();
  });
});
