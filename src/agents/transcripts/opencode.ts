import { join } from "node:path";
import { pushAll } from "../../base/lists.ts";
import {
  empty,
  faultyRow,
  internal,
  jsonIn,
  longestRow,
  objectAt,
  textAt,
  timeAt,
  tool,
  turnEnd,
  type Fields,
} from "./client-reader.ts";
import {
  checkOf,
  isNumber,
  numberColumn,
  refuseDisorder,
  textColumn,
  type DatabaseFormat,
  type ForeignDatabase,
  type FoundSession,
} from "./database-client.ts";
import { folderOf } from "./places.ts";
import type { ReadOptions, TranscriptItem, TranscriptPosition } from "./transcripts.ts";

/** `opencode.db` in the data folder; tables `session`, `message` and `part` as OpenCode 1.18 has them. */
export const opencode: DatabaseFormat = {
  client: "opencode",
  root: (home) => join(folderOf(home, "XDG_DATA_HOME", ".local", "share"), "opencode"),
  isDatabase: (path) => /^opencode(?:-[\w.-]+)?\.db$/u.test(path),
  sessions,
  items,
};

function sessions(database: ForeignDatabase): readonly FoundSession[] {
  // A session with a parent is one of an agent inside the agent.
  const rows = database.rows(
    `SELECT id, ${textColumn("directory")}, ${numberColumn("time_updated")} FROM session WHERE parent_id IS NULL AND typeof(id) = 'text'`,
  );
  return rows.map((row) => ({
    session: String(row["id"]),
    changed_at_ms: timeAt(row, "time_updated") ?? 0,
    folder: () => textAt(row, "directory"),
  }));
}

/** The place of a message in its session. */
interface Place {
  readonly created: number;
  readonly id: string;
  /** Messages up to it. */
  readonly at: number;
}

const start: Place = { created: -1, id: "", at: 0 };
const bounded = `${textColumn("data")}, length(data) > ${longestRow} AS is_long`;
const inOrder = `(typeof(id) = 'text' AND ${isNumber("time_created")} AND time_created >= 0)`;
const nextMessage = `SELECT id, time_created, ${bounded} FROM message WHERE session_id = ? AND (time_created, id) > (?, ?) AND ${inOrder} ORDER BY time_created, id LIMIT 1`;
const nthMessage = `SELECT id, time_created FROM message WHERE session_id = ? AND ${inOrder} ORDER BY time_created, id LIMIT 1 OFFSET ?`;
const withoutPlace = `SELECT count(*) AS count FROM message WHERE session_id = ? AND NOT ${inOrder}`;
const nextPart = `SELECT id, ${bounded} FROM part WHERE message_id = ? AND id > ? AND typeof(id) = 'text' ORDER BY id LIMIT 1`;
const sessionFacts = `SELECT ${textColumn("directory")}, ${textColumn("title")}, ${numberColumn("time_created")} FROM session WHERE id = ?`;
/** So often a place to go on from is noted. */
const rowsPerPosition = 64;

function* items(
  database: ForeignDatabase,
  session: string,
  { from, signal }: ReadOptions,
): Generator<TranscriptItem, void, void> {
  let place = placeOf(database, session, from);
  yield { kind: "begin", at: place.at === 0 ? "start" : "cursor" };
  yield sessionItem(database, session);
  if (place.at === 0) yield* lostItems(database, session);
  for (;;) {
    signal?.throwIfAborted();
    const row = database.row(nextMessage, session, place.created, place.id);
    if (row === undefined) break;
    const next = { created: Number(row["time_created"]), id: String(row["id"]), at: place.at + 1 };
    refuseDisorder(
      next.created > place.created || (next.created === place.created && isAfter(next.id, place.id))
        ? "rises"
        : "does not",
    );
    const found = messageItems(database, row, next.at);
    const isLast = database.row(nextMessage, session, next.created, next.id) === undefined;
    // A message that is not complete yet comes with the next reading.
    if (isLast && found === "growing") break;
    if (found !== "growing") yield* found;
    place = next;
    if (place.at % rowsPerPosition === 0) yield { kind: "position", position: positionOf(place) };
  }
  if (place.at > 0) yield { kind: "position", position: positionOf(place) };
}

/** Messages that have no place in the order are reported, not read. */
function* lostItems(database: ForeignDatabase, session: string): Generator<TranscriptItem, void, void> {
  const lost = Number(database.row(withoutPlace, session)?.["count"]);
  if (lost > 0) yield faultOf({}, `${lost} messages without an id or a time`);
}

