import { spawnSync } from "node:child_process";
import {
  chmodSync,
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
import { afterEach, beforeEach, describe, expect, test } from "vitest";

/** The built program and a qmd on PATH that records how it was called. `npm run test:all` builds dist/ first. */
const DIST = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "dist");

let base = "";
beforeEach(() => {
  if (!existsSync(join(DIST, "bin.js"))) throw new Error("dist/bin.js is not there; run `node tools/build.mjs` first");
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-qmd-")));
  for (const folder of ["project/memory", "bin", "settings/heartwood"])
    mkdirSync(join(base, folder), { recursive: true });
  writeFileSync(join(base, "project/memory/2026-03-18.md"), "## A [project]\n- some fact\n");
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

/** `ending`: what the program does after recording its folder and arguments. */
function putQmd(ending: string): void {
  writeFileSync(join(base, "bin/qmd"), `#!/bin/sh\necho "$(pwd -P): $*" >> ${base}/calls\n${ending}\n`);
  chmodSync(join(base, "bin/qmd"), 0o755);
}

function ask(qmd: string): void {
  writeFileSync(join(base, "settings/heartwood/config.json"), JSON.stringify({ qmd }));
}

function node(args: readonly string[], path = `${base}/bin:${process.env["PATH"]}`) {
  const env = { PATH: path, HOME: base, TZ: "UTC", XDG_CONFIG_HOME: join(base, "settings") };
  const cwd = join(base, "project");
  return spawnSync(process.execPath, args, { cwd, env, encoding: "utf8", timeout: 600_000 });
}

const compact = (path?: string) => node([join(DIST, "bin.js"), "compact", "--today", "2026-03-20"], path);
const calls = (): readonly string[] =>
  existsSync(join(base, "calls")) ? readFileSync(join(base, "calls"), "utf8").trimEnd().split("\n") : [];
const isWritten = (): boolean => existsSync(join(base, "project/memory/ROOT.md"));

describe("qmd on PATH", () => {
  test("is run in the project folder, with `update` and, if requested, `embed`", () => {
    putQmd("exit 0");
    ask("update-and-embed");
    const { status, stderr } = compact();
    expect([status, stderr]).toEqual([0, ""]);
    expect(calls()).toEqual([`${base}/project: update`, `${base}/project: embed`]);
    expect(compact().status).toBe(0);
    expect(calls()).toHaveLength(2);
  });

  test("is not run if it is not enabled in the settings", () => {
    putQmd("exit 0");
    expect(compact().status).toBe(0);
    expect([calls(), isWritten()]).toEqual([[], true]);
  });

  test("may fail: that is a warning, and the tree is written", () => {
    putQmd("exit 1");
    ask("update-and-embed");
    const { status, stderr } = compact();
    expect([status, isWritten()]).toEqual([0, true]);
    expect(stderr).toContain("warning: qmd update exited with status 1");
    expect(calls()).toEqual([`${base}/project: update`]);
  });

  test("is not run from the project folder, even if PATH begins with `.`", () => {
    putQmd("exit 0");
    ask("update");
    const own = join(base, "project/qmd");
    writeFileSync(own, `#!/bin/sh\ntouch ${base}/stolen\n`);
    chmodSync(own, 0o755);
    expect(compact(`.:${base}/bin:${process.env["PATH"]}`).status).toBe(0);
    expect([existsSync(join(base, "stolen")), calls()]).toEqual([false, [`${base}/project: update`]]);
  });

  test("is killed at the time limit if it hangs, which is a warning", () => {
    putQmd("sleep 40");
    ask("update");
    // The limit of two minutes, shortened.
    const script = join(base, "hang.mjs");
    writeFileSync(
      script,
      `import { openContext, operations } from ${JSON.stringify(join(DIST, "operations.js"))};
const memory = await openContext({ today: "2026-03-20" });
const limits = [];
const commands = { ...memory.commands, run: (program, args, { timeoutMs }) => {
  limits.push(timeoutMs);
  return memory.commands.run(program, args, { timeoutMs: 300 });
} };
const compact = operations.find(({ name }) => name === "tree.compact");
const { warnings } = await compact.run({ ...memory, commands }, {}, {});
console.log(JSON.stringify({ limits, codes: warnings.map(({ code }) => code) }));`,
    );
    const { stdout, stderr } = node([script]);
    expect(stderr).toBe("");
    expect(JSON.parse(stdout)).toEqual({ limits: [120_000], codes: ["qmd_failed"] });
    expect([calls(), isWritten()]).toEqual([[`${base}/project: update`], true]);
  });
});
