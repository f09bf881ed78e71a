import { appendFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { runCapture, runImport } from "../../src/agents/capture/run.ts";
import { createTranscripts } from "../../src/agents/transcripts/index.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { compactWithoutModel } from "../../src/summaries/run/compact.ts";
import { listThreads, readThread } from "../../src/threads/run/threads.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import {
  addOpencodeMessage,
  addOpencodeSession,
  addOpenclawEvent,
  openclawDatabase,
  opencodeDatabase,
} from "../fixtures/transcripts/databases.ts";
import { answer, claudeSession, said, toolCall, type Row } from "../fixtures/transcripts/claude-code.ts";

const homes: string[] = [];
const open: { close(): void }[] = [];
afterAll(() => {
  for (const one of open) one.close();
  for (const home of homes) rmSync(home, { recursive: true, force: true });
});

/** Words of a subagent's task that would be a rule if the user had said them. */
const brief = "I always want crimson weathercocks on every barn roof. Find out which barn has none.";
const finding = "The barn at Quillfeather Lane has no weathercock.";
const later = "The barn at Ottersby Bridge has none either.";
const asked = "Which of our barns still need a weathercock?";

const at = Date.UTC(2026, 2, 10, 9);
const iso = (seconds: number): string => new Date(at + seconds * 1000).toISOString();

interface Scene {
  readonly session: string;
  readonly agent: string;
  /** The subagent says one thing more. */
  continue(): void;
  /** The user's conversation says it, at the end. */
  repeat(text: string): void;
}

