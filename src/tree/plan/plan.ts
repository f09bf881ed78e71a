import { type LineSpan, printSpans, type RawSource, type SectionDigest, type Source } from "../model/node-sections.ts";
import type { Day } from "../../base/calendar.ts";
import { childrenFacts, isOutdatedByAnswer, statusOf, statusOfNode } from "./status.ts";
import { isInForce, type Status } from "../model/node-format.ts";
import {
  newestFirst,
  type NodeLevel,
  nodeLevels,
  type NodeName,
  nodePath,
  parentOf,
  type Period,
} from "../model/period.ts";
import type { NodeFacts, RawDay, TreeState } from "../model/tree-state.ts";
import { pushAll } from "../../base/lists.ts";
import type { PrefixMark } from "../model/raw-scan.ts";

/** Why a node is due. */
export type DueReason = "new" | "changed" | "status" | "rule" | "late" | "foreign" | "damaged" | "adopt" | "answer";

/** One thing to do, as data: what `--dry-run` prints and what a run carries out. */
export type Step =
  /** Read the sources and write the node. */
  | {
      readonly act: "compose";
      readonly name: NodeName;
      readonly status: Status;
      readonly reason: DueReason;
      readonly since: Day | undefined;
      readonly from: StepSources;
    }
  /** Same body, another front matter: the status, or the record that somebody else wrote the body. */
  | { readonly act: "mark"; readonly name: NodeName; readonly status: Status; readonly reason: "status" | "foreign" };

type StepSources =
  | { readonly kind: "logs"; readonly day: Day; readonly logs: readonly LogPart[] }
  | { readonly kind: "nodes"; readonly children: readonly NodeName[] };

/** A raw log to read; `late` restricts it to what came after. */
export interface LogPart {
  readonly path: string;
  readonly late: RawSource | undefined;
}

/**
 * What is due at one level, newest first, given the tree as it stands. A node is due by content: a source is new or differs, its status
 * changes, or, while tentative, the rule that made it is no longer in force.
 */
export function planLevel(state: TreeState, level: NodeLevel): readonly Step[] {
  const periods = level === "daily" ? dailyPeriods(state) : parentPeriods(state, level);
  const steps = periods.flatMap((period) =>
    level === "daily" ? planDay(state, period) : planParent(state, level, period),
  );
  return steps.toSorted((a, b) => newestFirst(a.name, b.name));
}

/** What a run would do, level by level; parents of what would be composed are taken to be due. */
export function planTree(state: TreeState): readonly Step[] {
  const daily = planLevel(state, "daily");
  const all = [...daily];
  let below: readonly Step[] = daily;
  for (const level of nodeLevels.slice(1)) {
    const direct = planLevel(state, level);
    const planned = new Set(direct.map((step) => step.name.period));
    const touched = new Map(below.map((step) => [parentOf(step.name.level, step.name.period)?.period ?? "", step]));
    const implied: Step[] = [];
    for (const [period, step] of touched)
      if (step.act === "compose" && !planned.has(period)) implied.push(impliedStep(state, level, period));
    below = [...direct, ...implied].toSorted((a, b) => newestFirst(a.name, b.name));
    pushAll(all, below);
  }
  return all;
}

function impliedStep(state: TreeState, level: NodeLevel, period: Period): Step {
  const own = state.nodes.of(level, period);
  const base = own.find((node) => node.name.late === 0);
  const isLate = base?.reading === "ours" && base.status === "fixed";
  const name: NodeName = { level, period, late: isLate ? addendumNumber(own) : 0 };
  const reason = isLate ? "late" : base === undefined ? "new" : "changed";
  const from: StepSources = { kind: "nodes", children: [] };
  return { act: "compose", name, status: "tentative", reason, since: undefined, from };
}

function dailyPeriods(state: TreeState): readonly Period[] {
  return [...new Set([...state.days.keys(), ...state.nodes.periods("daily")])];
}

