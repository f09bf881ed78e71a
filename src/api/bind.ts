import type * as Search from "../recall/search/results.ts";
import type * as Summarized from "../summaries/run/results.ts";
import type * as Threaded from "../threads/run/results.ts";
import type { Memory as Ports, Operation } from "../operations/operation.ts";
import { operations } from "../operations/table.ts";
import type { AuditResult } from "../audit/run/audit-result.ts";
import type { AuditHistoryResult } from "../audit/run/history.ts";
import type { AuditUndoResult } from "../audit/run/undo.ts";
import type { CaptureResult } from "../agents/capture/run.ts";
import type { Audit } from "./audit.ts";
import type { InputFile } from "../base/operation.ts";
import { type CallOptions, type TextInput } from "./call.ts";
import { fromWire, toWire, type Camel } from "./wire.ts";
import type { Memory, RecallResult, RootOptions } from "./memory.ts";
import type { Summaries } from "./summaries.ts";
import type { CheckpointOptions, HandoffOptions, Message, ScheduleOptions, Threads } from "./threads.ts";
import type { LogAddResult, LogPromoteResult } from "../tree/logs/log-add.ts";
import type { TreeResult, ShowResult } from "../tree/inspect/tree-view.ts";
import type { InitResult } from "../tree/setup/init.ts";
import type { CompactResult } from "../tree/run/idle.ts";
import type { StatusResult } from "../operations/status.ts";
import type { RootResult } from "../tree/root-run/root.ts";
import type { TraceResult } from "../tree/inspect/trace-places.ts";
import type { VerifyResult } from "../tree/inspect/verify.ts";
import type { UndoResult } from "../operations/undo.ts";
import type { DoctorResult } from "../operations/doctor.ts";
import type { ReadResult } from "../recall/read/read.ts";

/** Runs an operation of the table. `input` has the names of the API, the options of the call among them. */
export type Run = <Result>(operation: string, input: object) => Promise<Camel<Result>>;

/** Runs operations of the table on an opened folder. */
export function runOn(ports: Ports): Run {
  return async <Result>(name: string, { signal, onProgress, ...input }: CallOptions) => {
    const operation = operations.find((one) => one.name === name) as unknown as Operation;
    const result = await operation.run(ports, toWire(input), {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { progress: onProgress }),
    });
    return fromWire(name, result) as Camel<Result>;
  };
}

/** The API of an opened folder. */
export function memoryApi(run: Run, { dir, close }: Pick<Memory, "dir" | "close">): Memory {
  return {
    dir,
    log: {
      add: (entry, options) => run<LogAddResult>("log.add", { ...options, ...entry }),
      promote: (place, options) => run<LogPromoteResult>("log.promote", { ...options, place }),
    },
    tree: {
      list: (options = {}) => run<TreeResult>("tree.list", options),
      show: (period, options) => run<ShowResult>("tree.show", { ...options, period }),
    },
    threads: threadsApi(run),
    audit: auditApi(run),
    summaries: summariesApi(run),
    init: (options = {}) => run<InitResult>("memory.init", options),
    compact: (options = {}) => run<CompactResult>("tree.compact", options),
    status: (options = {}) => run<StatusResult>("memory.status", options),
    root: ((options: RootOptions = {}) => run<RootResult>("tree.root", options)) as Memory["root"],
    trace: (text, options) => run<TraceResult>("tree.trace", { ...options, text }),
    verify: (options = {}) => run<VerifyResult>("tree.verify", options),
    undo: (options = {}) => run<UndoResult>("memory.undo", options),
    doctor: (options = {}) => run<DoctorResult>("memory.doctor", options),
    search: (query, { in: places, ...options } = {}) =>
      run<Search.SearchResult>("memory.search", { ...options, query, in: places?.join(",") }),
    recall: async (text, options) => {
      const { context, ...recalled } = await run<Search.RecallResult>("memory.recall", { ...options, text });
      return { ...recalled, passages: context, text: await printed({ ...recalled, passages: context }) };
    },
    read: (place, options) => run<ReadResult>("memory.read", { ...options, place }),
    index: (options = {}) => run<Search.IndexResult>("memory.index", options),
    capture: (client, options) => run<CaptureResult>("capture.run", { ...options, client }),
    import: (client, options) => run<CaptureResult>("capture.import", { ...options, client }),
    close,
  };
}

async function printed({ passages, mark, notIndexed }: Omit<RecallResult, "text">): Promise<string> {
  const { printRecall } = await import("../recall/context/print.ts");
  const context = passages.map(({ ageDays, ...passage }) => ({ ...passage, age_days: ageDays }));
  return printRecall({ context, mark, not_indexed: notIndexed });
}

function auditApi(run: Run): Audit {
  return {
    run: (options = {}) => run<AuditResult>("audit.run", options),
    undo: (options = {}) => run<AuditUndoResult>("audit.undo", options),
    history: (options = {}) => run<AuditHistoryResult>("audit.history", options),
  };
}

