import { defineOperation } from "./checked.ts";
import * as I from "../threads/run/inputs.ts";

const cutPoints = defineOperation({
  name: "compaction.cut_points",
  command: ["thread", "cut-points"],
  summary: "Where summaries may end, the latest first",
  description: "Lists the cut points of a stride: every Nth message, and which of them have a checkpoint.",
  input: I.cutPointsInput,
  examples: ["heartwood thread cut-points release-4 --stride-messages 8 --limit 32"],
  effect: "reads",
  run: async (memory, input) => (await import("../threads/compact/cut-points.ts")).readCutPoints(memory, input),
});

const compactThread = defineOperation({
  name: "compaction.auto",
  command: ["thread", "compact"],
  summary: "Summarise a thread up to its newest cut points",
  description:
    "Makes cumulative summaries at cut points that have none, the newest first, and appends their checkpoints.",
  input: I.autoInput,
  examples: ["heartwood thread compact release-4 --stride-messages 100 --actor user --origin cli --dry-run"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/compact/summarizer-job.ts")).runAuto(memory, input, call),
  outcomeOf: (result) => (result.status === "failed" ? "failed" : "done"),
});

const schedule = defineOperation({
  name: "compaction.auto.schedule",
  command: ["thread", "schedule"],
  summary: "Decide whether to summarise, record the decision, and do it",
  description:
    "For one thread or with --all: starts a job when a cut point has no checkpoint and none is in flight, and builds the missing rungs for compile. For hooks, timers and workers.",
  input: I.scheduleInput,
  examples: ["heartwood thread schedule --all --actor timer --origin cron"],
  effect: "writes",
  run: async (memory, input, call) => (await import("../threads/compact/schedule.ts")).runSchedule(memory, input, call),
  outcomeOf: (result) => {
    const all = "threads" in result ? result.threads : [result];
    return all.some(({ decision, ladder }) => decision === "failed" || ladder?.status === "failed") ? "failed" : "done";
  },
});

const checkpoint = defineOperation({
  name: "compaction.manual",
  command: ["thread", "checkpoint"],
  summary: "Record a summary of your own for a thread",
  description: "Appends a checkpoint at a message, from Markdown or from a summary in the artifact store.",
  input: I.checkpointInput,
  examples: ["heartwood thread checkpoint release-4 --to-seq 2 --summary-file summary.md --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/compact/manual-checkpoint.ts")).recordCheckpoint(memory, input, call),
});

const status = defineOperation({
  name: "compaction.status",
  command: ["thread", "status"],
  summary: "Checkpoints, jobs and what is next in a thread",
  description: "The latest checkpoint, the next cut point, the job in flight, the last decision and the last outcome.",
  input: I.statusInput,
  examples: ["heartwood thread status release-4 --stride-messages 8"],
  effect: "reads",
  run: async (memory, input) => (await import("../threads/compact/status.ts")).readCompactionStatus(memory, input),
});

const runPending = defineOperation({
  name: "job.run_pending",
  command: ["thread", "run-pending"],
  summary: "Run jobs that were scheduled and left",
  description: "Takes jobs that nobody runs, each by one runner, and ends jobs whose runner died.",
  input: I.runPendingInput,
  examples: ["heartwood thread run-pending"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/compact/schedule.ts")).runPendingJobs(memory, input, call),
  outcomeOf: (result) => (result.jobs.every(({ status: ended }) => ended === "completed") ? "done" : "failed"),
});

const compile = defineOperation({
  name: "context.compile",
  command: ["thread", "compile"],
  summary: "The context of a thread, within a budget of tokens",
  description:
    "Compiles the thread up to a message into newest messages and summaries that together leave nothing out. Changes nothing, unless --build or --record says so.",
  input: I.compileInput,
  examples: ["heartwood thread compile release-4", "heartwood thread compile release-4 --budget 2000 --render openai"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/compile/compile.ts")).compileContext(memory, input, call),
});

const verify = defineOperation({
  name: "thread.verify",
  command: ["thread", "verify"],
  summary: "Replay threads and compare every decision",
  description:
    "Checks that seq has no gap, that artifacts have their digests, that checkpoints stand at messages, and that every plan, summary and bundle is what a replay gives. Exit status 1 on a finding of severity warning or error.",
  input: I.verifyThreadsInput,
  examples: ["heartwood thread verify"],
  effect: "reads",
  run: async (memory, input, call) => (await import("../threads/verify/verify.ts")).verifyThreads(memory, input, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

/** Operations that summarise, compile and check threads, in the order in which help shows them. */
export const compactionOperations = [
  cutPoints,
  compactThread,
  schedule,
  checkpoint,
  status,
  runPending,
  compile,
  verify,
] as const;
