import { join } from "node:path";
import zlib from "node:zlib";
import type { SqliteDriver } from "../../ports/sqlite-driver.ts";
import type {
  ReadOptions,
  TranscriptItem,
  TranscriptPosition,
  TranscriptQuery,
  TranscriptSource,
} from "../../ports/transcripts.ts";
import { empty, internal, tool, turnEnd, type ClientReader } from "./client-reader.ts";
import { asObject, blockTexts, listAt, objectAt, textAt, timeAt, type Fields } from "./fields.ts";
import { checkOf, ForeignDatabase, jsonIn } from "./foreign-database.ts";
import { longestRow } from "./json-lines.ts";
import { absolute, filesBelow, folderOf, isWithin, kindAt, type Home } from "./places.ts";

/** `openclaw-agent.sqlite` of each agent; the table `transcript_events` as OpenClaw 2026.9 has it. */
export function createOpenclaw(home: Home, driver: SqliteDriver): ClientReader {
  return {
    find: async (query) => {
      const sources: TranscriptSource[] = [];
      for (const path of await databases(home, query)) sources.push(...(await sessionsIn(driver, path, query)));
      return sources.toSorted((a, b) => b.changed_at_ms - a.changed_at_ms).slice(0, query.most);
    },
    read: (source, options) => readSession(driver, source, options),
  };
}

async function databases(home: Home, { path }: TranscriptQuery): Promise<readonly string[]> {
  if (path !== undefined && (await kindAt(path)) === "file") return [absolute(path)];
  const folder =
    path === undefined ? join(folderOf(home, "OPENCLAW_STATE_DIR", ".openclaw"), "agents") : absolute(path);
  return (await filesBelow(folder, (name) => /(?:^|\/)openclaw-agent\.sqlite$/u.test(name))).map((file) => file.path);
}

const bounded = `CASE WHEN length(event_json) <= ${longestRow} THEN event_json END AS json, CASE WHEN length(event_zstd) <= ${longestRow} THEN event_zstd END AS packed`;
const nextEvent = `SELECT seq, created_at, ${bounded}, event_json IS NULL AND event_zstd IS NULL AS is_empty FROM transcript_events WHERE session_id = ? AND seq > ? ORDER BY seq LIMIT 1`;
const before = -1;
const told = 64;

async function sessionsIn(
  driver: SqliteDriver,
  path: string,
  query: TranscriptQuery,
): Promise<readonly TranscriptSource[]> {
  const database = await ForeignDatabase.open(driver, path);
  try {
    return database
      .rows("SELECT session_id, max(created_at) AS changed FROM transcript_events GROUP BY session_id")
      .filter((row) => query.session === undefined || row["session_id"] === query.session)
      .filter(
        (row) =>
          query.folder === undefined || isWithin(folderOfSession(database, String(row["session_id"])), query.folder),
      )
      .map((row) => ({
        client: "openclaw",
        path,
        session: String(row["session_id"]),
        changed_at_ms: timeAt(row, "changed") ?? 0,
      }));
  } finally {
    database.close();
  }
}

function folderOfSession(database: ForeignDatabase, session: string): string | undefined {
  const event = eventIn(database.row(nextEvent, session, before) ?? {});
  return typeof event === "string" ? undefined : textAt(event, "cwd");
}

async function* readSession(
  driver: SqliteDriver,
  source: TranscriptSource,
  { from, signal }: ReadOptions,
): AsyncGenerator<TranscriptItem, void, void> {
  const session = source.session ?? "";
  const database = await ForeignDatabase.open(driver, source.path);
  try {
    let seq = startOf(database, session, from);
    yield { kind: "begin", at: seq === before ? "start" : "cursor" };
    const head = eventIn(database.row(nextEvent, session, before) ?? {});
    const first = typeof head === "string" ? {} : head;
    const facts = { started_at_ms: timeAt(first, "timestamp"), folder: textAt(first, "cwd"), title: undefined };
    yield { kind: "session", session: { id: session, ...facts } };
    for (let read = 1; ; read++) {
      signal?.throwIfAborted();
      const row = database.row(nextEvent, session, seq);
      if (row === undefined) break;
      seq = Number(row["seq"]);
      yield* eventItems(row, `row ${seq}`);
      if (read % told === 0) yield { kind: "position", position: positionOf(row, session) };
    }
    const last = seq === before ? undefined : database.row(nextEvent, session, seq - 1);
    if (last !== undefined) yield { kind: "position", position: positionOf(last, session) };
  } finally {
    database.close();
  }
}

