import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { batchPieces } from "./batch.ts";
import type { AppendInput } from "./inputs.ts";
import type { ThreadAppendResult } from "./results.ts";
import { checkMessageId, checkProvenance, checkThreadId } from "./thread-head.ts";

/**
 * Appends one message, or the lines of a batch, all or none. A message whose id is there already with the same actor, origin and content is passed over,
 * so a caller that gives ids may repeat the call. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`,
 * `seq_conflict`, `frame_conflict`, `usage`, and those of a file.
 */
export async function appendMessages(
  memory: ThreadMemory,
  input: AppendInput,
  call: Call = {},
): Promise<ThreadAppendResult> {
  checkThreadId(input.thread_id);
  checkProvenance(input);
  const { appended, known, head, last } = await (input.batch === true ? appendBatch : appendOne)(memory, input, call);
  const [place] = last === undefined ? [] : await memory.threads.places(head.thread_id, [{ id: last }]);
  return {
    thread_id: head.thread_id,
    appended,
    known,
    head_seq: head.head_seq,
    message_count: head.message_count,
    message_id: last ?? null,
    seq: place?.seq ?? null,
    message_ordinal: place?.ordinal ?? null,
  };
}

async function appendOne(memory: ThreadMemory, input: AppendInput) {
  const draft = messageDraft(memory, input);
  const { appended, known, head } = await memory.threads.append({ ...requestOf(input), frames: [draft] });
  return { appended: appended.length, known, head, last: draft.id };
}

async function appendBatch(memory: ThreadMemory, input: AppendInput, call: Call) {
  if (input.id !== undefined)
    throw new MemoryError("usage", "id names one message; in a batch give each line an id of its own.");
  let last: string | undefined;
  const noted = async function* (): AsyncGenerator<readonly FrameDraft[], void, void> {
    for await (const drafts of batchPieces(memory, input, call)) {
      last = drafts.findLast(({ type }) => type === "continuity_message_appended")?.id ?? last;
      yield drafts;
    }
  };
  const done = await memory.threads.appendPieces(requestOf(input), noted());
  return { ...done, last };
}

function requestOf({ thread_id, expected_seq }: AppendInput) {
  return { thread_id, known_ids: "pass", ...(expected_seq === undefined ? {} : { expected_seq }) } as const;
}

function messageDraft(memory: ThreadMemory, { content, actor_id, origin, id }: AppendInput): FrameDraft {
  if (id !== undefined) checkMessageId("id", id);
  if (content === undefined)
    throw new MemoryError("usage", "content is missing; give the text of the message.", { field: "content" });
  if (typeof content !== "string") throw new MemoryError("usage", "content is a file; give a text, or set batch.");
  if (actor_id === undefined || origin === undefined)
    throw new MemoryError(
      "usage",
      `${actor_id === undefined ? "actor_id (--actor)" : "origin (--origin)"} is not given; a message needs both actor_id and origin, and only lines of a batch may have their own.`,
      { field: actor_id === undefined ? "actor_id" : "origin" },
    );
  if (content === "")
    throw new MemoryError("invalid_body", "The message is empty; give a content with at least one character.");
  return {
    id: id ?? memory.ids.next(),
    timestamp_ms: memory.clock.now(),
    type: "continuity_message_appended",
    payload: { actor_id, origin, content },
  };
}
