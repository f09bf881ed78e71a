import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../../thread/frame.ts";
import type { Memory } from "../memory.ts";
import { batchDrafts } from "./batch.ts";
import type { AppendInput } from "./inputs.ts";
import type { ThreadAppendResult } from "./results.ts";
import { checkMessageId, checkProvenance, checkThreadId } from "./thread-head.ts";

/**
 * Appends one message, or the lines of a batch, all or none. A message whose id is there already with the same actor, origin and content is passed over,
 * so a caller that gives ids may repeat the call. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`,
 * `seq_conflict`, `frame_conflict`, `usage`.
 */
export async function appendMessages(memory: Memory, input: AppendInput): Promise<ThreadAppendResult> {
  checkThreadId(input.thread_id);
  checkProvenance(input);
  const frames = input.batch === true ? batchOf(memory, input) : [messageDraft(memory, input)];
  const { appended, known, head } = await memory.threads.append({
    thread_id: input.thread_id,
    frames,
    known_ids: "pass",
    ...(input.expected_seq === undefined ? {} : { expected_seq: input.expected_seq }),
  });
  const last = frames.findLast(({ type }) => type === "continuity_message_appended");
  const [place] = last === undefined ? [] : await memory.threads.places(head.thread_id, [{ id: last.id }]);
  return {
    thread_id: head.thread_id,
    appended: appended.length,
    known,
    head_seq: head.head_seq,
    message_count: head.message_count,
    message_id: last?.id ?? null,
    seq: place?.seq ?? null,
    message_ordinal: place?.ordinal ?? null,
  };
}

function batchOf(memory: Memory, { content, actor_id, origin, id }: AppendInput): readonly FrameDraft[] {
  if (id !== undefined)
    throw new MemoryError("usage", "id names one message; in a batch give each line an id of its own.");
  if (content.length > 1_000_000) memory.onWork?.();
  return batchDrafts(memory, content, { actor_id, origin });
}

function messageDraft(memory: Memory, { content, actor_id, origin, id }: AppendInput): FrameDraft {
  if (id !== undefined) checkMessageId("id", id);
  if (content === "")
    throw new MemoryError("invalid_body", "The message is empty; give a content with at least one character.");
  return {
    id: id ?? memory.ids.next(),
    timestamp_ms: memory.clock.now(),
    type: "continuity_message_appended",
    payload: { actor_id, origin, content },
  };
}
