import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createTranscripts } from "../../src/agents/transcripts/index.ts";
import { runCapture, runImport, type CaptureResult } from "../../src/agents/capture/run.ts";
import type { Client } from "../../src/agents/transcripts/transcripts.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import {
  addOpencodeMessage,
  addOpencodeSession,
  addOpenclawEvent,
  openclawDatabase,
  opencodeDatabase,
} from "../fixtures/transcripts/databases.ts";
import { lines, shortSession, claudeSession } from "../fixtures/transcripts/claude-code.ts";

const homes: string[] = [];
afterAll(() => {
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

function newHome(): string {
  const home = mkdtempSync(join(tmpdir(), "heartwood-home-"));
  homes.push(home);
  return home;
}

const fixture = (name: string): string => join(import.meta.dirname, "..", "fixtures", "transcripts", name);

/** A memory of the project /srv/app, for a person with this home. */
function opened(home = newHome(), dir?: string): TestMemory & { readonly home: string } {
  const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: home, environment: {} } });
  const test = openTestMemory({ disk: "folder", with: { transcripts } });
  return { ...test, memory: { ...test.memory, dir: dir ?? "/srv/app" }, home };
}

function plant(home: string, path: string, from: string): string {
  const to = join(home, path);
  mkdirSync(dirname(to), { recursive: true });
  cpSync(fixture(from), to);
  return to;
}

async function messages(test: TestMemory, threadId: string): Promise<readonly (readonly [string, string])[]> {
  const frames = await test.memory.threads.frames({ thread_id: threadId, limit: 10_000 });
  return frames
    .map(({ line }) => JSON.parse(line) as { readonly actor_id?: string; readonly content?: string })
    .flatMap(({ actor_id = "", content }) => (content === undefined ? [] : [[actor_id, content] as const]));
}

async function twice(
  test: TestMemory,
  client: Client,
  path?: string,
): Promise<readonly [CaptureResult, CaptureResult]> {
  const input = { client, ...(path === undefined ? {} : { path }) };
  const first = await runImport(test.memory, input);
  return [first, await runImport(test.memory, input)];
}

function expectKnown(result: CaptureResult): void {
  for (const { messages: taken, entries } of result.sessions) expect([taken.added, entries.added]).toEqual([0, 0]);
}

describe("a client whose files are elsewhere", () => {
  const elsewhere = newHome();
  const rollout = "rollout-2026-03-10T09-00-00-0199c0de-1111-7000-8000-000000000001.jsonl";
  const openclaw = "agents/main/agent/openclaw-agent.sqlite";

  it.each([
    ["codex", "CODEX_HOME", elsewhere, `sessions/2026/03/10/${rollout}`],
    ["gemini", "GEMINI_CLI_HOME", elsewhere, ".gemini/tmp/app/chats/session-2026-03-10T09-00-0199c0de.jsonl"],
    ["openclaw", "OPENCLAW_STATE_DIR", elsewhere, openclaw],
    ["openclaw", "OPENCLAW_HOME", elsewhere, `.openclaw/${openclaw}`],
    ["openclaw", "OPENCLAW_PROFILE", "work", `.openclaw-work/${openclaw}`],
  ] as const)("%s is found by %s", async (client, variable, value, path) => {
    const folder = newHome();
    const to = join(value === elsewhere ? elsewhere : folder, path);
    mkdirSync(dirname(to), { recursive: true });
    if (client === "openclaw") openclawDatabase(to, "s", [{ type: "session", id: "s", cwd: "/srv/app" }]).close();
    else cpSync(fixture(`${client}.jsonl`), to);
    const home = { folder, environment: { [variable]: value } };
    const found = await createTranscripts({ driver: nodeSqlite, home }).find({ client, most: 10 });
    expect(found).toHaveLength(1);
    rmSync(to);
  });
});

