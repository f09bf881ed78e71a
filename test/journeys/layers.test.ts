import { execFile, execFileSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { ReplayResult } from "../../src/agents/sessions/list.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { answer, lines, said } from "../fixtures/transcripts/claude-code.ts";
import { bin } from "../hooks/fired.ts";
import { startRaw, textOf } from "../mcp/raw.ts";

/** A personal memory under a project's, and the memory of a repository's root under a subfolder's, with the built program. */
let base = "";
let env: Readonly<Record<string, string>> = {};
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), "heartwood-layers-")));
  for (const folder of ["home", "main/packages/a"]) mkdirSync(join(base, folder), { recursive: true });
  env = { PATH: process.env["PATH"] ?? "", HOME: join(base, "home"), TZ: "UTC", HEARTWOOD_TODAY: "2026-03-24" };
  execFileSync("git", ["init", "-q"], { cwd: join(base, "main") });
});
afterEach(() => rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));

const personal = "home/.local/share/heartwood";

interface Ran {
  readonly status: number;
  readonly out: string;
  readonly err: string;
}

function run(folder: string, ...words: readonly string[]): Promise<Ran> {
  return new Promise((resolve) => {
    execFile(process.execPath, [bin, ...words], { cwd: join(base, folder), env }, (error, out, err) => {
      resolve({ status: typeof error?.code === "number" ? error.code : 0, out, err });
    });
  });
}

async function done(folder: string, ...words: readonly string[]): Promise<string> {
  const { status, out, err } = await run(folder, ...words);
  expect(status, err).toBe(0);
  return out;
}

const add = (folder: string, topic: string, body: string, ...more: readonly string[]): Promise<string> =>
  done(folder, "log", "add", "--topic", topic, "--type", "feedback", "--body", `- ${body}`, ...more);

async function recalled(folder: string, text: string): Promise<readonly (readonly [string, string])[]> {
  const { context } = JSON.parse(await done(folder, "recall", text, "--json")) as RecallResult;
  return context.map(({ text: passage, layer }) => [layer ?? "own", passage]);
}

/** Every file in a folder, except in `.heartwood/`, with its text. */
function textsIn(folder: string): ReadonlyMap<string, string> {
  const names = readdirSync(join(base, folder), { recursive: true, withFileTypes: true });
  const files = names.filter((one) => one.isFile()).map((one) => join(one.parentPath, one.name));
  return new Map(
    files.filter((path) => !path.includes(".heartwood")).map((path) => [path, readFileSync(path, "utf8")]),
  );
}

describe("a personal memory", () => {
  test("is created, written and asked with --personal, from any folder", async () => {
    const missing = await run("main", "log", "add", "--topic", "T", "--body", "- b", "--personal");
    expect(missing).toMatchObject({ status: 2, err: expect.stringContaining("heartwood init --personal") });
    await done("main", "init", "--personal");
    expect(existsSync(join(base, personal, "heartwood.config.json"))).toBe(true);
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    expect(existsSync(join(base, "main/memory"))).toBe(false);
    expect(await done("home", "recall", "Which editor do I use?", "--personal")).toContain("Helix");
    const two = await run("main", "status", "--personal", "--dir", ".");
    expect(two).toMatchObject({ status: 2, err: expect.stringContaining("pass only one of them") });
  });

  test("is in the folder that XDG_DATA_HOME names", async () => {
    env = { ...env, XDG_DATA_HOME: join(base, "data") };
    await done("main", "init", "--personal");
    expect(existsSync(join(base, "data/heartwood/heartwood.config.json"))).toBe(true);
  });

  test("is asked under the project's, marked, and silent on a topic that the project has a rule for", async () => {
    await done("main", "init");
    await done("main", "init", "--personal");
    await add("main", "Package manager", "use pnpm as the package manager here, never npm");
    await add("main", "Package manager", "use npm as the package manager, unless told otherwise", "--personal");
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    const found = await recalled("main", "Which editor do I use?");
    expect(found).toContainEqual(["personal", expect.stringContaining("Helix")]);
    const rules = await recalled("main", "Which package manager should I use?");
    expect(rules.map(([layer]) => layer)).toEqual(["own"]);
    const printed = await done("main", "recall", "Which editor do I use?");
    const day = /^personal (\S+) .*:\n(\d+(?:-\d+)?)/mu.exec(printed);
    expect(await done("main", "read", `personal:memory/${day?.[1]}.md:${day?.[2]}`)).toContain("Helix");
    const server = await startRaw(join(base, "main"), { env });
    expect(textOf(await server.call("memory_recall", { text: "Which editor do I use?" }))).toContain("Helix");
    server.hangUp();
    await server.ended;
  });

  test("is not asked once the user no longer trusts it", async () => {
    await done("main", "init");
    await done("main", "init", "--personal");
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    await done("main", "trust", "--remove", "--personal");
    expect(await recalled("main", "Which editor do I use?")).toEqual([]);
    await done("main", "trust", "--personal");
    expect(await recalled("main", "Which editor do I use?")).toHaveLength(1);
  });

  test("is never written by capture: neither from a project, nor from its own folder, nor on request", async () => {
    await done("main", "init");
    await done("main", "init", "--personal");
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    const before = textsIn(personal);
    for (const [number, folder] of ["main", personal].entries()) {
      const [id, cwd] = [`5f0c3a52-9a6e-4c1b-8f3e-${String(number).padStart(12, "0")}`, join(base, folder)];
      const path = join(base, "home/.claude/projects", cwd.replaceAll(/[^A-Za-z0-9]/gu, "-"), `${id}.jsonl`);
      mkdirSync(dirname(path), { recursive: true });
      const rows = [
        said(`q${number}`, "I always use Helix.", "2026-03-24T10:00:00.000Z"),
        answer(`a${number}`, "Noted: Helix.", "2026-03-24T10:00:10.000Z"),
      ];
      writeFileSync(path, lines(rows.map((row) => ({ ...row, sessionId: id, cwd }))));
    }
    await done("main", "capture", "claude-code", "--all", "--ended", "session");
    expect(readFileSync(join(base, "main/memory/2026-03-24.md"), "utf8")).toContain("I always use Helix.");
    for (const [folder, ...more] of [["main", "--personal"], [personal]] as const) {
      const { status, err } = await run(folder, "capture", "claude-code", "--all", ...more);
      expect({ status, err }).toMatchObject({
        status: 2,
        err: expect.stringContaining("keeps only what is logged to it"),
      });
    }
    expect(textsIn(personal)).toEqual(before);
  });
});

