import type { Actor } from "../model/job-frames.ts";
import { MemoryError } from "../../base/errors.ts";
import type { FrameDraft, FrameType } from "../model/frame.ts";
import type { ThreadHead } from "../store/thread-store.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import {
  checkTitle,
  createdDraft,
  checkMessageId,
  checkProvenance,
  headResult,
  parentOf,
  threadHead,
} from "./threads.ts";
import { givenArtifact, storeGivenSummary, type Covered } from "../compact/manual-checkpoint.ts";
import type { BranchInput, HandoffInput } from "./inputs.ts";
import type { HandoffResult, ThreadResult } from "./results.ts";
import { CUMULATIVE_KIND } from "../plan/cut-points.ts";
import type { SummaryLine } from "../../base/summary-line.ts";
import { cumulativeSummary, MOST_CHARACTERS, printLine, printSummary, type SummaryArtifact } from "../model/summary.ts";
import { readSummary } from "./read-summary.ts";
import { readChain, type Beginning, type Chain, type Segment } from "../compile/context-chain.ts";
import { yieldTurn } from "../compact/jobs.ts";
import { cumulativeLines, findBase, linesToBuildOn, type Base, summarizerOf } from "./cumulative-lines.ts";

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

interface SummaryPoint extends Actor {
  readonly thread_id: string;
  readonly to_seq: number;
  readonly to_message_id: string | null;
}

/**
 * Makes a cumulative summary of a thread up to a frame, stores it, and returns its id; no frame names it yet. It builds on the newest cumulative
 * checkpoint before that frame, and is that checkpoint's own artifact when it ends at the last message. What precedes the thread, in the
 * parents of a branch or in the summary of a handoff, comes after it. Errors: `thread_not_found`, and those of the stores.
 */
export async function summarizeUpTo(memory: ThreadMemory, point: SummaryPoint, call: Call): Promise<string> {
  const head = await threadHead(memory, point.thread_id);
  const chain = await readChain(memory, { head, seq: point.to_seq });
  const own = chain.segments.at(-1);
  const base = await findBase(memory, point.thread_id, point.to_seq);
  const isAlone = chain.segments.length === 1 && chain.beginning === null;
  if (isAlone && base !== null && base.to_seq >= (own?.last?.seq ?? 0)) return base.artifact_id;
  memory.onWork?.();
  const before = await linesBefore(memory, chain, call);
  // The thread itself gets half of the space, and what precedes it the other half.
  const space = before.length === 0 ? MOST_CHARACTERS : MOST_CHARACTERS / 2;
  const lines = own === undefined ? [] : await segmentLines(memory, own, { base, space, call });
  const summary = summaryOf(memory, point, { own, base, lines });
  const summary_markdown = summary.summary_markdown + before;
  return memory.artifacts.put(printSummary({ ...summary, summary_markdown }));
}

/** The parents and what was handed over, the newest first, each with half of the space that is left; empty without any. */
async function linesBefore(memory: ThreadMemory, chain: Chain, call: Call): Promise<string> {
  let told = "";
  const tell = (thread: string, lines: readonly SummaryLine[]): void => {
    if (lines.length === 0) return;
    told += `\n# Before, in the thread ${thread}\n\n${lines.map((line) => `${printLine(line)}\n`).join("")}`;
  };
  for (const segment of chain.segments.slice(0, -1).toReversed()) {
    const base = await findBase(memory, segment.thread_id, segment.to_seq);
    const space = shareOf(told);
    if (space < LEAST_SHARE) return told;
    tell(segment.thread_id, await segmentLines(memory, segment, { base, space, call }));
  }
  const { beginning } = chain;
  if (beginning?.kind === "handoff" && shareOf(told) >= LEAST_SHARE)
    tell(beginning.thread_id, await handedOver(memory, beginning, shareOf(told)));
  return told;
}

const LEAST_SHARE = 300;

/** Half of what is left of the older half, without the heading. */
function shareOf(told: string): number {
  return Math.floor((MOST_CHARACTERS / 2 - told.length) / 2) - 150;
}

async function segmentLines(
  memory: ThreadMemory,
  { thread_id, last }: Segment,
  { base, space, call }: { readonly base: Base | null; readonly space: number; readonly call: Call },
): Promise<readonly SummaryLine[]> {
  if (last === undefined) return [];
  const onPage = async (): Promise<void> => {
    await yieldTurn();
    call.signal?.throwIfAborted();
  };
  return cumulativeLines(memory, { thread_id, to: last, base, space, onPage });
}

async function handedOver(
  memory: ThreadMemory,
  { artifact_id, markdown, to_seq }: Extract<Beginning, { readonly kind: "handoff" }>,
  space: number,
): Promise<readonly SummaryLine[]> {
  const text = artifact_id === null ? markdown : (await readSummary(memory, artifact_id))?.summary_markdown;
  const lines = linesToBuildOn(text ?? "", to_seq);
  // They may be of several threads, whose seqs cannot be compared: so their order gives their age, the newest first.
  const to = lines.length;
  const base = lines.map((line, age) => ({ ...line, seq: to - age }));
  const chosen = summarizerOf(memory).cumulate({ base, delta: [], base_to_seq: to, to_seq: to, space });
  return chosen.map((line) => lines[to - line.seq] ?? line);
}

function summaryOf(
  memory: ThreadMemory,
  { thread_id, to_seq, actor_id, origin }: SummaryPoint,
  made: {
    readonly own: Segment | undefined;
    readonly base: Base | null;
    readonly lines: readonly SummaryLine[];
  },
): SummaryArtifact {
  const { own, base, lines } = made;
  const summarizer = summarizerOf(memory).id;
  const provenance = { actor_id, origin, produced_by: { type: "summarizer", id: summarizer } };
  if (own?.last !== undefined) {
    const base_summary_artifact_id = base?.artifact_id ?? null;
    return cumulativeSummary({ thread_id, to: own.last, lines, provenance, base_summary_artifact_id, summarizer });
  }
  return {
    schema: "rip.compaction_summary.v1",
    kind: CUMULATIVE_KIND,
    coverage: { thread_id, from_seq: 0, to_seq },
    provenance,
    summary_markdown: "# No messages\n",
  };
}
