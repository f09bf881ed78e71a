import { basename, dirname, join } from "node:path";
import { rowMessage, unknownRow, type LinesFormat } from "./lines.ts";
import { folderOf } from "./places.ts";
import { leftOut, listAt, objectAt, textAt, timeAt, turnEnd, type Fields } from "./rows.ts";
import type { TranscriptItem } from "./transcripts.ts";

/**
 * `~/.copilot/session-state/<session>/events.jsonl`; rows of Copilot CLI 1.0. Event names are from the schema
 * `session-events.schema.json` in github.com/github/copilot-sdk.
 */
export const copilot: LinesFormat = {
  client: "copilot",
  roots: async (home) => [join(folderOf(home, "COPILOT_HOME", ".copilot"), "session-state")],
  isTranscript: (path) => /(?:^|\/)events\.jsonl$/u.test(path),
  headOf: (rows, path) => {
    const data = objectAt(rows.find((row) => row["type"] === "session.start") ?? {}, "data");
    const isOurs = rows.some((row) => /^(?:session|user|assistant|hook|system)\./u.test(textAt(row, "type") ?? ""));
    return {
      id: textAt(data, "sessionId") ?? (isOurs ? basename(dirname(path)) : undefined),
      started_at_ms: timeAt(data, "startTime") ?? timeAt(rows[0] ?? {}, "timestamp"),
      folder: textAt(objectAt(data, "context"), "cwd") ?? textAt(data, "cwd"),
    };
  },
  items,
  agentOf,
};

function agentOf(row: Fields): string | undefined {
  const agent = textAt(row, "agentId");
  return agent !== undefined && /^[\w.:-]{1,128}$/u.test(agent) ? agent : undefined;
}

const groups =
  /^(?:session|hook|subagent|skill|permission|external_tool|command|elicitation|mcp|system|abort|capabilities|pending_messages|exit_plan_mode)(?:\.|$)/u;

function* items(row: Fields, from: number, agent?: string): Iterable<TranscriptItem> {
  const type = textAt(row, "type") ?? "";
  // The file of a session also has the rows of its subagents.
  if (agent !== undefined && agentOf(row) !== agent) return;
  if (agent === undefined && row["agentId"] !== undefined) return yield leftOut.internal;
  if (type === "user.message") yield userItem(row, from, agent);
  else if (type === "assistant.message") yield* assistantItems(row, from, agent);
  else if (type.startsWith("tool.")) yield leftOut.tool;
  else if (type.startsWith("assistant.") || groups.test(type)) yield leftOut.internal;
  else yield unknownRow(type, from);
  if (type === "session.idle" || type === "session.shutdown") yield turnEnd;
}

/** `content` is what the user typed; `transformedContent`, with hook output, is what the model received. */
function userItem(row: Fields, from: number, agent: string | undefined): TranscriptItem {
  const data = objectAt(row, "data");
  if (agent === undefined && (textAt(data, "source") ?? "user") !== "user") return leftOut.internal;
  return rowMessage(row, from, { role: "user", text: textAt(data, "content") ?? "", id: textAt(row, "id") });
}

function* assistantItems(row: Fields, from: number, agent: string | undefined): Iterable<TranscriptItem> {
  const data = objectAt(row, "data");
  // Belongs to a subagent.
  if (agent === undefined && textAt(data, "parentToolCallId") !== undefined) return yield leftOut.internal;
  const text = textAt(data, "content") ?? "";
  const calls = listAt(data, "toolRequests").length > 0;
  if (text.trim() !== "" || !calls) yield rowMessage(row, from, { role: "assistant", text, id: textAt(row, "id") });
  if (calls) yield leftOut.tool;
}
