import { allHeads } from "../run/threads.ts";
import { MemoryError } from "../../base/errors.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { collectFindings, type ThreadFinding, replayThread } from "./replay.ts";
import { faultOf } from "../plan/judge-frame.ts";
import type * as I from "../run/inputs.ts";
import type * as R from "../run/results.ts";
import { verifyArtifacts, verifyBundles } from "./artifacts.ts";
import { verifyIndex } from "./index-check.ts";
import { verifyRebuilt } from "./rebuild-summaries.ts";
import { pushAll } from "../../base/lists.ts";

/**
 * Replays threads and compares whatever follows from their frames: what the store keeps beside them, plans and decisions, summaries and bundles.
 * A bad thread is a finding; an error is what keeps it from looking: `thread_not_found`, `aborted`, `busy`, `newer_store`, and `damaged_store` when the
 * store cannot be opened at all. Holds 28 bytes for a message of the thread at hand.
 */
export async function verifyThreads(
  memory: ThreadMemory,
  input: I.VerifyThreadsInput,
  call: Call = {},
): Promise<R.VerifyThreadsResult> {
  const ids =
    input.thread_id === undefined
      ? (await allHeads(memory)).map(({ thread_id }) => thread_id).toSorted()
      : [input.thread_id];
  const findings: ThreadFinding[] = [];
  let frames = 0;
  for (const [done, threadId] of ids.entries()) {
    call.progress?.({ phase: "verify", done, total: ids.length });
    const seen = await verifyThread(memory, threadId, call);
    frames += seen.frames;
    pushAll(findings, seen.findings);
  }
  const ok = findings.every(({ severity }) => severity === "info");
  return { ok, threads: ids.length, frames, findings };
}

async function verifyThread(
  memory: ThreadMemory,
  threadId: string,
  call: Call,
): Promise<{ readonly frames: number; readonly findings: readonly ThreadFinding[] }> {
  const findings = collectFindings(threadId);
  let frames = 0;
  try {
    const replay = await replayThread({ memory, threadId, findings, call });
    frames = replay.frames;
    await verifyIndex({ memory, replay, findings });
    const summaries = await verifyArtifacts({ memory, replay, findings, call });
    await verifyRebuilt({ memory, replay, findings, call, summaries });
    await verifyBundles({ memory, replay, findings, call });
  } catch (error) {
    if (!isOfThread(error)) throw error;
    findings.add(null, faultOf(error.code, error.message));
  }
  return { frames, findings: findings.list() };
}

/** What says that a thread is bad, and not that it cannot be looked at now. */
function isOfThread(error: unknown): error is MemoryError {
  const others: readonly string[] = ["aborted", "busy", "newer_store", "thread_not_found", "internal"];
  return error instanceof MemoryError && !others.includes(error.code);
}
