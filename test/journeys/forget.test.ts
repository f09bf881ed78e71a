import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer, lines, said } from "../fixtures/transcripts/claude-code.ts";
import { bin, fire, heartwood, projectWith, type Project } from "../hooks/fired.ts";
import { startRaw, textOf } from "../mcp/raw.ts";

/** A user has something forgotten: on the command line and over MCP, with the built program. */
const log = "memory/2026-03-23.md";
const files = {
  [log]:
    "# 2026-03-23\n\n## Staging [reference]\n- The staging server runs on port 5544.\n\n## Backups [project]\n- Backups are kept for ninety days.\n",
};
const session = "7a0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a22";

let project: Project;
beforeEach(() => (project = projectWith(files)));
afterEach(() => project.remove());

const run = (...words: readonly string[]) =>
  spawnSync(process.execPath, [bin, ...words, "--dir", project.dir], {
    env: project.env,
    cwd: project.dir,
    encoding: "utf8",
  });
const holders = (word: string): readonly string[] =>
  readdirSync(project.dir, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes(".git"))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => readFileSync(path).toString("latin1").toLowerCase().includes(word));

/** A session of Claude Code, as hooks capture it. */
function captureSession(): string {
  const path = join(project.dir, "..", `${session}.jsonl`);
  const rows = [
    said("q1", "Remember that the staging server runs on port 5544.", "2026-03-23T10:00:00.000Z"),
    answer("a1", "Noted: the importer is next.", "2026-03-23T10:00:10.000Z"),
  ];
  writeFileSync(path, lines(rows.map((row) => ({ ...row, sessionId: session, cwd: project.dir }))));
  heartwood(project, "capture", "claude-code", path, "--ended", "session");
  heartwood(project, "compact");
  heartwood(project, "index");
  return path;
}

test("on the command line: nothing without a yes, then everything, and nothing brings it back", async () => {
  const transcript = captureSession();
  await fire(
    project,
    ["claude-code", "session-start"],
    JSON.stringify({ session_id: "one", cwd: project.dir, source: "startup" }),
  );
  expect(holders("5544").length).toBeGreaterThan(4);
  const asked = run("forget", "port 5544");
  expect([asked.status, asked.stdout]).toEqual([2, ""]);
  expect(asked.stderr).toContain(`${log}:4  - The staging server runs on port 5544.`);
  expect(asked.stderr).toContain("pass --yes");
  expect(readFileSync(join(project.dir, log), "utf8")).toContain("5544");
  const dry = run("forget", "port 5544", "--dry-run");
  expect(dry.stdout).toContain("Nothing was changed (--dry-run)");
  const done = run("forget", "Port 5544", "--yes");
  expect([done.status, done.stderr]).toEqual([0, ""]);
  expect(done.stdout).toContain("Forgotten: ");
  expect(holders("5544")).toEqual([]);
  expect(heartwood(project, "verify", "--forgotten")).toContain("0 findings");
  expect(heartwood(project, "verify")).toContain("0 findings");
  expect(heartwood(project, "thread", "verify")).not.toContain("error");
  heartwood(project, "capture", "claude-code", transcript, "--ended", "session");
  heartwood(project, "import", "claude-code", transcript);
  expect(holders("5544")).toEqual([]);
  expect(heartwood(project, "recall", "Which port does the staging server run on?")).not.toContain("5544");
  expect(heartwood(project, "undo")).not.toContain("Restored");
  expect(run("forget", "port 5544", "--yes").stdout).toBe("Nothing found to forget.\n");
  const day = [run("forget", "--day", "2026-03-23", "--yes"), run("forget", "--day", "2026-03-23", "--yes")];
  expect(day.map(({ status }) => status)).toEqual([0, 0]);
  expect(day[1]?.stdout).toBe("That day is already forgotten.\n");
});

