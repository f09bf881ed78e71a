import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openTestMemory, type TestMemory } from "../../../test/fixtures/memory.ts";
import { operation } from "../../operations/table.ts";
import { runIndex } from "../../recall/index/refresh.ts";
import { runCompact } from "../../tree/run/compact.ts";
import type { HookCall } from "../hooks/hook-call.ts";
import { runHook } from "../hooks/run-hook.ts";
import {
  expiredSessions,
  inContext,
  keptSessions,
  parseInjections,
  printInjection,
  sessionHeading,
  type Injection,
} from "./record.ts";
import { openSession, tidySessions } from "./record.ts";

const injection: Injection = {
  at: "2026-03-15T12:00:00.000Z",
  event: "prompt",
  source: "",
  memory: "7",
  lines: ["memory/2026-03-14.md:3"],
  text: "<<<ab\nx\nab>>>",
};

let cache = "";
beforeEach(() => {
  cache = mkdtempSync(join(tmpdir(), "heartwood-cache-"));
  vi.stubEnv("XDG_CACHE_HOME", cache);
});
afterEach(() => {
  vi.unstubAllEnvs();
  rmSync(cache, { recursive: true, force: true });
});

describe("a record of a session", () => {
  const texts = fc.string({ unit: "binary" });
  const injections = fc.record<Injection>({
    at: texts,
    event: fc.constantFrom("session-start", "prompt", "tool", "compaction"),
    source: texts,
    memory: texts,
    lines: fc.array(texts),
    text: texts,
  });

  test("is read as it was written, whatever the texts contain, and torn lines are skipped", () => {
    fc.assert(
      fc.property(fc.array(injections), fc.nat(), (all, cut) => {
        const printed = all.map(printInjection).join("");
        expect(parseInjections(printed)).toMatchObject(all);
        const torn = printed.slice(0, cut % (printed.length + 1));
        expect(parseInjections(torn)).toMatchObject(all.slice(0, parseInjections(torn).length));
      }),
    );
  });

  test("goes on after a line that a crash tore", async () => {
    const { memory, write, read } = openTestMemory({ disk: "folder" });
    const path = ".heartwood/sessions/claude-code-s.jsonl";
    write(path, `${printInjection(injection)}{"v":1,"at":"2026`);
    const record = await openSession(memory.files, "claude-code", "s");
    expect(record.past).toMatchObject([injection]);
    await record.append({ ...injection, text: "next" });
    expect(parseInjections(read(path) ?? "").map(({ text }) => text)).toEqual([injection.text, "next"]);
  });

  test("counts as in context only from the client's last compaction on", () => {
    const start = (source: string): Injection => ({ ...injection, event: "session-start", source });
    const all = [
      start("startup"),
      injection,
      start("compact"),
      injection,
      { ...injection, event: "compaction" as const },
    ];
    expect(inContext(all)).toHaveLength(1);
    expect(inContext(all.slice(0, 4))).toHaveLength(2);
    expect(inContext(all.slice(0, 2))).toHaveLength(2);
  });

  test("is removed after 30 days, and the oldest first above 64 MB", () => {
    const day = 86_400_000;
    const file = (path: string, bytes: number, age: number) => ({ path, bytes, changedAt: 100 * day - age });
    const mb = 1024 * 1024;
    const files = [file("a", 40 * mb, 0), file("b", 20 * mb, day), file("c", 10 * mb, 2 * day), file("d", 1, 31 * day)];
    expect(expiredSessions(files, 100 * day).map(({ path }) => path)).toEqual(["c", "d"]);
    expect(expiredSessions(files.slice(0, 2), 100 * day)).toEqual([]);
  });

  test("loses its older half when it is too long", async () => {
    const { memory, write, read } = openTestMemory({ disk: "folder" });
    const path = ".heartwood/sessions/claude-code-s.jsonl";
    const line = printInjection({ ...injection, text: "x".repeat(100_000) });
    const count = Math.ceil(keptSessions.bytesOfOne / line.length) + 1;
    write(path, line.repeat(count));
    await tidySessions(memory.files, memory.clock.now());
    const left = parseInjections(read(path) ?? "").length;
    expect(left).toBeGreaterThan(count / 2 - 2);
    expect(left).toBeLessThanOrEqual(count / 2);
  });
});

