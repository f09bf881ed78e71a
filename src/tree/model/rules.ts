import { ruleSetId } from "../../text/redact/redact.ts";
import type { NodeFacts } from "./state.ts";

/** The rules that make bodies. An id changes whenever the rule would make other bytes of the same sources. */
export const copyRule = "copy-1";
export const concatRule = "concat-1";
export const rootRule = "root-3";
/** The body was written by somebody else and recorded. */
export const foreignRule = "foreign";

/** The rule that makes a body from a recorded answer and from what `summarizer` knows. */
export function answerRule(summarizer: string): string {
  return `answer-1+${summarizer}`;
}

export function isAnswerRule(madeBy: string): boolean {
  return madeBy.startsWith("answer-");
}

/** The rules by which secrets were taken out of a day's raw logs. */
export const redactionRule = ruleSetId;

/** The rules that are in force when `summarizer` is the one that summarises. */
export function knownRules(summarizer: string): ReadonlySet<string> {
  return new Set([copyRule, concatRule, foreignRule, summarizer, answerRule(summarizer)]);
}

/** Whether a node's body is what the present rules would make of its sources. */
export function isInForce(node: Pick<NodeFacts, "madeBy" | "redactedBy">, summarizer: string): boolean {
  return (
    knownRules(summarizer).has(node.madeBy) && (node.redactedBy === undefined || node.redactedBy === redactionRule)
  );
}
