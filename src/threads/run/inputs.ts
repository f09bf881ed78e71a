import * as s from "../../base/schema.ts";

/** Inputs of the thread operations, named as in `docs/formats/threads.md`. */

const most = Number.MAX_SAFE_INTEGER;

const threadId = () => s.text("ID", "the thread", { place: "argument" });
const anyThread = () => s.optional(s.text("ID", "the thread (default: all)", { place: "argument" }));
const stride = (summary = "messages between two cut points (default: 10000)") => s.optional(s.whole(0, most, summary));
const title = () => s.optional(s.text("T", "the title of the new thread"));
const at = () => s.optional(s.text("MESSAGE_ID", "as of this message (default: the newest frame)"));
const newCheckpoints = () => s.optional(s.whole(1, 32, "make at most N checkpoints (default: 1)"));
const dryRun = () => s.flag("show the plan and append nothing");

/** Who appends, and from which surface. */
const provenance = () => ({
  actor_id: s.text("A", "who is acting: user, assistant, tool:NAME, …", { option: "actor" }),
  origin: s.text("O", "where it comes from: cli, chat, hook, …"),
});
const optionalProvenance = () => {
  const { actor_id, origin } = provenance();
  return { actor_id: s.optional(actor_id), origin: s.optional(origin) };
};
/** A summary written by the caller, or one already stored. */
const givenSummary = () => ({
  summary_file: s.optional(s.file("the summary, in Markdown")),
  artifact: s.optional(s.text("ARTIFACT", "the id of a summary in the artifact store")),
});

export const createInput = () =>
  s.object({
    title: title(),
    workspace: s.optional(s.text("W", "where the conversation takes place (default: the project folder)")),
    thread_id: s.optional(s.text("ID", "an id of your own (default: a new UUID)", { option: "id" })),
  });
export type CreateInput = s.ValueOf<ReturnType<typeof createInput>>;

export const listInput = () =>
  s.object({ limit: s.optional(s.whole(1, 10_000, "list at most N threads (default: 100)")) });
export type ListInput = s.ValueOf<ReturnType<typeof listInput>>;

export const threadInput = () => s.object({ thread_id: threadId() });
export type ThreadInput = s.ValueOf<ReturnType<typeof threadInput>>;

/** A message needs both `actor_id` and `origin`; in a batch they are defaults for lines without them. */
export const appendInput = () =>
  s.object({
    thread_id: threadId(),
    ...optionalProvenance(),
    /** With `batch`: JSON lines, each `{content, actor_id?, origin?, id?, timestamp_ms?}` or a frame's `{type, …payload}`. */
    content: s.optional(
      s.textOrLines("TEXT", "the message, or the JSON Lines of a batch", { place: "stdin_or_option" }),
    ),
    id: s.optional(s.text("UUID", "the id of the message (default: a new UUID)")),
    expected_seq: s.optional(s.whole(0, most, "refuse unless the thread's head is at this seq")),
    batch: s.flag("append JSON Lines: {content, actor_id?, origin?, id?}, or {type, …} for other frames"),
  });
export type AppendInput = s.ValueOf<ReturnType<typeof appendInput>>;

export const importInput = () => s.object({ file: s.file("the JSON Lines file", { place: "argument" }) });
export type ImportInput = s.ValueOf<ReturnType<typeof importInput>>;

export const eventsInput = () =>
  s.object({
    thread_id: threadId(),
    from_seq: s.optional(s.whole(0, most, "start at this seq (default: 0)")),
    limit: s.optional(s.whole(1, most, "at most N frames (default: all)")),
    follow: s.flag("keep running and print frames as they are appended"),
  });
export type EventsInput = s.ValueOf<ReturnType<typeof eventsInput>>;

export const branchInput = () => s.object({ thread_id: threadId(), at: at(), title: title(), ...provenance() });
export type BranchInput = s.ValueOf<ReturnType<typeof branchInput>>;

export const handoffInput = () =>
  s.object({ thread_id: threadId(), at: at(), title: title(), ...givenSummary(), ...provenance() });
