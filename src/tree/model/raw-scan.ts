import { Buffer } from "node:buffer";
import { createDigest, shortDigest } from "../../base/digest.ts";
import { type FileLine, longestLineBytes, splitLines } from "../../base/lines.ts";
import { parseHeading, type ScannedLine, scanLines } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import { typeMeantBy } from "../../text/shown.ts";
import type { Day } from "../../base/calendar.ts";
import type { LineSpan, RawSource, SectionDigest } from "./node-sections.ts";
import { dayToldBy } from "./period.ts";
import { pushAll } from "../../base/lists.ts";

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
  readonly windows: readonly RawWindow[];
  readonly source: RawSource;
  /** Whether there is anything but white space. */
  readonly content: "blank" | "text";
  readonly faults: LogFaults;
  readonly marks: readonly PrefixMark[];
}

/** What a person should look at in a log. */
export interface LogFaults {
  /** The lines of conflicts that were not resolved, the first of them. */
  readonly conflicts: readonly LineSpan[];
  /** The day that its beginning tells. */
  readonly told: Day | undefined;
  /** Headings with a word in brackets that is nearly a type, the first of them. */
  readonly tags: readonly NearTag[];
}

/** `[feedbak]` in this line. */
export interface NearTag {
  readonly line: number;
  readonly written: string;
  readonly type: MemoryType;
}

const mostConflicts = 16;
const mostTags = 16;

/** What the log was when it had this many bytes: its digest then, and the line that holds the next byte. */
export interface PrefixMark {
  readonly bytes: number;
  readonly sha256: string;
  readonly line: number;
}

/** `marks`: lengths in bytes at which the digest so far is wanted. */
export function createRawScan(path: string, marks: readonly number[] = []): RawScan {
  return new RawScan(path, marks);
}

/** A fold over the bytes of one raw log: bounded memory at any size. */
class RawScan {
  readonly #path: string;
  readonly #sections = new SectionFold();
  #pending: Buffer = Buffer.alloc(0);
  /** The beginning of a line that is longer than a window, while its end has not come. */
  #head: Buffer | undefined;
  #bytes = 0;
  #lines = 0;
  #windowEnd = windowBytes;
  #blank = true;
  #told: Day | undefined;
  readonly #conflicts: LineSpan[] = [];
  readonly #tags: NearTag[] = [];
  readonly #marks: PrefixMarks;

  constructor(path: string, marks: readonly number[]) {
    this.#path = path;
    this.#marks = new PrefixMarks(marks);
  }

