import { redact } from "../../text/redact/redact.ts";
import type { Cut } from "../plan/cut-points.ts";
import { recordOf } from "./frame.ts";
import { LADDER_RULE } from "../plan/ladder.ts";

/** Job kinds: cumulative summaries at cuts, and the rungs of the ladder. */
export const SUMMARIZER_JOB = "compaction_summarizer_v1";
export const LADDER_JOB = "compaction_ladder_v1";

/** Who appends, and the surface it comes from. Frames have the fields in this order. */
export interface Actor {
  readonly actor_id: string;
  readonly origin: string;
}

/** Everything that shapes the summaries of a job, as its frame records it. */
export interface SummarizerDetails {
  readonly schema: "rip.job.compaction_summarizer.v1";
  readonly cut_rule_id: string;
  readonly stride_messages: number;
  /** The latest first. */
  readonly planned: readonly Cut[];
  readonly base_summary_artifact_id: string | null;
  /** The id of the summarizer. */
  readonly summarizer: string;
}

/** Everything that shapes the rungs of a job: those that a thread of this weight needs. */
export interface LadderDetails {
  readonly schema: "heartwood.job.compaction_ladder.v1";
  readonly ladder: typeof LADDER_RULE;
  readonly weight: number;
  readonly summarizer: string;
}

/** A checkpoint as a job reports it. */
export interface Created {
  readonly checkpoint_id: string;
  readonly summary_artifact_id: string;
  readonly to_seq: number;
  readonly to_message_id: string;
  readonly cut_rule_id: string;
}

/** What `details` of a spawned job records; `undefined` when it is not in the form that this program runs. */
export function summarizerDetails(details: unknown): SummarizerDetails | undefined {
  const {
    cut_rule_id,
    stride_messages,
    summarizer,
    base_summary_artifact_id: base = null,
    planned,
  } = recordOf(details);
  if (typeof cut_rule_id !== "string" || typeof stride_messages !== "number" || typeof summarizer !== "string")
    return undefined;
  if (!Array.isArray(planned) || !planned.every(isCut)) return undefined;
  if (base !== null && typeof base !== "string") return undefined;
  const schema = "rip.job.compaction_summarizer.v1";
  return { schema, cut_rule_id, stride_messages, planned, base_summary_artifact_id: base, summarizer };
}

export function ladderDetails(details: unknown): LadderDetails | undefined {
  const { ladder, weight, summarizer } = recordOf(details);
  if (ladder !== LADDER_RULE || !Number.isSafeInteger(weight) || typeof summarizer !== "string") return undefined;
  return { schema: "heartwood.job.compaction_ladder.v1", ladder, weight: weight as number, summarizer };
}

/** The error of a job whose lease expired. */
export const LEASE_ERROR = "lease: its runner was silent for longer than it may be, so the job counts as failed";

/** The sentence that a failed job records, without secrets. */
export function errorSentence(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)).text;
}

function isCut(value: unknown): value is Cut {
  const { target_message_ordinal, to_seq, to_message_id } = recordOf(value);
  return (
    Number.isSafeInteger(target_message_ordinal) && Number.isSafeInteger(to_seq) && typeof to_message_id === "string"
  );
}
