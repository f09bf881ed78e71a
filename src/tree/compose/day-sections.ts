import type { SectionCutter } from "../model/section-cutter.ts";
import { pushAll } from "../../base/lists.ts";
import type { ScannedLine } from "../../base/markdown.ts";
import { SecretScan } from "./secrets.ts";
import type { LineSpan } from "../model/node-sections.ts";
import { detached } from "../../base/lines.ts";
import { parseEntryComment } from "../../base/memory-type.ts";
import type { Passage, SourceLine, SourceSection } from "../../base/passage.ts";
import { holds, type Ref } from "../../base/refs.ts";
import type { Warning } from "../../base/errors.ts";
import type { RawWindow } from "../model/raw-scan.ts";

export interface OpenLog {
  readonly path: string;
  readonly name: string;
  readonly part: readonly LineSpan[];
  readonly scan: SecretScan | undefined;
  readonly cutter: SectionCutter;
  section: Row | undefined;
  /** The heading line last emitted. */
  headingShown: number;
  fence: Row | undefined;
  /** The fence line last emitted. */
  fenceShown: number;
}

export interface Row extends SourceLine {
  readonly log: string;
  /** Size of the line in the raw log, including its line ending; a very long line is truncated in `text`. */
  readonly bytes: number;
}

/** Selects the lines to use from a window. The first line of a late part is preceded by its current heading and the line that opened its fence. */
export function selectRows(log: OpenLog, window: RawWindow, texts: readonly string[]): readonly Row[] {
  const rows: Row[] = [];
  // Fences do not extend across windows.
  log.fence = undefined;
  for (let index = 0; index < window.lines.length; index++) {
    const number = window.firstLine + index;
    const scanned: ScannedLine = window.kinds[index] ?? { kind: "text", level: 0 };
    const line = window.lines[index];
    const bytes = (line?.to ?? 0) - (line?.from ?? 0);
    const row: Row = { number, text: texts[index] ?? "", kind: scanned.kind, log: log.name, bytes };
    if (scanned.level === 1 || scanned.level === 2) log.section = row;
    const closes = scanned.kind === "fence" && log.fence !== undefined;
    if (scanned.kind === "fence") log.fence ??= row;
    else if (scanned.kind !== "code") log.fence = undefined;
    if (log.part.length === 0) rows.push(row);
    else if (log.part.some((span) => number >= span.from && number <= span.to))
      pushAll(rows, [...inForceAt(log, row), row]);
    if (closes) log.fence = undefined;
  }
  return rows;
}

/** The heading and fence line to emit before a line of a late part, unless already emitted. */
function inForceAt(log: OpenLog, row: Row): readonly Row[] {
  const { section, fence } = log;
  const before: Row[] = [];
  if (section !== undefined && section !== row && log.headingShown !== section.number) before.push(section);
  if (fence !== undefined && fence !== row && log.fenceShown !== fence.number) before.push(fence);
  log.headingShown = section?.number ?? 0;
  log.fenceShown = fence?.number ?? 0;
  return before;
}

/** How many recent ids are remembered, so that a day with more entries is read in bounded memory. */
const mostIds = 50_000;

/**
 * Tracks the entries of a day that is read in pieces. Of entries with the same id, the last is used, even if it is in
 * another log of the day.
 */
export class EntryCopies {
  readonly #places = new Map<string, Ref>();
  /** The id of the entry that the next piece may continue. */
  #open: string | undefined;
  #earlier: Ref[] = [];

  add(sections: readonly SourceSection[]): void {
    for (const section of sections) {
      const place = placeOf(section);
      const begins = section.heading === "" || beginsEntry(section);
      if (begins) this.#open = idOf(section);
      const id = this.#open;
      const known = id === undefined ? undefined : this.#places.get(id);
      if (!begins && known?.log !== place.log) this.#open = undefined;
      if (id === undefined || this.#open === undefined) continue;
      if (begins && known !== undefined) this.#earlier.push(known);
      // The newest comes last.
      this.#places.delete(id);
      this.#places.set(id, begins || known === undefined ? place : { ...known, to: place.to });
    }
    for (const id of this.#places.keys()) {
      if (this.#places.size <= mostIds) break;
      this.#places.delete(id);
    }
  }

  /** Removes from passages what belongs to earlier copies of the entries added since the last call. */
  withoutEarlier(passages: readonly Passage[]): readonly Passage[] {
    const earlier = this.#earlier;
    this.#earlier = [];
    if (earlier.length === 0) return passages;
    return passages.flatMap((passage) => {
      const refs = passage.refs.filter((ref) => !earlier.some((place) => holds(place, ref)));
      return refs.length === passage.refs.length ? [passage] : refs.length === 0 ? [] : [{ ...passage, refs }];
    });
  }
}

/** A section may also continue from the previous piece. */
function beginsEntry({ heading, lines: [first] }: SourceSection): boolean {
  return first?.kind === "heading" && first.text.includes(heading);
}

function idOf({ lines: [, second] }: SourceSection): string | undefined {
  const id = parseEntryComment(second?.text ?? "")?.id;
  return id === undefined ? undefined : detached(id);
}

function placeOf({ log, lines }: SourceSection): Ref {
  return { log, from: lines[0]?.number ?? 0, to: lines.at(-1)?.number ?? 0 };
}

/** Warnings about one raw log. All lines that are not UTF-8 share one warning: a binary file would fill the screen. */
export class LogWarnings {
  readonly #path: string;
  readonly #foreign = { count: 0, first: 0 };
  readonly #others: Warning[] = [];
  #lines = 0;

  constructor(path: string) {
    this.#path = path;
  }

  add(window: RawWindow): void {
    window.lines.forEach((line, index) => {
      if (line.encoding === "utf-8") return;
      if (this.#foreign.count++ === 0) this.#foreign.first = window.firstLine + index;
    });
    this.#lines += window.lines.length;
    const returns = window.lines.findIndex((line) => line.returns === "inside");
    if (returns >= 0 && !this.#others.some(({ code }) => code === "bare_cr")) {
      const line = window.firstLine + returns;
      const message = `line ${line} of ${this.#path} contains carriage returns without line feeds, which are treated as spaces, so the file is read as one line; convert its line ends to LF`;
      this.#others.push({ code: "bare_cr", path: this.#path, line, message });
    }
    for (const line of window.unclosed) {
      const message = `the fence on line ${line} of ${this.#path} is never closed`;
      this.#others.push({ code: "open_fence", path: this.#path, line, message });
    }
  }

  /** A log that is mostly not UTF-8 gets no other warning. */
  all(): readonly Warning[] {
    const { count, first } = this.#foreign;
    if (count === 0) return this.#others;
    const path = this.#path;
    const lines = count === 1 ? `line ${first} of ${path} is` : `${count} lines of ${path} (first: line ${first}) are`;
    const message = `${lines} not UTF-8 and omitted from the node`;
    const foreign: Warning = { code: "not_utf8", path, line: first, message };
    return count * 2 > this.#lines ? [foreign] : [foreign, ...this.#others];
  }
}
