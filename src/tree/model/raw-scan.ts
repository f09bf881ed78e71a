import { Buffer } from "node:buffer";
import { createDigest, type RunningDigest, shortDigest } from "../../base/digest.ts";
import { type FileLine, longestLineBytes, splitLines } from "../../base/lines.ts";
import { parseHeading, type ScannedLine, scanLines } from "../../base/markdown.ts";
import type { MemoryType } from "../../base/memory-type.ts";
import { placesCorrected, type Correcting } from "../../text/corrected.ts";
import { typeMeantBy } from "../../text/shown.ts";
import type { Day } from "../../base/calendar.ts";
import type { LineSpan, RawSource, SectionDigest } from "./node-sections.ts";
import { dayToldBy } from "./period.ts";
import { SectionCutter } from "./section-cutter.ts";

/** A run of whole lines in a raw log, at most about `windowBytes`. */
export interface RawWindow {
  /** 1-based number of the first line. */
  readonly firstLine: number;
  readonly lines: readonly FileLine[];
  readonly kinds: readonly ScannedLine[];
  /** 1-based numbers of the lines that open a fence that is never closed. */
  readonly unclosed: readonly number[];
  readonly bytes: Uint8Array;
  /** In the log: where the bytes start. */
  readonly at: number;
  /** Size of the byte order mark; offsets in `lines` start after it. */
  readonly shift: number;
}

/** A window ends at the last newline before a multiple of this many bytes. */
export const windowBytes = 1024 * 1024;

export interface RawScanEnd {
  readonly source: RawSource;
  readonly content: "blank" | "text";
  readonly faults: LogFaults;
}

export interface LogFaults {
  /** Line ranges of unresolved conflicts, limited to the first few. */
  readonly conflicts: readonly LineSpan[];
  readonly told: Day | undefined;
  /** Headings with a misspelled type tag, such as `[feedbak]`, limited to the first few. */
  readonly tags: readonly { readonly line: number; readonly written: string; readonly type: MemoryType }[];
  /** Number of text lines that are not under a topic heading. */
  readonly unheaded: number;
  /** What its entries correct. Default: nothing. */
  readonly corrects?: readonly Correcting[];
}

const mostConflicts = 16;
const mostTags = 16;

interface LineWindow {
  readonly firstLine: number;
  /** Empty if `bytes` continue a line longer than a window; only the beginning of such a line is decoded. */
  readonly lines: readonly FileLine[];
  readonly bytes: Buffer;
  /** Size of the byte order mark; offsets in `lines` start after it. */
  readonly shift: number;
}

/** Splits a log into windows, in bounded memory. The input comes in pieces of `windowBytes`; only the last may be shorter. */
export class LogWindows {
  #pending: Buffer = Buffer.alloc(0);
  #isInLongLine = false;
  #lines = 0;

