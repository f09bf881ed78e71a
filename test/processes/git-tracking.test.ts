import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { gitTracking } from "../../src/platform/local-state/git-tracking.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-git-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

function git(dir: string, ...words: readonly string[]): void {
  const who = ["-c", "user.email=a@example.org", "-c", "user.name=a", "-c", "protocol.file.allow=always"];
  const { status, stderr } = spawnSync("git", [...who, ...words], { cwd: dir, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${words.join(" ")}: ${stderr}`);
}

function write(dir: string, ...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), path);
  }
}

/** Neighbours whose names begin like the paths that are searched for. */
const others = ["a.md", ".heart.md", ".heartwoods/cache/a", ".heartwood.md", "sub/.heartwood-old/a", "z/é.md"];

function repository(name: string, ...how: readonly string[]): string {
  const dir = join(base, name);
  mkdirSync(dir);
  git(dir, "init", "-q", ...how);
  write(dir, ...others);
  return dir;
}

const isTracked = (dir: string): boolean => gitTracking(dir).isTracked();

const kinds: readonly (readonly [string, readonly string[], (dir: string) => void])[] = [
  ["version 2", [], (dir) => git(dir, "update-index", "--index-version", "2")],
  ["version 3", [], (dir) => (write(dir, "new.md"), git(dir, "add", "--intent-to-add", "new.md"))],
  ["version 4", [], (dir) => git(dir, "update-index", "--index-version", "4")],
  ["a split index", [], (dir) => git(dir, "update-index", "--split-index")],
  ["SHA-256", ["--object-format=sha256"], () => undefined],
];

describe.each(kinds)("an index with %s", (_name, how, make) => {
  test.each(["", "sub/", "sub/日本/"])("shows what is tracked below a memory in %j, until it is removed", (at) => {
    const dir = repository("project", ...how);
    git(dir, "add", "--all");
    make(dir);
    expect(isTracked(dirname(join(dir, at, "x")))).toBe(false);
    write(
      dir,
      `${at}.heartwood/.gitignore`,
      `${at}.heartwood/artifacts/answers/a.json`,
      `${at}.heartwood/audit/a.json`,
    );
    git(dir, "add", "--force", "--all");
    expect(isTracked(dirname(join(dir, at, "x")))).toBe(false);
    write(dir, `${at}.heartwood/cache/tree.json`);
    git(dir, "add", "--force", "--all");
    make(dir);
    expect(isTracked(dirname(join(dir, at, "x")))).toBe(true);
    git(dir, "rm", "-r", "-q", "--cached", `${at}.heartwood`);
    // A split index still contains the name, and is not searched for removed entries.
    git(dir, "update-index", "--no-split-index");
    expect(isTracked(dirname(join(dir, at, "x")))).toBe(false);
  });

  test("with many long names is read to the end", () => {
    const dir = repository("project", ...how);
    const deep = Array.from({ length: 18 }, () => "d".repeat(200)).join("/");
    write(dir, ...Array.from({ length: 300 }, (_, index) => `many/${"n".repeat(index % 90)}${index}.md`));
    spawnSync(
      "git",
      ["update-index", "--add", "--cacheinfo", `100644,${"1".repeat(how.length === 0 ? 40 : 64)},${deep}/${deep}`],
      {
        cwd: dir,
      },
    );
    write(dir, "z/.heartwood/threads/threads.sqlite");
    git(dir, "add", "--force", "many", "z");
    make(dir);
    expect([isTracked(dir), isTracked(join(dir, "z"))]).toEqual([false, true]);
  });
});

describe("a repository", () => {
  test("is found from a worktree and from a submodule, each with an index of its own", () => {
    const dir = repository("project");
    git(dir, "add", "--all");
    git(dir, "commit", "-q", "-m", "a");
    git(dir, "worktree", "add", "-q", join(base, "tree"));
    write(join(base, "tree"), ".heartwood/cache/a");
    git(join(base, "tree"), "add", "--force", "--all");
    expect([isTracked(join(base, "tree")), isTracked(dir)]).toEqual([true, false]);

    const outer = repository("outer");
    git(outer, "submodule", "--quiet", "add", dir, "inner");
    const inner = join(outer, "inner");
    expect(isTracked(inner)).toBe(false);
    write(inner, ".heartwood/cache/a");
    git(inner, "add", "--force", "--all");
    expect(isTracked(inner)).toBe(true);
  });

  test("tracks the whole folder if it is a submodule", () => {
    const dir = repository("project");
    const inner = repository("inner");
    git(inner, "add", "--all");
    git(inner, "commit", "-q", "-m", "a");
    git(dir, "submodule", "--quiet", "add", "--force", inner, ".heartwood");
    expect(isTracked(dir)).toBe(true);
  });

  test("tracks it under a name that some file systems treat as equal", () => {
    for (const [at, path] of [
      ["", ".HeartWood/Cache/a"],
      ["e\u0301", "\u00e9/.heartwood/cache/a"],
    ] as const) {
      const dir = repository(`project-${at.length}`);
      write(dir, path);
      git(dir, "add", "--force", "--all");
      mkdirSync(join(dir, at), { recursive: true });
      expect(isTracked(join(dir, at))).toBe(true);
    }
  });

  test("runs no program named in its configuration", () => {
    const dir = repository("project");
    write(dir, ".heartwood/cache/a");
    git(dir, "add", "--force", "--all");
    git(dir, "config", "core.fsmonitor", `touch ${join(base, "ran")}`);
    expect(isTracked(dir)).toBe(true);
    expect(existsSync(join(base, "ran"))).toBe(false);
  });

  test("counts as tracking it if a truncated or damaged index mentions it, and never fails", () => {
    const dir = repository("project");
    write(dir, ".heartwood/cache/a");
    git(dir, "add", "--force", "--all");
    const index = join(dir, ".git/index");
    const whole = readFileSync(index);
    for (let length = 0; length < whole.length; length += 1) {
      writeFileSync(index, whole.subarray(0, length));
      expect(isTracked(dir)).toBe(whole.subarray(0, length).includes(".heartwood"));
    }
    for (let at = 0; at < whole.length; at += 1) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] ?? 0) ^ 0xff;
      writeFileSync(index, damaged);
      expect(typeof isTracked(dir)).toBe("boolean");
    }
  });

  test("tracks nothing if it is not a repository or has no index", () => {
    expect(isTracked(base)).toBe(false);
    expect(isTracked(repository("project"))).toBe(false);
    mkdirSync(join(base, "project/sub/.git"), { recursive: true });
    write(join(base, "project"), "sub/.heartwood/cache/a");
    git(join(base, "project"), "add", "--force", "--all");
    // A folder named .git alone is not a repository.
    expect(isTracked(join(base, "project/sub"))).toBe(true);
  });
});
