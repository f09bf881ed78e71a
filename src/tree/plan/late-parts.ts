import type { LineSpan, RawSource } from "../model/node-sections.ts";
import type { PrefixMark } from "../model/raw-scan.ts";
import type { NodeFacts, RawDay } from "../model/tree-state.ts";

export function latePartsOf(raw: RawDay, fixed: readonly NodeFacts[]): readonly LatePart[] {
  const sources = fixed.flatMap((node) => node.sources).filter((source) => source.kind === "raw");
  return raw.logs.flatMap(({ path, source: now, marks }) => {
    const recorded = sources.filter((source) => source.path === path);
    return now === undefined ? [] : [latePartOf(now, recorded, marks)];
  });
}

interface LatePart {
  readonly kind: "none" | "new" | "appended" | "edited";
  /** The log as it is now, with the lines that no fixed node has; empty `part` when there are none. */
  readonly source: RawSource;
}

/**
 * What of a raw log came after its nodes were fixed: for a log that only grew, the lines from the one that has the first new byte;
 * for an edited one, the sections that no node has recorded as often as they are there now.
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
