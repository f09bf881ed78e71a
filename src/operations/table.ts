import { captureInput, historyInput, replayInput } from "../agents/capture/inputs.ts";
import { changeOperations } from "./changes.ts";
import { defineOperation } from "./operation.ts";
import { reviewOperations } from "./review.ts";
import { storeOperations } from "./store.ts";
import { threadOperations } from "./threads.ts";
import { treeOperations } from "./tree.ts";
import { diffInput, forgetInput, nothing, pullRequestInput, readInput } from "../tree/inputs.ts";
import { indexInput, recallInput, searchInput } from "../recall/search/inputs-and-results.ts";
import { auditInput, auditUndoInput } from "../audit/model/finding.ts";
import {
  dropInput,
  ledgerInput,
  pendingInput,
  submitInput,
  summariesRunInput,
} from "../summaries/run/inputs-and-results.ts";

export const operations = [
  ...treeOperations,
  ...changeOperations,
  ...reviewOperations,
  defineOperation({
    name: "memory.search",
    command: ["search"],
    summary: "Find words anywhere in the memory",
    description:
      'Finds words, "phrases" and prefixes* in logs, nodes, knowledge and threads, best matches first, each with its place. ' +
      "Dates in the query (last week, in March, 2026-03) narrow the search; dates alone list the newest entries. +word requires a word, -word excludes it.",
    input: searchInput,
    examples: [
      'heartwood search "token bucket"',
      "heartwood search 'limiter +payments since 2026-03-02' --explain",
      "heartwood search --in raw,nodes --json -- '-draft \"release notes\"'",
    ],
    load: async () => (await import("../recall/search/search.ts")).runSearch,
  }),
  defineOperation({
    name: "memory.recall",
    command: ["recall"],
    summary: "Find passages relevant to a message",
    description:
      "Finds passages relevant to what the user just said and prints the best ones within a token budget. " +
      "Notes may say it in other words: give some with --also. " +
      "Searches ROOT.md and its source lines, nodes, and everything that was said. Each passage has its date, place, type and age. Provides context, not an answer. " +
      "--sessions ranks whole entries, conversations and notes instead.",
    input: recallInput,
    examples: [
      'heartwood recall "Which limiter did we choose for payments?"',
      'heartwood recall --also "couch, furniture, shipping" "When is the sofa delivered?"',
      'heartwood recall --sessions --limit 3 "Which limiter did we choose for payments?"',
    ],
    load: async () => (await import("../recall/run/recall.ts")).runRecall,
  }),
  defineOperation({
    name: "memory.index",
    command: ["index"],
    summary: "Bring the search index up to date",
    description:
      "Indexes what is new or changed. The index is a cache in .heartwood/search/ and can be deleted safely. Queries also update it, a little at a time.",
    input: indexInput,
    examples: ["heartwood index", "heartwood index --rebuild"],
    effect: "writes",
    load: async () => (await import("../recall/index/refresh.ts")).runIndex,
  }),
  defineOperation({
    name: "memory.read",
    command: ["read"],
    summary: "Print a day, or the lines at a place from search or recall",
    description:
      "Prints a day, log lines, a node, a knowledge file, MEMORY.md, USER.md or thread messages, with secrets replaced, at most 32,000 characters at a time. " +
      "A day, a week, a month or ROOT prints its node; a day without a node prints its log. memory/2026-03-15.md is the whole log of that day.",
    input: readInput,
    examples: ["heartwood read memory/2026-03-05.md:1-8", "heartwood read 2026-03-05"],
    load: async () => (await import("../recall/read/read.ts")).readRemembered,
  }),
  defineOperation({
    name: "memory.forget",
    command: ["forget"],
    summary: "Forget something for good, everywhere",
    description:
      "Erases lines, messages and titles of threads, and everything that was made from them: nodes, ROOT.md, summaries, the search index, archived copies, records of sessions. " +
      "Shows what would go and asks first. Nothing brings it back: not undo, not import, not capture. Prints what it cannot reach, such as commits and the clients' own transcripts.",
    exit: "Exit status 1 if a file that heartwood does not change still has the text, also in its name.",
    input: forgetInput,
    examples: ['heartwood forget "pg-stage-2" --dry-run', "heartwood forget --day 2026-03-05 --lines 3-4 --dry-run"],
    effect: "writes",
    load: async () => (await import("../forget/forget.ts")).runForget,
    outcomeOf: ({ state, left, names }) =>
      state === "planned" || left.length + names.length === 0 ? "done" : "findings",
  }),
  defineOperation({
    name: "memory.diff",
    command: ["diff"],
    summary: "Compare two versions of the memory: days, folders or git revisions",
    description:
      "Lists the topics that are new, changed or gone, with their days, and the lines added to and removed from ROOT.md. Each version is a day (what was known at its end), " +
      "a folder (./other) or a git branch, tag or commit. Where the tree was not committed, it is built in memory from the logs. Writes nothing.",
    input: diffInput,
    examples: ["heartwood diff 2026-03-01 2026-03-08", "heartwood diff main --json", "heartwood diff ../before ."],
    load: async () => (await import("../tree/versions/diff.ts")).readDiff,
  }),
  defineOperation({
    name: "memory.pr_comment",
    command: ["pr-comment"],
    summary: "Print what a branch changes in the memory, as Markdown for a pull request",
    description:
      "Prints what `heartwood diff` finds between HEAD and the commit at which it left BASE, as Markdown of at most 60,000 characters. Its first line is a hidden marker, by which a CI job finds the comment to update. " +
      "Text from the memory is in code, so nobody is mentioned.",
    input: pullRequestInput,
    examples: ["heartwood pr-comment", "heartwood pr-comment origin/main HEAD"],
    load: async () => (await import("../tree/versions/pr-comment.ts")).readPullRequestComment,
  }),
  defineOperation({
    name: "audit.run",
    command: ["audit"],
    summary: "Find repeats and bloat in MEMORY.md and the notes; --apply fixes them",
    description:
      "Measures MEMORY.md and its sections, and finds notes that repeat it, repeated lines, bloated notes, secrets and broken references. Writes nothing without " +
      "--apply, which removes from the notes what MEMORY.md already says; with --aggressive it also removes repeated lines from MEMORY.md and moves large notes to " +
      "memory/archive/. `heartwood audit undo` restores every byte, and the tree does not change.",
    exit: "Exit status 1 on a finding at or above --fail-on.",
    input: auditInput,
    examples: [
      "heartwood audit",
      "heartwood audit --aggressive",
      "heartwood audit --apply",
      "heartwood audit --fail-on medium --json",
    ],
    effect: "writes",
    load: async () => (await import("../audit/run/run-audit.ts")).runAudit,
    outcomeOf: (result) => (result.ok ? "done" : "findings"),
  }),
  defineOperation({
    name: "audit.undo",
    command: ["audit", "undo"],
    summary: "Undo an audit, byte for byte",
    description:
      "Restores what an applied audit changed, by default the newest. Entries logged to a note since then are kept after its restored lines. " +
      "A file that was changed in any other way is left alone and reported, with the place of its old bytes.",
    input: auditUndoInput,
    examples: ["heartwood audit undo"],
    effect: "writes",
    load: async () => (await import("../audit/run/undo.ts")).undoAudit,
    outcomeOf: (result) => (result.complete ? "done" : "findings"),
  }),
  defineOperation({
    name: "audit.history",
    command: ["audit", "history"],
    summary: "List past audits and what has changed since",
    description:
      "Lists the audits that changed something, newest first, with each changed file and whether it has changed since.",
    input: nothing,
    examples: ["heartwood audit history"],
    load: async () => (await import("../audit/run/history.ts")).readAuditHistory,
  }),
  defineOperation({
    name: "summaries.pending",
    command: ["summaries", "pending"],
    summary: "List summaries that an agent may write",
    description:
      "Lists what a model could summarize better than the built-in summarizer: for each job the prompt, the sources with secrets replaced, the budget, and what must be kept. " +
      "Sends nothing. Answer a job with `heartwood summaries submit`.",
    input: pendingInput,
    examples: ["heartwood summaries pending", "heartwood summaries pending --open --json"],
    load: async () => (await import("../summaries/run/jobs.ts")).readPending,
  }),
  defineOperation({
    name: "summaries.submit",
    command: ["summaries", "submit"],
    summary: "Check and record a summary for a job",
    description:
      "Checks the answer to a job (sections, budget, entries that must be kept, secrets, made-up facts) and records it; the next `heartwood compact` uses it. " +
      "A refused answer is set aside with the reasons, and the built-in summary stays in use.",
    exit: "Exit status 1 when the answer is refused.",
    input: submitInput,
    examples: ["heartwood summaries submit daily-2026-03-15-9f2c1f3a --file summary.md --by claude-code"],
    effect: "writes",
    load: async () => (await import("../summaries/run/jobs.ts")).submitAnswer,
    outcomeOf: (result) => (result.state === "refused" ? "findings" : "done"),
  }),
  defineOperation({
    name: "summaries.run",
    command: ["summaries", "run"],
    summary: "Ask the configured model for summaries, within the budgets",
    description:
      "Sends requests to the model in your own settings, at most one each for a daily, a weekly and a monthly node, ROOT.md and a thread; checks and records the answers, and brings the tree up to date. " +
      "Sends nothing unless you configured a model; --dry-run shows what would be sent and estimates its tokens.",
    input: summariesRunInput,
    examples: ["heartwood summaries run --dry-run", "heartwood summaries run"],
    effect: "writes",
    load: async () => (await import("../summaries/run/run.ts")).runSummaries,
    outcomeOf: (result) => (result.requests.some(({ outcome }) => outcome === "failed") ? "failed" : "done"),
  }),
  defineOperation({
    name: "summaries.ledger",
    command: ["summaries", "ledger"],
    summary: "List requests to the model, with outcome and cost",
    description: "Shows totals by day, and each request with its outcome, newest first.",
    input: ledgerInput,
    examples: ["heartwood summaries ledger", "heartwood summaries ledger --since 2026-03-01 --json"],
    load: async () => (await import("../summaries/run/status.ts")).readLedger,
  }),
  defineOperation({
    name: "summaries.drop",
    command: ["summaries", "drop"],
    summary: "Discard an accepted summary",
    description:
      "Stops using an accepted answer but keeps it on record: the next `heartwood compact` restores the built-in summary unless the node is fixed.",
    input: dropInput,
    examples: ["heartwood summaries drop daily-2026-03-15-9f2c1f3a"],
    effect: "writes",
    load: async () => (await import("../summaries/run/jobs.ts")).dropAnswer,
  }),
  ...threadOperations,
  ...storeOperations,
  defineOperation({
    name: "capture.run",
    command: ["capture"],
    summary: "Save what is new in an agent's transcript",
    description:
      "Reads what the agent has added to its transcript since the last capture: each message goes into the thread of its session, each finished turn " +
      "into the log of the day the session started, or resumed after a break of 6 hours or more. Secrets are replaced. Nothing is saved twice. Hooks call this command.",
    input: captureInput,
    examples: ["heartwood capture claude-code", "heartwood capture claude-code session.jsonl --ended turn"],
    effect: "writes",
    load: async () => (await import("../agents/capture/run.ts")).runCapture,
  }),
  defineOperation({
    name: "capture.import",
    command: ["import"],
    summary: "Import earlier conversations from an agent or an export",
    description:
      "Reads transcripts from the beginning: one file, all files in a folder, or, without a path, every session for this project folder. " +
      "Skips what is already there. For ChatGPT and Claude.ai, pass the conversations.json from the export.",
    input: historyInput,
    examples: ["heartwood import codex --dry-run", "heartwood import chatgpt conversations.json"],
    effect: "writes",
    load: async () => (await import("../agents/capture/run.ts")).runImport,
  }),
  defineOperation({
    name: "sessions.list",
    command: ["sessions"],
    summary: "List agent sessions and how much of the memory they were given",
    description:
      "Lists the sessions of agents in this folder with the number and size of the texts that hooks gave them. Records are kept for 30 days, up to 64 MB.",
    input: nothing,
    examples: ["heartwood sessions"],
    load: async () => (await import("../agents/sessions/list.ts")).runSessions,
  }),
  defineOperation({
    name: "sessions.replay",
    command: ["replay"],
    summary: "Print exactly what a session was given",
    description:
      "Prints the texts that hooks gave to a session, in order: those at its start and those for its prompts. Each follows a title, with a blank line before the next; with --number, one text is printed alone and byte for byte. Prompts are not recorded.",
    input: replayInput,
    examples: ["heartwood replay 5f0c3a52", "heartwood replay 5f0c3a52 --number 1"],
    load: async () => (await import("../agents/sessions/list.ts")).runReplay,
  }),
] as const;

type Known = (typeof operations)[number];
export type OperationName = Known["name"];
export type ResultOf<Name extends OperationName> = Awaited<ReturnType<Extract<Known, { readonly name: Name }>["run"]>>;

export function operation<Name extends Known["name"]>(name: Name): Extract<Known, { readonly name: Name }> {
  return operations.find((one) => one.name === name) as Extract<Known, { readonly name: Name }>;
}
