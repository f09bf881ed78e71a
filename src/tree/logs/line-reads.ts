import { Buffer } from "node:buffer";
import { createDigest, type RunningDigest } from "../../base/digest.ts";
import type { Files } from "../../platform/files.ts";
import type { LineSpan } from "../model/source-format.ts";
import { readPieces } from "./raw-logs.ts";

/** Some lines of a file as they are now. */
export interface LinesRead {
  /** SHA-256 of their bytes, line ends included. */
  readonly sha256: string;
  /** The beginning of their text. */
  readonly text: string;
  /** Whether the file has all of them. */
  readonly extent: "whole" | "cut";
}

/** Bytes of a text that are kept: more than anybody is shown, with room for what redaction takes away. */
const keptBytes = 64 * 1024;

/**
 * Reads lines of a file in bounded memory. `spans` are in order and apart; all are cut when the file is not there. `text`: `left`, when only
 * the digests are wanted.
 */
export async function readLines(
  files: Files,
  wanted: { readonly path: string; readonly spans: readonly LineSpan[]; readonly text: "kept" | "left" },
): Promise<readonly LinesRead[]> {
  const { path, spans, text } = wanted;
  const reads = spans.map((span) => new Read(span, text === "kept" ? keptBytes : 0));
  let line = 1;
  let index = 0;
  for await (const piece of readPieces(files, path)) {
    const bytes = bufferOf(piece?.bytes);
    for (let at = 0; at < bytes.length && index < reads.length;) {
      const read = reads[index];
      if (read === undefined) break;
      const next = skipTo(bytes, { at, line }, line < read.span.from ? read.span.from : read.span.to + 1);
      if (line >= read.span.from) read.add(bytes.subarray(at, next.at), next.line);
      if (next.line > read.span.to) index += 1;
      ({ at, line } = next);
    }
    if (index >= reads.length) break;
  }
  return reads.map((read) => read.end());
}

interface Place {
  readonly at: number;
  readonly line: number;
}

/** Where the line `wanted` begins, or the end of these bytes. */
function skipTo(bytes: Buffer, from: Place, wanted: number): Place {
  let { at, line } = from;
  while (line < wanted) {
    const end = bytes.indexOf(10, at);
    if (end < 0) return { at: bytes.length, line };
    at = end + 1;
    line += 1;
  }
  return { at, line };
}

class Read {
  readonly span: LineSpan;
  readonly #digest: RunningDigest = createDigest();
  readonly #kept: Buffer[] = [];
  readonly #most: number;
  #bytes = 0;
  /** The last line of which there is a byte. */
  #last = 0;

  constructor(span: LineSpan, most: number) {
    this.span = span;
    this.#most = most;
  }

  /** `next`: the line that goes on or begins behind these bytes. */
  add(bytes: Buffer, next: number): void {
    if (bytes.length === 0) return;
    this.#digest.update(bytes);
    if (this.#bytes < this.#most) this.#kept.push(Buffer.from(bytes.subarray(0, this.#most - this.#bytes)));
    this.#bytes += bytes.length;
    this.#last = bytes.at(-1) === 10 ? next - 1 : next;
  }

  end(): LinesRead {
    const text = Buffer.concat(this.#kept).toString("utf8");
    return {
      sha256: this.#digest.peek(),
      text: this.#bytes > this.#most ? withoutLastWord(text) : text,
      extent: this.#last >= this.span.to ? "whole" : "cut",
    };
  }
}

/** A text that was cut may end within a secret, which nobody would know by its half. */
function withoutLastWord(text: string): string {
  const space = text.search(/\s\S*$/u);
  return space < 0 ? text : text.slice(0, space + 1);
}

/** SHA-256 of the first bytes of a file, `undefined` when it has not as many. */
export async function digestOfFirst(files: Files, path: string, bytes: number): Promise<string | undefined> {
  const digest = createDigest();
  let taken = 0;
  for await (const piece of readPieces(files, path, bytes)) {
    const own = bufferOf(piece?.bytes);
    digest.update(own);
    taken += own.length;
  }
  return taken === bytes ? digest.peek() : undefined;
}

function bufferOf(bytes: Uint8Array | undefined): Buffer {
  return bytes === undefined ? Buffer.alloc(0) : Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