const entries = ["the limiter is a token bucket", "staging runs on port 5544", "releases happen on Tuesdays"];
const log = `# 2026-03-14\n\n${entries.map((said, at) => `## Topic ${at} [reference]\n- ${said}\n`).join("\n")}`;

async function memoryWith(files: Readonly<Record<string, string>>): Promise<TestMemory> {
  const opened = openTestMemory({ files, disk: "folder" });
  await runCompact(opened.memory, {}, {});
  await runIndex(opened.memory, {}, {});
  return opened;
}

let prompts = 0;
/** Fires an event as the hook process does: the text is recorded once it was printed. */
async function fire(
  { memory }: TestMemory,
  more: Partial<HookCall>,
  signal = new AbortController().signal,
): Promise<string> {
  const call: HookCall = {
    client: "claude-code",
    event: "prompt",
    session: "5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a11",
    agent: "",
    agentKind: "",
    source: "",
    root: "wanted",
    prompt: "",
    promptId: `p${(prompts += 1)}`,
    transcript: "",
    space: { characters: 9500 },
    profile: "had",
    start: "kept",
    captured: "yes",
    ...more,
  };
  const background = { start: async () => "started" as const };
  const answer = await runHook({ memory, background }, call, signal);
  await answer.record?.();
  return answer.text;
}

const ask = { event: "prompt", prompt: "Which port does staging run on?" } as const;
const begin = (source: string) => ({ event: "session-start", source }) as const;

test("sessions that start within the same minute have different topics", () => {
  const topics = ["019ac0de-1111-7abc-8def-000011112222", "019ac0de-2222-7abc-8def-333344445555"].map(sessionHeading);
  expect(topics).toEqual(["Session 11112222", "Session 44445555"]);
  expect(sessionHeading("5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a11")).toBe("Session 5f0c3a52");
  expect(["ses_0a1b2c3d4e5fAbCdEfGhIjKlMn", "ses_0a1b2c3d4e60ZyXwVuTsRqPoNm"].map(sessionHeading)).toEqual([
    "Session 2c3d4e5f",
    "Session 2c3d4e60",
  ]);
});

describe("within a session", () => {
  test("a passage is given once, and again after the client compacted its context", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    expect(await fire(opened, ask)).toContain("port 5544");
    expect(await fire(opened, ask)).not.toContain("port 5544");
    expect(await fire(opened, { ...ask, session: "another" })).toContain("port 5544");
    await fire(opened, { ...begin("compact"), root: "had" });
    expect(await fire(opened, ask)).toContain("port 5544");
  });

  test("nothing is repeated that the text at its start said", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    expect(await fire(opened, begin("startup"))).toContain("port 5544");
    expect(await fire(opened, ask)).not.toContain("port 5544");
  });

  test("its own messages do not come back as memories", async () => {
    const own = "## Session 5f0c3a52 [project]\nUser: please use port 7788 for staging from now on\n";
    const opened = await memoryWith({ "memory/2026-03-14.md": `${log}\n${own}` });
    const text = await fire(opened, ask);
    expect(text).toContain("port 5544");
    expect(text).not.toContain("7788");
    expect(await fire(opened, { ...ask, session: "another-session" })).toContain("7788");
  });

  test("what a subagent said comes with no prompt, not even if it quotes a user", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const { threads, ids } = opened.memory;
    const say = async (thread_id: string, actor_id: string, content: string): Promise<void> => {
      const at = { timestamp_ms: Date.UTC(2026, 2, 14, 9) };
      const created = { ...at, id: ids.next(), type: "continuity_created", payload: { workspace: "/srv" } } as const;
      const payload = { actor_id, origin: "claude-code", content };
      const message = { ...at, id: ids.next(), type: "continuity_message_appended", payload } as const;
      await threads.append({ thread_id, frames: [created, message] });
    };
    const said = "The weathercock of Quillfeather Barn is crimson.";
    await say("claude-code-s-a8e6", "assistant:a8e6", `${said}\nUser: ${said}\nMe: ${said}`);
    await runIndex(opened.memory, {}, {});
    const about = { prompt: "Which colour has the weathercock of Quillfeather Barn?" };
    expect(await fire(opened, about)).toBe("");
    await say("claude-code-t", "user", said);
    await runIndex(opened.memory, {}, {});
    expect(await fire(opened, about)).toContain("crimson");
  });

  test("no passage is given twice, whatever is asked", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const words = fc.constantFrom("port", "staging", "limiter", "bucket", "releases", "Tuesdays", "token", "runs");
    await fc.assert(
      fc.asyncProperty(fc.array(fc.array(words, { minLength: 1, maxLength: 4 }), { maxLength: 6 }), async (asked) => {
        const session = `s${(prompts += 1)}`;
        const given: string[] = [];
        for (const some of asked) given.push(await fire(opened, { ...ask, prompt: some.join(" "), session }));
        const all = given.join("\n");
        for (const said of entries) expect(all.split(said).length).toBeLessThanOrEqual(2);
      }),
      { numRuns: 25 },
    );
  });
});

