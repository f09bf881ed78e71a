import type { PrefixMark } from "../model/raw-scan.ts";
import type { LineSpan, RawSource, SectionDigest } from "../model/source-format.ts";

/** A raw log as it is now, next to what nodes that never change again have recorded of it. */
interface LogHistory {
  readonly now: RawSource;
  /** What fixed nodes recorded of this log, oldest first. */
  readonly recorded: readonly RawSource[];
  /** What the log was at the recorded lengths. */
  readonly marks: readonly PrefixMark[];
}

export type LateKind = "none" | "new" | "appended" | "edited";

export interface LatePart {
  readonly kind: LateKind;
  /** The log as it is now, with the lines that no fixed node holds; empty `part` when there are none. */
  readonly source: RawSource;
}

/**
 * What of a raw log came after its nodes were fixed: for a log that only grew, the lines from the one that holds the first new byte;
 * for an edited one, the sections that no node has recorded as often as they stand there now.
 */
export function latePartOf(history: LogHistory): LatePart {
  const { now, recorded, marks } = history;
  const latest = recorded.at(-1);
  if (latest === undefined) return { kind: "new", source: { ...now, part: wholeLog(now) } };
  if (recorded.some((record) => record.sha256 === now.sha256)) return { kind: "none", source: { ...now, part: [] } };
  const grown = [...recorded]
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((record) => marks.find((mark) => mark.bytes === record.bytes && mark.sha256 === record.sha256))
    .find((mark) => mark !== undefined);
  if (grown !== undefined && grown.bytes < now.bytes && grown.bytes >= latest.bytes) {
    const part = grown.line <= now.lines ? [{ from: grown.line, to: now.lines }] : [];
    return { kind: "appended", source: { ...now, part } };
  }
  return { kind: "edited", source: { ...now, part: changedSections(now, recorded) } };
}

function wholeLog(now: RawSource): readonly LineSpan[] {
  return now.lines === 0 ? [] : [{ from: 1, to: now.lines }];
}

function changedSections(now: RawSource, recorded: readonly RawSource[]): readonly LineSpan[] {
  const comparable = recorded.filter((record) => record.grouping === now.grouping);
  const known = comparable.map((record) => countDigests(record.sections));
  const seen = new Map<string, number>();
  const spans: LineSpan[] = [];
  now.sections.forEach((section, index) => {
    const count = (seen.get(section.digest) ?? 0) + 1;
    seen.set(section.digest, count);
    if (known.some((counts) => (counts.get(section.digest) ?? 0) >= count)) return;
    const to = (now.sections[index + 1]?.line ?? now.lines + 1) - 1;
    const last = spans.at(-1);
    if (last !== undefined && last.to + 1 === section.line) spans[spans.length - 1] = { from: last.from, to };
    else spans.push({ from: section.line, to });
  });
  return spans;
}

function countDigests(sections: readonly SectionDigest[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const section of sections) counts.set(section.digest, (counts.get(section.digest) ?? 0) + 1);
  return counts;
}
