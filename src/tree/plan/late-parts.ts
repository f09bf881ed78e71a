import type { Day } from "../../base/calendar.ts";
import { greatest } from "../../base/lists.ts";
import { foreignRule } from "../model/node-format.ts";
import { listedKey, listedToken, type Listable } from "../model/fixed-records.ts";
import {
  lateOf,
  noLateRecords,
  piecesOf,
  type LateRecords,
  type LateSource,
  type LogPiece,
  type NewLate,
} from "../model/late-records.ts";
import { printSpans, type LineSpan, type RawSource, type Source } from "../model/node-sections.ts";
import { nodePath, type NodeName, type Place } from "../model/period.ts";
import { rawSourcesOf, type NodeFacts, type RawDay, type RawLog, type TreeState } from "../model/tree-state.ts";
import { childrenFacts } from "./status.ts";

export type StepSources =
  | { readonly kind: "logs"; readonly logs: readonly LogPart[] }
  | { readonly kind: "nodes"; readonly children: readonly NodeName[] };

/** What a node has of a raw log. */
export interface LogPart {
  readonly path: string;
  /** Empty: all lines. */
  readonly part: readonly LineSpan[];
  /** Its first bytes, to leave out what arrived later. Default: all. */
  readonly upTo?: number;
  /** The digest of these bytes. Default: not known yet. */
  readonly sha256?: string | undefined;
}

export interface PeriodSources {
  readonly from: StepSources;
  /** The `sourceKey` values that a node made from exactly these sources would have. */
  readonly keys: readonly string[];
}

export interface Addendum extends PeriodSources {
  readonly number: number;
  readonly since: Day;
}

/** What the nodes of a period are made from. */
export interface PeriodParts {
  readonly base: PeriodSources;
  readonly addenda: readonly Addendum[];
  /** The beginnings of the sections of a day's logs that its node has; none for a week or month. */
  readonly pieces: readonly { readonly path: string; readonly piece: Listable }[];
  /** What is late and not recorded as such yet. */
  readonly added: readonly NewLate[];
  /** `lost`: something that a fixed node was made from is gone or was edited, so the nodes stay as they are. */
  readonly sources: "there" | "lost";
}

export function sourceKey(source: Source): string {
  return `${source.path} ${source.sha256} ${source.kind === "raw" ? printSpans(source.part) : ""}`;
}

/** A log or child node, or a piece of one, and the addendum that it belongs to. */
interface Item<One> {
  readonly one: One;
  readonly late: number;
}

const newlyLate = -1;

/** The nodes of a period that were made from what is now there: late data is what they and the records do not have. */
function fixedNodes(own: readonly NodeFacts[]): readonly NodeFacts[] {
  const isFixed = own[0]?.name.late === 0 && own[0].status === "fixed" && own[0].reading === "ours";
  return isFixed ? own.filter((node) => node.status === "fixed" && node.reading === "ours") : [];
}

/** Whether a person or another program wrote the node's body. */
export function isForeign(node: NodeFacts): boolean {
  return node.madeBy === foreignRule || node.recorded !== node.content;
}

