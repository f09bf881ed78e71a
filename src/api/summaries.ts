import type * as Wire from "../summaries/run/results.ts";
import type { SummaryKind } from "../tree/answers/record.ts";
import type { CallOptions, TextInput } from "./call.ts";
import type { Camel } from "./wire.ts";

/** Summaries by a model. Opt-in: nothing is sent unless you configure a model. */
export interface Summaries {
  /**
   * Lists what a model could summarize better than the built-in summarizer, each with its prompt and its sources, secrets replaced. Sends nothing.
   * Operation: `summaries.pending`. Errors: `job_not_found`, `job_stale`, `invalid_config`.
   */
  pending(options?: PendingOptions): Promise<PendingResult>;
  /**
   * Checks an answer to a job, Markdown, and records it; the next `compact` uses it. A refused answer is a result with the reasons, not an error.
   * Operation: `summaries.submit`. Errors: `job_not_found`, `job_stale`, `invalid_body`.
   */
  submit(job: string, answer: TextInput, options?: SubmitOptions): Promise<SubmitResult>;
  /**
   * Asks the configured model within the budgets, checks and records the answers, and brings the tree up to date. A faulty
   * answer is a result, not an error.
   * Operation: `summaries.run`. Errors: `invalid_config`.
   */
  run(options?: SummariesRunOptions): Promise<SummariesRunResult>;
  /** Lists requests to the model, with time, outcome and cost. Operation: `summaries.ledger`. Errors: `invalid_date`, `invalid_config`. */
  ledger(options?: LedgerOptions): Promise<LedgerResult>;
  /**
   * Sets an accepted answer aside; the next `compact` restores the built-in summary where the node is not fixed.
   * Operation: `summaries.drop`. Errors: `job_not_found`, `artifact_damaged`.
   */
  drop(job: string, options?: CallOptions): Promise<DropResult>;
}

export interface PendingOptions extends CallOptions {
  /** Include nodes whose period is not over. Default `false`. */
  readonly open?: boolean;
  /** Only summaries of this kind. */
  readonly kind?: SummaryKind;
  /** 1 to 1,000 jobs. Default 10. */
  readonly limit?: number;
  /** Only this job. */
  readonly job?: string;
}

export interface SubmitOptions extends CallOptions {
  /** Who wrote it: one line, at most 96 characters. */
  readonly by?: string;
}

export interface SummariesRunOptions extends CallOptions {
  /** Show what would be sent, send nothing. Default `false`. */
  readonly dryRun?: boolean;
  /** Only summaries of this kind. */
  readonly kind?: SummaryKind;
}

export interface LedgerOptions extends CallOptions {
  /** YYYY-MM-DD. Default: the last 30 days. */
  readonly since?: string;
  /** 1 to 10,000 lines. Default 50. */
  readonly limit?: number;
}

export interface PendingResult extends Camel<Wire.PendingResult> {}
export interface SummaryJob extends Camel<Wire.SummaryJob> {}
export interface SubmitResult extends Camel<Wire.SubmitResult> {}
export interface SummariesRunResult extends Camel<Wire.SummariesRunResult> {}
export interface LedgerResult extends Camel<Wire.LedgerResult> {}
export interface DropResult extends Camel<Wire.DropResult> {}
