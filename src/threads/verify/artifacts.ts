import { MANUAL_RULE } from "../plan/cut-points.ts";
import { MemoryError } from "../../base/errors.ts";
import { type Checkpoint, itemsOf } from "../plan/thread-state.ts";
import { strideOfRule, type Fault, faultOf } from "../plan/judge-frame.ts";
import { blockOfRule } from "../plan/ladder.ts";
import { parseSummary, type SummaryArtifact } from "../model/summary.ts";
import type { ThreadMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import { type Findings, refuseAborted, type Replay } from "./replay.ts";
import type { Frame } from "../model/frame.ts";
import { COVERING_COMPILER, REFERENCE_COMPILER, REFERENCE_STRATEGIES } from "../compile/reference-strategies.ts";
import { compileBundle, type BundleRequest } from "../compile/compile.ts";
import type { Strategy } from "../run/inputs.ts";

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
  for (const list of replay.thread.checkpoints.values()) {
    for (const checkpoint of itemsOf(list)) {
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

/** A foreign log may come without its artifacts: what we made or recorded must be there. */
function severityOf({ makers }: Replay, { checkpoint_id, cut_rule_id }: Checkpoint): Fault["severity"] {
  const isKnown =
    cut_rule_id === MANUAL_RULE || strideOfRule(cut_rule_id) !== undefined || blockOfRule(cut_rule_id) !== undefined;
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

/** Compiles every recorded context once more at its anchor and compares the ids. */
export async function verifyBundles(request: ArtifactRequest): Promise<void> {
  const { memory, replay, findings, call } = request;
  if (!replay.isWhole) return;
  for (const frame of replay.compiled) {
    refuseAborted(call);
    const selection = replay.selections.get(frame.seq);
    const bundle = await requestOf(memory, { frame, selection });
    if (bundle === undefined) {
      const compiler = `${String(frame.fields["compiler_id"])} ${String(frame.fields["compiler_strategy"])}`;
      findings.add(
        frame.seq,
        faultOf("rule_older", `The context was compiled by ${compiler} with other limits.`, "info"),
      );
      continue;
    }
    const { artifact_id } = await compileBundle(memory, bundle);
    if (artifact_id === frame.fields["bundle_artifact_id"]) continue;
    // What cannot be read now was perhaps read then.
    const severity = findings.list().some(({ code }) => code.startsWith("artifact_")) ? "warning" : "error";
    const was = String(frame.fields["bundle_artifact_id"]);
    findings.add(
      frame.seq,
      faultOf("not_reproducible", `The context is ${was}; compiled again it is ${artifact_id}.`, severity),
    );
  }
}

/** What the frames record of how a context was compiled; `undefined` when it was not by this program. */
async function requestOf(
  memory: ThreadMemory,
  { frame, selection }: { readonly frame: Frame; readonly selection: Frame | undefined },
): Promise<BundleRequest | undefined> {
  const { compiler_id, compiler_strategy: strategy, from_seq, run_session_id } = frame.fields;
  const head = await memory.threads.head(frame.thread_id);
  const budget = budgetOf(memory, { selection, compiler_id, strategy });
  if (head === undefined || budget === undefined || typeof from_seq !== "number" || from_seq >= frame.seq)
    return undefined;
  return {
    anchor: { head, seq: from_seq },
    strategy: strategy as Strategy,
    budget,
    run_session_id: String(run_session_id),
    actor_id: String(frame.fields["actor_id"]),
    origin: String(frame.fields["origin"]),
  };
}

const MOST_TOKENS = 1_000_000;

function budgetOf(
  memory: ThreadMemory,
  how: { readonly selection: Frame | undefined; readonly compiler_id: unknown; readonly strategy: unknown },
): number | undefined {
  const limits = how.selection?.fields["limits"] as Readonly<Record<string, unknown>> | null | undefined;
  if (how.compiler_id === COVERING_COMPILER) {
    const budget = limits?.["budget_tokens"];
    const isKnown = limits?.["tokens"] === memory.tokens.id && how.strategy === "covering_summaries_v1";
    return isKnown && typeof budget === "number" && budget > 0 && budget <= MOST_TOKENS ? budget : undefined;
  }
  if (how.compiler_id !== REFERENCE_COMPILER) return undefined;
  const rules = Object.entries(REFERENCE_STRATEGIES).find(([name]) => name === how.strategy)?.[1];
  if (rules === undefined || limits?.["recent_messages"] !== rules.most_messages) return undefined;
  // Not a budget: these strategies have none.
  return limits["summary_refs"] === rules.most_summaries ? 0 : undefined;
}
