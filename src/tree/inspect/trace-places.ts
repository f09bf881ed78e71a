import type { Day } from "../../base/calendar.ts";
import { shortDigest } from "../../base/digest.ts";
import { ifMemoryError } from "../../base/errors.ts";
import { compareTexts } from "../../base/lists.ts";
import type { Ref } from "../../base/refs.ts";
import type { Files } from "../../platform/files.ts";
import { dayOfLog } from "../compose/compose-day.ts";
import type { LineSpan, RawSource, SectionDigest, Source } from "../model/node-sections.ts";
import type { PrefixMark, RawLog, TreeState } from "../model/tree-state.ts";
import { isBlankFile, type LogScan, readMarks, readLines, scanLog, logPath } from "../logs/raw-logs.ts";
import { memoryFolder, parseLogFile } from "../model/period.ts";
import type { LineRange } from "../root-run/root.ts";
import { layoutOf, realFilesOf, type TreeMemory } from "../memory.ts";
import { muchToRead } from "../run/load.ts";

export interface TraceResult {
  readonly line: { readonly path: string; readonly line: number; readonly text: string };
  /** The entries, from ROOT.md down. `into`: the indices of the entries compiled from this one. */
  readonly chain: readonly {
    readonly path: string;
    readonly lines: readonly [number, number];
    readonly text: string;
    readonly into: readonly number[];
  }[];
  readonly raw: readonly {
    readonly path: string;
    readonly lines: readonly [number, number];
    readonly sha256: string;
    /** The redacted text of those lines, cut to 2,000 characters. */
    readonly text: string;
    /**
     * `found`: at the recorded place. `moved`: the section is unchanged, and `path` and `lines` give its current place
     * in this log or another one of the day. `missing`, `changed`: not found, because the log is gone or was changed;
     * then `path` and `lines` are the recorded ones, and `sha256` and `text` are empty.
     */
    readonly state: "found" | "moved" | "missing" | "changed";
    /**
     * Where a shortened log keeps the lines: `path` and `lines` are those of the whole log, and this is the file that
     * contains them, in memory/archive/ or the log's own file with other line numbers. `null`: the log's own file has
     * them at the same lines. If the lines span two files: the part in the first.
     */
    readonly kept_in: LineRange | null;
    readonly into: readonly number[];
    /** Present if only refs with `~` lead there: the program matched these lines to text written by a model. */
    readonly approximate?: true;
  }[];
}

/** The current place of lines, or the recorded place if they were not found. */
export type LinePlace = Pick<TraceResult["raw"][number], "path" | "lines" | "state">;

/** A log of a day. `source`: its scan, if it is known. */
type DayLog = Pick<RawLog, "path" | "source">;
/** The logs of a day that are not blank, in order. */
type LogsOf = (day: Day) => Promise<readonly DayLog[]>;

export function logsIn({ days }: Pick<TreeState, "days">): LogsOf {
  return async (day) => days.get(day)?.logs ?? [];
}

/** As `logsIn`, from the files: for a few days, this is much faster than loading the tree. */
export async function logsOnDisk({ files, onWork }: Pick<TreeMemory, "files" | "onWork">): Promise<LogsOf> {
  const names = await files.names(memoryFolder);
  const taken = new Set(names);
  return async (day) => {
    const logs: (DayLog & { readonly slug: string })[] = [];
    for (const name of names.filter((one) => one.startsWith(day))) {
      const parsed = parseLogFile(name, taken);
      const path = `${memoryFolder}/${name}`;
      if (parsed.state !== "log" || parsed.day !== day) continue;
      const head = await files.read(path, { from: 0, to: 0 }).catch(ifMemoryError(() => undefined));
      if (head === undefined || (await isBlankFile(files, path, head.size))) continue;
      if (head.size > muchToRead) onWork?.();
      logs.push({ path, slug: parsed.slug, source: undefined });
    }
    return logs.toSorted((a, b) => compareTexts(a.slug, b.slug));
  };
}

/** Finds lines recorded in a daily node in the current logs. */
export class PlaceFinder {
  readonly #files: Files;
  readonly #logsOfDay: LogsOf;
  readonly #days = new Map<Day, Promise<readonly DayLog[]>>();
  readonly #intact = new Map<string, Promise<boolean>>();
  readonly #scans = new Map<string, Promise<LogScan | undefined>>();

  constructor(files: Files, logsOfDay: LogsOf) {
    this.#files = files;
    this.#logsOfDay = logsOfDay;
  }

