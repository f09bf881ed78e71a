import { Buffer } from "node:buffer";
import { idOfComment, printEntry, type Entry } from "./entry-format.ts";

/** What an append must know of a log. */
export interface EntryScanEnd {
  /** First and last line of the entry of this id, when it stands there. */
  readonly place: readonly [number, number] | undefined;
  readonly lines: number;
  readonly content: "blank" | "text";
  readonly lastLine: "blank" | "text";
  /** `open`: the last line has no line end. */
  readonly ending: "closed" | "open";
  /** Of its first lines. */
  readonly lineEnd: "\n" | "\r\n";
}

/** A fold over the bytes of a log that looks for one entry, in bounded memory. */
export class EntryScan {
  readonly #id: string;
  readonly #needle: Buffer;
  /** What would be written below the comment. */
  readonly #body: string;
  /** Bytes of a line beyond these make no difference. */
  readonly #longest: number;
  #open: OpenEntry[] = [];
  #place: readonly [number, number] | undefined;
  #lines = 0;
  /** The beginning of a line whose end has not come. */
  #pending = Buffer.alloc(0);
  #previous: Buffer = Buffer.alloc(0);
  #blank = true;
  #ending: EntryScanEnd["ending"] = "closed";
  #head: Buffer = Buffer.alloc(0);

  constructor(entry: Entry) {
    this.#id = entry.id;
    this.#needle = Buffer.from(` id=${entry.id} `);
    this.#body = printEntry(entry).slice(2).join("\n").trimEnd();
    this.#longest = Buffer.byteLength(this.#body) + headBytes;
  }

  push(given: Uint8Array): void {
    if (given.length === 0) return;
    const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
    if (this.#head.length < headBytes)
      this.#head = Buffer.concat([this.#head, bytes.subarray(0, headBytes - this.#head.length)]);
    const mayHold = this.#open.length > 0 || Buffer.concat([this.#pending, bytes]).includes(this.#needle);
    const from = mayHold || this.#blank ? this.#takeLines(bytes) : this.#passLines(bytes);
    this.#ending = from === bytes.length ? "closed" : "open";
    if (from < bytes.length) this.#pending = Buffer.from(this.#joined(bytes.subarray(from)));
    this.#previous = Buffer.from(this.#previous);
  }

  end(): EntryScanEnd {
    if (this.#ending === "open") this.#line(this.#pending);
    this.#closeAll();
    return {
      place: this.#place,
      lines: this.#lines,
      content: this.#blank ? "blank" : "text",
      lastLine: isBlank(this.#previous) ? "blank" : "text",
      ending: this.#ending,
      lineEnd: this.#head.includes("\r\n") ? "\r\n" : "\n",
    };
  }

  /** Where the line begins that these bytes leave open. */
  #takeLines(bytes: Buffer): number {
    let from = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, from)) {
      this.#line(this.#joined(bytes.subarray(from, end)));
      this.#pending = Buffer.alloc(0);
      from = end + 1;
    }
    return from;
  }

  /** The same for lines that only count, which is most of a log. */
  #passLines(bytes: Buffer): number {
    const end = bytes.lastIndexOf(10);
    if (end < 0) return 0;
    const from = end === 0 ? 0 : bytes.lastIndexOf(10, end - 1) + 1;
    if (from > 0) this.#pending = Buffer.alloc(0);
    this.#previous = this.#joined(bytes.subarray(from, end));
    this.#pending = Buffer.alloc(0);
    for (let at = 0; at <= end; at++) if (bytes[at] === 10) this.#lines += 1;
    return end + 1;
  }

  #joined(piece: Buffer): Buffer {
    if (this.#pending.length === 0) return piece.subarray(0, this.#longest);
    return Buffer.concat([this.#pending, piece.subarray(0, this.#longest - this.#pending.length)]);
  }

  #line(line: Buffer): void {
    this.#lines += 1;
    this.#blank &&= isBlank(line);
    const isComment = line.includes(this.#needle) && idOfComment(line.toString("utf8")) === this.#id;
    if (isComment || this.#open.length > 0) {
      const text = line.toString("utf8").replace(/\r$/u, "");
      if (text.startsWith("## ")) this.#closeAll();
      for (const entry of this.#open) entry.add(text, this.#lines);
      if (isComment) this.#open.push(new OpenEntry(this.#body, this.#lines, this.#previous.includes(0)));
    }
    this.#previous = line;
  }

  #closeAll(): void {
    for (const entry of this.#open) if (!entry.isTorn()) this.#place ??= entry.lines();
    this.#open = [];
  }
}

/** Enough to see the line ends, and room for white space around a text. */
const headBytes = 4096;

/** An entry of the wanted id, while its end has not come. */
class OpenEntry {
  readonly #wanted: string;
  readonly #comment: number;
  #damaged: boolean;
  /** As much of its body as can be the beginning of what would be written. */
  #text: string | undefined;
  #goesOn = false;
  #last: number;

  constructor(wanted: string, comment: number, damaged: boolean) {
    this.#wanted = wanted;
    this.#comment = comment;
    this.#last = comment;
    this.#damaged = damaged;
  }

  add(line: string, number: number): void {
    this.#damaged ||= line.includes("\0");
    const isText = line.trim() !== "";
    if (isText) this.#last = number;
    if (this.#text === undefined) this.#text = line;
    else if (this.#text.length <= this.#wanted.length) this.#text += `\n${line}`;
    else this.#goesOn ||= isText;
  }

  /**
   * Whether a crash has torn it: it holds a NUL, or only the beginning of what would be written. A body that differs otherwise was edited by
   * somebody and counts.
   */
  isTorn(): boolean {
    const body = (this.#text ?? "").trimEnd().replace(/\uFFFD+$/u, "");
    const isBeginning = !this.#goesOn && body.length < this.#wanted.length && this.#wanted.startsWith(body);
    return this.#damaged || isBeginning;
  }

  lines(): readonly [number, number] {
    return [Math.max(1, this.#comment - 1), this.#last];
  }
}

function isBlank(line: Buffer): boolean {
  return line.length <= headBytes && line.toString("utf8").trim() === "";
}