describe("Codex", () => {
  it("gives the user's prompts and the model's words, and nothing that it adds to them", async () => {
    const test = opened();
    plant(
      test.home,
      ".codex/sessions/2026/03/10/rollout-2026-03-10T09-00-00-0199c0de-1111-7000-8000-000000000001.jsonl",
      "codex.jsonl",
    );
    const { sessions, warnings } = await runCapture(test.memory, { client: "codex" });
    expect(warnings).toEqual([]);
    expect(sessions).toMatchObject([
      { day: "2026-03-10", messages: { added: 2 }, entries: { added: 1 }, left_out: { injected: 1, tool: 2 } },
    ]);
    expect(await messages(test, "codex-0199c0de-1111-7000-8000-000000000001")).toEqual([
      ["user", "Rename the table ledger to journal"],
      ["assistant", "The table is called journal now, in migration 0042."],
    ]);
    expectKnown((await twice(test, "codex"))[0]);
  });
});

describe("Gemini CLI", () => {
  it("gives messages without what hooks put into them", async () => {
    const test = opened();
    const path = plant(test.home, ".gemini/tmp/app/chats/session-2026-03-10T09-00-0199c0de.jsonl", "gemini.jsonl");
    const { sessions } = await runCapture(test.memory, { client: "gemini", path, ended: "turn" });
    expect(sessions).toMatchObject([
      { messages: { added: 2 }, entries: { added: 1 }, left_out: { internal: 3, tool: 1 } },
    ]);
    expect(await messages(test, "gemini-0199c0de-2222-4000-8000-000000000002")).toEqual([
      ["user", "Which port does the staging database have?"],
      ["assistant", "It listens on port 5433."],
    ]);
  });

  it("of an older version, with one object per file, is not found, and is refused or reported if named", async () => {
    const test = opened();
    const chat = {
      sessionId: "old",
      startTime: "2025-03-10T09:00:00Z",
      messages: [{ type: "user", content: "Hello" }],
    };
    const folder = join(test.home, ".gemini/tmp/app/chats");
    mkdirSync(folder, { recursive: true });
    const path = join(folder, "session-2025-03-10T09-00-old.json");
    writeFileSync(path, JSON.stringify(chat, null, 2));
    await expect(runImport(test.memory, { client: "gemini", all: true })).rejects.toMatchObject({ code: "not_found" });
    await expect(runImport(test.memory, { client: "gemini", path })).rejects.toMatchObject({ code: "invalid_body" });
    writeFileSync(path, `${JSON.stringify(chat)}\n`);
    const { sessions, warnings } = await runImport(test.memory, { client: "gemini", path });
    expect(sessions).toMatchObject([{ messages: { added: 0 }, left_out: { unknown: 1 } }]);
    expect(warnings).toMatchObject([{ code: "unknown_row", message: expect.stringContaining("a whole chat") }]);
  });

  it("is found by the hash of the project, or by the marker next to its chats", async () => {
    const home = newHome();
    const path = plant(home, ".gemini/tmp/app/chats/session-1-0199c0de.jsonl", "gemini.jsonl");
    const test = opened(home);
    await expect(runCapture(test.memory, { client: "gemini" })).rejects.toMatchObject({ code: "not_found" });
    writeFileSync(join(home, ".gemini/tmp/app/.project_root"), "/srv/app\n");
    expect((await runCapture(test.memory, { client: "gemini" })).sessions).toHaveLength(1);
    rmSync(join(home, ".gemini/tmp/app/.project_root"));
    const projectHash = createHash("sha256").update("/srv/app").digest("hex");
    writeFileSync(path, `${JSON.stringify({ sessionId: "other", projectHash, startTime: "2026-03-10T09:00:00Z" })}\n`);
    expect((await runCapture(test.memory, { client: "gemini" })).sessions[0]?.session).toBe("other");
  });
});

