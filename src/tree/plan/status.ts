import { type AnswerMark, type Status, answerRule, builtInRule } from "../model/node-format.ts";
import type { ListedRecord } from "../answers/record.ts";
import type { AnswersState, NodeFacts, TreeState } from "../model/tree-state.ts";
import {
  type NodeLevel,
  type NodeName,
  type Period,
  childrenOf,
  hasEnded,
  newestFirst,
  nodeLabel,
  nodePath,
  periodKey,
} from "../model/period.ts";
import { type Day, addDays, daysBetween } from "../../base/calendar.ts";
import { sha256, shortDigest } from "../../base/digest.ts";
import { compareTexts } from "../../base/lists.ts";
import { joinLines } from "../../base/lines.ts";
import { type Source, printSourceAlone } from "../model/node-sections.ts";

/**
 * The single place that decides when a node is fixed. A fixed node stays fixed. A parent becomes fixed only after all
 * the nodes it is made from, once all its content is composed. Nothing becomes fixed while the clock is set back.
 * Waiting for an answer is decided elsewhere. `from`: the paths of the nodes it is made from.
 */
export function statusOf(
  state: TreeState,
  name: NodeName,
  facts: Pick<NodeFacts, "status" | "since"> | undefined,
  from: readonly string[],
): Status {
  if (facts?.status === "fixed") return "fixed";
  if (state.clock === "back" || state.open?.has(periodKey(name)) === true) return "tentative";
  const children = from.flatMap((path) => state.nodes.get(path) ?? []);
  const isWhole = children.length > 0 && children.every((child) => child.status === "fixed");
  if (name.level !== "daily" && !(isWhole && isComplete(state, name.level, name.period))) return "tentative";
  if (name.late > 0) return (facts?.since ?? state.today) < state.today ? "fixed" : "tentative";
  return hasEnded(name.level, name.period, state.today) ? "fixed" : "tentative";
}

/** As `statusOf`, for a node as it is. */
export function statusOfSources(state: TreeState, node: NodeFacts): Status {
  return statusOf(state, node.name, node, node.name.level === "daily" ? [] : node.sources.map(({ path }) => path));
}

/** The status a node should have; it does not become fixed while it waits for an answer. */
export function statusOfNode(state: TreeState, node: NodeFacts): Status {
  const status = statusOfSources(state, node);
  return status === "fixed" && node.status === "tentative" && waitsForAnswer(state, node) ? "tentative" : status;
}

/** The nodes one level down in a period, including addenda, oldest first. */
export function childrenFacts(state: TreeState, level: NodeLevel, period: Period): readonly NodeFacts[] {
  const below = level === "monthly" ? "weekly" : "daily";
  return childrenOf(level, period)
    .flatMap((child) => state.nodes.of(below, child))
    .filter((child) => child.reading !== "broken");
}

/** Whether every day with logs has its daily node and, for a month, every week with daily nodes its weekly node. */
function isComplete(state: TreeState, level: NodeLevel, period: Period): boolean {
  return childrenOf(level, period).every((child) => {
    if (level === "weekly") return !state.days.has(child) || state.nodes.of("daily", child).length > 0;
    return (
      isComplete(state, "weekly", child) &&
      (!childrenOf("weekly", child).some((day) => state.nodes.of("daily", day).length > 0) ||
        state.nodes.of("weekly", child).length > 0)
    );
  });
}

export interface AskableNode {
  readonly facts: NodeFacts;
  /** 64 digits. */
  readonly basis: string;
  /** `due`: ready to be fixed. `open`: its period is not over, or one of its children is not fixed. */
  readonly state: "open" | "due" | "fixed";
}

/** Summary nodes whose sources have no accepted or refused answer, newest first. */
export function askableNodes(state: TreeState): readonly AskableNode[] {
  return state.nodes
    .all()
    .filter(
      (facts) => isSummary(facts) && answersFor(state.answers, facts).every(({ state: one }) => one === "dropped"),
    )
    .toSorted((a, b) => newestFirst(a.name, b.name))
    .map((facts) => {
      const isDue = statusOfSources(state, facts) === "fixed";
      const asked = facts.status === "fixed" ? "fixed" : isDue ? "due" : "open";
      return { facts, basis: basisOf(facts.name, facts.sources), state: asked };
    });
}

