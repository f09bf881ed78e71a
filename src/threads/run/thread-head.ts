import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { ThreadHead } from "../store/thread-store.ts";
import { isFrameId, isThreadId, parseFrame, isFrame } from "../model/frame-format.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Provenance } from "./inputs.ts";
import type { ThreadParent, ThreadResult } from "./results.ts";

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
export function checkProvenance({ actor_id, origin }: Partial<Provenance>): void {
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
  const types = ["continuity_branched", "continuity_handoff_created"];
  const [stored] = await memory.threads.frames({ thread_id: threadId, types, limit: 1 });
  const frame = stored === undefined ? undefined : parseFrame(stored.line);
  if (frame === undefined || !isFrame(frame)) return null;
  const isBranch = frame.type === "continuity_branched";
  const field = (ofBranch: string, ofHandoff: string): unknown => frame.fields[isBranch ? ofBranch : ofHandoff];
  const message = field("parent_message_id", "from_message_id");
  return {
    kind: isBranch ? "branch" : "handoff",
    thread_id: String(field("parent_thread_id", "from_thread_id")),
    seq: Number(field("parent_seq", "from_seq")),
    message_id: typeof message === "string" ? message : null,
  };
}
