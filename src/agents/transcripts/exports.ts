import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { fileAt, filesBelow, kindAt, openRegular, refused } from "./places.ts";
import { asObject, type Fields } from "./rows.ts";
import type { SessionFacts, TranscriptItem, TranscriptQuery, Transcripts, TranscriptSource } from "./transcripts.ts";

/** An export with all conversations in one JSON array. */
export interface ExportFormat {
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