/** As the database compares texts. */
function isAfter(one: string, other: string): boolean {
  return Buffer.compare(Buffer.from(one), Buffer.from(other)) > 0;
}

function positionOf({ at, id }: Place): TranscriptPosition {
  return { at, check: checkOf(id) };
}

function placeOf(database: ForeignDatabase, session: string, from: TranscriptPosition | undefined): Place {
  if (from === undefined || !Number.isSafeInteger(from.at) || from.at <= 0) return start;
  const row = database.row(nthMessage, session, from.at - 1);
  const id = String(row?.["id"]);
  return checkOf(id) === from.check ? { created: Number(row?.["time_created"]), id, at: from.at } : start;
}

function sessionItem(database: ForeignDatabase, session: string): TranscriptItem {
  const row = database.row(sessionFacts, session) ?? {};
  const facts = { folder: textAt(row, "directory"), title: textAt(row, "title") };
  return { kind: "session", session: { id: session, started_at_ms: timeAt(row, "time_created"), ...facts } };
}

const agentsOfItsOwn = new Set(["compaction", "title", "summary"]);

/** `growing`: the model is still at it, or its parts have not come. */
function messageItems(database: ForeignDatabase, row: Fields, at: number): readonly TranscriptItem[] | "growing" {
  const place = `message ${at}`;
  const data = jsonIn(row["data"]);
  if (data === undefined) return [faultOf(row, place)];
  const role = data["role"];
  if (role !== "user" && role !== "assistant") return [{ kind: "unknown", what: `role ${String(role)}`, place }];
  const { texts, others, parts } = partsOf(database, String(row["id"]), place);
  const isDone = role === "user" ? parts > 0 : objectAt(data, "time")["completed"] !== undefined || "error" in data;
  const ended = role === "assistant" && ["stop", "end_turn", "length"].includes(String(data["finish"]));
  const agent = textAt(data, "agent") ?? textAt(data, "mode") ?? "";
  if (agentsOfItsOwn.has(agent) || data["summary"] === true) return isDone ? [internal] : "growing";
  if (!isDone) return "growing";
  const text = texts.join("\n\n");
  const at_ms = timeAt(objectAt(data, "time"), "created") ?? timeAt(row, "time_created");
  const id = String(row["id"]);
  const words: readonly TranscriptItem[] =
    text.trim() === "" ? [] : [{ kind: "message", message: { id, role, text, at_ms } }];
  const nothing = words.length === 0 && others.length === 0 ? [empty] : [];
  // The last words of a message come after its calls.
  return [
    ...others.filter((item) => item.kind === "left_out"),
    ...words,
    ...nothing,
    ...others.filter((item) => item.kind !== "left_out"),
    ...(ended ? [turnEnd] : []),
  ];
}

interface Parts {
  readonly texts: readonly string[];
  readonly others: readonly TranscriptItem[];
  readonly parts: number;
}

const bookkeeping = new Set(
  "reasoning step-start step-finish compaction snapshot patch agent retry file subtask".split(" "),
);

function partsOf(database: ForeignDatabase, message: string, place: string): Parts {
  const texts: string[] = [];
  const others: TranscriptItem[] = [];
  let parts = 0;
  let last = "";
  for (
    let row = database.row(nextPart, message, last);
    row !== undefined;
    row = database.row(nextPart, message, last)
  ) {
    const id = String(row["id"]);
    refuseDisorder(isAfter(id, last) ? "rises" : "does not");
    last = id;
    parts += 1;
    const data = jsonIn(row["data"]);
    const type = textAt(data ?? {}, "type") ?? "";
    if (data === undefined) others.push(faultOf(row, place));
    else if (type === "text" && (data["synthetic"] === true || data["ignored"] === true)) others.push(internal);
    else if (type === "text")
      pushAll(
        texts,
        [textAt(data, "text") ?? ""].filter((text) => text.trim() !== ""),
      );
    else if (type === "tool") others.push(tool);
    else if (!bookkeeping.has(type)) others.push({ kind: "unknown", what: `part ${type}`, place });
  }
  return { texts, others, parts };
}

function faultOf(row: Fields, place: string): TranscriptItem {
  return faultyRow(row["is_long"] === 1 ? "long" : "torn", place);
}
