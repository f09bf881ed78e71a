import { listedKey, listedToken } from "../model/fixed-records.ts";
import { piecesOf, type LateRecords, type LateSource, type LogPiece } from "../model/late-records.ts";
import type { RawSource } from "../model/node-sections.ts";
import { rawSourcesOf, type NodeFacts, type RawLog } from "../model/tree-state.ts";

/** A log or child node, or a piece of one, and the addendum that it belongs to. */
export interface Item<One> {
  readonly one: One;
  readonly late: number;
}

export const newlyLate = -1;

export interface DecidedLog {
  readonly log: RawLog;
  readonly items: readonly Item<LogPiece>[];
  /** Whether the log is recorded in one record. */
  readonly isWhole: boolean;
  readonly lost: boolean;
  /** How many lines of its last section the node has, if it has some of the blank lines below it. Default: none of them. */
  readonly tail?: number | undefined;
}

/** Decides for each piece of a log whether the node of its day has it, or which addendum. */
export function decideLog(log: RawLog, late: Parameters<typeof piecesOf>[1], fixed: readonly NodeFacts[]): DecidedLog {
  const known = knownOf(log, fixed);
  const { source: now, sections } = log;
  const isNew = fixed.length > 0 && known.length === 0;
  if (now === undefined || sections === undefined) {
    const number = isNew ? newlyLate : 0;
    return { log, items: [{ one: wholePiece(log), late: number }], isWhole: true, lost: false };
  }
  if (fixed.length === 0 || isNew) {
    const pieces = piecesOf(sections, late);
    const items = pieces.map((one) => ({ one, late: one.late ?? (isNew ? newlyLate : 0) }));
    return { log, items, isWhole: isNew && late === undefined, lost: false };
  }
  const grown = grownFrom(log, known);
  if (grown !== undefined) {
    const cuts = known.flatMap(({ source }) => source.part.map(({ from }) => from));
    const pieces = piecesOf(sections, late, { grown, cuts });
    const items = pieces.map((one) => {
      const number = one.from >= grown ? newlyLate : addendumWith(one, known);
      return { one, late: one.late ?? number };
    });
    const isIntact = known.every(({ source: { bytes, sha256 } }) => {
      return sha256 === now.sha256 || log.marks.some((mark) => mark.bytes === bytes && mark.sha256 === sha256);
    });
    return { log, items, isWhole: false, lost: !isIntact && decideEdited(now, pieces, known).lost };
  }
  return { log, isWhole: false, ...decideEdited(now, piecesOf(sections, late), known) };
}

/**
 * Decides by the record of the fixed node, whatever the nodes of this clone have: what it lists is in the node, everything
 * else is late.
 */
export function decideByRecord(
  log: RawLog & Required<Pick<RawLog, "sections">>,
  late: LateSource | undefined,
  {
    listed,
    records,
    fixed,
  }: { readonly listed: string; readonly records: LateRecords; readonly fixed: readonly NodeFacts[] },
): DecidedLog {
  const left = new Map<string, number>();
  const [list = "", tail] = listed.split("/");
  for (const token of list.split(" ")) left.set(token, (left.get(token) ?? 0) + 1);
  const take = (token: string): boolean => {
    const count = left.get(token) ?? 0;
    if (count === 1) left.delete(token);
    else if (count > 1) left.set(token, count - 1);
    return count > 0;
  };
  /** Sections in the node, with the first line that is not. */
  const own = new Map<LogPiece["section"], number>();
  for (const section of log.sections ?? []) {
    const head = take(listedToken(section)) ? section : section.heads.find((one) => take(listedToken(one)));
    const isTaken = (key: string): boolean => takeKey(left, key);
    if (head !== undefined) own.set(section, head === section ? Infinity : section.line + head.lines);
    else if (records.replaces(section.id, isTaken)) own.set(section, Infinity);
    else if (records.renames(log.path) && isTaken(listedKey(section))) own.set(section, Infinity);
  }
  const cuts = [...own.values()].filter((line) => line !== Infinity);
  // What was added below the last section since the nodes of this clone were made.
  const grown = grownFrom(log, knownOf(log, fixed)) ?? Infinity;
  // Blank lines at the end of a section are no growth of it.
  const isGrowing = (log.sections ?? []).some(({ line, filled }) => line < grown && grown < line + filled);
  const how = isGrowing ? { cuts, grown } : { cuts };
  const items = piecesOf(log.sections ?? [], late, how).map((one): Item<LogPiece> => {
    const end = own.get(one.section);
    if (end !== undefined && one.from < end) return { one, late: 0 };
    return { one, late: one.late ?? newlyLate };
  });
  left.delete("");
  const lost = left.size > 0 && !records.explains(log.path);
  return { log, items, isWhole: false, lost, tail: tail === undefined ? undefined : Number(tail) };
}

