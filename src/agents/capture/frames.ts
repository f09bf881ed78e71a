import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import type { AgentMemory } from "../memory.ts";
import type { CapturedCount } from "./results.ts";

/** Whoever captures the same transcript at the same time has appended meanwhile; it cannot happen for ever. */
const attempts = 5;

/**
 * Appends messages to a thread, which begins with `created` where there is none. A message whose id is there already is passed over, whatever its
 * content: other rules for secrets may have made another one of the same words.
 */
export async function appendFrames(
  memory: AgentMemory,
  thread: { readonly id: string; readonly created: FrameDraft },
  drafts: readonly FrameDraft[],
): Promise<CapturedCount> {
  const once = [...new Map(drafts.map((draft) => [draft.id, draft])).values()];
  const twice = drafts.length - once.length;
  for (let attempt = 1; ; attempt++) {
    const fresh = await unknownFrames(memory, thread.id, once);
    if (fresh.frames.length === 0) return { added: 0, known: drafts.length };
    const frames = fresh.thread === "there" ? fresh.frames : [thread.created, ...fresh.frames];
    try {
      const { appended } = await memory.threads.append({ thread_id: thread.id, frames, known_ids: "pass" });
      const added = appended.length - (fresh.thread === "there" ? 0 : 1);
      return { added, known: once.length - added + twice };
    } catch (error) {
      if (attempt >= attempts || !isRace(error)) throw error;
    }
  }
}

/** How many of the messages there are already. */
export async function countFrames(
  memory: AgentMemory,
  threadId: string,
  drafts: readonly FrameDraft[],
): Promise<CapturedCount> {
  const { frames } = await unknownFrames(memory, threadId, drafts);
  const added = new Set(frames.map(({ id }) => id)).size;
  return { added, known: drafts.length - added };
}

async function unknownFrames(
  memory: AgentMemory,
  threadId: string,
  drafts: readonly FrameDraft[],
): Promise<{ readonly thread: "there" | "none"; readonly frames: readonly FrameDraft[] }> {
  if ((await memory.threads.head(threadId)) === undefined) return { thread: "none", frames: drafts };
  const places = await memory.threads.places(
    threadId,
    drafts.map(({ id }) => ({ id })),
  );
  return { thread: "there", frames: drafts.filter((_, index) => places[index] === undefined) };
}

function isRace(error: unknown): boolean {
  return error instanceof MemoryError && ["thread_exists", "frame_conflict"].includes(error.code);
}
