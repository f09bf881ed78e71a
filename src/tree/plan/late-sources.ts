import { addDays } from "../../base/calendar.ts";
import type { Warning } from "../../base/errors.ts";
import { typeWarning } from "../../text/shown.ts";
import { memoryFolder, nodePath, parentOf, parseLogFile, periodKey, type Place } from "../model/period.ts";
import type { LineSpan, RawSource } from "../model/node-sections.ts";
import type { LogFaults } from "../model/raw-scan.ts";
import {
  type NodeFacts,
  type PrefixMark,
  type RawDay,
  rawSourcesOf,
  type SkippedSource,
  type TreeState,
} from "../model/tree-state.ts";

export function latePartsOf(raw: RawDay, fixed: readonly NodeFacts[]): readonly LatePart[] {
  const sources = fixed.flatMap((node) => node.sources).filter((source) => source.kind === "raw");
  return raw.logs.flatMap(({ path, source: now, marks }) => {
    const recorded = sources.filter((source) => source.path === path);
    return now === undefined ? [] : [latePartOf(now, recorded, marks)];
  });
}

interface LatePart {
  readonly kind: "none" | "new" | "appended" | "edited";
  /** The current log; `part` is the lines that no fixed node has, empty if there are none. */
  readonly source: RawSource;
}

/**
 * The part of a raw log that was added or changed after its nodes were fixed. If the log only grew: all lines from the
 * one with the first new byte. If it was edited: the sections that occur more often now than in any node's record.
 */
function latePartOf(now: RawSource, recorded: readonly RawSource[], marks: readonly PrefixMark[]): LatePart {
  const latest = recorded.at(-1);
  if (latest === undefined) return { kind: "new", source: { ...now, part: linesFrom(1, now) } };
  if (recorded.some((record) => record.sha256 === now.sha256)) return { kind: "none", source: { ...now, part: [] } };
  const grown = [...recorded]
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((record) => marks.find((mark) => mark.bytes === record.bytes && mark.sha256 === record.sha256))
    .find((mark) => mark !== undefined);
  if (grown !== undefined && grown.bytes < now.bytes && grown.bytes >= latest.bytes)
    return { kind: "appended", source: { ...now, part: linesFrom(grown.line, now) } };
  return { kind: "edited", source: { ...now, part: changedSections(now, recorded) } };
}

function linesFrom(line: number, { lines }: RawSource): readonly LineSpan[] {
  return line <= lines ? [{ from: line, to: lines }] : [];
}

function changedSections(now: RawSource, recorded: readonly RawSource[]): readonly LineSpan[] {
  const comparable = recorded.filter((record) => record.grouping === now.grouping);
  const known = comparable.map(({ sections }) => Map.groupBy(sections, ({ digest }) => digest));
  const seen = new Map<string, number>();
  const spans: LineSpan[] = [];
  for (const [index, { line, digest }] of now.sections.entries()) {
    const count = (seen.get(digest) ?? 0) + 1;
    seen.set(digest, count);
    if (known.some((same) => (same.get(digest)?.length ?? 0) >= count)) continue;
    const to = (now.sections[index + 1]?.line ?? now.lines + 1) - 1;
    const last = spans.at(-1);
    if (last !== undefined && last.to + 1 === line) spans[spans.length - 1] = { from: last.from, to };
    else spans.push({ from: line, to });
  }
  return spans;
}

export interface LateSource {
  readonly path: string;
  readonly period: string;
  readonly code: "late_source" | "source_edited" | "source_missing";
  /** The addendum that contains it, if already written. */
  readonly addendum: string | null;
}

/**
 * Raw log content missing from the fixed node of its period: late content (in an addendum or pending), edits, and logs
 * that are gone while their nodes remain. `unread`: paths of logs that exist but cannot be read.
 */