export function dayParts(state: TreeState, raw: RawDay): PeriodParts {
  const place = { level: "daily", period: raw.day } as const;
  const node = nodePath({ ...place, late: 0 });
  const own = state.nodes.of("daily", raw.day);
  const fixed = fixedNodes(own);
  const records = state.late ?? noLateRecords;
  const late = records.of(node);
  const listed = records.fixed(node)?.listed;
  const there = new Set(raw.logs.map(({ path }) => path));
  const logs = raw.logs.map((log) => {
    const { sections } = log;
    if (listed === undefined || sections === undefined) return decideLog(log, late.get(log.path), fixed);
    return decideByRecord({ ...log, sections }, late.get(log.path), {
      listed: listed.get(log.path) ?? "",
      records,
      fixed,
    });
  });
  const isLost =
    logs.some(({ lost }) => lost) || fixed.some((one) => rawSourcesOf(one).some(({ path }) => !there.has(path)));
  const numbering = numbersOf(state, place, own);
  const added = logs.flatMap(({ log, items, isWhole }): readonly NewLate[] => {
    const of = (number: number) => ({ node, source: log.path, late: number, since: numbering.since(number) });
    const unrecorded = items.filter(({ one, late: number }) => one.late === undefined && number !== 0);
    if (isWhole) return unrecorded.length === 0 ? [] : [{ kind: "late", ...of(numbering.next) }];
    return unrecorded.map(({ one, late: number }) => lateOf(one, of(number === newlyLate ? numbering.next : number)));
  });
  const numbered = logs.map(({ log, items }) => ({ log, items: items.map((item) => numbering.applied(item)) }));
  const hasBase = numbered.some(({ log, items }) => items.some(({ one, late: k }) => k === 0 && hasText(log, one)));
  const isOne = !hasBase && !isLost;
  const settled = isOne
    ? numbered.map(({ log, items }) => ({ log, items: items.map(({ one }) => ({ one, late: 0 })) }))
    : numbered;
  const numbers = isOne ? [] : numbersIn(settled.flatMap(({ items }) => items));
  const partsOf = (number: number): PeriodSources => {
    const parts = settled.flatMap(({ log, items }) => partOf(log, items, number));
    return { from: { kind: "logs", logs: parts }, keys: parts.map(partKey) };
  };
  return {
    base: partsOf(0),
    addenda: numbers.map((number, index) => {
      return { ...partsOf(number), number: index + 1, since: numbering.since(number) };
    }),
    pieces: settled.flatMap(({ log: { path }, items }) => {
      const own = items.filter(({ one, late: number }) => number === 0 && one.after === undefined);
      return own.map(({ one: { section, to } }) => {
        const head = section.heads.find(({ lines }) => section.line + lines - 1 === to);
        return { path, piece: head === undefined ? section : { ...head, filled: head.lines } };
      });
    }),
    added: isOne ? [] : added,
    sources: isLost ? "lost" : "there",
  };
}

function partKey({ path, sha256, part }: LogPart): string {
  return `${path} ${sha256} ${printSpans(part)}`;
}

interface DecidedLog {
  readonly log: RawLog;
  readonly items: readonly Item<LogPiece>[];
  /** Whether the log is recorded in one record. */
  readonly isWhole: boolean;
  readonly lost: boolean;
}

