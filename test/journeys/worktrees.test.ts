import { execFile, execFileSync } from "node:child_process";
import {
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { answer, lines, said } from "../fixtures/transcripts/claude-code.ts";
import { bin, fire } from "../hooks/fired.ts";
import { startRaw, textOf } from "../mcp/raw.ts";

/** Git worktrees and memories in subfolders, with the real git and the built program. */
let base = "";
let env: Readonly<Record<string, string>> = {};
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-worktrees-")));
  mkdirSync(join(base, "home"));
  env = { PATH: process.env["PATH"] ?? "", HOME: join(base, "home"), TZ: "UTC", HEARTWOOD_TODAY: "2026-03-24" };
});
afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const at = (path: string): string => join(base, path);

function put(path: string, text = ""): void {
  mkdirSync(dirname(at(path)), { recursive: true });
  writeFileSync(at(path), text);
}

function git(folder: string, ...words: readonly string[]): string {
  const who = ["-c", "user.name=Ann", "-c", "user.email=ann@example.org", "-c", "protocol.file.allow=always"];
  return execFileSync("git", [...who, ...words], { cwd: at(folder), encoding: "utf8", stdio: "pipe" });
}

/** A repository with one commit, which contains these files. */
function repository(name: string, files: readonly string[] = ["code.js", "packages/a/code.js"]): void {
  for (const file of files) put(`${name}/${file}`, "//\n");
  git(name, "init", "-q", "-b", "main");
  git(name, "add", "--all");
  git(name, "commit", "-q", "-m", "first");
}

function worktree(of: string, name: string): void {
  git(of, "worktree", "add", "-q", at(name), "-b", name.replaceAll("/", "-"));
}

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

