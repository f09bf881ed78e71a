import type { Warning } from "../../base/errors.ts";
import type { AskedRequest } from "../../tree/answers/record.ts";

/** The warnings of a result that no row of it tells: what came of a request stands beside its id. */
export function warningsBesideRows(result: unknown, warnings: readonly Warning[]): readonly Warning[] {
  const { requests } = (result ?? {}) as { readonly requests?: readonly AskedRequest[] };
  return Array.isArray(requests) ? warnings.filter((warning) => !isInRow(requests, warning)) : warnings;
}

function isInRow(requests: readonly AskedRequest[], { code, message }: Warning): boolean {
  return requests.some(({ job_id: id, outcome, error }) => {
    if (code === "answer_refused") return outcome === "refused" && message.includes(id);
    return error !== null && code === error.code && message.startsWith(id) && message.endsWith(error.message);
  });
}
