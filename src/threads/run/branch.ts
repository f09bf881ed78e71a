import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft, FrameType } from "../model/frame.ts";
import type { ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { checkTitle, createdDraft } from "./create.ts";
import { givenArtifact, storeGivenSummary, type Covered } from "../compact/given-summary.ts";
import type { BranchInput, HandoffInput } from "./inputs.ts";
import type { HandoffResult, ThreadResult } from "./results.ts";
import { summarizeUpTo } from "../compact/summarize-up-to.ts";
import { checkMessageId, checkProvenance, headResult, parentOf, threadHead } from "./thread-head.ts";

/** Begins a thread that goes on from a message of another, by a link. Errors: `thread_not_found`, `message_not_found`, `usage`. */
export async function branchThread(memory: ThreadMemory, input: BranchInput): Promise<ThreadResult> {
  const point = await pointOf(memory, input);
  const { thread_id, to_seq, to_message_id } = point.covered;
  return beginChild(memory, input, point, {
    type: "continuity_branched",
    payload: {
      parent_thread_id: thread_id,
      parent_seq: to_seq,
      ...(to_message_id === null ? {} : { parent_message_id: to_message_id }),
      actor_id: input.actor_id,
      origin: input.origin,
      // Summaries of a thread come after its messages: without this a branch at an old one would know none.
      ...(point.head.head_seq > to_seq ? { parent_head_seq: point.head.head_seq } : {}),
    },
  });
}

/**
 * Begins a thread that knows another by a summary: the given one, or one that is made now, on top of the latest that can be read. Errors: as `branchThread`, and
 * `artifact_not_found`, `invalid_artifact`, `artifact_damaged`, `invalid_body`.
 */
export async function handOffThread(
  memory: ThreadMemory,
  input: HandoffInput,
  call: Call = {},
): Promise<HandoffResult> {
  if (input.summary_file !== undefined && input.artifact !== undefined)
    throw new MemoryError(
      "usage",
      "Both summary_file and artifact are given; a handoff has one summary: leave one out.",
    );
  const point = await pointOf(memory, input);
  const summary_artifact_id = await summaryFor(memory, input, point.covered, call);
  const { thread_id, to_seq, to_message_id } = point.covered;
  const child = await beginChild(memory, input, point, {
    type: "continuity_handoff_created",
    payload: {
      from_thread_id: thread_id,
      from_seq: to_seq,
      ...(to_message_id === null ? {} : { from_message_id: to_message_id }),
      summary_artifact_id,
      actor_id: input.actor_id,
      origin: input.origin,
    },
  });
  return { ...child, summary_artifact_id };
}

interface Point {
  readonly head: ThreadHead;
  readonly covered: Covered;
}

/** Where the child leaves its parent. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_id`, `message_not_found`, `usage`. */
async function pointOf(memory: ThreadMemory, input: BranchInput): Promise<Point> {
  checkProvenance(input);
  if (input.title !== undefined) checkTitle(input.title);
  const head = await threadHead(memory, input.thread_id);
  const { thread_id, head_seq } = head;
  if (input.at === undefined) {
    const [last] = await memory.threads.places(thread_id, [{ seq: head_seq }]);
    return { head, covered: { thread_id, to_seq: head_seq, to_message_id: last?.id ?? null } };
  }
  checkMessageId("at", input.at);
  const [place] = await memory.threads.places(thread_id, [{ id: input.at }]);
  if (place !== undefined) return { head, covered: { thread_id, to_seq: place.seq, to_message_id: place.id } };
  throw new MemoryError(
    "message_not_found",
    `The thread ${thread_id} has no message ${input.at}; \`heartwood thread events ${thread_id}\` shows its frames.`,
    { thread_id, message_id: input.at },
  );
}

async function beginChild(
  memory: ThreadMemory,
  { title }: BranchInput,
  { head }: Point,
  link: { readonly type: FrameType; readonly payload: FrameDraft["payload"] },
): Promise<ThreadResult> {
  const created = createdDraft(memory, { workspace: head.workspace, title: title ?? null });
  const frames = [created, { ...link, id: memory.ids.next(), timestamp_ms: created.timestamp_ms }];
  const child = await memory.threads.append({ thread_id: memory.ids.next(), frames });
  return { ...headResult(child.head), parent: await parentOf(memory, child.head.thread_id) };
}

async function summaryFor(memory: ThreadMemory, input: HandoffInput, covered: Covered, call: Call): Promise<string> {
  const { actor_id, origin, summary_file, artifact } = input;
  const provenance = { actor_id, origin };
  if (summary_file !== undefined) return storeGivenSummary(memory, { file: summary_file, covered, provenance }, call);
  if (artifact !== undefined) {
    await givenArtifact(memory, artifact, covered);
    return artifact;
  }
  return summarizeUpTo(memory, { ...covered, ...provenance }, call);
}
