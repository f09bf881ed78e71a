import * as fs from "node:fs";
import { execFileSync } from "node:child_process";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import { describeFiles, type FilesHarness } from "../../../test/fixtures/files-suite.ts";
import { endingOf } from "../../testing/test-functions.ts";
import { createNodeFiles } from "./node-files.ts";
import { isTemporaryName } from "../../base/known-paths.ts";
import type { NodeFs } from "./place.ts";

const folders: string[] = [];

function temporaryFolder(): string {
  const folder = fs.mkdtempSync(join(tmpdir(), "hw-files-"));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) fs.rmSync(folder, { recursive: true, force: true });
});

async function realHarness(): Promise<FilesHarness> {
  const outside = temporaryFolder();
  const root = join(outside, "project");
  fs.mkdirSync(root);
  fs.mkdirSync(join(outside, "elsewhere"));
  fs.writeFileSync(join(outside, "elsewhere", "secret.md"), "secret");
  const put = (path: string, text: string): void => {
    fs.mkdirSync(dirname(join(root, path)), { recursive: true });
    fs.writeFileSync(join(root, path), text);
  };
  return {
    files: createNodeFiles({ root }),
    plant: async (path, text) => put(path, text),
    replant: async (path, text) => {
      put(`${path}~`, text);
      fs.renameSync(join(root, `${path}~`), join(root, path));
    },
    paths: async () =>
      fs
        .readdirSync(root, { recursive: true, withFileTypes: true })
        .filter((entry) => !entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
        .toSorted(),
    link: async (path, target) => {
      const outer = target === "folder_outside" ? "elsewhere" : "elsewhere/secret.md";
      const to = typeof target === "object" ? join(root, target.inside) : join(outside, outer);
      fs.symlinkSync(to, join(root, path));
    },
    fifo: async (path) => void execFileSync("mkfifo", [join(root, path)]),
    close: async () => fs.rmSync(outside, { recursive: true, force: true }),
  };
}

describeFiles({ name: "node-files on a real disk", create: realHarness }, { describe, it, expect });

const text = (value: string): Uint8Array => new TextEncoder().encode(value);

describe("node-files on a real disk only", () => {
  it("nothing is written, replaced or removed in .git, in any case or through a link", async () => {
    const root = temporaryFolder();
    fs.mkdirSync(join(root, ".git/hooks"), { recursive: true });
    fs.writeFileSync(join(root, ".git/config"), "[core]\n");
    fs.symlinkSync(".git", join(root, "memory"));
    fs.mkdirSync(join(root, "knowledge"));
    fs.writeFileSync(join(root, "knowledge/.git"), "gitdir: ../.git\n");
    const files = createNodeFiles({ root });
    const paths = [".git/config", ".GIT/new/file", "memory/config", "memory/new/file", "knowledge/.git"];
    const endings = paths.flatMap((path) => [
      files.append(path, text("x")),
      files.commit([{ path, bytes: text("x"), expect: "anything" }]),
      files.commit([{ path, bytes: undefined, expect: "anything" }]),
    ]);
    const removals = [".git/hooks", "memory/hooks"].map((dir) => files.removeEmptyFolder?.(dir));
    expect(
      new Set(await Promise.all([...endings, ...removals].map((ending) => endingOf(Promise.resolve(ending))))),
    ).toEqual(new Set(["invalid_path"]));
    expect(fs.readdirSync(join(root, ".git")).toSorted()).toEqual(["config", "hooks"]);
    expect(fs.readFileSync(join(root, ".git/config"), "utf8")).toBe("[core]\n");
    expect(fs.readFileSync(join(root, "knowledge/.git"), "utf8")).toBe("gitdir: ../.git\n");
    expect((await files.read("memory/config"))?.size).toBe(7);
  });

  it("a replaced file keeps its mode and a new one follows the umask", async () => {
    const root = temporaryFolder();
    fs.writeFileSync(join(root, "private.md"), "old", { mode: 0o600 });
    fs.writeFileSync(join(root, "script.md"), "old");
    fs.chmodSync(join(root, "script.md"), 0o755);
    const paths = ["private.md", "script.md", "new.md"];
    const files = createNodeFiles({ root });
    await files.commit(paths.map((path) => ({ path, bytes: text("new"), expect: "anything" as const })));
    const modes = paths.map((path) => fs.statSync(join(root, path)).mode & 0o777);
    expect(modes).toEqual([0o600, 0o755, 0o644 & ~process.umask()]);
  });

  it("a new file `like` another gets its mode, or follows the umask if there is no other", async () => {
    const root = temporaryFolder();
    fs.writeFileSync(join(root, "private.md"), "old", { mode: 0o600 });
    const files = createNodeFiles({ root });
    fs.mkdirSync(join(root, "sub"));
    const asked = Object.entries({ "copy.md": "private.md", "alone.md": "missing.md", "other.md": "sub" });
    await files.commit(
      asked.map(([path, one]) => ({ path, bytes: text("new"), expect: "absent" as const, like: one })),
    );
    const usual = 0o644 & ~process.umask();
    expect(asked.map(([path]) => fs.statSync(join(root, path)).mode & 0o777)).toEqual([0o600, usual, usual]);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "a file that root replaces keeps its owner, and a new file `like` it gets the same owner",
    async () => {
      const root = temporaryFolder();
      fs.writeFileSync(join(root, "note.md"), "old", { mode: 0o600 });
      fs.chownSync(join(root, "note.md"), 4242, 4343);
      const files = createNodeFiles({ root });
      await files.commit([
        { path: "note.md", bytes: text("new"), expect: "anything" },
        { path: "part.md", bytes: text("old"), expect: "absent", like: "note.md" },
      ]);
      const stats = ["note.md", "part.md"].map((name) => fs.statSync(join(root, name)));
      expect(stats.map(({ uid, gid, mode }) => [uid, gid, mode & 0o777])).toEqual([
        [4242, 4343, 0o600],
        [4242, 4343, 0o600],
      ]);
    },
  );

  it("the project folder may be a link", async () => {
    const outer = temporaryFolder();
    fs.mkdirSync(join(outer, "real"));
    fs.symlinkSync(join(outer, "real"), join(outer, "link"));
    const files = createNodeFiles({ root: join(outer, "link") });
    await files.append("a/b.md", text("x"));
    expect(fs.readFileSync(join(outer, "real/a/b.md"), "utf8")).toBe("x");
  });

  it("a sibling folder whose name starts with the project's is outside", async () => {
    const outer = temporaryFolder();
    for (const name of ["project", "project-2"]) fs.mkdirSync(join(outer, name));
    fs.symlinkSync(join(outer, "project-2"), join(outer, "project/link"));
    const files = createNodeFiles({ root: join(outer, "project") });
    expect(await endingOf(files.list("link"))).toBe("link_outside");
  });

  it("a socket is not_a_file, a name that is too long invalid_path, a missing project io", async () => {
    const root = temporaryFolder();
    const files = createNodeFiles({ root });
    expect(await endingOf(files.append("x".repeat(300), text("x")))).toBe("invalid_path");
    expect(await endingOf(createNodeFiles({ root: join(root, "none") }).list(""))).toBe("io");
  });

  it("an appended entry survives an editor that saves by rename between the write and the close", async () => {
    const root = temporaryFolder();
    const path = join(root, "log.md");
    fs.writeFileSync(path, "one\n");
    let saves = 0;
    const editor = (fd: number, done: (error: Error | null) => void): void => {
      if (saves < 3 && fs.fstatSync(fd).isFile()) {
        saves += 1;
        fs.writeFileSync(`${path}~`, "one, edited\n");
        fs.renameSync(`${path}~`, path);
      }
      fs.fsync(fd, done);
    };
    await createNodeFiles({ root, fs: { ...fs, fsync: editor } }).append("log.md", text("two\n"));
    expect(fs.readFileSync(path, "utf8")).toBe("one, edited\ntwo\n");
  });

  it("an appended entry that the editor's new file already contains is not added twice", async () => {
    const root = temporaryFolder();
    const path = join(root, "log.md");
    fs.writeFileSync(path, "two\none\n");
    let saves = 0;
    const editor = (fd: number, done: (error: Error | null) => void): void => {
      if (saves++ === 0) {
        fs.writeFileSync(`${path}~`, `# edited\n${fs.readFileSync(path, "utf8")}`);
        fs.renameSync(`${path}~`, path);
      }
      fs.fsync(fd, done);
    };
    await createNodeFiles({ root, fs: { ...fs, fsync: editor } }).append("log.md", text("two\n"));
    expect(fs.readFileSync(path, "utf8")).toBe("# edited\ntwo\none\ntwo\n");
  });

  it("a path that is replaced again and again is changed_by_other", async () => {
    const root = temporaryFolder();
    const path = join(root, "log.md");
    const editor = (fd: number, done: (error: Error | null) => void): void => {
      fs.writeFileSync(`${path}~`, "edited\n");
      fs.renameSync(`${path}~`, path);
      fs.fsync(fd, done);
    };
    const files = createNodeFiles({ root, fs: { ...fs, fsync: editor } });
    expect(await endingOf(files.append("log.md", text("two\n")))).toBe("changed_by_other");
  });

  it("at most 64 files of a batch are open at once", async () => {
    const root = temporaryFolder();
    let open = 0;
    let most = 0;
    const counted = (): void => void (most = Math.max(most, ++open));
    const openSync = (path: string, flags: number, mode?: number): number => {
      counted();
      return fs.openSync(path, flags, mode);
    };
    const openLater: NodeFs["open"] = (path, flags, mode, done) => {
      counted();
      fs.open(path, flags, mode, done);
    };
    const closeSync = (fd: number): void => {
      open -= 1;
      fs.closeSync(fd);
    };
    const files = createNodeFiles({ root, fs: { ...fs, openSync, open: openLater, closeSync } });
    await files.commit(
      Array.from({ length: 300 }, (_, index) => ({ path: `f${index}`, bytes: text("x"), expect: "absent" as const })),
    );
    expect(open).toBe(0);
    expect(most > 1 && most <= 64).toBe(true);
  });

  it("recognizes its temporary files by name", async () => {
    const root = temporaryFolder();
    const seen: string[] = [];
    const renameSync = (from: string, to: string): void => {
      seen.push(from.slice(root.length + 1));
      fs.renameSync(from, to);
    };
    await createNodeFiles({ root, fs: { ...fs, renameSync } }).commit([
      { path: "a.md", bytes: text("x"), expect: "absent" },
    ]);
    expect(seen.map(isTemporaryName)).toEqual([true]);
    expect([".hw-.tmp", "hw-0123456789abcdef0001.tmp", ".hw-0123456789abcdef0001.md"].some(isTemporaryName)).toBe(
      false,
    );
  });
});