  /** Takes the next bytes; returns the windows that are complete by now. */
  push(bytes: Uint8Array): readonly RawWindow[] {
    this.#marks.add(bytes);
    const windows: RawWindow[] = [];
    for (let from = 0; from < bytes.length;) {
      const to = Math.min(bytes.length, from + this.#windowEnd - this.#bytes);
      pushAll(windows, this.#take(Buffer.from(bytes.buffer, bytes.byteOffset + from, to - from)));
      from = to;
    }
    return windows;
  }

  /** No more bytes: the last window, and what a node records of the log. `wanted`: the grouping; default as much as the sections need. */
  end(wanted?: number): RawScanEnd {
    const windows =
      this.#head !== undefined ? [this.#longLine()] : this.#pending.length === 0 ? [] : [this.#window(this.#pending)];
    this.#pending = Buffer.alloc(0);
    const { sections, grouping } = this.#sections.end(wanted);
    const source: RawSource = {
      kind: "raw",
      path: this.#path,
      bytes: this.#bytes,
      lines: this.#lines,
      sha256: this.#marks.digest.peek(),
      sections,
      grouping,
      part: [],
    };
    return {
      windows,
      source,
      content: this.#blank ? "blank" : "text",
      faults: { conflicts: this.#conflicts, told: this.#told, tags: this.#tags },
      marks: this.#marks.found,
    };
  }

  #take(piece: Buffer): readonly RawWindow[] {
    this.#bytes += piece.length;
    const windows: RawWindow[] = [];
    let rest = piece;
    if (this.#head !== undefined) {
      const stop = rest.indexOf(10) + 1;
      this.#sections.feed(stop === 0 ? rest : rest.subarray(0, stop));
      if (stop > 0) windows.push(this.#longLine());
      rest = stop === 0 ? rest.subarray(rest.length) : rest.subarray(stop);
    }
    this.#pending = Buffer.concat([this.#pending, rest]);
    if (this.#bytes < this.#windowEnd) return windows;
    this.#windowEnd += windowBytes;
    return [...windows, ...this.#cut()];
  }

  /** A window ends at the last line end there is. Of a line longer than a window only the beginning is kept; its bytes still count in every digest. */
  #cut(): readonly RawWindow[] {
    if (this.#head !== undefined || this.#pending.length === 0) return [];
    const stop = this.#pending.lastIndexOf(10) + 1;
    const windows = stop === 0 ? [] : [this.#window(this.#pending.subarray(0, stop))];
    const rest = this.#pending.subarray(stop);
    const isLong = stop === 0 && rest.length >= windowBytes / 2;
    if (isLong) {
      this.#head = wholeCharacters(rest.subarray(0, 2 * longestLineBytes));
      this.#sections.feed(rest);
    }
    this.#pending = isLong ? Buffer.alloc(0) : Buffer.from(rest);
    return windows;
  }

  #longLine(): RawWindow {
    const [line] = splitLines(this.#head ?? Buffer.alloc(0));
    this.#head = undefined;
    this.#blank = false;
    this.#lines += 1;
    return {
      firstLine: this.#lines,
      lines: line === undefined ? [] : [line],
      kinds: [{ kind: "text", level: 0 }],
      unclosed: [],
    };
  }

  #window(bytes: Buffer): RawWindow {
    const lines = splitLines(this.#lines === 0 ? withoutMark(bytes) : bytes);
    const scanned = scanLines(lines.map((line) => line.text));
    const firstLine = this.#lines + 1;
    if (this.#lines === 0) this.#told = dayToldBy(lines.map((line) => line.text));
    for (const [from, to] of scanned.conflicts.slice(0, mostConflicts - this.#conflicts.length))
      this.#conflicts.push({ from: from + firstLine, to: to + firstLine });
    for (let index = 0; index < lines.length && this.#tags.length < mostTags; index++) {
      const near =
        scanned.lines[index]?.kind === "heading"
          ? typeMeantBy(parseHeading(lines[index]?.text ?? "")?.text ?? "")
          : undefined;
      if (near !== undefined) this.#tags.push({ line: firstLine + index, ...near });
    }
    this.#sections.add({
      bytes,
      lines,
      kinds: scanned.lines,
      firstLine,
      shift: this.#lines === 0 ? bytes.length - withoutMark(bytes).length : 0,
    });
    this.#lines += lines.length;
    this.#blank &&= lines.every((line) => line.text.trim() === "" && line.encoding === "utf-8");
    return { firstLine, lines, kinds: scanned.lines, unclosed: scanned.unclosed.map((index) => index + firstLine) };
  }
}

/** A copy without the part of a character at its end. */
function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  if (end > 0 && (bytes[end - 1] ?? 0) >= 0xc0) end -= 1;
  return Buffer.from(bytes.subarray(0, end));
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** The digest of all bytes so far, and what it was at the lengths that are asked for. */
class PrefixMarks {
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

  add(window: {
    readonly bytes: Buffer;
    readonly lines: readonly FileLine[];
    readonly kinds: readonly ScannedLine[];
    readonly firstLine: number;
    readonly shift: number;
  }): void {
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
const sectionsInBlock = 128;

/** Sections in 16 bytes each: as objects the millions of a log of 1 GB would take hundreds of MB. */
class SectionList {
  length = 0;
  readonly #blocks: Buffer[] = [];

  push({ line, digest }: SectionDigest): void {
    const at = (this.length % sectionsInBlock) * sectionBytes;
    if (at === 0) this.#blocks.push(Buffer.alloc(sectionsInBlock * sectionBytes));
    const block = this.#blocks.at(-1);
    block?.writeDoubleLE(line, at);
    block?.write(digest, at + 8, "hex");
    this.length += 1;
  }

  *all(): Generator<SectionDigest> {
    for (let index = 0; index < this.length; index++) {
      const block = this.#blocks[Math.floor(index / sectionsInBlock)] ?? Buffer.alloc(0);
      const at = (index % sectionsInBlock) * sectionBytes;
      yield { line: block.readDoubleLE(at), digest: block.toString("hex", at + 8, at + sectionBytes) };
    }
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
