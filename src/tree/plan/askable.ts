import { basisOf, isAnswered, isSummary, waitsForAnswer } from "../compose/answers.ts";
import { newestFirst } from "../model/period.ts";
import { statusOf } from "../model/status.ts";
import type { NodeFacts, TreeState } from "../model/state.ts";

/** A node that a model may be asked for. */
export interface AskableNode {
  readonly facts: NodeFacts;
  /** 64 digits. */
  readonly basis: string;
  /** `due`: it would become fixed. `open`: its period is not over, or a child of it is not fixed. */
  readonly state: "open" | "due" | "fixed";
}

/** The nodes whose body is a summary and for whose sources no answer is accepted or refused, the newest first. */
export function askableNodes(state: TreeState): readonly AskableNode[] {
  return state.nodes
    .all()
    .filter((facts) => isSummary(state, facts) && !isAnswered(state.answers, facts))
    .toSorted((a, b) => newestFirst(a.name, b.name))
    .map((facts) => ({ facts, basis: basisOf(facts.name, facts.sources), state: askedAs(state, facts) }));
}

function askedAs(state: TreeState, facts: NodeFacts): AskableNode["state"] {
  if (facts.status === "fixed") return "fixed";
  return statusOf(state, facts.name, facts) === "fixed" ? "due" : "open";
}

/** The nodes that would be fixed and wait for an answer instead, the newest first. */
export function waitingNodes(state: TreeState): readonly NodeFacts[] {
  if (state.answers?.summarizer !== "configured") return [];
  return state.nodes
    .all()
    .filter(
      (facts) =>
        facts.status === "tentative" && waitsForAnswer(state, facts) && statusOf(state, facts.name, facts) === "fixed",
    )
    .toSorted((a, b) => newestFirst(a.name, b.name));
}
