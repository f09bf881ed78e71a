import {
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import {
  detectPlatform,
  findProjectFolder as find,
  folderToTrust,
  foldersUnder,
  nearestMemory,
  prepareProjectFolder as prepare,
} from "./folders.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-folder-")));
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  rmSync(base, { recursive: true });
});

const findProjectFolder = (named: string | undefined): string => find({ dir: named }, () => false);
const prepareProjectFolder = (named: string | undefined): string => prepare({ dir: named }, () => false);

function put(...paths: readonly string[]): void {
  for (const path of paths) {
    mkdirSync(dirname(join(base, path)), { recursive: true });
    if (path.endsWith("/")) mkdirSync(join(base, path), { recursive: true });
    else writeFileSync(join(base, path), "{}");
  }
}

function foundFrom(folder: string): string {
  vi.spyOn(process, "cwd").mockReturnValue(join(base, folder));
  return findProjectFolder(undefined);
}

describe("without --dir", () => {
  test.each([
    "project/heartwood.config.json",
    "project/hipocampus.config.json",
    "project/memory/2026-03-01.md",
    "project/memory/2026-03-01-standup.md",
  ])("%s marks a project folder, found from anywhere below it", (mark) => {
    put(mark, "project/src/deep/");
    expect(foundFrom("project/src/deep")).toBe(join(base, "project"));
    expect(foundFrom("project")).toBe(join(base, "project"));
  });

  test("uses the nearest one", () => {
    put("heartwood.config.json", "inner/memory/2026-03-01.md");
    expect(foundFrom("inner")).toBe(join(base, "inner"));
  });

  test("skips a memory/ without dated logs", () => {
    put("heartwood.config.json", "inner/memory/notes.md");
    expect(foundFrom("inner")).toBe(base);
  });

  test("fails with `no_memory` and a hint if there is none", () => {
    put("empty/");
    expect(() => foundFrom("empty")).toThrow(
      expect.objectContaining({ code: "no_memory", message: expect.stringContaining("heartwood init") }),
    );
  });
});

describe("with --dir", () => {
  test("accepts a memory/ with any contents, and does not search upwards", () => {
    put("heartwood.config.json", "a/memory/", "b/");
    expect(findProjectFolder(join(base, "a"))).toBe(join(base, "a"));
    expect(() => findProjectFolder(join(base, "b"))).toThrow(/has no heartwood.config.json, no memory\/ folder/);
  });

  test("accepts a MEMORY.md alone, which the search upwards does not", () => {
    put("alone/MEMORY.md");
    expect(findProjectFolder(join(base, "alone"))).toBe(join(base, "alone"));
    expect(() => foundFrom("alone")).toThrow(expect.objectContaining({ code: "no_memory" }));
  });

  test("distinguishes a missing folder, a file, and the memory folder itself", () => {
    put("memory/2026-03-01.md");
    expect(() => findProjectFolder(join(base, "none"))).toThrow(/none does not exist/);
    expect(() => findProjectFolder(join(base, "memory/2026-03-01.md"))).toThrow(/is not a folder/);
    expect(() => findProjectFolder(join(base, "memory"))).toThrow(/is the memory\/ folder itself/);
  });

  test("init creates the folder", () => {
    expect(prepareProjectFolder(join(base, "new/one"))).toBe(join(base, "new/one"));
    put("file");
    expect(() => prepareProjectFolder(join(base, "file"))).toThrow(expect.objectContaining({ code: "invalid_path" }));
    expect(() => prepareProjectFolder(join(base, "file/below"))).toThrow(expect.objectContaining({ code: "io" }));
    expect(() => prepareProjectFolder("")).toThrow(expect.objectContaining({ code: "invalid_path" }));
    expect(() => findProjectFolder("")).toThrow(expect.objectContaining({ code: "invalid_path" }));
  });
});

test.runIf(existsSync("/proc/self"))("refuses a folder where nothing can be created", () => {
  expect(() => prepareProjectFolder("/proc/heartwood/one")).toThrow(expect.objectContaining({ code: "io" }));
});

describe("the platform", () => {
  test.each([
    ["claude-code", ["CLAUDE.md"]],
    ["claude-code", [".claude/"]],
    ["openclaw", ["AGENTS.md", "SOUL.md", "CLAUDE.md"]],
    ["opencode", ["opencode.json"]],
    ["codex", [".codex/"]],
    ["gemini", ["GEMINI.md"]],
    ["copilot", [".github/copilot-instructions.md"]],
    ["cursor", [".cursor/"]],
    ["windsurf", [".windsurf/"]],
    ["gemini", ["GEMINI.md", ".cursor/"]],
    ["plain", ["AGENTS.md", ".github/workflows/"]],
    ["plain", [".github"]],
  ])("is %s if the folder has %j", (platform, marks) => {
    vi.stubEnv("HOME", join(base, "home"));
    put(...marks.map((mark) => `project/${mark}`), "home/", "project/");
    expect(detectPlatform(join(base, "project")).platform).toBe(platform);
  });

  test("without marks in the folder, is the only agent in the home, if there is just one", () => {
    vi.stubEnv("HOME", join(base, "home"));
    put("home/.codex/", "project/");
    expect(detectPlatform(join(base, "project")).platform).toBe("codex");
    put("home/.claude/");
    expect(detectPlatform(join(base, "project")).platform).toBe("plain");
  });

  test("a folder inside ~/.openclaw is OpenClaw's", () => {
    vi.stubEnv("HOME", join(base, "home"));
    put("home/.openclaw/workspace/");
    expect(detectPlatform(join(base, "home/.openclaw/workspace")).platform).toBe("openclaw");
  });
});

