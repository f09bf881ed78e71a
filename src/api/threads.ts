import type * as Wire from "../threads/run/results.ts";
import type { InputFile } from "../base/operation.ts";
import type { By, CallOptions, TextInput } from "./call.ts";
import type { Camel } from "./wire.ts";

/**
 * Append-only conversations, summarized at cut points and compiled into contexts of bounded size. `thread` is the id of a thread; an invalid id
 * is `invalid_thread_id`.
 */
export interface Threads {
  /** Creates a thread. Operation: `thread.create`. Errors: `invalid_thread_id`, `thread_exists`. */
  create(options?: CreateThreadOptions): Promise<Thread>;
  /** Lists threads, most recently used first. Operation: `thread.list`. */
  list(options?: ListThreadsOptions): Promise<ThreadListResult>;
  /** Returns a thread's title, size and parent. Operation: `thread.get`. Errors: `thread_not_found`. */
  get(thread: string, options?: object): Promise<Thread>;
  /**
   * Appends a message, or many as one transaction: a list, or a file of JSON lines in the wire form. On disk when it returns. A message whose id is known
   * with the same content is skipped. Never summarizes: `schedule` does.
   * Operation: `thread.append`. Errors: `thread_not_found`, `invalid_body`, `invalid_frame`, `invalid_id`, `frame_conflict`, `seq_conflict`.
   */
  append(
    thread: string,
    messages: Message | readonly Message[] | InputFile,
    options?: AppendOptions,
  ): Promise<AppendResult>;
  /**
   * Imports frames into the threads that they name, byte for byte: JSON lines as a text or a file, or the lines of `export`. What is known already is
   * skipped; a thread that cannot take its frames is reported in the result.
   * Operation: `thread.import`. Errors: `invalid_frame`.
   */
  import(frames: TextInput | AsyncIterable<string>, options?: CallOptions): Promise<ThreadImportResult>;
  /** Streams the frames of a thread, each exactly as it was appended, without its newline. Operation: `thread.export`. Errors: `thread_not_found`. */
  export(thread: string, options?: CallOptions): AsyncIterable<string>;
  /**
   * Streams frames as JSON lines from a seq on; with `follow` also later ones, until `signal` aborts.
   * Operation: `thread.events`. Errors: `thread_not_found`.
   */
  events(thread: string, options?: EventsOptions): AsyncIterable<string>;
  /** Forks a thread at a message. Nothing is copied. Operation: `thread.branch`. Errors: `thread_not_found`, `message_not_found`. */
  branch(thread: string, options: BranchOptions): Promise<Thread>;
  /**
   * Starts a thread seeded with a summary of another: the given one, or one made now without a model.
   * Operation: `thread.handoff`. Errors: `thread_not_found`, `message_not_found`, `invalid_body`, `artifact_not_found`, `invalid_artifact`, `artifact_damaged`.
   */
  handoff(thread: string, options: HandoffOptions): Promise<HandoffResult>;
  /** Lists where summaries may end, latest first. Operation: `compaction.cut_points`. Errors: `thread_not_found`, `invalid_stride`, `invalid_limit`, `limit_too_large`. */
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
   * Records a summary of your own at a message: one of `toMessageId`, `toSeq` and `strideMessages`, and one of `summary` and `artifact`.
   * Operation: `compaction.manual`. Errors: `thread_not_found`, `message_not_found`, `not_a_message`, `invalid_stride`, `invalid_body`, `artifact_not_found`,
   * `invalid_artifact`, `artifact_damaged`.
   */
  checkpoint(thread: string, options: CheckpointOptions): Promise<CheckpointResult>;
  /** Returns the latest checkpoint, the next cut point, the job in flight, the last decision and outcome. Operation: `compaction.status`. Errors: `thread_not_found`, `invalid_stride`. */
  status(thread: string, options?: ThreadStatusOptions): Promise<ThreadStatusResult>;
  /** Runs scheduled jobs that have no runner. Operation: `job.run_pending`. Errors: `thread_not_found`. */
  runPending(options?: SomeThreadsOptions): Promise<RunPendingResult>;
  /**
   * Compiles the context of a thread within a budget: the newest messages and summaries that together leave nothing out. Writes only with `build` or
   * `record`, which need an `actor`.
   * Operation: `context.compile`. Errors: `thread_not_found`, `message_not_found`, `not_a_message`.
   */
  compile<Render extends Rendering = "json">(
    thread: string,
    options?: CompileOptions<Render>,
  ): Promise<Context<Render>>;
  /** Replays threads and compares every decision. Findings are a result, not an error. Operation: `thread.verify`. Errors: `thread_not_found`. */
  verify(options?: SomeThreadsOptions): Promise<VerifyThreadsResult>;
}

