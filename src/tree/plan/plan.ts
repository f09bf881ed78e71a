import { printSpans, type RawSource, type Source } from "../model/node-sections.ts";
import type { Day } from "../../base/calendar.ts";
import { childrenFacts, isOutdatedByAnswer, statusOf, statusOfNode } from "./status.ts";
import { isInForce, type Status } from "../model/node-format.ts";
import {
  levelBelow,
  newestFirst,
  type NodeLevel,
  nodeLevels,
  type NodeName,
  nodePath,
  parentOf,
  type Period,
} from "../model/period.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import { pushAll } from "../../base/lists.ts";
import { latePartsOf } from "./late-sources.ts";

export type DueReason = "new" | "changed" | "status" | "rule" | "late" | "foreign" | "damaged" | "adopt" | "answer";

/** One planned action, as data: `--dry-run` prints it and a run carries it out. */
export type Step =
  | {
      readonly act: "compose";
      readonly name: NodeName;
      readonly status: Status;
      readonly reason: DueReason;
      readonly since: Day | undefined;
      readonly from: StepSources;
    }
  /** Keeps the body and changes the front matter: the status, or the record that the body was edited. */
  | { readonly act: "mark"; readonly name: NodeName; readonly status: Status; readonly reason: "status" | "foreign" };

type StepSources =
  | { readonly kind: "logs"; readonly logs: readonly LogPart[] }
  | { readonly kind: "nodes"; readonly children: readonly NodeName[] };

/** A raw log to read; `late` restricts it to late content. */
export interface LogPart {
  readonly path: string;
  readonly late: RawSource | undefined;
}

/**
 * The steps due at one level for the given state, newest first. A node is due if a source is new or changed, if its
 * status changes or, while it is tentative, if the rule that made it is no longer in force.
 */
export function planLevel(state: TreeState, level: NodeLevel): readonly Step[] {
  const periods = periodsAt(state, level);
  const steps = periods.flatMap((period) =>
    level === "daily" ? planDay(state, period) : planParent(state, level, period),
  );
  return steps.toSorted((a, b) => newestFirst(a.name, b.name));
}

/** All steps of a run, level by level. Parents of nodes to be composed are assumed to be due. */
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

function periodsAt(state: TreeState, level: NodeLevel): readonly Period[] {
  const below = levelBelow(level);
  const sources = below && state.nodes.periods(below).map((period) => parentOf(below, period)?.period ?? "");
  return [...new Set([...(sources ?? state.days.keys()), ...state.nodes.periods(level)])];
}

function planDay(state: TreeState, day: Day): readonly Step[] {
  const raw = state.days.get(day) ?? { day, logs: [] };
  const logs = raw.logs.map(({ path }) => ({ path, late: undefined }));
  const keys = raw.logs.map(({ path, source }) => `${path} ${source?.sha256} `);
  return planPeriod(
    state,
    { level: "daily", period: day, late: 0 },
    { from: { kind: "logs", logs }, keys },
    (fixed) => {
      const parts = latePartsOf(raw, fixed).flatMap(({ source }) => (source.part.length === 0 ? [] : [source]));
      return {
        from: { kind: "logs", logs: parts.map((late) => ({ path: late.path, late })) },
        keys: parts.map(sourceKey),
      };
    },
  );
}

function planParent(state: TreeState, level: NodeLevel, period: Period): readonly Step[] {
  const children = childrenFacts(state, level, period);
  return planPeriod(state, { level, period, late: 0 }, sourcesOf(children), (fixed) => {
    const known = new Set(fixed.flatMap((node) => node.sources.map(sourceKey)));
    return sourcesOf(children.filter((child) => !known.has(childKey(child))));
  });
}

interface PeriodSources {
  readonly from: StepSources;
  /** The `sourceKey` values that a node made from exactly these sources would have. */
  readonly keys: readonly string[];
}

function sourcesOf(children: readonly NodeFacts[]): PeriodSources {
  return { from: { kind: "nodes", children: children.map(({ name }) => name) }, keys: children.map(childKey) };
}

