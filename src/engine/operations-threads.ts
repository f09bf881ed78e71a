import { checked } from "./checked.ts";
import { compactionOperations } from "./operations-compaction.ts";
import {
  flag,
  number,
  MOST,
  threadId,
  actor,
  origin,
  at,
  title,
  summaryFile,
  artifact,
  text,
} from "./thread-fields.ts";
import type * as I from "./threads/inputs.ts";
import type * as R from "./threads/results.ts";

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
    "--actor and --origin are needed for a message, and for lines of a batch that have none. " +
    "A message id that is there already with the same content is passed over. It never summarises; that is done by schedule.",
  fields: [
    threadId,
    { ...actor, presence: "optional" },
    { ...origin, presence: "optional" },
    {
      ...text("content", "TEXT", "the message, or the JSON lines of a batch"),
      kind: { kind: "text", batch: "streams" },
      place: "stdin_or_option",
    },
    { ...text("id", "UUID", "the id of the message (default: a new UUID)") },
    number("expected_seq", 0, MOST, "refuse when the head has another seq"),
    flag("batch", "read JSON lines: {content, actor_id?, origin?, id?}, or {type, …} for other frames"),
  ],
  examples: ['heartwood thread append release-4 --actor user --origin cli --content "Ship on Friday"'],
  effect: "writes",
  run: async (memory, input, call) => (await import("./threads/append.ts")).appendMessages(memory, input, call),
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
  ...compactionOperations,
] as const;
