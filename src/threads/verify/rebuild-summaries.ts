import { sha256 } from "../../base/digest.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Place } from "../store/thread-store.ts";
import type { Checkpoint } from "../plan/thread-state.ts";
import { spanOf, faultOf } from "../plan/judge-frame.ts";
import { blockOfRule, blockSize, type Block } from "../plan/ladder.ts";
import { placeAt, placeOfSeq } from "../model/places.ts";
import { printSummary, type SummaryArtifact, cumulativeSummary, rungSummary } from "../model/summary.ts";
import type { ThreadMemory } from "../memory.ts";
import { BlockLines } from "../run/block-lines.ts";
import { cumulativeLines, readBase, type Base, summarizerOf } from "../run/cumulative-lines.ts";
import { refuseAborted } from "./replay.ts";
import type { ArtifactRequest, MadeSummary } from "./artifacts.ts";

interface RebuildRequest extends ArtifactRequest {
  readonly summaries: readonly MadeSummary[];
}

/** Makes the rungs and the cumulative summaries of this program once more, from messages alone, and compares their bytes. */
export async function verifyRebuilt(request: RebuildRequest): Promise<void> {
  const { replay, findings, memory } = request;
  if (!replay.isWhole) return;
  const own = summarizerOf(memory).id;
  const rungs: Rung[] = [];
  const cumulative: MadeSummary[] = [];
  for (const made of request.summaries) {
    const maker = makerOf(made.summary);
    const block = blockOfRule(made.checkpoint.cut_rule_id);
    if (maker === undefined) {
      const message = `${made.checkpoint.artifact_id} is recorded as a rung and names no summarizer that made it.`;
      if (block !== undefined) findings.add(made.checkpoint.seq, faultOf("invalid_artifact", message));
      continue;
    }
    if (maker !== own)
      findings.add(
        made.checkpoint.seq,
        faultOf("rule_older", `${made.checkpoint.artifact_id} was made by ${maker}.`, "info"),
      );
    else if (block !== undefined) rungs.push({ ...made, block });
    else cumulative.push(made);
  }
  const raw: RebuildRequest = { ...request, memory: withoutRungs(memory) };
  await rebuildRungs(raw, rungs);
  await rebuildCumulatives(raw, cumulative);
}

interface Rung extends MadeSummary {
  readonly block: Block;
}

/** The summarizer that made a summary; `undefined` for one that a person or another program gave. */
function makerOf({ provenance, basis }: SummaryArtifact): string | undefined {
  if (provenance.produced_by?.type === "summarizer" && basis === undefined) return provenance.produced_by.id;
  return provenance.produced_by?.type === "job" ? basis?.note : undefined;
}

/** Old before new, and of those that begin together coarse before fine: so the messages are read once. */
async function rebuildRungs(request: RebuildRequest, rungs: readonly Rung[]): Promise<void> {
  const { memory, replay, findings } = request;
  const { thread } = replay;
  const last = placeAt(thread.places, thread.places.count);
  if (rungs.length === 0 || last === undefined) return;
  const lines = linesOf(request, last);
  lines.keep(rungs.map(({ block }) => block));
  const spans = rungs.flatMap((rung) => {
    const span = spanOf(thread.places, rung.block);
    return span === undefined ? [] : [{ ...rung, span }];
  });
  for (const { block, span, checkpoint } of spans.toSorted(
    (a, b) => a.span[0] - b.span[0] || b.block.level - a.block.level,
  )) {
    const [from, to] = span.map((ordinal) => placeAt(thread.places, ordinal));
    // Its frame is a finding already.
    if (from === undefined || to === undefined) continue;
    const made = { thread_id: thread.thread_id, block, span: { from, to }, lines: await lines.ofBlock(block) };
    const bytes = printSummary(rungSummary({ ...made, summarizer: summarizerOf(memory).id }));
    compare(findings, checkpoint, bytes);
  }
}

/** Finer blocks than this one are cheap to make again, and many. */
const KEPT_LEVEL = 3;

/** Those with the same base share blocks, which are made once: the longest come first. */
async function rebuildCumulatives(request: RebuildRequest, made: readonly MadeSummary[]): Promise<void> {
  const { places } = request.replay.thread;
  const last = placeAt(places, places.count);
  if (made.length === 0 || last === undefined) return;
  const source = linesOf(request, last);
  for (let level = KEPT_LEVEL; blockSize(level) <= places.weight; level += 1)
    source.keep(Array.from({ length: Math.floor(places.weight / blockSize(level)) }, (_, index) => ({ level, index })));
  for (const one of made.toSorted((a, b) => b.checkpoint.to_seq - a.checkpoint.to_seq))
    await rebuildCumulative(request, { ...one, source });
}

async function rebuildCumulative(
  request: RebuildRequest,
  { checkpoint, summary, source }: MadeSummary & { readonly source: BlockLines },
): Promise<void> {
  const { memory, replay, findings } = request;
  const { thread_id, places } = replay.thread;
  const to = placeOfSeq(places, checkpoint.to_seq);
  if (to === undefined) return;
  const id = summary.basis?.base_summary_artifact_id;
  const base = id === undefined ? null : await recordedBase(memory, { thread_id, id });
  if (base === undefined) {
    const message = `${checkpoint.artifact_id} builds on ${String(id)}, which cannot be read, so it cannot be made again.`;
    findings.add(checkpoint.seq, faultOf("artifact_missing", message, "warning"));
    return;
  }
  const onPage = async (): Promise<void> => refuseAborted(request.call);
  const rebuilt = cumulativeSummary({
    thread_id,
    to,
    lines: await cumulativeLines(memory, { thread_id, to, base, source, onPage }),
    provenance: summary.provenance,
    base_summary_artifact_id: id ?? null,
    summarizer: summarizerOf(memory).id,
  });
  compare(findings, checkpoint, printSummary(rebuilt));
}

async function recordedBase(
  memory: ThreadMemory,
  { thread_id, id }: { readonly thread_id: string; readonly id: string },
): Promise<Base | undefined> {
  try {
    return await readBase(memory, thread_id, id);
  } catch (error) {
    if (error instanceof MemoryError) return undefined;
    throw error;
  }
}

function linesOf({ memory, replay, call }: RebuildRequest, end: Place): BlockLines {
  const onPage = async (): Promise<void> => refuseAborted(call);
  return new BlockLines(memory, {
    thread_id: replay.thread.thread_id,
    end,
    summarizer: summarizerOf(memory),
    onPage,
  });
}

/** A memory without rungs, so that lines are made from messages. */
function withoutRungs(memory: ThreadMemory): ThreadMemory {
  const threads: ThreadMemory["threads"] = {
    ...memory.threads,
    checkpoints: async (query) => (query.kind.startsWith("rung_v1/") ? [] : memory.threads.checkpoints(query)),
  };
  return Object.create(memory, { threads: { value: threads, enumerable: true } }) as ThreadMemory;
}

function compare(findings: RebuildRequest["findings"], checkpoint: Checkpoint, bytes: Uint8Array): void {
  const { artifact_id, kind, to_seq } = checkpoint;
  const again = sha256(bytes);
  if (again === artifact_id) return;
  const message = `The ${kind} up to seq ${to_seq} is ${artifact_id}; made again from the messages it is ${again}.`;
  findings.add(checkpoint.seq, faultOf("not_reproducible", message));
}
