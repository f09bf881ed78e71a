import { MemoryError } from "../../base/errors.ts";
import {
  CUTS_IN_REACH,
  cutRuleId,
  CUMULATIVE_KIND,
  DEFAULT_STRIDE,
  type CheckedCut,
  type Cut,
  type Policy,
} from "../plan/thread-state.ts";
import type { ThreadMemory } from "../memory.ts";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/threads.ts";
import type { Place, ThreadHead } from "../store/thread-store.ts";

/** The newest cut points at a stride, newest first. Errors: `thread_not_found`, `invalid_stride`, `invalid_limit`, `limit_too_large`. */
export async function readCutPoints(memory: ThreadMemory, input: I.CutPointsInput): Promise<R.CutPointsResult> {
  const stride_messages = strideOf(input.stride_messages);
  const limit = limitOf(input.limit ?? 1);
  const { thread_id, message_count } = await threadHead(memory, input.thread_id);
  const ordinals = cutOrdinals(message_count, stride_messages).slice(0, limit);
  const cut_points = await checkedCuts(memory, thread_id, ordinals);
  return { thread_id, stride_messages, message_count, cut_rule_id: cutRuleId(stride_messages), cut_points };
}

function limitOf(limit: number): number {
  if (limit < 1)
    throw new MemoryError("invalid_limit", `limit is ${limit}; it must be a whole number from 1 to ${CUTS_IN_REACH}.`, {
      field: "limit",
    });
  if (limit > CUTS_IN_REACH)
    throw new MemoryError("limit_too_large", `limit is ${limit}; it must be at most ${CUTS_IN_REACH}.`, {
      field: "limit",
    });
  return limit;
}

/** The newest cut points without a checkpoint, newest first, at most `max_new_checkpoints`. */
export async function planOf(
  memory: ThreadMemory,
  { thread_id, message_count }: Pick<ThreadHead, "thread_id" | "message_count">,
  { stride_messages, max_new_checkpoints: most }: Omit<Policy, "block_on_inflight">,
): Promise<readonly Cut[]> {
  const plan: Cut[] = [];
  for (const ordinal of cutOrdinals(message_count, stride_messages)) {
    if (plan.length === most) break;
    for (const checked of await checkedCuts(memory, thread_id, [ordinal])) {
      const { already_checkpointed, latest_checkpoint_id: _, ...cut } = checked;
      if (!already_checkpointed) plan.push(cut);
    }
  }
  return plan;
}

/** The ordinals of the newest cut points, newest first: multiples of the stride up to the number of messages. */
function cutOrdinals(messages: number, stride: number): readonly number[] {
  const cuts = Math.floor(messages / stride);
  return Array.from({ length: Math.min(cuts, CUTS_IN_REACH) }, (_, back) => (cuts - back) * stride);
}

export function newestCut(messages: number, stride: number): number {
  return messages - (messages % stride);
}

/** If several checkpoints end at a point, the latest is used. */
async function checkedCuts(
  memory: ThreadMemory,
  thread_id: string,
  ordinals: readonly number[],
): Promise<readonly CheckedCut[]> {
  const places = await memory.threads.places(
    thread_id,
    ordinals.map((ordinal) => ({ ordinal })),
  );
  // A store across a network answers them at once.
  return Promise.all(ordinals.map((ordinal, at) => checkedCut(memory, thread_id, { ordinal, place: places[at] })));
}

async function checkedCut(
  memory: ThreadMemory,
  thread_id: string,
  { ordinal, place }: { readonly ordinal: number; readonly place: Place | undefined },
): Promise<CheckedCut> {
  if (place === undefined)
    throw new MemoryError(
      "damaged_store",
      `Messages are missing from thread ${thread_id}: its count is higher than the number found; run heartwood thread verify ${thread_id}.`,
      { thread_id },
    );
  const range = { to_seq_at_least: place.seq, to_seq_at_most: place.seq, limit: 1 };
  const [latest] = await memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...range });
  return {
    target_message_ordinal: ordinal,
    to_seq: place.seq,
    to_message_id: place.id,
    already_checkpointed: latest !== undefined,
    latest_checkpoint_id: latest?.checkpoint_id ?? null,
  };
}

/** The last message up to a head; `undefined` if the thread has no messages. */
export async function lastMessage(
  memory: ThreadMemory,
  { thread_id, message_count }: Pick<ThreadHead, "thread_id" | "message_count">,
): Promise<Place | undefined> {
  if (message_count === 0) return undefined;
  const [place] = await memory.threads.places(thread_id, [{ ordinal: message_count }]);
  return place;
}

/** Messages between two cut points. Default 10,000. Error: `invalid_stride`. */
export function strideOf(stride = DEFAULT_STRIDE): number {
  if (stride >= 1) return stride;
  throw new MemoryError("invalid_stride", `stride_messages is ${stride}; it must be a positive whole number.`, {
    field: "stride_messages",
  });
}
