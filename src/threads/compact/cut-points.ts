import { MemoryError } from "../../base/errors.ts";
import { CUTS_IN_REACH, cutRuleId } from "../plan/cut-points.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type * as I from "../run/inputs.ts";
import { cutsOf } from "./plan.ts";
import { strideOf } from "./policy.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/thread-head.ts";

/** The newest cuts of a stride, the latest first. Errors: `thread_not_found`, `invalid_stride`, `invalid_limit`, `limit_too_large`. */
export async function readCutPoints(
  memory: ThreadMemory,
  input: I.CutPointsInput,
  _call: Call = {},
): Promise<R.CutPointsResult> {
  const stride_messages = strideOf(input.stride_messages);
  const limit = limitOf(input.limit);
  const head = await threadHead(memory, input.thread_id);
  const cut_points = await cutsOf(memory, head, { stride_messages, limit });
  const { thread_id, message_count } = head;
  return { thread_id, stride_messages, message_count, cut_rule_id: cutRuleId(stride_messages), cut_points };
}

function limitOf(given: number | undefined): number {
  const limit = given ?? 1;
  if (!Number.isSafeInteger(limit) || limit < 1)
    throw new MemoryError("invalid_limit", `limit is ${limit}; give a whole number from 1 to ${CUTS_IN_REACH}.`, {
      field: "limit",
    });
  if (limit > CUTS_IN_REACH)
    throw new MemoryError("limit_too_large", `limit is ${limit}; give at most ${CUTS_IN_REACH}.`, { field: "limit" });
  return limit;
}