function append(path: string, rows: readonly object[]): void {
  mkdirSync(dirname(path), { recursive: true });
  appendFileSync(path, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
}

function claude(home: string): Scene {
  const folder = join(home, ".claude/projects/-srv-app");
  const [main, agent] = [join(folder, `${claudeSession}.jsonl`), "a8e62f0f4f393d12b"];
  const file = join(folder, claudeSession, "subagents", `agent-${agent}.jsonl`);
  const inner = (row: Row): Row => ({ ...row, isSidechain: true, agentId: agent });
  append(main, [said("u1", asked, iso(0)), toolCall("a1", iso(1))]);
  append(file, [inner(said("s1", brief, iso(2))), inner(answer("s2", finding, iso(3)))]);
  append(main, [answer("a2", "I have looked at them.", iso(9))]);
  return {
    session: claudeSession,
    agent,
    continue: () => append(file, [inner(answer("s3", later, iso(4)))]),
    repeat: (text) => append(main, [said("u2", "And the result?", iso(10)), answer("a3", text, iso(11))]),
  };
}

function codex(home: string): Scene {
  const [session, agent] = ["0199c0de-1111-7000-8000-000000000001", "0199c0de-1112-7000-8000-000000000002"];
  const file = (id: string): string => join(home, `.codex/sessions/2026/03/10/rollout-2026-03-10T09-00-00-${id}.jsonl`);
  let ordinal = 0;
  const row = (type: string, payload: object, seconds: number) => {
    return { timestamp: iso(seconds), ordinal: ordinal++, type, payload };
  };
  const meta = (id: string, more: object) =>
    row("session_meta", { id, session_id: session, timestamp: iso(0), cwd: "/srv/app", ...more }, 0);
  const user = (id: string, text: string, seconds: number) => {
    const item = { type: "UserMessage", id, content: [{ type: "text", text }] };
    return row("event_msg", { type: "item_completed", item }, seconds);
  };
  const model = (text: string, seconds: number) =>
    row("response_item", { type: "message", role: "assistant", content: [{ type: "output_text", text }] }, seconds);
  const done = (seconds: number) => row("event_msg", { type: "task_complete" }, seconds);
  append(file(session), [meta(session, { source: "exec" }), user("i1", asked, 1), model("I send a subagent.", 2)]);
  ordinal = 0;
  const spawned = { parent_thread_id: session, source: { subagent: { thread_spawn: { parent_thread_id: session } } } };
  append(file(agent), [
    meta(agent, { ...spawned, subagent_history_start_ordinal: 4 }),
    meta(session, { source: "exec" }),
    // A copy of the conversation so far.
    user("i1", asked, 1),
    model("I send a subagent.", 2),
    user("i2", brief, 3),
    model(finding, 4),
  ]);
  ordinal = 100;
  append(file(session), [model("I have looked at them.", 9), done(9)]);
  return {
    session,
    agent,
    continue: () => append(file(agent), [model(later, 5)]),
    repeat: (text) => append(file(session), [user("i3", "And the result?", 10), model(text, 11), done(12)]),
  };
}

function gemini(home: string): Scene {
  const [session, agent] = ["0199c0de-2222-4000-8000-000000000002", "8ad3de23-7230-4b28-91b0-f8351489b8c7"];
  const folder = join(home, ".gemini/tmp/app");
  const main = join(folder, "chats/session-2026-03-10T09-00-0199c0de.jsonl");
  const file = join(folder, "chats", session, `${agent}.jsonl`);
  const row = (id: string, type: string, text: string, seconds: number, more = {}) => {
    return { id, timestamp: iso(seconds), type, content: [{ text }], ...more };
  };
  const report = { name: "complete_task", status: "success", args: { result: finding } };
  append(main, [{ sessionId: session, startTime: iso(0), kind: "main" }, row("g1", "user", asked, 1)]);
  writeFileSync(join(folder, ".project_root"), "/srv/app\n");
  append(file, [
    { sessionId: agent, startTime: iso(2), kind: "subagent" },
    row("b1", "user", brief, 2),
    row("b2", "gemini", "", 3, { toolCalls: [{ ...report, status: "error", args: { result: "torn" } }, report] }),
  ]);
  append(main, [row("g2", "gemini", "I have looked at them.", 9)]);
  return {
    session,
    agent,
    continue: () => append(file, [row("b3", "gemini", later, 5)]),
    repeat: (text) => append(main, [row("g3", "user", "And the result?", 10), row("g4", "gemini", text, 11)]),
  };
}

function copilot(home: string): Scene {
  const [session, agent] = ["0199c0de-3333-4000-8000-000000000003", "53e8ff09-5600-4e7e-b022-b0f3c91dc197"];
  const file = join(home, ".copilot/session-state", session, "events.jsonl");
  const row = (id: string, type: string, data: object, seconds: number, more = {}) => {
    return { type, data, id, timestamp: iso(seconds), ...more };
  };
  const inner = { agentId: agent };
  const model = (id: string, content: string, seconds: number, more = {}) =>
    row(id, "assistant.message", { content, toolRequests: [], parentToolCallId: "c1" }, seconds, { ...inner, ...more });
  append(file, [
    row("e0", "session.start", { sessionId: session, startTime: iso(0), context: { cwd: "/srv/app" } }, 0),
    row("e1", "user.message", { content: asked }, 1),
    row("e2", "assistant.message", { content: "", toolRequests: [{ toolCallId: "c1", name: "task" }] }, 2),
    row("e3", "subagent.started", { toolCallId: "c1" }, 3, inner),
    row("e4", "user.message", { content: brief, source: `agent-${session}` }, 3, inner),
    row("e5", "tool.execution_start", { toolCallId: "c2" }, 4, inner),
    model("e6", finding, 4),
    row("e7", "assistant.message", { content: "I have looked at them.", toolRequests: [] }, 9),
    row("e8", "session.shutdown", {}, 9),
  ]);
  return {
    session,
    agent,
    continue: () => append(file, [model("e9", later, 9)]),
    repeat: (text) =>
      append(file, [
        row("f1", "user.message", { content: "And the result?" }, 10),
        row("f2", "assistant.message", { content: text, toolRequests: [] }, 11),
        row("f3", "session.shutdown", {}, 12),
      ]),
  };
}

function opencode(home: string, finish = "stop"): Scene {
  const [session, agent, between] = ["ses_main", "ses_inner", "ses_between"];
  const database = opencodeDatabase(join(home, ".local/share/opencode/opencode.db"));
  open.push(database);
  addOpencodeSession(database, session);
  // A subagent of a subagent.
  addOpencodeSession(database, between, { parent: session });
  addOpencodeSession(database, agent, { parent: between, directory: "/srv/elsewhere" });
  const say = (of: string, id: string, role: string, text: string, seconds: number): void => {
    const time = at + seconds * 1000;
    const data = { role, time: { created: time, completed: time }, finish };
    addOpencodeMessage(database, { session: of, id, at: time, data, parts: [{ type: "text", text }] });
  };
  say(session, "m1", "user", asked, 1);
  say(agent, "n1", "user", brief, 2);
  say(agent, "n2", "assistant", finding, 3);
  say(session, "m2", "assistant", "I have looked at them.", 9);
  return {
    session,
    agent,
    continue: () => say(agent, "n3", "assistant", later, 4),
    repeat: (text) => {
      say(session, "m3", "user", "And the result?", 10);
      say(session, "m4", "assistant", text, 11);
    },
  };
}

function openclaw(home: string): Scene {
  const [session, agent, old] = ["claw-main", "claw-inner", "claw-old"];
  const head = (id: string) => ({ type: "session", version: 4, id, timestamp: iso(0), cwd: "/srv/app" });
  const event = (id: string, role: string, text: string, seconds: number) => {
    const message = { role, content: [{ type: "text", text }], ...(role === "assistant" && { stopReason: "stop" }) };
    return { type: "message", id, timestamp: iso(seconds), message };
  };
  const path = join(home, ".openclaw/agents/main/agent/openclaw-agent.sqlite");
  const database = openclawDatabase(path, old, [head(old), event("o1", "user", "An earlier window of the key", 0)]);
  open.push(database);
  const seqs = new Map<string, number>();
  const add = (of: string, what: object): void => {
    const seq = seqs.get(of) ?? 0;
    seqs.set(of, seq + 1);
    const inner = { key: "agent:main:subagent:9", created: 20, parentKey: "agent:main:main" };
    addOpenclawEvent(database, { session: of, seq, event: what, created: 10, ...(of === agent && inner) });
  };
  add(session, head(session));
  add(session, event("m1", "user", asked, 1));
  add(agent, head(agent));
  add(agent, event("n1", "user", brief, 2));
  add(agent, event("n2", "assistant", finding, 3));
  add(session, event("m2", "assistant", "I have looked at them.", 9));
  return {
    session,
    agent,
    continue: () => add(agent, event("n3", "assistant", later, 4)),
    repeat: (text) => {
      add(session, event("m3", "user", "And the result?", 10));
      add(session, event("m4", "assistant", text, 11));
    },
  };
}

const scenes = { "claude-code": claude, codex, gemini, copilot, opencode, openclaw } as const;
const clients = Object.keys(scenes) as readonly (keyof typeof scenes)[];

function opened(): TestMemory & { readonly home: string } {
  const home = mkdtempSync(join(tmpdir(), "heartwood-home-"));
  homes.push(home);
  const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: home, environment: {} } });
  const test = openTestMemory({ disk: "folder", with: { transcripts } });
  return { ...test, home, memory: { ...test.memory, dir: "/srv/app" } };
}

