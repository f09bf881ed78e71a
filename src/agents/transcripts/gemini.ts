import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import type { TranscriptItem } from "./transcripts.ts";
import { internal, rowMessage, tool, blockTexts, listAt, textAt, timeAt, type Fields } from "./client-reader.ts";
import type { Head, LinesFormat } from "./lines-client.ts";
import { folderOf, realPathOf } from "./places.ts";

/** `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`; rows as Gemini CLI 0.61 writes them: a header, `$set` patches, messages. */
export const gemini: LinesFormat = {
  client: "gemini",
  roots: async (home) => [join(folderOf(home, "GEMINI_CLI_HOME"), ".gemini", "tmp")],
  isTranscript: (path) => /(?:^|\/)session-[^/]*\.jsonl$/u.test(path),
  headOf,
  items,
};

function headOf(rows: readonly Fields[], path: string): Head {
  const header = rows.find((row) => textAt(row, "sessionId") !== undefined) ?? {};
  return {
    id: textAt(header, "sessionId"),
    started_at_ms: timeAt(header, "startTime") ?? timeAt(rows[1] ?? {}, "timestamp"),
    folder: undefined,
    title: undefined,
    ...(header["kind"] === "subagent" ? { agent: "inner" } : {}),
    isOf: (folder) => isOf(header, { path, folder }),
  };
}

/** By the hash of the project's path (getProjectHash in google-gemini/gemini-cli), or by the marker `.project_root` beside the chats. */
function isOf(header: Fields, { path, folder }: { readonly path: string; readonly folder: string }): boolean {
  const folders = [folder, realPathOf(folder)];
  const hash = textAt(header, "projectHash");
  if (folders.some((one) => sha256(one) === hash)) return true;
  return folders.includes(markedRoot(dirname(dirname(path))));
}

function markedRoot(project: string): string {
  try {
    return readFileSync(join(project, ".project_root"), "utf8").trim();
  } catch {
    return "";
  }
}

const programs = new Set(["info", "warning", "error"]);

function* items(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const type = textAt(row, "type");
  if (type === "user") yield messageOf(row, { role: "user", from });
  else if (type === "gemini") yield* modelItems(row, from);
  // As an older version wrote it, whose form is not read.
  else if (type === undefined && listAt(row, "messages").length > 0)
    yield { kind: "unknown", what: "a whole chat in one object", place: `byte ${from}` };
  else if ((type !== undefined && programs.has(type)) || (type === undefined && isPatch(row))) yield internal;
  else yield { kind: "unknown", what: type ?? Object.keys(row)[0] ?? "", place: `byte ${from}` };
}

function isPatch(row: Fields): boolean {
  return "sessionId" in row || Object.keys(row).some((key) => key.startsWith("$"));
}

function* modelItems(row: Fields, from: number): Generator<TranscriptItem, void, void> {
  const calls = listAt(row, "toolCalls").length > 0;
  const message = messageOf(row, { role: "assistant", from });
  if (message.kind === "message" || !calls) yield message;
  if (calls) yield tool;
}

/** Parts of a message have no kind of their own: those with a text and no call are words. */
function messageOf(
  row: Fields,
  { role, from }: { readonly role: "user" | "assistant"; readonly from: number },
): TranscriptItem {
  const parts = listAt(row, "content").map((part) =>
    typeof part === "object" && part !== null && "text" in part && !("thought" in part && part.thought === true)
      ? { type: "text", text: part.text }
      : part,
  );
  const text = textAt(row, "content") ?? blockTexts(parts, ["text"]);
  if (role === "user" && /^\s*[/?]\w*\s*$/u.test(text)) return internal;
  return rowMessage(row, { role, text, id: textAt(row, "id"), from });
}
