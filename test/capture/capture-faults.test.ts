import { appendFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { runCapture } from "../../src/agents/capture/run.ts";
import { answer, claudeSession, lines, said, shortSession, type Row } from "../fixtures/transcripts/claude-code.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const file = `in/${claudeSession}.jsonl`;
const cursorFile = `.heartwood/capture/claude-code/claude-code-${claudeSession}.json`;
const threadId = `claude-code-${claudeSession}`;

function opened(text: string): TestMemory & { readonly path: string } {
  const test = openTestMemory({ disk: "folder", files: { [file]: text } });
  return { ...test, path: join(test.memory.dir, file) };
}

function capture(test: { readonly memory: TestMemory["memory"]; readonly path: string }) {
  return runCapture(test.memory, { client: "claude-code", path: test.path });
}

function manyTurns(count: number): readonly Row[] {
  const time = (second: number): string => new Date(Date.UTC(2026, 2, 10, 9) + second * 1000).toISOString();
  return Array.from({ length: count }, (_, n) => [
    said(`u${n}`, `Question ${n} about the ledger`, time(n * 2)),
    answer(`a${n}`, `Answer ${n}: it balances.`, time(n * 2 + 1)),
  ]).flat();
}

describe("incomplete rows", () => {
  it("a last line without a line end is waited for, and not reported", async () => {
    const rows = lines(shortSession());
    const test = opened(rows.slice(0, -20));
    const first = await capture(test);
    expect(first.warnings).toEqual([]);
    expect(first.sessions[0]).toMatchObject({ messages: { added: 6 } });
    appendFileSync(test.path, rows.slice(-20));
    const second = await capture(test);
    expect(second.warnings).toEqual([]);
    expect(second.sessions[0]).toMatchObject({ messages: { added: 1, known: 0 }, entries: { added: 1, known: 0 } });
  });

  it("a torn row, a row of a new kind and a row that is far too long are reported once each, and the rest is captured", async () => {
    const [first = "", ...rest] = lines(shortSession()).split(/(?<=\n)/u);
    const strange = ['{"type":"user","mess\n', "[1]\n", '{"type":"new-kind"}\n', '{"type":"new-kind"}\n'];
    const long = `{"type":"user","x":"${"x".repeat(17 * 1024 * 1024)}"}\n`;
    const test = opened([first, ...strange, long, ...rest].join(""));
    const { sessions, warnings } = await capture(test);
    expect(warnings.map(({ code }) => code)).toEqual(["torn_row", "unknown_row", "long_row"]);
    expect(warnings[1]?.message).toContain('"new-kind"');
    expect(warnings[1]?.message).toContain("(2 in total)");
    expect(sessions[0]).toMatchObject({ messages: { added: 7 }, left_out: { unknown: 2 } });
  });

  it("fields of the wrong type give no messages and do not crash", async () => {
    const rows: readonly Row[] = [
      { type: "user", sessionId: claudeSession, message: null, timestamp: 7 },
      { type: "user", sessionId: claudeSession, message: { content: [null, 1, "x", { type: "text" }] }, uuid: 5 },
      { type: "assistant", message: { content: { type: "text", text: "no list" } } },
      { type: "assistant", message: "text" },
      { type: { a: 1 } },
      { type: "attachment", attachment: [] },
    ];
    const { sessions, warnings } = await capture(opened(lines(rows)));
    expect(sessions[0]).toMatchObject({ messages: { added: 1 } });
    expect(warnings.map(({ code }) => code)).toEqual(["unknown_row"]);
  });
});

describe("a cursor that does not fit", () => {
  it("is ignored if the file was rewritten, or if the thread is gone", async () => {
    const test = opened(lines(shortSession()));
    await capture(test);
    writeFileSync(
      test.path,
      lines([said("n1", "Another beginning of the ledger", "2026-03-10T08:00:00Z"), ...shortSession()]),
    );
    expect((await capture(test)).sessions[0]).toMatchObject({ messages: { added: 1, known: 7 } });
    test.write(cursorFile, "{}");
    expect((await capture(test)).sessions[0]).toMatchObject({ messages: { added: 0, known: 8 } });
    await test.memory.threads.close();
    for (const end of ["", "-wal", "-shm"])
      if (test.list().includes(`.heartwood/threads/threads.sqlite${end}`))
        test.remove(`.heartwood/threads/threads.sqlite${end}`);
    expect((await capture(test)).sessions[0]).toMatchObject({
      messages: { added: 8, known: 0 },
      entries: { added: 0 },
    });
  });

  it("is readable only by the user", async () => {
    const test = opened(lines(shortSession()));
    await capture(test);
    expect(statSync(join(test.memory.dir, cursorFile)).mode & 0o777).toBe(0o600);
  });
});

describe("many messages", () => {
  it("1,000 captured twice are 1,000, and no entry is repeated", async () => {
    const test = opened(lines(manyTurns(500)));
    expect((await capture(test)).sessions[0]).toMatchObject({ messages: { added: 1000 }, entries: { added: 500 } });
    const log = test.read("memory/2026-03-10.md");
    expect((await capture(test)).sessions[0]).toMatchObject({ messages: { added: 0 }, entries: { added: 0 } });
    test.remove(cursorFile);
    expect((await capture(test)).sessions[0]).toMatchObject({
      messages: { added: 0, known: 1000 },
      entries: { added: 0, known: 500 },
    });
    expect((await test.memory.threads.head(threadId))?.message_count).toBe(1000);
    expect(test.read("memory/2026-03-10.md")).toBe(log);
  });

  it("with the same id are one", async () => {
    const [user, model] = manyTurns(1);
    if (user === undefined || model === undefined) throw new Error("no rows");
    const { sessions } = await capture(opened(lines([user, model, user, model])));
    expect(sessions[0]).toMatchObject({ messages: { added: 2, known: 2 }, entries: { added: 1, known: 1 } });
  });
});

describe("a crash", () => {
  it("between frames and entries, or between entries and cursor, is repaired by the next capture", async () => {
    for (const fails of ["entries", "cursor"] as const) {
      const test = opened(lines(manyTurns(20)));
      const full = new MemoryError("disk_full", "The disk is full.");
      const { files } = test.memory;
      const broken = {
        ...files,
        append: async (...given: Parameters<typeof files.append>) => {
          if (fails === "entries" && given[0].endsWith("03-10.md") && given[1].length > 0) throw full;
          return files.append(...given);
        },
        commit: async (...given: Parameters<typeof files.commit>) => {
          if (fails === "cursor" && given[0].some(({ path }) => path === cursorFile)) throw full;
          return files.commit(...given);
        },
      };
      await expect(capture({ ...test, memory: { ...test.memory, files: broken } })).rejects.toMatchObject({
        code: "disk_full",
      });
      expect((await test.memory.threads.head(threadId))?.message_count).toBe(40);
      const known = fails === "cursor" ? 20 : 0;
      expect((await capture(test)).sessions[0]).toMatchObject({
        messages: { added: 0, known: 40 },
        entries: { added: 20 - known, known },
      });
    }
  });
});

describe("secrets", () => {
  const key = ["ghp", "_", "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"].join("");

  it("are replaced in frames, entries, the cursor and the title", async () => {
    const test = opened(
      lines([
        said("u1", `The token for the mirror is ${key}`, "2026-03-10T09:00:00Z"),
        answer("a1", `I use ${key} from now on.`, "2026-03-10T09:00:01Z"),
        said("u2", `And once more: ${key}, do not forget`, "2026-03-10T09:00:02Z"),
      ]),
    );
    await capture(test);
    const frames = await test.memory.threads.frames({ thread_id: threadId, limit: 10 });
    expect(frames).toHaveLength(4);
    const everything = [
      ...frames.map(({ line }) => line),
      test.read("memory/2026-03-10.md"),
      test.read(cursorFile),
    ].join("\n");
    expect(everything).toContain("mirror");
    expect(everything).toContain("once more");
    expect(everything).not.toContain(key.slice(4));
  });
});