/** Numbers may begin at 0, which is no place to go on from: one more is noted. */
function positionOf(row: Fields, session: string): TranscriptPosition {
  const seq = Number(row["seq"]);
  return { at: seq + 1, check: checkOf(session, String(seq), idIn(row)) };
}

function idIn(row: Fields): string {
  const event = eventIn(row);
  return typeof event === "string" ? event : (textAt(event, "id") ?? "");
}

function startOf(database: ForeignDatabase, session: string, from: TranscriptPosition | undefined): number {
  if (from === undefined || !Number.isSafeInteger(from.at) || from.at <= 0) return before;
  const row = database.row(nextEvent, session, from.at - 2);
  const isSame =
    row !== undefined && Number(row["seq"]) === from.at - 1 && positionOf(row, session).check === from.check;
  return isSame ? from.at - 1 : before;
}

type Fault = "torn" | "long" | "packed";

/** The event of a row, in whichever of its two columns it stands. */
function eventIn(row: Fields): Fields | Fault {
  if (typeof row["json"] === "string") return jsonIn(row["json"]) ?? "torn";
  const packed = row["packed"];
  if (!(packed instanceof Uint8Array)) return row["is_empty"] === 0 ? "long" : "torn";
  // Node has it from 22.15 on.
  const unpack = (zlib as Partial<typeof zlib>).zstdDecompressSync;
  if (unpack === undefined) return "packed";
  try {
    return jsonIn(unpack(packed, { maxOutputLength: longestRow }).toString("utf8")) ?? "torn";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "long" : "torn";
  }
}

const faults: Readonly<
  Record<Fault, { readonly code: "torn_row" | "long_row" | "packed_row"; readonly message: string }>
> = {
  torn: { code: "torn_row", message: "a row is torn or no JSON object" },
  long: { code: "long_row", message: "a row is longer than 16 MiB" },
  packed: {
    code: "packed_row",
    message: "rows are packed with zstd, which this Node cannot read; use Node 22.15 or newer",
  },
};

const bookkeeping = new Set(
  "session custom_message custom compaction reset branch_summary model_change thinking_level_change session_info label leaf".split(
    " ",
  ),
);

function* eventItems(row: Fields, place: string): Generator<TranscriptItem, void, void> {
  const event = eventIn(row);
  if (typeof event === "string") return yield { kind: "fault", ...faults[event], place };
  const type = textAt(event, "type") ?? "";
  if (type === "message") yield* messageItems(row, event, place);
  else if (bookkeeping.has(type)) yield internal;
  else yield { kind: "unknown", what: type, place };
}

/** Prompts of the program itself, and answers by which the model says nothing to anybody. */
const ofProgram =
  /^\s*(?:A new session was started via \/new or \/reset|Pre-compaction memory flush|Read HEARTBEAT\.md|System: \[|\[cron:)/u;
const silent = /^\s*(?:NO_REPLY|HEARTBEAT_OK)\s*$/u;
/** The program writes the time before what the person said. */
const stamp = /^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,12}\] /u;

function* messageItems(row: Fields, event: Fields, place: string): Generator<TranscriptItem, void, void> {
  const message = objectAt(event, "message");
  const role = message["role"];
  if (role === "toolResult" || role === "bashExecution") return yield tool;
  if (role !== "user" && role !== "assistant") return yield internal;
  const blocks = listAt(message, "content");
  const text = (textAt(message, "content") ?? blockTexts(blocks, ["text"])).replace(stamp, "");
  const calls = blocks.some((block) => asObject(block)?.["type"] === "toolCall");
  const isSilent = role === "user" ? ofProgram.test(text) : silent.test(text);
  const id = textAt(event, "id") ?? place;
  const at_ms = timeAt(event, "timestamp") ?? timeAt(message, "timestamp") ?? timeAt(row, "created_at");
  if (isSilent) yield internal;
  else if (text.trim() !== "") yield { kind: "message", message: { id, role, text, at_ms } };
  else if (!calls) yield empty;
  if (calls) yield tool;
  if (role === "assistant" && !calls && message["stopReason"] === "stop") yield turnEnd;
}
