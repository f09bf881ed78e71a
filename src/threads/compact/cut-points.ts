import { MemoryError } from "../../base/errors.ts";
import {
  CUTS_IN_REACH,
  cutRuleId,
  CUMULATIVE_KIND,
  DEFAULT_STRIDE,
  type CheckedCut,
  type Cut,
} from "../plan/cut-points.ts";
import type { ThreadMemory } from "../memory.ts";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/threads.ts";
import type { Place, StoredCheckpoint, ThreadHead } from "../store/thread-store.ts";
import { pushAll } from "../../base/lists.ts";

/** The newest cuts of a stride, the latest first. Errors: `thread_not_found`, `invalid_stride`, `invalid_limit`, `limit_too_large`. */
export async function readCutPoints(memory: ThreadMemory, input: I.CutPointsInput): Promise<R.CutPointsResult> {
  const stride_messages = strideOf(input.stride_messages);
  const limit = limitOf(input.limit ?? 1);
  const { thread_id, message_count } = await threadHead(memory, input.thread_id);
  const ordinals = cutOrdinals(message_count, stride_messages).slice(0, limit);
  const cut_points: CheckedCut[] = [];
  for (let start = 0; start < ordinals.length; start += FEW)
    pushAll(cut_points, await checkedCuts(memory, thread_id, ordinals.slice(start, start + FEW)));
  return { thread_id, stride_messages, message_count, cut_rule_id: cutRuleId(stride_messages), cut_points };
}

function limitOf(limit: number): number {
  if (limit < 1)
    throw new MemoryError("invalid_limit", `limit is ${limit}; give a whole number from 1 to ${CUTS_IN_REACH}.`, {
      field: "limit",
    });
  if (limit > CUTS_IN_REACH)
    throw new MemoryError("limit_too_large", `limit is ${limit}; give at most ${CUTS_IN_REACH}.`, { field: "limit" });
  return limit;
}

/** The newest cuts without a checkpoint, the latest first, at most `most`. It ends with the first page of cuts that has enough of them. */
export async function planOf(
  memory: ThreadMemory,
  { thread_id, message_count }: Pick<ThreadHead, "thread_id" | "message_count">,
  { stride_messages, most }: { readonly stride_messages: number; readonly most: number },
): Promise<readonly Cut[]> {
  const ordinals = cutOrdinals(message_count, stride_messages);
  const plan: Cut[] = [];
  // Most often only the newest cut has no checkpoint.
  for (let start = 0, size = 4; start < ordinals.length && plan.length < most; start += size, size = FEW) {
    const cuts = await checkedCuts(memory, thread_id, ordinals.slice(start, start + size));
    for (const { already_checkpointed, latest_checkpoint_id: _, ...cut } of cuts)
      if (!already_checkpointed && plan.length < most) plan.push(cut);
  }
  return plan;
}

const FEW = 64;

/** The ordinals of the newest cuts, the latest first: multiples of the stride up to the number of messages. */
function cutOrdinals(messages: number, stride: number): readonly number[] {
  const cuts = Math.floor(messages / stride);
  return Array.from({ length: Math.min(cuts, CUTS_IN_REACH) }, (_, back) => (cuts - back) * stride);
}

/** The ordinal of the newest cut; 0 when there is none. */
export function newestCut(messages: number, stride: number): number {
  return messages - (messages % stride);
}

/** `ordinals`: descending. */
async function checkedCuts(
  memory: ThreadMemory,
  threadId: string,
  ordinals: readonly number[],
): Promise<readonly CheckedCut[]> {
  const places = await memory.threads.places(
    threadId,
    ordinals.map((ordinal) => ({ ordinal })),
  );
  const found = places.filter((place) => place !== undefined);
  if (found.length < ordinals.length)
    throw new MemoryError(
      "damaged_store",
      `Thread ${threadId} counts more messages than can be found; run heartwood thread verify ${threadId}.`,
      { thread_id: threadId },
    );
  const latest = await latestCheckpoints(memory, threadId, found);
  return found.map(({ ordinal, seq, id }) => ({
    target_message_ordinal: ordinal,
    to_seq: seq,
    to_message_id: id,
    already_checkpointed: latest.has(seq),
    latest_checkpoint_id: latest.get(seq)?.checkpoint_id ?? null,
  }));
}

/** The latest cumulative checkpoint of each place that has one, by its seq. `places`: descending. */
async function latestCheckpoints(
  memory: ThreadMemory,
  thread_id: string,
  places: readonly Place[],
): Promise<ReadonlyMap<number, StoredCheckpoint>> {
  const ask = (to_seq_at_least: number, to_seq_at_most: number, limit: number) =>
    memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, to_seq_at_least, to_seq_at_most, limit });
  const limit = 2 * places.length + 8;
  let found = await ask(places.at(-1)?.seq ?? 0, places[0]?.seq ?? 0, limit);
  // Another stride has left more checkpoints between these cuts than are worth reading.
  if (found.length === limit) found = (await Promise.all(places.map(({ seq }) => ask(seq, seq, 1)))).flat();
  // Of several with one `to_seq` the latest comes first.
  return new Map(found.toReversed().map((checkpoint) => [checkpoint.to_seq, checkpoint]));
}

/** The last message that a head counts; `undefined` in a thread without messages. */
export async function lastMessage(
  memory: ThreadMemory,
  { thread_id, message_count }: Pick<ThreadHead, "thread_id" | "message_count">,
): Promise<Place | undefined> {
  if (message_count === 0) return undefined;
  const [place] = await memory.threads.places(thread_id, [{ ordinal: message_count }]);
  return place;
}

/** Messages between two cuts. Default 10,000. Error: `invalid_stride`. */
export function strideOf(stride = DEFAULT_STRIDE): number {
  if (stride >= 1) return stride;
  throw new MemoryError("invalid_stride", `stride_messages is ${stride}; give a whole number from 1 on.`, {
    field: "stride_messages",
  });
}
