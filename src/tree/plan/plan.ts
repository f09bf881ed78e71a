import type { Day } from "../../base/calendar.ts";
import { pushAll } from "../../base/lists.ts";
import type { NewLate } from "../model/late-records.ts";
import { isInForce, type Status } from "../model/node-format.ts";
import {
  levelBelow,
  newestFirst,
  type NodeLevel,
  nodeLevels,
  type NodeName,
  nodePath,
  parentOf,
  periodKey,
  type Period,
  type Place,
} from "../model/period.ts";
import type { NodeFacts, TreeState } from "../model/tree-state.ts";
import {
  type Addendum,
  dayParts,
  isForeign,
  parentParts,
  type PeriodParts,
  type PeriodSources,
  sourceKey,
  type StepSources,
} from "./late-parts.ts";
import { isOutdatedByAnswer, statusOf, statusOfNode } from "./status.ts";

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
      /** To be recorded before the node is written. Default: nothing. */
      readonly late?: readonly NewLate[];
      /** The paths of addenda whose content is in the node from now on. Default: none. */
      readonly folds?: readonly string[];
    }
  /** Keeps the body and changes the front matter: the status, or the record that the body was edited. */
  | { readonly act: "mark"; readonly name: NodeName; readonly status: Status; readonly reason: "status" | "foreign" };

/**
 * The steps due at one level for the given state, newest first. A node is due if a source is new or changed, if its
 * status changes or, while it is tentative, if the rule that made it is no longer in force.
 */
export function planLevel(state: TreeState, level: NodeLevel): readonly Step[] {
  return new LevelPlan(level).steps(state);
}

/** The plan of one level while a run changes the state: only the periods that it touches are planned again. */
export class LevelPlan {
  readonly #level: NodeLevel;
  #touched: Set<Period> | "all" = "all";
  #steps: readonly Step[] = [];

  constructor(level: NodeLevel) {
    this.#level = level;
  }

