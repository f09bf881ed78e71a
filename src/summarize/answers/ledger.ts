import type { SummaryKind } from "./request.ts";

/** What was asked for: a summary, or a choice among nodes for recall. */
export type LedgerKind = SummaryKind | "choice";

/** One line of the ledger, see docs/formats/summaries.md. */
export interface LedgerLine {
  readonly at: string;
  /** The local day that it counts for. */
  readonly day: string;
  readonly event: "asked" | "answered" | "failed" | "submitted" | "dropped" | "waited";
  readonly kind: LedgerKind;
  readonly label: string;
  readonly digest?: string;
  readonly model?: string;
  /** `asked`: the most that it can cost. `answered`, `failed`: what it cost. */
  readonly tokens?: number;
  readonly requests?: number;
  readonly outcome?: "accepted" | "refused";
  readonly codes?: readonly string[];
  readonly code?: string;
  readonly message?: string;
}
