import { asObject, blockTexts, leftOut, listAt, messageItem, objectAt, textAt, timeAt, type Fields } from "./rows.ts";
import type { TranscriptItem, SessionFacts, TranscriptQuery, Transcripts, TranscriptSource } from "./transcripts.ts";
import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { fileAt, filesBelow, kindAt, openRegular, refused } from "./places.ts";

/**
 * `conversations.json` of a ChatGPT export: an array of conversations, each with a tree `mapping` of nodes, whose newest branch ends in `current_node`.
 * The fields are described at difegam.github.io/chatgpt-to-markdown and whychose.com/seo/chatgpt-conversations-json-format.
 */
export const chatgpt: ExportFormat = {
  client: "chatgpt",
  sessionOf: (conversation) => {
    const id = textAt(conversation, "conversation_id") ?? textAt(conversation, "id");
    if (id === undefined || asObject(conversation["mapping"]) === undefined) return undefined;
    const title = textAt(conversation, "title");
    return { id, title, folder: undefined, started_at_ms: timeAt(conversation, "create_time") };
  },
  items: function* (conversation) {
    for (const [key, node] of branchOf(conversation)) {
      const message = asObject(node["message"]);
      if (message !== undefined) yield itemOf(key, message);
    }
  },
};

/** The nodes from the first message to the last one that the user sees. Other branches are earlier versions of edited messages. */
function branchOf(conversation: Fields): readonly (readonly [string, Fields])[] {
  const mapping = objectAt(conversation, "mapping");
  const branch: (readonly [string, Fields])[] = [];
  const seen = new Set<string>();
  let key = textAt(conversation, "current_node") ?? newestLeaf(mapping);
  while (key !== undefined && !seen.has(key)) {
    seen.add(key);
    const node = asObject(Object.hasOwn(mapping, key) ? mapping[key] : undefined);
    if (node === undefined) break;
    branch.push([key, node]);
    key = textAt(node, "parent");
  }
  return branch.toReversed();
}

function newestLeaf(mapping: Fields): string | undefined {
  const timeOf = (key: string): number => timeAt(objectAt(objectAt(mapping, key), "message"), "create_time") ?? 0;
  const leaves = Object.keys(mapping).filter((key) => listAt(objectAt(mapping, key), "children").length === 0);
  return leaves.toSorted((a, b) => timeOf(b) - timeOf(a))[0];
}

const words = new Set(["text", "multimodal_text"]);
const ofProgram = new Set(
  "thoughts reasoning_recap user_editable_context model_editable_context system_error".split(" "),
);

function itemOf(key: string, message: Fields): TranscriptItem {
  const role = objectAt(message, "author")["role"];
  const content = objectAt(message, "content");
  const type = textAt(content, "content_type") ?? "text";
  if (role === "tool") return leftOut.tool;
  if (role !== "user" && role !== "assistant") return leftOut.internal;
  const isHidden =
    objectAt(message, "metadata")["is_visually_hidden_from_conversation"] === true || message["weight"] === 0;
  if (isHidden || ofProgram.has(type)) return leftOut.internal;
  // A message to a tool is a tool call.
  const recipient = textAt(message, "recipient") ?? "all";
  if (recipient !== "all" || type === "code" || type.startsWith("execution_") || type.startsWith("tether_"))
    return leftOut.tool;
  const text = words.has(type)
    ? blockTexts(listAt(content, "parts").map(asBlock), ["text"])
    : (textAt(content, "text") ?? "");
  return messageItem({ id: textAt(message, "id") ?? key, role, text, at_ms: timeAt(message, "create_time") });
}

/** Parts are texts, or objects for images and speech. */
function asBlock(part: unknown): unknown {
  const object = asObject(part);
  return object?.["content_type"] === "audio_transcription" ? { type: "text", text: object["text"] } : part;
}

