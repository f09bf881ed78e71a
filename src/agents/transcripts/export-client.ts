import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { ReadOptions, SessionFacts, TranscriptItem, TranscriptQuery, TranscriptSource } from "./transcripts.ts";
import type { ClientReader } from "./client-reader.ts";
import { readElements } from "./export-array.ts";
import type { Fields } from "./fields.ts";
import { absolute, fileAt, filesBelow, kindAt } from "./places.ts";

/** What is special of an export with all conversations in one JSON array. */
export interface ExportFormat {
  readonly client: TranscriptSource["client"];
  /** `undefined`: it is no conversation of this client. */
  sessionOf(conversation: Fields): SessionFacts | undefined;
  items(conversation: Fields): Iterable<TranscriptItem>;
}

/** The file of an unpacked export, or the folder that it was unpacked to. */
export function createExportClient(format: ExportFormat): ClientReader {
  return {
    find: (query) => findFiles(format, query),
    read: (source, options) => readConversations(format, source, options),
  };
}

async function findFiles({ client }: ExportFormat, { path }: TranscriptQuery): Promise<readonly TranscriptSource[]> {
  if (path === undefined) {
    const message = `${client} keeps nothing on this machine; unpack the export that it sends, and name its conversations.json.`;
    throw new MemoryError("usage", message, { client });
  }
  if (/\.zip$/iu.test(path)) {
    const message = `${shown(path, 400)} is packed; unpack it, and name its conversations.json or the folder.`;
    throw new MemoryError("usage", message, { path: shown(path, 400) });
  }
  const at = absolute(path);
  const files =
    (await kindAt(at)) === "file"
      ? [await fileAt(at)]
      : await filesBelow(at, (name) => /(?:^|\/)conversations(?:-\d+)?\.json$/u.test(name));
  return files
    .filter((file) => file !== undefined)
    .map((file) => ({ client, path: file.path, session: undefined, changed_at_ms: file.changed_at_ms }))
    .toSorted((a, b) => (a.path < b.path ? 1 : -1));
}

async function* readConversations(
  format: ExportFormat,
  source: TranscriptSource,
  { signal }: ReadOptions,
): AsyncGenerator<TranscriptItem, void, void> {
  yield { kind: "begin", at: "start" };
  let found = 0;
  for await (const element of readElements(source.path, signal)) {
    found += 1;
    const place = `conversation ${element.number}`;
    if (element.kind === "torn")
      yield { kind: "fault", code: "torn_row", message: "a conversation is torn or no JSON object", place };
    else if (element.kind === "long")
      yield { kind: "fault", code: "long_row", message: "a conversation is longer than 64 MiB", place };
    else yield* conversationItems(format, element.value, place);
  }
  if (found === 0)
    yield { kind: "fault", code: "torn_row", message: "no conversation stands in the file", place: "its beginning" };
}

function* conversationItems(format: ExportFormat, value: Fields, place: string): Generator<TranscriptItem, void, void> {
  const session = format.sessionOf(value);
  if (session === undefined) return yield { kind: "unknown", what: `no conversation of ${format.client}`, place };
  yield { kind: "session", session };
  yield* format.items(value);
  yield { kind: "session_end" };
}