export function lateSourcesOf(state: TreeState, unread: ReadonlySet<string>): readonly LateSource[] {
  const open = [...state.days.keys(), ...state.nodes.periods("daily")].filter(
    (day) => state.settled?.has(periodKey({ level: "daily", period: day })) !== true,
  );
  return [...new Set(open)].toSorted().flatMap((day) => {
    const raw = state.days.get(day);
    const own = state.nodes.of("daily", day).filter((node) => node.reading === "ours");
    const pending = raw === undefined ? [] : [...pendingLate(raw, own), ...lateDay(state, raw)];
    return [...writtenLate(own), ...pending, ...missingLogs(raw, own, unread)];
  });
}

function writtenLate(own: readonly NodeFacts[]): readonly LateSource[] {
  return own
    .filter((node) => node.name.late > 0)
    .flatMap((addendum) => {
      const earlier = own.filter((node) => node.name.late < addendum.name.late);
      return rawSourcesOf(addendum).map((source): LateSource => {
        const before = earlier.flatMap(rawSourcesOf).findLast((candidate) => candidate.path === source.path);
        const code = before === undefined || isGrowth(before, source) ? "late_source" : "source_edited";
        return { path: source.path, period: addendum.name.period, code, addendum: nodePath(addendum.name) };
      });
    });
}

/** Whether the part was appended: one span from the last known line, or the next one, to the end. */
function isGrowth(before: RawSource, now: RawSource): boolean {
  const [part, ...more] = now.part;
  return (
    part !== undefined &&
    more.length === 0 &&
    now.bytes > before.bytes &&
    part.from >= before.lines &&
    part.to === now.lines
  );
}

/** Content that no node of the day has yet. Only a fixed node can miss it: a tentative one is composed again. */
function pendingLate(raw: RawDay, own: readonly NodeFacts[]): readonly LateSource[] {
  if (own[0]?.name.late !== 0 || own[0].status !== "fixed") return [];
  const recorded = new Set(own.flatMap(rawSourcesOf).map(({ path, sha256 }) => `${path} ${sha256}`));
  const fixed = own.filter((node) => node.status === "fixed");
  return latePartsOf(raw, fixed)
    .filter(({ kind, source }) => kind !== "none" && !recorded.has(`${source.path} ${source.sha256}`))
    .map(({ kind, source }): LateSource => {
      const code = kind === "edited" ? "source_edited" : "late_source";
      return { path: source.path, period: raw.day, code, addendum: null };
    });
}

/** A whole day that arrived after its week or month was fixed. It goes into an addendum of the lowest fixed level. */
function lateDay(state: TreeState, raw: RawDay): readonly LateSource[] {
  let child: Place = { level: "daily", period: raw.day };
  for (let parent = parentOf("daily", raw.day); parent !== undefined; parent = parentOf(parent.level, parent.period)) {
    const own = state.nodes.of(parent.level, parent.period).filter((node) => node.reading === "ours");
    const path = nodePath({ ...child, late: 0 });
    const holder = own.find((node) => node.sources.some((source) => source.path === path));
    if (own[0]?.status === "fixed" && holder?.name.late !== 0) {
      const { period } = parent;
      const addendum = holder === undefined ? null : nodePath(holder.name);
      return raw.logs.map((log): LateSource => ({ path: log.path, period, code: "late_source", addendum }));
    }
    child = parent;
  }
  return [];
}

/** Missing logs that nodes were made from. A tentative node is recomposed as long as its day has any log. */
function missingLogs(
  raw: RawDay | undefined,
  own: readonly NodeFacts[],
  unread: ReadonlySet<string>,
): readonly LateSource[] {
  const there = new Set(raw?.logs.map((log) => log.path));
  const nodes = own.filter((node) => node.status === "fixed" || raw === undefined);
  const paths = new Set(nodes.flatMap(rawSourcesOf).map((source) => source.path));
  return [...paths]
    .filter((path) => !there.has(path) && !unread.has(path))
    .map((path): LateSource => ({
      path,
      period: path.slice("memory/".length).slice(0, 10),
      code: "source_missing",
      addendum: null,
    }));
}

interface ReadLogs {
  readonly state: TreeState;
  readonly skipped: readonly Pick<SkippedSource, "path">[];
  readonly cacheable: { readonly logs: ReadonlyMap<string, { readonly log: { readonly faults: LogFaults } }> };
}

