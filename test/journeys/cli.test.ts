import { spawn, spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { largeGroups } from "../../src/operations/command-line.ts";
import { operations } from "../../src/operations/table.ts";

/** The built program in real processes: behaviour that only a process shows. `npm run test:all` builds dist/ first. */
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

describe("user settings that cannot be read", () => {
  const ofUser = (text: string): Setting => {
    const folder = mkdtempSync(join(base, "settings-"));
    mkdirSync(join(folder, "heartwood"));
    writeFileSync(join(folder, "heartwood/config.json"), text);
    return { env: { XDG_CONFIG_HOME: folder } };
  };

  test.each(["{ no", '{"summaries": {"adapter": "elsewhere"}}'])(
    "are one row of doctor, which continues: %s",
    (text) => {
      const { status, out, err } = heartwood(["doctor"], ofUser(text));
      expect([status, err]).toEqual([1, ""]);
      expect(out).toMatch(/^ +problem +configuration +.*settings.*config\.json/mu);
      for (const name of ["node", "time zone", "folders"]) expect(out).toMatch(new RegExp(`^ +\\w+ +${name} `, "mu"));
    },
  );

  test("are a warning in status, and an error in commands that need them", () => {
    const setting = ofUser("{ no");
    const { status, out } = heartwood(["status", "--json"], setting);
    const { warnings } = JSON.parse(out) as { readonly warnings: readonly { readonly code: string }[] };
    expect([status, warnings.map(({ code }) => code)]).toEqual([0, ["invalid_config"]]);
    expect(heartwood(["compact"], setting)).toMatchObject({ status: 2, out: "" });
  });
});

describe("help", () => {
  test("heartwood without arguments prints an overview", () => {
    const { status, out, err } = heartwood([]);
    expect([status, err]).toEqual([0, ""]);
    const groups = largeGroups(operations);
    for (const { command } of operations) {
      const word = groups.has(command[0] ?? "") ? `${command[0]} …` : command.join(" ");
      expect(out).toContain(`  ${word} `);
    }
  });

  test.each([
    ...operations.map(({ command, examples }) => [command, examples[0] ?? "?"] as const),
    [["demo"], "heartwood demo"],
    [["completion"], "heartwood completion bash"],
  ] as const)("for %j shows an example", (command, example) => {
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

describe("help for an unknown command is a usage error", () => {
  test.each([[["help", "nosuch"]], [["nosuch", "--help"]]])("%j", (args) => {
    const without = heartwood(["nosuch"]);
    expect(heartwood(args)).toEqual(without);
    expect([without.status, without.out]).toEqual([2, ""]);
    const json = heartwood([...args, "--json"]);
    expect(json).toEqual(heartwood(["nosuch", "--json"]));
    expect([json.status, JSON.parse(json.out)]).toMatchObject([2, { error: { code: "usage" } }]);
  });
});

describe("a usage error is status 2 and one sentence", () => {
  test.each([
    [["compat"], "did you mean compact?"],
    [["compact", "--dyr-run"], "did you mean --dry-run?"],
    [["read"], "PLACE"],
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

  test("an error with --json is one document on stdout with code, message and details", () => {
    const { status, out, err } = heartwood(["status", "--json"], { cwd: "empty" });
    expect([status, err]).toEqual([2, ""]);
    const { error } = JSON.parse(out) as { readonly error: Readonly<Record<string, string>> };
    expect(error).toMatchObject({ code: "no_memory", dir: join(base, "empty") });
    expect(error["message"]).toContain("heartwood init");
  });

  test("HEARTWOOD_TODAY and HEARTWOOD_TIME_ZONE are read, and named in errors", () => {
    expect(heartwood(["status"], { env: { HEARTWOOD_TODAY: "soon" } }).err).toContain('HEARTWOOD_TODAY is "soon"');
    expect(heartwood(["status"], { env: { HEARTWOOD_TIME_ZONE: "Mars/Base" } }).err).toContain(
      'HEARTWOOD_TIME_ZONE is "Mars/Base"',
    );
  });

  test("on a Node that is too old it prints the version found and the one needed", () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"22.12.0"})';
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", older, BIN, "status"], {
      encoding: "utf8",
    });
    expect([status, stdout]).toEqual([2, ""]);
    expect(stderr).toMatch(/^heartwood: this is Node 22\.12\.0, heartwood needs Node 22\.13 or newer;[^\n]*\n$/);
  });

  test("a hook on an old Node says so at the start of a session, and does not fail its client: status 2 would block a prompt", () => {
    const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.1.0"})';
    const call = (event: string): ReturnType<typeof spawnSync> => {
      const words = ["--import", older, BIN, "hook", "claude-code", event];
      return spawnSync(process.execPath, words, { encoding: "utf8", input: "{}", env: environment() });
    };
    expect(call("UserPromptSubmit")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(call("SessionStart")).toMatchObject({
      status: 0,
      stdout: expect.stringContaining("Node 20.1.0 is too old"),
    });
  });

  test("a hook of an incomplete installation does not fail its client", () => {
    const half = join(base, "half");
    mkdirSync(half, { recursive: true });
    copyFileSync(BIN, join(half, "bin.js"));
    const call = (word: string): number | null =>
      spawnSync(process.execPath, [join(half, "bin.js"), word, "codex", "prompt"], { input: "{}" }).status;
    expect([call("hook"), call("status")]).toEqual([0, 1]);
  });
});

function onTerminal(args: readonly string[], env: Readonly<Record<string, string>> = {}, typed = ""): string {
  const line = [process.execPath, BIN, ...args].map((word) => `'${word}'`).join(" ");
  const options = { cwd: join(base, "project"), env: environment(env), input: typed, encoding: "utf8" } as const;
  return spawnSync("script", ["-qec", line, "/dev/null"], options).stdout;
}

const hasScript = spawnSync("script", ["--version"]).status === 0;

describe.skipIf(!hasScript)("on a terminal", () => {
  const entry = ["log", "add", "--topic", "T", "--body", "- x", "--today", "2026-03-02"];

  test("results are coloured, unless NO_COLOR is set or the terminal is dumb", () => {
    expect(onTerminal(entry)).toContain("\u001B[");
    expect(onTerminal(entry, { NO_COLOR: "1" })).not.toContain("\u001B[");
    expect(onTerminal(entry, { TERM: "dumb" })).not.toContain("\u001B[");
    expect(onTerminal(entry, { NO_COLOR: "1" })).toContain("Added T [project]");
  });

  test("JSON is indented and has no colours", () => {
    const document = onTerminal([...entry, "--json"]);
    expect(document).not.toContain("\u001B[");
    expect(document.split("\r\n").length).toBeGreaterThan(5);
    expect(JSON.parse(document)).toMatchObject({ action: "added", topic: "T" });
  });

  test("a command that waits for text says so, and how to end the text", () => {
    const shown = onTerminal(["log", "add", "--topic", "Typed", "--today", "2026-03-02"], {}, "- by hand\n\u0004");
    expect(shown).toContain("press Ctrl-D");
    expect(readFileSync(join(base, "project/memory/2026-03-02.md"), "utf8")).toContain("- by hand\n");
  });
});

describe("output", () => {
  const entry = ["log", "add", "--topic", "T", "--today", "2026-03-02"];

  test("--json prints one line in a pipe, and nothing else", () => {
    const { status, out, err } = heartwood([...entry, "--body", "- x", "--json"]);
    expect([status, err]).toEqual([0, ""]);
    expect(out.trimEnd().split("\n")).toHaveLength(1);
    expect(JSON.parse(out)).toMatchObject({ date: "2026-03-02", topic: "T", type: "project" });
  });

  test("a writing command with --quiet prints nothing if it succeeds", () => {
    expect(heartwood([...entry, "--body", "- x", "--quiet"])).toEqual({ status: 0, out: "", err: "" });
  });

  test.runIf(existsSync("/dev/full"))("a result that cannot be written is one sentence on stderr and status 3", () => {
    const command = `"${process.execPath}" "${BIN}" status --json > /dev/full`;
    const options = { cwd: join(base, "project"), env: environment(), encoding: "utf8" } as const;
    const { status, stderr } = spawnSync("bash", ["-c", command], options);
    expect([status, stderr]).toEqual([
      3,
      "heartwood: Could not write the result to standard output: the system reports ENOSPC. Any changes to files were saved.\n",
    ]);
  });

  test("an invalid TZ is reported on stderr with the zone that is used, unless quiet", () => {
    const env = { TZ: "Bogus/Zone" };
    expect(heartwood(["tree", "--json"], { env }).err).toMatch(/^heartwood: warning: TZ is "Bogus\/Zone".* is used/);
    expect(heartwood(["tree", "--json", "--quiet"], { env }).err).toBe("");
  });

  test("the folder is named on stderr when it is not the current one, unless quiet", () => {
    const below = heartwood([...entry, "--body", "- x"], { cwd: "project/src" });
    expect(below.err).toBe(`heartwood: working in ${join(base, "project")}\n`);
    expect(heartwood([...entry, "--body", "- x"]).err).toBe("");
    expect(heartwood([...entry, "--body", "- x", "--quiet"], { cwd: "project/src" }).err).toBe("");
  });

  test("the text comes from standard input, from --body, or not at all for feedback", () => {
    heartwood(entry, { stdin: "- from stdin\n" });
    heartwood([...entry, "--body", "- from body"], { stdin: "- not read\n" });
    const feedback = ["--type", "feedback", "--rule", "- be brief", "--why", "phone", "--how-to-apply", "chat"];
    expect(heartwood([...entry, ...feedback], { stdin: "- not read\n" }).status).toBe(0);
    const log = readFileSync(join(base, "project/memory/2026-03-02.md"), "utf8");
    for (const part of ["- from stdin", "- from body", "be brief"]) expect(log).toContain(part);
    expect(log).not.toContain("not read");
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
    // More than fits into a pipe: once it is written, the program is reading.
    await new Promise((resolve) => child.stdin.write("x\n".repeat(500_000), resolve));
    child.kill(signal);
    const ended = await new Promise((resolve) => child.once("close", resolve));
    expect([ended, err]).toEqual([status, "heartwood: Stopped while waiting for the text; nothing was written.\n"]);
  });

  test("a closed pipe is not an error", async () => {
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
