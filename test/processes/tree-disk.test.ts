import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import type { CompactResult } from "../../src/tree/run/idle.ts";
import { runVerify } from "../../src/tree/inspect/verify.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { bodyAt, compact, expectSound, filesOf, keyAt, logOf, rawFiles, textAt } from "../situations/scenario.ts";

/** `npm run test:all` builds it first. */
const bin = join(import.meta.dirname, "../../dist/bin.js");
const outside = mkdtempSync(join(tmpdir(), "heartwood-outside-"));
afterAll(() => rmSync(outside, { recursive: true, force: true }));

/** Runs the built program in a separate process, which must end by itself. */
function run(
  dir: string,
  args: readonly string[],
): { readonly status: number | null; readonly out: string; readonly err: string } {
  const env = { PATH: process.env["PATH"], HOME: outside, TZ: "UTC", HEARTWOOD_TODAY: "2026-03-15" };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...args, "--dir", dir], {
    env,
    encoding: "utf8",
    timeout: 600_000,
  });
  return { status, out: stdout, err: stderr };
}

const auth = logOf("2026-03-14", ["Auth", "- tokens"]);

/** Size, mtime and inode of every file below a folder. */
function stampsBelow(dir: string): ReadonlyMap<string, string> {
  const files = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return new Map(
    files.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      const { size, mtimeNs, ctimeNs, ino } = statSync(path, { bigint: true });
      return [path, `${size} ${mtimeNs} ${ctimeNs} ${ino}`];
    }),
  );
}

function rmCache(tree: TestMemory): void {
  for (const path of tree.list().filter((name) => name.startsWith(".heartwood/cache/"))) tree.remove(path);
}

