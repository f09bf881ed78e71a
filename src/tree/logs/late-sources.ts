import { latePartOf, type LateKind } from "../plan/plan.ts";
import { nodePath, parentOf, type NodeLevel, type Period } from "../model/period.ts";
import type { RawSource } from "../model/node-sections.ts";
import type { NodeFacts, RawDay, RawLog, TreeState } from "../model/tree-state.ts";

export interface LateSource {
  readonly path: string;
  readonly period: string;
  readonly code: "late_source" | "source_edited" | "source_missing";
  /** The addendum that holds it, when it is written already. */
  readonly addendum: string | null;
}

/**
 * What of the raw logs is not in the fixed node of its period: what came later (in an addendum, or not taken in yet), what was changed, and
 * logs that are gone while their nodes stay. `unread`: paths of logs that are there but cannot be read.
 */
export function lateSourcesOf(state: TreeState, unread: ReadonlySet<string>): readonly LateSource[] {
  const days = [...new Set([...state.days.keys(), ...state.nodes.periods("daily")])].toSorted();
  return days.flatMap((day) => {
    const raw = state.days.get(day);
    const own = state.nodes.of("daily", day).filter((node) => node.reading === "ours");
    const rows = [
      ...writtenLate(own),
      ...(raw === undefined ? [] : [...pendingLate(raw, own), ...lateDay(state, raw)]),
    ];
    return [...rows, ...missingLogs(raw, own, unread)];
  });
}

type Code = LateSource["code"];

/** What the addenda of a day hold. */
function writtenLate(own: readonly NodeFacts[]): readonly LateSource[] {
  return own
    .filter((node) => node.name.late > 0)
    .flatMap((addendum) => {
      const earlier = own.filter((node) => node.name.late < addendum.name.late);
      return rawSources(addendum).map((source): LateSource => {
        const before = earlier.flatMap(rawSources).findLast((candidate) => candidate.path === source.path);
        const code: Code = before === undefined || isGrowth(before, source) ? "late_source" : "source_edited";
        return { path: source.path, period: addendum.name.period, code, addendum: nodePath(addendum.name) };
      });
    });
}

/** Whether the part is what was appended: one span from the last known line or the one after it to the end. */
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

/** What no node of the day holds yet. Only a fixed node can be passed by: a tentative one is composed anew. */
function pendingLate(raw: RawDay, own: readonly NodeFacts[]): readonly LateSource[] {
  if (own[0]?.name.late !== 0 || own[0].status !== "fixed") return [];
  return raw.logs.flatMap((log): readonly LateSource[] => {
    const kind = pendingKind(log, own);
    if (kind === "none") return [];
    const code: Code = kind === "edited" ? "source_edited" : "late_source";
    return [{ path: log.path, period: raw.day, code, addendum: null }];
  });
}

function pendingKind(log: RawLog, own: readonly NodeFacts[]): LateKind {
  if (log.source === undefined) return "none";
  const now = log.source;
  const recordedBy = (nodes: readonly NodeFacts[]): readonly RawSource[] =>
    nodes.flatMap(rawSources).filter((source) => source.path === log.path);
  if (recordedBy(own).some((source) => source.sha256 === now.sha256)) return "none";
  const fixed = own.filter((node) => node.status === "fixed");
  return latePartOf({ now, recorded: recordedBy(fixed), marks: log.marks }).kind;
}

/** A whole day that came when its week or month was fixed: the addendum of the lowest such level carries it. */
function lateDay(state: TreeState, raw: RawDay): readonly LateSource[] {
  let child: { readonly level: NodeLevel; readonly period: Period } = { level: "daily", period: raw.day };
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

/** Logs that nodes were made from and that are gone. A tentative node is composed anew as long as its day has any log. */
function missingLogs(
  raw: RawDay | undefined,
  own: readonly NodeFacts[],
  unread: ReadonlySet<string>,
): readonly LateSource[] {
  const there = new Set(raw?.logs.map((log) => log.path));
  const nodes = own.filter((node) => node.status === "fixed" || raw === undefined);
  const paths = new Set(nodes.flatMap(rawSources).map((source) => source.path));
  return [...paths]
    .filter((path) => !there.has(path) && !unread.has(path))
    .map((path): LateSource => ({
      path,
      period: path.slice("memory/".length).slice(0, 10),
      code: "source_missing",
      addendum: null,
    }));
}

function rawSources(node: NodeFacts): readonly RawSource[] {
  return node.sources.filter((source) => source.kind === "raw");
}
