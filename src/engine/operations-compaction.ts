import { checked } from "./checked.ts";
import {
  flag,
  number,
  MOST,
  threadId,
  anyThread,
  actor,
  origin,
  stride,
  at,
  most,
  dryRun,
  summaryFile,
  artifact,
  text,
  switchOff,
} from "./thread-fields.ts";
import type * as I from "./threads/inputs.ts";
import type * as R from "./threads/results.ts";

const cutPoints = checked<I.CutPointsInput, R.CutPointsResult>({
  name: "compaction.cut_points",
  command: ["thread", "cut-points"],
  summary: "Where summaries may end, the latest first",
  description: "Lists the cut points of a stride: every Nth message, and which of them have a checkpoint.",
  fields: [threadId, stride, number("limit", 0, MOST, "at most N (default: 1; up to 1000)")],
  examples: ["heartwood thread cut-points release-4 --stride-messages 8 --limit 32"],
  effect: "reads",
  run: async (memory, input) => (await import("./threads/cut-points.ts")).readCutPoints(memory, input),
});

const compactThread = checked<I.AutoInput, R.AutoResult>({
  name: "compaction.auto",
  command: ["thread", "compact"],
  summary: "Summarise a thread up to its newest cut points",
  description:
    "Makes cumulative summaries at cut points that have none, the newest first, and appends their checkpoints.",
  fields: [threadId, stride, most, dryRun, actor, origin],
  examples: ["heartwood thread compact release-4 --stride-messages 100 --actor user --origin cli --dry-run"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/auto.ts")).runAuto(memory, input, call),
  outcomeOf: (result) => (result.status === "failed" ? "failed" : "done"),
});

const schedule = checked<I.ScheduleInput, R.ScheduleResult | R.ScheduleAllResult>({
  name: "compaction.auto.schedule",
  command: ["thread", "schedule"],
  summary: "Decide whether to summarise, record the decision, and do it",
  description:
    "For one thread or with --all: starts a job when a cut point has no checkpoint and none is in flight, and builds the missing rungs for compile. For hooks, timers and workers.",
  fields: [
    { ...anyThread, summary: "the thread, or --all", meaning: "the thread; leave it out with all true" },
    flag("all", "every thread"),
    stride,
    most,
    switchOff("block_on_inflight", {
      option: "allow-inflight",
      summary: "start a job although one is in flight",
      meaning: "true (the default): start no job while one is in flight; false: start one all the same",
    }),
    switchOff("execute", {
      option: "no-execute",
      summary: "record the decision and leave the job to run-pending",
      meaning: "true (the default): run the job now; false: record the decision and leave the job to run-pending",
    }),
    dryRun,
    actor,
    origin,
  ],
  examples: ["heartwood thread schedule --all --actor timer --origin cron"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/schedule.ts")).runSchedule(memory, input, call),
  outcomeOf: (result) => {
    const all = "threads" in result ? result.threads : [result];
    return all.some(({ decision, ladder }) => decision === "failed" || ladder?.status === "failed") ? "failed" : "done";
  },
});

const checkpoint = checked<I.CheckpointInput, R.ManualResult>({
  name: "compaction.manual",
  command: ["thread", "checkpoint"],
  summary: "Record a summary of your own for a thread",
  description: "Appends a checkpoint at a message, from Markdown or from a summary in the artifact store.",
  fields: [
    threadId,
    text("to_message_id", "MESSAGE_ID", "the last message that the summary covers"),
    number("to_seq", 0, MOST, "the same by its seq"),
    { ...stride, summary: "the newest cut point of this stride instead" },
    summaryFile,
    artifact,
    actor,
    origin,
  ],
  examples: ["heartwood thread checkpoint release-4 --to-seq 2 --summary-file summary.md --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/manual.ts")).recordCheckpoint(memory, input, call),
});

const status = checked<I.StatusInput, R.CompactionStatusResult>({
  name: "compaction.status",
  command: ["thread", "status"],
  summary: "Checkpoints, jobs and what is next in a thread",
  description: "The latest checkpoint, the next cut point, the job in flight, the last decision and the last outcome.",
  fields: [threadId, stride],
  examples: ["heartwood thread status release-4 --stride-messages 8"],
  effect: "reads",
  run: async (memory, input) => (await import("./threads/status.ts")).readCompactionStatus(memory, input),
});

const runPending = checked<I.RunPendingInput, R.RunPendingResult>({
  name: "job.run_pending",
  command: ["thread", "run-pending"],
  summary: "Run jobs that were scheduled and left",
  description: "Takes jobs that nobody runs, each by one runner, and ends jobs whose runner died.",
  fields: [anyThread],
  examples: ["heartwood thread run-pending"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/run-pending.ts")).runPendingJobs(memory, input, call),
  outcomeOf: (result) => (result.jobs.every(({ status: ended }) => ended === "completed") ? "done" : "failed"),
});

const compile = checked<I.CompileInput, R.CompileResult>({
  name: "context.compile",
  command: ["thread", "compile"],
  summary: "The context of a thread, within a budget of tokens",
  description:
    "Compiles the thread up to a message into newest messages and summaries that together leave nothing out. Changes nothing, unless --build or --record says so.",
  fields: [
    threadId,
    at,
    {
      name: "strategy",
      kind: {
        kind: "choice",
        values: [
          "covering_summaries_v1",
          "recent_messages_v1",
          "summaries_recent_messages_v1",
          "hierarchical_summaries_recent_messages_v1",
        ],
      },
      placeholder: "S",
      summary: "how (default: covering_summaries_v1)",
    },
    { ...number("budget", 500, 1_000_000, "o200k tokens (default: 8000)"), placeholder: "TOKENS" },
    {
      name: "render",
      kind: { kind: "choice", values: ["json", "text", "openai", "anthropic"] },
      placeholder: "R",
      summary: "as the bundle, as text, or as the messages of a chat API (default: text; with --json: json)",
      meaning: "as the bundle, as text, or as the messages of a chat API (default: text)",
    },
    {
      ...flag("build", "make the missing summaries first; needs --actor and --origin"),
      meaning: "make the missing summaries first; needs actor_id and origin",
    },
    {
      ...flag("record", "store the bundle and append its frames; needs --actor and --origin"),
      meaning: "store the bundle and append its frames; needs actor_id and origin",
    },
    text("run_session_id", "RUN", "the run that the context is for (default: run_1)"),
    { ...actor, presence: "optional" },
    { ...origin, presence: "optional" },
  ],
  examples: ["heartwood thread compile release-4", "heartwood thread compile release-4 --budget 2000 --render openai"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/compile.ts")).compileContext(memory, input, call),
});

const verify = checked<I.VerifyThreadsInput, R.VerifyThreadsResult>({
  name: "thread.verify",
  command: ["thread", "verify"],
  summary: "Replay threads and compare every decision",
  description:
    "Checks that seq has no gap, that artifacts have their digests, that checkpoints stand at messages, and that every plan, summary and bundle is what a replay gives. Exit status 1 on a finding of severity warning or error.",
  fields: [anyThread],
  examples: ["heartwood thread verify"],
  effect: "reads",
  run: async (memory, input, call) => (await import("./threads/verify.ts")).verifyThreads(memory, input, call),
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
