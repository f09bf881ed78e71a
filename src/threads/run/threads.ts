import type { Stamp, Actor } from "../model/job-frames.ts";
import { LINK_TYPES, parentIn } from "../plan/thread-state.ts";
import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import { type FrameDraft, isFrameId, isThreadId, frameOf, type Frame } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { CreateInput, ListInput, ThreadInput } from "./inputs.ts";
import type { ThreadResult, ThreadListResult, ThreadParent } from "./results.ts";
import type { ThreadHead } from "../store/thread-store.ts";

/** Begins a thread. Errors: `invalid_thread_id`, `thread_exists`, `usage`. */
export async function createThread(memory: ThreadMemory, input: CreateInput): Promise<ThreadResult> {
  const threadId = input.thread_id ?? memory.ids.next();
  checkThreadId(threadId);
  if (input.title !== undefined) checkTitle(input.title);
  const workspace = input.workspace ?? memory.dir;
  const created = createdDraft(memory, { workspace, title: input.title ?? null });
  const { head } = await memory.threads.append({ thread_id: threadId, frames: [created] });
  return { ...headResult(head), parent: null };
}

/** The first frame of a thread. */
export function createdDraft(
  memory: ThreadMemory,
  about: { readonly workspace: string; readonly title: string | null },
): FrameDraft {
  const payload = { workspace: about.workspace, title: about.title };
  return { ...stamp(memory), type: "continuity_created", payload };
}

/** Errors: `usage`. */
export function checkTitle(title: string): void {
  if (isLine(title)) return;
  throw new MemoryError(
    "usage",
    `The title is ${JSON.stringify(shown(title, 60))}; give one line of at most 256 characters that is not empty, or leave it out.`,
    { field: "title" },
  );
}

const LIMIT = 100;

/** The threads, the last appended to first. */
export async function listThreads(memory: ThreadMemory, input: ListInput): Promise<ThreadListResult> {
  const { heads, total } = await memory.threads.heads({ limit: input.limit ?? LIMIT });
  return { threads: heads.map(headResult), total };
}

/** One thread. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function readThread(memory: ThreadMemory, input: ThreadInput): Promise<ThreadResult> {
  const head = await threadHead(memory, input.thread_id);
  return { ...headResult(head), parent: await parentOf(memory, head.thread_id) };
}

/** The head of a thread that must be there. Errors: `invalid_thread_id`, `thread_not_found`. */
export async function threadHead(memory: Pick<ThreadMemory, "threads">, threadId: string): Promise<ThreadHead> {
  checkThreadId(threadId);
  const head = await memory.threads.head(threadId);
  if (head !== undefined) return head;
  throw new MemoryError(
    "thread_not_found",
    `There is no thread ${threadId} here; \`heartwood thread list\` shows those that there are.`,
    { thread_id: threadId },
  );
}

/** Errors: `invalid_thread_id`. */
export function checkThreadId(threadId: string): void {
  if (isThreadId(threadId)) return;
  throw new MemoryError(
    "invalid_thread_id",
    `The thread id ${JSON.stringify(shown(threadId, 100))} is not valid; give a UUID, or 1 to 96 of a-z, 0-9, ".", "_" and "-", beginning with a letter or a digit.`,
  );
}

/** Errors: `invalid_id`. */
export function checkMessageId(name: string, id: string): void {
  if (isFrameId(id)) return;
  throw new MemoryError(
    "invalid_id",
    `${name} is ${JSON.stringify(shown(id, 100))}; give a UUID in lower case, as 0199c0de-0000-7000-8000-000000000001.`,
  );
}

/** Who does it, and from where: each one line that is not empty. Errors: `usage`. */
export function checkProvenance({ actor_id, origin }: Partial<Actor>): void {
  for (const [name, value] of [
    ["actor_id", actor_id],
    ["origin", origin],
  ] as const)
    if (value !== undefined) checkLine(name, value);
}

/** Errors: `usage`. */
export function checkLine(name: string, value: string): void {
  if (isLine(value)) return;
  throw new MemoryError(
    "usage",
    `${name} is ${JSON.stringify(shown(value, 60))}; give one line of at most 256 characters that is not empty and has no control characters.`,
    { field: name },
  );
}

/** Whether a text is fit for a name of one line. */
export function isLine(value: string): boolean {
  return value.trim() !== "" && value.length <= 256 && !/[\p{Cc}\u2028\u2029]/u.test(value);
}

/** A head without its parent, as JSON prints it. */
export function headResult(head: ThreadHead): Omit<ThreadResult, "parent"> {
  const { thread_id, created_at_ms, updated_at_ms, title, workspace, message_count, head_seq } = head;
  return { thread_id, created_at_ms, updated_at_ms, title, workspace, message_count, head_seq };
}

/** The thread that this one was branched or handed off from; null when it began by itself. */
export async function parentOf(memory: ThreadMemory, threadId: string): Promise<ThreadParent | null> {
  const [stored] = await memory.threads.frames({ thread_id: threadId, types: LINK_TYPES, limit: 1 });
  const frame = frameOf(stored);
  return frame === undefined ? null : parentIn(frame);
}

/** The frame of a thread at a seq. */
export async function frameAt(memory: ThreadMemory, thread_id: string, seq: number): Promise<Frame | undefined> {
  const [stored] = await memory.threads.frames({ thread_id, from_seq: seq, to_seq: seq, limit: 1 });
  return frameOf(stored);
}

/** The heads of all threads, the last appended to first. */
export async function allHeads(memory: ThreadMemory): Promise<readonly ThreadHead[]> {
  const { total } = await memory.threads.heads({ limit: 1 });
  return total === 0 ? [] : (await memory.threads.heads({ limit: total })).heads;
}

/** The id and the time of a frame that is about to be appended. */
export function stamp(memory: ThreadMemory): Stamp {
  return { id: memory.ids.next(), timestamp_ms: memory.clock.now() };
}
