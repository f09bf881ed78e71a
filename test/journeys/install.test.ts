import { spawn, spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { clientNames } from "../../src/agents/install/client-files.ts";

/** The built program, in its own home and project, with killed processes. */
const bin = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), "dist", "bin.js");
const takenBack = clientNames.filter((name) => name !== "openclaw");

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-install-")));
  write("home/.claude/settings.json", '{\r\n  "model": "x" // mine\r\n}');
  write("home/.codex/config.toml", 'model = "y"');
  write("home/.gemini/GEMINI.md", "\uFEFF# Mine\n");
  write("home/.local/state/other", "");
  write("project/heartwood.config.json", "{}\n");
  write("project/CLAUDE.md", "# 記憶 👋\n");
  write("project/.mcp.json", '{"mcpServers":{}}');
  chmodSync(join(base, "home/.claude/settings.json"), 0o600);
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function write(path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}

const environment = (): NodeJS.ProcessEnv => ({ PATH: process.env["PATH"], HOME: join(base, "home"), TZ: "UTC" });

function run(...words: readonly string[]): {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
} {
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], {
    cwd: join(base, "project"),
    env: environment(),
    encoding: "utf8",
  });
  return { status, out: stdout, err: stderr };
}

/** Every folder and file with its permissions and bytes. */
function tree(folder = base): ReadonlyMap<string, string> {
  return new Map(
    readdirSync(folder, { recursive: true, encoding: "utf8" })
      .toSorted()
      .map((path) => {
        const found = lstatSync(join(folder, path));
        const bytes = found.isFile() ? readFileSync(join(folder, path), "base64") : "";
        return [path, `${found.mode.toString(8)} ${bytes}`];
      }),
  );
}

describe.each(["user", "project"])("for the %s", (scope) => {
  test("all clients are installed and uninstalled, with every byte, folder and permission as before", () => {
    const before = tree();
    const dry = run("install", ...takenBack, "--scope", scope, "--dry-run");
    expect(dry).toMatchObject({ status: 0, err: "" });
    expect(tree()).toEqual(before);
    expect(run("install", ...takenBack, "--scope", scope, "--yes")).toMatchObject({ status: 0, err: "" });
    const installed = tree();
    expect(installed.size).toBeGreaterThan(before.size + 15);
    expect(installed.get("home/.local/state/heartwood/installed.json")).toMatch(/^100600 /u);
    expect(run("install", ...takenBack, "--scope", scope, "--yes").out).toContain("Nothing to change");
    expect(tree()).toEqual(installed);
    expect(run("uninstall", ...takenBack, "--yes")).toMatchObject({ status: 0, err: "" });
    expect(tree()).toEqual(before);
  });
});

test("the script runs the program in any environment of the client", () => {
  run("install", "claude-code", "--yes");
  const script = join(base, "home/.local/state/heartwood/heartwood");
  const called = spawnSync(script, ["status", "--json"], {
    cwd: join(base, "project"),
    env: { HOME: base },
    encoding: "utf8",
  });
  expect(called.status).toBe(0);
  expect(JSON.parse(called.stdout)).toMatchObject({ dir: join(base, "project") });
});

test("the script uses the Node on the PATH if its own is gone, and a hook without a program does not fail its client", () => {
  run("install", "claude-code", "--yes");
  const script = join(base, "home/.local/state/heartwood/heartwood");
  const call = (
    path: string,
    ...words: readonly string[]
  ): { readonly status: number | null; readonly said: string } => {
    const env = { HOME: base, PATH: path };
    const options = { cwd: join(base, "project"), env, encoding: "utf8", input: "{}" } as const;
    const { status, stdout, stderr } = spawnSync("/bin/sh", [script, ...words], options);
    return { status, said: stdout + stderr };
  };
  const text = readFileSync(script, "utf8");
  writeFileSync(script, text.replace(/^node=.*$/mu, `node='${base}/no such/node'`));
  expect(call(dirname(process.execPath), "status", "--json").status).toBe(0);
  expect(call(base, "hook", "claude-code", "prompt")).toEqual({ status: 0, said: "" });
  expect(call(base, "status").status).toBe(3);
  writeFileSync(script, text.replace(/^program=.*$/mu, `program='${base}/gone/bin.js'`));
  expect(call("/nowhere", "hook", "claude-code", "prompt")).toEqual({ status: 0, said: "" });
  expect(call("/nowhere", "status")).toEqual({
    status: 3,
    said: `heartwood cannot run: the program ${bin} is gone. Install heartwood again and run: heartwood install CLIENT\n`,
  });
});

