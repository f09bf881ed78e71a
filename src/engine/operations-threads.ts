import { checked } from "./checked.ts";
import type { Field } from "./operation.ts";
import type * as I from "./threads/inputs.ts";
import type * as R from "./threads/results.ts";

const text = (name: string, placeholder: string, summary: string): Field => ({
  name,
  kind: { kind: "text" },
  placeholder,
  summary,
});
const flag = (name: string, summary: string): Field => ({ name, kind: { kind: "flag" }, summary });
const number = (name: string, min: number, max: number, summary: string): Field => ({
  name,
  kind: { kind: "integer", min, max },
  placeholder: "N",
  summary,
});
const required = (field: Field): Field => ({ ...field, presence: "required" });

const MOST = 9_007_199_254_740_991;
const threadId: Field = {
  ...required(text("thread_id", "ID", "the thread")),
  place: "argument",
};
const anyThread: Field = { ...threadId, presence: "optional", summary: "the thread (default: all)" };
const actor: Field = {
  ...required(text("actor_id", "A", "who does it: user, assistant, tool:NAME, …")),
  option: "actor",
};
const origin = required(text("origin", "O", "the surface it comes from: cli, chat, hook, …"));
const stride = number("stride_messages", 0, MOST, "messages between two cut points (default: 10000)");
const at = text("at", "MESSAGE_ID", "as of this message (default: the newest frame)");
const title = text("title", "T", "the title of the new thread");
const most = number("max_new_checkpoints", 1, 32, "at most N checkpoints (default: 1)");
const dryRun = flag("dry_run", "show the plan, append nothing");
const summaryFile: Field = {
  name: "summary_file",
  kind: { kind: "file" },
  placeholder: "FILE",
  summary: "Markdown; - for standard input",
};
const artifact = text("artifact", "ARTIFACT", "the id of a summary that is in the artifact store");

const create = checked<I.CreateInput, R.ThreadResult>({
  name: "thread.create",
  command: ["thread", "create"],
  summary: "Begin a thread",
  description: "Begins an append-only thread of messages and prints its id.",
  fields: [
    title,
    text("workspace", "W", "where the conversation takes place (default: the project folder)"),
    { ...text("thread_id", "ID", "an id of your own (default: a new UUID)"), option: "id" },
  ],
  examples: ['heartwood thread create --title "Release 4"'],
  effect: "writes",
  run: async (memory, input) => (await import("./threads/create.ts")).createThread(memory, input),
});

const list = checked<I.ListInput, R.ThreadListResult>({
  name: "thread.list",
  command: ["thread", "list"],
  summary: "The threads, the last used first",
  description: "Lists threads with the number of their messages and when they were last appended to.",
  fields: [number("limit", 1, 10_000, "at most N threads (default: 100)")],
  examples: ["heartwood thread list"],
  effect: "reads",
  run: async (memory, input) => (await import("./threads/list.ts")).listThreads(memory, input),
});

const get = checked<I.ThreadInput, R.ThreadResult>({
  name: "thread.get",
  command: ["thread", "get"],
  summary: "One thread: its title, size and parent",
  description:
    "Prints what a thread is: title, workspace, messages, the seq of its head, and the thread it was branched or handed off from.",
  fields: [threadId],
  examples: ["heartwood thread get release-4"],
  effect: "reads",
  run: async (memory, input) => (await import("./threads/list.ts")).readThread(memory, input),
});

const append = checked<I.AppendInput, R.ThreadAppendResult>({
  name: "thread.append",
  command: ["thread", "append"],
  summary: "Append a message, or many",
  description:
    "Appends one message, or with --batch JSON lines from standard input, all or none of them. Returned means it is on disk. " +
    "A message id that is there already with the same content is passed over. It never summarises; that is done by schedule.",
  fields: [
    threadId,
    actor,
    origin,
    { ...text("content", "TEXT", "the message, or the JSON lines of a batch"), place: "stdin_or_option" },
    { ...text("id", "UUID", "the id of the message (default: a new UUID)") },
    number("expected_seq", 0, MOST, "refuse when the head has another seq"),
    flag("batch", "read JSON lines: {content, actor_id?, origin?, id?}, or {type, …} for other frames"),
  ],
  examples: ['heartwood thread append release-4 --actor user --origin cli --content "Ship on Friday"'],
  effect: "writes",
  run: async (memory, input) => (await import("./threads/append.ts")).appendMessages(memory, input),
});

const importFrames = checked<I.ImportInput, R.ThreadImportResult>({
  name: "thread.import",
  command: ["thread", "import"],
  summary: "Take frames from a JSON lines file into the threads they name",
  description:
    "Imports frame logs byte for byte; what is there already is passed over. A gap in seq or a known frame with other bytes refuses its thread. A torn last line is reported and left out.",
  fields: [
    {
      name: "file",
      kind: { kind: "file" },
      place: "argument",
      presence: "required",
      placeholder: "FILE",
      summary: "JSON lines; - for standard input",
    },
  ],
  examples: ["heartwood thread import events.jsonl"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/import.ts")).importFrames(memory, input, call),
  outcomeOf: (result) =>
    result.threads.every(({ error }) => error === null) && result.torn_line === null ? "done" : "findings",
});

const exportFrames = checked<I.ThreadInput, AsyncIterable<string>>({
  name: "thread.export",
  command: ["thread", "export"],
  summary: "Print the frames of a thread as JSON lines",
  description: "Prints every frame of a thread as the line it came as.",
  fields: [threadId],
  examples: ["heartwood thread export release-4"],
  effect: "reads",
  run: async (memory, input, call) => (await import("./threads/events.ts")).exportFrames(memory, input, call),
});

const events = checked<I.EventsInput, AsyncIterable<string>>({
  name: "thread.events",
  command: ["thread", "events"],
  summary: "Print frames as JSON lines, past and live",
  description:
    "Prints the frames of a thread from a seq on; with --follow also those that are appended later, until it is stopped.",
  fields: [
    threadId,
    number("from_seq", 0, MOST, "from this seq on (default: 0)"),
    flag("follow", "go on with what is appended later"),
  ],
  examples: ["heartwood thread events release-4 --from-seq 2"],
  effect: "reads",
  run: async (memory, input, call) => (await import("./threads/events.ts")).readEvents(memory, input, call),
});

const branch = checked<I.BranchInput, R.ThreadResult>({
  name: "thread.branch",
  command: ["thread", "branch"],
  summary: "Begin a thread that goes on from a message of another",
  description: "Makes a child that has the parent's messages up to that point by a link; nothing is copied.",
  fields: [threadId, at, title, actor, origin],
  examples: ["heartwood thread branch release-4 --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input) => (await import("./threads/branch.ts")).branchThread(memory, input),
});

const handoff = checked<I.HandoffInput, R.HandoffResult>({
  name: "thread.handoff",
  command: ["thread", "handoff"],
  summary: "Begin a thread that knows another by a summary",
  description:
    "Makes a child with a summary of the parent up to that point: the given one, or one that is made now without a model.",
  fields: [threadId, at, title, summaryFile, artifact, actor, origin],
  examples: ["heartwood thread handoff release-4 --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/branch.ts")).handOffThread(memory, input, call),
});

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
    { ...anyThread, summary: "the thread, or --all" },
    flag("all", "every thread"),
    stride,
    most,
    flag("allow_inflight", "start a job although one is in flight"),
    flag("no_execute", "record the decision and leave the job to run-pending"),
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
    },
    flag("build", "make the missing summaries first; needs --actor and --origin"),
    flag("record", "store the bundle and append its frames; needs --actor and --origin"),
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
