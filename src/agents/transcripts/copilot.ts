import { basename, dirname, join } from "node:path";
import type { TranscriptItem } from "./transcripts.ts";
import { internal, rowMessage, tool, turnEnd, listAt, objectAt, textAt, timeAt, type Fields } from "./client-reader.ts";
import type { Head, LinesFormat } from "./lines-client.ts";
import { folderOf } from "./places.ts";

/**
 * `~/.copilot/session-state/<session>/events.jsonl`; rows as Copilot CLI 1.0 writes them. The names of events are those of the schema
 * `session-events.schema.json` in github.com/github/copilot-sdk.
 */
export const copilot: LinesFormat = {
  client: "copilot",
  roots: async (home) => [join(folderOf(home, "COPILOT_HOME", ".copilot"), "session-state")],
  isTranscript: (path) => /(?:^|\/)events\.jsonl$/u.test(path),
  headOf,
  items,
};

function headOf(rows: readonly Fields[], path: string): Head {
  const start = rows.find((row) => row["type"] === "session.start");
  const data = objectAt(start ?? {}, "data");
  const context = objectAt(data, "context");
  const isOurs = rows.some((row) => /^(?:session|user|assistant|hook|system)\./u.test(textAt(row, "type") ?? ""));
  return {
    id: textAt(data, "sessionId") ?? (isOurs ? basename(dirname(path)) : undefined),
    started_at_ms: timeAt(data, "startTime") ?? timeAt(rows[0] ?? {}, "timestamp"),
    folder: textAt(context, "cwd") ?? textAt(data, "cwd"),
    title: undefined,
  };
}

const groups =
  /^(?:session|hook|subagent|skill|permission|external_tool|command|elicitation|mcp|system|abort|capabilities|pending_messages|exit_plan_mode)(?:\.|$)/u;

function* items(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const type = textAt(row, "type") ?? "";
  if (type === "user.message") yield userItem(row, from);
  else if (type === "assistant.message") yield* assistantItems(row, from);
  else if (type.startsWith("tool.")) yield tool;
  else if (type.startsWith("assistant.") || groups.test(type)) yield internal;
  else yield { kind: "unknown", what: type, place: `byte ${from}` };
  if (type === "session.idle" || type === "session.shutdown") yield turnEnd;
}

/** `content` is what the person typed; `transformedContent`, with what hooks gave, is what the model got. */
function userItem(row: Fields, from: number): TranscriptItem {
  const data = objectAt(row, "data");
  const source = textAt(data, "source");
  if (source !== undefined && source !== "user") return internal;
  const text = textAt(data, "content") ?? "";
  return rowMessage(row, { role: "user", text, id: textAt(row, "id"), from });
}

function* assistantItems(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const data = objectAt(row, "data");
  // Of an agent inside the agent.
  if (textAt(data, "parentToolCallId") !== undefined) return yield internal;
  const text = textAt(data, "content") ?? "";
  const calls = listAt(data, "toolRequests").length > 0;
  if (text.trim() !== "" || !calls) yield rowMessage(row, { role: "assistant", text, id: textAt(row, "id"), from });
  if (calls) yield tool;
}
