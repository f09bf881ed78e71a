import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { operations } from "../../src/engine/operations.ts";

/** The built program in real processes: what only a process can show. `npm test` builds dist/ first. */
const BIN = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist", "bin.js");

let base = "";
beforeAll(() => {
  if (!existsSync(BIN)) throw new Error("dist/bin.js is not there; run `node tools/build.mjs` first");
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-cli-")));
  mkdirSync(join(base, "project/memory"), { recursive: true });
  mkdirSync(join(base, "project/src"));
  mkdirSync(join(base, "empty"));
  writeFileSync(join(base, "project/memory/2026-03-01.md"), "# 2026-03-01\n\n## Auth [project]\n- decisions: tokens\n");
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

interface Setting {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly stdin?: string;
}

function environment(more: Readonly<Record<string, string>> = {}): NodeJS.ProcessEnv {
  return { PATH: process.env["PATH"], HOME: base, TZ: "UTC", ...more };
}

function heartwood(args: readonly string[], { cwd = "project", env = {}, stdin = "" }: Setting = {}): Ended {
  const options = { cwd: join(base, cwd), env: environment(env), input: stdin, encoding: "utf8" } as const;
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], options);
  return { status, out: stdout, err: stderr };
}

describe("help", () => {
  test("heartwood alone prints an overview and is done", () => {
    const { status, out, err } = heartwood([]);
    expect([status, err]).toEqual([0, ""]);
    for (const { command } of operations) expect(out).toContain(`  ${command.join(" ")} `);
  });

  test.each([
    ...operations.map(({ command, examples }) => [command, examples[0] ?? "?"] as const),
    [["demo"], "heartwood demo"],
    [["completion"], "heartwood completion bash"],
  ] as const)("of %j shows an example", (command, example) => {
    const { status, out, err } = heartwood([...command, "--help"], { cwd: "empty" });
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain(example);
  });

  test("the version is the one in package.json", () => {
    const { version } = JSON.parse(readFileSync(join(BIN, "../../package.json"), "utf8")) as {
      readonly version: string;
    };
    expect(heartwood(["--version"]).out).toBe(`${version}\n`);
  });
});

describe("bad input is 2 and one sentence", () => {
  test.each([
    [["compat"], "Did you mean compact?"],
    [["compact", "--dyr-run"], "Did you mean --dry-run?"],
    [["show"], "PERIOD"],
    [["status", "--today", "2026-02-30"], "2026-02-30"],
    [["status", "--time-zone", "Mars/Base"], "Mars/Base"],
    [["compact", "--cycles", "many"], "1 to 100000"],
    [["init", "--platform", "emacs"], "claude-code"],
    [["status", "--dir", "/nowhere/at/all"], "/nowhere/at/all"],
  ])("%j", (args, part) => {
    const { status, out, err } = heartwood(args);
    expect([status, out]).toEqual([2, ""]);
    expect(err).toContain(part);
    expect(err).toMatch(/^heartwood: [^\n]+\.\n$/);
  });

  test("with --json it is one document on stdout with code, message and details", () => {
    const { status, out, err } = heartwood(["status", "--json"], { cwd: "empty" });
    expect([status, err]).toEqual([2, ""]);
    const { error } = JSON.parse(out) as { readonly error: Readonly<Record<string, string>> };
    expect(error).toMatchObject({ code: "no_memory", dir: join(base, "empty") });
    expect(error["message"]).toContain("heartwood init");
  });

  test("HEARTWOOD_TODAY and HEARTWOOD_TIME_ZONE are read, and refused by name", () => {
    expect(heartwood(["status"], { env: { HEARTWOOD_TODAY: "soon" } }).err).toContain('HEARTWOOD_TODAY is "soon"');
    expect(heartwood(["status"], { env: { HEARTWOOD_TIME_ZONE: "Mars/Base" } }).err).toContain(
      'HEARTWOOD_TIME_ZONE is "Mars/Base"',
    );
  });

  test("on a Node that is too old it says what was seen and what is needed", () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.12.0"})';
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", older, BIN, "status"], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^heartwood: this is Node 22\.12\.0, heartwood needs Node 22\.13 or newer;[^\n]*\n$/);
  });
});

describe("signals and pipes", () => {
  test.each([
    ["SIGINT", 130],
    ["SIGTERM", 143],
  ] as const)("%s while waiting for text ends with %i and writes nothing", async (signal, status) => {
    const child = spawn(process.execPath, [BIN, "log", "add", "--topic", "T"], {
      cwd: join(base, "project"),
      env: environment(),
    });
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
    // More than a pipe holds: when it is taken, the program is reading.
    await new Promise((resolve) => child.stdin.write("x\n".repeat(500_000), resolve));
    child.kill(signal);
    const ended = await new Promise((resolve) => child.once("close", resolve));
    expect([ended, err]).toEqual([status, "heartwood: Stopped while waiting for the text; nothing was written.\n"]);
  });

  test("a reader that has gone away is no failure", async () => {
    const child = spawn(process.execPath, [BIN, "help"], { env: environment(), stdio: ["ignore", "pipe", "pipe"] });
    child.stdout.destroy();
    let err = "";
    child.stderr.on("data", (chunk: Buffer) => void (err += chunk.toString()));
    expect([await new Promise((resolve) => child.once("close", resolve)), err]).toEqual([0, ""]);
  });
});

describe("completion", () => {
  test.each(["bash", "zsh", "fish"])("prints the script for %s", (shell) => {
    const { status, out, err } = heartwood(["completion", shell], { cwd: "empty" });
    expect([status, err]).toEqual([0, ""]);
    expect(out).toContain("heartwood");
  });
});
