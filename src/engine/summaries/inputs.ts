import type { SummaryKind } from "../../summarize/answers/request.ts";
import type { InputFile } from "../operation.ts";

/** Of `summaries pending`. */
export interface PendingInput {
  /** Also nodes whose period is not over, or whose children are not fixed. */
  readonly open?: boolean;
  readonly kind?: SummaryKind;
  /** Default 10; 1 to 1,000. */
  readonly limit?: number;
  /** This job alone. */
  readonly job?: string;
}

/** Of `summaries submit`. */
export interface SubmitInput {
  readonly job: string;
  readonly file: InputFile;
  /** Who answers: one line, at most 96 characters. */
  readonly by?: string;
}

/** Of `summaries run`. */
export interface SummariesRunInput {
  readonly dry_run?: boolean;
  readonly kind?: SummaryKind;
}

/** Of `summaries ledger`. */
export interface LedgerInput {
  /** A local day. Default: the last 30 days. */
  readonly since?: string;
  /** Lines. Default 50; 1 to 10,000. */
  readonly limit?: number;
}

/** Of `summaries drop`. */
export interface DropInput {
  readonly job: string;
}