/** Takes a section of an entry from the list, with any number of lines. */
function takeKey(left: Map<string, number>, key: string): boolean {
  const token = [...left.keys()].find((one) => one.startsWith(`${key}.`));
  return token !== undefined && left.delete(token);
}

interface Known {
  readonly source: RawSource;
  readonly late: number;
}

/** What the nodes of this clone have of a log. */
function knownOf({ path }: RawLog, fixed: readonly NodeFacts[]): readonly Known[] {
  return fixed.flatMap((node) =>
    rawSourcesOf(node).flatMap((source) => (source.path === path ? [{ source, late: node.name.late }] : [])),
  );
}

/** The whole log, of which no more is known. */
function wholePiece({ source, bytes }: RawLog): LogPiece {
  const lines = source?.lines ?? 0;
  const section = {
    line: 1,
    from: 0,
    lines,
    filled: lines,
    textEnd: bytes,
    bytes,
    key: "",
    nth: 1,
    digests: [],
    heads: [],
    id: undefined,
    body: "",
  };
  return { section, after: undefined, from: 1, to: lines, end: bytes, late: undefined };
}

/** The first line that no node has, if the log only grew since; the line after the last one if it did not change. */
function grownFrom({ source: now, marks, sections = [] }: RawLog, known: readonly Known[]): number | undefined {
  const latest = known.at(-1)?.source;
  if (now === undefined || latest === undefined) return undefined;
  if (known.some(({ source }) => source.sha256 === now.sha256)) return now.lines + 1;
  const mark = known
    .map(({ source }) => source)
    .toSorted((a, b) => b.bytes - a.bytes)
    .map((source) => marks.find(({ bytes, sha256 }) => bytes === source.bytes && sha256 === source.sha256))
    .find((found) => found !== undefined);
  if (mark === undefined || mark.bytes >= now.bytes || mark.bytes < latest.bytes) return undefined;
  if (mark.ending === "closed") return mark.line;
  // Its last line may only have got a line end.
  const isSame = sections.some(({ line, heads, lines, bytes }) =>
    [...heads, { lines, bytes }].some(
      (head) => line + head.lines === mark.line + 1 && head.bytes - mark.bytes <= 2 && head.bytes > mark.bytes,
    ),
  );
  return isSame ? mark.line + 1 : mark.line;
}

/** The addendum that has a piece of a log which nobody recorded; 0: the node itself. */
function addendumWith({ from }: LogPiece, known: readonly Known[]): number {
  const found = known.find(
    ({ source, late }) => late > 0 && source.part.some((span) => from >= span.from && from <= span.to),
  );
  return found?.late ?? 0;
}

/** A log that was edited, or merged with that of another clone: what no node has is late. */
function decideEdited(
  now: RawSource,
  pieces: readonly LogPiece[],
  known: readonly Known[],
): Pick<DecidedLog, "items" | "lost"> {
  const comparable = known.filter(({ source }) => source.grouping === now.grouping);
  const left = comparable.flatMap(({ source, late }) =>
    source.sections
      .filter(({ line }) => source.part.length === 0 || source.part.some(({ from, to }) => line >= from && line <= to))
      .map(({ digest }) => ({ digest, late })),
  );
  const take = (digests: readonly string[]): number | undefined => {
    const index = left.findIndex(({ digest }) => digests.includes(digest));
    return index < 0 ? undefined : left.splice(index, 1)[0]?.late;
  };
  const bySection = Map.groupBy(pieces, ({ section }) => section);
  const found = new Map<LogPiece["section"], number | undefined>();
  if (now.grouping === 0)
    for (const section of bySection.keys())
      found.set(section, take([...section.digests, ...section.heads.flatMap(({ digests }) => digests)]));
  else
    for (const [index, { line, digest }] of now.sections.entries()) {
      const late = take([digest]);
      const next = now.sections[index + 1]?.line ?? Number.POSITIVE_INFINITY;
      for (const section of bySection.keys()) if (section.line >= line && section.line < next) found.set(section, late);
    }
  const items = pieces.map((one) => ({ one, late: one.late ?? found.get(one.section) ?? newlyLate }));
  return { items, lost: left.length > 0 || comparable.length < known.length };
}