function sourceKey(source: Source): string {
  return `${source.path} ${source.sha256} ${source.kind === "raw" ? printSpans(source.part) : ""}`;
}

function childKey({ name, content }: NodeFacts): string {
  return `${nodePath(name)} ${content} `;
}

function isMadeFrom(node: NodeFacts, { keys }: PeriodSources): boolean {
  return (
    node.sources.length === keys.length && node.sources.every((source, index) => sourceKey(source) === keys[index])
  );
}

/** Plans a node with sources while it is tentative; once it is fixed, plans addenda for late content. */
function planPeriod(
  state: TreeState,
  name: NodeName,
  sources: PeriodSources,
  late: (fixed: readonly NodeFacts[]) => PeriodSources,
): readonly Step[] {
  const own = state.nodes.of(name.level, name.period);
  if (sources.keys.length === 0) return own.flatMap((node) => markStep(state, node));
  const base = own.find((node) => node.name.late === 0);
  const open = openAddendum(own);
  if (base !== undefined && base.status === "fixed" && base.reading === "ours") {
    const closed = own.filter((node) => node !== open);
    return [...closed.flatMap((node) => markStep(state, node)), ...planAddendum(state, own, open, late(closed))];
  }
  const reason = base === undefined ? "new" : baseReason(state, base, () => isMadeFrom(base, sources));
  if (reason === undefined) return own.flatMap((node) => markStep(state, node));
  const status = statusOf(state, name, undefined);
  return [{ act: "compose", name, status, reason, since: undefined, from: sources.from }];
}

/** Late content goes into the open addendum of a fixed period, or a new one. */
function planAddendum(
  state: TreeState,
  own: readonly NodeFacts[],
  open: NodeFacts | undefined,
  late: PeriodSources,
): readonly Step[] {
  const isOutdated = open !== undefined && isOutdatedByAnswer(state, open);
  const isSame = open !== undefined && !isOutdated && isMadeFrom(open, late);
  if (late.keys.length === 0 || isSame) return open === undefined ? [] : markStep(state, open);
  const { level, period } = (own[0] as NodeFacts).name;
  const name: NodeName = { level, period, late: addendumNumber(own) };
  const since = open?.since ?? state.today;
  const status = statusOf(state, name, { status: "tentative", since });
  return [{ act: "compose", name, status, reason: isOutdated ? "answer" : "late", since, from: late.from }];
}

/** Why the node itself, ignoring addenda, must be composed; `undefined` if it is up to date. */
function baseReason(state: TreeState, base: NodeFacts, hasSameSources: () => boolean): DueReason | undefined {
  if (base.reading === "unknown") return "adopt";
  if (base.reading === "broken") return "damaged";
  if (base.status === "fixed") return undefined;
  if (!hasSameSources()) return "changed";
  if (base.recorded === base.content && base.madeBy !== "foreign" && !isInForce(base)) return "rule";
  return isOutdatedByAnswer(state, base) ? "answer" : undefined;
}

/** The step for a node with unchanged sources: none, a new status, or the record that its body was edited. */
function markStep(state: TreeState, node: NodeFacts): readonly Step[] {
  if (node.reading !== "ours") return [];
  const status = statusOfNode(state, node);
  if (node.recorded !== node.content) return [{ act: "mark", name: node.name, status, reason: "foreign" }];
  return status === node.status ? [] : [{ act: "mark", name: node.name, status, reason: "status" }];
}

/** The addendum that still accepts late content, if any. */
function openAddendum(own: readonly NodeFacts[]): NodeFacts | undefined {
  const last = own.at(-1);
  return last !== undefined && last.name.late > 0 && last.status === "tentative" ? last : undefined;
}

/** The number of the addendum for late content: the open one, or the next. */
function addendumNumber(own: readonly NodeFacts[]): number {
  return openAddendum(own)?.name.late ?? (own.at(-1)?.name.late ?? 0) + 1;
}
