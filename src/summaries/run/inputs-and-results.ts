import { choice, file, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";
import type { Warning } from "../../base/errors.ts";
import type { LedgerLine } from "../../tree/answers/ledger.ts";
import type { AnswerFinding, SummaryKind, AskedRequest } from "../../tree/answers/record.ts";

const kinds = ["daily", "weekly", "monthly", "root", "thread"] as const;
const kind = () => optional(choice(kinds, "KIND", "only summaries of this kind"));
const job = () => text("JOB", "the job's id, from `heartwood summaries pending`", { place: "argument" });

export const pendingInput = () =>
  object({
    open: flag("include nodes whose period is not over"),
    kind: kind(),
    limit: optional(whole(1, 1000, "list at most N jobs (default: 10)")),
    job: optional(text("JOB", "only this job")),
  });
export type PendingInput = ValueOf<ReturnType<typeof pendingInput>>;

export const submitInput = () =>
  object({
    job: job(),
    file: file("the answer, in Markdown"),
    by: optional(text("NAME", "who wrote it")),
  });
export type SubmitInput = ValueOf<ReturnType<typeof submitInput>>;

export const summariesRunInput = () =>
  object({ dry_run: flag("show what would be sent, and send nothing"), kind: kind() });
export type SummariesRunInput = ValueOf<ReturnType<typeof summariesRunInput>>;

export const ledgerInput = () =>
  object({
    since: optional(text("DATE", "from this day on (default: 30 days ago)")),
    limit: optional(whole(1, 10_000, "list at most N requests (default: 50)")),
  });
export type LedgerInput = ValueOf<ReturnType<typeof ledgerInput>>;

export const dropInput = () => object({ job: job() });
export type DropInput = ValueOf<ReturnType<typeof dropInput>>;

/** A request that an agent can answer. */
export interface SummaryJob {
  /** `daily-2026-03-15-9f2c1f3a` */
  readonly job_id: string;
  readonly kind: SummaryKind;
  /** The label of a node, or `ROOT`; `null` for a thread. */
  readonly period: string | null;
  readonly cut: { readonly thread_id: string; readonly to_seq: number; readonly to_message_id: string | null } | null;
  readonly prompt: string;
  /** Redacted and filtered. */
  readonly sources: readonly { readonly name: string; readonly text: string }[];
  /** Maximum o200k tokens in the answer. */
  readonly budget_tokens: number;
  readonly must_keep: readonly { readonly topic: string; readonly type: string; readonly text: string }[];
  readonly digest: string;
  /** `open`: the period is not over, or a child is not fixed. `fixed`: an answer is only stored, for use by `--reopen`. */
  readonly state: "open" | "due" | "fixed";
  /** o200k tokens in the prompt, including the sources. */
  readonly tokens: number;
  readonly left_out_lines: number;
  /** Codes of the most recently refused answer, if any. */
  readonly refused: readonly string[];
}

export interface PendingResult {
  readonly jobs: readonly SummaryJob[];
  readonly hidden: {
    /** Nodes that `--open` would include. */
    readonly open: number;
    /** Jobs beyond the limit. */
    readonly over_limit: number;
  };
  readonly warnings: readonly Warning[];
  readonly next: string;
}

export interface SubmitResult {
  readonly job_id: string;
  /** `known`: an answer was already accepted for this job, so nothing was written. */
  readonly state: "accepted" | "refused" | "known";
  readonly findings: readonly AnswerFinding[];
  /** Path of the record; `null` if nothing was written. */
  readonly path: string | null;
  /** Whether the node is fixed, so that only a reopen uses the answer. */
  readonly late: boolean;
  readonly next: string;
}

export interface SummariesRunResult {
  readonly dry_run?: true;
  readonly requests: readonly AskedRequest[];
  readonly spent: Spent;
  readonly budgets: Budgets;
  readonly warnings: readonly Warning[];
  readonly next: string;
}

/** Spending of today. */
export interface Spent {
  readonly requests: number;
  readonly tokens: number;
}

/** The spending limits, after narrowing by the project's configuration. */
export interface Budgets {
  readonly max_requests_per_run: number;
  readonly max_requests_per_day: number;
  readonly max_tokens_per_day: number;
}

/** A line of the ledger. `job_id`: the id for `submit` and `drop`, if the line is about a request. */
export interface LedgerEntry extends LedgerLine {
  readonly job_id?: string;
}

export interface LedgerResult {
  readonly days: readonly (Spent & {
    readonly day: string;
    readonly accepted: number;
    readonly refused: number;
    readonly failed: number;
    readonly submitted: number;
  })[];
  /** Newest first. */
  readonly lines: readonly LedgerEntry[];
  readonly spent: Spent;
  readonly budgets: Budgets;
  /** Lines in the file that could not be read. */
  readonly torn: number;
}

export interface DropResult {
  readonly job_id: string;
  readonly path: string;
  readonly next: string;
}

/** The part of `status` about summaries written by a model. */
export interface SummariesStatus {
  readonly adapter: string;
  readonly model: string | null;
  /** The number of jobs `summaries pending` lists: nodes, `ROOT.md` and threads. */
  readonly pending: number;
  /** Nodes that would be fixed but are waiting for an answer. */
  readonly waiting: readonly {
    readonly path: string;
    readonly runs: number;
    readonly since: string | null;
    /** The node is fixed from this day on, regardless of the number of runs. */
    readonly until: string | null;
  }[];
  /** Fixed nodes with a stored answer that was not used. */
  readonly late: readonly { readonly path: string; readonly reopen: string }[];
  /** Refused answers that no accepted answer has replaced. */
  readonly refused: number;
  readonly spent: Spent;
  readonly budgets: Budgets | null;
  /** The model that chooses among nodes for recall, and its budgets; absent if none is configured. `spent` covers both. */
  readonly chooser?: { readonly model: string; readonly budgets: Budgets };
}