export interface CreateThreadOptions extends CallOptions {
  readonly title?: string;
  /** Where the conversation takes place. Default: the project folder. */
  readonly workspace?: string;
  /** Default: a new UUID. */
  readonly id?: string;
}

export interface ListThreadsOptions extends CallOptions {
  /** 1 to 10,000 threads. Default 100. */
  readonly limit?: number;
}

export interface Message extends By {
  readonly content: string;
  /** A UUID. Default: a new one. */
  readonly id?: string;
}

export interface AppendOptions extends CallOptions {
  /** Refuse with `seq_conflict` unless the thread's head has this seq. */
  readonly expectedSeq?: number;
  /** For lines of a file that have none. */
  readonly actor?: string;
  /** For lines of a file that have none. */
  readonly origin?: string;
}

export interface EventsOptions extends CallOptions {
  /** Default 0. */
  readonly fromSeq?: number;
  /** Default `false`. */
  readonly follow?: boolean;
}

export interface BranchOptions extends CallOptions, By {
  /** A message id. Default: the newest frame. */
  readonly at?: string;
  /** Of the new thread. */
  readonly title?: string;
}

export interface HandoffOptions extends BranchOptions {
  /** The summary, Markdown. Default: one made now. */
  readonly summary?: TextInput;
  /** The id of a summary in the artifact store, in place of `summary`. */
  readonly artifact?: string;
}

export interface ThreadStatusOptions extends CallOptions {
  /** Messages between two cut points. Default 10,000. */
  readonly strideMessages?: number;
}

export interface CutPointsOptions extends ThreadStatusOptions {
  /** 0 to 1,000 cut points. Default 1. */
  readonly limit?: number;
}

export interface CompactThreadOptions extends ThreadStatusOptions, By {
  /** 1 to 32. Default 1. */
  readonly maxNewCheckpoints?: number;
  /** Show the plan, append nothing. Default `false`. */
  readonly dryRun?: boolean;
}

export interface ScheduleOptions extends CompactThreadOptions {
  /** Start no job while one is in flight. Default `true`. */
  readonly blockOnInflight?: boolean;
  /** Run the job now; `false` leaves it to `runPending`. Default `true`. */
  readonly execute?: boolean;
}

export interface CheckpointOptions extends ThreadStatusOptions, By {
  /** The last message that the summary covers. */
  readonly toMessageId?: string;
  /** The same message, given by its seq. */
  readonly toSeq?: number;
  /** The summary, Markdown. */
  readonly summary?: TextInput;
  /** The id of a summary in the artifact store, in place of `summary`. */
  readonly artifact?: string;
}

export interface SomeThreadsOptions extends CallOptions {
  /** The id of one thread. Default: all threads. */
  readonly thread?: string;
}

export type Rendering = "json" | "text" | "openai" | "anthropic";

export interface CompileOptions<Render extends Rendering = Rendering> extends CallOptions, Partial<By> {
  /** The last message to include. Default: the newest frame. */
  readonly at?: string;
  /** Default `covering_summaries_v1`. */
  readonly strategy?:
    | "covering_summaries_v1"
    | "recent_messages_v1"
    | "summaries_recent_messages_v1"
    | "hierarchical_summaries_recent_messages_v1";
  /** o200k tokens, 500 to 1,000,000; never exceeded. Default 8,000. */
  readonly budget?: number;
  /** What `rendered` is: a text, the messages of a chat API, or `null` for `json`. Default `json`. */
  readonly render?: Render;
  /** Make missing summaries first. Default `false`. */
  readonly build?: boolean;
  /** Store the context and append frames that record it. Default `false`. */
  readonly record?: boolean;
  /** The id of the run this context is for. Default `run_1`. */
  readonly runSessionId?: string;
}

export interface Thread extends Omit<Camel<Wire.ThreadResult>, "threadId"> {
  readonly id: string;
}
export interface HandoffResult extends Omit<Camel<Wire.HandoffResult>, "threadId"> {
  readonly id: string;
}
export interface ThreadListResult {
  readonly threads: readonly Omit<Thread, "parent">[];
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

/** A compiled context. `items` and `rendered` are as the format and the provider name them. */
export interface Context<Render extends Rendering = Rendering> extends Omit<Camel<Wire.CompileResult>, "rendered"> {
  readonly rendered: Wire.Rendered[Render];
}
