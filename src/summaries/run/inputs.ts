import { choice, file, flag, object, optional, text, whole, type ValueOf } from "../../base/schema.ts";

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
