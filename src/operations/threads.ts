import { defineOperation } from "./operation.ts";
import {
  appendInput,
  autoInput,
  branchInput,
  checkpointInput,
  compileInput,
  createInput,
  cutPointsInput,
  eventsInput,
  handoffInput,
  importInput,
  listInput,
  runPendingInput,
  scheduleInput,
  statusInput,
  threadInput,
  verifyThreadsInput,
} from "../threads/run/inputs.ts";

const create = defineOperation({
  name: "thread.create",
  command: ["thread", "create"],
  summary: "Begin a thread",
  description: "Begins an append-only thread of messages and prints its id.",
  input: createInput,
  examples: ['heartwood thread create --title "Release 4"'],
  effect: "writes",
  run: async (memory, input) => (await import("../threads/run/threads.ts")).createThread(memory, input),
});

const list = defineOperation({
  name: "thread.list",
  command: ["thread", "list"],
  summary: "The threads, the last used first",
  description: "Lists threads with the number of their messages and when they were last appended to.",
  input: listInput,
  examples: ["heartwood thread list"],
  effect: "reads",
  run: async (memory, input) => (await import("../threads/run/threads.ts")).listThreads(memory, input),
});

const get = defineOperation({
  name: "thread.get",
  command: ["thread", "get"],
  summary: "One thread: its title, size and parent",
  description:
    "Prints what a thread is: title, workspace, messages, the seq of its head, and the thread it was branched or handed off from.",
  input: threadInput,
  examples: ["heartwood thread get release-4"],
  effect: "reads",
  run: async (memory, input) => (await import("../threads/run/threads.ts")).readThread(memory, input),
});

const append = defineOperation({
  name: "thread.append",
  command: ["thread", "append"],
  summary: "Append a message, or many",
  description:
    "Appends one message, or with --batch JSON lines from standard input, all or none of them. Returned means it is on disk. " +
    "--actor and --origin are needed for a message, and for lines of a batch that have none. " +
    "A message id that is there already with the same content is passed over. It never summarises; that is done by schedule.",
  input: appendInput,
  examples: ['heartwood thread append release-4 --actor user --origin cli --content "Ship on Friday"'],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/run/append-messages.ts")).appendMessages(memory, input, call),
});

const importFrames = defineOperation({
  name: "thread.import",
  command: ["thread", "import"],
  summary: "Take frames from a JSON lines file into the threads they name",
  description:
    "Imports frame logs byte for byte; what is there already is passed over. A gap in seq or a known frame with other bytes refuses its thread. A torn last line is reported and left out.",
  input: importInput,
  examples: ["heartwood thread import events.jsonl"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/run/import-export.ts")).importFrames(memory, input, call),
  outcomeOf: (result) =>
    result.threads.every(({ error }) => error === null) && result.torn_line === null ? "done" : "findings",
});

const exportFrames = defineOperation({
  name: "thread.export",
  command: ["thread", "export"],
  summary: "Print the frames of a thread as JSON lines",
  description: "Prints every frame of a thread as the line it came as.",
  input: threadInput,
  examples: ["heartwood thread export release-4"],
  effect: "reads",
  run: async (memory, input, call) =>
    (await import("../threads/run/import-export.ts")).exportFrames(memory, input, call),
});

const events = defineOperation({
  name: "thread.events",
  command: ["thread", "events"],
  summary: "Print frames as JSON lines, past and live",
  description:
    "Prints the frames of a thread from a seq on; with --follow also those that are appended later, until it is stopped.",
  input: eventsInput,
  examples: ["heartwood thread events release-4 --from-seq 2"],
  effect: "reads",
  run: async (memory, input, call) => (await import("../threads/run/import-export.ts")).readEvents(memory, input, call),
});

const branch = defineOperation({
  name: "thread.branch",
  command: ["thread", "branch"],
  summary: "Begin a thread that goes on from a message of another",
  description: "Makes a child that has the parent's messages up to that point by a link; nothing is copied.",
  input: branchInput,
  examples: ["heartwood thread branch release-4 --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input) => (await import("../threads/run/branch-handoff.ts")).branchThread(memory, input),
});

const handoff = defineOperation({
  name: "thread.handoff",
  command: ["thread", "handoff"],
  summary: "Begin a thread that knows another by a summary",
  description:
    "Makes a child with a summary of the parent up to that point: the given one, or one that is made now without a model.",
  input: handoffInput,
  examples: ["heartwood thread handoff release-4 --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/run/branch-handoff.ts")).handOffThread(memory, input, call),
});

const cutPoints = defineOperation({
  name: "compaction.cut_points",
  command: ["thread", "cut-points"],
  summary: "Where summaries may end, the latest first",
  description: "Lists the cut points of a stride: every Nth message, and which of them have a checkpoint.",
  input: cutPointsInput,
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
  input: autoInput,
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
  input: scheduleInput,
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
  input: checkpointInput,
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
  input: statusInput,
  examples: ["heartwood thread status release-4 --stride-messages 8"],
  effect: "reads",
  run: async (memory, input) => (await import("../threads/compact/status.ts")).readCompactionStatus(memory, input),
});

const runPending = defineOperation({
  name: "job.run_pending",
  command: ["thread", "run-pending"],
  summary: "Run jobs that were scheduled and left",
  description: "Takes jobs that nobody runs, each by one runner, and ends jobs whose runner died.",
  input: runPendingInput,
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
  input: compileInput,
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
  input: verifyThreadsInput,
  examples: ["heartwood thread verify"],
  effect: "reads",
  run: async (memory, input, call) => (await import("../threads/verify/verify.ts")).verifyThreads(memory, input, call),
  outcomeOf: (result) => (result.ok ? "done" : "findings"),
});

/** Operations on threads, in the order in which help shows them. */
export const threadOperations = [
  create,
  list,
  get,
  append,
  importFrames,
  exportFrames,
  events,
  branch,
  handoff,
  cutPoints,
  compactThread,
  schedule,
  checkpoint,
  status,
  runPending,
  compile,
  verify,
] as const;
