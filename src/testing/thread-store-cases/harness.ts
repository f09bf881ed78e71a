import type { ImportLine, ThreadStore } from "../../threads/store/thread-store.ts";
import { printFrame, type FrameDraft } from "../../threads/model/frame.ts";

/** An empty store, opened twice. */
export interface ThreadStoreHarness {
  readonly store: ThreadStore;
  /** Another opening of the same store. */
  readonly other: ThreadStore;
  /** Lets the clock of both go on. */
  pass(ms: number): void;
  close(): Promise<void>;
}

/** The time at which all drafts are made, unless they say another. */
export const MOMENT = 1_767_225_600_000;
/** The head's place of a frame that is beyond every log of the suite. */
export const FAR = 4_000_000_000;

/** An id by its number. */
export function idOf(number: number): string {
  return `0199c0de-0000-7000-8000-${number.toString(16).padStart(12, "0")}`;
}

let made = 0;
function nextId(): string {
  made += 1;
  return `0199c0df-0000-7000-8000-${made.toString(16).padStart(12, "0")}`;
}

export function draft(type: FrameDraft["type"], payload: FrameDraft["payload"], id = nextId()): FrameDraft {
  return { id, timestamp_ms: MOMENT, type, payload };
}

export function created(title: string | null = null): FrameDraft {
  return draft("continuity_created", { workspace: "/srv/app", title });
}

export function message(content: string, id?: string): FrameDraft {
  return draft("continuity_message_appended", { actor_id: "user", origin: "test", content }, id);
}

/** A frame of a type without an index. */
export function effect(name = "write"): FrameDraft {
  return draft("continuity_tool_side_effects", {
    run_session_id: "run_1",
    tool_id: "t",
    tool_name: name,
    affected_paths: null,
    checkpoint_id: null,
    actor_id: "tool:t",
    origin: "test",
  });
}

export function checkpoint(to_seq: number, more: Readonly<Record<string, unknown>> = {}): FrameDraft {
  const id = nextId();
  return draft(
    "continuity_compaction_checkpoint_created",
    {
      checkpoint_id: id,
      cut_rule_id: "stride_messages_v1/2",
      summary_kind: "cumulative_v1",
      summary_artifact_id: "a".repeat(64),
      from_seq: 0,
      to_seq,
      ...more,
      actor_id: "user",
      origin: "test",
    },
    id,
  );
}

export function spawned(job_id: string, job_kind = "compaction_summarizer_v1"): FrameDraft {
  return draft("continuity_job_spawned", { job_id, job_kind, actor_id: "user", origin: "test" });
}

export function ended(job_id: string, job_kind = "compaction_summarizer_v1"): FrameDraft {
  return draft("continuity_job_ended", { job_id, job_kind, status: "completed", actor_id: "user", origin: "test" });
}

/** Begins a thread with these frames after its first. */
export async function begin(store: ThreadStore, thread_id: string, frames: readonly FrameDraft[] = []): Promise<void> {
  await store.append({ thread_id, frames: [created(), ...frames] });
}

/** The lines of a log, as an import takes them. */
export function linesOf(thread_id: string, frames: readonly FrameDraft[]): readonly string[] {
  return frames.map((frame, seq) => printFrame(frame, { thread_id, seq }));
}

export function numbered(lines: readonly string[]): readonly ImportLine[] {
  return lines.map((text, index) => ({ number: index + 1, text }));
}

/** All lines of a thread. */
export async function logOf(store: ThreadStore, thread_id: string): Promise<readonly string[]> {
  return (await store.frames({ thread_id, limit: 10_000 })).map(({ line }) => line);
}

/** The code of the error that a call ends with, and its details. */
export async function refusalOf(
  call: Promise<unknown>,
): Promise<{ readonly code: unknown; readonly details: unknown }> {
  try {
    await call;
  } catch (error) {
    const { code, details } = Object(error) as { readonly code?: unknown; readonly details?: unknown };
    return { code, details };
  }
  return { code: "fulfilled", details: {} };
}
