import { MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { FrameDraft } from "../model/frame.ts";
import type { ThreadMemory } from "../memory.ts";
import type { CreateInput } from "./inputs.ts";
import type { ThreadResult } from "./results.ts";
import { checkThreadId, headResult, isLine } from "./thread-head.ts";

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
  return { id: memory.ids.next(), timestamp_ms: memory.clock.now(), type: "continuity_created", payload };
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
