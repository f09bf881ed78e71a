import { execFile } from "node:child_process";
import { randomUUID } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { answer, lines, said } from "../fixtures/transcripts/claude-code.ts";
import { bin, fire, heartwood, projectWith, type Project } from "../hooks/fired.ts";
import { startRaw, textOf } from "../mcp/raw.ts";

/** A user corrects what is remembered: over the command line, hooks and MCP, with the built program. */
const log = "memory/2026-03-23.md";
const files = {
  [log]:
    "# 2026-03-23\n\n## Staging [reference]\n- The staging server runs on port 5544.\n\n## Backups [project]\n- Backups of the staging server are kept for ninety days.\n",
};
const question = "Which port does the staging server run on?";

let project: Project;
beforeEach(() => (project = projectWith(files)));
afterEach(() => project.remove());

const hooked = (event: string, session: string, more: object = {}): Promise<string> =>
  fire(
    project,
    ["claude-code", event],
    JSON.stringify({ session_id: session, cwd: project.dir, source: "startup", ...more }),
  ).then(({ stdout }) => stdout);
/** Without an id, the same question twice within a second would be one prompt that two hooks receive. */
const prompted = (session: string): Promise<string> =>
  hooked("prompt", session, { prompt: question, prompt_id: randomUUID() });
const recalled = (): string => heartwood(project, "recall", question);
const logged = (name: string): string => readFileSync(join(project.dir, name), "utf8");

/** A session of Claude Code in which the user says it, as hooks capture it. */
async function captureSession(): Promise<void> {
  const path = join(project.dir, "..", `${session}.jsonl`);
  const rows = [
    said("q1", "Remember that the staging server runs on port 5544.", "2026-03-23T10:00:00.000Z"),
    answer("a1", "Noted.", "2026-03-23T10:00:10.000Z"),
  ];
  writeFileSync(path, lines(rows.map((row) => ({ ...row, sessionId: session, cwd: project.dir }))));
  heartwood(project, "capture", "claude-code", path, "--ended", "session");
  heartwood(project, "index");
}
const session = "7a0c3a52-9a6e-4c1b-8f3e-2b7d1c9e0a22";

test("in a terminal: the next prompt, session and recall have what is right", async () => {
  await captureSession();
  expect(
    [await prompted("one"), await hooked("session-start", "two"), recalled()].map((text) => /5544/u.test(text)),
  ).toEqual([true, true, true]);
  const before = logged(log);
  const words = ["log", "add", "--topic", "Staging", "--corrects", `${log}:4`];
  expect(heartwood(project, ...words, "--body", "- The staging server runs on port 6100.")).toContain(
    "Added Staging [reference]",
  );
  const now = await Promise.all([prompted("one"), prompted("three"), hooked("session-start", "four"), recalled()]);
  expect(now.map((text) => [text.includes("5544"), text.includes("6100")])).toEqual(now.map(() => [false, true]));
  expect(logged(log)).toBe(before);
  heartwood(project, "compact");
  expect(logged("memory/ROOT.md")).toContain("6100");
  expect(logged("memory/ROOT.md")).not.toContain("5544");
  expect(heartwood(project, "verify")).toContain("0 findings");
  expect(await hooked("session-start", "five")).not.toContain("5544");
  expect(recalled()).not.toContain("5544");
});

test.each([
  ["memory_log", { topic: "Staging", corrects: `${log}:4`, body: "- The staging server runs on port 6100." }],
  ["memory_correct", { place: `${log}:4`, body: "- The staging server runs on port 6100." }],
])("with %s: the same server and the next prompt of a hook have what is right", async (name, input) => {
  heartwood(project, "index");
  const server = await startRaw(project.dir, { args: ["--today", "2026-03-24"], env: project.env });
  expect(textOf(await server.call("memory_recall", { text: question }))).toContain("5544");
  expect(textOf(await server.call(name, input))).toContain("Added: memory/2026-03-24.md:3-6");
  const told = textOf(await server.call("memory_recall", { text: question }));
  const prompt = await prompted("one");
  expect([told, prompt].map((text) => [text.includes("5544"), text.includes("6100")])).toEqual([
    [false, true],
    [false, true],
  ]);
  expect(textOf(await server.call("memory_search", { query: "5544" }))).toContain(
    "corrected by memory/2026-03-24.md:3",
  );
  expect(textOf(await server.call("memory_read", { place: `${log}:4` }))).toContain("5544");
  const refused = await server.call("memory_log", { topic: "x", corrects: "ROOT:3", body: "y" });
  expect(JSON.stringify(refused)).toContain("invalid_path");
  server.hangUp();
  await server.ended;
});

test("for OpenClaw, which loads MEMORY.md, what was wrong leaves it at once", async () => {
  writeFileSync(join(project.dir, "heartwood.config.json"), '{ "platform": "openclaw" }\n');
  heartwood(project, "compact");
  expect(logged("MEMORY.md")).toContain("5544");
  heartwood(project, "log", "add", "--topic", "Staging", "--corrects", `${log}:4`, "--body", "- It runs on port 6100.");
  expect(logged("MEMORY.md")).not.toContain("5544");
  expect(logged("MEMORY.md")).toContain("6100");
});

test("corrections from several processes at once are all in the log, whole and once", async () => {
  const add = (at: number): Promise<unknown> =>
    new Promise((resolve) => {
      const words = ["log", "add", "--topic", "Staging", "--corrects", `${log}:4`, "--id", `c-${at % 3}`];
      const body = `- The staging server runs on port ${6100 + (at % 3)}.`;
      execFile(process.execPath, [bin, ...words, "--body", body], { cwd: project.dir, env: project.env }, resolve);
    });
  expect(await Promise.all(Array.from({ length: 6 }, (_, at) => add(at)))).toEqual(
    Array.from({ length: 6 }, () => null),
  );
  const text = logged("memory/2026-03-24.md");
  expect(text.match(/^- corrects: .*\n- The staging server runs on port 610[012]\.$/gmu)?.length).toBe(3);
  expect(recalled()).not.toContain("5544");
});