describe("a session that is resumed", () => {
  test("gets nothing if nothing changed, also on the next day", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    expect(await fire(opened, begin("startup"))).not.toBe("");
    expect(await fire(opened, begin("resume"))).toBe("");
    opened.setToday("2026-03-16");
    await runCompact(opened.memory, {}, {});
    expect(await fire(opened, begin("resume"))).toBe("");
  });

  test("gets nothing again of lines without words", async () => {
    const working =
      "# Working\n\n| port | for |\n|---|---|\n| 5544 | staging |\n\n---\n```\nmake\n```\n- ship it, 🚀\n";
    const opened = await memoryWith({ "memory/2026-03-14.md": log, "WORKING.md": working });
    expect(await fire(opened, begin("startup"))).toContain("| 5544 | staging |");
    expect(await fire(opened, begin("resume"))).toBe("");
  });

  test("gets everything if nothing is known of it, or if it was cleared", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const text = await fire(opened, begin("resume"));
    expect(text).toContain("Memory of this project.");
    expect(text).toContain("port 5544");
    expect(await fire(opened, begin("clear"))).toBe(text);
    opened.setToday("2026-03-16");
    expect(await fire(opened, begin("resume"))).toBe("");
  });

  test("gets only what changed", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    await fire(opened, begin("startup"));
    opened.write("memory/2026-03-15.md", "# 2026-03-15\n\n## Colour [reference]\n- the logo is teal\n");
    const text = await fire(opened, begin("resume"));
    expect(text).toContain("the logo is teal");
    expect(text).not.toContain("port 5544");
    expect(await fire(opened, begin("resume"))).toBe("");
  });

  test("gets nothing of what it said itself, even if the memory was empty when it began", async () => {
    const opened = openTestMemory({ disk: "folder" });
    expect(await fire(opened, begin("startup"))).toBe("");
    const own = "## Session 5f0c3a52 [project]\nUser: use port 7788 for staging from now on\nAssistant: Noted.\n";
    opened.write("memory/2026-03-15.md", `# 2026-03-15\n\n${own}`);
    expect(await fire(opened, begin("resume"))).toBe("");
    await runCompact(opened.memory, {}, {});
    expect(opened.read("memory/ROOT.md")).toContain("7788");
    opened.setToday("2026-03-16");
    expect(await fire(opened, begin("resume"))).toBe("");
    expect(await fire(opened, { ...begin("startup"), session: "another" })).toContain("7788");
  });

  test("gets the start with its prompt even if recall takes too long", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const text = await fire(opened, { ...ask, client: "gemini", start: "prompt" }, AbortSignal.abort());
    expect(text).toContain("port 5544");
    expect(await fire(opened, { ...ask, start: "prompt", client: "gemini" })).not.toContain("port 5544");
  });

  test("gets the start with its prompt even if recall is paused", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    opened.write("heartwood.config.json", "{ no");
    const copilot = { ...ask, client: "copilot", start: "prompt", compaction: "event" } as const;
    expect(await fire(opened, copilot)).toContain("port 5544");
    await expect(fire(opened, copilot)).rejects.toMatchObject({ code: "invalid_config" });
  });

  test("gets the start again if its transcript has a history without it", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const gemini = { ...ask, client: "gemini", start: "prompt", prompt: "hello" } as const;
    const text = await fire(opened, gemini);
    expect(text).toContain("port 5544");
    const message = (said: string): object => ({ type: "user", content: [{ text: said }] });
    const history = (...said: readonly string[]): string =>
      JSON.stringify({ $set: { messages: [...said.map(message), { type: "gemini", content: "Fine." }] } });
    const begun = JSON.stringify({ $set: { messages: [message("<session_context>")] } });
    for (const end of [
      "",
      begun,
      `${history(text)}\n${begun}`,
      `${history("hello")}\n${JSON.stringify(message(text))}`,
    ])
      expect(await fire(opened, { ...gemini, transcriptEnd: end })).toBe("");
    expect(await fire(opened, { ...gemini, transcriptEnd: `${history(text)}\n${history("a summary")}` })).toBe(text);
    expect(await fire(opened, { ...gemini, transcriptEnd: history("a summary", text) })).toBe("");
  });

  test("gets the text after its last compaction again, byte for byte, if its client asks for that", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    await fire(opened, begin("startup"));
    expect(await fire(opened, begin("again"))).toBe("");
    const text = await fire(opened, begin("compact"));
    opened.write("memory/2026-03-15.md", "# 2026-03-15\n\n## Colour [reference]\n- the logo is teal\n");
    expect(text).toContain("port 5544");
    // Within a second, a second install of the hooks asks too, and gets nothing.
    opened.setToday("2026-03-16");
    expect(await fire(opened, begin("resume"))).toContain("the logo is teal");
    expect(await fire(opened, begin("again"))).toBe(text);
    expect(await fire(opened, begin("again"))).toBe("");
  });

  test("gets the text of its start with its first prompt if its client keeps it only there, and again after a compaction", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const copilot = { client: "copilot", start: "prompt", compaction: "event" } as const;
    expect(await fire(opened, { ...copilot, ...begin("new") })).toBe("");
    const first = await fire(opened, { ...copilot, ...ask, prompt: "hello" });
    for (const said of ["port 5544", "Memory of this project"]) expect(first).toContain(said);
    opened.write("memory/2026-03-15.md", "# 2026-03-15\n\n## Colour [reference]\n- the logo is teal\n");
    await fire(opened, { ...copilot, event: "before-compaction" });
    opened.setToday("2026-03-16");
    expect(await fire(opened, { ...copilot, ...begin("resume") })).toBe("");
    const again = await fire(opened, { ...copilot, ...ask });
    for (const said of ["the logo is teal", "port 5544", "Memory of this project"]) expect(again).toContain(said);
  });

  test.each(["before", "after"])("gets it if the prompt comes %s the start, and not a second time", async (order) => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const copilot = { client: "copilot", start: "prompt", compaction: "event" } as const;
    const starts = async () => expect(await fire(opened, { ...copilot, ...begin("new") })).toBe("");
    if (order === "after") await starts();
    expect(await fire(opened, { ...copilot, ...ask, prompt: "hello" })).toContain("port 5544");
    if (order === "before") await starts();
    expect(await fire(opened, { ...copilot, ...ask, prompt: "hello" })).toBe("");
  });

  test("gets it with the next prompt if the hook of the first one was killed", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const copilot = { client: "copilot", start: "prompt", compaction: "event" } as const;
    // It is recorded only after it was printed.
    for (const source of ["new", "resume"]) await fire(opened, { ...copilot, ...begin(source) });
    expect(await fire(opened, { ...copilot, ...ask, prompt: "hello" })).toContain("port 5544");
  });

  test("gets what changed with its next prompt if its client keeps it only there", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const start = "prompt";
    await fire(opened, { start, ...begin("startup") });
    expect(await fire(opened, { start, ...ask, prompt: "hello" })).toContain("port 5544");
    opened.write("memory/2026-03-15.md", "# 2026-03-15\n\n## Colour [reference]\n- the logo is teal\n");
    expect(await fire(opened, { start, ...ask, prompt: "hello" })).toBe("");
    await fire(opened, { start, ...begin("resume") });
    const changed = await fire(opened, { start, ...ask, prompt: "hello" });
    expect(changed).toContain("the logo is teal");
    expect(changed).not.toContain("port 5544");
    expect(await fire(opened, { start, ...ask, prompt: "hello" })).toBe("");
    await runCompact(opened.memory, {}, {});
    expect(await fire(opened, { start, ...ask, prompt: "hello" })).toBe("");
  });

  test("gets what another session's end added to the tree with its next prompt", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const copilot = { client: "copilot", start: "prompt", compaction: "event" } as const;
    await fire(opened, { ...copilot, ...ask, prompt: "hello" });
    opened.write("memory/2026-03-15.md", "# 2026-03-15\n\n## Colour [reference]\n- the logo is teal\n");
    await runCompact(opened.memory, {}, {});
    const changed = await fire(opened, { ...copilot, ...ask, prompt: "hello" });
    expect(changed).toContain("the logo is teal");
    expect(changed).not.toContain("port 5544");
  });
});

