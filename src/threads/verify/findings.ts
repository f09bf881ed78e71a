import type { Fault } from "../model/judged-frame.ts";
import type { VerifyThreadsResult } from "../run/results.ts";

export type ThreadFinding = VerifyThreadsResult["findings"][number];

/** What was found in one thread, each thing once. */
export interface Findings {
  add(seq: number | null, fault: Fault): void;
  list(): readonly ThreadFinding[];
}

/** Of each severity: a broken thread can have as many as it has frames, and nobody reads more. So many warnings hide no error. */
const MOST = 1000;

export function collectFindings(threadId: string): Findings {
  const found: ThreadFinding[] = [];
  const counts = { error: 0, warning: 0, info: 0 };
  return {
    add: (seq, { code, severity, message }) => {
      counts[severity] += 1;
      if (counts[severity] <= MOST) found.push({ thread_id: threadId, seq, code, severity, message });
    },
    list: () => [...found, ...SEVERITIES.flatMap((severity) => moreOf(threadId, severity, counts[severity] - MOST))],
  };
}

const SEVERITIES = ["error", "warning", "info"] as const;

function moreOf(threadId: string, severity: Fault["severity"], left: number): readonly ThreadFinding[] {
  if (left <= 0) return [];
  const message = `${left} more findings of this severity are not shown.`;
  return [{ thread_id: threadId, seq: null, code: "more_findings", severity, message }];
}

export function faultOf(code: string, message: string, severity: Fault["severity"] = "error"): Fault {
  return { code, severity, message };
}
