import { sha256 } from "../../base/digest.ts";
import type { Place } from "../store/thread-store.ts";
import { spanOf, faultOf } from "../plan/judge-frame.ts";
import { blockOfRule, blockSize, type Block } from "../plan/ladder.ts";
import { printSummary, type SummaryArtifact, rungSummary } from "../model/summary.ts";
import type { ThreadMemory } from "../memory.ts";
import { BlockLines, summarizerOf, readBase, summaryUpTo } from "../run/block-lines.ts";
import type { Replay } from "./replay.ts";
import type { MadeSummary } from "./artifacts.ts";

/** Rebuilds this program's rungs and cumulative summaries from messages alone and compares their bytes. */
export async function verifyRebuilt(replay: Replay, summaries: readonly MadeSummary[]): Promise<void> {
  const { findings } = replay;
  if (!replay.isWhole) return;
  const own = summarizerOf(replay.memory).id;
  const rungs: (MadeSummary & { readonly block: Block })[] = [];
  const cumulative: MadeSummary[] = [];
  for (const made of summaries) {
    const { seq, artifact_id, cut_rule_id } = made.checkpoint;
    const maker = makerOf(made.summary);
    const block = blockOfRule(cut_rule_id);
    if (maker === undefined) {
      const message = `${artifact_id} is recorded as a rung but does not name its summarizer.`;
      if (block !== undefined) findings.add(seq, faultOf("invalid_artifact", message));
    } else if (maker !== own) findings.add(seq, faultOf("rule_older", `${artifact_id} was made by ${maker}.`, "info"));
    else if (block !== undefined) rungs.push({ ...made, block });
    else cumulative.push(made);
  }
  await rebuildRungs(replay, rungs);
  await rebuildCumulatives(replay, cumulative);
}

/** The summarizer that made a summary; `undefined` if a person or another program supplied it. */
export function makerOf({ provenance, basis }: SummaryArtifact): string | undefined {
  if (provenance.produced_by?.type === "summarizer" && basis === undefined) return provenance.produced_by.id;
  return provenance.produced_by?.type === "job" ? basis?.note : undefined;
}

/** Old before new, and coarse before fine if they begin together, so that messages are read only once. */
async function rebuildRungs(replay: Replay, rungs: readonly (MadeSummary & { readonly block: Block })[]) {
  const { places } = replay.thread;
  const last = places.at(places.count);
  if (rungs.length === 0 || last === undefined) return;
  const lines = linesOf(replay, last);
  lines.keep(rungs.map(({ block }) => block));
  const spanned = rungs.map((rung) => ({ ...rung, span: spanOf(places, rung.block) ?? [0, 0] }));
  spanned.sort((a, b) => a.span[0] - b.span[0] || b.block.level - a.block.level);
  for (const { block, span, checkpoint } of spanned) {
    const [from, to] = span.map((ordinal) => places.at(ordinal));
    // Already reported as a finding on its frame.
    if (from === undefined || to === undefined) continue;
    const made = { thread_id: replay.threadId, block, span: { from, to }, lines: await lines.ofBlock(block) };
    compare(replay, checkpoint, rungSummary({ ...made, summarizer: summarizerOf(replay.memory).id }));
  }
}

/** Blocks below this level are many and cheap to make again, so they are not kept. */
const KEPT_LEVEL = 3;

/** Summaries with the same base share blocks, which are made only once; the longest summaries come first. */
async function rebuildCumulatives(replay: Replay, made: readonly MadeSummary[]): Promise<void> {
  const { memory, threadId: thread_id, findings } = replay;
  const { places } = replay.thread;
  const last = places.at(places.count);
  if (made.length === 0 || last === undefined) return;
  const source = linesOf(replay, last);
  for (let level = KEPT_LEVEL; blockSize(level) <= places.weight; level += 1)
    source.keep(Array.from({ length: Math.floor(places.weight / blockSize(level)) }, (_, index) => ({ level, index })));
  for (const { checkpoint, summary } of made.toSorted((a, b) => b.checkpoint.to_seq - a.checkpoint.to_seq)) {
    const to = places.ofSeq(checkpoint.to_seq);
    if (to === undefined) continue;
    const id = summary.basis?.base_summary_artifact_id;
    const base = id === undefined ? null : await readBase(memory, thread_id, id);
    if (base === undefined) {
      const message = `${checkpoint.artifact_id} builds on ${String(id)}, which cannot be read, so it cannot be rebuilt.`;
      findings.add(checkpoint.seq, faultOf("artifact_missing", message, "warning"));
      continue;
    }
    const work = { thread_id, to, base, source, provenance: summary.provenance };
    compare(replay, checkpoint, await summaryUpTo(memory, work));
  }
}

/** Makes lines from messages only, by hiding all stored rungs. */
export function linesOf(replay: Replay, end: Place): BlockLines {
  const { threads } = replay.memory;
  const withoutRungs: ThreadMemory["threads"] = {
    ...threads,
    checkpoints: async (query) => (query.kind.startsWith("rung_v1/") ? [] : threads.checkpoints(query)),
  };
  const memory = Object.create(replay.memory, { threads: { value: withoutRungs } }) as ThreadMemory;
  return new BlockLines(memory, { thread_id: replay.threadId, end, onPage: async () => replay.refuseAborted() });
}

function compare(
  replay: Replay,
  { artifact_id, kind, to_seq, seq }: MadeSummary["checkpoint"],
  again: SummaryArtifact,
) {
  const id = sha256(printSummary(again));
  if (id === artifact_id) return;
  const message = `The ${kind} up to seq ${to_seq} is ${artifact_id}; rebuilt from the messages, it is ${id}.`;
  replay.findings.add(seq, faultOf("not_reproducible", message));
}
