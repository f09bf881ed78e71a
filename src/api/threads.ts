import type * as Copy from "../postgres/copy.ts";
import type * as Manage from "../postgres/manage.ts";
import type * as Input from "../threads/run/inputs.ts";
import type * as Wire from "../threads/run/results.ts";
import type { InputFile } from "../base/operation.ts";
import type { Camel, OptionsOf, By, CallOptions, TextInput } from "./wire.ts";

/**
 * Append-only conversations, summarized at cut points and compiled into contexts of bounded size. `thread` is a thread id; an invalid one
 * fails with `invalid_thread_id`.
 */
export interface Threads {
  /** Creates a thread. Operation: `thread.create`. Errors: `invalid_thread_id`, `thread_exists`. */
  create(options?: CreateThreadOptions): Promise<Thread>;
  /** Lists threads, most recently used first. Operation: `thread.list`. */
  list(options?: ListThreadsOptions): Promise<ThreadListResult>;
  /** Returns a thread's title, size and parent. Operation: `thread.get`. Errors: `thread_not_found`. */
  get(thread: string, options?: object): Promise<Thread>;
  /**
   * Appends a message, or several in one transaction: a list, or a file of JSON Lines in the wire format. On disk when the call returns. A message with a known id
   * and the same content is skipped. Never summarizes: `schedule` does.
   * Operation: `thread.append`. Errors: `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`, `frame_conflict`, `seq_conflict`.
   */
  append(
    thread: string,
    messages: Message | readonly Message[] | InputFile,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Imports frames into the threads they name, byte for byte, from JSON Lines (text or a file) or the lines of `export`. Known frames are skipped;
   * if a thread's frames are rejected, the result reports it.
   * Operation: `thread.import`. Errors: `invalid_frame`.
   */
  import(frames: TextInput | AsyncIterable<string>, options?: CallOptions): Promise<ThreadImportResult>;
  /** Streams the frames in a thread, each exactly as it was appended, without the newline. Operation: `thread.export`. Errors: `thread_not_found`. */
  export(thread: string, options?: CallOptions): AsyncIterable<string>;
  /**
   * Streams frames as JSON Lines, starting at a seq; with `follow`, also frames appended later, until `signal` aborts.
   * Operation: `thread.events`. Errors: `thread_not_found`.
   */
  events(thread: string, options?: EventsOptions): AsyncIterable<string>;
  /** Forks a thread at a message. Nothing is copied. Operation: `thread.branch`. Errors: `thread_not_found`, `message_not_found`. */
  branch(thread: string, options: BranchOptions): Promise<Thread>;
  /**
   * Starts a thread seeded with a summary of another: yours, or one generated now without a model.
   * Operation: `thread.handoff`. Errors: `thread_not_found`, `message_not_found`, `invalid_body`, `artifact_not_found`, `invalid_artifact`, `artifact_damaged`.
   */
  handoff(thread: string, options: HandoffOptions): Promise<HandoffResult>;
  /** Lists cut points, where summaries may end, latest first. Operation: `compaction.cut_points`. Errors: `thread_not_found`, `invalid_stride`, `invalid_limit`, `limit_too_large`. */
  cutPoints(thread: string, options?: CutPointsOptions): Promise<CutPointsResult>;
  /** Summarizes a thread up to its newest cut points. Operation: `compaction.auto`. Errors: `thread_not_found`, `invalid_stride`. */
  compact(thread: string, options: CompactThreadOptions): Promise<CompactThreadResult>;
  /**
   * Decides for every thread whether to summarize, records the decision and acts on it.
   * Operation: `compaction.auto.schedule`. Errors: `invalid_stride`.
   */
  schedule(options: ScheduleOptions & { readonly all: true }): Promise<ScheduleAllResult>;
  /**
   * Decides whether to summarize a thread, records the decision and acts on it. Appends nothing when there is nothing to do.
   * Operation: `compaction.auto.schedule`. Errors: `thread_not_found`, `invalid_stride`.
   */
  schedule(thread: string, options: ScheduleOptions): Promise<ScheduleResult>;
  /**
   * Records your own summary at a message. Takes one of `toMessageId`, `toSeq` and `strideMessages`, and one of `summary` and `artifact`.
   * Operation: `compaction.manual`. Errors: `thread_not_found`, `message_not_found`, `not_a_message`, `invalid_stride`, `invalid_body`, `artifact_not_found`,
   * `invalid_artifact`, `artifact_damaged`.
   */
  checkpoint(thread: string, options: CheckpointOptions): Promise<CheckpointResult>;
  /** Returns the latest checkpoint, the next cut point, the job in flight, the last decision and the last job's outcome. Operation: `compaction.status`. Errors: `thread_not_found`, `invalid_stride`. */
  status(thread: string, options?: ThreadStatusOptions): Promise<ThreadStatusResult>;
  /** Runs scheduled jobs that have no runner. Operation: `job.run_pending`. Errors: `thread_not_found`. */
  runPending(options?: SomeThreadsOptions): Promise<RunPendingResult>;
  /**
   * Compiles the context of a thread within a budget: the newest messages plus summaries that cover the rest. Writes only with `build` or
   * `record`, which need an `actor`.
   * Operation: `context.compile`. Errors: `thread_not_found`, `message_not_found`, `not_a_message`.
   */
  compile<Render extends Rendering = "json">(
    thread: string,
    options?: CompileOptions<Render>,
  ): Promise<Context<Render>>;
  /** Replays threads and checks every decision. Findings are returned, not thrown. Operation: `thread.verify`. Errors: `thread_not_found`. */
  verify(options?: SomeThreadsOptions): Promise<VerifyThreadsResult>;
}

/** Inputs that a method takes as its first argument or from `By`. */
type Named = "thread_id" | "actor_id" | "origin";

export interface CreateThreadOptions extends CallOptions, OptionsOf<Input.CreateInput, "thread_id"> {
  /** Default: a new UUID. */
  readonly id?: string;
}

export interface ListThreadsOptions extends CallOptions, OptionsOf<Input.ListInput> {}

export interface Message extends By {
  readonly content: string;
  /** A UUID. Default: a new one. */
  readonly id?: string;
}

export interface AppendOptions
  extends CallOptions, OptionsOf<Input.AppendInput, "thread_id" | "batch" | "content" | "id"> {}

export interface EventsOptions extends CallOptions, OptionsOf<Input.EventsInput, "thread_id"> {}

export interface BranchOptions extends CallOptions, By, OptionsOf<Input.BranchInput, Named> {}

export interface HandoffOptions extends CallOptions, By, OptionsOf<Input.HandoffInput, Named | "summary_file"> {
  /** The summary in Markdown. Default: one generated now. */
  readonly summary?: TextInput;
}

export interface ThreadStatusOptions extends CallOptions, OptionsOf<Input.StatusInput, "thread_id"> {}

export interface CutPointsOptions extends CallOptions, OptionsOf<Input.CutPointsInput, "thread_id"> {}

export interface CompactThreadOptions extends CallOptions, By, OptionsOf<Input.AutoInput, Named> {}

export interface ScheduleOptions extends CallOptions, By, OptionsOf<Input.ScheduleInput, Named | "all"> {}

export interface CheckpointOptions extends CallOptions, By, OptionsOf<Input.CheckpointInput, Named | "summary_file"> {
  /** The summary in Markdown. */
  readonly summary?: TextInput;
}

export interface SomeThreadsOptions extends CallOptions {
  /** The id of one thread. Default: all threads. */
  readonly thread?: string;
}

export type Rendering = "json" | "text" | "openai" | "anthropic" | "parts";

export interface CompileOptions<Render extends Rendering = Rendering>
  extends CallOptions, Partial<By>, OptionsOf<Input.CompileInput, Named | "render"> {
  /** The form of `rendered`: text, messages for a chat API, or parts with their tokens; `null` for `json`. Default `json`. */
  readonly render?: Render;
}

export interface Thread extends Omit<Camel<Wire.ThreadResult>, "threadId"> {
  readonly id: string;
}
export interface HandoffResult extends Omit<Camel<Wire.HandoffResult>, "threadId"> {
  readonly id: string;
}
export interface ThreadListResult {
  readonly threads: readonly Thread[];
  readonly total: number;
}
export interface AppendResult extends Camel<Wire.ThreadAppendResult> {}
export interface ThreadImportResult extends Camel<Wire.ThreadImportResult> {}
export interface CutPointsResult extends Camel<Wire.CutPointsResult> {}
export interface CompactThreadResult extends Camel<Wire.AutoResult> {}
export interface ScheduleResult extends Camel<Wire.ScheduleResult> {}
export interface ScheduleAllResult extends Camel<Wire.ScheduleAllResult> {}
export interface CheckpointResult extends Camel<Wire.ManualResult> {}
export interface ThreadStatusResult extends Camel<Wire.CompactionStatusResult> {}
export interface RunPendingResult extends Camel<Wire.RunPendingResult> {}
export interface VerifyThreadsResult extends Camel<Wire.VerifyThreadsResult> {}

/** A compiled context. Fields in `items` and `rendered` keep their names from the thread format and the provider's API. */
export interface Context<Render extends Rendering = Rendering> extends Omit<Camel<Wire.CompileResult>, "rendered"> {
  readonly rendered: Wire.Rendered[Render];
}

/** Where threads are kept. */
export interface Store {
  /** Shows where threads and artifacts are, and whether the server can be used; never its password. Operation: `store.status`. */
  status(options?: CallOptions): Promise<StoreStatus>;
  /**
   * Creates or updates the schema on the server in `DATABASE_URL`, or else in the user's settings. Operation: `store.migrate`.
   * Errors: `invalid_config`, `newer_store`, `io`.
   */
  migrate(options?: CallOptions): Promise<StoreMigrated>;
  /**
   * Copies threads and their artifacts to the server or back, and compares both sides. Can be repeated. Operation: `store.copy`.
   * Errors: `invalid_config` if the folder is not on the server.
   */
  copy(to: StoreCopied["to"], options?: CallOptions): Promise<StoreCopied>;
}
export interface StoreStatus extends Camel<Manage.StoreStatus> {}
export interface StoreMigrated extends Camel<Manage.StoreMigrated> {}
export interface StoreCopied extends Camel<Copy.StoreCopied> {}