/** Decides for each piece of a log whether the node of its day has it, or which addendum. */
function decideLog(log: RawLog, late: Parameters<typeof piecesOf>[1], fixed: readonly NodeFacts[]): DecidedLog {
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
function decideByRecord(
  log: RawLog & Required<Pick<RawLog, "sections">>,
  late: LateSource | undefined,
  {
    listed,
    records,
    fixed,
  }: { readonly listed: string; readonly records: LateRecords; readonly fixed: readonly NodeFacts[] },
): DecidedLog {
  const left = new Map<string, number>();
  for (const token of listed.split(" ")) left.set(token, (left.get(token) ?? 0) + 1);
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
  return { log, items, isWhole: false, lost: left.size > 0 && !records.explains(log.path) };
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

function hasText(log: RawLog, { section, from, to }: LogPiece): boolean {
  if (log.sections === undefined) return true;
  const filled = section.line + section.filled - 1;
  return section.filled > 0 && (from === section.line || (from <= filled && filled <= to));
}

/** What one of the nodes of a day has of a log: the log up to the last line that came before what is later. */
function partOf(log: RawLog, items: readonly Item<LogPiece>[], number: number): readonly LogPart[] {
  const { path, source: now } = log;
  const own = items.filter(({ late }) => late === number);
  if (!own.some(({ one }) => number > 0 || hasText(log, one))) return [];
  const earlier = items.filter(({ late }) => late <= number);
  const last = earlier.at(-1)?.one;
  const isAll = earlier.length === items.length || last === undefined || last === items.at(-1)?.one;
  const isBase = number === 0 && items.every(({ one, late }) => late === 0 || one.from > (last?.to ?? 0));
  const part = isBase ? [] : joined(own.map(({ one }) => ({ from: one.from, to: one.to })));
  if (isAll) return [{ path, part, sha256: now?.sha256 }];
  const sha256 = log.marks.find(({ bytes }) => bytes === last.end)?.sha256;
  return [{ path, part, upTo: last.end, sha256 }];
}

function joined(spans: readonly LineSpan[]): readonly LineSpan[] {
  const found: LineSpan[] = [];
  for (const { from, to } of spans) {
    const last = found.at(-1);
    if (from > to) continue;
    if (last !== undefined && last.to + 1 === from) found[found.length - 1] = { from: last.from, to };
    else found.push({ from, to });
  }
  return found;
}

/** Numbers and first days of the addenda of a period. */
function numbersOf(state: TreeState, place: Place, own: readonly NodeFacts[]) {
  const node = nodePath({ ...place, late: 0 });
  const records = state.late ?? noLateRecords;
  const lastNode = own.at(-1);
  const last = greatest([records.last(node), lastNode?.name.late ?? 0]);
  // By the record, so that it does not depend on what this clone has built.
  const since = records.since(node, last);
  const isOpen =
    since === undefined ? (lastNode?.name.late ?? 0) > 0 && lastNode?.status === "tentative" : since >= state.today;
  const next = last > 0 && isOpen ? last : last + 1;
  return {
    next,
    since: (number: number): Day =>
      records.since(node, number) ?? own.find(({ name }) => name.late === number)?.since ?? state.today,
    applied: <One>({ one, late }: Item<One>): Item<One> => ({ one, late: late === newlyLate ? next : late }),
  };
}

function numbersIn(items: readonly Item<unknown>[]): readonly number[] {
  return [...new Set(items.map(({ late }) => late))].filter((late) => late > 0).toSorted((a, b) => a - b);
}

export function parentParts(state: TreeState, place: Place): PeriodParts {
  const node = nodePath({ ...place, late: 0 });
  const own = state.nodes.of(place.level, place.period);
  const fixed = fixedNodes(own);
  const late = (state.late ?? noLateRecords).of(node);
  const listed = (state.late ?? noLateRecords).fixed(node)?.listed;
  const children = childrenFacts(state, place.level, place.period);
  const there = new Set(children.map(({ name }) => nodePath(name)));
  const holder = new Map(
    fixed.toReversed().flatMap((one) => one.sources.map(({ path }) => [path, one.name.late] as const)),
  );
  const isLost = [...holder.keys()].some((path) => !there.has(path));
  const numbering = numbersOf(state, place, own);
  const decided = children.map((child) => {
    const path = nodePath(child.name);
    const recorded = late.get(path)?.whole;
    const known = fixed.length === 0 ? 0 : (holder.get(path) ?? newlyLate);
    const number = listed === undefined ? (recorded ?? known) : byListing(listed.has(path), recorded, known);
    return { one: child, recorded, late: number === newlyLate ? numbering.next : number };
  });
  const isOne = !isLost && decided.every(({ late: number }) => number > 0);
  const items = isOne ? decided.map((item) => ({ ...item, late: 0 })) : decided;
  const partsOf = (number: number): PeriodSources => {
    const own = items.flatMap(({ one, late: mine }) => (mine === number ? [one] : []));
    return { from: { kind: "nodes", children: own.map(({ name }) => name) }, keys: own.map(childKey) };
  };
  return {
    base: partsOf(0),
    pieces: [],
    addenda: numbersIn(items).map((number, index) => {
      return { ...partsOf(number), number: index + 1, since: numbering.since(number) };
    }),
    added: items.flatMap(({ one, recorded, late: number }): readonly NewLate[] => {
      if (recorded !== undefined || number === 0) return [];
      return [{ kind: "late", node, source: nodePath(one.name), late: number, since: numbering.since(number) }];
    }),
    sources: isLost ? "lost" : "there",
  };
}

function byListing(isListed: boolean, recorded: number | undefined, known: number): number {
  if (isListed || recorded === 0) return 0;
  return recorded ?? (known === 0 ? newlyLate : known);
}

function childKey({ name, content }: NodeFacts): string {
  return `${nodePath(name)} ${content} `;
}
