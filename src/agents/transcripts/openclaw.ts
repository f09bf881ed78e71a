import zlib from "node:zlib";
import { join } from "node:path";
import { openclawFolder } from "../../base/known-paths.ts";
import {
  asObject,
  blockTexts,
  empty,
  faultyRow,
  internal,
  jsonIn,
  listAt,
  longestRow,
  objectAt,
  textAt,
  timeAt,
  tool,
  turnEnd,
  type Fields,
  type RowFault,
} from "./client-reader.ts";
import {
  checkOf,
  isNumber,
  numberColumn,
  refuseDisorder,
  type DatabaseFormat,
  type ForeignDatabase,
} from "./database-client.ts";
import { folderOf, type Home } from "./places.ts";
import type { ReadOptions, TranscriptItem, TranscriptPosition } from "./transcripts.ts";

/** Gives at most `maxOutputLength` bytes, else it throws `ERR_BUFFER_TOO_LARGE`. */
export type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

/** What unpacks rows here: Node has it from 22.15 on. */
const unpackOfNode: Unpack | "none" = (zlib as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync ?? "none";

/** `openclaw-agent.sqlite` of each agent; the table `transcript_events` as OpenClaw 2026.9 has it. */
export function openclaw(unpack: Unpack | "none" = unpackOfNode): DatabaseFormat {
  return {
    client: "openclaw",
    root: (home) => join(stateFolder(home), "agents"),
    isDatabase: (path) => /(?:^|\/)openclaw-agent\.sqlite$/u.test(path),
    sessions: (database) =>
      database.rows(allSessions).map((row) => {
        const session = String(row["session_id"]);
        const folder = () => headOf({ database, unpack }, session).folder;
        return { session, changed_at_ms: timeAt(row, "changed") ?? 0, folder };
      }),
    items: (database, session, options) => items({ database, unpack }, session, options),
  };
}

function stateFolder(home: Home): string {
  const around: Home = { ...home, folder: folderOf(home, "OPENCLAW_HOME") };
  return folderOf(around, "OPENCLAW_STATE_DIR", openclawFolder(home.environment["OPENCLAW_PROFILE"]));
}

const bounded = `CASE WHEN typeof(event_json) = 'text' AND length(event_json) <= ${longestRow} THEN event_json END AS json, CASE WHEN typeof(event_zstd) = 'blob' AND length(event_zstd) <= ${longestRow} THEN event_zstd END AS packed`;
const isLong = `max(coalesce(length(event_json), 0), coalesce(length(event_zstd), 0)) > ${longestRow} AS is_long`;
const inOrder = `(typeof(seq) = 'integer' AND ${isNumber("seq")} AND seq >= 0)`;
const nextEvent = `SELECT seq, ${numberColumn("created_at")}, ${bounded}, ${isLong} FROM transcript_events WHERE session_id = ? AND seq > ? AND ${inOrder} ORDER BY seq LIMIT 1`;
const withoutPlace = `SELECT count(*) AS count FROM transcript_events WHERE session_id = ? AND NOT ${inOrder}`;
const allSessions = `SELECT session_id, max(CASE WHEN ${isNumber("created_at")} THEN created_at END) AS changed FROM transcript_events WHERE typeof(session_id) = 'text' GROUP BY session_id`;

/** The rows of `transcript_events`, read one at a time, since one of them may be large. */
interface Rows {
  readonly database: ForeignDatabase;
  readonly unpack: Unpack | "none";
}

interface Row {
  readonly seq: number;
  readonly created_at_ms: number | undefined;
  /** Or why it cannot be read: this Node may be unable to unpack zstd. */
  readonly event: Fields | RowFault;
}

/** The first row of a session after a number. */
function rowAfter(rows: Rows, session: string, seq: number): Row | undefined {
  const row = rows.database.row(nextEvent, session, seq);
  if (row === undefined) return undefined;
  const next = Number(row["seq"]);
  refuseDisorder(next > seq ? "rises" : "does not");
  return { seq: next, created_at_ms: timeAt(row, "created_at"), event: eventIn(row, rows.unpack) };
}

/** The event of a row, in whichever of its two columns it is. */
function eventIn(row: Fields, unpack: Unpack | "none"): Fields | RowFault {
  const json = textAt(row, "json");
  if (json !== undefined) return jsonIn(json) ?? "torn";
  const packed = row["packed"];
  if (!(packed instanceof Uint8Array)) return row["is_long"] === 1 ? "long" : "torn";
  if (unpack === "none") return "packed";
  try {
    return jsonIn(unpack(packed, { maxOutputLength: longestRow }).toString("utf8")) ?? "torn";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "long" : "torn";
  }
}

function headOf(rows: Rows, session: string) {
  const row = rowAfter(rows, session, before);
  const event = row === undefined || typeof row.event === "string" ? {} : row.event;
  return { started_at_ms: timeAt(event, "timestamp"), folder: textAt(event, "cwd"), title: undefined };
}

/** No row has this number or a lower one. */
const before = -1;
/** So often a place to go on from is noted. */
const rowsPerPosition = 64;

function* items(rows: Rows, session: string, { from, signal }: ReadOptions): Generator<TranscriptItem, void, void> {
  let seq = startOf(rows, session, from);
  yield { kind: "begin", at: seq === before ? "start" : "cursor" };
  yield { kind: "session", session: { id: session, ...headOf(rows, session) } };
  const lost = seq === before ? Number(rows.database.row(withoutPlace, session)?.["count"]) : 0;
  if (lost > 0) yield faultyRow("torn", `${lost} rows without a number`);
  let last: Row | undefined;
  // Another Node can read what is packed: it must not be before the cursor then.
  let isAllRead = true;
  for (let read = 1; ; read++) {
    signal?.throwIfAborted();
    const row = rowAfter(rows, session, seq);
    if (row === undefined) break;
    ({ seq } = last = row);
    isAllRead &&= row.event !== "packed";
    yield* eventItems(row, `row ${seq}`);
    if (isAllRead && read % rowsPerPosition === 0) yield { kind: "position", position: positionOf(row, session) };
  }
  last ??= seq === before ? undefined : rowAfter(rows, session, seq - 1);
  if (isAllRead && last !== undefined) yield { kind: "position", position: positionOf(last, session) };
}

/** Numbers may begin at 0, which is no place to go on from: one more is noted. */
function positionOf(row: Row, session: string): TranscriptPosition {
  const id = typeof row.event === "string" ? row.event : (textAt(row.event, "id") ?? "");
  return { at: row.seq + 1, check: checkOf(session, String(row.seq), id) };
}

function startOf(rows: Rows, session: string, from: TranscriptPosition | undefined): number {
  if (from === undefined || !Number.isSafeInteger(from.at) || from.at <= 0) return before;
  const row = rowAfter(rows, session, from.at - 2);
  const isSame = row?.seq === from.at - 1 && positionOf(row, session).check === from.check;
  return isSame ? from.at - 1 : before;
}

const bookkeeping = new Set(
  "session custom_message custom compaction reset branch_summary model_change thinking_level_change session_info label leaf".split(
    " ",
  ),
);

function* eventItems(row: Row, place: string): Generator<TranscriptItem, void, void> {
  const { event } = row;
  if (typeof event === "string") return yield faultyRow(event, place);
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

function* messageItems(row: Row, event: Fields, place: string): Generator<TranscriptItem, void, void> {
  const message = objectAt(event, "message");
  const role = message["role"];
  if (role === "toolResult" || role === "bashExecution") return yield tool;
  if (role !== "user" && role !== "assistant") return yield internal;
  const blocks = listAt(message, "content");
  const text = (textAt(message, "content") ?? blockTexts(blocks, ["text"])).replace(stamp, "");
  const calls = blocks.some((block) => asObject(block)?.["type"] === "toolCall");
  const isSilent = role === "user" ? ofProgram.test(text) : silent.test(text);
  const id = textAt(event, "id") ?? place;
  const at_ms = timeAt(event, "timestamp") ?? timeAt(message, "timestamp") ?? row.created_at_ms;
  if (isSilent) yield internal;
  else if (text.trim() !== "") yield { kind: "message", message: { id, role, text, at_ms } };
  else if (!calls) yield empty;
  if (calls) yield tool;
  if (role === "assistant" && !calls && message["stopReason"] === "stop") yield turnEnd;
}
