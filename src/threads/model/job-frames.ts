import { fields, isText, listOf, oneOf } from "../../base/json.ts";
import { redact } from "../../text/redact/redact.ts";
import type { Cut } from "../plan/thread-state.ts";
import { LADDER_RULE } from "../plan/ladder.ts";

/** Job kinds: cumulative summaries at cut points, and the rungs of the ladder. */
export const SUMMARIZER_JOB = "compaction_summarizer_v1";
export const LADDER_JOB = "compaction_ladder_v1";

/** Who appends, and from which surface. Frames print the fields in this order. */
export interface Actor {
  readonly actor_id: string;
  readonly origin: string;
}

/** Everything that determines the summaries of a job, as recorded in its frame. */
export interface SummarizerDetails {
  readonly schema: "rip.job.compaction_summarizer.v1";
  readonly cut_rule_id: string;
  readonly stride_messages: number;
  /** Newest first. */
  readonly planned: readonly Cut[];
  readonly base_summary_artifact_id: string | null;
  /** The id of the summarizer. */
  readonly summarizer: string;
}

/** Everything that determines the rungs of a job: it makes those that a thread of this weight needs. */
export interface LadderDetails {
  readonly schema: "heartwood.job.compaction_ladder.v1";
  readonly ladder: typeof LADDER_RULE;
  readonly weight: number;
  readonly summarizer: string;
}

/** A checkpoint, as reported by a job. */
export interface Created {
  readonly checkpoint_id: string;
  readonly summary_artifact_id: string;
  readonly to_seq: number;
  readonly to_message_id: string;
  readonly cut_rule_id: string;
}

const isSummarizer = fields({
  cut_rule_id: isText,
  stride_messages: (value) => typeof value === "number",
  planned: listOf(
    fields({ target_message_ordinal: Number.isSafeInteger, to_seq: Number.isSafeInteger, to_message_id: isText }),
  ),
  base_summary_artifact_id: (value) => (value ?? null) === null || isText(value),
  summarizer: isText,
});
const isLadder = fields({ ladder: oneOf([LADDER_RULE]), weight: Number.isSafeInteger, summarizer: isText });

/** The `details` recorded for a spawned job; `undefined` if this program cannot run them. */
export function summarizerDetails(details: unknown): SummarizerDetails | undefined {
  if (!isSummarizer(details)) return undefined;
  const recorded = details as SummarizerDetails;
  return { ...recorded, base_summary_artifact_id: recorded.base_summary_artifact_id ?? null };
}

export function ladderDetails(details: unknown): LadderDetails | undefined {
  return isLadder(details) ? (details as LadderDetails) : undefined;
}

/** The error recorded for a job whose lease expired. */
export const LEASE_ERROR = "lease: its runner was silent for too long, so the job counts as failed";

/** The error message recorded for a failed job, with secrets redacted. */
export function errorSentence(error: unknown): string {
  return redact(error instanceof Error ? error.message : String(error)).text;
}
