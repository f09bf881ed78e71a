import { type Checkpoint, MANUAL_RULE } from "../plan/thread-state.ts";
import { MemoryError } from "../../base/errors.ts";
import { strideOfRule, type Fault, faultOf } from "../plan/judge-frame.ts";
import { blockOfRule } from "../plan/ladder.ts";
import { parseSummary, type SummaryArtifact } from "../model/summary.ts";
import type { Replay } from "./replay.ts";
import { type Frame, recordOf } from "../model/frame.ts";
import {
  COVERING_COMPILER,
  MOST_MESSAGES,
  MOST_SUMMARIES,
  REFERENCE_COMPILER,
} from "../compile/reference-strategies.ts";
import { compileBundle, type BundleRequest } from "../compile/compile.ts";
import type { Strategy } from "../run/inputs.ts";

/** A readable summary, without its text. */
export interface MadeSummary {
  readonly checkpoint: Checkpoint;
  readonly summary: SummaryArtifact;
}

/** Checks that every artifact named by a frame exists, matches its digest and covers what the frame says. Returns the summaries that pass. */
export async function verifyArtifacts(replay: Replay): Promise<readonly MadeSummary[]> {
  const { findings, threadId } = replay;
  const summaries: MadeSummary[] = [];
  for (const checkpoint of replay.thread.checkpoints) {
    replay.refuseAborted();
    const { artifact_id, seq } = checkpoint;
    const bytes = await readArtifact(replay, { seq, id: artifact_id, severity: severityOf(replay, checkpoint) });
    if (bytes === undefined) continue;
    const summary = parseSummary(bytes);
    if ("fault" in summary) {
      findings.add(seq, faultOf("invalid_artifact", `Artifact ${artifact_id} is not a summary: ${summary.fault}.`));
      continue;
    }
    const differences = coverageDifferences(checkpoint, summary, threadId);
    for (const difference of differences)
      findings.add(seq, faultOf("coverage_mismatch", `Artifact ${artifact_id} ${difference}.`));
    if (differences.length === 0) summaries.push({ checkpoint, summary: { ...summary, summary_markdown: "" } });
  }
  for (const { fields, seq } of [...replay.compiled, ...replay.handoffs]) {
    const id = fields["bundle_artifact_id"] ?? fields["summary_artifact_id"];
    if (typeof id !== "string") continue;
    const isOurs = fields["compiler_id"] === undefined || String(fields["compiler_id"]).startsWith("heartwood");
    await readArtifact(replay, { seq, id, severity: isOurs ? "warning" : "info" });
  }
  return summaries;
}

/** The bytes of an artifact named by a frame; `undefined` after adding a finding. `severity`: used if it is missing. */
async function readArtifact(
  { memory, findings }: Replay,
  { seq, id, severity }: { readonly seq: number; readonly id: string; readonly severity: Fault["severity"] },
): Promise<Uint8Array | undefined> {
  try {
    const bytes = await memory.artifacts.get(id);
    if (bytes === undefined) findings.add(seq, faultOf("artifact_missing", `Artifact ${id} is missing.`, severity));
    return bytes;
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    findings.add(seq, faultOf(error.code, error.message));
    return undefined;
  }
}

/** A foreign log may come without its artifacts, but those that we made or recorded must exist. */
function severityOf({ makers }: Replay, { checkpoint_id, cut_rule_id }: Checkpoint): Fault["severity"] {
  const isKnown =
    cut_rule_id === MANUAL_RULE || strideOfRule(cut_rule_id) !== undefined || blockOfRule(cut_rule_id) !== undefined;
  return isKnown && makers.get(checkpoint_id) !== null ? "warning" : "info";
}

function coverageDifferences(
  checkpoint: Checkpoint,
  { kind, coverage }: SummaryArtifact,
  threadId: string,
): readonly string[] {
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
    .map(([name, said, expected]) => `has ${name} ${String(said)}, but its frame has ${String(expected)}`);
}

/** Compiles every recorded context again at its anchor and compares the ids. */
export async function verifyBundles(replay: Replay): Promise<void> {
  const { memory, findings } = replay;
  if (!replay.isWhole) return;
  for (const frame of replay.compiled) {
    replay.refuseAborted();
    const request = await requestOf(replay, frame);
    if (request === undefined) {
      const compiler = `${String(frame.fields["compiler_id"])} ${String(frame.fields["compiler_strategy"])}`;
      const message = `The context was compiled by ${compiler} with different limits.`;
      findings.add(frame.seq, faultOf("rule_older", message, "info"));
      continue;
    }
    const { artifact_id } = await compileBundle(memory, request);
    const was = String(frame.fields["bundle_artifact_id"]);
    if (artifact_id === was) continue;
    // An artifact that is unreadable now may have been readable then.
    const severity = findings.list().some(({ code }) => code.startsWith("artifact_")) ? "warning" : "error";
    const message = `The context is ${was}; compiled again, it is ${artifact_id}.`;
    findings.add(frame.seq, faultOf("not_reproducible", message, severity));
  }
}

/** The request recorded for a compiled context; `undefined` if this program did not compile it. */
export async function requestOf(
  replay: Pick<Replay, "memory" | "selections">,
  frame: Frame,
): Promise<BundleRequest | undefined> {
  const { compiler_strategy, from_seq: seq, run_session_id, actor_id, origin } = frame.fields;
  const head = await replay.memory.threads.head(frame.thread_id);
  const budget = budgetOf(replay, frame);
  if (head === undefined || budget === undefined || typeof seq !== "number" || seq >= frame.seq) return undefined;
  const by = { run_session_id: String(run_session_id), actor_id: String(actor_id), origin: String(origin) };
  return { anchor: { head, seq }, strategy: compiler_strategy as Strategy, budget, ...by };
}

const MOST_TOKENS = 1_000_000;

function budgetOf(
  { memory, selections }: Pick<Replay, "memory" | "selections">,
  { seq, fields }: Frame,
): number | undefined {
  const limits = recordOf(selections.get(seq)?.fields["limits"]);
  const { compiler_id, compiler_strategy: strategy } = fields;
  if (compiler_id === COVERING_COMPILER) {
    const budget = limits["budget_tokens"];
    const isKnown = limits["tokens"] === memory.tokens.id && strategy === "covering_summaries_v1";
    return isKnown && typeof budget === "number" && budget > 0 && budget <= MOST_TOKENS ? budget : undefined;
  }
  const most = Object.entries(MOST_SUMMARIES).find(([name]) => name === strategy)?.[1];
  if (compiler_id !== REFERENCE_COMPILER || most === undefined) return undefined;
  const isKnown = limits["recent_messages"] === MOST_MESSAGES && limits["summary_refs"] === most;
  // These strategies have no budget.
  return isKnown ? 0 : undefined;
}
