import { captureInput, historyInput } from "../agents/capture/inputs.ts";
import { defineOperation } from "./operation.ts";
import { threadOperations } from "./threads.ts";
import { treeOperations } from "./tree.ts";
import { readInput, nothing } from "../tree/inputs.ts";
import { indexInput, recallInput, searchInput } from "../recall/search/inputs.ts";
import { auditInput, auditUndoInput } from "../audit/run/inputs.ts";
import { dropInput, ledgerInput, pendingInput, submitInput, summariesRunInput } from "../summaries/run/inputs.ts";

const search = defineOperation({
  name: "memory.search",
  command: ["search"],
  summary: "Find words in everything that is remembered",
  description:
    'Finds words, "phrases" and beginnings* in logs, nodes, knowledge and threads, best first, with the place of each. ' +
    "Days in the query (last week, in March, 2026-03) narrow it; days alone list what is newest. +word must be there, -word must not. " +
    "A query that begins with - goes behind --.",
  input: searchInput,
  examples: [
    'heartwood search "token bucket"',
    "heartwood search 'limiter +payments since 2026-03-02' --explain",
    "heartwood search --in raw,nodes --json -- '-draft \"release notes\"'",
  ],
  effect: "reads",
  run: async (memory, input, call) => (await import("../recall/search/search.ts")).runSearch(memory, input, call),
});

const recall = defineOperation({
  name: "memory.recall",
  command: ["recall"],
  summary: "What the memory holds that bears on a message",
  description:
    "Brings passages that bear on what the user just said, best first, within a budget of tokens: what ROOT.md knows, followed to its lines; " +
    "nodes; and what was said in other words. Each has its date, place, type and age. It answers nothing; it hands over context.",
  input: recallInput,
  examples: ['heartwood recall "Which limiter did we take for payments?"'],
  effect: "reads",
  run: async (memory, input, call) => (await import("../recall/run/recall.ts")).runRecall(memory, input, call),
});

const index = defineOperation({
  name: "memory.index",
  command: ["index"],
  summary: "Bring the search index up to date",
  description:
    "Indexes what is new or changed. The index is a cache under .heartwood/search/: deleting it loses nothing. Queries also bring it up to date, a bit at a time.",
  input: indexInput,
  examples: ["heartwood index", "heartwood index --rebuild"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../recall/index/run-index.ts")).runIndex(memory, input, call),
});

const read = defineOperation({
  name: "memory.read",
  command: ["read"],
  summary: "Print a day, or the lines at a place that search or recall names",
  description:
    "Prints a day, lines of a log, a node, a file of knowledge, MEMORY.md or USER.md, or messages of a thread, with secrets replaced, at most 32,000 characters at a time. " +
    "A day, a week, a month or ROOT is its node; a day without a node is its log. memory/2026-03-15.md is the whole log of that day.",
  input: readInput,
  examples: ["heartwood read memory/2026-03-05.md:1-8", "heartwood read 2026-03-05"],
  effect: "reads",
  run: async (memory, input) => (await import("../recall/read/read.ts")).readRemembered(memory, input),
});

const undo = defineOperation({
  name: "audit.undo",
  command: ["audit", "undo"],
  summary: "Take back an audit: every file byte for byte as it was",
  description:
    "Puts back what an audit with --apply changed, the newest by default. What was logged into a note since stays behind its old lines. A file that was changed otherwise stays as it is and is reported, with the place of its old bytes.",
  input: auditUndoInput,
  examples: ["heartwood audit undo"],
  effect: "writes",
  run: async (memory, input) => (await import("../audit/run/undo.ts")).undoAudit(memory, input),
  outcomeOf: (result) => (result.complete ? "done" : "findings"),
});

const history = defineOperation({
  name: "audit.history",
  command: ["audit", "history"],
  summary: "What audits changed, and what can be taken back",
  description: "Lists the audits that changed something, the newest first, with each file and what became of it since.",
  input: nothing,
  examples: ["heartwood audit history"],
  effect: "reads",
  run: async (memory) => (await import("../audit/run/history.ts")).readAuditHistory(memory),
});

const audit = defineOperation({
  name: "audit.run",
  command: ["audit"],
  summary: "Find repeats and bloat in MEMORY.md and the notes; --apply mends",
  description:
    "Measures MEMORY.md and its sections, finds what notes repeat of it, repeated lines, bloated notes, secrets and broken references. Writes nothing unless " +
    "--apply is given; then copies of what MEMORY.md says leave the notes, and with --aggressive repeated lines leave MEMORY.md and large notes move to " +
    "memory/archive/. Nothing is lost: `heartwood audit undo` puts every byte back, and the tree stays as it is. Exit status 1 on a finding at or above --fail-on.",
  input: auditInput,
  examples: [
    "heartwood audit",
    "heartwood audit --aggressive",
    "heartwood audit --apply",
    "heartwood audit --fail-on medium --json",
  ],
  effect: "writes",
  run: async (memory, input, call) => (await import("../audit/run/run-audit.ts")).runAudit(memory, input, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

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
  run: async (memory, input) => (await import("../summaries/run/status.ts")).readLedger(memory, input),
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

const capture = defineOperation({
  name: "capture.run",
  command: ["capture"],
  summary: "Keep what is new in an agent's transcript",
  description:
    "Reads what a client wrote of a conversation since the last time: each message goes into the thread of its session, each turn that is over " +
    "into the log of the day on which that sitting began, with secrets replaced. The same row is never kept twice. Hooks call it.",
  input: captureInput,
  examples: ["heartwood capture claude-code", "heartwood capture claude-code session.jsonl --ended turn"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../agents/capture/run.ts")).runCapture(memory, input, call),
});

const importHistory = defineOperation({
  name: "capture.import",
  command: ["import"],
  summary: "Take over earlier conversations of an agent or an export",
  description:
    "Reads transcripts from their beginning: a file, what lies below a folder, or without a path every session that took place in this folder. " +
    "What is there already is passed over. ChatGPT and Claude.ai are read from the conversations.json of their export.",
  input: historyInput,
  examples: ["heartwood import codex --dry-run", "heartwood import chatgpt conversations.json"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../agents/capture/run.ts")).runImport(memory, input, call),
});

/** Everything heartwood can do. Surfaces render this table and nothing else. */
export const operations = [
  ...treeOperations,
  search,
  recall,
  index,
  read,
  audit,
  undo,
  history,
  pending,
  submit,
  run,
  ledger,
  drop,
  ...threadOperations,
  capture,
  importHistory,
] as const;

type Known = (typeof operations)[number];

/** The operation of that name, with the types of its input and its result. */
export function operation<Name extends Known["name"]>(name: Name): Extract<Known, { readonly name: Name }> {
  return operations.find((one) => one.name === name) as Extract<Known, { readonly name: Name }>;
}
