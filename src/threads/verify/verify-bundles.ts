import type { Frame } from "../model/frame.ts";
import { COVERING_COMPILER, REFERENCE_COMPILER, REFERENCE_STRATEGIES } from "../plan/strategies.ts";
import type { ThreadMemory } from "../memory.ts";
import { compileBundle, type BundleRequest } from "../compile/compile.ts";
import { faultOf } from "./findings.ts";
import type { Strategy } from "../run/inputs.ts";
import type { ArtifactRequest } from "./verify-artifacts.ts";
import { refuseAborted } from "./verify-replay.ts";

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