const mostOfAKind = 8;

/**
 * Problems in the raw logs that need attention: unresolved conflicts, future dates, a heading with another date, logs
 * gone or edited after their node was fixed, misspelled type tags, and many lines without a heading. `read`: logs that
 * the run has read since loading.
 */
export function logWarnings(
  { state, skipped, cacheable }: ReadLogs,
  read: ReadonlyMap<string, { readonly faults: LogFaults }> = new Map(),
): readonly Warning[] {
  const logs = [...state.days.values()].flatMap(({ day, logs: own }) => own.map(({ path }) => ({ day, path })));
  const faulty = logs.flatMap(({ day, path }) => {
    const faults = (read.get(path) ?? cacheable.logs.get(path)?.log)?.faults;
    return faults === undefined ? [] : [{ day, path, faults }];
  });
  const late = lateSourcesOf(state, new Set(skipped.map(({ path }) => path)));
  const tomorrow = addDays(state.today, 1);
  const kinds: readonly (readonly Warning[])[] = [
    faulty.flatMap(({ path, faults }) => conflictWarning(path, faults.conflicts)),
    faulty.flatMap(({ path, day, faults: { told } }) => {
      const message = `${path} is named for ${day} but starts with ${told}; the name is used: rename the file or correct the date in it`;
      return told === undefined || told === day ? [] : [{ code: "date_mismatch", path, message }];
    }),
    faulty.flatMap(({ path, faults }) => faults.tags.map((tag) => typeWarning(path, tag))),
    faulty.flatMap(({ path, faults: { unheaded } }) => {
      const message = `${path} has ${unheaded} lines without a heading: their topics are guessed from their words; add a heading such as "## Topic [project]" to name one`;
      return unheaded < manyLines ? [] : [{ code: "no_heading", path, message }];
    }),
    // A clock that was set back has its own warning.
    (state.clock === "back" ? [] : logs.filter(({ day }) => day > tomorrow)).map(({ day, path }) => {
      const message = `${path} is dated in the future: ${day} is later than today, ${state.today}; rename it to its real day, or check this machine's date`;
      return { code: "future_date", path, message };
    }),
    late.flatMap(({ path, period, code }) => {
      const message = `${path} is gone or empty, but its node stays: restore it from git or a backup, or, if it was removed on purpose, run heartwood compact --accept ${period}`;
      return code === "source_missing" ? [{ code, path, message }] : [];
    }),
    late.flatMap(({ path, period, code, addendum }) => {
      const message = `${path} was edited after its node was fixed: the next run puts the change in an addendum; heartwood compact --accept ${period} rebuilds the node from the log as it is now`;
      return code === "source_edited" && addendum === null ? [{ code, path, message }] : [];
    }),
  ];
  return kinds.flatMap(firstOf);
}

/** Fewer lines without a heading are treated as a short note and not reported. */
export const manyLines = 40;

function firstOf(warnings: readonly Warning[]): readonly Warning[] {
  const [first] = warnings;
  const more = warnings.length - mostOfAKind;
  if (first === undefined || more <= 0) return warnings;
  return [
    ...warnings.slice(0, mostOfAKind),
    { code: first.code, message: `and ${more} more such logs (${first.code})` },
  ];
}

/** A warning about conflict markers in a text file. */
export function conflictWarning(path: string, conflicts: readonly LineSpan[]): readonly Warning[] {
  const [first] = conflicts;
  if (first === undefined) return [];
  const places = conflicts.slice(0, 3).map(({ from, to }) => `${from}-${to}`);
  const lines = `${places.join(", ")}${conflicts.length > places.length ? ", …" : ""}`;
  const isLog = parseLogFile(path.slice(memoryFolder.length + 1)).state === "log";
  const advice = isLog
    ? "both sides are used as they are; run heartwood git resolve, which keeps the entries of both, each once"
    : "both sides are used until one is chosen; edit the file and remove the markers";
  const message = `${path} has git conflict markers on lines ${lines}: ${advice}`;
  return [{ code: "conflict_markers", path, line: first.from, message }];
}