  *push(piece: Uint8Array): Generator<LineWindow> {
    let rest = Buffer.from(piece.buffer, piece.byteOffset, piece.length);
    if (this.#isInLongLine) {
      const end = rest.indexOf(10);
      const bytes = end < 0 ? rest : rest.subarray(0, end + 1);
      yield { firstLine: this.#lines + 1, lines: [], bytes, shift: 0 };
      this.#isInLongLine = end < 0;
      rest = rest.subarray(bytes.length);
    }
    this.#pending = Buffer.concat([this.#pending, rest]);
    if (piece.length < windowBytes || this.#isInLongLine) return;
    const stop = this.#pending.lastIndexOf(10) + 1;
    this.#isInLongLine = stop === 0 && this.#pending.length >= windowBytes / 2;
    if (this.#isInLongLine) yield* this.end();
    else if (stop > 0) yield this.#window(this.#pending.subarray(0, stop));
    this.#pending = Buffer.from(this.#pending.subarray(stop));
  }

  /** End of input: yields the last window. */
  *end(): Generator<LineWindow> {
    if (this.#pending.length > 0) yield this.#window(this.#pending);
    this.#pending = Buffer.alloc(0);
  }

  #window(bytes: Buffer): LineWindow {
    const own = this.#lines === 0 ? withoutMark(bytes) : bytes;
    const lines = splitLines(this.#isInLongLine ? wholeCharacters(own.subarray(0, 2 * longestLineBytes)) : own);
    const firstLine = this.#lines + 1;
    this.#lines += lines.length;
    return { firstLine, lines, bytes, shift: bytes.length - own.length };
  }
}

function wholeCharacters(bytes: Buffer): Buffer {
  let end = bytes.length;
  while (end > 0 && ((bytes[end - 1] ?? 0) & 0xc0) === 0x80) end -= 1;
  return end > 0 && (bytes[end - 1] ?? 0) >= 0xc0 ? bytes.subarray(0, end - 1) : bytes.subarray(0, end);
}

function withoutMark(bytes: Buffer): Buffer {
  return bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf ? bytes.subarray(3) : bytes;
}

/** Scans the bytes of one raw log, in bounded memory for any size. */
export class RawScan {
  readonly #path: string;
  readonly #windows = new LogWindows();
  readonly #sections = new SectionList();
  readonly #cutter: SectionCutter;
  readonly #digest = createDigest();
  readonly #faults = {
    conflicts: [] as LineSpan[],
    told: undefined as Day | undefined,
    tags: [] as Tag[],
    unheaded: 0,
  };
  readonly #corrects: Correcting[] = [];
  /** The last lines of the previous window: an entry may begin in them. */
  #before: readonly string[] = [];
  #bytes = 0;
  #lines = 0;
  #taken = 0;
  #content: RawScanEnd["content"] = "blank";

  constructor(path: string) {
    this.#path = path;
    this.#cutter = new SectionCutter(path);
  }

  /** Takes the next piece; yields the windows it completes. */
  *push(bytes: Uint8Array): Generator<RawWindow> {
    this.#digest.update(bytes);
    this.#bytes += bytes.length;
    for (const window of this.#windows.push(bytes)) yield* this.#take(window);
  }

  /** End of input: yields the last window. Call it before `end`. */
  *finish(): Generator<RawWindow> {
    for (const window of this.#windows.end()) yield* this.#take(window);
  }

  /**
   * Returns what a node records about the log. `wanted`: the grouping; default: as coarse as the number of sections
   * requires.
   */
  end(wanted?: number): RawScanEnd {
    const own = { path: this.#path, bytes: this.#bytes, lines: this.#lines, sha256: this.#digest.peek() };
    const source = { kind: "raw", ...own, ...this.#sections.grouped(wanted), part: [] } as const;
    const corrects = this.#corrects.length === 0 ? {} : { corrects: this.#corrects };
    return { source, content: this.#content, faults: { ...this.#faults, ...corrects } };
  }

  *#take({ firstLine, lines, bytes, shift }: LineWindow): Generator<RawWindow> {
    const at = this.#taken;
    this.#taken += bytes.length;
    const texts = lines.map((line) => line.text);
    const { lines: kinds, conflicts, unclosed } = scanLines(texts);
    const faults = this.#faults;
    if (firstLine === 1) faults.told = dayToldBy(texts);
    for (const [from, to] of conflicts.slice(0, mostConflicts - faults.conflicts.length))
      faults.conflicts.push({ from: from + firstLine, to: to + firstLine });
    let from = 0;
    for (const [index, { kind, level }] of kinds.entries()) {
      if (level === 2) {
        const start = (lines[index]?.from ?? 0) + shift;
        this.#sections.feed(bytes.subarray(from, start));
        this.#sections.begin(firstLine + index);
        from = start;
      }
      if (kind !== "heading" || faults.tags.length >= mostTags) continue;
      const near = typeMeantBy(parseHeading(texts[index] ?? "")?.text ?? "");
      if (near !== undefined) faults.tags.push({ line: firstLine + index, ...near });
    }
    this.#sections.feed(bytes.subarray(from));
    const all = [...this.#before, ...texts];
    for (const { line, ...place } of placesCorrected(all))
      this.#corrects.push({ ...place, line: firstLine - this.#before.length + line - 1 });
    this.#before = all.slice(-2);
    const rows = texts.map((text, at) => ({ number: firstLine + at, text, kind: kinds[at]?.kind ?? "text" }));
    for (const section of this.#cutter.cut(rows))
      if (section.topic === "")
        faults.unheaded += section.lines.filter(({ kind, text }) => kind === "text" && text.trim() !== "").length;
    this.#lines += lines.length;
    if (lines.some(({ text, encoding }) => text.trim() !== "" || encoding !== "utf-8")) this.#content = "text";
    if (lines.length > 0)
      yield { firstLine, lines, kinds, unclosed: unclosed.map((index) => index + firstLine), bytes, at, shift };
  }
}

type Tag = LogFaults["tags"][number];

/** More sections than this are recorded in groups, to keep the front matter small. */
const mostSections = 1024;

const sectionBytes = 16;

/**
 * Digests of the sections, each starting at a level 2 heading or at the first line. Stored in 16 bytes each, because
 * the millions of sections of a 1 GB log would take hundreds of MB as objects.
 */
class SectionList {
  #open = createDigest();
  #openLine = 1;
  #fed = 0;
  #length = 0;
  #bytes = Buffer.alloc(128 * sectionBytes);

  feed(bytes: Uint8Array): void {
    this.#open.update(bytes);
    this.#fed += bytes.length;
  }

  /** Ends the section before this line. */
  begin(line: number): void {
    const at = this.#length * sectionBytes;
    if (this.#fed > 0) {
      if (at === this.#bytes.length) this.#bytes = Buffer.concat([this.#bytes, Buffer.alloc(at)]);
      this.#bytes.writeDoubleLE(this.#openLine, at);
      this.#bytes.write(shortDigest(this.#open.peek()), at + 8, "hex");
      this.#length += 1;
    }
    this.#open = createDigest();
    this.#openLine = line;
    this.#fed = 0;
  }

  /**
   * All sections, grouped if there are many. A group starts where the low bits of a section's digest are zero, so an
   * edit changes only its own group (content-defined chunking).
   */
  grouped(wanted?: number): { readonly sections: readonly SectionDigest[]; readonly grouping: number } {
    this.begin(0);
    let grouping = wanted ?? 0;
    while (wanted === undefined && this.#length >> grouping > mostSections) grouping += 1;
    if (grouping === 0) return { sections: [...this.#all()], grouping };
    const groups: { readonly line: number; readonly digest: RunningDigest }[] = [];
    for (const { line, digest } of this.#all()) {
      const begins = (Number.parseInt(digest.slice(0, 8), 16) & ((1 << grouping) - 1)) === 0;
      if (begins || groups.length === 0) groups.push({ line, digest: createDigest() });
      else groups.at(-1)?.digest.update(Buffer.from(" "));
      groups.at(-1)?.digest.update(Buffer.from(digest));
    }
    return { sections: groups.map(({ line, digest }) => ({ line, digest: shortDigest(digest.peek()) })), grouping };
  }

  *#all(): Generator<SectionDigest> {
    for (let at = 0; at < this.#length * sectionBytes; at += sectionBytes)
      yield { line: this.#bytes.readDoubleLE(at), digest: this.#bytes.toString("hex", at + 8, at + sectionBytes) };
  }
}
