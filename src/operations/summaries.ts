import { defineOperation } from "./operation.ts";
import { dropInput, ledgerInput, pendingInput, submitInput, summariesRunInput } from "../summaries/run/inputs.ts";

const pending = defineOperation({
  name: "summaries.pending",
  command: ["summaries", "pending"],
  summary: "Summaries that an agent may write",
  description:
    "Lists what a model could summarise better than the built-in summarizer: for each the prompt, the sources with secrets replaced, the budget, and what must be kept. " +
    "Sends nothing anywhere. Answer one with `heartwood summaries submit`.",
  input: pendingInput,
  examples: ["heartwood summaries pending", "heartwood summaries pending --open --json"],
  effect: "reads",
  run: async (memory, input, call) => (await import("../summaries/run/jobs.ts")).readPending(memory, input, call),
});

const submit = defineOperation({
  name: "summaries.submit",
  command: ["summaries", "submit"],
  summary: "Check and record a summary for a job",
  description:
    "Checks the answer to a job (sections, budget, entries that must be kept, secrets, inventions) and records it; the next `heartwood compact` uses it. " +
    "A refused answer is kept aside with the reasons, and the built-in summary stands. Exit status 1 when it is refused.",
  input: submitInput,
  examples: ["heartwood summaries submit daily-2026-03-15-9f2c1f3a --file summary.md --by claude-code"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../summaries/run/jobs.ts")).submitAnswer(memory, input, call),
  outcomeOf: (result) => (result.state === "refused" ? "findings" : "done"),
});

const run = defineOperation({
  name: "summaries.run",
  command: ["summaries", "run"],
  summary: "Ask the configured model for summaries, within the budgets",
  description:
    "Sends at most one request for a daily, a weekly and a monthly node, for ROOT.md and for a thread to the model of your own settings, checks and records the answers, and brings the tree up to date. " +
    "Nothing goes out without such a setting; --dry-run tells what would go out and an estimate of its tokens.",
  input: summariesRunInput,
  examples: ["heartwood summaries run --dry-run", "heartwood summaries run"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../summaries/run/run.ts")).runSummaries(memory, input, call),
  outcomeOf: (result) => (result.requests.some(({ outcome }) => outcome === "failed") ? "failed" : "done"),
});

const ledger = defineOperation({
  name: "summaries.ledger",
  command: ["summaries", "ledger"],
  summary: "What was asked of a model, and what it cost",
  description: "Totals by day, and each request with its outcome, the newest first.",
  input: ledgerInput,
  examples: ["heartwood summaries ledger", "heartwood summaries ledger --since 2026-03-01 --json"],
  effect: "reads",
  run: async (memory, input) => (await import("../summaries/run/ledger.ts")).readLedger(memory, input),
});

const drop = defineOperation({
  name: "summaries.drop",
  command: ["summaries", "drop"],
  summary: "Set an accepted summary aside",
  description:
    "The answer is kept, and no longer used: the next `heartwood compact` puts the built-in summary back where the node is not fixed.",
  input: dropInput,
  examples: ["heartwood summaries drop daily-2026-03-15-9f2c1f3a"],
  effect: "writes",
  run: async (memory, input) => (await import("../summaries/run/jobs.ts")).dropAnswer(memory, input),
});

export const summariesOperations = [pending, submit, run, ledger, drop] as const;