describe("what a session was given", () => {
  const sessions = operation("sessions.list");
  const replay = operation("sessions.replay");

  test("is listed, and replayed byte for byte, without its prompts", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    const given = [
      await fire(opened, begin("startup")),
      await fire(opened, { ...ask, prompt: "the limiter of staging" }),
    ];
    const texts = given.filter((text) => text !== "");
    const { sessions: all } = await sessions.run(opened.memory, {});
    expect(all).toMatchObject([{ session: "claude-code-5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a11", texts: texts.length }]);
    const replayed = await replay.run(opened.memory, { session: "0a11" });
    expect(replayed.texts.map(({ text }) => text)).toEqual(texts);
    expect(opened.read(".heartwood/sessions/claude-code-5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a11.jsonl")).not.toContain(
      "the limiter of staging",
    );
  });

  test("of a subagent is its own, by session and agent, and does not hide its session's", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    await fire(opened, { ...ask, session: "p1" });
    for (const session of ["p1", "p2"])
      for (const event of ["subagent-start", "prompt"] as const)
        expect((await fire(opened, { ...ask, event, session, agent: "agent-1" })).includes("5544")).toBe(
          event === "subagent-start",
        );
    const own = { ...ask, session: "child", agent: "child" };
    expect(await fire(opened, own)).toContain("5544");
    const { sessions: all } = await sessions.run(opened.memory, {});
    expect(all.map(({ session }) => session).toSorted()).toEqual([
      "claude-code-child",
      "claude-code-p1",
      "claude-code-p1-agent-1",
      "claude-code-p2-agent-1",
    ]);
    const replayed = async (session: string) => (await replay.run(opened.memory, { session })).session;
    expect(await replayed("p1")).toBe("claude-code-p1");
    expect(await replayed("p1-agent-1")).toBe("claude-code-p1-agent-1");
    await expect(replayed("agent-1")).rejects.toMatchObject({ code: "usage" });
  });

  test("is not found under an unknown or ambiguous id", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    await fire(opened, { ...begin("startup"), session: "a1" });
    await fire(opened, { ...begin("startup"), session: "b1" });
    await expect(replay.run(opened.memory, { session: "c9" })).rejects.toMatchObject({ code: "not_found" });
    await expect(replay.run(opened.memory, { session: "1" })).rejects.toMatchObject({ code: "usage" });
    await expect(replay.run(opened.memory, { session: "a1", number: 9 })).rejects.toMatchObject({ code: "not_found" });
  });

  test("can be deleted: at worst a passage is given once more", async () => {
    const opened = await memoryWith({ "memory/2026-03-14.md": log });
    await fire(opened, ask);
    opened.remove(".heartwood/sessions/claude-code-5f0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a11.jsonl");
    expect(await fire(opened, ask)).toContain("port 5544");
  });
});
