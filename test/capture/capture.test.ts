import { statSync as statOf } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { runCapture, runImport } from "../../src/agents/capture/run.ts";
import {
  answer,
  claudeSession,
  lines,
  said,
  shortSession,
  toolCall,
  type Row,
} from "../fixtures/transcripts/claude-code.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const file = `in/${claudeSession}.jsonl`;

function opened(rows: readonly Row[], zone = "UTC"): TestMemory & { readonly path: string } {
  const test = openTestMemory({ disk: "folder", zone, files: { [file]: lines(rows) } });
  return { ...test, path: join(test.memory.dir, file) };
}

function capture(test: ReturnType<typeof opened>) {
  return runCapture(test.memory, { client: "claude-code", path: test.path });
}

const cursorFile = `.heartwood/capture/claude-code/claude-code-${claudeSession}.json`;
const headings = (log: string | undefined): number =>
  (log ?? "").split("\n").filter((line) => line.startsWith("## ")).length;

async function contents(test: TestMemory): Promise<readonly string[]> {
  const frames = await test.memory.threads.frames({ thread_id: `claude-code-${claudeSession}`, limit: 10_000 });
  return frames
    .map(({ line }) => JSON.parse(line) as { readonly content?: string })
    .flatMap(({ content }) => (content === undefined ? [] : [content]));
}

describe("a Claude Code transcript", () => {
  it("becomes a thread with every message, and an entry for every finished turn", async () => {
    const test = opened(shortSession());
    const { sessions, warnings } = await capture(test);
    expect(warnings).toEqual([]);
    expect(sessions).toEqual([
      {
        session: claudeSession,
        thread_id: `claude-code-${claudeSession}`,
        day: "2026-03-10",
        days: ["2026-03-10"],
        messages: { added: 7, known: 0 },
        entries: { added: 2, known: 0 },
        left_out: { internal: 5, injected: 1, tool: 2, courtesy: 1 },
      },
    ]);
    expect(await contents(test)).toHaveLength(7);
    const log = test.read("memory/2026-03-10.md");
    expect(log).toContain(
      "User: The importer hangs on large files, find out why\nAssistant: The cause was a stale lock",
    );
    expect(log).toContain("## Session 5f0c3a52 [project]\n<!-- hw id=capture-");
    expect(log).not.toContain("go on");
    expect(headings(log)).toBe(2);
  });

  it("gives the same after ten captures, and after one without a cursor", async () => {
    const test = opened(shortSession());
    await capture(test);
    const [log, thread] = [test.read("memory/2026-03-10.md"), await contents(test)];
    for (let time = 0; time < 9; time++) {
      const { sessions } = await capture(test);
      expect(sessions[0]).toMatchObject({ messages: { added: 0, known: 0 }, entries: { added: 0, known: 0 } });
    }
    test.remove(cursorFile);
    const { sessions } = await capture(test);
    expect(sessions[0]).toMatchObject({ messages: { added: 0, known: 7 }, entries: { added: 0, known: 2 } });
    expect(test.read("memory/2026-03-10.md")).toBe(log);
    expect(await contents(test)).toEqual(thread);
  });

  it("adds nothing if imported after hooks captured it", async () => {
    const test = opened(shortSession());
    await capture(test);
    const { sessions } = await runImport(test.memory, { client: "claude-code", path: test.path });
    expect(sessions[0]).toMatchObject({ messages: { added: 0, known: 7 }, entries: { added: 0, known: 2 } });
  });

  it("gives the same captured row by row as captured at once", async () => {
    const rows = shortSession();
    const whole = opened(rows);
    await capture(whole);
    const pieces = opened([]);
    for (let count = 2; count <= rows.length; count++) {
      pieces.write(file, lines(rows.slice(0, count)));
      await capture(pieces);
    }
    expect(await contents(pieces)).toEqual(await contents(whole));
    expect(pieces.read("memory/2026-03-10.md")).toBe(whole.read("memory/2026-03-10.md"));
  });

  it("keeps the day on which it began, across midnight", async () => {
    const rows = [
      said("u1", "Begin the migration of the ledger", "2026-03-10T22:30:00.000Z"),
      answer("a1", "It has begun.", "2026-03-10T22:50:00.000Z"),
      said("u2", "Is the migration of the ledger done?", "2026-03-11T01:00:00.000Z"),
      answer("a2", "It is done.", "2026-03-11T01:01:00.000Z"),
    ];
    const test = opened(rows, "Europe/Berlin");
    const { sessions } = await capture(test);
    expect(sessions[0]).toMatchObject({ day: "2026-03-10", entries: { added: 2 } });
    expect(headings(test.read("memory/2026-03-10.md"))).toBe(2);
    expect(test.read("memory/2026-03-11.md")).toBeUndefined();
  });

  it("has an entry for its last turn only when that is finished", async () => {
    const rows = [
      said("u1", "Find the slow query", "2026-03-10T09:00:00Z"),
      answer("a1", "I look.", "2026-03-10T09:00:01Z", null),
    ];
    const test = opened([...rows, toolCall("a2", "2026-03-10T09:00:02Z")]);
    expect((await capture(test)).sessions[0]).toMatchObject({ messages: { added: 2 }, entries: { added: 0 } });
    const early = await runCapture(test.memory, { client: "claude-code", path: test.path, ended: "turn" });
    expect(early.sessions[0]).toMatchObject({ entries: { added: 0 } });
    const ended = await runCapture(test.memory, { client: "claude-code", path: test.path, ended: "session" });
    expect(ended.sessions[0]).toMatchObject({ entries: { added: 1 } });
  });

  it("is not written again if nothing is new, and its last turn may end without a new row", async () => {
    const test = opened([said("u1", "Find the slow query", "2026-03-10T09:00:00Z")]);
    await capture(test);
    const before = statOf(join(test.memory.dir, cursorFile), { bigint: true }).mtimeNs;
    await capture(test);
    expect(statOf(join(test.memory.dir, cursorFile), { bigint: true }).mtimeNs).toBe(before);
    const ended = await runCapture(test.memory, { client: "claude-code", path: test.path, ended: "session" });
    expect(ended.sessions[0]).toMatchObject({ messages: { added: 0, known: 0 }, entries: { added: 1 } });
    const again = await runCapture(test.memory, { client: "claude-code", path: test.path, ended: "session" });
    expect(again.sessions[0]).toMatchObject({ entries: { added: 0, known: 0 } });
  });
});