describe("the disk", () => {
  it("no-op: a second run changes no byte, no mtime and no inode, in this process and in another one", async () => {
    const tree = openTestMemory({
      disk: "folder",
      files: {
        ...rawFiles({ "2026-03-14": auth, "2026-03-15": logOf("2026-03-15", ["Roof", "- leak"]) }),
        "WORKING.md": "# Working\n\n## Roof\n- [ ] call\n",
      },
    });
    await compact(tree);
    const dir = tree.memory.dir;
    const memoryStamps = (): ReadonlyMap<string, string> => stampsBelow(join(dir, "memory"));
    const before = memoryStamps();
    expect(before.size).toBeGreaterThanOrEqual(8);
    for (let round = 0; round < 2; round++) {
      const again = await compact(tree);
      expect([again.written, again.cycles]).toEqual([[], 0]);
    }
    const { status, out } = run(dir, ["compact", "--json"]);
    expect([status, (JSON.parse(out) as CompactResult).written]).toEqual([0, []]);
    rmSync(join(dir, ".heartwood/cache"), { recursive: true });
    expect((await compact(tree)).written).toEqual([]);
    expect(memoryStamps()).toEqual(before);
    await expectSound(tree);
  });

  it("unreadable-source: a folder and a FIFO in the place of logs are skipped and reported, and nothing blocks", async () => {
    const tree = openTestMemory({ disk: "folder", files: rawFiles({ "2026-03-14": auth }) });
    const dir = tree.memory.dir;
    mkdirSync(join(dir, "memory/2026-03-10.md"));
    expect(spawnSync("mkfifo", [join(dir, "memory/2026-03-11.md"), join(dir, "WORKING.md")]).status).toBe(0);
    const { status, out } = run(dir, ["compact", "--json"]);
    expect(status).toBe(1);
    const quiet = run(dir, ["compact", "--quiet"]);
    expect([quiet.status, quiet.out]).toEqual([1, ""]);
    expect(quiet.err).toMatch(
      /^heartwood: warning: .*memory\/2026-03-10\.md.*\nheartwood: warning: .*2026-03-11\.md.*\n$/u,
    );
    const result = JSON.parse(out) as CompactResult;
    expect(result.skipped.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "memory/2026-03-10.md not_a_file",
      "memory/2026-03-11.md not_a_file",
    ]);
    expect(bodyAt(tree, "memory/monthly/2026-03.md")).toContain("- tokens");
    expect(existsSync(join(dir, "memory/daily/2026-03-10.md"))).toBe(false);
    expect(run(dir, ["status", "--json"]).status).toBe(0);
    const verified = run(dir, ["verify", "--json"]);
    expect(verified.status).toBe(1);
    const { findings } = JSON.parse(verified.out) as {
      readonly findings: readonly { readonly code: string; readonly severity: string; readonly path: string }[];
    };
    expect(findings.filter(({ severity }) => severity !== "info").map(({ path, code }) => `${path} ${code}`)).toEqual([
      "memory/2026-03-10.md not_a_file",
      "memory/2026-03-11.md not_a_file",
    ]);
    for (const path of ["memory/2026-03-10.md", "memory/2026-03-11.md", "WORKING.md"])
      rmSync(join(dir, path), { recursive: true });
    await expectSound(tree);
  });

  it("unreadable-source: a log without read permission is skipped and reported; once readable it is taken in", async () => {
    const tree = openTestMemory({
      files: rawFiles({ "2026-03-12": logOf("2026-03-12", ["Locked", "- inside"]), "2026-03-14": auth }),
    });
    const { files } = tree.memory;
    const denied: typeof files.read = async (path, range) => {
      if (path === "memory/2026-03-12.md")
        throw new MemoryError("io", `Could not read ${path}: permission denied (EACCES).`, { path, cause: "EACCES" });
      return files.read(path, range);
    };
    const locked = { ...tree, memory: { ...tree.memory, files: { ...files, read: denied } } };
    const { skipped } = await compact(locked, "2026-03-30");
    expect(skipped.map(({ path, code }) => `${path} ${code}`)).toEqual(["memory/2026-03-12.md io"]);
    expect(keyAt(tree, "memory/daily/2026-03-14.md", "status")).toBe("fixed");
    expect(bodyAt(tree, "memory/monthly/2026-03.md")).toContain("- tokens");
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("tentative");
    await expectSound(locked, ["io"]);
    await compact(tree);
    expect(keyAt(tree, "memory/weekly/2026-W11.md", "status")).toBe("fixed");
    expect(bodyAt(tree, "memory/daily/2026-03-12.md")).toContain("- inside");
    expect(textAt(tree, "memory/ROOT.md")).toContain("Locked");
    await expectSound(tree);
  });

  for (const [what, put] of [
    ["folder", (path: string) => void mkdirSync(path)],
    ["link", (path: string) => symlinkSync(join(outside, "elsewhere.md"), path)],
  ] as const)
    it(`unreadable-source: nothing above a ${what} in the place of a log becomes fixed until the log is there`, async () => {
      const tree = openTestMemory({
        disk: "folder",
        files: rawFiles({
          "2026-03-10": auth.replace("2026-03-14", "2026-03-10"),
          "2026-03-18": logOf("2026-03-18", ["Roof", "- leak"]),
        }),
      });
      const path = join(tree.memory.dir, "memory/2026-03-11.md");
      put(path);
      mkdirSync(join(tree.memory.dir, "memory/2026-03-19 copy.md"));
      mkdirSync(join(tree.memory.dir, "memory/daily/2026-03-20.late-x.md"), { recursive: true });
      await compact(tree, "2026-04-20");
      const statuses = (): readonly (string | undefined)[] =>
        ["daily/2026-03-10", "weekly/2026-W11", "weekly/2026-W12", "monthly/2026-03"].map((node) =>
          keyAt(tree, `memory/${node}.md`, "status"),
        );
      expect(statuses()).toEqual(["fixed", "tentative", "fixed", "tentative"]);
      await expectSound(tree, ["not_a_file", "link_outside", "bad_name"]);
      rmSync(path, { recursive: true });
      await compact(tree);
      expect(statuses()).toEqual(["fixed", "fixed", "fixed", "fixed"]);
      await expectSound(tree, ["bad_name"]);
    });

  it("unreadable-source: a log that can no longer be read is not reported as missing", async () => {
    const tree = openTestMemory({ files: rawFiles({ "2026-03-10": auth.replace("2026-03-14", "2026-03-10") }) });
    await compact(tree, "2026-03-12");
    const { files } = tree.memory;
    const denied: typeof files.read = async (path, range) => {
      if (path === "memory/2026-03-10.md") throw new MemoryError("io", `Could not read ${path}: EACCES.`, { path });
      return files.read(path, range);
    };
    rmCache(tree);
    const locked = { ...tree, memory: { ...tree.memory, files: { ...files, read: denied } } };
    const { findings } = await runVerify(locked.memory, {});
    const told = findings.filter(({ code }) => code !== "due").map(({ code, path }) => `${code} ${path}`);
    expect(told).toEqual(["io memory/2026-03-10.md", "source_unread memory/daily/2026-03-10.md"]);
    expect(findings.map(({ message }) => message).join("\n")).not.toMatch(/gone|missing|no longer/u);
  });

  it("symlink-in: a log that is a link out of the project is not read, and its text appears nowhere", async () => {
    writeFileSync(join(outside, "private.md"), "## Private [user]\n- outside words\n");
    const tree = openTestMemory({ disk: "folder", files: rawFiles({ "2026-03-14": auth }) });
    const dir = tree.memory.dir;
    symlinkSync(join(outside, "private.md"), join(dir, "memory/2026-03-10.md"));
    symlinkSync(join(outside, "private.md"), join(dir, "WORKING.md"));
    symlinkSync(join(outside, "gone.md"), join(dir, "memory/2026-03-11.md"));
    const { skipped } = await compact(tree);
    expect(skipped.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "memory/2026-03-10.md link_outside",
      "memory/2026-03-11.md link_outside",
    ]);
    for (const [path, text] of filesOf(tree))
      if (!["memory/2026-03-10.md", "WORKING.md", "memory/2026-03-11.md"].includes(path))
        expect(text, path).not.toMatch(/outside words|Private/u);
    await expectSound(tree, ["link_outside"]);
  });

  it("symlink-out: a node, ROOT.md or a level's folder that is a link out of the project is not written", async () => {
    const tree = openTestMemory({
      disk: "folder",
      files: rawFiles({ "2026-03-13": logOf("2026-03-13", ["Roof", "- leak"]), "2026-03-14": auth }),
    });
    const dir = tree.memory.dir;
    for (const name of ["daily.md", "root.md"]) writeFileSync(join(outside, name), "not yours\n");
    mkdirSync(join(dir, "memory/daily"));
    symlinkSync(join(outside, "daily.md"), join(dir, "memory/daily/2026-03-14.md"));
    symlinkSync(join(outside, "root.md"), join(dir, "memory/ROOT.md"));
    const result = await compact(tree);
    expect(result.written.map(({ path }) => path)).toContain("memory/daily/2026-03-13.md");
    for (const name of ["daily.md", "root.md"]) expect(readFileSync(join(outside, name), "utf8")).toBe("not yours\n");
    const told = [...result.skipped.map(({ path }) => path), ...result.warnings.map((warning) => warning.path)];
    expect(told).toContain("memory/daily/2026-03-14.md");
    expect(told).toContain("memory/ROOT.md");
    expect((await compact(tree)).written).toEqual([]);
    for (const name of ["daily.md", "root.md"]) expect(readFileSync(join(outside, name), "utf8")).toBe("not yours\n");
    const again = run(dir, ["compact", "--json"]);
    const { skipped } = JSON.parse(again.out) as CompactResult;
    expect(skipped.map(({ path, code }) => `${path} ${code}`)).toEqual([
      "memory/daily/2026-03-14.md link_outside",
      "memory/ROOT.md link_outside",
    ]);
    expect(again.status).toBe(1);
    expect(run(dir, ["verify"]).status).toBe(1);
  });

  it("a folder in the place of ROOT.md is reported with exit status 1; an invalid log name is reported with 0", () => {
    const tree = openTestMemory({ disk: "folder", files: rawFiles({ "2026-03-14": auth, "2026-02-31": "no day\n" }) });
    const dir = tree.memory.dir;
    expect(run(dir, ["compact", "--quiet"])).toEqual({ status: 0, out: "", err: "" });
    rmSync(join(dir, "memory/ROOT.md"));
    mkdirSync(join(dir, "memory/ROOT.md"));
    const { status, out } = run(dir, ["compact", "--json"]);
    expect([status, (JSON.parse(out) as CompactResult).skipped.map(({ path, code }) => `${path} ${code}`)]).toEqual([
      1,
      ["memory/2026-02-31.md bad_name", "memory/ROOT.md not_a_file"],
    ]);
  });

  it("symlink-out: a level's folder that points out of the project gets no file", async () => {
    mkdirSync(join(outside, "weekly"));
    const tree = openTestMemory({ disk: "folder", files: rawFiles({ "2026-03-14": auth }) });
    symlinkSync(join(outside, "weekly"), join(tree.memory.dir, "memory/weekly"));
    const { status, err } = run(tree.memory.dir, ["compact"]);
    expect(status).toBe(3);
    expect(err).toMatch(/memory\/weekly is outside the project/u);
    expect(readdirSync(join(outside, "weekly"))).toEqual([]);
  });
});
