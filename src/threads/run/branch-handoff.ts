import type { Actor } from "../model/job-frames.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft, FrameType } from "../model/frame.ts";
import type { Place, ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import {
  checkLine,
  draftOf,
  checkMessageId,
  checkProvenance,
  headResult,
  parentOf,
  placeOfMessage,
  threadHead,
} from "./threads.ts";
import { givenSummary, type Covered } from "../compact/manual-checkpoint.ts";
import type { BranchInput, HandoffInput } from "./inputs.ts";
import type { HandoffResult, ThreadResult } from "./results.ts";
import { CUMULATIVE_KIND } from "../plan/thread-state.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { MOST_CHARACTERS, printLine, printSummary, type SummaryArtifact } from "../model/summary.ts";
import { linesOfMarkdown, readSummary } from "./read-summary.ts";
import { BlockLines, summarizerOf, cumulativeLines, findBase, summaryUpTo } from "./block-lines.ts";
import { readChain, type Beginning, type Chain, type Segment } from "../compile/context-chain.ts";
import { yieldTurn } from "../compact/jobs.ts";

/** Forks a thread at a message; the child links to its parent. Errors: `thread_not_found`, `message_not_found`, `usage`. */
export async function branchThread(memory: ThreadMemory, input: BranchInput): Promise<ThreadResult> {
  const { head, covered } = await pointOf(memory, input);
  const { thread_id, to_seq, to_message_id } = covered;
  return beginChild(memory, input, head, "continuity_branched", {
    parent_thread_id: thread_id,
    parent_seq: to_seq,
    parent_message_id: to_message_id ?? undefined,
    actor_id: input.actor_id,
    origin: input.origin,
    // A summary is appended after the messages it covers, so without this, a branch at an old message would find none.
    parent_head_seq: head.head_seq > to_seq ? head.head_seq : undefined,
  });
}

/**
 * Starts a thread seeded with a summary of another thread: the given one, or a new one that builds on the latest readable one. Errors: same as
 * `branchThread`, plus `artifact_not_found`, `invalid_artifact`, `artifact_damaged`, `invalid_body`.
 */
export async function handOffThread(
  memory: ThreadMemory,
  input: HandoffInput,
  call: Call = {},
): Promise<HandoffResult> {
  const { actor_id, origin, summary_file, artifact } = input;
  if (summary_file !== undefined && artifact !== undefined)
    throw new MemoryError(
      "usage",
      "Both summary_file and artifact are given; a handoff has one summary, so omit one of them.",
    );
  const { head, covered } = await pointOf(memory, input);
  const by = { actor_id, origin };
  const given = summary_file ?? artifact;
  const summary_artifact_id =
    given === undefined
      ? await summarizeUpTo(memory, { ...covered, ...by }, call)
      : await givenSummary(memory, { given, covered, by, ends: "at_most" }, call);
  const child = await beginChild(memory, input, head, "continuity_handoff_created", {
    from_thread_id: covered.thread_id,
    from_seq: covered.to_seq,
    from_message_id: covered.to_message_id ?? undefined,
    summary_artifact_id,
    ...by,
  });
  return { ...child, summary_artifact_id };
}

/** The point where the child leaves its parent. Errors: `invalid_thread_id`, `thread_not_found`, `invalid_id`, `message_not_found`, `usage`. */
async function pointOf(
  memory: ThreadMemory,
  input: BranchInput,
): Promise<{ readonly head: ThreadHead; readonly covered: Covered }> {
  checkProvenance(input);
  checkLine("title", input.title);
  const head = await threadHead(memory, input.thread_id);
  const { thread_id, head_seq } = head;
  if (input.at === undefined) {
    const [last] = await memory.threads.places(thread_id, [{ seq: head_seq }]);
    return { head, covered: { thread_id, to_seq: head_seq, to_message_id: last?.id ?? null } };
  }
  checkMessageId("at", input.at);
  const place = await placeOfMessage(memory, thread_id, input.at);
  return { head, covered: { thread_id, to_seq: place.seq, to_message_id: place.id } };
}

async function beginChild(
  memory: ThreadMemory,
  { title = null }: { readonly title?: string | null },
  { workspace }: ThreadHead,
  type: FrameType,
  payload: FrameDraft["payload"],
): Promise<ThreadResult> {
  const created = draftOf(memory, "continuity_created", { workspace, title });
  const link = { id: memory.ids.next(), timestamp_ms: created.timestamp_ms, type, payload };
  const { head } = await memory.threads.append({ thread_id: memory.ids.next(), frames: [created, link] });
  return { ...headResult(head), parent: await parentOf(memory, head.thread_id) };
}

/**
 * Stores a cumulative summary of a thread up to a frame and returns its artifact id; no frame names it yet. The summary builds on the latest
 * cumulative checkpoint at or before that frame. If that checkpoint already covers the last message and nothing precedes the thread, its artifact is
 * returned. Content from before the thread (parents of a branch, summary of a handoff) comes after the thread's own lines. Errors:
 * `thread_not_found`, store errors.
 */
export async function summarizeUpTo(memory: ThreadMemory, point: Covered & Actor, call: Call): Promise<string> {
  const { thread_id, to_seq, actor_id, origin } = point;
  const head = await threadHead(memory, thread_id);
  const chain = await readChain(memory, { head, seq: to_seq });
  const own = chain.segments.at(-1) as Segment;
  const base = await findBase(memory, thread_id, to_seq);
  const isAlone = chain.segments.length === 1 && chain.beginning === null;
  if (isAlone && base !== null && base.to_seq >= (own.last?.seq ?? 0)) return base.artifact_id;
  memory.onWork?.();
  const before = await linesBefore(memory, chain, call);
  // If anything precedes the thread, the thread itself gets half of the space.
  const space = before.length === 0 ? MOST_CHARACTERS : MOST_CHARACTERS / 2;
  const provenance = { actor_id, origin, produced_by: { type: "summarizer", id: summarizerOf(memory).id } };
  const to = own.last;
  const summary: SummaryArtifact =
    to === undefined
      ? {
          schema: "rip.compaction_summary.v1",
          kind: CUMULATIVE_KIND,
          coverage: { thread_id, from_seq: 0, to_seq },
          provenance,
          summary_markdown: "# No messages\n",
        }
      : await summaryUpTo(memory, { ...workOf(memory, own, to, call), base, space, provenance });
  return memory.artifacts.put(printSummary({ ...summary, summary_markdown: summary.summary_markdown + before }));
}

/** Lines about the parents and the handed-over summary, newest first, each with half of the remaining space; empty if there are none. */
async function linesBefore(memory: ThreadMemory, chain: Chain, call: Call): Promise<string> {
  let text = "";
  const add = (thread: string, lines: readonly SummaryLine[]): void => {
    if (lines.length === 0) return;
    text += `\n# Before, in the thread ${thread}\n\n${lines.map((line) => `${printLine(line)}\n`).join("")}`;
  };
  for (const segment of chain.segments.slice(0, -1).toReversed()) {
    const space = shareOf(text);
    if (space < LEAST_SHARE) return text;
    if (segment.last === undefined) continue;
    const base = await findBase(memory, segment.thread_id, segment.to_seq);
    const work = { ...workOf(memory, segment, segment.last, call), base, space };
    add(segment.thread_id, await cumulativeLines(memory, work));
  }
  const { beginning } = chain;
  if (beginning?.kind === "handoff" && shareOf(text) >= LEAST_SHARE)
    add(beginning.thread_id, await handedOver(memory, beginning, shareOf(text)));
  return text;
}

const LEAST_SHARE = 300;

/** Half of the space that remains for older content, minus the heading. */
function shareOf(text: string): number {
  return Math.floor((MOST_CHARACTERS / 2 - text.length) / 2) - 150;
}

function workOf(memory: ThreadMemory, { thread_id }: Segment, to: Place, call: Call) {
  const onPage = async (): Promise<void> => {
    await yieldTurn();
    call.signal?.throwIfAborted();
  };
  return { thread_id, to, source: new BlockLines(memory, { thread_id, end: to, onPage }) };
}

async function handedOver(
  memory: ThreadMemory,
  { artifact_id, markdown, to_seq }: Extract<Beginning, { readonly kind: "handoff" }>,
  space: number,
): Promise<readonly SummaryLine[]> {
  const text = artifact_id === null ? markdown : (await readSummary(memory, artifact_id))?.summary_markdown;
  const lines = linesOfMarkdown(text ?? "", to_seq);
  // The lines may come from several threads, whose seqs are not comparable, so their order (newest first) determines their age.
  const to = lines.length;
  const base = lines.map((line, age) => ({ ...line, seq: to - age }));
  const chosen = summarizerOf(memory).cumulate({ base, delta: [], base_to_seq: to, to_seq: to, space });
  return chosen.map((line) => lines[to - line.seq] ?? line);
}
