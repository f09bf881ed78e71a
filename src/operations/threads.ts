import { defineOperation } from "./checked.ts";
import * as I from "../threads/run/inputs.ts";
import { compactionOperations } from "./compaction.ts";

const create = defineOperation({
  name: "thread.create",
  command: ["thread", "create"],
  summary: "Begin a thread",
  description: "Begins an append-only thread of messages and prints its id.",
  input: I.createInput,
  examples: ['heartwood thread create --title "Release 4"'],
  effect: "writes",
  run: async (memory, input) => (await import("../threads/run/threads.ts")).createThread(memory, input),
});

const list = defineOperation({
  name: "thread.list",
  command: ["thread", "list"],
  summary: "The threads, the last used first",
  description: "Lists threads with the number of their messages and when they were last appended to.",
  input: I.listInput,
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
  input: I.threadInput,
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
  input: I.appendInput,
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
  input: I.importInput,
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
  input: I.threadInput,
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
  input: I.eventsInput,
  examples: ["heartwood thread events release-4 --from-seq 2"],
  effect: "reads",
  run: async (memory, input, call) => (await import("../threads/run/import-export.ts")).readEvents(memory, input, call),
});

const branch = defineOperation({
  name: "thread.branch",
  command: ["thread", "branch"],
  summary: "Begin a thread that goes on from a message of another",
  description: "Makes a child that has the parent's messages up to that point by a link; nothing is copied.",
  input: I.branchInput,
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
  input: I.handoffInput,
  examples: ["heartwood thread handoff release-4 --actor user --origin cli"],
  effect: "writes",
  run: async (memory, input, call) =>
    (await import("../threads/run/branch-handoff.ts")).handOffThread(memory, input, call),
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