describe("the search upwards", () => {
  const above = (folder: string): string | undefined => nearestMemory(join(base, folder))?.dir;

  test("ends at the root of a repository or worktree", () => {
    put("heartwood.config.json", "clone/.git/", "clone/src/", "worktree/.git", "worktree/src/", "plain/src/");
    expect(above("clone/src")).toBeUndefined();
    expect(above("worktree/src")).toBeUndefined();
    expect(above("plain/src")).toBe(base);
    put("clone/memory/2026-03-01.md");
    expect(above("clone/src")).toBe(join(base, "clone"));
  });

  test("ends at the home, which may have a memory", () => {
    put("heartwood.config.json", "home/src/");
    vi.stubEnv("HOME", join(base, "home"));
    expect(above("home/src")).toBeUndefined();
    put("home/heartwood.config.json");
    expect(above("home/src")).toBe(join(base, "home"));
  });

  test.runIf(existsSync("/proc/self"))("ends at the boundary of a file system", () => {
    const found = (): string => (
      vi.spyOn(process, "cwd").mockReturnValue("/proc/self/task"),
      findProjectFolder(undefined)
    );
    expect(found).toThrow(expect.objectContaining({ code: "no_memory" }));
  });

  test("ends at the home even if both are reached through a link", () => {
    put("heartwood.config.json", "home/src/");
    symlinkSync(base, `${base}-link`);
    vi.stubEnv("HOME", join(`${base}-link`, "home"));
    const found = nearestMemory(join(`${base}-link`, "home/src"));
    rmSync(`${base}-link`);
    expect(found).toBeUndefined();
  });

  test("finds no memory in a folder that does not exist", () => {
    expect(nearestMemory(join(base, "gone"))).toBeUndefined();
  });
});

describe("the memories under a memory", () => {
  const under = (folder: string): readonly string[] =>
    foldersUnder(join(base, folder)).map(({ name, dir }) => `${name} ${dir.slice(base.length + 1)}`);
  beforeEach(() => vi.stubEnv("XDG_DATA_HOME", join(base, "data")));

  test("are that of the repository's root and the personal one, if there are any", () => {
    put(
      "clone/.git/",
      "clone/a/heartwood.config.json",
      "clone/a/b/memory/2026-03-01.md",
      "clone/a/b/c/heartwood.config.json",
    );
    expect(under("clone/a/b/c")).toEqual(["above clone/a"]);
    put("clone/heartwood.config.json", "data/heartwood/heartwood.config.json");
    expect(under("clone/a/b/c")).toEqual(["above clone", "personal data/heartwood"]);
    expect(under("clone")).toEqual(["personal data/heartwood"]);
  });

  test("are none under the personal one, which is not above anything either", () => {
    put("data/.git/", "data/heartwood/heartwood.config.json", "data/heartwood/sub/heartwood.config.json");
    expect(under("data/heartwood")).toEqual([]);
    expect(under("data/heartwood/sub")).toEqual(["personal data/heartwood"]);
  });

  test("end at the top of the repository; outside of one, nothing is above", () => {
    put("heartwood.config.json", "clone/.git/", "clone/heartwood.config.json", "plain/heartwood.config.json");
    expect([...under("clone"), ...under("plain")]).toEqual([]);
  });
});

const isRoot = process.getuid?.() === 0;
describe.runIf(isRoot)("a folder or file of another user (needs root)", () => {
  const stranger = 54_321;

  test.each([
    "project",
    "project/heartwood.config.json",
    "project/memory",
    "project/.heartwood",
    "project/WORKING.md",
    "project/memory/ROOT.md",
  ])("%s is refused, given or found from below, until the user accepts it", (path) => {
    put("project/heartwood.config.json", "project/memory/2026-03-01.md", "project/.heartwood/", "project/src/");
    put("project/WORKING.md", "project/memory/ROOT.md");
    lchownSync(join(base, path), stranger, stranger);
    const refused = expect.objectContaining({
      code: "other_owner",
      message: expect.stringMatching(/another user \(id 54321\).*heartwood trust/u),
    });
    expect(() => findProjectFolder(join(base, "project"))).toThrow(refused);
    expect(() => foundFrom("project/src")).toThrow(refused);
    expect(() => prepareProjectFolder(join(base, "project"))).toThrow(refused);
    expect(find({ dir: join(base, "project") }, (_, owner) => owner === stranger)).toBe(join(base, "project"));
    expect(() => find({ dir: join(base, "project") }, (_, owner) => owner !== stranger)).toThrow(refused);
  });

  test("can be trusted only if given explicitly, not as the nearest one upwards", () => {
    put("shared/heartwood.config.json", "shared/job/");
    lchownSync(join(base, "shared"), stranger, stranger);
    vi.spyOn(process, "cwd").mockReturnValue(join(base, "shared/job"));
    expect(() => folderToTrust(undefined)).toThrow(expect.objectContaining({ code: "other_owner" }));
    expect(folderToTrust(join(base, "shared"))).toBe(join(base, "shared"));
  });

  test("under sudo, the calling user's folders count as own", () => {
    put("project/heartwood.config.json");
    lchownSync(join(base, "project"), stranger, stranger);
    vi.stubEnv("SUDO_UID", String(stranger));
    expect(findProjectFolder(join(base, "project"))).toBe(join(base, "project"));
    vi.stubEnv("SUDO_UID", "54322");
    expect(() => findProjectFolder(join(base, "project"))).toThrow(expect.objectContaining({ code: "other_owner" }));
  });
});
