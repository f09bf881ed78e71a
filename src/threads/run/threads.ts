import type { Actor, Created } from "../model/job-frames.ts";
import { LINK_TYPES, parentIn, type Parent, CUMULATIVE_KIND } from "../plan/thread-state.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { type FrameDraft, type FrameType, isFrameId, isThreadId, frameOf, type Frame } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { CreateInput, ListInput, ThreadInput } from "./inputs.ts";
import type { ThreadResult, ThreadListResult } from "./results.ts";
import { threadNotFound, type Place, type ThreadHead } from "../store/thread-store.ts";

/** Creates a thread. Errors: `invalid_thread_id`, `thread_exists`, `usage`. */
export async function createThread(memory: ThreadMemory, input: CreateInput): Promise<ThreadResult> {
  const { thread_id = memory.ids.next(), workspace = memory.dir, title } = input;
  checkThreadId(thread_id);
  checkLine("title", title);
  const created = draftOf(memory, "continuity_created", { workspace, title: title ?? null });
  const { head } = await memory.threads.append({ thread_id, frames: [created] });
  return { ...headResult(head), parent: null };
}

/** The threads with their parents, most recently appended first. */
export async function listThreads(memory: ThreadMemory, { limit = 100 }: ListInput): Promise<ThreadListResult> {
  const { heads, total } = await memory.threads.heads({ limit });
  const threads: ThreadResult[] = [];
  for (const head of heads) threads.push({ ...headResult(head), parent: await parentOf(memory, head.thread_id) });
  return { threads, total };
}

export async function readThread(memory: ThreadMemory, input: ThreadInput): Promise<ThreadResult> {
  const head = await threadHead(memory, input.thread_id);
  return { ...headResult(head), parent: await parentOf(memory, head.thread_id) };
}

/** The head of a thread that must exist. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function threadHead(memory: Pick<ThreadMemory, "threads">, threadId: string): Promise<ThreadHead> {
  checkThreadId(threadId);
  const head = await memory.threads.head(threadId);
  if (head === undefined) throw threadNotFound(threadId);
  return head;
}

/** Errors: `invalid_thread_id`. */
export function checkThreadId(threadId: string): void {
  if (isThreadId(threadId)) return;
  throw new MemoryError(
    "invalid_thread_id",
    `The thread id ${JSON.stringify(shown(threadId, 100))} is not valid; use a UUID, or 1 to 96 characters from a-z, 0-9, ".", "_" and "-", starting with a letter or digit.`,
  );
}

/** Errors: `invalid_id`. */
export function checkMessageId(name: string, id: string): void {
  if (isFrameId(id)) return;
  throw new MemoryError(
    "invalid_id",
    `${name} is ${JSON.stringify(shown(id, 100))}; it must be a lowercase UUID such as 0199c0de-0000-7000-8000-000000000001.`,
  );
}

/** Errors: `usage`. */
export function checkProvenance({ actor_id, origin }: { readonly [name in keyof Actor]?: string | undefined }): void {
  checkLine("actor_id", actor_id);
  checkLine("origin", origin);
}

/** Errors: `usage` if the value is given but is not a valid line. */
export function checkLine(name: string, value: string | undefined): void {
  if (value === undefined || isLine(value)) return;
  throw new MemoryError(
    "usage",
    `${name} is ${JSON.stringify(shown(value, 60))}; it must be one non-empty line of at most 256 characters without control characters.`,
    { field: name },
  );
}

/** Whether a text is usable as a one-line name. */
export function isLine(value: string): boolean {
  return value.trim() !== "" && value.length <= 256 && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

/** A head as printed in JSON, without its parent. */
export function headResult(head: ThreadHead): Omit<ThreadResult, "parent"> {
  const { thread_id, created_at_ms, updated_at_ms, title, workspace, message_count, head_seq } = head;
  return { thread_id, created_at_ms, updated_at_ms, title, workspace, message_count, head_seq };
}

/** The thread that this one was branched or handed off from; null if there is none. */
export async function parentOf(memory: ThreadMemory, threadId: string): Promise<Parent | null> {
  const [stored] = await memory.threads.frames({ thread_id: threadId, types: LINK_TYPES, limit: 1 });
  const frame = frameOf(stored);
  return frame === undefined ? null : parentIn(frame);
}

export async function frameAt(memory: ThreadMemory, thread_id: string, seq: number): Promise<Frame | undefined> {
  const [stored] = await memory.threads.frames({ thread_id, from_seq: seq, to_seq: seq, limit: 1 });
  return frameOf(stored);
}

/** The message with this id. Errors: `message_not_found`. */
export async function placeOfMessage(memory: ThreadMemory, thread_id: string, id: string): Promise<Place> {
  const [place] = await memory.threads.places(thread_id, [{ id }]);
  if (place !== undefined) return place;
  const shownId = id.slice(0, 64);
  const sentence = `Thread ${thread_id} has no message ${JSON.stringify(shownId)}; \`heartwood thread events ${thread_id}\` shows its frames.`;
  throw new MemoryError("message_not_found", sentence, { thread_id, message_id: shownId });
}

/** A frame about to be appended. Fields that are `undefined` are not printed. `idField`: a payload field that repeats the id; printed first. */
export function draftOf(
  memory: Pick<ThreadMemory, "ids" | "clock">,
  type: FrameType,
  payload: FrameDraft["payload"],
  idField?: string,
): FrameDraft {
  const [id, timestamp_ms] = [memory.ids.next(), memory.clock.now()];
  return { id, timestamp_ms, type, payload: idField === undefined ? payload : { [idField]: id, ...payload } };
}

/** The contents of a checkpoint. Without a range it is cumulative: it covers everything from the first frame to its end. */
interface CheckpointFacts extends Omit<Created, "checkpoint_id"> {
  readonly summary_kind?: string;
  readonly from_seq?: number;
  readonly from_message_id?: string;
}

export function checkpointDraft(memory: ThreadMemory, facts: CheckpointFacts, by: Actor): FrameDraft {
  const { cut_rule_id, summary_kind = CUMULATIVE_KIND, summary_artifact_id } = facts;
  const { from_seq = 0, from_message_id, to_seq, to_message_id } = facts;
  const { actor_id, origin } = by;
  const range = { from_seq, from_message_id, to_seq, to_message_id };
  const payload = { cut_rule_id, summary_kind, summary_artifact_id, ...range, actor_id, origin };
  return draftOf(memory, "continuity_compaction_checkpoint_created", payload, "checkpoint_id");
}