function parentPeriods(state: TreeState, level: NodeLevel): readonly Period[] {
  const below = level === "monthly" ? "weekly" : "daily";
  const parents = state.nodes.periods(below).map((period) => parentOf(below, period)?.period ?? "");
  return [...new Set([...parents, ...state.nodes.periods(level)])];
}

function planDay(state: TreeState, day: Day): readonly Step[] {
  const raw = state.days.get(day);
  const own = state.nodes.of("daily", day);
  if (raw === undefined) return own.flatMap((node) => markStep(state, node));
  const logs = raw.logs.map((log): LogPart => ({ path: log.path, late: undefined }));
  const name: NodeName = { level: "daily", period: day, late: 0 };
  const from: StepSources = { kind: "logs", day, logs };
  return planPeriod(state, own, {
    name,
    from,
    isSame: (node) => sameLogs(node, raw),
    late: (fixed) => lateLogs(raw, fixed),
  });
}

interface PeriodPlan {
  readonly name: NodeName;
  readonly from: StepSources;
  /** Whether a node was made from the sources that are there now. */
  isSame(node: NodeFacts): boolean;
  /** What these fixed nodes do not hold; `undefined` when they hold everything. */
  late(fixed: readonly NodeFacts[]): LateSources | undefined;
}

interface LateSources {
  readonly from: StepSources;
  /** Whether an addendum was made from exactly these. */
  isSame(open: NodeFacts): boolean;
}

/** A period that has sources: its node is composed while it is open, and followed by addenda once it is fixed. */
function planPeriod(state: TreeState, own: readonly NodeFacts[], plan: PeriodPlan): readonly Step[] {
  const { name, from } = plan;
  const base = own.find((node) => node.name.late === 0);
  const reason = base === undefined ? "new" : baseReason(state, base, () => plan.isSame(base));
  if (base === undefined || base.status !== "fixed" || base.reading !== "ours")
    return reason === undefined
      ? own.flatMap((node) => markStep(state, node))
      : [{ act: "compose", name, status: statusOf(state, name, undefined), reason, since: undefined, from }];
  const closed = own.filter((node) => node !== openAddendum(own));
  return [...closed.flatMap((node) => markStep(state, node)), ...planAddendum(state, own, plan)];
}

/** What came after a period was fixed goes into its open addendum, or a new one. */
function planAddendum(state: TreeState, own: readonly NodeFacts[], plan: PeriodPlan): readonly Step[] {
  const open = openAddendum(own);
  const late = plan.late(own.filter((node) => node !== open));
  if (late === undefined) return open === undefined ? [] : markStep(state, open);
  const isOutdated = open !== undefined && isOutdatedByAnswer(state, open);
  if (open !== undefined && late.isSame(open) && !isOutdated) return markStep(state, open);
  const name: NodeName = { ...plan.name, late: addendumNumber(own) };
  const since = open?.since ?? state.today;
  const status = statusOf(state, name, { status: "tentative", since });
  return [{ act: "compose", name, status, reason: isOutdated ? "answer" : "late", since, from: late.from }];
}

/** Why the node itself, without regard to addenda, must be composed; `undefined` when it stands. */
function baseReason(state: TreeState, base: NodeFacts, sameSources: () => boolean): DueReason | undefined {
  if (base.reading === "unknown") return "adopt";
  if (base.reading === "broken") return "damaged";
  if (base.status === "fixed") return undefined;
  if (!sameSources()) return "changed";
  if (base.recorded === base.content && base.madeBy !== "foreign" && !isInForce(base, state.summarizer)) return "rule";
  return isOutdatedByAnswer(state, base) ? "answer" : undefined;
}

/** A step for a node whose sources stand: nothing, its new status, or the note that somebody rewrote its body. */
function markStep(state: TreeState, node: NodeFacts): readonly Step[] {
  if (node.reading !== "ours") return [];
  const status = statusOfNode(state, node);
  if (node.recorded !== node.content) return [{ act: "mark", name: node.name, status, reason: "foreign" }];
  return status === node.status ? [] : [{ act: "mark", name: node.name, status, reason: "status" }];
}

