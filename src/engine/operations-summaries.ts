import { checked } from "./checked.ts";
import type { Field } from "./operation.ts";
import type * as R from "./summaries/results.ts";

const kinds = ["daily", "weekly", "monthly", "root", "thread"];

const kind: Field = {
  name: "kind",
  kind: { kind: "choice", values: kinds },
  placeholder: "KIND",
  summary: "only summaries of this kind",
};

const job: Field = {
  name: "job",
  kind: { kind: "text" },
  place: "argument",
  presence: "required",
  placeholder: "JOB",
  summary: "the job, as `heartwood summaries pending` names it",
};

const pending = checked<R.PendingInput, R.PendingResult>({
  name: "summaries.pending",
  command: ["summaries", "pending"],
  summary: "Summaries that an agent may write",
  description:
    "Lists what a model could summarise better than the built-in summarizer: for each the prompt, the sources with secrets replaced, the budget, and what must be kept. " +
    "Sends nothing anywhere. Answer one with `heartwood summaries submit`.",
  fields: [
    { name: "open", kind: { kind: "flag" }, summary: "also nodes whose period is not over" },
    kind,
    {
      name: "limit",
      kind: { kind: "integer", min: 1, max: 1000 },
      placeholder: "N",
      summary: "at most N jobs (default: 10)",
    },
    { name: "job", kind: { kind: "text" }, placeholder: "JOB", summary: "this job alone" },
  ],
  examples: ["heartwood summaries pending", "heartwood summaries pending --open --json"],
  effect: "reads",
  run: async (memory, input, call) => (await import("./summaries/pending.ts")).readPending(memory, input, call),
});

const submit = checked<R.SubmitInput, R.SubmitResult>({
  name: "summaries.submit",
  command: ["summaries", "submit"],
  summary: "Check and record a summary for a job",
  description:
    "Checks the answer to a job (sections, budget, entries that must be kept, secrets, inventions) and records it; the next `heartwood compact` uses it. " +
    "A refused answer is kept aside with the reasons, and the built-in summary stands. Exit status 1 when it is refused.",
  fields: [
    job,
    {
      name: "file",
      kind: { kind: "file" },
      presence: "required",
      placeholder: "FILE",
      summary: "the answer, Markdown; - for standard input",
    },
    { name: "by", kind: { kind: "text" }, placeholder: "NAME", summary: "who wrote it" },
  ],
  examples: ["heartwood summaries submit daily-2026-03-15-9f2c1f3a --file summary.md --by claude-code"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./summaries/submit.ts")).submitAnswer(memory, input, call),
  outcomeOf: (result) => (result.state === "refused" ? "findings" : "done"),
});

const run = checked<R.SummariesRunInput, R.SummariesRunResult>({
  name: "summaries.run",
  command: ["summaries", "run"],
  summary: "Ask the configured model for summaries, within the budgets",
  description:
    "Sends at most one request for a daily, a weekly and a monthly node, for ROOT.md and for a thread to the model of your own settings, checks and records the answers, and brings the tree up to date. " +
    "Nothing goes out without such a setting; --dry-run tells what would go out and an estimate of its tokens.",
  fields: [{ name: "dry_run", kind: { kind: "flag" }, summary: "tell what would go out, send nothing" }, kind],
  examples: ["heartwood summaries run --dry-run", "heartwood summaries run"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./summaries/run.ts")).runSummaries(memory, input, call),
  outcomeOf: (result) => (result.requests.some(({ outcome }) => outcome === "failed") ? "failed" : "done"),
});

const ledger = checked<R.LedgerInput, R.LedgerResult>({
  name: "summaries.ledger",
  command: ["summaries", "ledger"],
  summary: "What was asked of a model, and what it cost",
  description: "Totals by day, and each request with its outcome, the newest first.",
  fields: [
    { name: "since", kind: { kind: "text" }, placeholder: "DATE", summary: "from that day on (default: 30 days)" },
    {
      name: "limit",
      kind: { kind: "integer", min: 1, max: 10_000 },
      placeholder: "N",
      summary: "at most N lines (default: 50)",
    },
  ],
  examples: ["heartwood summaries ledger", "heartwood summaries ledger --since 2026-03-01 --json"],
  effect: "reads",
  run: async (memory, input) => (await import("./summaries/ledger.ts")).readLedger(memory, input),
});

const drop = checked<R.DropInput, R.DropResult>({
  name: "summaries.drop",
  command: ["summaries", "drop"],
  summary: "Set an accepted summary aside",
  description:
    "The answer is kept, and no longer used: the next `heartwood compact` puts the built-in summary back where the node is not fixed.",
  fields: [job],
  examples: ["heartwood summaries drop daily-2026-03-15-9f2c1f3a"],
  effect: "writes",
  run: async (memory, input) => (await import("./summaries/submit.ts")).dropAnswer(memory, input),
});

export const summariesOperations = [pending, submit, run, ledger, drop] as const;
