import { readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { sha256 } from "../../base/digest.ts";
import { rowMessage, unknownRow, type LinesFormat, type SubagentFile } from "./lines.ts";
import { filesBelow, folderOf, realPathOf } from "./places.ts";
import { asObject, blockTexts, leftOut, listAt, objectAt, textAt, timeAt, type Fields } from "./rows.ts";
import type { Subagent, TranscriptItem } from "./transcripts.ts";

/**
 * `~/.gemini/tmp/<project>/chats/session-<time>-<id>.jsonl`, and `<session>/<id>.jsonl` next to it for subagents; rows of Gemini CLI 0.61: a header, `$set`
 * patches, messages.
 */
export const gemini: LinesFormat = {
  client: "gemini",
  roots: async (home) => [join(folderOf(home, "GEMINI_CLI_HOME"), ".gemini", "tmp")],
  isTranscript: (path) => /(?:^|\/)session-[^/]*\.jsonl$/u.test(path),
  headOf: (rows, path) => {
    const header = rows.find((row) => textAt(row, "sessionId") !== undefined) ?? {};
    return {
      id: textAt(header, "sessionId"),
      started_at_ms: timeAt(header, "startTime") ?? timeAt(rows[1] ?? {}, "timestamp"),
      folder: undefined,
      ...(header["kind"] === "subagent" && { subagent: subagentAt(path) }),
      // Matches the hash of the project's path (getProjectHash in google-gemini/gemini-cli) or the marker next to the chats.
      isOf: (folder) =>
        [folder, realPathOf(folder)].some((one) => sha256(one) === header["projectHash"] || one === markedRoot(path)),
    };
  },
  items,
  subagentFiles: async (sessions) => {
    const files: SubagentFile[] = [];
    for (const { path, session } of sessions)
      for (const file of await filesBelow(join(dirname(path), session), (name) => /^[^/]+\.jsonl$/u.test(name)))
        files.push({ ...file, ...subagentAt(file.path) });
    return files;
  },
};

function subagentAt(path: string): Subagent {
  return { parent: basename(dirname(path)), agent: basename(path, ".jsonl") };
}

function markedRoot(path: string): string {
  try {
    return readFileSync(join(dirname(dirname(path)), ".project_root"), "utf8").trim();
  } catch {
    return "";
  }
}

function* items(row: Fields, from: number, agent?: string): Iterable<TranscriptItem> {
  const type = textAt(row, "type");
  const isPatch = "sessionId" in row || Object.keys(row).some((key) => key.startsWith("$"));
  if (type === "user") yield messageOf(row, from, "user");
  else if (type === "gemini") {
    const calls = listAt(row, "toolCalls").length > 0;
    const message = messageOf(row, from, "assistant");
    if (message.kind === "message" || !calls) yield message;
    if (calls) yield leftOut.tool;
    if (agent !== undefined) yield* reportsIn(row, from);
  } else if (type === undefined && listAt(row, "messages").length > 0)
    // The format of an older version; not supported.
    yield unknownRow("a whole chat in one object", from);
  else if (type === undefined ? isPatch : ["info", "warning", "error"].includes(type)) yield leftOut.internal;
  else yield unknownRow(type ?? Object.keys(row)[0] ?? "", from);
}

/** A subagent reports with a tool call: the texts among its arguments. */
function* reportsIn(row: Fields, from: number): Iterable<TranscriptItem> {
  for (const call of listAt(row, "toolCalls")) {
    const fields = asObject(call) ?? {};
    if (fields["name"] !== "complete_task" || fields["status"] !== "success") continue;
    const texts = Object.values(objectAt(fields, "args")).filter((value) => typeof value === "string");
    const id = `${textAt(row, "id") ?? from}-report`;
    yield rowMessage(row, from, { role: "assistant", text: texts.join("\n\n"), id });
  }
}

/** Message parts have no type: a part with text that is not a thought is words. */
function messageOf(row: Fields, from: number, role: "user" | "assistant"): TranscriptItem {
  const parts = listAt(row, "content").map((part) => {
    const fields = asObject(part) ?? {};
    return "text" in fields && fields["thought"] !== true ? { type: "text", text: fields["text"] } : part;
  });
  const text = textAt(row, "content") ?? blockTexts(parts, ["text"]);
  if (role === "user" && /^\s*[/?]\w*\s*$/u.test(text)) return leftOut.internal;
  return rowMessage(row, from, { role, text, id: textAt(row, "id") });
}