describe("Copilot CLI", () => {
  it("gives what the user typed and the model's words", async () => {
    const test = opened();
    plant(test.home, ".copilot/session-state/0199c0de-3333-4000-8000-000000000003/events.jsonl", "copilot.jsonl");
    const { sessions, warnings } = await runCapture(test.memory, { client: "copilot", ended: "turn" });
    expect(warnings).toEqual([]);
    expect(sessions).toMatchObject([
      { messages: { added: 3 }, entries: { added: 1 }, left_out: { internal: 4, tool: 3 } },
    ]);
    const log = test.read("memory/2026-03-10.md");
    expect(log).toContain("User: Make the nightly export smaller\nAssistant: The export is packed with zstd now");
  });
});

const at = Date.UTC(2026, 2, 10, 9);

describe("OpenCode", () => {
  const session = "ses_6f3aB0cD";
  const user = { role: "user", agent: "build", time: { created: at } };
  const model = { role: "assistant", mode: "build", finish: "stop", time: { created: at + 1, completed: at + 2 } };

  function planted(home: string) {
    const path = join(home, ".local/share/opencode/opencode.db");
    const database = opencodeDatabase(path);
    addOpencodeSession(database, session);
    addOpencodeSession(database, "ses_child", { parent: session });
    addOpencodeSession(database, "ses_other", { directory: "/srv/other" });
    const text = (words: string, more = {}) => ({ type: "text", text: words, ...more });
    const message = (id: string, data: object, parts: readonly object[], time: number) =>
      addOpencodeMessage(database, { session, id, at: at + time, data, parts });
    message("m1", user, [text("Why is the report slow?"), text("attached", { synthetic: true })], 0);
    message("m2", model, [{ type: "step-start" }, { type: "tool", tool: "bash" }, text("An index is missing.")], 1000);
    message("m3", { ...user, agent: "compaction" }, [{ type: "compaction", auto: true }], 2000);
    message("m4", { ...model, summary: true }, [text("What we did so far")], 3000);
    return { path, database, message, text };
  }

  it("gives the messages of a session of the folder, and waits for an incomplete message", async () => {
    const test = opened();
    const { database, message, text } = planted(test.home);
    message("m5", user, [text("Add the index then, on the column of days")], 4000);
    message("m6", { ...model, time: { created: at } }, [text("I ad")], 5000);
    const first = await runCapture(test.memory, { client: "opencode" });
    expect(first.warnings).toEqual([]);
    expect(first.sessions).toMatchObject([
      { session, messages: { added: 3 }, entries: { added: 1 }, left_out: { internal: 3, tool: 1 } },
    ]);
    message("m6", model, [text("I added it.")], 5000);
    const second = await runCapture(test.memory, { client: "opencode", session });
    expect(second.sessions).toMatchObject([{ messages: { added: 1, known: 0 }, entries: { added: 1, known: 0 } }]);
    expect((await messages(test, "opencode-ses_6f3ab0cd")).map(([, words]) => words)).toEqual([
      "Why is the report slow?",
      "An index is missing.",
      "Add the index then, on the column of days",
      "I added it.",
    ]);
    expect((await test.memory.threads.head("opencode-ses_6f3ab0cd"))?.title).toBe("The slow query");
    database.close();
    expectKnown((await twice(test, "opencode"))[0]);
  });

  it("is read without leaving files next to the database", async () => {
    const test = opened();
    const { path, database } = planted(test.home);
    database.close();
    const before = readdirSync(dirname(path));
    await runImport(test.memory, { client: "opencode", path });
    expect(readdirSync(dirname(path))).toEqual(before);
  });

  it("is refused with a code if the file is something else", async () => {
    const test = opened();
    const path = join(test.home, "opencode.db");
    writeFileSync(path, "no database at all, but long enough to be looked at as if it were one".repeat(40));
    await expect(runImport(test.memory, { client: "opencode", path })).rejects.toMatchObject({ code: "invalid_body" });
  });
});

