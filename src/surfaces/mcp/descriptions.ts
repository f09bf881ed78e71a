/** What a model is told of an operation whose description in the table speaks of a command line: by its name there. */
export const descriptions: Readonly<Record<string, string>> = {
  "thread.create": "Begins an append-only thread of messages and gives its id.",
  "thread.get":
    "What a thread is: title, workspace, messages, the seq of its head, and the thread it was branched or handed off from.",
  "thread.append":
    "Appends one message, or with batch true the JSON lines in content, all or none of them. Returned means it is on disk. A message id that is there already with the same content is passed " +
    "over. actor_id and origin are needed for a message, and for lines of a batch that have none. It never summarises; that is done by thread_schedule.",
  "thread.export": "Every frame of a thread, as the line it came as.",
  "thread.events": "The frames of a thread from a seq on, as JSON lines.",
  "compaction.auto.schedule":
    "For one thread, or with all true for every thread: starts a job when a cut point has no checkpoint and none is in flight, and builds the missing rungs for thread_compile.",
  "context.compile":
    "Compiles the thread up to a message into newest messages and summaries that together leave nothing out. Changes nothing, unless build or record is true.",
  "thread.verify":
    "Checks that seq has no gap, that artifacts have their digests, that checkpoints stand at messages, and that every plan, summary and bundle is what a replay gives.",
  "tree.root":
    "ROOT.md. With max_tokens or max_chars the same selection, rendered into a smaller space. With dropped true: what did not fit into it, and why.",
  "tree.verify": "Checks every node and ROOT.md against what it was made from, and every rule of the tree.",
  "memory.undo":
    "Puts back the files that the last tree_compact with reopen, or memory_doctor with fix, replaced, from memory/archive/. What stands there now is archived first.",
  "memory.doctor":
    "Looks at Node, the time zone, the configuration, folders, locks, leftovers of interrupted runs and secrets in derived files. With fix true it mends what is safe to mend.",
  "audit.undo":
    "Puts back what memory_compact with dry_run false changed, the newest by default. What was logged into a note since stays behind its old lines. A file that was changed otherwise stays as it is " +
    "and is reported, with the place of its old bytes.",
};

/** Titles in the same place. */
export const titles: Readonly<Record<string, string>> = {
  "thread.export": "All frames of a thread, as JSON lines",
  "thread.events": "Frames of a thread from a seq on, as JSON lines",
};
