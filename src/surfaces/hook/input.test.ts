import fc from "fast-check";
import { expect, it } from "vitest";
import { briefIn, readInput } from "./input.ts";

it("understands each client's field names", () => {
  const snake = { session_id: "s", cwd: "/p", source: "startup", prompt: "hi", prompt_id: "1", transcript_path: "/t" };
  const camel = { sessionId: "s", cwd: "/p", source: "startup", prompt: "hi", messageID: "1", transcriptPath: "/t" };
  const cursor = {
    conversation_id: "s",
    workspace_roots: ["/p"],
    source: "startup",
    prompt: "hi",
    generation_id: "1",
    transcript_path: "/t",
  };
  const windsurf = {
    trajectory_id: "s",
    cwd: "/p",
    source: "startup",
    execution_id: "1",
    transcript_path: "/t",
    tool_info: { user_prompt: "hi" },
  };
  const wanted = {
    session: "s",
    agent: "",
    agentKind: "",
    cwd: "/p",
    source: "startup",
    prompt: "hi",
    promptId: "1",
    transcript: "/t",
    root: "wanted",
    state: "read",
  };
  for (const value of [snake, camel, cursor, windsurf]) expect(readInput(JSON.stringify(value))).toEqual(wanted);
});

it("detects a client that loads ROOT.md itself", () => {
  expect(readInput('{"has":"root"}').root).toBe("had");
  for (const value of ['{"has":"ROOT"}', '{"has":true}', '{"has":["root"]}', ""])
    expect(readInput(value).root).toBe("wanted");
});

it("ignores prompts that no person wrote and paths that are not absolute", () => {
  expect(readInput('{"prompt":"wake up","source":"loop_wakeup"}').prompt).toBe("");
  for (const path of ["--force", "a.jsonl", "../a"])
    expect(readInput(`{"transcript_path":"${path}"}`).transcript).toBe("");
  expect(readInput('{"transcript_path":"C:\\\\a.jsonl"}').transcript).toBe("C:\\a.jsonl");
});

it("reads the time of an event as a number, as Copilot gives it", () => {
  expect(readInput('{"timestamp":1795721850256}').time).toBe("1795721850256");
  expect(readInput('{"timestamp":"2026-03-15T09:02:11Z"}').time).toBeUndefined();
});

it("removes NUL and cuts long ids, which cannot be process arguments", () => {
  expect(readInput('{"session_id":"a\\u0000b","transcript_path":"/a\\u0000b"}')).toMatchObject({
    session: "ab",
    transcript: "/ab",
  });
  expect(readInput(JSON.stringify({ session_id: "x".repeat(9000) })).session).toHaveLength(256);
});

it("accepts any input", () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: "binary" }), fc.json()), (text) => {
      const { state, ...texts } = readInput(text);
      expect(["read", "empty", "broken"]).toContain(state);
      expect(Object.values(texts).every((value) => typeof value === "string")).toBe(true);
    }),
  );
});

const call = (name: string, kind: string, prompt: unknown, more = {}): string =>
  JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "tool_use", name, input: { subagent_type: kind, prompt } }] },
    ...more,
  });

const written = (...lines: readonly string[]): string => `${lines.join("\n")}\n`;

it("the brief of a subagent is the newest call for its kind", () => {
  const text = written(
    call("Agent", "explorer", "find the limiter"),
    call("Task", "reviewer", "review the limiter"),
    call("Bash", "explorer", "ls"),
    call("Agent", "explorer", "not this one", { isSidechain: true }),
  );
  expect(briefIn(text, "explorer")).toBe("find the limiter");
  expect(briefIn(text, "reviewer")).toBe("review the limiter");
  expect(briefIn(text, "planner")).toBe("");
});

it("a torn or unknown line has no brief", () => {
  const whole = call("Agent", "explorer", "find it");
  expect(briefIn(written(whole.slice(0, -5)), "explorer")).toBe("");
  expect(briefIn(written(call("Agent", "explorer", 7), '{"message":{"content":"tool_use"}}'), "explorer")).toBe("");
  expect(briefIn("", "explorer")).toBe("");
  expect(briefIn(written(whole), "")).toBe("");
});