describe("OpenClaw", () => {
  it("of an older version, with sessions in JSON lines, is not found, and is refused if named", async () => {
    const test = opened();
    const path = join(test.home, ".openclaw/agents/main/sessions/one.jsonl");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `${JSON.stringify({ type: "session", version: 3, id: "one", cwd: "/srv/app" })}\n`.repeat(200));
    await expect(runImport(test.memory, { client: "openclaw" })).rejects.toMatchObject({ code: "not_found" });
    await expect(runImport(test.memory, { client: "openclaw", path })).rejects.toMatchObject({ code: "invalid_body" });
  });

  const session = "claw-1";
  const said = (id: string, role: string, text: string, more = {}) => ({
    type: "message",
    id,
    parentId: null,
    timestamp: new Date(at).toISOString(),
    message: { role, content: [{ type: "text", text }], ...more },
  });

  it("gives the text of packed and plain rows, without stamps, silent answers and the program's own prompts", async () => {
    const test = opened();
    const path = join(test.home, ".openclaw/agents/main/agent/openclaw-agent.sqlite");
    const database = openclawDatabase(path, session, [
      { type: "session", version: 4, id: session, timestamp: new Date(at).toISOString(), cwd: "/srv/app" },
      { type: "model_change", id: "e1", model: "m" },
      said("e2", "user", "[Tue 2026-03-10 09:00 UTC] Remind me of the dentist on Friday"),
      said("e3", "assistant", "I will, on Friday at nine.", { stopReason: "stop" }),
      said("e4", "toolResult", "ok"),
      said("e5", "user", "Read HEARTBEAT.md if it exists"),
      said("e6", "assistant", "HEARTBEAT_OK", { stopReason: "stop" }),
      { type: "a_new_kind", id: "e7" },
    ]);
    const first = await runCapture(test.memory, { client: "openclaw" });
    expect(first.warnings).toMatchObject([{ code: "unknown_row" }]);
    expect(first.sessions).toMatchObject([
      { messages: { added: 2 }, entries: { added: 1 }, left_out: { internal: 4, tool: 1, unknown: 1 } },
    ]);
    addOpenclawEvent(database, { session, seq: 8, event: said("e8", "user", "It was moved to Monday") });
    const second = await runCapture(test.memory, { client: "openclaw" });
    expect(second.sessions).toMatchObject([{ messages: { added: 1, known: 0 }, left_out: {} }]);
    expect((await messages(test, "openclaw-claw-1")).map(([, words]) => words)).toEqual([
      "Remind me of the dentist on Friday",
      "I will, on Friday at nine.",
      "It was moved to Monday",
    ]);
    database.close();
  });

  it("leaves out sessions of subagents, groups, channels, other people and jobs", async () => {
    const test = opened();
    const path = join(test.home, ".openclaw/agents/main/agent/openclaw-agent.sqlite");
    const head = (id: string) => ({ type: "session", version: 4, id, cwd: "/srv/app" });
    const database = openclawDatabase(path, "mine", [head("mine"), said("e1", "user", "Remind me of the dentist")]);
    for (const key of ["subagent:9", "telegram:group:7", "discord:channel:7", "telegram:direct:8", "cron:1"]) {
      const of = { session: key, key: `agent:main:${key}` };
      addOpenclawEvent(database, { ...of, seq: 0, event: head(key) });
      addOpenclawEvent(database, { ...of, seq: 1, event: said("e1", "user", `Said in ${key}`) });
    }
    addOpenclawEvent(database, { session: "job", key: "cron:1", seq: 0, event: head("job") });
    addOpenclawEvent(database, { session: "named", key: "agent:main:explicit:named", seq: 0, event: head("named") });
    addOpenclawEvent(database, { session: "named", seq: 1, event: said("e1", "user", "And of the tax return") });
    database.close();
    const { sessions } = await runCapture(test.memory, { client: "openclaw", all: true });
    expect(sessions.map(({ thread_id }) => thread_id).toSorted()).toEqual(["openclaw-mine", "openclaw-named"]);
  });
});

