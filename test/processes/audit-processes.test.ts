import { execFile, type ChildProcess } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { auditOf } from "../fixtures/bound-operations.ts";
import { withLogicalLogs } from "../../src/tree/memory.ts";
import { openMemory } from "../../src/open.ts";
import { builtWorker } from "../fixtures/built-worker.ts";

/** Other processes add entries while audits cut the same log: in the end, each entry is in the whole log once. */
const rounds = Number(process.env["HEARTWOOD_ROUNDS"] ?? (process.env["CI"] === undefined ? 25 : 150));

const worker = builtWorker("fixtures/log-worker.ts");
const folders: string[] = [];
const children: ChildProcess[] = [];
afterEach(() => {
  for (const child of children.splice(0)) child.kill("SIGKILL");
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

describe("entries added while audits run", () => {
  it(`2 processes add ${rounds} each, and none is lost or duplicated`, async () => {
    const dir = newFolder();
    const memory = await openMemory({ dir });
    const day = memory.clock.today();
    const workers = ["a", "b"].map((name) => added(dir, name));
    let running = true;
    const all = Promise.all(workers).finally(() => (running = false));
    let applied = 0;
    while (running) {
      const result = await auditOf(memory).run({ apply: true });
      if (result.id !== null) applied += 1;
      expect(result.findings.filter(({ code }) => code === "file_changed" || code === "archive_damaged")).toEqual([]);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    expect(await all).toEqual(["", ""]);
    await auditOf(memory).run({ apply: true });
    expect(applied > 1).toBe(true);
    const whole = await (await withLogicalLogs(memory)).files.read(`memory/${day}.md`);
    const ids = [
      ...Buffer.from(whole?.bytes ?? [])
        .toString()
        .matchAll(/<!-- hw [^>]*?\bid=([ab]-\d+)/gu),
    ].map(([, id]) => id);
    const wanted = ["a", "b"].flatMap((name) => Array.from({ length: rounds }, (_, index) => `${name}-${index}`));
    expect(ids.toSorted()).toEqual(wanted.toSorted());
    expect(readFileSync(join(dir, `memory/${day}.md`)).length < (whole?.size ?? 0)).toBe(true);
    await memory.close();
  });
});

function newFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-audit-"));
  folders.push(dir);
  mkdirSync(join(dir, "memory"));
  const facts =
    "The deploy server is called frost and lives in the north rack\nNever restart the billing queue before the nightly export is done\nAnna keeps every key for the staging database inside her red drawer\nReleases ship on Tuesdays after somebody reviewed them twice\nBackups run at three and go to another building behind the river\n";
  writeFileSync(join(dir, "MEMORY.md"), `# Memory\n\n## Deploys\n\n${facts}`);
  return dir;
}

/** What a worker wrote to standard error. */
function added(dir: string, name: string): Promise<string> {
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [worker, dir, name, String(rounds)], (error, _out, told) =>
      resolve(error === null ? told : `${error.message} ${told}`),
    );
    children.push(child);
  });
}