test("it names the commits of git that still have it, and runs nothing from the repository", () => {
  const git = (...words: readonly string[]): string =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b.c", ...words], { cwd: project.dir, encoding: "utf8" })
      .stdout;
  git("init", "-q");
  git("add", "memory");
  git("commit", "-qm", "one");
  writeFileSync(join(project.dir, "memory/2026-03-22.md"), "# 2026-03-22\n\n## X [project]\n- y\n");
  git("add", "memory");
  git("commit", "-qm", "two");
  git("config", "core.fsmonitor", join(project.dir, "evil"));
  writeFileSync(join(project.dir, "evil"), `#!/bin/sh\ntouch ${join(project.dir, "ran")}\n`, { mode: 0o755 });
  const { outside } = JSON.parse(run("forget", "5544", "--yes", "--json").stdout);
  expect(outside.commits).toEqual({ count: 1, newest: expect.stringMatching(/^[0-9a-f]{7,} \d{4}-/u), read: "all" });
  expect(existsSync(join(project.dir, "ran"))).toBe(false);
});

test("a title goes with what has the text; what stays is named before and after, and the exit status is 1", () => {
  heartwood(project, "thread", "create", "--id", "plans", "--title", "Open port 5544");
  heartwood(project, "thread", "create", "--id", "other", "--title", "The staging server runs elsewhere");
  writeFileSync(join(project.dir, "memory/notes.txt"), "The staging server runs on port 5544.\n");
  const asked = run("forget", "5544");
  expect(asked.status).toBe(2);
  expect(asked.stderr).toContain("thread:plans title  Open port 5544");
  expect(asked.stderr).toContain("Still in memory/notes.txt: edit it yourself.");
  expect(asked.stderr).toContain("2 lines and 1 title would be forgotten");
  expect(run("forget", "5544", "--dry-run").status).toBe(0);
  const done = run("forget", "5544", "--yes");
  expect(done.status).toBe(1);
  expect(done.stdout).toContain("Still in memory/notes.txt: edit it yourself.");
  expect(holders("5544")).toEqual([join(project.dir, "memory/notes.txt")]);
  expect(run("verify", "--forgotten").stdout).toContain("memory/notes.txt has a line that was forgotten");
  const again = run("forget", "5544", "--yes");
  expect([again.status, again.stdout]).toEqual([
    1,
    "Nothing found to forget.\nStill in memory/notes.txt: edit it yourself.\n",
  ]);
  const alone = run("forget", "runs elsewhere", "--yes");
  expect([alone.status, alone.stdout.split(";")[0]]).toEqual([0, "Forgotten: 1 title"]);
  expect(holders("elsewhere")).toEqual([]);
});

test.each([
  [
    "memory_log",
    (what: string, code: string) => ({ topic: code === "" ? "Staging" : code, type: "forget", body: what }),
  ],
  ["memory_forget", (what: string, code: string) => ({ what, ...(code === "" ? {} : { code }) })],
])(
  "with %s: the first call shows it with a code, the second does it, and a running server does not find it",
  async (name, input) => {
    heartwood(project, "compact");
    heartwood(project, "index");
    const server = await startRaw(project.dir, { args: ["--today", "2026-03-24"], env: project.env });
    const recalled = async (): Promise<string> =>
      textOf(await server.call("memory_recall", { text: "Which port does the staging server run on?" }));
    expect(await recalled()).toContain("5544");
    const shown = textOf(await server.call(name, input(`${log}:4`, "")));
    expect(shown).toContain(`- ${log}:4: - The staging server runs on port 5544.`);
    const code = /\(code ([0-9a-f]{6})\)/u.exec(shown)?.[1] ?? "";
    expect(textOf(await server.call(name, input(`${log}:4`, "000000")))).toContain("Not done yet");
    expect(readFileSync(join(project.dir, log), "utf8")).toContain("5544");
    expect(textOf(await server.call(name, input(`${log}:4`, code)))).toContain("Forgotten: ");
    expect(await recalled()).not.toContain("5544");
    server.hangUp();
    await server.ended;
    expect(holders("5544")).toEqual([]);
  },
);
