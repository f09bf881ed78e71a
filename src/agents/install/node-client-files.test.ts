import { spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createNodeClientFiles, findClientPlaces } from "./node-client-files.ts";
import { MemoryError } from "../../base/errors.ts";
import { userStateFolder } from "../../platform/program.ts";

let base = "";
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-clients-")));
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

const mode = "usual";
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const files = (): ReturnType<typeof createNodeClientFiles> => createNodeClientFiles({ roots: [base] });
const at = (...path: readonly string[]): string => join(base, ...path);

describe("a client's file", () => {
  test("is created with the given mode, and keeps its mode when replaced", async () => {
    for (const [mode, wanted] of [
      ["usual", 0o644],
      ["private", 0o600],
      ["program", 0o755],
    ] as const) {
      expect(await files().commit({ path: at(mode), before: undefined, after: bytes("x"), mode })).toBe("done");
      expect(statSync(at(mode)).mode & 0o777).toBe(wanted & ~(mode === "usual" ? process.umask() : 0));
    }
    writeFileSync(at("old"), "a");
    chmodSync(at("old"), 0o640);
    expect(await files().commit({ path: at("old"), before: bytes("a"), after: bytes("b"), mode })).toBe("done");
    expect(statSync(at("old")).mode & 0o777).toBe(0o640);
    expect(readFileSync(at("old"), "utf8")).toBe("b");
    expect(readdirSync(base).filter((name) => name.endsWith(".tmp"))).toEqual([]);
  });

  test("is neither replaced nor removed if its bytes are not the expected ones", async () => {
    writeFileSync(at("file"), "theirs");
    const change = { path: at("file"), after: bytes("ours"), mode } as const;
    expect(await files().commit({ ...change, before: bytes("old") })).toBe("changed");
    expect(await files().commit({ ...change, before: undefined })).toBe("changed");
    expect(await files().commit({ ...change, path: at("none"), before: bytes("old") })).toBe("changed");
    const removal = { path: at("file"), after: undefined, mode } as const;
    expect(await files().commit({ ...removal, before: bytes("old") })).toBe("changed");
    expect(readdirSync(base)).toEqual(["file"]);
    expect(readFileSync(at("file"), "utf8")).toBe("theirs");
    expect(await files().commit({ ...removal, before: bytes("theirs") })).toBe("done");
    expect(readdirSync(base)).toEqual([]);
  });

  test("is refused if it is behind a link or not a regular file", async () => {
    mkdirSync(at("real"));
    writeFileSync(at("real", "file"), "x");
    symlinkSync(at("real"), at("folder"));
    symlinkSync(at("real", "file"), at("link"));
    symlinkSync(at("nowhere"), at("dangling"));
    symlinkSync(tmpdir(), at("outside"));
    const refused = [at("link"), at("dangling"), at("outside", "file"), at("real")];
    if (spawnSync("mkfifo", [at("pipe")]).status === 0) refused.push(at("pipe"));
    for (const path of refused) {
      const code = expect.stringMatching(/^(?:link_outside|not_a_file)$/u);
      await expect(files().read(path), path).rejects.toMatchObject({ code });
      const change = { path, before: undefined, after: bytes("y"), mode } as const;
      await expect(files().commit(change), path).rejects.toMatchObject({ code });
      const removal = { path, before: bytes("x"), after: undefined, mode } as const;
      await expect(files().commit(removal), path).rejects.toMatchObject({ code });
    }
    await expect(files().read(at("link"))).rejects.toThrow("links are not followed");
    expect(readFileSync(at("real", "file"), "utf8")).toBe("x");
    expect(lstatSync(at("link")).isSymbolicLink()).toBe(true);
  });

  test("may be below a root that is a link", async () => {
    mkdirSync(at("real"));
    symlinkSync(at("real"), at("home"));
    const reached = createNodeClientFiles({ roots: [at("home")] });
    const path = at("home", ".claude", "settings.json");
    expect(await reached.commit({ path, before: undefined, after: bytes("{}"), mode })).toBe("done");
    expect(readFileSync(at("real", ".claude", "settings.json"), "utf8")).toBe("{}");
  });
});

