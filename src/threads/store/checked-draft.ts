import { MemoryError } from "../../base/errors.ts";
import {
  LONGEST_LINE,
  MOST_FRAMES,
  frameOf,
  isFrame,
  messageOf,
  printAndParse,
  type Frame,
  type FrameDraft,
} from "../model/frame.ts";

/** The line to be stored and its frame, checked so that it can be read again and imported elsewhere. Errors: `invalid_frame`, `invalid_body`, `io`. */
export function checkedFrame(
  draft: FrameDraft,
  { thread_id, seq }: { readonly thread_id: string; readonly seq: number },
): { readonly line: string; readonly frame: Frame } {
  if (seq >= MOST_FRAMES) throw threadFull(thread_id);
  const { line, parsed: frame } = printAndParse(draft, { thread_id, seq });
  if (line.length > LONGEST_LINE / 3 && Buffer.byteLength(line) > LONGEST_LINE)
    throw new MemoryError(
      "invalid_body",
      `A frame for thread ${thread_id} is longer than ${LONGEST_LINE} bytes; split it. Nothing was appended.`,
    );
  const isSame =
    isFrame(frame) &&
    frame.id === draft.id &&
    frame.seq === seq &&
    // Whether it is right would depend on what others append.
    !Object.hasOwn(draft.payload, "seq") &&
    frame.thread_id === thread_id &&
    frame.type === draft.type &&
    frame.timestamp_ms === draft.timestamp_ms;
  if (isSame) return { line, frame };
  const reason = isFrame(frame) ? "its payload has a field of the envelope" : frame.reason;
  const sentence = `A frame of type ${draft.type} for thread ${thread_id} cannot be appended: ${reason}. Nothing was appended.`;
  throw new MemoryError("invalid_frame", sentence, { thread_id });
}

/** Whether both are messages with the same actor, origin and content. */
export function isSameMessage(frame: Frame, stored: { readonly line: string } | undefined): boolean {
  const [one, other] = [messageOf(frame), messageOf(frameOf(stored))];
  if (one === undefined || other === undefined) return false;
  return one.actor_id === other.actor_id && one.origin === other.origin && one.content === other.content;
}

export function threadFull(thread_id: string): MemoryError {
  return new MemoryError("io", `Thread ${thread_id} is full: it has ${MOST_FRAMES} frames. Start a new thread.`);
}

export function threadExists(thread_id: string): MemoryError {
  const sentence = `Thread ${thread_id} already exists; choose another id, or append to it.`;
  return new MemoryError("thread_exists", sentence, { thread_id });
}

export function seqConflict(thread_id: string, expected_seq: number, head_seq: number): MemoryError {
  const sentence = `Thread ${thread_id} is at seq ${head_seq}, not at ${expected_seq}: another process appended in the meantime. Read what is new, then append with expected_seq ${head_seq}.`;
  return new MemoryError("seq_conflict", sentence, { thread_id, expected_seq, head_seq });
}

export function decisionConflict(thread_id: string, expected_decision_seq: number, decision_seq: number): MemoryError {
  const sentence = `The last decision of thread ${thread_id} is at seq ${decision_seq}, not at ${expected_decision_seq}: another process decided in the meantime. Decide again.`;
  return new MemoryError("decision_conflict", sentence, { thread_id, expected_decision_seq, decision_seq });
}

export function idConflict({ id, thread_id }: Pick<Frame, "id" | "thread_id">): MemoryError {
  const sentence = `The id ${id} already belongs to a frame that is not the same message of thread ${thread_id}; choose another id. Nothing was appended.`;
  return new MemoryError("frame_conflict", sentence, { thread_id, id });
}

export function leaseLost({ job_id, runner }: { readonly job_id: string; readonly runner: string }): MemoryError {
  const sentence = `Job ${job_id} is no longer run by ${runner}: it has ended or another runner took over. Nothing was appended.`;
  return new MemoryError("lease_lost", sentence, { job_id });
}

export function jobNotSpawned(job_id: string): MemoryError {
  return new MemoryError("internal", `No frame in this call spawns the job ${job_id}, so it gets no lease.`);
}

export function invalidAfterChange(thread_id: string, seq: number): MemoryError {
  const message = `The frame at seq ${seq} of thread ${thread_id} would not be valid after the change. Nothing was changed.`;
  return new MemoryError("internal", message, { thread_id, seq });
}
