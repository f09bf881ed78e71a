import { join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { isNumber, noOrder, numberColumn, textColumn } from "./databases.ts";
import type { DatabaseFormat, ForeignDatabase, OrderedRow } from "./databases.ts";
import { folderOf } from "./places.ts";
import { faultyRow, jsonIn, leftOut, longestRow, objectAt, textAt, timeAt, turnEnd, type Fields } from "./rows.ts";
import type { TranscriptItem } from "./transcripts.ts";

const bounded = `${textColumn("data")}, length(data) > ${longestRow} AS is_long`;
const inOrder = `(typeof(id) = 'text' AND ${isNumber("time_created")} AND time_created >= 0)`;
const nextMessage = `SELECT id, time_created, ${bounded} FROM message WHERE session_id = ? AND (time_created, id) > (?, ?) AND ${inOrder} ORDER BY time_created, id LIMIT 1`;
const nthMessage = `SELECT id, time_created FROM message WHERE session_id = ? AND ${inOrder} ORDER BY time_created, id LIMIT 1 OFFSET ?`;
const withoutPlace = `SELECT count(*) AS count FROM message WHERE session_id = ? AND NOT ${inOrder}`;
const allParts = `SELECT ${bounded} FROM part WHERE message_id = ? ORDER BY id`;
const sessionFacts = `SELECT ${textColumn("directory")}, ${textColumn("title")}, ${numberColumn("time_created")} FROM session WHERE id = ?`;
// A session with a parent belongs to a subagent.
const allChildren = `SELECT id, parent_id FROM session WHERE typeof(id) = 'text' AND typeof(parent_id) = 'text' ORDER BY id`;
const allSessions = `SELECT id, ${textColumn("directory")}, ${numberColumn("time_updated")} FROM session WHERE parent_id IS NULL AND typeof(id) = 'text'`;

/** A row of `message`, whose position is the number of messages up to it. */
interface Message extends OrderedRow {
  readonly row: Fields;
  readonly id: string;
  readonly created: number;
}

function messageOf(row: Fields, at: number): Message {
  const id = String(row["id"]);
  return { row, id, created: Number(row["time_created"]), position: { at, check: sha256(id) } };
}

/** `opencode.db` in the data folder; tables `session`, `message` and `part` of OpenCode 1.18. */
export const opencode: DatabaseFormat<Message> = {
  client: "opencode",
  root: (home) => join(folderOf(home, "XDG_DATA_HOME", ".local", "share"), "opencode"),
  isDatabase: (path) => /^opencode(?:-[\w.-]+)?\.db$/u.test(path),
  parents: (database) =>
    new Map(database.rows(allChildren, []).map((row) => [String(row["id"]), String(row["parent_id"])])),
  sessions: (database) =>
    database.rows(allSessions, []).map((row) => ({
      session: String(row["id"]),
      changed_at_ms: timeAt(row, "time_updated") ?? 0,
      folder: () => textAt(row, "directory"),
    })),
  facts: (database, session) => {
    const row = database.row(sessionFacts, [session]) ?? {};
    const [folder, title] = [textAt(row, "directory"), textAt(row, "title")];
    return { id: session, started_at_ms: timeAt(row, "time_created"), folder, title };
  },
  lost: { count: withoutPlace, what: "messages without an id or a time" },
  rowAt: (database, session, at) => {
    const row = database.row(nthMessage, [session, at - 1]);
    return row && messageOf(row, at);
  },
  rowAfter: (database, session, last) => {
    const row = database.row(nextMessage, [session, last?.created ?? -1, last?.id ?? ""]);
    if (row === undefined) return undefined;
    const next = messageOf(row, (last?.position.at ?? 0) + 1);
    const isSameTime = last !== undefined && next.created === last.created;
    if (isSameTime ? !isAfter(next.id, last.id) : next.created <= (last?.created ?? -1)) throw noOrder();
    return next;
  },
  items: messageItems,
};

/** Compares texts like the database. */
function isAfter(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0;
}

const ofProgram = new Set(["compaction", "title", "summary"]);

/** `growing`: the model is still writing the message, or its parts are not there yet. */
function messageItems(database: ForeignDatabase, message: Message): readonly TranscriptItem[] | "growing" {
  const { row, id, position } = message;
  const place = `message ${position.at}`;
  const data = jsonIn(row["data"]);
  if (data === undefined) return [faultIn(row, place)];
  const { role } = data;
  if (role !== "user" && role !== "assistant") return [{ kind: "unknown", what: `role ${String(role)}`, place }];
  const { texts, others, count } = partsOf(database, id, place);
  const time = objectAt(data, "time");
  const isDone = role === "user" ? count > 0 : time["completed"] !== undefined || "error" in data;
  if (!isDone) return "growing";
  const agent = textAt(data, "agent") ?? textAt(data, "mode") ?? "";
  if (ofProgram.has(agent) || data["summary"] === true) return [leftOut.internal];
  const text = texts.join("\n\n");
  const at_ms = timeAt(time, "created") ?? timeAt(row, "time_created");
  const hasEnded = role === "assistant" && ["stop", "end_turn", "length"].includes(String(data["finish"]));
  // The final words in a message come after its tool calls.
  return [
    ...others.filter((item) => item.kind === "left_out"),
    ...(text === "" ? [] : [{ kind: "message", message: { id, role, text, at_ms } } as const]),
    ...(text === "" && others.length === 0 ? [leftOut.empty] : []),
    ...others.filter((item) => item.kind !== "left_out"),
    ...(hasEnded ? [turnEnd] : []),
  ];
}

const bookkeeping = new Set(
  "reasoning step-start step-finish compaction snapshot patch agent retry file subtask".split(" "),
);

function partsOf(database: ForeignDatabase, message: string, place: string) {
  const texts: string[] = [];
  const others: TranscriptItem[] = [];
  const rows = database.rows(allParts, [message]);
  for (const row of rows) {
    const data = jsonIn(row["data"]);
    const type = textAt(data ?? {}, "type") ?? "";
    const text = textAt(data ?? {}, "text") ?? "";
    if (data === undefined) others.push(faultIn(row, place));
    else if (type === "text" && (data["synthetic"] === true || data["ignored"] === true)) others.push(leftOut.internal);
    else if (type === "text" && text.trim() !== "") texts.push(text);
    else if (type === "tool") others.push(leftOut.tool);
    else if (type !== "text" && !bookkeeping.has(type)) others.push({ kind: "unknown", what: `part ${type}`, place });
  }
  return { texts, others, count: rows.length };
}

function faultIn(row: Fields, place: string): TranscriptItem {
  return faultyRow(row["is_long"] === 1 ? "long_row" : "torn_row", place);
}