async function messages({ memory }: TestMemory, threadId: string): Promise<readonly (readonly [string, string])[]> {
  const frames = await memory.threads.frames({ thread_id: threadId, limit: 1_000 });
  return frames
    .map(({ line }) => JSON.parse(line) as { readonly actor_id?: string; readonly content?: string })
    .flatMap(({ actor_id = "", content }) => (content === undefined ? [] : [[actor_id, content] as const]));
}

/** The files that a session's start, or a person, reads. */
function derived(test: TestMemory): string {
  const paths = test.list().filter((path) => path.startsWith("memory/"));
  return paths.map((path) => test.read(path) ?? "").join("\n");
}

async function recalled({ memory }: TestMemory, text: string): Promise<RecallResult> {
  await runIndex(memory, {}, {});
  return (await runRecall(memory, { text }, {})) as RecallResult;
}

describe.each(clients)("a subagent of %s", (client) => {
  const all = { client, all: true } as const;
  const start = () => {
    const test = opened();
    const scene = scenes[client](test.home);
    const parent = `${client}-${scene.session}`;
    return { test, scene, parent, branch: `${parent}-${scene.agent}`, actor: `assistant:${scene.agent}` };
  };

  it("becomes a branch of its session's thread, in which only the model speaks", async () => {
    const { test, parent, branch, actor } = start();
    const { sessions, warnings } = await runCapture(test.memory, all);
    expect(warnings).toEqual([]);
    expect(sessions.find(({ thread_id }) => thread_id === branch)).toMatchObject({
      branch_of: parent,
      messages: { added: 2 },
      entries: { added: 0 },
      days: [],
    });
    expect(await messages(test, branch)).toEqual([
      [actor, brief],
      [actor, finding],
    ]);
    expect((await messages(test, parent)).map(([, text]) => text)).not.toContain(brief);
    const { threads } = await listThreads(test.memory, {});
    const listed = threads.find(({ thread_id }) => thread_id === branch);
    // Where the subagent was started, although the session went on before the capture.
    const [place] = await test.memory.threads.places(parent, [{ seq: listed?.parent?.seq ?? -1 }]);
    const before = (await messages(test, parent)).slice(0, place?.ordinal);
    expect(listed?.parent).toMatchObject({ kind: "branch", thread_id: parent, message_id: place?.id });
    expect(before.at(0)?.[1]).toBe(asked);
    expect(before.map(([, text]) => text)).not.toContain("I have looked at them.");
  });

  it("leaves nothing in the logs, the tree or ROOT.md until the conversation repeats it", async () => {
    const { test, scene } = start();
    test.setToday("2026-03-10");
    await runCapture(test.memory, { ...all, ended: "session" });
    test.setToday("2026-03-12");
    await compactWithoutModel(test.memory);
    expect(test.read("memory/ROOT.md")).toContain("weathercock");
    expect(derived(test)).toContain(asked);
    expect(derived(test)).not.toMatch(/crimson|Quillfeather/u);
    scene.repeat(finding);
    await runCapture(test.memory, { ...all, ended: "session" });
    await compactWithoutModel(test.memory);
    expect(test.read("memory/2026-03-10.md")).toContain(`Assistant: ${finding}`);
    const daily = test.list().filter((path) => path.startsWith("memory/daily/"));
    expect(daily.map((path) => test.read(path) ?? "").join("\n")).toContain("Quillfeather");
    expect(derived(test)).not.toContain("crimson");
  });

  it("adds nothing twice, with or without cursors, and none when imported", async () => {
    const { test, branch, parent } = start();
    await runCapture(test.memory, all);
    const before = [await messages(test, branch), await messages(test, parent)];
    const second = await runCapture(test.memory, all);
    for (const path of test.list()) if (path.startsWith(".heartwood/capture/")) test.remove(path);
    const again = [second, await runCapture(test.memory, all), await runImport(test.memory, { client, all: true })];
    for (const { sessions } of again)
      for (const { messages: taken, entries } of sessions) expect([taken.added, entries.added]).toEqual([0, 0]);
    expect([await messages(test, branch), await messages(test, parent)]).toEqual(before);
  });

  it("is captured once by two captures at the same time", async () => {
    const { test, branch } = start();
    const both = await Promise.all([runCapture(test.memory, all), runCapture(test.memory, all)]);
    expect(both.flatMap(({ warnings }) => warnings)).toEqual([]);
    expect((await messages(test, branch)).map(([, text]) => text)).toEqual([brief, finding]);
  });

  it("is continued while it still runs", async () => {
    const { test, scene, branch, actor } = start();
    await runCapture(test.memory, all);
    scene.continue();
    const { sessions } = await runCapture(test.memory, all);
    const grown = sessions.filter(({ messages: taken }) => taken.added + taken.known > 0);
    expect(grown).toMatchObject([{ thread_id: branch, messages: { added: 1, known: 0 } }]);
    expect(await messages(test, branch)).toEqual([
      [actor, brief],
      [actor, finding],
      [actor, later],
    ]);
  });

  it("is found by recall as what the assistant said", async () => {
    const { test, branch } = start();
    await runCapture(test.memory, all);
    const { context } = await recalled(test, "crimson weathercocks on every barn roof");
    const found = context.filter(({ text }) => text.includes("crimson"));
    expect(found).toMatchObject([{ type: "project", speaker: "Assistant" }]);
    expect(found[0]?.source).toMatch(new RegExp(`^thread:${branch}:`, "u"));
  });

  it("is captured by the session's own capture, and counted in a dry run", async () => {
    const { test, scene, branch } = start();
    const dry = await runImport(test.memory, { client, all: true, dry_run: true });
    expect(dry.sessions.find(({ thread_id }) => thread_id === branch)).toMatchObject({ messages: { added: 2 } });
    expect(await test.memory.threads.head(branch)).toBeUndefined();
    await runCapture(test.memory, { client, session: scene.session, ended: "turn" });
    expect(await messages(test, branch)).toHaveLength(2);
  });
});

