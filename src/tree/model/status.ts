import { waitsForAnswer } from "../compose/answers.ts";
import { parentOf, childrenOf, hasEnded, periodKey, type NodeLevel, type NodeName, type Period } from "./period.ts";
import type { Status } from "./node-format.ts";
import type { NodeFacts, TreeState } from "./state.ts";

/**
 * The one place that says when a node is fixed. A fixed node stays fixed; a parent is fixed only after all its children, and
 * only when nothing that belongs to it is still to be composed; nothing becomes fixed while the clock is behind. Whether it waits for an answer is not asked here.
 */
export function statusOf(
  state: TreeState,
  name: NodeName,
  facts: Pick<NodeFacts, "status" | "since"> | undefined,
): Status {
  if (facts?.status === "fixed") return "fixed";
  if (state.clock === "back" || state.open?.has(periodKey(name)) === true) return "tentative";
  if (name.level !== "daily" && !childrenAreFixed(state, name.level, name.period)) return "tentative";
  if (name.late > 0) return (facts?.since ?? state.today) < state.today ? "fixed" : "tentative";
  return hasEnded(name.level, name.period, state.today) ? "fixed" : "tentative";
}

function childrenAreFixed(state: TreeState, level: NodeLevel, period: Period): boolean {
  const children = childrenFacts(state, level, period);
  return children.length > 0 && children.every((child) => child.status === "fixed") && isComplete(state, level, period);
}

/** The status that a node should have: while it waits for an answer it does not become fixed. */
export function statusOfNode(state: TreeState, node: NodeFacts): Status {
  const status = statusOf(state, node.name, node);
  return status === "fixed" && node.status === "tentative" && waitsForAnswer(state, node) ? "tentative" : status;
}

/** The nodes one level down that belong to a period, addenda among them, oldest first. */
export function childrenFacts(state: TreeState, level: NodeLevel, period: Period): readonly NodeFacts[] {
  const below = level === "monthly" ? "weekly" : "daily";
  return childrenOf(level, period)
    .flatMap((child) => state.nodes.of(below, child))
    .filter((child) => child.reading !== "broken");
}

/** Whether every raw day has its daily node, and for a month every such week its weekly node. */
function isComplete(state: TreeState, level: NodeLevel, period: Period): boolean {
  return childrenOf(level, period).every((child) => {
    if (level === "weekly") return !state.days.has(child) || state.nodes.of("daily", child).length > 0;
    return (
      isComplete(state, "weekly", child) && (!hasDailies(state, child) || state.nodes.of("weekly", child).length > 0)
    );
  });
}

function hasDailies(state: TreeState, week: Period): boolean {
  return childrenOf("weekly", week).some((day) => state.nodes.of("daily", day).length > 0);
}

/** The nodes that have to be fixed before this one can be: its ancestors never are before it. */
export function ancestorsOf(
  level: NodeLevel,
  period: Period,
): readonly { readonly level: NodeLevel; readonly period: Period }[] {
  const parent = parentOf(level, period);
  return parent === undefined ? [] : [parent, ...ancestorsOf(parent.level, parent.period)];
}
