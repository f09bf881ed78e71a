import { spawnSync } from "node:child_process";
import { appendFileSync, cpSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { canMount, mountDisk, unmount } from "../fixtures/mounted-disk.ts";
import { trustFolders } from "../fixtures/trusted.ts";
import { logs } from "../mcp/served.ts";
import { fire, heartwood, projectWith, type Project } from "./fired.ts";

/** Hooks on a full or read-only disk: the client gets valid output. */
const base = mkdtempSync(join(tmpdir(), "heartwood-hook-disk-"));
const isPossible = canMount(base, "tmpfs");
if (!isPossible) console.error("NOT RUN: test/hooks/disk.test.ts needs root and tmpfs mounts");
afterAll(() => {
  unmount(join(base, "tmpfs"));
  rmSync(base, { recursive: true, force: true });
});

describe.skipIf(!isPossible)("a hook", () => {
  let project: Project;
  let path = "";

  beforeAll(() => {
    const made = projectWith(logs);
    path = mountDisk(base, "tmpfs", 3000)?.path ?? "";
    const home = join(base, "home");
    project = { ...made, dir: join(path, "project"), env: { ...made.env, HOME: home } };
    cpSync(made.dir, project.dir, { recursive: true });
    trustFolders(home, project.dir);
    made.remove();
    heartwood(project, "compact");
    heartwood(project, "index");
  });

  const events = ["SessionStart", "UserPromptSubmit", "Stop", "PreCompact", "SessionEnd"];

  /** A second start of the same session within a second would get nothing, so each test uses its own sessions. */
  async function answers(test: string): Promise<readonly string[]> {
    const all: string[] = [];
    for (const [at, event] of events.entries()) {
      const input = {
        session_id: `${test}-${at}`,
        cwd: project.dir,
        prompt: "Which limiter did we take for payments?",
      };
      const { status, stdout, stderr } = await fire(project, ["codex", event], JSON.stringify(input));
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
      all.push(stdout);
    }
    const broken = await fire(project, ["codex", "Stop"], "{ no");
    expect(broken).toMatchObject({ status: 0, stdout: "", stderr: "" });
    return all;
  }

  it("on a read-only disk injects the memory", async () => {
    // Wait until nothing started by a hook is still writing.
    const readOnly = (): number | null => spawnSync("mount", ["-o", "remount,ro", path]).status;
    await expect.poll(readOnly, { timeout: 600_000, interval: 300 }).toBe(0);
    const [session, prompt] = await answers("read-only");
    spawnSync("mount", ["-o", "remount,rw", path]);
    expect(session).toContain("Payments");
    expect(prompt).toContain("token bucket");
  });

  it("on a full disk injects the memory", async () => {
    writeFileSync(join(path, "ballast"), "");
    const fill = (): void => appendFileSync(join(path, "ballast"), Buffer.alloc(4096));
    expect(() => {
      for (;;) fill();
    }).toThrow(/ENOSPC/u);
    const [session, prompt] = await answers("full");
    expect(session).toContain("Payments");
    expect(prompt).toContain("token bucket");
    rmSync(join(path, "ballast"));
  });
});
