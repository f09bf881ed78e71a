import type { Day } from "../../base/calendar.ts";
import { greatest } from "../../base/lists.ts";
import { foreignRule } from "../model/node-format.ts";
import type { Listable } from "../model/fixed-records.ts";
import { lateOf, noLateRecords, type LogPiece, type NewLate } from "../model/late-records.ts";
import { printSpans, type LineSpan, type Source } from "../model/node-sections.ts";
import { nodePath, type NodeName, type Place } from "../model/period.ts";
import { rawSourcesOf, type NodeFacts, type RawDay, type RawLog, type TreeState } from "../model/tree-state.ts";
import { decideByRecord, decideLog, newlyLate, type DecidedLog, type Item } from "./log-pieces.ts";
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
  readonly pieces: readonly { readonly path: string; readonly line: number; readonly piece: Listable }[];
  /** What is late and not recorded as such yet. */
  readonly added: readonly NewLate[];
  /** `lost`: something that a fixed node was made from is gone or was edited, so the nodes stay as they are. */
  readonly sources: "there" | "lost";
}

export function sourceKey(source: Source): string {
  return `${source.path} ${source.sha256} ${source.kind === "raw" ? printSpans(source.part) : ""}`;
}

/** The nodes of a period that were made from what is now there: late data is what they and the records do not have. */
function fixedNodes(own: readonly NodeFacts[]): readonly NodeFacts[] {
  const isFixed = own[0]?.name.late === 0 && own[0].status === "fixed" && own[0].reading === "ours";
  return isFixed ? own.filter((node) => node.status === "fixed" && node.reading === "ours") : [];
}

/** Whether a person or another program wrote the node's body. */
export function isForeign(node: NodeFacts): boolean {
  return node.madeBy === foreignRule || node.recorded !== node.content;
}

/** Whether the node has what heartwood wrote. */
export function isOurs(node: NodeFacts): boolean {
  return node.reading === "ours" && !isForeign(node);
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
  const numbered = logs.map((decided) => {
    return { ...decided, items: decided.items.map((item) => numbering.applied(item)) };
  });
  const hasBase = numbered.some(({ log, items }) => items.some(({ one, late: k }) => k === 0 && hasText(log, one)));
  const isOne = !hasBase && !isLost;
  const settled = isOne
    ? numbered.map((decided) => ({ ...decided, items: decided.items.map(({ one }) => ({ one, late: 0 })) }))
    : numbered;
  const numbers = isOne ? [] : numbersIn(settled.flatMap(({ items }) => items));
  const partsOf = (number: number): PeriodSources => {
    const parts = settled.flatMap((decided) => partOf(decided, number));
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
        return { path, line: section.line, piece: head === undefined ? section : { ...head, filled: head.lines } };
      });
    }),
    added: isOne ? [] : added,
    sources: isLost ? "lost" : "there",
  };
}

function partKey({ path, sha256, part }: LogPart): string {
  return `${path} ${sha256} ${printSpans(part)}`;
}

function hasText(log: RawLog, { section, from, to }: LogPiece): boolean {
  if (log.sections === undefined) return true;
  const filled = section.line + section.filled - 1;
  return section.filled > 0 && (from === section.line || (from <= filled && filled <= to));
}

/** What one of the nodes of a day has of a log: the log up to the last line that came before what is later. */
function partOf({ log, items, tail }: DecidedLog, number: number): readonly LogPart[] {
  const { path, source: now } = log;
  const own = items.filter(({ late }) => late === number);
  if (!own.some(({ one }) => number > 0 || hasText(log, one))) return [];
  const earlier = items.filter(({ late }) => late <= number);
  const last = earlier.at(-1)?.one;
  const isAll = earlier.length === items.length || last === undefined || last === items.at(-1)?.one;
  const isBase = number === 0 && items.every(({ one, late }) => late === 0 || one.from > (last?.to ?? 0));
  const spans = own.map(({ one }) => ({ from: one.from, to: one === own.at(-1)?.one ? textEndOf(one).line : one.to }));
  const part = isBase ? [] : joined(spans);
  if (isAll) return [{ path, part, sha256: now?.sha256 }];
  // What arrived later begins with the blank line that separates it.
  const head = last.section.heads.find(({ lines }) => number === 0 && lines === tail);
  const upTo = head?.bytes ?? textEndOf(last).bytes;
  const sha256 = log.marks.find(({ bytes }) => bytes === upTo)?.sha256;
  return [{ path, part, upTo, sha256 }];
}

/** Where the text of a piece ends: blank lines come and go. */
function textEndOf({ section, to, end }: LogPiece): { readonly line: number; readonly bytes: number } {
  const line = section.line + section.filled - 1;
  return line < to ? { line, bytes: section.textEnd } : { line: to, bytes: end };
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