describe("exports", () => {
  it("of ChatGPT give the branch that the user sees, each conversation on its day", async () => {
    const test = opened();
    const [first, second] = await twice(test, "chatgpt", fixture("chatgpt.json"));
    expect(first.warnings).toMatchObject([{ code: "unknown_row" }]);
    expect(first.sessions).toMatchObject([
      { day: "2026-03-01", messages: { added: 2 }, entries: { added: 1 }, left_out: { internal: 2, tool: 2 } },
      { day: "2026-03-02", messages: { added: 2 }, entries: { added: 1 } },
    ]);
    expect(await messages(test, "chatgpt-67c2a1b0-0000-8000-8000-000000000004")).toEqual([
      ["user", "How much water for 500 g of rye?"],
      ["assistant", "400 g, for a dough of 80 %."],
    ]);
    expect(test.read("memory/2026-03-02.md")).toContain("origin=import");
    expectKnown(second);
  });

  it("of Claude.ai give the text blocks, or the text if there are none", async () => {
    const test = opened();
    const [first, second] = await twice(test, "claude-ai", fixture("claude-ai.json"));
    expect(first.sessions).toMatchObject([
      { day: "2026-03-09", messages: { added: 3 }, entries: { added: 2 }, left_out: { tool: 1, empty: 1 } },
    ]);
    expect((await messages(test, "claude-ai-0199c0de-6666-4000-8000-000000000006")).map(([, text]) => text)[1]).toBe(
      "Kingfisher.",
    );
    expectKnown(second);
  });

  it("are named by the user, and unpacked", async () => {
    const test = opened();
    await expect(runImport(test.memory, { client: "chatgpt" })).rejects.toMatchObject({ code: "usage" });
    await expect(runImport(test.memory, { client: "chatgpt", path: "export.zip" })).rejects.toMatchObject({
      code: "usage",
    });
    const nothing = join(test.home, "conversations.json");
    writeFileSync(nothing, "nothing of the kind");
    const { warnings, sessions } = await runImport(test.memory, { client: "chatgpt", path: test.home });
    expect(warnings).toMatchObject([{ code: "torn_row" }]);
    expect(sessions).toEqual([]);
  });
});

describe("where a client keeps its transcripts", () => {
  it("without --all, only sessions in this folder and below are taken", async () => {
    const home = newHome();
    const other = "5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a12";
    const rows = lines(shortSession());
    for (const [folder, id, cwd] of [
      ["-srv-app", claudeSession, "/srv/app"],
      ["-srv-app-web", other, "/srv/app-web"],
    ] as const) {
      mkdirSync(join(home, ".claude/projects", folder), { recursive: true });
      const text = rows.replaceAll(claudeSession, id).replaceAll('"/srv/app"', JSON.stringify(cwd));
      writeFileSync(join(home, ".claude/projects", folder, `${id}.jsonl`), text);
    }
    const test = opened(home);
    expect((await runCapture(test.memory, { client: "claude-code" })).sessions.map(({ session }) => session)).toEqual([
      claudeSession,
    ]);
    const own = await runImport(test.memory, { client: "claude-code", dry_run: true });
    expect(own.sessions.map(({ session }) => session)).toEqual([claudeSession]);
    const all = await runImport(test.memory, { client: "claude-code", all: true, dry_run: true });
    expect(all.sessions.map(({ session }) => session).toSorted()).toEqual([claudeSession, other]);
  });

  it("a dry run reports what an import would do, and writes nothing", async () => {
    const test = opened();
    const before = test.list();
    const dry = await runImport(test.memory, { client: "claude-ai", path: fixture("claude-ai.json"), dry_run: true });
    expect(dry.dry_run).toBe(true);
    expect(test.list()).toEqual(before);
    const wet = await runImport(test.memory, { client: "claude-ai", path: fixture("claude-ai.json") });
    expect(dry.sessions).toEqual(wet.sessions);
    const again = await runImport(test.memory, { client: "claude-ai", path: fixture("claude-ai.json"), dry_run: true });
    expectKnown(again);
  });
});
