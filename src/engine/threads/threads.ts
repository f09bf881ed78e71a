import type { Memory } from "../memory.ts";
import { threadOperations } from "../operations-threads.ts";
import type { Call, Operation } from "../operation.ts";
import type * as I from "./inputs.ts";
import type * as R from "./results.ts";

/**
 * The operations on threads of one memory, for a program that embeds heartwood. Each takes and gives what `docs/formats/threads.md` says, and throws
 * `MemoryError`. Nothing is open before the first call; `memory.close()` closes what is.
 */
export interface Threads {
  create(input?: I.CreateInput): Promise<R.ThreadResult>;
  list(input?: I.ListInput): Promise<R.ThreadListResult>;
  get(input: I.ThreadInput): Promise<R.ThreadResult>;
  /** Returned means durable. */
  append(input: I.AppendInput): Promise<R.ThreadAppendResult>;
  /** Many messages as one transaction. */
  appendAll(input: AppendAllInput): Promise<R.ThreadAppendResult>;
  import(input: I.ImportInput, call?: Call): Promise<R.ThreadImportResult>;
  export(input: I.ThreadInput, call?: Call): Promise<AsyncIterable<string>>;
  /** With `follow` it ends when `call.signal` aborts. */
  events(input: I.EventsInput, call?: Call): Promise<AsyncIterable<string>>;
  branch(input: I.BranchInput): Promise<R.ThreadResult>;
  handoff(input: I.HandoffInput, call?: Call): Promise<R.HandoffResult>;
  cutPoints(input: I.CutPointsInput): Promise<R.CutPointsResult>;
  compact(input: I.AutoInput, call?: Call): Promise<R.AutoResult>;
  schedule(input: I.ScheduleInput & I.ThreadInput, call?: Call): Promise<R.ScheduleResult>;
  scheduleAll(input: Omit<I.ScheduleInput, "thread_id" | "all">, call?: Call): Promise<R.ScheduleAllResult>;
  checkpoint(input: I.CheckpointInput): Promise<R.ManualResult>;
  status(input: I.StatusInput): Promise<R.CompactionStatusResult>;
  runPending(input?: I.RunPendingInput, call?: Call): Promise<R.RunPendingResult>;
  /** Changes nothing unless `build` or `record` says so. `render` is `json` when it is not given. */
  compile<Render extends I.Rendering = "json">(
    input: I.CompileInput & { readonly render?: Render },
    call?: Call,
  ): Promise<R.CompileResult & { readonly rendered: R.Rendered[Render] }>;
  verify(input?: I.VerifyThreadsInput, call?: Call): Promise<R.VerifyThreadsResult>;
}

export interface AppendAllInput extends Omit<I.AppendInput, "content" | "batch" | "id"> {
  readonly messages: readonly {
    readonly content: string;
    /** Default: the `actor_id` and `origin` of the call. */
    readonly actor_id?: string;
    readonly origin?: string;
    /** A UUID. One that is there already with the same content is passed over. */
    readonly id?: string;
  }[];
}

type Name = (typeof threadOperations)[number]["name"];

/** The operations on threads of a memory. */
export function threadsOf(memory: Memory): Threads {
  const bound =
    <Input, Result>(name: Name) =>
    (input?: Input, call: Call = {}): Promise<Result> => {
      const operation = threadOperations.find((one) => one.name === name) as unknown as Operation<Input, Result>;
      return operation.run(memory, input ?? ({} as Input), call);
    };
  const append = bound<I.AppendInput, R.ThreadAppendResult>("thread.append");
  const schedule = bound<I.ScheduleInput, R.ScheduleResult | R.ScheduleAllResult>("compaction.auto.schedule");
  return {
    create: bound("thread.create"),
    list: bound("thread.list"),
    get: bound("thread.get"),
    append,
    appendAll: ({ messages, ...input }) => {
      const content = messages.map((message) => JSON.stringify(message)).join("\n");
      return append({ ...input, content, batch: true });
    },
    import: bound("thread.import"),
    export: bound("thread.export"),
    events: bound("thread.events"),
    branch: bound("thread.branch"),
    handoff: bound("thread.handoff"),
    cutPoints: bound("compaction.cut_points"),
    compact: bound("compaction.auto"),
    schedule: async (input, call) => (await schedule(input, call)) as R.ScheduleResult,
    scheduleAll: async (input, call) => (await schedule({ ...input, all: true }, call)) as R.ScheduleAllResult,
    checkpoint: bound("compaction.manual"),
    status: bound("compaction.status"),
    runPending: bound("job.run_pending"),
    compile: bound("context.compile") as Threads["compile"],
    verify: bound("thread.verify"),
  };
}