/** Nodes that would be fixed but wait for an answer, newest first. */
export function waitingNodes(state: TreeState): readonly NodeFacts[] {
  if (state.answers?.summarizer !== "configured") return [];
  return state.nodes
    .all()
    .filter(
      (facts) =>
        facts.status === "tentative" && waitsForAnswer(state, facts) && statusOfSources(state, facts) === "fixed",
    )
    .toSorted((a, b) => newestFirst(a.name, b.name));
}

/** How many runs and days a node waits for an answer before it is fixed with the built-in summary. */
export const mostWaits = { runs: 3, days: 3 } as const;

/** The day on which a wait that began on `since` ends; at most the last day of the calendar. */
export function waitEnds(since: Day): Day {
  return since > lastToCount ? lastDay : addDays(since, mostWaits.days);
}

const lastDay = "9999-12-31";
const lastToCount = addDays(lastDay, -mostWaits.days);

/** The basis of a node's summary: a 64-digit digest of its name and sources. */
export function basisOf(name: NodeName, sources: readonly Source[]): string {
  return sha256(joinLines(["heartwood.basis.v1", name.level, nodeLabel(name), ...sources.map(printSourceAlone)]));
}

type Made = Pick<NodeFacts, "name" | "sources">;

/** The accepted answers for these sources; the first intact one is used. Several exist only after two folders were merged. */
export function acceptedFor(answers: AnswersState | undefined, of: Made): readonly ListedRecord[] {
  const accepted = answersFor(answers, of).filter(({ state }) => state === "accepted");
  return accepted.toSorted((a, b) => compareTexts(a.digest, b.digest));
}

/** All recorded answers for these sources. */
export function answersFor(answers: AnswersState | undefined, { name, sources }: Made): readonly ListedRecord[] {
  const known = answers?.known.get(nodePath(name)) ?? [];
  if (known.length === 0) return known;
  const basis = shortDigest(basisOf(name, sources));
  return known.filter((answer) => answer.basis === basis);
}

/** Whether the node's body is an unedited summary made by the current rules. */
export function isSummary(node: NodeFacts): boolean {
  const isMade = node.madeBy === builtInRule || node.madeBy === answerRule;
  return isMade && node.reading === "ours" && node.recorded === node.content;
}

/**
 * The single place that decides whether a node waits for an answer instead of becoming fixed; `statusOf` decides when
 * it could. A node made from an answer does not wait for another.
 */
export function waitsForAnswer(state: TreeState, node: NodeFacts): boolean {
  const { answers } = state;
  if (answers?.summarizer !== "configured" || node.madeBy !== builtInRule || !isSummary(node)) return false;
  // Do not wait again for an answer that was dropped.
  if (answersFor(answers, node).length > 0) return false;
  const waited = answers.waited.get(nodePath(node.name));
  if (waited === undefined) return true;
  return waited.runs < mostWaits.runs && daysBetween(waited.since, state.today) < mostWaits.days;
}

/**
 * Whether recorded answers require a new body: another one was accepted, or the one the node uses was dropped. A
 * missing record does not count.
 */
export function isOutdatedByAnswer(state: TreeState, node: NodeFacts): boolean {
  if (!isSummary(node)) return false;
  const own = shortDigest(node.answer?.digest ?? "");
  const [accepted] = acceptedFor(state.answers, node);
  if (accepted !== undefined) return accepted.digest !== own;
  return answersFor(state.answers, node).some((answer) => answer.digest === own && answer.state === "dropped");
}

export function withWaits(state: TreeState, waiting: readonly NodeName[]): TreeState {
  if (state.answers === undefined || waiting.length === 0) return state;
  const waited = new Map(state.answers.waited);
  for (const path of waiting.map(nodePath)) {
    const before = waited.get(path);
    waited.set(path, { runs: (before?.runs ?? 0) + 1, since: before?.since ?? state.today });
  }
  return { ...state, answers: { ...state.answers, waited } };
}

/** Removes the unusable accepted answers for these sources: all that come before the usable one. */
export function withoutUnusable(
  answers: AnswersState,
  of: Made,
  usable: Pick<AnswerMark, "digest"> | undefined,
): AnswersState {
  const path = nodePath(of.name);
  const first = usable === undefined ? "g" : shortDigest(usable.digest);
  const own = new Set(acceptedFor(answers, of).filter(({ digest }) => digest < first));
  if (own.size === 0) return answers;
  const left = (answers.known.get(path) ?? []).filter((answer) => !own.has(answer));
  return { ...answers, known: new Map([...answers.known, [path, left]]) };
}