export type HandoffInput = s.ValueOf<ReturnType<typeof handoffInput>>;

export const cutPointsInput = () =>
  s.object({
    thread_id: threadId(),
    stride_messages: stride(),
    limit: s.optional(s.whole(0, most, "list at most N cut points, up to 1000 (default: 1)")),
  });
export type CutPointsInput = s.ValueOf<ReturnType<typeof cutPointsInput>>;

export const autoInput = () =>
  s.object({
    thread_id: threadId(),
    stride_messages: stride(),
    max_new_checkpoints: newCheckpoints(),
    dry_run: dryRun(),
    ...provenance(),
  });
export type AutoInput = s.ValueOf<ReturnType<typeof autoInput>>;

export const scheduleInput = () =>
  s.object({
    thread_id: s.optional(s.text("ID", "the thread; omit it with --all", { place: "argument" })),
    all: s.flag("every thread"),
    stride_messages: stride(),
    max_new_checkpoints: newCheckpoints(),
    block_on_inflight: s.switchOff(
      "allow-inflight",
      "start a job even if one is in flight",
      "true (the default): start no job while one is in flight; false: start one anyway",
    ),
    execute: s.switchOff(
      "no-execute",
      "record the decision and leave the job to `heartwood thread run-pending`",
      "true (the default): run the job now; false: record the decision and leave the job to `heartwood thread run-pending`",
    ),
    dry_run: dryRun(),
    ...provenance(),
  });
export type ScheduleInput = s.ValueOf<ReturnType<typeof scheduleInput>>;

export const checkpointInput = () =>
  s.object({
    thread_id: threadId(),
    to_message_id: s.optional(s.text("MESSAGE_ID", "the last message the summary covers")),
    to_seq: s.optional(s.whole(0, most, "the same message, given by its seq")),
    stride_messages: stride("or the newest cut point for this stride"),
    ...givenSummary(),
    ...provenance(),
  });
export type CheckpointInput = s.ValueOf<ReturnType<typeof checkpointInput>>;

export const statusInput = () => s.object({ thread_id: threadId(), stride_messages: stride() });
export type StatusInput = s.ValueOf<ReturnType<typeof statusInput>>;

export const runPendingInput = () => s.object({ thread_id: anyThread() });
export type RunPendingInput = s.ValueOf<ReturnType<typeof runPendingInput>>;

const strategies = [
  "covering_summaries_v1",
  "recent_messages_v1",
  "summaries_recent_messages_v1",
  "hierarchical_summaries_recent_messages_v1",
] as const;
export type Strategy = (typeof strategies)[number];

const renderings = ["json", "text", "openai", "anthropic", "parts"] as const;
export type Rendering = (typeof renderings)[number];

export const compileInput = () =>
  s.object({
    thread_id: threadId(),
    at: at(),
    strategy: s.optional(
      s.choice(strategies, "S", "how to choose messages and summaries (default: covering_summaries_v1)"),
    ),
    budget: s.optional(
      s.whole(500, 1_000_000, "at most this many o200k tokens (default: 8000)", { placeholder: "TOKENS" }),
    ),
    render: s.optional(
      s.choice(
        renderings,
        "R",
        "print the bundle, text, messages for a chat API, or its parts with their tokens (default: text; with --json: json)",
        { meaning: "the bundle, text, messages for a chat API, or its parts with their tokens (default: text)" },
      ),
    ),
    build: s.flag("make the missing summaries first; needs --actor and --origin"),
    record: s.flag("store the bundle and append its frames; needs --actor and --origin"),
    run_session_id: s.optional(s.text("RUN", "the id of the run this context is for (default: run_1)")),
    ...optionalProvenance(),
  });
export type CompileInput = s.ValueOf<ReturnType<typeof compileInput>>;

export const verifyThreadsInput = () => s.object({ thread_id: anyThread() });
export type VerifyThreadsInput = s.ValueOf<ReturnType<typeof verifyThreadsInput>>;
