import type { Warning } from "../../base/errors.ts";
import { builtInSummarizer } from "../../summarize/built-in.ts";
import type { DueNode, WrittenNode } from "../results.ts";

/** What a plan cannot tell: of nodes that a run would only make nobody knows what they would be asked with. */
export function notKnownYet(due: readonly DueNode[]): readonly Warning[] {
  const unmade = due.filter(({ reason, level }) => reason !== "answer" && level !== "root");
  if (unmade.length === 0) return [];
  const message =
    "the model may also be asked for what a run would make first; that is known when it is made (heartwood compact)";
  return [{ code: "not_known_yet", message }];
}

/** Nodes that were fixed as they were, since no answer came: that is final, and there is a way back. */
export function fixedUnanswered(written: readonly WrittenNode[]): readonly Warning[] {
  const given = written.filter(
    ({ action, status, summarizer }) =>
      action === "status" && status === "fixed" && summarizer === builtInSummarizer.id,
  );
  const [newest] = given.toSorted((a, b) => (a.period < b.period ? 1 : -1));
  if (newest === undefined) return [];
  const others = given.length > 1 ? ` and ${given.length - 1} more` : "";
  const message = `no answer was accepted for ${newest.path}${others}, fixed now with the built-in summary; heartwood compact --reopen ${newest.period} opens it again`;
  return [{ code: "fixed_unanswered", message }];
}
