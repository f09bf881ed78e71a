import type { Fault } from "../../thread/judged-frame.ts";
import type { VerifyThreadsResult } from "./results.ts";

export type ThreadFinding = VerifyThreadsResult["findings"][number];

/** What was found in one thread, each thing once. */
export interface Findings {
  add(seq: number | null, fault: Fault): void;
  list(): readonly ThreadFinding[];
}

/** A broken thread can have as many as it has frames; nobody reads more. */
const MOST = 1000;

export function collectFindings(threadId: string): Findings {
  const found: ThreadFinding[] = [];
  let left = 0;
  return {
    add: (seq, { code, severity, message }) => {
      if (found.length < MOST) found.push({ thread_id: threadId, seq, code, severity, message });
      else left += 1;
    },
    list: () => (left === 0 ? found : [...found, moreOf(threadId, left)]),
  };
}

function moreOf(threadId: string, left: number): ThreadFinding {
  const message = `${left} more findings are not shown.`;
  return { thread_id: threadId, seq: null, code: "more_findings", severity: "error", message };
}

export function faultOf(code: string, message: string, severity: Fault["severity"] = "error"): Fault {
  return { code, severity, message };
}
