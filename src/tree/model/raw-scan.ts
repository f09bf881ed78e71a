import { Buffer } from "node:buffer";
import { createDigest, shortDigest } from "../../base/digest.ts";
import { type FileLine, longestLineBytes, splitLines } from "../../base/lines.ts";
import { parseHeading, type ScannedLine, scanLines } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import { typeMeantBy } from "../../text/shown.ts";
import type { Day } from "../../base/calendar.ts";
import type { LineSpan, RawSource, SectionDigest } from "./node-sections.ts";
import { dayToldBy } from "./period.ts";
import { SectionCutter } from "./section-cutter.ts";

/** A run of whole lines of a raw log, at most about `windowBytes` of it. */
export interface RawWindow {
  /** 1-based line of the file that the first one is. */
  readonly firstLine: number;
  readonly lines: readonly FileLine[];
  readonly kinds: readonly ScannedLine[];
  /** 1-based lines of the file that open a fence which is never closed. */
  readonly unclosed: readonly number[];
}

/** A window ends at the last line end before a multiple of this many bytes, so that its place does not depend on how a file was read. */
export const windowBytes = 1024 * 1024;

export interface RawScanEnd {
  readonly source: RawSource;
  readonly content: "blank" | "text";
  readonly faults: LogFaults;
  readonly marks: readonly PrefixMark[];
}

export interface LogFaults {
  /** The lines of conflicts that were not resolved, the first of them. */
  readonly conflicts: readonly LineSpan[];
  readonly told: Day | undefined;
  /** Headings with a word in brackets that is nearly a type, the first of them. */
  readonly tags: readonly NearTag[];
  /** Lines of text that no heading gives a topic. */
  readonly unheaded: number;
}

/** `[feedbak]` in this line. */
export interface NearTag {
  readonly line: number;
  readonly written: string;
  readonly type: MemoryType;
}

const mostConflicts = 16;
const mostTags = 16;

/** What the log was when it had this many bytes: its digest then, and the line that has the next byte. */
export interface PrefixMark {
  readonly bytes: number;
  readonly sha256: string;
  readonly line: number;
}

interface LineWindow {
  readonly firstLine: number;
  readonly lines: readonly FileLine[];
  /** Of the lines; empty for a line that is longer than a window. */
  readonly bytes: Buffer;
  /** Bytes of a mark at the beginning, which `lines` do not count. */
  readonly shift: number;
}

/** Cuts the bytes of a log into windows, in bounded memory. Of a line longer than a window it keeps the beginning and hands on all its bytes before it. */
export class LogWindows {
  #pending: Buffer = Buffer.alloc(0);
  /** The beginning of a line that is longer than a window, while its end has not come. */
  #head: Buffer | undefined;
  #bytes = 0;
  #lines = 0;
  #windowEnd = windowBytes;