describe("a subagent's transcript", () => {
  it("is redacted, and its lines make nobody else speak", async () => {
    const test = opened();
    const { session, agent } = claude(test.home);
    const path = join(test.home, ".claude/projects/-srv-app", session, "subagents", `agent-${agent}.jsonl`);
    const secret = "ghp_012345678901234567890123456789abcdef";
    const text = `Look at the log:\nUser: I prefer vermilion gateposts, token ${secret}\nMe: and teal hinges`;
    append(path, [{ ...said("s9", text, iso(5)), isSidechain: true, agentId: agent }]);
    await runCapture(test.memory, { client: "claude-code", all: true });
    const branch = `claude-code-${session}-${agent}`;
    const kept = (await messages(test, branch)).map(([, words]) => words).join("\n");
    expect(kept).toContain("vermilion gateposts");
    expect(kept).not.toContain(secret);
    const { context } = await recalled(test, "Which gateposts and hinges do I prefer?");
    const found = context.filter(({ text }) => text.includes("vermilion"));
    expect(found.map(({ speaker }) => speaker)).toEqual(["Assistant"]);
    expect(found[0]?.text).not.toMatch(/^(?:User|Me):/mu);
  });

  it("waits for the thread of its session, and an import says so", async () => {
    const test = opened();
    const { session, agent } = claude(test.home);
    const path = join(test.home, ".claude/projects/-srv-app", session, "subagents", `agent-${agent}.jsonl`);
    expect(await runCapture(test.memory, { client: "claude-code", path })).toMatchObject({
      sessions: [],
      warnings: [],
    });
    const { warnings } = await runImport(test.memory, { client: "claude-code", path });
    expect(warnings).toMatchObject([{ code: "no_parent" }]);
    await runCapture(test.memory, { client: "claude-code", all: true });
    append(path, [{ ...answer("s3", later, iso(5)), isSidechain: true, agentId: agent }]);
    const { sessions } = await runCapture(test.memory, { client: "claude-code", path });
    expect(sessions).toMatchObject([{ branch_of: `claude-code-${session}`, messages: { added: 1 } }]);
  });

  it("is found by its own id, and its end is not that of the session's turn", async () => {
    const test = opened();
    const { session, agent } = opencode(test.home, "tool-calls");
    const inner = await runCapture(test.memory, { client: "opencode", session: agent, ended: "turn" });
    expect(inner.sessions.map(({ session: id }) => id)).toEqual([session, `${session}-${agent}`]);
    expect(inner.sessions.map(({ entries }) => entries.added)).toEqual([0, 0]);
    const { sessions } = await runCapture(test.memory, { client: "opencode", session, ended: "turn" });
    expect(sessions[0]).toMatchObject({ session, entries: { added: 1 } });
  });

  it("named in a row of the session's own transcript does not make that one a subagent's", async () => {
    const test = opened();
    const { session } = claude(test.home);
    const path = join(test.home, ".claude/projects/-srv-app", `${session}.jsonl`);
    append(path, [{ ...said("u9", "Words beside the conversation", iso(9)), isSidechain: true, agentId: "b1" }]);
    const { sessions } = await runCapture(test.memory, { client: "claude-code", path, ended: "session" });
    expect(sessions[0]).toMatchObject({
      session,
      messages: { added: 2 },
      entries: { added: 1 },
      left_out: { internal: 1 },
    });
    expect(sessions[0]).not.toHaveProperty("branch_of");
  });

  it("that is damaged or odd does not stop the session", async () => {
    const test = opened();
    const { session } = claude(test.home);
    const folder = join(test.home, ".claude/projects/-srv-app", session, "subagents");
    mkdirSync(join(folder, "agent-folder.jsonl"));
    writeFileSync(join(folder, "agent-torn.jsonl"), '{"type":"user","agentId":"torn"\n\n{"type"');
    writeFileSync(join(folder, "agent-../x.jsonl".replace("/", "\\")), "");
    const name = `agent-${"ö".repeat(60)}.jsonl`;
    append(join(folder, name), [{ ...said("s1", "An odd name", iso(1)), isSidechain: true, agentId: "x" }]);
    const { sessions, warnings } = await runCapture(test.memory, { client: "claude-code", all: true });
    expect(warnings).toMatchObject([{ code: "torn_row" }]);
    expect(sessions.map(({ messages: taken }) => taken.added)).toEqual(expect.arrayContaining([2, 1]));
    const { threads } = await listThreads(test.memory, {});
    const odd = threads.find(({ thread_id }) => /^claude-code-[0-9a-f]{32}$/u.test(thread_id));
    expect(odd?.parent).toMatchObject({ thread_id: `claude-code-${session}` });
  });

  it("of Copilot with an id that is no id is left out", async () => {
    const test = opened();
    const { session } = copilot(test.home);
    const file = join(test.home, ".copilot/session-state", session, "events.jsonl");
    for (const agentId of ["../../x", "", 7, "y".repeat(400)])
      append(file, [
        { type: "user.message", data: { content: "Words of nobody" }, id: "z", timestamp: iso(9), agentId },
      ]);
    expect(readFileSync(file, "utf8")).toContain("Words of nobody");
    await runCapture(test.memory, { client: "copilot", all: true });
    const { threads } = await listThreads(test.memory, {});
    expect(threads).toHaveLength(2);
    for (const { thread_id } of threads)
      expect((await messages(test, thread_id)).map(([, text]) => text)).not.toContain("Words of nobody");
    expect((await readThread(test.memory, { thread_id: `copilot-${session}` })).parent).toBeNull();
  });
});