describe("a subfolder's memory", () => {
  beforeEach(async () => {
    await done("main", "init");
    await done("main/packages/a", "init");
    await done("main", "init", "--personal");
    await add("main", "Branches", "name branches after the ticket in this repository");
  });

  test("comes first, then the root's, then the personal one", async () => {
    await add("main", "Branches", "name branches after the day of the week", "--personal");
    await add("main/packages/a", "Port", "the server of this package listens on port 5544");
    const question = "How do I name branches, and on which port does the server listen?";
    const found = await recalled("main/packages/a", question);
    expect(found).toEqual([
      ["own", expect.stringContaining("5544")],
      ["above", expect.stringContaining("ticket")],
    ]);
    expect((await recalled("main", question)).map(([layer]) => layer)).toEqual(["own"]);
  });

  test("is alone if the root's is not trusted", async () => {
    await done("main", "trust", "--remove");
    expect(await recalled("main/packages/a", "How do I name branches?")).toEqual([]);
  });
});

describe("what an agent is given", () => {
  /** What a hook of Claude Code prints for the model. */
  async function given(folder: string, event: string, more: object = {}): Promise<string> {
    const input = {
      session_id: "s1",
      cwd: join(base, folder),
      source: "startup",
      prompt_id: `${Math.random()}`,
      ...more,
    };
    const out = await new Promise<string>((resolve) => {
      const hook = { HEARTWOOD_HOOK_MS: "100000", ...env };
      const child = execFile(
        process.execPath,
        [bin, "hook", "claude-code", event],
        { cwd: join(base, folder), env: hook },
        (_, text) => resolve(text),
      );
      child.stdin?.end(JSON.stringify(input));
    });
    const answered = out === "" ? {} : (JSON.parse(out) as { hookSpecificOutput?: { additionalContext?: string } });
    return answered.hookSpecificOutput?.additionalContext ?? "";
  }

  test("begins with the project's memory, then the personal one, each topic once", async () => {
    await done("main", "init");
    await done("main", "init", "--personal");
    await add("main", "Package manager", "use pnpm as the package manager here, never npm");
    await add("main", "Package manager", "use npm as the package manager, unless told otherwise", "--personal");
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    for (const more of [[], ["--personal"]]) {
      await done("main", "compact", ...more);
      await done("main", "index", ...more);
    }
    const text = await given("main", "session-start");
    expect(text).toMatch(
      /# memory\/ROOT\.md, as of [\d-]+\n[^]*pnpm[^]*# personal:memory\/ROOT\.md \(the user's own memory, in all projects\)\n[^]*Helix/u,
    );
    expect(text).not.toContain("unless told otherwise");
    expect(
      await given("main", "prompt", { session_id: "s2", prompt: "Which editor do I use on this machine?" }),
    ).toMatch(/^personal .*\n.*Helix/mu);
  });

  test("has nothing that one of our tools returned in the same session", async () => {
    await done("main", "init");
    await add("main", "Package manager", "use pnpm as the package manager here, never npm");
    await done("main", "index");
    const asked = { prompt: "Which package manager do we use here?" };
    expect(await given("main", "prompt", { ...asked, session_id: "s2" })).toContain("pnpm");
    const server = await startRaw(join(base, "main"), { env: { ...env, CLAUDE_CODE_SESSION_ID: "s1" } });
    expect(textOf(await server.call("memory_recall", { text: asked.prompt }))).toContain("pnpm");
    server.hangUp();
    await server.ended;
    expect(await given("main", "prompt", asked)).not.toContain("pnpm");
    const { texts } = JSON.parse(await done("main", "replay", "s1", "--json")) as ReplayResult;
    expect(texts.map(({ event }) => event)).toEqual(["tool"]);
  });

  test("is the personal memory in a folder without one, and nothing is captured there", async () => {
    await done("main", "init", "--personal");
    await add("main", "Editor", "the user edits with Helix on every machine", "--personal");
    await done("main", "compact", "--personal");
    const before = textsIn(personal);
    expect(await given("main", "session-start")).toMatch(/^<<<\w+ The user's personal memory\.[^]*Helix/u);
    expect(await given("main", "session-end", { transcript_path: join(base, "t.jsonl") })).toBe("");
    expect(textsIn(personal)).toEqual(before);
    expect(existsSync(join(base, "main/memory"))).toBe(false);
    await done("main", "trust", "--remove", "--personal");
    expect(await given("main", "session-start", { session_id: "s3" })).toBe("");
  });
});

test("a memory above a folder outside any repository is not asked", async () => {
  mkdirSync(join(base, "notes/inner"), { recursive: true });
  await done("notes", "init");
  await add("notes", "Branches", "name branches after the ticket");
  await done("notes/inner", "init", "--dir", ".");
  expect(await recalled("notes/inner", "How do I name branches?")).toEqual([]);
});
