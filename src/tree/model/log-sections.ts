import { Buffer } from "node:buffer";
import { createDigest, type RunningDigest, shortDigest } from "../../base/digest.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import { isEntryId } from "./entry-format.ts";
import type { RawWindow } from "./raw-scan.ts";

/** The beginning of a section. */
export interface SectionHead {
  readonly lines: number;
  /** In the log: where the lines end. */
  readonly bytes: number;
  /** The id of the entry; else the digest of these lines without blank ones at their end, 16 digits. */
  readonly key: string;
  /** The id of the entry, if it has one. */
  readonly id: string | undefined;
  /** The digest of the lines below the heading, without blank ones at their end. */
  readonly body: string;
  /** Which of the sections with this key, from 1. */
  readonly nth: number;
  /** The digests that a node may have recorded for these lines: blank lines at their end come and go. */
  readonly digests: readonly string[];
}

/** A section of a raw log, with the keys by which records name it. */
export interface LogSection extends SectionHead {
  readonly line: number;
  /** In the log: where it starts. */
  readonly from: number;
  /** How many lines there are up to the last one that is not blank. */
  readonly filled: number;
  /** In the log: where that line ends. */
  readonly textEnd: number;
  /** The beginnings that were asked for. */
  readonly heads: readonly SectionHead[];
}

/** Where to look at the beginnings of sections: after so many of their lines, and before these lines of the log. */
export interface WantedHeads {
  readonly counts: ReadonlySet<number>;
  readonly lines: ReadonlySet<number>;
}

const lineFeed = Buffer.from("\n");
const carriageReturn = 13;

/** Reads the sections of a log from its windows. */
export class SectionReader {
  readonly #wanted: WantedHeads;
  readonly #sections: LogSection[] = [];
  readonly #seen = new Map<string, number>();
  #open: OpenSection | undefined;
  #lineEnd = lineFeed;
  #at = 0;

  constructor(wanted: WantedHeads) {
    this.#wanted = wanted;
  }

