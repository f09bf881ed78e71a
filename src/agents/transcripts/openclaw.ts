import { join } from "node:path";
import { openclawFolder } from "../../base/known-paths.ts";
import type { SqliteDriver } from "../../platform/sqlite-driver.ts";
import type {
  ReadOptions,
  TranscriptItem,
  TranscriptPosition,
  TranscriptQuery,
  TranscriptSource,
} from "./transcripts.ts";
import { empty, internal, tool, turnEnd, type ClientReader } from "./client-reader.ts";
import { asObject, blockTexts, listAt, objectAt, textAt, timeAt, type Fields } from "./fields.ts";
import { checkOf, sessionsOfAll, unreadDatabase } from "./foreign-database.ts";
import { OpenclawRows, type OpenclawRow, type RowFault, type Unpack } from "./openclaw-rows.ts";
import { absolute, filesBelow, folderOf, isWithin, kindAt, type Home } from "./places.ts";

interface Reading {
  readonly driver: SqliteDriver;
  readonly unpack: Unpack | "none";
}

/** `openclaw-agent.sqlite` of each agent; the table `transcript_events` as OpenClaw 2026.9 has it. */
export function createOpenclaw(home: Home, reading: Reading): ClientReader {
  return {
    find: async (query) => {
      const paths = await databases(home, query);
      return sessionsOfAll(query, paths, (path) => sessionsIn(reading, path, query));
    },
    read: (source, options) => readSession(reading, source, options),
  };
}

async function databases(home: Home, { path }: TranscriptQuery): Promise<readonly string[]> {
  if (path !== undefined && (await kindAt(path)) === "file") return [absolute(path)];
  const folder = path === undefined ? join(stateFolder(home), "agents") : absolute(path);
  return (await filesBelow(folder, (name) => /(?:^|\/)openclaw-agent\.sqlite$/u.test(name))).map((file) => file.path);
}

function stateFolder(home: Home): string {
  const around: Home = { ...home, folder: folderOf(home, "OPENCLAW_HOME") };
  return folderOf(around, "OPENCLAW_STATE_DIR", openclawFolder(home.environment["OPENCLAW_PROFILE"]));
}

const before = -1;
const told = 64;

async function sessionsIn(
  { driver, unpack }: Reading,
  path: string,
  query: TranscriptQuery,
): Promise<readonly TranscriptSource[]> {
  const rows = await OpenclawRows.open(driver, path, unpack);
  try {
    return rows
      .sessions()
      .filter(({ session }) => query.session === undefined || session === query.session)
      .filter(({ session }) => query.folder === undefined || isWithin(headOf(rows, session).folder, query.folder))
      .map((found) => ({ client: "openclaw", path, ...found }));
  } finally {
    rows.close();
  }
}

function headOf(rows: OpenclawRows, session: string) {
  const event = eventOf(rows.after(session, before));
  return { started_at_ms: timeAt(event, "timestamp"), folder: textAt(event, "cwd"), title: undefined };
}

function eventOf(row: OpenclawRow | undefined): Fields {
  return row === undefined || typeof row.event === "string" ? {} : row.event;
}

async function* readSession(
  { driver, unpack }: Reading,
  source: TranscriptSource,
  { from, signal }: ReadOptions,
): AsyncGenerator<TranscriptItem, void, void> {
  const { session } = source;
  if (session === undefined) throw unreadDatabase(source);
  const rows = await OpenclawRows.open(driver, source.path, unpack);
  try {
    let seq = startOf(rows, session, from);
    yield { kind: "begin", at: seq === before ? "start" : "cursor" };
    yield { kind: "session", session: { id: session, ...headOf(rows, session) } };
    const lost = seq === before ? rows.lost(session) : 0;
    if (lost > 0) yield { kind: "fault", ...faults.torn, place: `${lost} rows without a number` };
    let last: OpenclawRow | undefined;
    // Another Node can read what is packed: it must not stand behind the cursor then.
    let isAllRead = true;
    for (let read = 1; ; read++) {
      signal?.throwIfAborted();
      const row = rows.after(session, seq);
      if (row === undefined) break;
      ({ seq } = last = row);
      isAllRead &&= row.event !== "packed";
      yield* eventItems(row, `row ${seq}`);
      if (isAllRead && read % told === 0) yield { kind: "position", position: positionOf(row, session) };
    }
    last ??= seq === before ? undefined : rows.after(session, seq - 1);
    if (isAllRead && last !== undefined) yield { kind: "position", position: positionOf(last, session) };
  } finally {
    rows.close();
  }
}

/** Numbers may begin at 0, which is no place to go on from: one more is noted. */
function positionOf(row: OpenclawRow, session: string): TranscriptPosition {
  const id = typeof row.event === "string" ? row.event : (textAt(row.event, "id") ?? "");
  return { at: row.seq + 1, check: checkOf(session, String(row.seq), id) };
}

function startOf(rows: OpenclawRows, session: string, from: TranscriptPosition | undefined): number {
  if (from === undefined || !Number.isSafeInteger(from.at) || from.at <= 0) return before;
  const row = rows.after(session, from.at - 2);
  const isSame = row?.seq === from.at - 1 && positionOf(row, session).check === from.check;
  return isSame ? from.at - 1 : before;
}

const faults: Readonly<
  Record<RowFault, { readonly code: "torn_row" | "long_row" | "packed_row"; readonly message: string }>
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

function* eventItems(row: OpenclawRow, place: string): Generator<TranscriptItem, void, void> {
  const { event } = row;
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

function* messageItems(row: OpenclawRow, event: Fields, place: string): Generator<TranscriptItem, void, void> {
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
