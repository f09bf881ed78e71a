import { MemoryError } from "../../base/errors.ts";
import type { Checkpoint } from "../plan/fold.ts";
import { strideOfRule, type Fault } from "../model/judged-frame.ts";
import { blockOfRule } from "../plan/ladder.ts";
import { parseSummary, type SummaryArtifact } from "../model/summary-format.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { faultOf, type Findings } from "./findings.ts";
import { refuseAborted, type Replay } from "./verify-replay.ts";

export interface ArtifactRequest {
  readonly memory: ThreadMemory;
  readonly replay: Replay;
  readonly findings: Findings;
  readonly call: Call;
}

/** A summary that could be read, without its text. */
export interface MadeSummary {
  readonly checkpoint: Checkpoint;
  readonly summary: SummaryArtifact;
}

/** Reads every artifact that a frame names: it is there, has its digest, and covers what its frame says. The summaries that do. */
export async function verifyArtifacts(request: ArtifactRequest): Promise<readonly MadeSummary[]> {
  const { replay, findings } = request;
  const summaries: MadeSummary[] = [];
  for (const { length, shared } of replay.thread.checkpoints.values()) {
    for (const checkpoint of shared.items.slice(0, length)) {
      refuseAborted(request.call);
      const read = await readArtifact(request, {
        id: checkpoint.artifact_id,
        severity: severityOf(replay, checkpoint),
      });
      if ("fault" in read) {
        findings.add(checkpoint.seq, read.fault);
        continue;
      }
      const judged = judgeSummary(checkpoint, { bytes: read.bytes, threadId: replay.thread.thread_id });
      for (const fault of judged.faults) findings.add(checkpoint.seq, fault);
      if (judged.summary !== undefined && judged.faults.length === 0)
        summaries.push({ checkpoint, summary: { ...judged.summary, summary_markdown: "" } });
    }
  }
  for (const { fields, seq } of [...replay.compiled, ...replay.handoffs]) {
    const id = fields["bundle_artifact_id"] ?? fields["summary_artifact_id"];
    if (typeof id !== "string") continue;
    const isOurs = fields["compiler_id"] === undefined || String(fields["compiler_id"]).startsWith("heartwood");
    const read = await readArtifact(request, { id, severity: isOurs ? "warning" : "info" });
    if ("fault" in read) findings.add(seq, read.fault);
  }
  return summaries;
}

/** The bytes, or why they are not to be had. */
export async function readArtifact(
  { memory }: { readonly memory: ThreadMemory },
  { id, severity }: { readonly id: string; readonly severity: Fault["severity"] },
): Promise<{ readonly bytes: Uint8Array } | { readonly fault: Fault }> {
  try {
    const bytes = await memory.artifacts.get(id);
    if (bytes !== undefined) return { bytes };
    return { fault: faultOf("artifact_missing", `The artifact ${id} is not there.`, severity) };
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { fault: faultOf(error.code, error.message) };
  }
}

/** A log of others may come without its artifacts: what we made, or were told to record, must be there. */
function severityOf({ makers }: Replay, { checkpoint_id, cut_rule_id }: Checkpoint): Fault["severity"] {
  const isKnown =
    cut_rule_id === "manual_v1" || strideOfRule(cut_rule_id) !== undefined || blockOfRule(cut_rule_id) !== undefined;
  return isKnown && makers.get(checkpoint_id) !== null ? "warning" : "info";
}

interface Named {
  readonly bytes: Uint8Array;
  readonly threadId: string;
}

function judgeSummary(
  checkpoint: Checkpoint,
  { bytes, threadId }: Named,
): { readonly faults: readonly Fault[]; readonly summary?: SummaryArtifact } {
  const { artifact_id: id } = checkpoint;
  const summary = parseSummary(bytes);
  if ("fault" in summary)
    return { faults: [faultOf("invalid_artifact", `The artifact ${id} is no summary: ${summary.fault}.`)] };
  const faults = coverageFaults({ checkpoint, summary, threadId }).map((difference) =>
    faultOf("coverage_mismatch", `The artifact ${id} ${difference}.`),
  );
  return { faults, summary };
}

function coverageFaults(how: {
  readonly checkpoint: Checkpoint;
  readonly summary: SummaryArtifact;
  readonly threadId: string;
}): readonly string[] {
  const { checkpoint, threadId, summary } = how;
  const { coverage, kind } = summary;
  const facts = [
    ["thread_id", coverage.thread_id, threadId],
    ["kind", kind, checkpoint.kind],
    ["from_seq", coverage.from_seq, checkpoint.from_seq],
    ["to_seq", coverage.to_seq, checkpoint.to_seq],
    ["from_message_id", coverage.from_message_id, checkpoint.from_message_id],
    ["to_message_id", coverage.to_message_id, checkpoint.to_message_id],
  ] as const;
  return facts
    .filter(([, said, expected]) => said !== undefined && expected !== null && said !== expected)
    .map(([name, said, expected]) => `has the ${name} ${String(said)}, its frame ${String(expected)}`);
}
