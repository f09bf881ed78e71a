import { defineOperation } from "./operation.ts";
import * as i from "../threads/run/inputs.ts";

/** Operations on threads, in the order in which help shows them. */
export const threadOperations = [
  defineOperation({
    name: "thread.create",
    command: ["thread", "create"],
    summary: "Create a thread",
    description: "Creates an append-only thread of messages and prints its id.",
    input: i.createInput,
    examples: ['heartwood thread create --title "Release 4"'],
    effect: "writes",
    load: async () => (await import("../threads/run/threads.ts")).createThread,
  }),
  defineOperation({
    name: "thread.list",
    command: ["thread", "list"],
    summary: "List threads, most recently used first",
    description: "Lists threads with their message counts and the time of the last append.",
    input: i.listInput,
    examples: ["heartwood thread list"],
    load: async () => (await import("../threads/run/threads.ts")).listThreads,
  }),
  defineOperation({
    name: "thread.get",
    command: ["thread", "get"],
    summary: "Show a thread's title, size and parent",
    description:
      "Shows a thread's title, workspace, message count, head seq, and the thread it was branched or handed off from.",
    input: i.threadInput,
    examples: ["heartwood thread get release-4"],
    load: async () => (await import("../threads/run/threads.ts")).readThread,
  }),
  defineOperation({
    name: "thread.append",
    command: ["thread", "append"],
    summary: "Append one message, or many at once",
    description:
      "Appends one message, or with --batch a batch of JSON Lines; a batch is atomic. Everything is on disk when the call returns. " +
      "A message needs --actor and --origin; in a batch they apply to lines that have none. " +
      "A message whose id is already there with the same content is skipped. Appending never summarizes; `heartwood thread schedule` does.",
    input: i.appendInput,
    examples: ['heartwood thread append release-4 --actor user --origin cli --content "Ship on Friday"'],
    effect: "writes",
    load: async () => (await import("../threads/run/append-messages.ts")).appendMessages,
  }),
  defineOperation({
    name: "thread.import",
    command: ["thread", "import"],
    summary: "Import frames from a JSON Lines file into the threads they name",
    description:
      "Imports frame logs byte for byte and skips frames that are already there. A thread is refused if its seqs have a gap or a known frame has different bytes. " +
      "A torn last line is reported and skipped.",
    input: i.importInput,
    examples: ["heartwood thread import events.jsonl"],
    effect: "writes",
    load: async () => (await import("../threads/run/import-export.ts")).importFrames,
    outcomeOf: (result) =>
      result.threads.every(({ error }) => error === null) && result.torn_line === null ? "done" : "findings",
  }),
  defineOperation({
    name: "thread.export",
    command: ["thread", "export"],
    summary: "Print all frames of a thread as JSON Lines",
    description: "Prints every frame of a thread, each exactly as it was appended or imported.",
    input: i.threadInput,
    examples: ["heartwood thread export release-4"],
    load: async () => (await import("../threads/run/import-export.ts")).readEvents,
  }),
  defineOperation({
    name: "thread.events",
    command: ["thread", "events"],
    summary: "Print the frames of a thread as JSON Lines, starting at a seq",
    description: "Prints the frames of a thread starting at a seq, one JSON document per line.",
    input: i.eventsInput,
    examples: ["heartwood thread events release-4 --from-seq 2"],
    load: async () => (await import("../threads/run/import-export.ts")).readEvents,
  }),
  defineOperation({
    name: "thread.branch",
    command: ["thread", "branch"],
    summary: "Fork a thread at a message",
    description: "Creates a child thread that links to the parent's messages up to that point. Copies nothing.",
    input: i.branchInput,
    examples: ["heartwood thread branch release-4 --actor user --origin cli"],
    effect: "writes",
    load: async () => (await import("../threads/run/branch-handoff.ts")).branchThread,
  }),
  defineOperation({
    name: "thread.handoff",
    command: ["thread", "handoff"],
    summary: "Start a thread seeded with a summary of another",
    description:
      "Creates a child thread with a summary of the parent up to that point: the given summary, or one made now without a model.",
    input: i.handoffInput,
    examples: ["heartwood thread handoff release-4 --actor user --origin cli"],
    effect: "writes",
    load: async () => (await import("../threads/run/branch-handoff.ts")).handOffThread,
  }),
  defineOperation({
    name: "compaction.cut_points",
    command: ["thread", "cut-points"],
    summary: "List where summaries may end, latest first",
    description: "Lists the cut points for a stride (every Nth message) and shows which of them have a checkpoint.",
    input: i.cutPointsInput,
    examples: ["heartwood thread cut-points release-4 --stride-messages 8 --limit 32"],
    load: async () => (await import("../threads/compact/cut-points.ts")).readCutPoints,
  }),
  defineOperation({
    name: "compaction.auto",
    command: ["thread", "compact"],
    summary: "Summarize a thread up to its newest cut points",
    description:
      "Makes cumulative summaries at cut points that have none, newest first, and appends a checkpoint for each.",
    input: i.autoInput,
    examples: ["heartwood thread compact release-4 --stride-messages 100 --actor user --origin cli --dry-run"],
    effect: "writes",
    load: async () => (await import("../threads/compact/summarizer-job.ts")).runAuto,
    outcomeOf: (result) => (result.status === "failed" ? "failed" : "done"),
  }),
  defineOperation({
    name: "compaction.auto.schedule",
    command: ["thread", "schedule"],
    summary: "Decide whether to summarize, record the decision and act on it",
    description:
      "For one thread, or with --all for every thread: starts a job if a cut point has no checkpoint and no job is in flight, " +
      "and builds the summaries that `heartwood thread compile` needs. Meant for hooks, timers and workers.",
    input: i.scheduleInput,
    examples: ["heartwood thread schedule --all --actor timer --origin cron"],
    effect: "writes",
    load: async () => (await import("../threads/compact/schedule.ts")).runSchedule,
    outcomeOf: (result) => {
      const all = "threads" in result ? result.threads : [result];
      return all.some(({ decision, ladder }) => decision === "failed" || ladder?.status === "failed")
        ? "failed"
        : "done";
    },
  }),
  defineOperation({
    name: "compaction.manual",
    command: ["thread", "checkpoint"],
    summary: "Record a summary of your own for a thread",
    description: "Appends a checkpoint at a message, from Markdown or from a summary in the artifact store.",
    input: i.checkpointInput,
    examples: ["heartwood thread checkpoint release-4 --to-seq 2 --summary-file summary.md --actor user --origin cli"],
    effect: "writes",
    load: async () => (await import("../threads/compact/manual-checkpoint.ts")).recordCheckpoint,
  }),
  defineOperation({
    name: "compaction.status",
    command: ["thread", "status"],
    summary: "Show the latest summary, the next cut point and the current job",
    description:
      "Shows the latest checkpoint, the next cut point, the job in flight, the last decision and the last outcome.",
    input: i.statusInput,
    examples: ["heartwood thread status release-4 --stride-messages 8"],
    load: async () => (await import("../threads/compact/status.ts")).readCompactionStatus,
  }),
  defineOperation({
    name: "job.run_pending",
    command: ["thread", "run-pending"],
    summary: "Run scheduled jobs that were never run or were interrupted",
    description: "Runs each job that has no runner, and marks jobs whose runner died as failed.",
    input: i.runPendingInput,
    examples: ["heartwood thread run-pending"],
    effect: "writes",
    load: async () => (await import("../threads/compact/schedule.ts")).runPendingJobs,
    outcomeOf: (result) => (result.jobs.every(({ status: ended }) => ended === "completed") ? "done" : "failed"),
  }),
  defineOperation({
    name: "context.compile",
    command: ["thread", "compile"],
    summary: "Compile a thread's context within a token budget",
    description:
      "Compiles the thread up to a message into its newest messages plus summaries that together cover everything. Changes nothing without --build or --record.",
    input: i.compileInput,
    examples: [
      "heartwood thread compile release-4",
      "heartwood thread compile release-4 --budget 2000 --render openai",
    ],
    effect: "writes",
    load: async () => (await import("../threads/compile/compile.ts")).compileContext,
  }),
  defineOperation({
    name: "thread.verify",
    command: ["thread", "verify"],
    summary: "Replay threads and check every recorded decision",
    description:
      "Checks that seqs have no gap, that artifacts match their digests, that checkpoints refer to messages, and that a replay gives the same plans, summaries and bundles.",
    exit: "Exit status 1 on a finding of severity warning or error.",
    input: i.verifyThreadsInput,
    examples: ["heartwood thread verify"],
    load: async () => (await import("../threads/verify/verify.ts")).verifyThreads,
    outcomeOf: (result) => (result.ok ? "done" : "findings"),
  }),
] as const;
