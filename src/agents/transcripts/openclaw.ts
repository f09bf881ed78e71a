import { join } from "node:path";
import zlib from "node:zlib";
import { sha256 } from "../../base/digest.ts";
import { isNumber, noOrder, numberColumn } from "./databases.ts";
import type { DatabaseFormat, ForeignDatabase, OrderedRow } from "./databases.ts";
import { openclawStateIn } from "./places.ts";
import { asObject, blockTexts, faultyRow, jsonIn, leftOut, listAt, longestRow, objectAt } from "./rows.ts";
import { textAt, timeAt, turnEnd, type Fields, type RowFault } from "./rows.ts";
import type { TranscriptItem } from "./transcripts.ts";

/** Returns at most `maxOutputLength` bytes; throws `ERR_BUFFER_TOO_LARGE` if there are more. */
export type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

/** Node 22.15 and newer can unpack zstd. */
const unpackOfNode: Unpack | "none" = (zlib as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync ?? "none";

const bounded = `CASE WHEN typeof(event_json) = 'text' AND length(event_json) <= ${longestRow} THEN event_json END AS json, CASE WHEN typeof(event_zstd) = 'blob' AND length(event_zstd) <= ${longestRow} THEN event_zstd END AS packed`;
const isLong = `max(coalesce(length(event_json), 0), coalesce(length(event_zstd), 0)) > ${longestRow} AS is_long`;
const inOrder = `(typeof(seq) = 'integer' AND ${isNumber("seq")} AND seq >= 0)`;
const nextEvent = `SELECT seq, ${numberColumn("created_at")}, ${bounded}, ${isLong} FROM transcript_events WHERE session_id = ? AND seq > ? AND ${inOrder} ORDER BY seq LIMIT 1`;
const withoutPlace = `SELECT count(*) AS count FROM transcript_events WHERE session_id = ? AND NOT ${inOrder}`;
const allSessions = `SELECT session_id, max(CASE WHEN ${isNumber("created_at")} THEN created_at END) AS changed, (SELECT session_key FROM session_windows WHERE session_windows.session_id = transcript_events.session_id) AS session_key FROM transcript_events WHERE typeof(session_id) = 'text' GROUP BY session_id`;

const windowColumns = `SELECT name FROM pragma_table_info('session_windows') WHERE name = 'parent_session_key'`;
// The window of the parent's session in which the subagent started.
const allSubagents = `SELECT session_id, (SELECT session_id FROM session_windows AS parent WHERE parent.session_key = child.parent_session_key AND parent.created_at <= child.created_at ORDER BY parent.created_at DESC LIMIT 1) AS parent FROM session_windows AS child WHERE session_key LIKE 'agent:%:subagent:%' AND typeof(session_id) = 'text' ORDER BY created_at, session_id`;

/** Whether this is a session with only the user, as in the plugin: not one of a subagent, group, channel or job. */
function isPrivate(key: string): boolean {
  const [kind, ...more] = key.split(":").slice(2);
  return kind !== undefined && (more.length === 0 || kind === "explicit");
}

/** A row of `transcript_events`. */
interface Event extends OrderedRow {
  readonly seq: number;
  readonly created_at_ms: number | undefined;
  /** The event, or why it cannot be read, for example because this Node cannot unpack zstd. */
  readonly event: Fields | RowFault;
}

/** `openclaw-agent.sqlite` of each agent, in the format of OpenClaw 2026.9. */
export function openclaw(unpack: Unpack | "none" = unpackOfNode): DatabaseFormat<Event> {
  const after = (database: ForeignDatabase, session: string, seq: number): Event | undefined => {
    const row = database.row(nextEvent, [session, seq]);
    if (row === undefined) return undefined;
    const next = Number(row["seq"]);
    if (next <= seq) throw noOrder();
    const event = eventIn(row, unpack);
    const id = typeof event === "string" ? event : (textAt(event, "id") ?? "");
    // A seq may be 0, which is not a valid position, so positions are seq + 1.
    const position = { at: next + 1, check: sha256([session, String(next), id].join("\0")) };
    return { seq: next, created_at_ms: timeAt(row, "created_at"), event, position };
  };
  const headOf = (database: ForeignDatabase, session: string): Fields => {
    const event = after(database, session, -1)?.event ?? {};
    return typeof event === "string" ? {} : event;
  };
  return {
    client: "openclaw",
    root: (home) => join(openclawStateIn(home), "agents"),
    isDatabase: (path) => /(?:^|\/)openclaw-agent\.sqlite$/u.test(path),
    parents: (database) => {
      if (database.row(windowColumns, []) === undefined) return new Map();
      const rows = database.rows(allSubagents, []);
      return new Map(
        rows.flatMap(({ session_id, parent }) => (typeof parent === "string" ? [[String(session_id), parent]] : [])),
      );
    },
    sessions: (database) =>
      database
        .rows(allSessions, [])
        .filter((row) => isPrivate(textAt(row, "session_key") ?? ""))
        .map((row) => {
          const session = String(row["session_id"]);
          const folder = (): string | undefined => textAt(headOf(database, session), "cwd");
          return { session, changed_at_ms: timeAt(row, "changed") ?? 0, folder };
        }),
    facts: (database, session) => {
      const head = headOf(database, session);
      return { id: session, started_at_ms: timeAt(head, "timestamp"), folder: textAt(head, "cwd"), title: undefined };
    },
    lost: { count: withoutPlace, what: "rows without a number" },
    rowAt: (database, session, at) => {
      const row = after(database, session, at - 2);
      return row?.seq === at - 1 ? row : undefined;
    },
    rowAfter: (database, session, last) => after(database, session, last?.seq ?? -1),
    items: (_, row) => [...eventItems(row)],
  };
}

/** The event of a row, from either of its two columns. */
function eventIn(row: Fields, unpack: Unpack | "none"): Fields | RowFault {
  const json = textAt(row, "json");
  if (json !== undefined) return jsonIn(json) ?? "torn_row";
  const { packed } = row;
  if (!(packed instanceof Uint8Array)) return row["is_long"] === 1 ? "long_row" : "torn_row";
  if (unpack === "none") return "packed_row";
  try {
    return jsonIn(unpack(packed, { maxOutputLength: longestRow }).toString("utf8")) ?? "torn_row";
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "long_row" : "torn_row";
  }
}

const bookkeeping = new Set(
  "session custom_message custom compaction reset branch_summary model_change thinking_level_change session_info label leaf".split(
    " ",
  ),
);

function* eventItems(row: Event): Iterable<TranscriptItem> {
  const { event, seq } = row;
  const place = `row ${seq}`;
  if (typeof event === "string") return yield faultyRow(event, place);
  const type = textAt(event, "type") ?? "";
  if (type === "message") yield* messageItems(row, event, place);
  else if (bookkeeping.has(type)) yield leftOut.internal;
  else yield { kind: "unknown", what: type, place };
}

/** Prompts that OpenClaw writes itself, and the model's silent answers. */
const ofProgram =
  /^\s*(?:A new session was started via \/new or \/reset|Pre-compaction memory flush|Read HEARTBEAT\.md|System: \[|\[cron:)/u;
const silent = /^\s*(?:NO_REPLY|HEARTBEAT_OK)\s*$/u;
/** The timestamp that OpenClaw puts before the user's words. */
const stamp = /^\[\w{3} \d{4}-\d\d-\d\d \d\d:\d\d [^\]\n]{1,12}\] /u;

function* messageItems(row: Event, event: Fields, place: string): Iterable<TranscriptItem> {
  const message = objectAt(event, "message");
  const { role } = message;
  if (role === "toolResult" || role === "bashExecution") return yield leftOut.tool;
  if (role !== "user" && role !== "assistant") return yield leftOut.internal;
  const blocks = listAt(message, "content");
  const text = (textAt(message, "content") ?? blockTexts(blocks, ["text"])).replace(stamp, "");
  const calls = blocks.some((block) => asObject(block)?.["type"] === "toolCall");
  const isSilent = role === "user" ? ofProgram.test(text) : silent.test(text);
  const id = textAt(event, "id") ?? place;
  const at_ms = timeAt(event, "timestamp") ?? timeAt(message, "timestamp") ?? row.created_at_ms;
  if (isSilent) yield leftOut.internal;
  else if (text.trim() !== "") yield { kind: "message", message: { id, role, text, at_ms } };
  else if (!calls) yield leftOut.empty;
  if (calls) yield leftOut.tool;
  if (role === "assistant" && !calls && message["stopReason"] === "stop") yield turnEnd;
}