function sameLogs(base: NodeFacts, raw: RawDay): boolean {
  if (base.sources.length !== raw.logs.length) return false;
  return raw.logs.every((log, index) => {
    const source = base.sources[index];
    return source?.path === log.path && source.sha256 === log.source?.sha256;
  });
}

/** The addendum that still takes what comes late, when there is one. */
function openAddendum(own: readonly NodeFacts[]): NodeFacts | undefined {
  const last = own.at(-1);
  return last !== undefined && last.name.late > 0 && last.status === "tentative" ? last : undefined;
}

/** The number of the addendum that takes what comes late: the open one, or the next. */
function addendumNumber(own: readonly NodeFacts[]): number {
  return openAddendum(own)?.name.late ?? (own.at(-1)?.name.late ?? 0) + 1;
}

function lateLogs(raw: RawDay, fixed: readonly NodeFacts[]): LateSources | undefined {
  const parts = latePartsOf(raw, fixed).map(({ source }) => source);
  if (parts.length === 0) return undefined;
  const logs = parts.map((part): LogPart => ({ path: part.path, late: part }));
  return { from: { kind: "logs", day: raw.day, logs }, isSame: (open) => sameParts(open.sources, parts) };
}

/** What of a day's logs no fixed node holds. */
export function latePartsOf(raw: RawDay, fixed: readonly NodeFacts[]): readonly LatePart[] {
  const sources = fixed.flatMap((node) => node.sources).filter((source) => source.kind === "raw");
  return raw.logs
    .flatMap(({ path, source: now, marks }) => {
      const recorded = sources.filter((source) => source.path === path);
      return now === undefined ? [] : [latePartOf({ now, recorded, marks })];
    })
    .filter(({ source }) => source.part.length > 0);
}

function sameParts(recorded: readonly Source[], parts: readonly RawSource[]): boolean {
  const key = (source: Source): string =>
    source.kind === "raw" ? `${source.path} ${source.sha256} ${printSpans(source.part)}` : source.path;
  return recorded.map(key).join("\n") === parts.map(key).join("\n");
}

function planParent(state: TreeState, level: NodeLevel, period: Period): readonly Step[] {
  const own = state.nodes.of(level, period);
  const children = childrenFacts(state, level, period);
  const name: NodeName = { level, period, late: 0 };
  if (children.length === 0) return own.flatMap((node) => markStep(state, node));
  const from: StepSources = { kind: "nodes", children: children.map((child) => child.name) };
  return planPeriod(state, own, {
    name,
    from,
    isSame: (node) => sameChildren(node.sources, children),
    late: (fixed) => lateChildren(children, fixed),
  });
}

function lateChildren(children: readonly NodeFacts[], fixed: readonly NodeFacts[]): LateSources | undefined {
  const known = new Set(fixed.flatMap((node) => node.sources.map(({ path, sha256 }) => `${path} ${sha256}`)));
  const late = children.filter((child) => !known.has(`${nodePath(child.name)} ${child.content}`));
  if (late.length === 0) return undefined;
  const from: StepSources = { kind: "nodes", children: late.map((child) => child.name) };
  return { from, isSame: (open) => sameChildren(open.sources, late) };
}

function sameChildren(recorded: readonly Source[], children: readonly NodeFacts[]): boolean {
  return (
    recorded.length === children.length &&
    children.every(
      (child, index) => recorded[index]?.path === nodePath(child.name) && recorded[index]?.sha256 === child.content,
    )
  );
}

/** A raw log as it is now, next to what nodes that never change again have recorded of it. */
interface LogHistory {
  readonly now: RawSource;
  /** What fixed nodes recorded of this log, oldest first. */
  readonly recorded: readonly RawSource[];
  /** What the log was at the recorded lengths. */
  readonly marks: readonly PrefixMark[];
}

export type LateKind = "none" | "new" | "appended" | "edited";

interface LatePart {
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