/**
 * `conversations.json` of a Claude.ai export: an array of conversations `{uuid, name, created_at, chat_messages}`, each message
 * `{uuid, sender: human or assistant, text, content: blocks, created_at}`, as described by several public readers of this format.
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

function* messageItems(message: Fields, index: number): Iterable<TranscriptItem> {
  const sender = message["sender"];
  if (sender !== "human" && sender !== "assistant") return yield leftOut.internal;
  const blocks = listAt(message, "content");
  const said = blockTexts(blocks, ["text"]);
  // If there are blocks, `text` also has a placeholder sentence for each block that is not text.
  const text = blocks.length > 0 ? said : (textAt(message, "text") ?? "");
  const calls = blocks.some((block) => /^tool_(?:use|result)$/u.test(String(asObject(block)?.["type"])));
  if (calls) yield leftOut.tool;
  const id = textAt(message, "uuid") ?? `message-${index}`;
  const role = sender === "human" ? "user" : "assistant";
  if (text.trim() !== "" || !calls) yield messageItem({ id, role, text, at_ms: timeAt(message, "created_at") });
}

/** An export with all conversations in one JSON array. */
interface ExportFormat {
  readonly client: TranscriptSource["client"];
  /** `undefined`: not a conversation of this client. */
  sessionOf(conversation: Fields): SessionFacts | undefined;
  items(conversation: Fields): Iterable<TranscriptItem>;
}

/** Reads a file of an unpacked export, or the folder of an unpacked export. */
export function createExportReader(format: ExportFormat): Omit<Transcripts, "id"> {
  return {
    find: (query) => findFiles(format, query),
    subagents: async () => [],
    read: async function* ({ path }, { signal }) {
      yield { kind: "begin", at: "start" };
      const found = await conversationsIn(path);
      if (typeof found === "string")
        return yield { kind: "fault", code: "torn_row", message: found, place: "its beginning" };
      for (const [index, value] of found.entries()) {
        signal?.throwIfAborted();
        yield* conversationItems(format, asObject(value), `conversation ${index + 1}`);
      }
    },
  };
}

async function findFiles({ client }: ExportFormat, { path }: TranscriptQuery): Promise<readonly TranscriptSource[]> {
  if (path === undefined) {
    const message = `${client} stores nothing on this machine; unpack its export and pass the path of its conversations.json.`;
    throw new MemoryError("usage", message, { client });
  }
  if (/\.zip$/iu.test(path)) {
    throw refused(
      "usage",
      path,
      `is a zip file; unpack it and pass the path of its conversations.json or of the folder.`,
    );
  }
  const at = resolve(path);
  const files =
    (await kindAt(at)) === "file"
      ? [await fileAt(at)]
      : await filesBelow(at, (name) => /(?:^|\/)conversations(?:-\d+)?\.json$/u.test(name));
  return files
    .filter((file) => file !== undefined)
    .map((file) => ({ ...file, client, session: undefined }))
    .toSorted((a, b) => (a.path < b.path ? 1 : -1));
}

function* conversationItems(format: ExportFormat, value: Fields | undefined, place: string): Iterable<TranscriptItem> {
  if (value === undefined)
    return yield { kind: "fault", code: "torn_row", message: "a conversation is not a JSON object", place };
  const session = format.sessionOf(value);
  if (session === undefined) return yield { kind: "unknown", what: `not a conversation of ${format.client}`, place };
  yield { kind: "session", session };
  yield* format.items(value);
  yield { kind: "session_end" };
}

/** Near the length limit of JavaScript strings. */
const longestExport = 500 * 1024 * 1024;

/** The conversations in a file, which is a JSON array or a single conversation; a message if there are none. */
async function conversationsIn(path: string): Promise<readonly unknown[] | string> {
  const file = await openRegular(path);
  try {
    if ((await file.stat()).size > longestExport) return "the file is longer than 500 MiB";
    const value = parseJson((await file.readFile("utf8")).replace(/^\uFEFF/u, ""));
    if (value === undefined) return "the file is truncated or not JSON";
    const all: readonly unknown[] = Array.isArray(value) ? value : [value];
    return all.length > 0 ? all : "the file contains no conversations";
  } finally {
    await file.close();
  }
}
