import { execFileSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, realpathSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { openMemory } from "../../src/open.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { readDiff } from "../../src/tree/versions/diff.ts";
import { readPullRequestComment } from "../../src/tree/versions/pr-comment.ts";

const options = { env: { ...process.env, GIT_CONFIG_GLOBAL: "/dev/null", GIT_CONFIG_SYSTEM: "/dev/null" } };
const author = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com", "-c", "commit.gpgSign=false"];

function git(dir: string, ...words: readonly string[]): string {
  return execFileSync("git", [...author, ...words], {
    cwd: dir,
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"],
    ...options,
  });
}

/** A memory in a folder of a repository, with logs only: `main` has a base and one more day, `topic` another. */
async function repository(): Promise<{ readonly top: string; readonly dir: string; readonly memory: Memory }> {
  const top = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-git-")));
  const dir = join(top, "project");
  mkdirSync(join(dir, "memory"), { recursive: true });
  git(top, "init", "-q", "-b", "main");
  const commit = (day: string, text: string): void => {
    writeFileSync(join(dir, "memory", `${day}.md`), text);
    git(top, "add", "project/memory");
    git(top, "commit", "-qm", day);
  };
  commit("2026-03-02", "## Quokka [project]\n- decisions: feed at noon\n");
  git(top, "switch", "-qc", "topic");
  commit("2026-03-03", "## Wombat [project]\n- decisions: dig at night\n");
  git(top, "switch", "-q", "main");
  commit("2026-03-04", "## Numbat [project]\n- decisions: sleep\n");
  const memory = await openMemory({ dir, today: "2026-03-09", timeZone: "UTC", consent: "given" });
  return { top, dir, memory };
}

describe("git revisions", () => {
  test("are compared without a checkout, and nothing is written", async () => {
    const { top, dir, memory } = await repository();
    const { topics, from, to } = await readDiff(memory, { from: "main", to: "topic" });
    expect([from.commit, to.commit]).toEqual([
      git(top, "rev-parse", "main").trim(),
      git(top, "rev-parse", "topic").trim(),
    ]);
    expect(topics).toMatchObject({ added: [{ topic: "Wombat" }], changed: [], removed: [{ topic: "Numbat" }] });
    expect((await readDiff(memory, { from: "main~1" })).topics).toMatchObject({
      added: [{ topic: "Numbat" }],
      removed: [],
    });
    expect((await readDiff(memory, { from: dir, to: "main" })).topics).toEqual({ added: [], changed: [], removed: [] });
    expect(readdirSync(join(dir, "memory"))).toEqual(["2026-03-02.md", "2026-03-04.md"]);
    expect(existsSync(join(dir, ".heartwood"))).toBe(false);
    expect(git(top, "status", "--porcelain")).toBe("");
    await memory.close();
  });

  test("a comment for a pull request has what the branch adds since it left its base", async () => {
    const { memory } = await repository();
    const { text, diff } = await readPullRequestComment(memory, { base: "main", head: "topic" });
    expect(diff.topics).toMatchObject({ added: [{ topic: "Wombat" }], removed: [] });
    expect(text).toMatch(/^<!-- heartwood pr-comment -->\n\*\*Memory:\*\* topics: 1 new, 0 changed, 0 gone;/u);
    expect(text).toContain("- New: `Wombat` [project], 2026-03-03");
    expect((await readPullRequestComment(memory, {})).text).toContain("- New: `Numbat` [project], 2026-03-04");
    await memory.close();
  });

  test("a message names what the command takes", async () => {
    const { memory } = await repository();
    const seen = '"2026-03-05" is not a commit of the git repository around this folder';
    await expect(readPullRequestComment(memory, { base: "2026-03-05" })).rejects.toThrow(
      `${seen}; pass a branch, tag or commit.`,
    );
    await expect(readDiff(memory, { from: "nowhere" })).rejects.toThrow(
      "pass a day (2026-03-15), a folder (./other), or a branch, tag or commit.",
    );
    await memory.close();
  });

  test("nothing that a repository's configuration names is run", async () => {
    const { top, memory } = await repository();
    const evil = join(top, "evil");
    writeFileSync(evil, `#!/bin/sh\necho ran >> ${top}/ran\n`);
    chmodSync(evil, 0o755);
    writeFileSync(join(top, ".gitattributes"), "*.md filter=evil diff=evil\n");
    for (const key of [
      "core.fsmonitor",
      "core.pager",
      "core.sshCommand",
      "core.editor",
      "filter.evil.smudge",
      "filter.evil.process",
      "diff.evil.textconv",
      "diff.external",
      "uploadpack.packObjectsHook",
      "remote.origin.uploadpack",
      "alias.ls-tree",
    ])
      git(top, "config", key, key.startsWith("alias") ? `!${evil}` : evil);
    git(top, "config", "remote.origin.url", `ext::${evil}`);
    git(top, "config", "remote.origin.promisor", "true");
    git(top, "config", "extensions.partialClone", "origin");
    git(top, "config", "protocol.ext.allow", "always");
    await readDiff(memory, { from: "main", to: "topic" });
    // A commit that is not here would be fetched from the remote.
    await expect(readDiff(memory, { from: "1".repeat(40) })).rejects.toMatchObject({ code: "not_found" });
    expect(existsSync(join(top, "ran"))).toBe(false);
    // Negative control: git alone runs it.
    expect(() => git(top, "cat-file", "-e", "1".repeat(40))).toThrow();
    expect(existsSync(join(top, "ran"))).toBe(true);
    await memory.close();
  });

  test.each(["--output=x", "nowhere", "HEAD:project", ""])("%j is refused", async (name) => {
    const { top, memory } = await repository();
    await expect(readDiff(memory, { from: name })).rejects.toMatchObject({ code: "not_found" });
    expect(readdirSync(top)).toEqual([".git", "project"]);
    await memory.close();
  });
});
