import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { ReadOptions, SessionFacts, TranscriptItem, TranscriptQuery, TranscriptSource } from "./transcripts.ts";
import { jsonIn, type ClientReader, type Fields } from "./client-reader.ts";
import { absolute, fileAt, filesBelow, kindAt, openRegular } from "./places.ts";

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

/** A longer conversation is a fault. Bytes. */
const longestElement = 64 * 1024 * 1024;
const chunkBytes = 1024 * 1024;

type Element =
  | { readonly kind: "element"; readonly value: Fields; readonly number: number }
  | { readonly kind: "torn"; readonly number: number }
  | { readonly kind: "long"; readonly number: number };

const [quote, backslash, comma] = [34, 92, 44];
const opens = new Set([91, 123]);
const closes = new Set([93, 125]);

/** The objects of a file that is one JSON array, one at a time, in memory that the largest of them bounds. A single object is read as an array of one. */
async function* readElements(path: string, signal?: AbortSignal): AsyncGenerator<Element, void, void> {
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
    yield* scan.end();
  } finally {
    await file.close();
  }
}

/** Where the elements of a JSON array begin and end, by brackets outside strings. */
class ElementScan {
  /** Brackets open around the elements: 1 in an array, 0 for a single object. */
  #outer: number | undefined;
  #depth = 0;
  #string: "no" | "yes" | "escaped" = "no";
  #pieces: Buffer[] = [];
  #bytes = 0;
  #number = 0;

  *push(chunk: Buffer): Generator<Element, void, void> {
    let from = 0;
    for (let at = 0; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#string !== "no") this.#inString(byte);
      else if (byte === quote) this.#string = "yes";
      else if (opens.has(byte)) {
        if (this.#outer === undefined) this.#outer = byte === 91 ? 1 : 0;
        if (this.#depth === this.#outer) from = at;
        this.#depth += 1;
      } else if (closes.has(byte)) {
        this.#depth -= 1;
        if (this.#depth !== this.#outer) continue;
        this.#keep(chunk.subarray(from, at + 1));
        yield this.#take();
        from = at + 1;
      } else if (byte === comma && this.#depth === this.#outer) from = at + 1;
    }
    if (this.#isInside()) this.#keep(chunk.subarray(from));
  }

  *end(): Generator<Element, void, void> {
    if (this.#isInside()) yield { kind: "torn", number: this.#number + 1 };
  }

  #isInside(): boolean {
    return this.#outer !== undefined && this.#depth > this.#outer;
  }

  #inString(byte: number): void {
    if (this.#string === "escaped") this.#string = "yes";
    else if (byte === backslash) this.#string = "escaped";
    else if (byte === quote) this.#string = "no";
  }

  #keep(piece: Buffer): void {
    this.#bytes += piece.length;
    if (this.#bytes > longestElement) this.#pieces = [];
    else this.#pieces.push(piece);
  }

  #take(): Element {
    const number = (this.#number += 1);
    const text = this.#bytes > longestElement ? undefined : Buffer.concat(this.#pieces).toString("utf8");
    this.#pieces = [];
    this.#bytes = 0;
    if (text === undefined) return { kind: "long", number };
    const value = jsonIn(text);
    return value === undefined ? { kind: "torn", number } : { kind: "element", value, number };
  }
}
