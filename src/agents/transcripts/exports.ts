import { resolve } from "node:path";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { fileAt, filesBelow, kindAt, openRegular } from "./places.ts";
import { jsonIn, type Fields } from "./rows.ts";
import type { SessionFacts, TranscriptItem, TranscriptQuery, Transcripts, TranscriptSource } from "./transcripts.ts";

/** An export with all conversations in one JSON array. */
export interface ExportFormat {
  readonly client: TranscriptSource["client"];
  /** `undefined`: not a conversation of this client. */
  sessionOf(conversation: Fields): SessionFacts | undefined;
  items(conversation: Fields): Iterable<TranscriptItem>;
}

/** Reads the file of an unpacked export, or the folder into which it was unpacked. */
export function createExportReader(format: ExportFormat): Omit<Transcripts, "id"> {
  return {
    find: (query) => findFiles(format, query),
    read: async function* ({ path }, { signal }) {
      yield { kind: "begin", at: "start" };
      let number = 0;
      for await (const text of elementsIn(path, signal)) {
        number += 1;
        yield* conversationItems(format, text, `conversation ${number}`);
      }
      if (number > 0) return;
      yield { kind: "fault", code: "torn_row", message: "the file has no conversation", place: "its beginning" };
    },
  };
}

async function findFiles({ client }: ExportFormat, { path }: TranscriptQuery): Promise<readonly TranscriptSource[]> {
  if (path === undefined) {
    const message = `${client} keeps nothing on this machine; unpack its export, and name the conversations.json in it.`;
    throw new MemoryError("usage", message, { client });
  }
  if (/\.zip$/iu.test(path)) {
    const message = `${shown(path, 400)} is packed; unpack it, and name its conversations.json or the folder.`;
    throw new MemoryError("usage", message, { path: shown(path, 400) });
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

function* conversationItems(format: ExportFormat, text: Element, place: string): Iterable<TranscriptItem> {
  if (text === "long")
    return yield { kind: "fault", code: "long_row", message: "a conversation is longer than 64 MiB", place };
  const value = jsonIn(text);
  if (value === undefined)
    return yield { kind: "fault", code: "torn_row", message: "a conversation is torn or not a JSON object", place };
  const session = format.sessionOf(value);
  if (session === undefined) return yield { kind: "unknown", what: `not a conversation of ${format.client}`, place };
  yield { kind: "session", session };
  yield* format.items(value);
  yield { kind: "session_end" };
}

/** A longer conversation is a fault. Bytes. */
const longestElement = 64 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

/** The text of an object in an array; what is torn is not JSON. */
type Element = string | "long";

/** The objects of a file that is one JSON array, one at a time, in memory that the largest of them bounds. A single object is read as an array of one. */
async function* elementsIn(path: string, signal: AbortSignal | undefined): AsyncGenerator<Element, void, void> {
  const file = await openRegular(path);
  const scan = new ElementScan();
  try {
    for (let at = 0; ;) {
      signal?.throwIfAborted();
      const { bytesRead, buffer } = await file.read(Buffer.alloc(chunkBytes), 0, chunkBytes, at);
      if (bytesRead === 0) break;
      at += bytesRead;
      yield* scan.push(buffer.subarray(0, bytesRead));
    }
    if (scan.isInside) yield "";
  } finally {
    await file.close();
  }
}

const [quote, backslash, comma, openArray] = [34, 92, 44, 91];
const opens = new Set([openArray, 123]);
const closes = new Set([93, 125]);

/** Where the elements of a JSON array begin and end, by brackets outside strings. */
class ElementScan {
  /** Brackets open around the elements: 1 in an array, 0 for a single object. */
  #outer: number | undefined;
  #depth = 0;
  #string: "no" | "yes" | "escaped" = "no";
  #pieces: Buffer[] = [];
  #bytes = 0;

  get isInside(): boolean {
    return this.#outer !== undefined && this.#depth > this.#outer;
  }

  *push(chunk: Buffer): Iterable<Element> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#string === "escaped") this.#string = "yes";
      else if (this.#string === "yes") {
        if (byte === backslash) this.#string = "escaped";
        else if (byte === quote) this.#string = "no";
      } else if (byte === quote) this.#string = "yes";
      else if (opens.has(byte)) {
        this.#outer ??= byte === openArray ? 1 : 0;
        if (this.#depth === this.#outer) from = at;
        this.#depth += 1;
      } else if (closes.has(byte)) {
        this.#depth -= 1;
        if (this.#depth !== this.#outer) continue;
        this.#keep(chunk.subarray(from, at + 1));
        yield this.#bytes > longestElement ? "long" : Buffer.concat(this.#pieces).toString("utf8");
        [this.#pieces, this.#bytes] = [[], 0];
        from = at + 1;
      } else if (byte === comma && this.#depth === this.#outer) from = at + 1;
    }
    if (this.isInside) this.#keep(chunk.subarray(from));
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > longestElement) this.#pieces = [];
    else this.#pieces.push(piece);
  }
}
