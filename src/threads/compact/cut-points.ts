import { MemoryError } from "../../base/errors.ts";
import {
  CUTS_IN_REACH,
  cutRuleId,
  CUMULATIVE_KIND,
  cutOrdinals,
  planCuts,
  DEFAULT_STRIDE,
} from "../plan/cut-points.ts";
import type { CheckedCut, Cut } from "../plan/cut-points.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { threadHead } from "../run/threads.ts";
import type { Place, StoredCheckpoint, ThreadHead } from "../store/thread-store.ts";
import { pushAll } from "../../base/lists.ts";

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

/** The newest cuts of a stride, the latest first, and which of them have a checkpoint. */
export async function cutsOf(
  memory: ThreadMemory,
  thread: Pick<ThreadHead, "thread_id" | "message_count">,
  { stride_messages, limit }: { readonly stride_messages: number; readonly limit: number },
): Promise<readonly CheckedCut[]> {
  const ordinals = cutOrdinals({ message_count: thread.message_count, stride_messages, limit });
  const cuts: CheckedCut[] = [];
  for (let start = 0; start < ordinals.length; start += FEW)
    pushAll(cuts, await checkedCuts(memory, thread.thread_id, ordinals.slice(start, start + FEW)));
  return cuts;
}

/** The newest cuts without a checkpoint, the latest first, at most `most`. It ends with the first page of cuts that has enough of them. */
export async function planOf(
  memory: ThreadMemory,
  thread: Pick<ThreadHead, "thread_id" | "message_count">,
  { stride_messages, most }: { readonly stride_messages: number; readonly most: number },
): Promise<readonly Cut[]> {
  const { message_count } = thread;
  const ordinals = cutOrdinals({ message_count, stride_messages, limit: CUTS_IN_REACH });
  let plan: readonly Cut[] = [];
  // Most often the newest cut is the one that is missing.
  for (let start = 0, size = 4; start < ordinals.length && plan.length < most; start += size, size = FEW) {
    const cuts = await checkedCuts(memory, thread.thread_id, ordinals.slice(start, start + size));
    plan = [...plan, ...planCuts(cuts, most - plan.length)];
  }
  return plan;
}

const FEW = 64;

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
  const found = places.flatMap((place) => (place === undefined ? [] : [place]));
  if (found.length < ordinals.length)
    throw new MemoryError(
      "damaged_store",
      `Thread ${threadId} counts more messages than can be found: run heartwood thread verify ${threadId}.`,
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
  const ask = (range: { readonly to_seq_at_most: number; readonly to_seq_at_least: number }, limit: number) =>
    memory.threads.checkpoints({ thread_id, kind: CUMULATIVE_KIND, ...range, limit });
  const newest = places[0];
  const oldest = places.at(-1);
  if (newest === undefined || oldest === undefined) return new Map();
  const limit = 2 * places.length + 8;
  let found = await ask({ to_seq_at_most: newest.seq, to_seq_at_least: oldest.seq }, limit);
  if (found.length === limit) {
    // Another stride has left more checkpoints between these cuts than are worth reading.
    const each = await Promise.all(places.map(({ seq }) => ask({ to_seq_at_most: seq, to_seq_at_least: seq }, 1)));
    found = each.flat();
  }
  const latest = new Map<number, StoredCheckpoint>();
  for (const checkpoint of found) if (!latest.has(checkpoint.to_seq)) latest.set(checkpoint.to_seq, checkpoint);
  return latest;
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

const MOST_CHECKPOINTS = 32;

/** Messages between two cuts. Default 10,000. Error: `invalid_stride`. */
export function strideOf(given: number | undefined): number {
  const stride = given ?? DEFAULT_STRIDE;
  if (Number.isSafeInteger(stride) && stride >= 1) return stride;
  throw new MemoryError("invalid_stride", `stride_messages is ${stride}; give a whole number from 1 on.`, {
    field: "stride_messages",
  });
}

/** Default 1, at most 32. Error: `invalid_number`. */
export function mostCheckpointsOf(given: number | undefined): number {
  const most = given ?? 1;
  if (Number.isSafeInteger(most) && most >= 1 && most <= MOST_CHECKPOINTS) return most;
  throw new MemoryError(
    "invalid_number",
    `max_new_checkpoints is ${most}; give a whole number from 1 to ${MOST_CHECKPOINTS}.`,
    { field: "max_new_checkpoints" },
  );
}