test("removeFolder removes only an empty folder", async () => {
  mkdirSync(at("a"));
  writeFileSync(at("a", "x"), "");
  expect(await files().list(at("a"))).toEqual(["x"]);
  expect(await files().removeFolder(at("a"))).toBe("kept");
  rmSync(at("a", "x"));
  expect(await files().removeFolder(at("a"))).toBe("gone");
  expect(await files().removeFolder(at("a"))).toBe("gone");
  expect(await files().list(at("a"))).toBeUndefined();
  expect(existsSync(at("a"))).toBe(false);
});

test("missing folders above a new file are created", async () => {
  const change = { path: at("no", "such", "file"), before: undefined, after: bytes("x"), mode } as const;
  expect(await files().commit(change)).toBe("done");
  expect(readFileSync(at("no", "such", "file"), "utf8")).toBe("x");
});

test.skipIf(process.getuid?.() !== 0)("a file keeps its owner when root replaces it", async () => {
  writeFileSync(at("theirs"), "a");
  chownSync(at("theirs"), 4242, 4343);
  chmodSync(at("theirs"), 0o600);
  const change = { path: at("theirs"), before: bytes("a"), after: bytes("b"), mode } as const;
  expect(await files().commit(change)).toBe("done");
  const { uid, gid, mode: kept } = statSync(at("theirs"));
  expect([uid, gid, kept & 0o777]).toEqual([4242, 4343, 0o600]);
});

test("a file in place of a folder is refused, even outside the roots", async () => {
  writeFileSync(at("file"), "x");
  const elsewhere = createNodeClientFiles({ roots: [at("other")] });
  await expect(elsewhere.read(at("file", "below"))).rejects.toBeInstanceOf(MemoryError);
});

test("an empty or relative HOME is refused with a clear message", () => {
  const before = process.env["HOME"];
  try {
    for (const home of ["", "relative"]) {
      process.env["HOME"] = home;
      expect(() => findClientPlaces(base), home).toThrow(/HOME .* absolute path/u);
    }
  } finally {
    process.env["HOME"] = before;
  }
});

test.each([
  [{}, [".openclaw", "workspace"]],
  [{ OPENCLAW_PROFILE: "work" }, [".openclaw-work", "workspace"]],
  [{ OPENCLAW_PROFILE: "default" }, [".openclaw", "workspace"]],
  [{ OPENCLAW_PROFILE: "../x" }, [".openclaw", "workspace"]],
  [{ OPENCLAW_HOME: "oc" }, ["oc", ".openclaw", "workspace"]],
  [{ OPENCLAW_STATE_DIR: "state", OPENCLAW_PROFILE: "work" }, ["state", "workspace"]],
  [{ OPENCLAW_STATE_DIR: "state", OPENCLAW_WORKSPACE_DIR: "w" }, ["w"]],
])("finds OpenClaw's workspace like OpenClaw does: %o", (named, wanted) => {
  const before = { ...process.env };
  try {
    process.env["HOME"] = base;
    for (const [name, value] of Object.entries(named))
      process.env[name] = name === "OPENCLAW_PROFILE" ? value : at(value);
    const { openclaw } = findClientPlaces(base);
    expect(openclaw).toBe(at(...wanted));
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});

test("uses the clients' folders from the environment if they are absolute paths", () => {
  const before = { ...process.env };
  try {
    Object.assign(process.env, {
      HOME: base,
      CODEX_HOME: at("cx"),
      CLAUDE_CONFIG_DIR: at("cc"),
      GEMINI_CLI_HOME: at("gem"),
      XDG_STATE_HOME: "relative",
    });
    delete process.env["XDG_CONFIG_HOME"];
    expect(findClientPlaces(base)).toMatchObject({
      home: base,
      codex: at("cx"),
      gemini: at("gem"),
      claude: at("cc"),
      claudeState: at("cc", ".claude.json"),
      opencode: at(".config", "opencode"),
    });
    expect(userStateFolder()).toBe(at(".local", "state", "heartwood"));
    expect(() => findClientPlaces(at("none"))).toThrow(/not a usable folder/u);
  } finally {
    for (const name of Object.keys(process.env)) if (!(name in before)) delete process.env[name];
    Object.assign(process.env, before);
  }
});
