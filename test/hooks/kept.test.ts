import { spawnSync } from "node:child_process";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { logs } from "../mcp/served.ts";
import { plantedToken } from "../fixtures/audit-text.ts";
import { bin, heartwood, projectWith, type Project } from "./fired.ts";

/** V8's compiled code for hooks is cached (docs/decisions/0024). It is executed, so it must be our own and complete, and must not change the output. */
describe("the compiled code of hooks and commands", () => {
  const base = mkdtempSync(join(tmpdir(), "heartwood-kept-"));
  const dist = join(base, "dist");
  const kept = join(dist, ".compiled");
  let project: Project;
  let fired = 0;

  beforeAll(() => {
    for (const name of ["bin.js", "program.cjs", "o200k.bin"])
      cpSync(join(dirname(bin), name), join(dist, name), { recursive: true });
    cpSync(join(dirname(bin), "../package.json"), join(base, "package.json"));
    project = projectWith(logs);
    heartwood(project, "index");
  });
  beforeEach(() => rmSync(kept, { recursive: true, force: true }));
  afterAll(() => {
    project.remove();
    rmSync(base, { recursive: true, force: true });
  });

  const asks = "Which limiter did we take for payments?";

  function prompt(text: string, more: Readonly<Record<string, string>> = {}): string {
    const input = JSON.stringify({
      session_id: `s-${++fired}`,
      prompt_id: `p-${fired}`,
      cwd: project.dir,
      prompt: text,
    });
    const words = [join(dist, "bin.js"), "hook", "claude-code", "UserPromptSubmit"];
    const { status, stdout, stderr } = spawnSync(process.execPath, words, {
      input,
      env: { ...project.env, ...more },
      encoding: "utf8",
    });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    // The mark of the fence differs each time.
    return stdout.replaceAll(/[0-9a-f]{8,}/gu, "");
  }

  function onlyFile(): string {
    const names = readdirSync(kept);
    expect(names).toHaveLength(1);
    return join(kept, names[0] ?? "");
  }

  it("is kept for its owner only, and changes no output", () => {
    const first = prompt(asks);
    expect(first).toContain("token bucket");
    const file = onlyFile();
    expect([statSync(kept).mode & 0o777, statSync(file).mode & 0o777]).toEqual([0o700, 0o600]);
    const { mtimeMs } = statSync(file);
    expect(prompt(asks)).toBe(first);
    expect([onlyFile(), statSync(file).mtimeMs]).toEqual([file, mtimeMs]);
  });

  it("is kept again if a run prints something and the one before did not", () => {
    expect(prompt("ok, go on")).toBe("");
    const before = readFileSync(onlyFile());
    prompt(asks);
    const after = readFileSync(onlyFile());
    expect([before.at(-1), after.at(-1), after.length > before.length]).toEqual([0, 1, true]);
    prompt("ok, go on");
    expect(readFileSync(onlyFile()).equals(after)).toBe(true);
  });

  it.each([
    ["one bit is flipped", (bytes: Buffer) => bytes.fill((bytes[70_000] ?? 0) ^ 4, 70_000, 70_001)],
    ["its end is missing", (bytes: Buffer) => bytes.subarray(0, bytes.length - 100_001)],
    ["it is empty", () => Buffer.alloc(0)],
    ["it is other text", () => Buffer.from("no code no code.")],
    [
      "it is the complete code of another program",
      () => Buffer.concat([Buffer.alloc(4096, 7), Buffer.alloc(4096, 7), Buffer.of(1)]),
    ],
  ])("is not used if %s, and is compiled again", (_, damaged) => {
    const first = prompt(asks);
    const file = onlyFile();
    const whole = readFileSync(file);
    writeFileSync(file, damaged(Buffer.from(whole)));
    expect(prompt(asks)).toBe(first);
    expect(readFileSync(file).length).toBeGreaterThan(100_000);
    expect(prompt(asks)).toBe(first);
  });

  it("is neither read from nor written to a folder that others may write to", () => {
    mkdirSync(kept);
    chmodSync(kept, 0o777);
    expect(prompt(asks)).toContain("token bucket");
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is not kept if Node's compile cache is disabled", () => {
    expect(prompt(asks, { NODE_DISABLE_COMPILE_CACHE: "1" })).toContain("token bucket");
    expect(readdirSync(kept)).toEqual([]);
  });

  it("is also kept for a command that ends with findings", () => {
    writeFileSync(join(project.dir, "MEMORY.md"), `- the token is ${plantedToken}\n`);
    const words = [join(dist, "bin.js"), "audit", "--dir", project.dir];
    expect(spawnSync(process.execPath, words, { env: project.env }).status).toBe(1);
    onlyFile();
    rmSync(join(project.dir, "MEMORY.md"));
  });

  it("does not fill the disk, whatever events are named", () => {
    mkdirSync(kept, { mode: 0o700 });
    for (let at = 0; at < 64; at++) writeFileSync(join(kept, `${at}`), "");
    prompt(asks);
    expect(readdirSync(kept)).toHaveLength(64);
  });
});
