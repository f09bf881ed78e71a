import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { briefOf } from "./brief.ts";

let dir = "";
beforeEach(() => void (dir = mkdtempSync(join(tmpdir(), "heartwood-brief-"))));
afterEach(() => rmSync(dir, { recursive: true, force: true }));

const call = (name: string, kind: string, prompt: unknown, more = {}): string =>
  JSON.stringify({
    type: "assistant",
    message: { content: [{ type: "tool_use", name, input: { subagent_type: kind, prompt } }] },
    ...more,
  });

function written(...lines: readonly string[]): string {
  const path = join(dir, "t.jsonl");
  writeFileSync(path, `${lines.join("\n")}\n`);
  return path;
}

test("the brief of a subagent is the newest call for its kind", () => {
  const path = written(
    call("Agent", "explorer", "find the limiter"),
    call("Task", "reviewer", "review the limiter"),
    call("Bash", "explorer", "ls"),
    call("Agent", "explorer", "not this one", { isSidechain: true }),
  );
  expect(briefOf(path, "explorer")).toBe("find the limiter");
  expect(briefOf(path, "reviewer")).toBe("review the limiter");
  expect(briefOf(path, "planner")).toBe("");
});

test("a transcript that is missing, torn or not a file has no brief", () => {
  const whole = call("Agent", "explorer", "find it");
  expect(briefOf(written(whole.slice(0, -5)), "explorer")).toBe("");
  expect(briefOf(written(call("Agent", "explorer", 7), '{"message":{"content":"tool_use"}}'), "explorer")).toBe("");
  for (const path of ["", join(dir, "none"), dir]) expect(briefOf(path, "explorer")).toBe("");
  expect(briefOf(written(whole), "")).toBe("");
});

test("only the end of a long transcript is read", () => {
  const long = JSON.stringify({ text: "x".repeat(400_000) });
  expect(briefOf(written(call("Agent", "explorer", "too old"), long), "explorer")).toBe("");
  expect(briefOf(written(long, call("Agent", "explorer", "new")), "explorer")).toBe("new");
});
