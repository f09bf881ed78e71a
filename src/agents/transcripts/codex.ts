import { join } from "node:path";
import type { TranscriptItem } from "./transcripts.ts";
import {
  rowMessage,
  injected,
  internal,
  tool,
  turnEnd,
  blockTexts,
  listAt,
  objectAt,
  textAt,
  timeAt,
  type Fields,
} from "./client-reader.ts";
import type { Head, LinesFormat } from "./lines-client.ts";
import { folderOf } from "./places.ts";

/** `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`; rows as Codex CLI 0.169 writes them, and `user_message` of earlier ones. */
export const codex: LinesFormat = {
  client: "codex",
  roots: async (home) => {
    const folder = folderOf(home, "CODEX_HOME", ".codex");
    return [join(folder, "sessions"), join(folder, "archived_sessions")];
  },
  isTranscript: (path) => /(?:^|\/)rollout-[^/]*\.jsonl$/u.test(path),
  headOf,
  items,
};

function headOf(rows: readonly Fields[]): Head {
  const meta = objectAt(rows.find((row) => row["type"] === "session_meta") ?? {}, "payload");
  const inner = objectAt(meta, "source")["subagent"];
  return {
    id: textAt(meta, "id"),
    started_at_ms: timeAt(meta, "timestamp") ?? timeAt(rows[0] ?? {}, "timestamp"),
    folder: textAt(meta, "cwd"),
    title: undefined,
    ...(inner === undefined ? {} : { agent: "inner" }),
  };
}

const bookkeeping = new Set([
  "session_meta",
  "turn_context",
  "world_state",
  "token_usage_record",
  "compacted",
  "ghost_snapshot",
]);

function* items(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const type = textAt(row, "type") ?? "";
  if (type === "event_msg") yield* eventItems(row, from);
  else if (type === "response_item") yield responseItem(row, from);
  else if (bookkeeping.has(type)) yield internal;
  else yield { kind: "unknown", what: type, place: `byte ${from}` };
}

/** What the person typed is in events; the model's input also has instructions and what hooks gave under the person's role. */
function* eventItems(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const payload = objectAt(row, "payload");
  const type = textAt(payload, "type");
  const item = objectAt(payload, "item");
  if (type === "item_completed" && item["type"] === "UserMessage")
    yield userItem(row, { said: item, name: "content", from });
  else if (type === "user_message") yield userItem(row, { said: payload, name: "message", from });
  else yield internal;
  if (type === "task_complete" || type === "turn_complete") yield turnEnd;
}

function userItem(
  row: Fields,
  { said, name, from }: { readonly said: Fields; readonly name: string; readonly from: number },
): TranscriptItem {
  const text = textAt(said, name) ?? blockTexts(listAt(said, name), ["text", "input_text"]);
  return rowMessage(row, { role: "user", text, id: textAt(said, "id") ?? ordinalOf(row), from });
}

function responseItem(row: Fields, from: number): TranscriptItem {
  const payload = objectAt(row, "payload");
  const type = textAt(payload, "type") ?? "";
  if (/(?:_call|_call_output|_output)$/u.test(type)) return tool;
  if (type === "reasoning" || type.startsWith("compaction")) return internal;
  if (type !== "message") return { kind: "unknown", what: `response_item ${type}`, place: `byte ${from}` };
  if (payload["role"] === "developer") return injected;
  if (payload["role"] !== "assistant") return internal;
  const text = blockTexts(listAt(payload, "content"), ["output_text", "text"]);
  return rowMessage(row, { role: "assistant", text, id: textAt(payload, "id") ?? ordinalOf(row), from });
}

function ordinalOf({ ordinal }: Fields): string | undefined {
  return typeof ordinal === "number" ? `row-${ordinal}` : undefined;
}
