import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft } from "../model/frame.ts";
import { COVERING_COMPILER, REFERENCE_STRATEGIES } from "../plan/strategies.ts";
import type { ThreadMemory } from "../memory.ts";
import type { CompiledBundle } from "./compile.ts";
import type * as I from "../run/inputs.ts";

/**
 * Stores a bundle and appends the frames that say what was chosen and what came of it, both or none. Errors: `message_not_found` for a thread without
 * messages, since those frames name one.
 */
export async function recordContext(memory: ThreadMemory, bundled: CompiledBundle, by: I.Provenance): Promise<void> {
  const { bundle, bytes, artifact_id } = bundled;
  const { thread_id, from_seq, from_message_id } = bundle.source;
  if (from_message_id === null)
    throw new MemoryError(
      "message_not_found",
      `The thread ${thread_id} has no message yet, so there is no context to record; append one first.`,
    );
  const named = { compiler_id: bundle.compiler.id, compiler_strategy: bundle.compiler.strategy };
  const { run_session_id } = bundle.provenance;
  const { actor_id, origin } = by;
  const selection = {
    run_session_id,
    message_id: from_message_id,
    ...named,
    limits: limitsOf(memory, bundled),
    ...checkpointsOf(bundled),
    actor_id,
    origin,
  };
  const compiled = { run_session_id, bundle_artifact_id: artifact_id, ...named, from_seq, from_message_id };
  // The artifact is on disk before any frame names it.
  await memory.artifacts.put(bytes);
  await memory.threads.append({
    thread_id,
    frames: [
      draftOf(memory, "continuity_context_selection_decided", selection),
      draftOf(memory, "continuity_context_compiled", { ...compiled, actor_id, origin }),
    ],
  });
}

function draftOf(memory: ThreadMemory, type: FrameDraft["type"], payload: FrameDraft["payload"]): FrameDraft {
  return { id: memory.ids.next(), timestamp_ms: memory.clock.now(), type, payload };
}

/** What bounded the choice, so that it can be made again. */
function limitsOf(memory: ThreadMemory, { bundle, budget }: CompiledBundle): Readonly<Record<string, unknown>> {
  if (bundle.compiler.id === COVERING_COMPILER) return { budget_tokens: budget, tokens: memory.tokens.id };
  const { most_messages, most_summaries } =
    REFERENCE_STRATEGIES[bundle.compiler.strategy as keyof typeof REFERENCE_STRATEGIES];
  return { recent_messages: most_messages, summary_refs: most_summaries };
}

function checkpointsOf({ checkpoints }: CompiledBundle): Readonly<Record<string, unknown>> {
  const told = checkpoints.map(({ checkpoint_id, kind, artifact_id, to_seq }) => ({
    checkpoint_id,
    summary_kind: kind,
    summary_artifact_id: artifact_id,
    to_seq,
  }));
  if (told.length === 0) return {};
  return told.length === 1 ? { compaction_checkpoint: told[0] } : { compaction_checkpoints: told };
}
