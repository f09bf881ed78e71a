import type { TranscriptItem } from "./transcripts.ts";
import { empty, internal, tool } from "./client-reader.ts";
import type { ExportFormat } from "./export-client.ts";
import { asObject, blockTexts, listAt, textAt, timeAt, type Fields } from "./fields.ts";

/**
 * `conversations.json` of a Claude.ai export: an array of conversations `{uuid, name, created_at, chat_messages}`, each message
 * `{uuid, sender: human or assistant, text, content: blocks, created_at}`, as several public readers of it describe.
 */
export const claudeAi: ExportFormat = {
  client: "claude-ai",
  sessionOf: (conversation) => {
    const id = textAt(conversation, "uuid");
    if (id === undefined || !Array.isArray(conversation["chat_messages"])) return undefined;
    const title = textAt(conversation, "name");
    return { id, title, folder: undefined, started_at_ms: timeAt(conversation, "created_at") };
  },
  items: function* (conversation) {
    for (const [index, message] of listAt(conversation, "chat_messages").entries())
      yield* messageItems(asObject(message) ?? {}, index);
  },
};

function* messageItems(message: Fields, index: number): Generator<TranscriptItem, void, void> {
  const sender = message["sender"];
  if (sender !== "human" && sender !== "assistant") return yield internal;
  const blocks = listAt(message, "content");
  const said = blockTexts(blocks, ["text"]);
  // Where there are blocks, `text` also has a sentence in the place of each that is no text.
  const text = blocks.length > 0 ? said : (textAt(message, "text") ?? "");
  const calls = blocks.some((block) => /^tool_(?:use|result)$/u.test(String(asObject(block)?.["type"])));
  if (calls) yield tool;
  const id = textAt(message, "uuid") ?? `message-${index}`;
  const role = sender === "human" ? "user" : "assistant";
  if (text.trim() !== "") yield { kind: "message", message: { id, role, text, at_ms: timeAt(message, "created_at") } };
  else if (!calls) yield empty;
}
