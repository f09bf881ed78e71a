import { dirname, join } from "node:path";
import { firstRows, rowMessage, unknownRow, type LinesFormat, type SubagentFile } from "./lines.ts";
import { filesBelow, folderOf, passOver } from "./places.ts";
import { blockTexts, leftOut, listAt, objectAt, textAt, timeAt, turnEnd, type Fields } from "./rows.ts";
import type { Subagent, TranscriptItem } from "./transcripts.ts";

/** `$CODEX_HOME/sessions/YYYY/MM/DD/rollout-<time>-<session>.jsonl`; rows of Codex CLI 0.169, and `user_message` of earlier versions. */
export const codex: LinesFormat = {
  client: "codex",
  roots: async (home) => {
    const folder = folderOf(home, "CODEX_HOME", ".codex");
    return [join(folder, "sessions"), join(folder, "archived_sessions")];
  },
  isTranscript: (path) => /(?:^|\/)rollout-[^/]*\.jsonl$/u.test(path),
  headOf: (rows) => {
    const meta = objectAt(rows.find((row) => row["type"] === "session_meta") ?? {}, "payload");
    // A subagent may start with a copy of the conversation so far.
    const ownStart = Number(meta["subagent_history_start_ordinal"]) || 0;
    return {
      id: textAt(meta, "id"),
      started_at_ms: timeAt(meta, "timestamp") ?? timeAt(rows[0] ?? {}, "timestamp"),
      folder: textAt(meta, "cwd"),
      subagent: subagentIn(meta),
      isCopied: ({ ordinal }) => typeof ordinal === "number" && ordinal < ownStart,
    };
  },
  items,
  subagentFiles: async (sessions) => {
    const files: SubagentFile[] = [];
    const parents = new Set(sessions.map(({ session }) => session));
    let start = Number.POSITIVE_INFINITY;
    for (const { path } of sessions) start = Math.min(start, timeAt((await metaOf(path)) ?? {}, "timestamp") ?? 0);
    for (const root of new Set(sessions.map(({ path }) => rootOf(path))))
      for (const file of await filesBelow(root, codex.isTranscript)) {
        // Reading the first row of each file takes time, and a subagent starts after its session.
        const meta = file.changed_at_ms < start ? undefined : await metaOf(file.path);
        const subagent = meta && subagentIn(meta);
        if (subagent !== undefined && parents.has(subagent.parent)) files.push({ ...file, ...subagent });
      }
    return files;
  },
};

/** The folder around the folders of days, or the only one. */
function rootOf(path: string): string {
  return dirname(path).replace(/[\\/]\d{4}[\\/]\d\d[\\/]\d\d$/u, "");
}

/** `undefined` for a file that cannot be read. */
async function metaOf(path: string): Promise<Fields | undefined> {
  const [row] = (await firstRows(path, 1).catch(passOver)) ?? [];
  return row && objectAt(row, "payload");
}

/** A subagent's own subagents have the same `session_id`. */
function subagentIn(meta: Fields): Subagent | undefined {
  const agent = textAt(meta, "id");
  const parent = textAt(meta, "session_id") ?? textAt(meta, "parent_thread_id");
  const isInner = objectAt(meta, "source")["subagent"] !== undefined;
  return isInner && agent !== undefined ? { parent: parent ?? "", agent } : undefined;
}

const bookkeeping = new Set(
  "session_meta turn_context world_state token_usage_record compacted ghost_snapshot".split(" "),
);

function* items(row: Fields, from: number): Iterable<TranscriptItem> {
  const type = textAt(row, "type") ?? "";
  if (type === "event_msg") yield* eventItems(row, from);
  else if (type === "response_item") yield responseItem(row, from);
  else if (bookkeeping.has(type)) yield leftOut.internal;
  else yield unknownRow(type, from);
}

/** Events contain what the user typed; the model's input also has instructions and hook output with the role `user`. */
function* eventItems(row: Fields, from: number): Iterable<TranscriptItem> {
  const payload = objectAt(row, "payload");
  const type = payload["type"];
  const item = objectAt(payload, "item");
  if (type === "item_completed" && item["type"] === "UserMessage") yield userItem(row, from, [item, "content"]);
  else if (type === "user_message") yield userItem(row, from, [payload, "message"]);
  else yield leftOut.internal;
  if (type === "task_complete" || type === "turn_complete") yield turnEnd;
}

function userItem(row: Fields, from: number, [said, name]: readonly [Fields, string]): TranscriptItem {
  const text = textAt(said, name) ?? blockTexts(listAt(said, name), ["text", "input_text"]);
  return rowMessage(row, from, { role: "user", text, id: idOf(row, said) });
}

function responseItem(row: Fields, from: number): TranscriptItem {
  const payload = objectAt(row, "payload");
  const type = textAt(payload, "type") ?? "";
  if (/(?:_call|_call_output|_output)$/u.test(type)) return leftOut.tool;
  if (type === "reasoning" || type.startsWith("compaction")) return leftOut.internal;
  if (type !== "message") return unknownRow(`response_item ${type}`, from);
  if (payload["role"] === "developer") return leftOut.injected;
  if (payload["role"] !== "assistant") return leftOut.internal;
  const text = blockTexts(listAt(payload, "content"), ["output_text", "text"]);
  return rowMessage(row, from, { role: "assistant", text, id: idOf(row, payload) });
}

function idOf({ ordinal }: Fields, said: Fields): string | undefined {
  return textAt(said, "id") ?? (typeof ordinal === "number" ? `row-${ordinal}` : undefined);
}
