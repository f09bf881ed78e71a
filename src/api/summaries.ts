import type * as Wire from "../summaries/run/inputs-and-results.ts";
import type * as Input from "../summaries/run/inputs-and-results.ts";
import type { CallOptions, TextInput } from "./call.ts";
import type { Camel, OptionsOf } from "./wire.ts";

/** Summaries written by a model. Opt-in: nothing is sent unless you configure a model. */
export interface Summaries {
  /**
   * Lists the summaries that a model can still improve on, each as a job with its prompt and sources, secrets redacted. Sends nothing.
   * Operation: `summaries.pending`. Errors: `job_not_found`, `job_stale`, `invalid_config`.
   */
  pending(options?: PendingOptions): Promise<PendingResult>;
  /**
   * Checks a Markdown answer to a job and records it; the next `compact` uses it. A refused answer is returned with the reasons, not thrown.
   * Operation: `summaries.submit`. Errors: `job_not_found`, `job_stale`, `invalid_body`.
   */
  submit(job: string, answer: TextInput, options?: SubmitOptions): Promise<SubmitResult>;
  /**
   * Sends jobs to the configured model within the budgets, checks and records the answers, and brings the tree up to date. A faulty
   * answer is reported in the result, not thrown.
   * Operation: `summaries.run`. Errors: `invalid_config`.
   */
  run(options?: SummariesRunOptions): Promise<SummariesRunResult>;
  /** Lists requests to the model, with time, outcome and cost. Operation: `summaries.ledger`. Errors: `invalid_date`, `invalid_config`. */
  ledger(options?: LedgerOptions): Promise<LedgerResult>;
  /**
   * Drops an accepted answer; the next `compact` restores the built-in summary unless the node is fixed.
   * Operation: `summaries.drop`. Errors: `job_not_found`, `artifact_damaged`.
   */
  drop(job: string, options?: CallOptions): Promise<DropResult>;
}

export interface PendingOptions extends CallOptions, OptionsOf<Input.PendingInput> {}

export interface SubmitOptions extends CallOptions, OptionsOf<Input.SubmitInput, "job" | "file"> {}

export interface SummariesRunOptions extends CallOptions, OptionsOf<Input.SummariesRunInput> {}

export interface LedgerOptions extends CallOptions, OptionsOf<Input.LedgerInput> {}

export interface PendingResult extends Camel<Wire.PendingResult> {}
export interface SummaryJob extends Camel<Wire.SummaryJob> {}
export interface SubmitResult extends Camel<Wire.SubmitResult> {}
export interface SummariesRunResult extends Camel<Wire.SummariesRunResult> {}
export interface LedgerResult extends Camel<Wire.LedgerResult> {}
export interface DropResult extends Camel<Wire.DropResult> {}