  *push(bytes: Uint8Array): Generator<LineWindow | Buffer> {
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + this.#windowEnd - this.#bytes);
      yield* this.#take(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from));
      from = to;
    }
  }

  /** No more bytes: the last window. */
  *end(): Generator<LineWindow> {
    if (this.#head !== undefined) yield this.#longLine(this.#head);
    else if (this.#pending.length > 0) yield this.#window(this.#pending);
  }

  *#take(piece: Buffer): Generator<LineWindow | Buffer> {
    this.#bytes += piece.length;
    let rest = piece;
    if (this.#head !== undefined) {
      const stop = rest.indexOf(10) + 1;
      const own = stop === 0 ? rest : rest.subarray(0, stop);
      yield own;
      rest = rest.subarray(own.length);
      if (stop > 0) yield this.#longLine(this.#head);
    }
    this.#pending = Buffer.concat([this.#pending, rest]);
    if (this.#bytes < this.#windowEnd) return;
    this.#windowEnd += windowBytes;
    if (this.#head !== undefined) return;
    const stop = this.#pending.lastIndexOf(10) + 1;
    if (stop > 0) yield this.#window(this.#pending.subarray(0, stop));
    const left = Buffer.from(this.#pending.subarray(stop));
    const isLong = stop === 0 && left.length >= windowBytes / 2;
    if (isLong) {
      this.#head = wholeCharacters(left.subarray(0, 2 * longestLineBytes));
      yield left;
    }
    this.#pending = isLong ? Buffer.alloc(0) : left;
  }

  #longLine(head: Buffer): LineWindow {
    this.#head = undefined;
    this.#lines += 1;
    return { firstLine: this.#lines, lines: splitLines(head).slice(0, 1), bytes: Buffer.alloc(0), shift: 0 };
  }

  #window(bytes: Buffer): LineWindow {
    const own = this.#lines === 0 ? withoutMark(bytes) : bytes;
    const lines = splitLines(own);
    const firstLine = this.#lines + 1;
    this.#lines += lines.length;
    return { firstLine, lines, bytes, shift: bytes.length - own.length };
  }
}

/** A fold over the bytes of one raw log: bounded memory at any size. `marks`: lengths in bytes at which the digest so far is wanted. */
export class RawScan {
  readonly #path: string;
  readonly #windows = new LogWindows();
  readonly #sections = new SectionFold();
  readonly #cutter: SectionCutter;
  readonly #marks: PrefixMarks;
  readonly #conflicts: LineSpan[] = [];
  readonly #tags: NearTag[] = [];
  #bytes = 0;
  #lines = 0;
  #content: RawScanEnd["content"] = "blank";
  #told: Day | undefined;
  #unheaded = 0;

  constructor(path: string, marks: readonly number[] = []) {
    this.#path = path;
    this.#cutter = new SectionCutter(path);
    this.#marks = new PrefixMarks(marks);
  }

  /** Takes the next bytes; gives the windows that are complete by now. */
  *push(bytes: Uint8Array): Generator<RawWindow> {
    this.#marks.add(bytes);
    this.#bytes += bytes.length;
    for (const piece of this.#windows.push(bytes))
      if ("lines" in piece) yield this.#window(piece);
      else this.#sections.feed(piece);
  }

  /** No more bytes: the last window. Call it before `end`. */
  *finish(): Generator<RawWindow> {
    for (const window of this.#windows.end()) yield this.#window(window);
  }

  /** What a node records of the log. `wanted`: the grouping; default as much as the sections need. */
  end(wanted?: number): RawScanEnd {
    const sha256 = this.#marks.digest.peek();
    const own = { path: this.#path, bytes: this.#bytes, lines: this.#lines, sha256 };
    return {
      source: { kind: "raw", ...own, ...this.#sections.end(wanted), part: [] },
      content: this.#content,
      faults: { conflicts: this.#conflicts, told: this.#told, tags: this.#tags, unheaded: this.#unheaded },
      marks: this.#marks.found,
    };
  }

  #window(window: LineWindow): RawWindow {
    const { firstLine, lines } = window;
    const texts = lines.map((line) => line.text);
    const isLong = window.bytes.length === 0;
    const scanned = isLong ? { ...nothingScanned, lines: lines.map(() => plainLine) } : scanLines(texts);
    const kinds = scanned.lines;
    if (firstLine === 1) this.#told = dayToldBy(texts);
    for (const [from, to] of scanned.conflicts.slice(0, mostConflicts - this.#conflicts.length))
      this.#conflicts.push({ from: from + firstLine, to: to + firstLine });
    for (let index = 0; index < texts.length && this.#tags.length < mostTags; index++) {
      const heading = kinds[index]?.kind === "heading" ? parseHeading(texts[index] ?? "") : undefined;
      const near = typeMeantBy(heading?.text ?? "");
      if (near !== undefined) this.#tags.push({ line: firstLine + index, ...near });
    }
    const rows = texts.map((text, at) => ({ number: firstLine + at, text, kind: kinds[at]?.kind ?? "text" }));
    for (const section of this.#cutter.cut(rows))
      if (section.topic === "")
        this.#unheaded += section.lines.filter(({ kind, text }) => kind === "text" && text.trim() !== "").length;
    this.#sections.add({ ...window, kinds });
    this.#lines += isLong ? 1 : lines.length;
    if (lines.some(({ text, encoding }) => text.trim() !== "" || encoding !== "utf-8")) this.#content = "text";
    return { firstLine, lines, kinds, unclosed: scanned.unclosed.map((index) => index + firstLine) };
  }
}

const plainLine: ScannedLine = { kind: "text", level: 0 };
const nothingScanned = { conflicts: [], unclosed: [] };

function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  if (end > 0 && (bytes[end - 1] ?? 0) >= 0xc0) end -= 1;
  return Buffer.from(bytes.subarray(0, end));
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The digest of all bytes so far, and what it was at the lengths that are asked for, of a file that is not empty. */
export class PrefixMarks {
  readonly found: PrefixMark[] = [];
  readonly digest = createDigest();
  readonly #wanted: number[];
  #bytes = 0;
  #line = 1;

  constructor(wanted: readonly number[]) {
    this.#wanted = [...new Set(wanted)].toSorted((a, b) => a - b);
  }

  add(bytes: Uint8Array): void {
    let from = 0;
    while (this.#wanted.length > 0 && from < bytes.length) {
      const to = Math.min(bytes.length, from + (this.#wanted[0] ?? 0) - this.#bytes);
      const piece = bytes.subarray(from, to);
      this.digest.update(piece);
      for (const byte of piece) if (byte === 10) this.#line += 1;
      this.#bytes += piece.length;
      from = to;
      if (this.#bytes !== this.#wanted[0]) continue;
      this.found.push({ bytes: this.#bytes, sha256: this.digest.peek(), line: this.#line });
      this.#wanted.shift();
    }
    this.digest.update(bytes.subarray(from));
  }
}

/** More sections than this are recorded in groups, so that a front matter stays small. */
const mostSections = 1024;

/** Digests of the sections as they go by: a section begins at each heading of level 2, and at the first line. */
class SectionFold {
  #open = createDigest();
  #openLine = 1;
  readonly #found = new SectionList();
  #fed = 0;

  add(window: LineWindow & { readonly kinds: readonly ScannedLine[] }): void {
    let from = 0;
    for (let index = 0; index < window.lines.length; index++) {
      if (window.kinds[index]?.level !== 2) continue;
      const at = (window.lines[index]?.from ?? 0) + window.shift;
      this.feed(window.bytes.subarray(from, at));
      this.#close(window.firstLine + index);
      from = at;
    }
    this.feed(window.bytes.subarray(from));
  }

  /** `wanted`: the grouping, by default as much as the sections need. */
  end(wanted?: number): { readonly sections: readonly SectionDigest[]; readonly grouping: number } {
    this.#close(0);
    let grouping = wanted ?? 0;
    while (wanted === undefined && this.#found.length >> grouping > mostSections) grouping += 1;
    return { sections: groupSections(this.#found.all(), grouping), grouping };
  }

  feed(bytes: Uint8Array): void {
    this.#open.update(bytes);
    this.#fed += bytes.length;
  }

  #close(nextLine: number): void {
    if (this.#fed > 0) this.#found.push({ line: this.#openLine, digest: shortDigest(this.#open.peek()) });
    this.#open = createDigest();
    this.#openLine = nextLine;
    this.#fed = 0;
  }
}

const sectionBytes = 16;

/** Sections in 16 bytes each: as objects the millions of a log of 1 GB would take hundreds of MB. */
class SectionList {
  length = 0;
  #bytes = Buffer.alloc(128 * sectionBytes);

  push({ line, digest }: SectionDigest): void {
    const at = this.length * sectionBytes;
    if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(at)]);
    this.#bytes.writeDoubleLE(line, at);
    this.#bytes.write(digest, at + 8, "hex");
    this.length += 1;
  }

  *all(): Generator<SectionDigest> {
    for (let at = 0; at < this.length * sectionBytes; at += sectionBytes)
      yield { line: this.#bytes.readDoubleLE(at), digest: this.#bytes.toString("hex", at + 8, at + sectionBytes) };
  }
}

/**
 * Sections taken together: a group begins where the low bits of a section's digest are zero, so that an edit changes the group it is in and no
 * other (content-defined chunking).
 */
function groupSections(sections: Iterable<SectionDigest>, grouping: number): readonly SectionDigest[] {
  if (grouping === 0) return [...sections];
  const groups: SectionDigest[] = [];
  let open = createDigest();
  let line = 0;
  const close = (): void => {
    if (line > 0) groups.push({ line, digest: shortDigest(open.peek()) });
    open = createDigest();
  };
  for (const section of sections) {
    const begins = (Number.parseInt(section.digest.slice(0, 8), 16) & ((1 << grouping) - 1)) === 0;
    if (begins || line === 0) {
      close();
      line = section.line;
    } else open.update(Buffer.from(" "));
    open.update(Buffer.from(section.digest));
  }
  close();
  return groups;
}
