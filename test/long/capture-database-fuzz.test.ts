import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createTranscripts } from "../../src/agents/transcripts/index.ts";
import { MemoryError } from "../../src/base/errors.ts";
import type { Client, TranscriptItem } from "../../src/agents/transcripts/transcripts.ts";
import {
  addOpencodeMessage,
  addOpencodeSession,
  openclawDatabase,
  opencodeDatabase,
} from "../fixtures/transcripts/databases.ts";

/** Client databases with damaged bytes and rows: read to the end, with a warning, or refused with a code; never a hang or a crash. */
const runs = Number(process.env["HEARTWOOD_FUZZ_RUNS"] ?? 150);
/** Set another seed with `HEARTWOOD_FUZZ_SEED`. */
const seed = Number(process.env["HEARTWOOD_FUZZ_SEED"] ?? 20_260_310);
const base = mkdtempSync(join(tmpdir(), "heartwood-database-fuzz-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const transcripts = createTranscripts({ driver: nodeSqlite, home: { folder: base, environment: {} } });
const at = Date.UTC(2026, 2, 10, 9);
const turns = 12;

function opencodeBytes(): Buffer {
  const path = join(base, "whole-opencode.db");
  const database = opencodeDatabase(path);
  addOpencodeSession(database, "ses_1");
  addOpencodeSession(database, "ses_2");
  for (let turn = 0; turn < turns; turn += 1) {
    const session = turn % 4 === 3 ? "ses_2" : "ses_1";
    const text = (words: string) => ({ type: "text", text: `${words} ${turn} ${"about the ledger ".repeat(20)}` });
    const user = { role: "user", agent: "build", time: { created: at + turn } };
    const model = { role: "assistant", mode: "build", finish: "stop", time: { created: at, completed: at + 2 } };
    const id = String(turn).padStart(3, "0");
    const more = [{ type: "tool", tool: "bash" }, text("more")];
    addOpencodeMessage(database, { session, id: `m${id}u`, at: at + turn * 1_000, data: user, parts: [text("asked")] });
    addOpencodeMessage(database, {
      session,
      id: `m${id}v`,
      at: at + turn * 1_000 + 1,
      data: model,
      parts: [text("told"), ...more],
    });
  }
  database.exec("PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;");
  database.close();
  return readFileSync(path);
}

function openclawBytes(): Buffer {
  const path = join(base, "whole-openclaw.sqlite");
  const message = (turn: number, role: string) => ({
    type: "message",
    id: `e${turn}-${role}`,
    timestamp: new Date(at + turn * 1_000).toISOString(),
    message: { role, content: [{ type: "text", text: `said ${turn} ${"about the ledger ".repeat(20)}` }] },
  });
  const rows = Array.from({ length: turns }, (_, turn) => [message(turn, "user"), message(turn, "assistant")]).flat();
  const head = { type: "session", version: 4, id: "claw-1", timestamp: new Date(at).toISOString(), cwd: "/srv/app" };
  openclawDatabase(path, "claw-1", [head, ...rows]).close();
  return readFileSync(path);
}

/** More than any such database contains: a reading that gives more would never end. */
const most = 2_000;

async function itemsOf(client: Client, path: string): Promise<readonly TranscriptItem[]> {
  const items: TranscriptItem[] = [];
  for (const source of await transcripts.find({ client, path }))
    for await (const item of transcripts.read(source, {})) {
      items.push(item);
      if (items.length > most) throw new Error("it does not end");
    }
  return items;
}

function expectWhole(items: readonly TranscriptItem[]): void {
  for (const item of items) {
    if (item.kind === "fault") expect(item.message).not.toMatch(/\n\s+at /u);
    if (item.kind !== "message") continue;
    expect(typeof item.message.text === "string" && item.message.text.trim() !== "").toBe(true);
    expect(typeof item.message.id === "string" && item.message.id !== "").toBe(true);
    expect(item.message.at_ms === undefined || Number.isSafeInteger(item.message.at_ms)).toBe(true);
  }
}

async function readOrRefused(client: Client, path: string): Promise<readonly TranscriptItem[]> {
  const items = await itemsOf(client, path).catch((error: unknown) => {
    if (error instanceof MemoryError && error.code !== "internal") return [];
    throw error;
  });
  expectWhole(items);
  return items;
}

interface Kept {
  readonly client: Client;
  readonly whole: Buffer;
  readonly tables: Readonly<Record<string, readonly string[]>>;
}

const kept: readonly Kept[] = [
  {
    client: "opencode",
    whole: opencodeBytes(),
    tables: {
      session: ["id", "parent_id", "directory", "title", "time_created", "time_updated"],
      message: ["id", "session_id", "time_created", "data"],
      part: ["id", "message_id", "data"],
    },
  },
  {
    client: "openclaw",
    whole: openclawBytes(),
    tables: {
      session_windows: ["session_id", "session_key"],
      transcript_events: ["session_id", "seq", "event_json", "event_zstd", "created_at"],
    },
  },
];

const bytes = fc.oneof(
  fc.record({ kind: fc.constant("flip" as const), at: fc.nat(), value: fc.integer({ min: 1, max: 255 }) }),
  fc.record({ kind: fc.constant("zero" as const), at: fc.nat(), length: fc.nat({ max: 5_000 }) }),
  fc.record({ kind: fc.constant("swap" as const), at: fc.nat(), length: fc.nat() }),
  fc.record({ kind: fc.constant("cut" as const), at: fc.nat(), length: fc.constant(0) }),
);

function harmed(whole: Buffer, harms: readonly (typeof bytes extends fc.Arbitrary<infer T> ? T : never)[]): Buffer {
  let result = Buffer.from(whole);
  for (const harm of harms) {
    if (result.length === 0) break;
    const place = harm.at % result.length;
    if (harm.kind === "flip") result[place] = (result[place] ?? 0) ^ harm.value;
    else if (harm.kind === "zero") result.fill(0, place, Math.min(place + harm.length, result.length));
    else if (harm.kind === "cut") result = result.subarray(0, place);
    else {
      // Swapped pages, which their checksums do not reveal.
      const [one = 0, other = 0] = [harm.at, harm.length].map((n) => (n % Math.ceil(result.length / 4096)) * 4096);
      const page = Buffer.from(result.subarray(one, one + 4096));
      result.subarray(other, other + 4096).copy(result, one);
      page.copy(result, other);
    }
  }
  return result;
}

/** Invalid values for a column of some rows. */
const values = [
  "NULL",
  "''",
  "'abc'",
  "X'00ff00'",
  "X''",
  "-1",
  "1.5",
  "9e99",
  "-9e999",
  "9223372036854775807",
  "-9223372036854775808",
  "'{}'",
  "'[]'",
  '\'{"role":"user","type":"text","text":7}\'',
  "CAST('a' || char(0) || 'b' AS TEXT)",
  "CAST(X'ff41' AS TEXT)",
  "zeroblob(17000000)",
];

describe.each(kept)("a database of $client", ({ client, whole, tables }) => {
  const path = join(base, `${client}.db`);
  const free = withoutTypes(whole, join(base, "free.db"), tables);

  it("that is intact gives all messages", async () => {
    writeFileSync(path, whole);
    const items = await readOrRefused(client, path);
    expect(items.filter(({ kind }) => kind === "message").length).toBe(2 * turns);
    expect(items.filter(({ kind }) => kind === "fault")).toEqual([]);
  });

  it("with changed bytes is read as far as possible, or refused with a code", async () => {
    let told = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(bytes, { minLength: 1, maxLength: 30 }), async (harms) => {
        writeFileSync(path, harmed(whole, harms));
        const items = await readOrRefused(client, path);
        if (items.some(({ kind }) => kind === "fault" || kind === "unknown")) told += 1;
      }),
      { numRuns: runs, seed },
    );
    expect(told).toBeGreaterThan(0);
  });

  it("with values of other types in any column is read to the end, with all other rows", async () => {
    for (const [table, columns] of Object.entries(tables))
      for (const column of columns)
        for (const value of values) {
          writeFileSync(path, free);
          const database = new DatabaseSync(path);
          database.exec(`PRAGMA synchronous = OFF; UPDATE ${table} SET ${column} = ${value} WHERE rowid IN (2, 5)`);
          database.close();
          const name = `${table}.${column} = ${value}`;
          const items = await itemsOf(client, path).catch((error: unknown) => {
            throw new Error(`${name}: ${String(error)}`);
          });
          expectWhole(items);
          // Reading cannot continue from an id that is not valid Unicode.
          if (items.some((item) => item.kind === "fault" && item.code === "unreadable_rest")) {
            expect([column, value]).toEqual(["id", "CAST(X'ff41' AS TEXT)"]);
            continue;
          }
          // At most the contents of these two rows are lost; for a session, its messages.
          const lost = table === "session" || column === "session_id" ? turns * 2 : 3;
          expect(items.filter(({ kind }) => kind === "message").length, name).toBeGreaterThanOrEqual(2 * turns - lost);
        }
  });

  it("without a table or a column is refused or reported", async () => {
    for (const [table, columns] of Object.entries(tables)) {
      for (const column of [undefined, ...columns]) {
        writeFileSync(path, free);
        const database = new DatabaseSync(path);
        database.exec(column === undefined ? `DROP TABLE ${table}` : `ALTER TABLE ${table} DROP COLUMN ${column}`);
        database.close();
        const result = await itemsOf(client, path).catch((error: unknown) => error);
        if (Array.isArray(result))
          expect(result, `${table}.${column}`).toContainEqual(expect.objectContaining({ kind: "fault" }));
        else expect(result, `${table}.${column}`).toMatchObject({ code: "invalid_body" });
      }
    }
  });
});

/** The same rows in tables that take any kind of value in any column. */
function withoutTypes(whole: Buffer, path: string, tables: Kept["tables"]): Buffer {
  writeFileSync(path, whole);
  const database = new DatabaseSync(path);
  for (const [table, columns] of Object.entries(tables)) {
    database.exec(`CREATE TABLE free (${columns.join(", ")}); INSERT INTO free SELECT ${columns.join(", ")} FROM ${table};
      DROP TABLE ${table}; ALTER TABLE free RENAME TO ${table};`);
  }
  database.close();
  return readFileSync(path);
}