  /** Call it for each period at this level that has another log or node now, or whose sources do. */
  touch(period: Period): void {
    if (this.#touched !== "all") this.#touched.add(period);
  }

  /** As `planLevel` for this state. */
  steps(state: TreeState): readonly Step[] {
    const [level, touched] = [this.#level, this.#touched];
    if (touched !== "all" && touched.size === 0) return this.#steps;
    const kept = touched === "all" ? [] : this.#steps.filter(({ name }) => !touched.has(name.period));
    const periods = touched === "all" ? periodsAt(state, level) : [...touched];
    const steps = periods.flatMap((period) =>
      level === "daily" ? planDay(state, period) : planParent(state, level, period),
    );
    this.#touched = new Set();
    this.#steps = [...kept, ...steps].toSorted((a, b) => newestFirst(a.name, b.name));
    return this.#steps;
  }
}

/** All steps of a run, level by level. Parents of nodes to be composed are assumed to be due. */
export function planTree(
  state: TreeState,
  stepsAt: (level: NodeLevel) => readonly Step[] = (level) => planLevel(state, level),
): readonly Step[] {
  const daily = stepsAt("daily");
  const all = [...daily];
  let below: readonly Step[] = daily;
  for (const level of nodeLevels.slice(1)) {
    const direct = stepsAt(level);
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

/** The periods at a level that may have something to do. */
function periodsAt(state: TreeState, level: NodeLevel): readonly Period[] {
  const below = levelBelow(level);
  const openAt = (of: NodeLevel, periods: Iterable<Period>): readonly Period[] =>
    [...periods].filter((period) => state.settled?.has(periodKey({ level: of, period })) !== true);
  const sources =
    below === undefined
      ? openAt("daily", state.days.keys())
      : openAt(below, state.nodes.periods(below)).map((period) => parentOf(below, period)?.period ?? "");
  return [...new Set([...sources, ...openAt(level, state.nodes.periods(level))])];
}

function planDay(state: TreeState, day: Day): readonly Step[] {
  const place = { level: "daily", period: day } as const;
  return planPeriod(state, place, dayParts(state, state.days.get(day) ?? { day, logs: [] }));
}

function planParent(state: TreeState, level: NodeLevel, period: Period): readonly Step[] {
  return planPeriod(state, { level, period }, parentParts(state, { level, period }));
}

function childrenIn({ from }: PeriodSources): readonly string[] {
  return from.kind === "nodes" ? from.children.map(nodePath) : [];
}

function isMadeFrom(node: NodeFacts, { keys }: PeriodSources): boolean {
  return (
    node.sources.length === keys.length && node.sources.every((source, index) => sourceKey(source) === keys[index])
  );
}

/**
 * Plans the node of a period and its addenda. A fixed node is composed again if its sources moved or a record says
 * something else about them; if any of them is lost, it stays as it is.
 */
function planPeriod(state: TreeState, place: Place, parts: PeriodParts): readonly Step[] {
  const name: NodeName = { ...place, late: 0 };
  const own = state.nodes.of(name.level, name.period);
  if (parts.base.keys.length === 0 && parts.addenda.length === 0) return own.flatMap((node) => markStep(state, node));
  const base = own.find((node) => node.name.late === 0);
  const isFixed = base?.status === "fixed" && base.reading === "ours";
  const isKept = isFixed && (parts.sources === "lost" || isForeign(base));
  const reason =
    base === undefined ? "new" : isKept ? undefined : baseReason(state, base, () => isMadeFrom(base, parts.base));
  const folded = reason === undefined ? [] : own.filter(({ name: { late } }) => late > parts.addenda.length);
  const steps: Step[] = [];
  if (reason !== undefined && parts.base.keys.length > 0) {
    const status = statusOf(state, name, undefined, childrenIn(parts.base));
    const folds = folded.map((node) => nodePath(node.name));
    steps.push({ act: "compose", name, status, reason, since: undefined, from: parts.base.from, folds });
  } else if (base !== undefined) pushAll(steps, markStep(state, base));
  for (const addendum of parts.addenda) pushAll(steps, planAddendum(state, place, addendum, parts.sources));
  for (const node of own)
    if (node.name.late > parts.addenda.length && !folded.includes(node)) pushAll(steps, markStep(state, node));
  return parts.added.length === 0
    ? steps
    : steps.map((step) => (step.act === "compose" ? { ...step, late: parts.added } : step));
}

function planAddendum(
  state: TreeState,
  place: Place,
  addendum: Addendum,
  sources: PeriodParts["sources"],
): readonly Step[] {
  const name: NodeName = { ...place, late: addendum.number };
  const known = state.nodes.get(nodePath(name));
  const isOurs = known?.reading === "ours";
  const isKept = isOurs && known.status === "fixed" && (sources === "lost" || isForeign(known));
  const isOutdated = isOurs && known.status === "tentative" && isOutdatedByAnswer(state, known);
  if (isKept || (isOurs && !isOutdated && isMadeFrom(known, addendum))) return markStep(state, known);
  const { since } = addendum;
  const status = statusOf(state, name, { status: "tentative", since }, childrenIn(addendum));
  return [{ act: "compose", name, status, reason: isOutdated ? "answer" : "late", since, from: addendum.from }];
}

/** Why the node itself, ignoring addenda, must be composed; `undefined` if it is up to date. */
function baseReason(state: TreeState, base: NodeFacts, hasSameSources: () => boolean): DueReason | undefined {
  if (base.reading === "unknown") return "adopt";
  if (base.reading === "broken") return "damaged";
  if (!hasSameSources()) return "changed";
  if (base.status === "fixed") return undefined;
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

/** The number of the addendum for late content: the open one, or the next. */
function addendumNumber(own: readonly NodeFacts[]): number {
  const last = own.at(-1)?.name.late ?? 0;
  return last > 0 && own.at(-1)?.status === "tentative" ? last : last + 1;
}
