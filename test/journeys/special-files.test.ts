import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

/** A file option may name anything. The built program reads only regular files, and does not wait for others. */
const bin = join(import.meta.dirname, "../../dist/bin.js");

let project = "";
beforeAll(() => {
  project = mkdtempSync(join(tmpdir(), "heartwood-special-"));
  writeFileSync(join(project, "heartwood.config.json"), "{}\n");
  heartwood(["create", "--id", "notes"]);
  heartwood(["append", "notes", "--actor", "user", "--origin", "cli", "--content", "Ship on Friday"]);
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

function heartwood(words: readonly string[]): { status: number | null; stderr: string } {
  const options = { cwd: project, encoding: "utf8", input: "", timeout: 600_000, killSignal: "SIGKILL" } as const;
  return spawnSync(process.execPath, [bin, "thread", ...words], options);
}

const by = ["--actor", "user", "--origin", "cli"];

describe.skipIf(process.platform === "win32")(
  "a FIFO without a writer, or a device, is refused without waiting",
  () => {
    test.each([
      ["import", (file: string) => ["import", file]],
      ["checkpoint", (file: string) => ["checkpoint", "notes", "--to-seq", "1", "--summary-file", file, ...by]],
      ["handoff", (file: string) => ["handoff", "notes", "--summary-file", file, ...by]],
    ])("thread %s", (name, words) => {
      const fifo = join(project, `${name}.fifo`);
      execFileSync("mkfifo", [fifo]);
      for (const file of [fifo, "/dev/zero"]) {
        const { status, stderr } = heartwood(words(file));
        expect([status, stderr]).toEqual([3, expect.stringContaining(`${file} is not a regular file`)]);
      }
    });

    test("a link to a file is read, and a folder is refused", () => {
      execFileSync("ln", ["-s", "heartwood.config.json", join(project, "link")]);
      expect(heartwood(["import", "link"]).status).toBe(2);
      expect(heartwood(["import", "."])).toMatchObject({ status: 3, stderr: expect.stringContaining("is a folder") });
    });
  },
);