function summariesApi(run: Run): Summaries {
  return {
    pending: (options = {}) => run<Summarized.PendingResult>("summaries.pending", options),
    submit: (job, answer, options) => {
      const input = { ...options, job, file: asFile("the answer", answer) };
      return run<Summarized.SubmitResult>("summaries.submit", input);
    },
    run: (options = {}) => run<Summarized.SummariesRunResult>("summaries.run", options),
    ledger: (options = {}) => run<Summarized.LedgerResult>("summaries.ledger", options),
    drop: (job, options) => run<Summarized.DropResult>("summaries.drop", { ...options, job }),
  };
}

function threadsApi(run: Run): Threads {
  const of =
    <Result>(operation: string) =>
    (thread: string, options?: object): Promise<Camel<Result>> =>
      run<Result>(operation, withOrigin({ ...options, threadId: thread }));
  return {
    create: async ({ id, ...options } = {}) =>
      asThread(await run<Threaded.ThreadResult>("thread.create", { ...options, threadId: id })),
    list: async (options = {}) => {
      const { threads, total } = await run<Threaded.ThreadListResult>("thread.list", options);
      return { threads: threads.map(asThread), total };
    },
    get: async (thread, options) => asThread(await of<Threaded.ThreadResult>("thread.get")(thread, options)),
    append: (thread, messages, options) =>
      of<Threaded.ThreadAppendResult>("thread.append")(thread, { ...options, ...appended(messages) }),
    import: (frames, options) =>
      run<Threaded.ThreadImportResult>("thread.import", { ...options, file: asFile("the frames", frames) }),
    export: (thread, options) => linesOf(() => of("thread.export")(thread, options)),
    events: (thread, options) => linesOf(() => of("thread.events")(thread, options)),
    branch: async (thread, options) => asThread(await of<Threaded.ThreadResult>("thread.branch")(thread, options)),
    handoff: async (thread, options) =>
      asThread(await of<Threaded.HandoffResult>("thread.handoff")(thread, withSummary(options))),
    cutPoints: of<Threaded.CutPointsResult>("compaction.cut_points"),
    compact: of<Threaded.AutoResult>("compaction.auto"),
    schedule: ((thread: string | ScheduleOptions, options?: ScheduleOptions) => {
      const input = typeof thread === "string" ? { ...options, threadId: thread } : thread;
      return run<Threaded.ScheduleResult>("compaction.auto.schedule", withOrigin(input));
    }) as Threads["schedule"],
    checkpoint: (thread, options) => of<Threaded.ManualResult>("compaction.manual")(thread, withSummary(options)),
    status: of<Threaded.CompactionStatusResult>("compaction.status"),
    runPending: ({ thread, ...options } = {}) =>
      run<Threaded.RunPendingResult>("job.run_pending", { ...options, threadId: thread }),
    compile: of<Threaded.CompileResult>("context.compile") as Threads["compile"],
    verify: ({ thread, ...options } = {}) =>
      run<Threaded.VerifyThreadsResult>("thread.verify", { ...options, threadId: thread }),
  };
}

function asThread<Of extends { readonly threadId: string }>({ threadId, ...thread }: Of) {
  return { id: threadId, ...thread };
}

/** One message as it is; several as the JSON lines of a batch, which are of the wire. */
function appended(messages: Message | readonly Message[] | InputFile): object {
  if ("chunks" in messages) return { content: messages, batch: true };
  if (!isList(messages)) return messages;
  return { content: messages.map((message) => JSON.stringify(toWire(withOrigin(message)))).join("\n"), batch: true };
}

function isList(messages: Message | readonly Message[]): messages is readonly Message[] {
  return Array.isArray(messages);
}

function withSummary({ summary, ...options }: HandoffOptions | CheckpointOptions): object {
  return summary === undefined ? options : { ...options, summaryFile: asFile("the summary", summary) };
}

/** `origin` has its default only beside an actor: a call without an actor records nothing. */
function withOrigin(input: object): object {
  return "actor" in input && input.actor !== undefined ? { origin: "api", ...input } : input;
}

/** A file of a text, or of lines as they come. */
function asFile(name: string, text: TextInput | AsyncIterable<string>): InputFile {
  if (typeof text === "object" && "chunks" in text) return text;
  const pieces = typeof text === "string" ? [text] : withNewlines(text);
  return {
    name,
    chunks: async function* () {
      for await (const piece of pieces) yield new TextEncoder().encode(piece);
    },
  };
}

async function* withNewlines(lines: AsyncIterable<string>): AsyncIterable<string> {
  for await (const line of lines) yield `${line}\n`;
}

/** The lines of an operation that streams. The operation begins with the first line. */
async function* linesOf(begun: () => Promise<unknown>): AsyncIterable<string> {
  yield* (await begun()) as AsyncIterable<string>;
}