describe("all sessions of a folder", () => {
  it("are captured from their cursors, and sessions that ended silently still get their last turn", async () => {
    const other = claudeSession.replace("5f0c", "5f0d");
    const rows = [said("u1", "Find the slow query", "2026-03-10T09:00:00Z")];
    const test = openTestMemory({
      disk: "folder",
      files: {
        [file]: lines(rows).replaceAll("/srv/app", "."),
        [`in/${other}.jsonl`]: lines(rows).replaceAll(claudeSession, other),
      },
    });
    const path = join(test.memory.dir, "in");
    const memory = { ...test.memory, dir: "/srv/app" };
    const now = Math.max(...[file, `in/${other}.jsonl`].map((name) => statOf(join(test.memory.dir, name)).mtimeMs));
    const at = (ms: number) => ({
      ...memory,
      clock: { ...memory.clock, now: () => now + ms, today: () => "2099-01-01" },
    });
    const fresh = await runCapture(at(1_000), { client: "claude-code", path, all: true });
    expect(fresh.sessions.map(({ session, entries }) => [session, entries.added])).toEqual([[other, 0]]);
    const idle = await runCapture(at(700_000), { client: "claude-code", path, all: true });
    expect(idle.sessions.map(({ session, entries }) => [session, entries.added])).toEqual([[other, 1]]);
    expect((await runCapture(at(800_000), { client: "claude-code", path, all: true })).sessions).toHaveLength(1);
  });
});
