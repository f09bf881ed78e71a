import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { zstdDecompressSync } from "node:zlib";
import { afterAll, describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createTranscripts } from "../../src/agents/transcripts/index.ts";
import { runCapture, runImport } from "../../src/agents/capture/run.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";
import { openclawDatabase } from "../fixtures/transcripts/databases.ts";
import { claudeSession, lines, shortSession } from "../fixtures/transcripts/claude-code.ts";

/** A damaged transcript does not prevent the capture of others, and what could not be read is reported. */
const base = mkdtempSync(join(tmpdir(), "heartwood-damage-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const at = Date.UTC(2026, 2, 10, 9);
const said = (id: string, role: "user" | "assistant", text: string) => ({
  type: "message",
  id,
  timestamp: new Date(at).toISOString(),
  message: { role, content: [{ type: "text", text }], stopReason: "stop" },
});

function conversation(session: string, turns: number): readonly object[] {
  const head = { type: "session", version: 4, id: session, timestamp: new Date(at).toISOString(), cwd: "/srv/app" };
  const rows = Array.from({ length: turns }, (_, turn) => [
    said(`u${turn}`, "user", `Question ${turn} about the ledger`),
    said(`a${turn}`, "assistant", `Answer ${turn}: ${"it balances. ".repeat(60)}`),
  ]);
  return [head, ...rows.flat()];
}

function openedWith(
  unpack: "none" | "of Node",
  home = mkdtempSync(join(base, "home-")),
): TestMemory & { readonly home: string } {
  const how = unpack === "none" ? { unpack } : { unpack: zstdDecompressSync as never };
  const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: home, environment: {} }, ...how });
  const test = openTestMemory({ disk: "folder", with: { transcripts } });
  return { ...test, memory: { ...test.memory, dir: "/srv/app" }, home };
}

const agent = (home: string, name: string): string =>
  join(home, `.openclaw/agents/${name}/agent/openclaw-agent.sqlite`);

describe("rows that this Node version cannot unpack", () => {
  it("are reported, plain ones are captured, and an import with a newer Node captures all of them", async () => {
    const test = openedWith("none");
    openclawDatabase(agent(test.home, "main"), "claw-1", conversation("claw-1", 5)).close();
    const { warnings, sessions } = await runCapture(test.memory, { client: "openclaw", ended: "session" });
    expect(warnings).toMatchObject([
      { code: "packed_row", message: expect.stringMatching(/Node 22\.15[^]*5 in total/u) },
    ]);
    expect(sessions[0]?.messages).toMatchObject({ added: 5 });
    const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: test.home, environment: {} } });
    const again = await runImport({ ...test.memory, transcripts }, { client: "openclaw" });
    expect(again).toMatchObject({ warnings: [], sessions: [{ messages: { added: 5, known: 5 } }] });
  });
});

describe("a database that is damaged", () => {
  it("among others is reported, and the others are captured", async () => {
    const test = openedWith("of Node");
    openclawDatabase(agent(test.home, "main"), "claw-1", conversation("claw-1", 3)).close();
    mkdirSync(dirname(agent(test.home, "other")), { recursive: true });
    writeFileSync(agent(test.home, "other"), "no database at all ".repeat(400));
    const { warnings, sessions } = await runImport(test.memory, { client: "openclaw" });
    expect(sessions).toMatchObject([{ session: "claw-1", messages: { added: 6 } }]);
    expect(warnings).toMatchObject([{ code: "unreadable_rest", path: agent(test.home, "other") }]);
    await expect(runImport(test.memory, { client: "openclaw", path: agent(test.home, "other") })).rejects.toMatchObject(
      {
        code: "invalid_body",
      },
    );
  });

  it("in the middle is captured up to the damage, with the same result each time", async () => {
    const test = openedWith("of Node");
    const path = agent(test.home, "main");
    openclawDatabase(path, "claw-1", conversation("claw-1", 200)).close();
    const whole = readFileSync(path);
    truncateSync(path, Math.floor(whole.length / 2 / 4096) * 4096);
    const first = await runImport(test.memory, { client: "openclaw", path }).catch((error: unknown) => error);
    if (first instanceof Error) expect(first).toMatchObject({ code: "invalid_body" });
    else
      expect((first as { readonly warnings: readonly object[] }).warnings).toMatchObject([{ code: "unreadable_rest" }]);
    writeFileSync(path, whole);
    const { warnings, sessions } = await runImport(test.memory, { client: "openclaw", path });
    expect(warnings).toEqual([]);
    const { added = 0, known = 0 } = sessions[0]?.messages ?? {};
    expect(added + known).toBe(400);
  });
});

describe("a transcript that cannot be opened", () => {
  it("below a folder is skipped", async () => {
    const test = openedWith("of Node");
    const folder = join(test.home, ".claude/projects/-srv-app");
    mkdirSync(folder, { recursive: true });
    const other = claudeSession.replace(/^./u, "f");
    writeFileSync(join(folder, `${claudeSession}.jsonl`), lines(shortSession()));
    writeFileSync(join(folder, `${other}.jsonl`), lines(shortSession()));
    chmodSync(join(folder, `${other}.jsonl`), 0);
    symlinkSync(join(folder, "gone"), join(folder, `${claudeSession.replace(/^./u, "e")}.jsonl`));
    const { sessions } = await runImport(test.memory, { client: "claude-code", all: true });
    expect(sessions.some(({ session }) => session === claudeSession)).toBe(true);
  });
});