  /**
   * Returns one place if the log is unchanged, otherwise one per recorded section that the lines are in. `sources`:
   * those of the node.
   */
  async find(ref: Ref, sources: readonly Source[]): Promise<readonly LinePlace[]> {
    const path = logPath(ref.log);
    const logs = await this.#logsOf(path);
    const gone = logs[0]?.path === path ? "changed" : "missing";
    const record = sources.find((source) => source.kind === "raw" && source.path === path);
    if (record?.kind !== "raw" || ref.from > record.lines) return [{ path, lines: [ref.from, ref.to], state: gone }];
    const wanted = { from: ref.from, to: Math.min(ref.to, record.lines) };
    if (gone === "changed" && (await this.#isIntact(record)))
      return [{ path, lines: [wanted.from, wanted.to], state: "found" }];
    const places: LinePlace[] = [];
    for (const [index, section] of record.sections.entries()) {
      const end = (record.sections[index + 1]?.line ?? record.lines + 1) - 1;
      const [from, to] = [Math.max(section.line, wanted.from), Math.min(end, wanted.to)];
      if (from > to) continue;
      const now = await this.#sectionNow(record, index, logs);
      const by = (now?.line ?? section.line) - section.line;
      const state = now === undefined ? gone : now.path === path && by === 0 ? "found" : "moved";
      places.push({ path: now?.path ?? path, lines: [from + by, to + by], state });
    }
    return places;
  }

  async #logsOf(path: string): Promise<readonly DayLog[]> {
    const day = dayOfLog(path);
    const logs = this.#days.get(day) ?? this.#logsOfDay(day);
    this.#days.set(day, logs);
    return (await logs).toSorted((a, b) => Number(b.path === path) - Number(a.path === path));
  }

  #isIntact({ path, bytes, sha256 }: RawSource): Promise<boolean> {
    const key = `${path} ${sha256}`;
    const look = async (): Promise<boolean> =>
      (await this.#logsOf(path))[0]?.source?.sha256 === sha256 ||
      (await readMarks(this.#files, path, [bytes]))[0]?.sha256 === sha256;
    const isIntact = this.#intact.get(key) ?? look();
    this.#intact.set(key, isIntact);
    return isIntact;
  }

  async #sectionNow(record: RawSource, index: number, logs: readonly DayLog[]): Promise<SectionPlace | undefined> {
    const section = record.sections[index];
    if (section === undefined) return undefined;
    const before = record.sections.slice(0, index).filter(({ digest }) => digest === section.digest).length;
    for (const log of logs) {
      const same = (await this.#sectionsOf(log, record.grouping)).filter(({ digest }) => digest === section.digest);
      const inPlace = log.path === record.path ? same.find(({ line }) => line === section.line) : undefined;
      const found = inPlace ?? same[before] ?? same.at(-1);
      if (found !== undefined) return { path: log.path, line: found.line };
    }
    return index === record.sections.length - 1 ? this.#grownSection(record, section, logs) : undefined;
  }

  async #grownSection(
    record: RawSource,
    section: SectionDigest,
    logs: readonly DayLog[],
  ): Promise<SectionPlace | undefined> {
    if (record.grouping > 0) return undefined;
    const lines = record.lines - section.line + 1;
    for (const log of logs) {
      const sections = await this.#sectionsOf(log, 0);
      const lineCount = (log.source ?? (await this.#scan(log, 0))?.source)?.lines ?? 0;
      const spans = sections.flatMap(({ line }, at): readonly LineSpan[] => {
        const next = sections[at + 1]?.line ?? lineCount + 1;
        return next - line < lines ? [] : [{ from: line, to: line + lines - 1 }];
      });
      const reads = await readLines(this.#files, log.path, spans, "left");
      const span = spans[reads.findIndex(({ sha256 }) => shortDigest(sha256) === section.digest)];
      if (span !== undefined) return { path: log.path, line: span.from };
    }
    return undefined;
  }

  /** The sections in a log, grouped as in the node. */
  async #sectionsOf(log: DayLog, grouping: number): Promise<readonly SectionDigest[]> {
    if (log.source?.grouping === grouping) return log.source.sections;
    return (await this.#scan(log, grouping))?.source.sections ?? [];
  }

  #scan({ path }: DayLog, grouping: number): Promise<LogScan | undefined> {
    const key = `${path} ${grouping}`;
    const scan = this.#scans.get(key) ?? scanLog(this.#files, path, { grouping });
    this.#scans.set(key, scan);
    return scan;
  }
}

interface SectionPlace {
  readonly path: string;
  readonly line: number;
}

/**
 * Returns where lines in a log are kept. `null`: at the same lines in the log's own file. If the lines span two files:
 * the part in the first.
 */
type KeptIn = (lines: readonly [number, number]) => LineRange | null;

/** Builds a `KeptIn` for one log; streams the log if it was shortened. Errors: any from reading it. */
export async function keptLinesOf(files: Files, path: string): Promise<KeptIn> {
  const layout = await layoutOf(files, path);
  if (layout === undefined) return () => null;
  let at = 0;
  const starts = layout.pieces.map(({ size }) => (at += size) - size);
  const marks = await marksAt(files, path, [...starts, layout.same]);
  const pieces: Border[] = [];
  for (const [index, piece] of layout.pieces.entries()) {
    if (piece.path === "") continue;
    const { line: start, ending } = marks.get(starts[index] ?? 0) ?? beginning;
    const numbers = piece.lines?.numbers;
    const own = numbers === undefined ? await marksAt(realFilesOf(files), piece.path, [piece.from]) : undefined;
    const by = (own?.get(piece.from) ?? beginning).line - start;
    const ownLine = (line: number): number =>
      numbers === undefined ? line + by : (numbers[line - start] ?? numbers.at(-1) ?? 1);
    pieces.push({ path: piece.path, first: start + (ending === "open" ? 1 : 0), ownLine });
  }
  const same = (marks.get(layout.same) ?? beginning).line - 1;
  return ([from, to]) => {
    if (to <= same) return null;
    const index = pieces.findLastIndex(({ first }) => first <= from);
    const border = pieces[index];
    if (border === undefined) return null;
    const last = Math.max(from, Math.min(to, (pieces[index + 1]?.first ?? to + 1) - 1));
    const kept: LineRange = { path: border.path, lines: [border.ownLine(from), border.ownLine(last)] };
    return kept.path === path && kept.lines[0] === from && kept.lines[1] === to ? null : kept;
  };
}

interface Border {
  readonly path: string;
  /** The first line of the log that begins in the piece. */
  readonly first: number;
  /** Maps a log line in this piece to its line in the file at `path`. */
  readonly ownLine: (line: number) => number;
}

const beginning = { line: 1, ending: "closed" } as const;

async function marksAt(files: Files, path: string, at: readonly number[]): Promise<ReadonlyMap<number, PrefixMark>> {
  const marks = await readMarks(
    files,
    path,
    at.filter((offset) => offset > 0),
  );
  return new Map(marks.map((mark) => [mark.bytes, mark]));
}
