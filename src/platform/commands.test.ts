import { chmodSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";
import { openNodeCommands } from "./commands.ts";

let dir = "";
beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), "heartwood-commands-"));
  writeFileSync(join(dir, "qmd"), '#!/bin/sh\necho "$(pwd -P): $1" > said; exit 7\n');
  writeFileSync(join(dir, "plain"), "no program");
  chmodSync(join(dir, "qmd"), 0o755);
});
afterAll(() => rmSync(dir, { recursive: true }));
afterEach(() => vi.unstubAllEnvs());

test("finds a program on PATH, but ignores files that are not executable and relative entries", async () => {
  const commands = openNodeCommands(dir);
  vi.stubEnv("PATH", `/nowhere:${dir}`);
  expect(await commands.find("qmd")).toBe(join(dir, "qmd"));
  expect(await commands.find("plain")).toBeUndefined();
  expect(await commands.find("../qmd")).toBeUndefined();
  const before = process.cwd();
  process.chdir(dir);
  vi.stubEnv("PATH", ".:");
  expect(await commands.find("qmd")).toBeUndefined();
  process.chdir(before);
});

test("runs it in the project folder with unchanged arguments and returns the status", async () => {
  const { status } = await openNodeCommands(dir).run(join(dir, "qmd"), ["$(touch x); *"], { timeoutMs: 10_000 });
  expect(status).toBe(7);
  expect(readFileSync(join(dir, "said"), "utf8")).toBe(`${realpathSync(dir)}: $(touch x); *\n`);
});

test("ends it after the time limit, even if a grandchild keeps running", async () => {
  // Waits until the test folder is removed.
  const waits = `while [ -d "${dir}" ]; do sleep 0.1; done`;
  const result = await openNodeCommands(dir).run("/bin/sh", ["-c", `(${waits}) & ${waits}`], { timeoutMs: 200 });
  expect(result.status).toBe("timeout");
});

test("returns `not_started` for a missing program", async () => {
  expect((await openNodeCommands(dir).run("/nowhere/x", [], { timeoutMs: 1_000 })).status).toBe("not_started");
});