/** Runs a command of the built program with this current folder. */
function run(folder: string, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { cwd: at(folder), env }, (error, out, err) => {
      resolve({ status: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

async function done(folder: string, ...words: readonly string[]): Promise<string> {
  const { status, out, err } = await run(folder, ...words);
  expect(status, err).toBe(0);
  return out;
}

const add = (folder: string, topic: string): Promise<string> =>
  done(folder, "log", "add", "--topic", topic, "--body", `- about ${topic}`);

/** The topics in a memory's log of a day, sorted. */
function topics(folder: string, day = "2026-03-24"): readonly string[] {
  const path = at(`${folder}/memory/${day}.md`);
  const log = existsSync(path) ? readFileSync(path, "utf8") : "";
  return [...log.matchAll(/^## (.+?) \[/gmu)].map(([, topic = ""]) => topic).toSorted();
}

/** The folder of the memory found from a folder; the error code if there is none. */
async function memoryOf(folder: string): Promise<string> {
  const { status, out } = await run(folder, "status", "--json");
  const document = JSON.parse(out) as { readonly dir?: string; readonly error?: { readonly code: string } };
  return status === 0 ? (document.dir ?? "").replace(`${base}/`, "") : (document.error?.code ?? "");
}

const uuid = (number: number): string => `5f0c3a52-9a6e-4c1b-8f3e-${String(number).padStart(12, "0")}`;

/** Writes a transcript of Claude Code for a session in a folder. */
function session(folder: string, number: number, text: string): { readonly id: string; readonly path: string } {
  const [id, cwd] = [uuid(number), at(folder)];
  const path = `home/.claude/projects/${cwd.replaceAll(/[^A-Za-z0-9]/gu, "-")}/${id}.jsonl`;
  const rows = [
    said(`q${number}`, text, "2026-03-24T10:00:00.000Z"),
    answer(`a${number}`, `Noted: ${text}`, "2026-03-24T10:00:10.000Z"),
  ];
  put(path, lines(rows.map((row) => ({ ...row, sessionId: id, cwd }))));
  return { id, path: at(path) };
}

const hook = (folder: string, client: string, event: string, input: object = {}) =>
  fire(
    { dir: at(folder), env: { ...env, HEARTWOOD_HOOK_MS: "100000" }, remove: () => undefined },
    [client, event],
    JSON.stringify({ session_id: uuid(0), cwd: at(folder), source: "startup", ...input }),
  );

describe("two worktrees", () => {
  beforeEach(async () => {
    repository("main");
    await done("main", "init");
    worktree("main", "one");
    worktree("main", "two");
  });

  test("use the memory of the main checkout, also from a folder that only the worktree has", async () => {
    mkdirSync(at("one/packages/new/deep"), { recursive: true });
    for (const folder of ["one", "two/packages/a", "one/packages/new/deep"])
      expect(await memoryOf(folder)).toBe("main");
    expect((await run("one", "status")).err).toContain(`heartwood: working in ${at("main")}\n`);
  });

  test("write to it at once on the same day, and every entry is there once", async () => {
    const wanted = ["main", "one", "two", "two/packages/a"].flatMap((folder) =>
      Array.from({ length: 4 }, (_, number) => ({ folder, topic: `${folder.replaceAll("/", " ")} ${number}` })),
    );
    await Promise.all(wanted.map(({ folder, topic }) => add(folder, topic)));
    expect(topics("main")).toEqual(wanted.map(({ topic }) => topic).toSorted());
    expect(existsSync(at("one/memory"))).toBe(false);
    expect(existsSync(at("two/.heartwood"))).toBe(false);
    expect(git("one", "status", "--porcelain")).toBe("");
  });

  test("end their sessions at once, and every turn is captured once, also by the next session in the main checkout", async () => {
    const sessions = ["one", "two", "two/packages/a"].map((folder, number) => ({
      folder,
      ...session(folder, number, `The port of ${folder} is ${7001 + number}.`),
    }));
    // The client of the last one was killed: no event, so only the transcript is left.
    const ended = sessions.slice(0, 2);
    const fired = ended.flatMap(({ folder, id, path }) =>
      ["Stop", "SessionEnd"].map((event) =>
        hook(folder, "claude-code", event, { session_id: id, transcript_path: path, hook_event_name: event }),
      ),
    );
    for (const { status, stderr } of await Promise.all(fired))
      expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    const log = (): string =>
      existsSync(at("main/memory/2026-03-24.md")) ? readFileSync(at("main/memory/2026-03-24.md"), "utf8") : "";
    for (const number of [7001, 7002]) await expect.poll(log, { timeout: 600_000 }).toContain(`is ${number}.`);
    await done("main", "capture", "claude-code", "--all", "--ended", "session");
    for (const number of [7001, 7002, 7003])
      expect(log().match(new RegExp(`^.*User.*is ${number}\\.`, "gmu")) ?? []).toHaveLength(1);
    expect(existsSync(at("one/memory"))).toBe(false);
  });

  test("give their agents its start text, and the server finds it from CLAUDE_PROJECT_DIR", async () => {
    await add("main", "Limiter");
    await done("one", "compact");
    expect((await hook("one", "claude-code", "SessionStart")).stdout).toContain("Limiter");
    expect((await hook("two/packages/a", "codex", "SessionStart")).stdout).toContain("Limiter");
    const server = await startRaw(at("home"), { env: { ...env, CLAUDE_PROJECT_DIR: at("two/packages/a") } });
    expect(textOf(await server.call("memory_search", { query: "Limiter" }))).toContain("about «Limiter»");
    server.hangUp();
    await server.ended;
  });

  test("--dir names exactly one folder, with no search", async () => {
    const { status, err } = await run("one", "status", "--dir", ".");
    expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("has no heartwood.config.json") });
  });

  test("each have their own memory if the configuration says so", async () => {
    const file = at("main/heartwood.config.json");
    writeFileSync(
      file,
      readFileSync(file, "utf8").replace('"worktrees": "shared"', '// one each\n  "worktrees": "own",'),
    );
    expect(await memoryOf("one")).toBe("no_memory");
    await done("one", "init");
    await add("one", "Only one");
    await add("main", "Only main");
    expect([topics("one"), topics("main")]).toEqual([["Only one"], ["Only main"]]);
    session("one", 1, "The port is 7001.");
    expect((await run("main", "capture", "claude-code", "--all")).err).toContain("No transcript from claude-code");
    await done("one", "capture", "claude-code", "--all", "--ended", "session");
    expect(topics("one")).toHaveLength(2);
    expect(await memoryOf("two")).toBe("no_memory");
  });
});

describe("a worktree of a checkout without a memory", () => {
  test("gets one in the main checkout from init, where it survives the worktree", async () => {
    repository("main");
    worktree("main", "one");
    expect(await memoryOf("one")).toBe("no_memory");
    const { err } = await run("one", "init");
    expect(err).toContain(`working in ${at("main")}`);
    await add("one", "Kept");
    git("main", "worktree", "remove", "--force", at("one"));
    expect(topics("main")).toEqual(["Kept"]);
  });

  test("keeps using its own if it has one", async () => {
    repository("main");
    worktree("main", "one");
    await done("one", "init", "--dir", ".");
    await done("one", "init");
    expect(await memoryOf("one")).toBe("one");
    expect(existsSync(at("main/heartwood.config.json"))).toBe(false);
  });
});

describe("a .git file that proves nothing", () => {
  beforeEach(async () => {
    repository("main");
    await done("main", "init");
    await add("main", "Secret plan");
    worktree("main", "one");
  });

  const forged: readonly (readonly [string, () => void])[] = [
    ["is a copy of a worktree's", () => cpSync(at("one/.git"), at("evil/.git"))],
    ["names a place that does not exist", () => put("evil/.git", `gitdir: ${at("main/.git/worktrees/evil")}\n`)],
    ["names the main checkout itself", () => put("evil/.git", `gitdir: ${at("main/.git")}\n`)],
    [
      "names a place of its own that refers to the main checkout",
      () => {
        put("evil/.git", "gitdir: bare/worktrees/evil\n");
        put("evil/bare/worktrees/evil/gitdir", `${at("evil/.git")}\n`);
        put("evil/bare/worktrees/evil/commondir", `${at("main/.git")}\n`);
      },
    ],
  ];

  test.each(forged)("and %s does not open the memory of the checkout", async (_how, forge) => {
    mkdirSync(at("evil"));
    forge();
    expect(await memoryOf("evil")).toBe("no_memory");
    expect((await hook("evil", "claude-code", "SessionStart")).stdout).toBe("");
    session("evil", 1, "The port is 7001.");
    expect((await run("main", "capture", "claude-code", "--all")).err).toContain("No transcript from claude-code");
  });

  test.runIf(process.getuid?.() === 0)("and belongs to another user does not open it either (needs root)", async () => {
    expect(await memoryOf("one")).toBe("main");
    lchownSync(at("one/.git"), 54_321, 54_321);
    expect(await memoryOf("one")).toBe("no_memory");
  });

  test("and a checkout that lists another project's folder gets none of its sessions", async () => {
    repository("other");
    session("other", 1, "The port is 7001.");
    put("main/.git/worktrees/other/gitdir", `${at("other/.git")}\n`);
    put("main/.git/worktrees/other/commondir", "../..\n");
    expect((await run("main", "capture", "claude-code", "--all")).err).toContain("No transcript from claude-code");
  });
});

test("paths relative to their files are followed, and extra lines, links and settings of other sections do not matter", async () => {
  repository("main");
  await done("main", "init");
  worktree("main", "one");
  put("one/.git", "gitdir: ../main/.git/worktrees/one\r\n");
  put("main/.git/worktrees/one/gitdir", "../../../../one/.git\n");
  git("main", "config", "alias.bare", "log");
  git("main", "config", "remote.origin.url", "/srv/bare");
  git("main", "config", "extensions.worktreeConfig", "true");
  symlinkSync(base, `${base}-link`);
  const { dir } = JSON.parse((await run("../" + `${basename(base)}-link/one`, "status", "--json")).out) as {
    readonly dir: string;
  };
  rmSync(`${base}-link`);
  expect(dir).toBe(at("main"));
  git("main", "config", "core.worktree", at("one"));
  expect(await memoryOf("one")).toBe("no_memory");
});

test("a moved worktree is refused with a reason, until git knows about it", async () => {
  repository("main");
  await done("main", "init");
  worktree("main", "one");
  worktree("main", "two");
  renameSync(at("one"), at("three"));
  const { status, err } = await run("three", "status");
  expect({ status, err }).toMatchObject({ status: 2, err: expect.stringContaining("run `git worktree repair`") });
  git("three", "worktree", "repair");
  expect(await memoryOf("three")).toBe("main");
  git("main", "worktree", "move", at("two"), at("four"));
  expect(await memoryOf("four")).toBe("main");
  renameSync(at("main"), at("elsewhere"));
  expect((await run("three", "status")).err).toContain("run `git worktree repair`");
  git("elsewhere", "worktree", "repair", at("three"));
  expect(await memoryOf("three")).toBe("elsewhere");
});

test("a submodule and a worktree of a submodule use no memory of the repository around them", async () => {
  repository("library");
  repository("main");
  git("main", "submodule", "add", "-q", at("library"), "vendor/library");
  git("main", "commit", "-q", "-m", "library");
  await done("main", "init");
  expect(await memoryOf("main/vendor")).toBe("main");
  expect(await memoryOf("main/vendor/library")).toBe("no_memory");
  worktree("main/vendor/library", "one");
  expect(await memoryOf("one")).toBe("no_memory");
  expect((await run("one", "status")).err).not.toContain("worktree repair");
});

test.each(["bare.git", "project/.git", "project/.bare"])(
  "the worktrees of a bare repository in %s have no main checkout, so each has its own memory",
  async (name) => {
    repository("origin");
    git(".", "clone", "-q", "--bare", at("origin"), at(name));
    worktree(name, "one");
    worktree(name, "two");
    put("project/heartwood.config.json", "{}\n");
    await done("one", "init");
    expect([await memoryOf("one"), await memoryOf("two")]).toEqual(["one", "no_memory"]);
  },
);

test("an untrusted clone and its worktree give nothing but one line, until the user trusts the clone, from either", async () => {
  repository("theirs");
  await done("theirs", "init");
  await add("theirs", "Planted");
  await done("theirs", "compact");
  git("theirs", "add", "--all");
  git("theirs", "commit", "-q", "-m", "memory");
  git(".", "clone", "-q", at("theirs"), at("clone"));
  worktree("clone", "one");
  const start = async (folder: string, id: number): Promise<string> =>
    (await hook(folder, "claude-code", "SessionStart", { session_id: uuid(id) })).stdout;
  for (const [number, folder] of ["clone", "one"].entries()) {
    const text = await start(folder, number + 1);
    expect(text).toContain("heartwood trust");
    expect(text).not.toContain("Planted");
  }
  expect(await done("one", "trust")).toContain(`Trusted ${at("clone")}`);
  for (const [number, folder] of ["clone", "one"].entries())
    expect(await start(folder, number + 3)).toContain("Planted");
});

describe("a subfolder with its own memory, below the root's", () => {
  beforeEach(async () => {
    repository("main");
    await done("main", "init");
    await done("main/packages/a", "init");
    worktree("main", "one");
  });

  test("is used from there, in a worktree too; its neighbours use the root's", async () => {
    mkdirSync(at("main/packages/b"));
    expect(await memoryOf("main/packages/a")).toBe("main/packages/a");
    expect(await memoryOf("one/packages/a")).toBe("main/packages/a");
    expect(await memoryOf("main/packages/b")).toBe("main");
    expect(await memoryOf("one")).toBe("main");
  });

  test("captures its own sessions, and the root captures the others", async () => {
    session("main", 1, "The port is 7001.");
    session("main/packages/a", 2, "The port is 7002.");
    session("one/packages/a", 3, "The port is 7003.");
    session("one", 4, "The port is 7004.");
    for (const folder of ["main", "main/packages/a"])
      await done(folder, "capture", "claude-code", "--all", "--ended", "session");
    const ports = (folder: string): readonly string[] => [
      ...new Set(readFileSync(at(`${folder}/memory/2026-03-24.md`), "utf8").match(/700\d/gu)),
    ];
    expect(ports("main").toSorted()).toEqual(["7001", "7004"]);
    expect(ports("main/packages/a").toSorted()).toEqual(["7002", "7003"]);
  });

  test("is found in Copilot, which names the root of the repository", async () => {
    await add("main/packages/a", "Inner");
    await done("main/packages/a", "compact");
    const input = { sessionId: uuid(1), cwd: at("main/packages/a"), timestamp: 1_774_300_000_000, prompt: "hello" };
    const fired = await fire(
      {
        dir: at("main/packages/a"),
        env: { ...env, CLAUDE_PROJECT_DIR: at("main"), HEARTWOOD_HOOK_MS: "100000" },
        remove: () => undefined,
      },
      ["copilot", "userPromptSubmitted"],
      JSON.stringify(input),
    );
    expect(fired.stdout).toContain("Inner");
  });
});