test("a killed process leaves a record from which install and uninstall can continue", async () => {
  const before = tree();
  for (let round = 0; round < 16; round++) {
    const child = spawn(process.execPath, [bin, "install", ...takenBack, "--yes"], {
      cwd: join(base, "project"),
      env: environment(),
      stdio: "ignore",
    });
    const ended = new Promise((resolve) => child.on("exit", resolve));
    await new Promise((resolve) => setTimeout(resolve, 90 + round * 9));
    child.kill("SIGKILL");
    await ended;
    if (round % 2 === 0) expect(run("install", ...takenBack, "--yes").status).toBe(0);
    expect(run("uninstall", ...takenBack, "--yes").status).toBe(0);
    expect(tree(), `round ${round}`).toEqual(before);
  }
});

test("temporary files of an interrupted run are removed", () => {
  const before = tree();
  run("install", "claude-code", "--yes");
  write("home/.claude/.hw-0123456789abcdef0000.tmp", "half");
  write("home/.claude/skills/heartwood-core/.hw-0123456789abcdef0001.tmp", "half");
  write("home/.local/state/heartwood/.hw-0123456789abcdef0002.tmp", "half");
  expect(run("uninstall", "claude-code", "--yes").status).toBe(0);
  expect(tree()).toEqual(before);
  write("home/.local/state/heartwood/.hw-0123456789abcdef0002.tmp", "half");
  expect(run("uninstall", "claude-code", "--yes").status).toBe(0);
  expect(tree()).toEqual(before);
});

test("a file that became a link stays, the others are restored, and so is the file once it is no longer a link", () => {
  const before = tree();
  run("install", "claude-code", "codex", "--yes");
  const path = join(base, "home/.codex/config.toml");
  const bytes = readFileSync(path);
  rmSync(path);
  symlinkSync(join(base, "nowhere"), path);
  const { status, err } = run("uninstall", "claude-code", "codex", "--yes");
  expect(status).toBe(0);
  expect(err).toContain(`was left unchanged; repair it and run uninstall again (${path})`);
  expect(existsSync(join(base, "home/.claude/skills"))).toBe(false);
  rmSync(path);
  writeFileSync(path, bytes);
  expect(run("uninstall", "codex", "--yes").status).toBe(0);
  expect(tree()).toEqual(before);
});

test("a client's folder that is a link is refused, and so is that of the record", () => {
  for (const folder of ["home/.codex", "home/.local"]) {
    rmSync(join(base, folder), { recursive: true, force: true });
    mkdirSync(join(base, "elsewhere"), { recursive: true });
    symlinkSync(join(base, "elsewhere"), join(base, folder));
    const before = tree();
    const { status, err } = run("install", "codex", "--yes");
    expect(status).toBe(3);
    expect(err).toContain(`${folder.split("/").at(-1)} is a link`);
    expect(tree()).toEqual(before);
    rmSync(join(base, folder));
  }
});

test("a settings file that is a link is refused, and nothing is written", () => {
  const settings = join(base, "home/.claude/settings.json");
  write("dotfiles/settings.json", "{}");
  rmSync(settings);
  symlinkSync(join(base, "dotfiles/settings.json"), settings);
  const before = tree();
  const { status, err } = run("install", "claude-code", "--yes");
  expect(status).toBe(3);
  expect(err).toContain(`${settings} was left unchanged`);
  expect(tree()).toEqual(before);
  expect(existsSync(join(base, "home/.local/state/heartwood"))).toBe(false);
});