  add({ firstLine, lines, kinds, bytes, at, shift }: RawWindow): void {
    const all = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length);
    for (const [index, { from, to, text }] of lines.entries()) {
      const line = firstLine + index;
      const begin = index === 0 ? 0 : from + shift;
      const end = to + shift;
      this.#at = at + begin;
      if (line === 1 && all[end - 2] === carriageReturn) this.#lineEnd = Buffer.from("\r\n");
      const start = kinds[index]?.level === 2 ? "heading" : "text";
      const open = this.#open === undefined || start === "heading" ? this.#begin(line, start) : this.#open;
      if (open.lines > 0 && (this.#wanted.counts.has(open.lines) || this.#wanted.lines.has(line)))
        open.heads.push(this.#headOf(open));
      open.add(all, { begin, end }, text, at);
    }
    this.#open?.leave();
    this.#at = at + bytes.length;
  }

  /** `bytes`: the size of the log. */
  end(bytes: number): readonly LogSection[] {
    this.#at = bytes;
    this.#close();
    return this.#sections;
  }

  #begin(line: number, start: OpenSection["start"]): OpenSection {
    this.#close();
    return (this.#open = new OpenSection(line, this.#at, start));
  }

  #close(): void {
    const open = this.#open;
    if (open === undefined) return;
    const whole = this.#headOf(open);
    const count = new Map<string, number>();
    for (const { key } of [whole, ...open.heads]) count.set(key, (this.#seen.get(key) ?? 0) + 1);
    for (const [key, nth] of count) this.#seen.set(key, nth);
    const numbered = (head: SectionHead): SectionHead => ({ ...head, nth: count.get(head.key) ?? 1 });
    const { line, from, filled, textEnd, heads } = open;
    this.#sections.push({ ...numbered(whole), line, from, filled, textEnd, heads: heads.map(numbered) });
    this.#open = undefined;
  }

  #headOf(open: OpenSection): SectionHead {
    const digests = open.digests(this.#lineEnd);
    const key = open.id ?? digests[0] ?? "";
    const { id, lines } = open;
    return { lines, bytes: this.#at, key, id, body: open.body(), nth: 1, digests: [...new Set(digests)] };
  }
}

class OpenSection {
  readonly line: number;
  readonly from: number;
  readonly start: "heading" | "text";
  readonly heads: SectionHead[] = [];
  id: string | undefined;
  lines = 0;
  filled = 0;
  textEnd = 0;
  readonly #digest = createDigest();
  readonly #body = createDigest();
  /** The window with the last lines, and where in it what is not digested yet starts, the text ends and the last line ends. */
  #window: Buffer = Buffer.alloc(0);
  #from = 0;
  #text = 0;
  #end = 0;
  /** What follows the last line that is not blank, before this window: its line end, and blank lines. */
  #before: Buffer = Buffer.alloc(0);

  constructor(line: number, from: number, start: OpenSection["start"]) {
    this.line = line;
    this.from = from;
    this.textEnd = from;
    this.start = start;
  }

  /** Adds the next line of a window that is `at` these bytes of the log. */
  add(
    window: Buffer,
    { begin, end }: { readonly begin: number; readonly end: number },
    line: string,
    at: number,
  ): void {
    if (window !== this.#window) {
      this.#window = window;
      this.#from = this.#text = begin;
    }
    this.lines += 1;
    this.#end = end;
    if (this.lines === 2 && this.filled === 1) this.id = [parseEntryComment(line)?.id ?? ""].find(isEntryId);
    if (line.trim() === "" && isBlank(window.subarray(begin, end))) return;
    this.#text = end - lineEndOf(window.subarray(begin, end));
    this.filled = this.lines;
    this.textEnd = at + end;
    if (this.lines === 1 && this.start === "heading") this.#digestText([this.#digest]);
  }

  /** Digests the lines up to the last one that is not blank. */
  #digestText(digests: readonly RunningDigest[] = [this.#digest, this.#body]): void {
    if (this.#text === this.#from) return;
    const text = this.#window.subarray(this.#from, this.#text);
    for (const digest of digests) {
      if (this.#before.length > 0) digest.update(this.#before);
      digest.update(text);
    }
    this.#before = Buffer.alloc(0);
    this.#from = this.#text;
  }

  /** The end of a window, whose bytes may change. */
  leave(): void {
    this.#digestText();
    this.#before = this.#rest();
    this.#window = Buffer.alloc(0);
    this.#from = this.#text = this.#end = 0;
  }

  #rest(): Buffer {
    return Buffer.concat([this.#before, this.#window.subarray(this.#text, this.#end)]);
  }

  body(): string {
    this.#digestText();
    return (this.filled > 1 || this.start === "text" ? this.#body : this.#digest).peek();
  }

  /** Of the lines without blank ones at their end: without a final line end, with one, and with one blank line; then of all bytes. */
  digests(lineEnd: Buffer): readonly string[] {
    this.#digestText();
    const body = this.#digest.peek();
    const rest = this.#rest();
    if (rest.length === 0 && this.filled > 0) return [shortDigest(body), ...this.#with([lineEnd, lineEnd])];
    return [shortDigest(body), ...this.#with([lineEnd, lineEnd]), ...this.#with([rest])];
  }

  #with(parts: readonly Buffer[]): readonly string[] {
    const digest: RunningDigest = this.#digest.fork();
    return parts.map((part) => {
      digest.update(part);
      return shortDigest(digest.peek());
    });
  }
}

function isBlank(bytes: Buffer): boolean {
  return bytes.toString("latin1").trim() === "";
}

function lineEndOf(bytes: Buffer): number {
  if (bytes[bytes.length - 1] !== 10) return 0;
  return bytes[bytes.length - 2] === carriageReturn ? 2 : 1;
}
