import { textFile, type Memory as Ports, type Operation } from "../operations/operation.ts";
import { operations, type OperationName, type ResultOf } from "../operations/table.ts";
import type { InputFile } from "../base/operation.ts";
import { fromWire, toWire, type Camel, type CallOptions, type TextInput } from "./wire.ts";
import type { Memory, RankedSessions, RecallResult } from "./memory.ts";
import type { CheckpointOptions, HandoffOptions, Message, ScheduleOptions, Threads } from "./threads.ts";
import type { RecallResult as WireRecallResult } from "../recall/search/inputs-and-results.ts";

/** Runs an operation from the table. `input` uses the API's field names and may include call options. */
export type Run = <Name extends OperationName>(operation: Name, input: object) => Promise<Camel<ResultOf<Name>>>;

/** Binds the operations of the table to an opened folder. */
export function runOn(ports: Ports): Run {
  return async <Name extends OperationName>(name: Name, { signal, onProgress, ...input }: CallOptions) => {
    const operation = operations.find((one) => one.name === name) as unknown as Operation;
    const result = await operation.run(ports, toWire(input), {
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { progress: onProgress }),
    });
    return fromWire(name, result) as Camel<ResultOf<Name>>;
  };
}

/** The API of an opened folder. */
export function memoryApi(run: Run, { dir, close }: Pick<Memory, "dir" | "close">): Memory {
  /** A method that takes only options. */
  const plain =
    <Name extends OperationName>(name: Name) =>
    (options: object = {}) =>
      run(name, options);
  /** A method whose first argument is this field. */
  const by =
    <Name extends OperationName>(name: Name, field: string) =>
    (value: unknown, options?: object) =>
      run(name, { ...options, [field]: value });
  return {
    dir,
    log: {
      add: (entry, options) => run("log.add", { ...options, ...entry }),
      promote: by("log.promote", "place"),
      edit: by("log.edit", "entry"),
      remove: by("log.remove", "entry"),
      undo: plain("log.undo"),
    },
    topics: {
      list: plain("topic.list"),
      show: by("topic.show", "name"),
      rename: (from, to, options) => run("topic.rename", { ...options, from, to }),
      merge: (from, to, options) => run("topic.merge", { ...options, from, to }),
    },
    pins: {
      add: by("recall.pin", "place"),
      never: by("recall.never", "place"),
      remove: by("recall.unpin", "place"),
      list: plain("recall.pins"),
    },
    inbox: { list: plain("memory.inbox"), dismiss: by("memory.dismiss", "id") },
    tree: { list: plain("tree.list"), show: (period, options) => run("tree.show", { ...options, period }) },
    threads: threadsApi(run),
    audit: { run: plain("audit.run"), undo: plain("audit.undo"), history: plain("audit.history") },
    summaries: {
      pending: plain("summaries.pending"),
      submit: (job, answer, options) =>
        run("summaries.submit", { ...options, job, file: asFile("the answer", answer) }),
      run: plain("summaries.run"),
      ledger: plain("summaries.ledger"),
      drop: by("summaries.drop", "job"),
    },
    store: {
      status: plain("store.status"),
      migrate: plain("store.migrate"),
      copy: (to, options) => run("store.copy", { ...options, to }),
    },
    init: plain("memory.init"),
    compact: plain("tree.compact"),
    status: plain("memory.status"),
    root: plain("tree.root") as Memory["root"],
    trace: by("tree.trace", "text") as Memory["trace"],
    verify: plain("tree.verify"),
    forget: plain("memory.forget"),
    undo: plain("memory.undo"),
    doctor: plain("memory.doctor"),
    search: (query, { in: places, ...options } = {}) =>
      run("memory.search", { ...options, query, in: places?.join(",") }),
    recall: (async (text: string, options?: object) => {
      const found = (await run("memory.recall", { ...options, text })) as Camel<WireRecallResult> | RankedSessions;
      if ("sessions" in found) return found;
      const { context: passages, ...recalled } = found;
      return { ...recalled, passages, text: await printed({ ...recalled, passages }) };
    }) as Memory["recall"],
    read: by("memory.read", "place"),
    diff: (from, to, options) => run("memory.diff", { ...options, from, to }),
    pullRequestComment: plain("memory.pr_comment"),
    report: plain("memory.report"),
    index: plain("memory.index"),
    sessions: plain("sessions.list"),
    replay: by("sessions.replay", "session"),
    capture: by("capture.run", "client"),
    import: by("capture.import", "client"),
    close,
  };
}

async function printed({ passages, mark, notIndexed }: Omit<RecallResult, "text">): Promise<string> {
  const { printRecall } = await import("../recall/context/print.ts");
  const context = passages.map(({ ageDays, ...passage }) => ({ ...passage, age_days: ageDays }));
  return printRecall({ context, mark, not_indexed: notIndexed });
}

function threadsApi(run: Run): Threads {
  const of =
    <Name extends OperationName>(name: Name) =>
    (thread: string, options?: object) =>
      run(name, withOrigin({ ...options, threadId: thread }));
  return {
    create: async ({ id, ...options } = {}) => asThread(await run("thread.create", { ...options, threadId: id })),
    list: async (options = {}) => {
      const { threads, total } = await run("thread.list", options);
      return { threads: threads.map(asThread), total };
    },
    get: async (thread, options) => asThread(await of("thread.get")(thread, options)),
    append: (thread, messages, options) => of("thread.append")(thread, { ...options, ...appended(messages) }),
    import: (frames, options) => run("thread.import", { ...options, file: asFile("the frames", frames) }),
    export: (thread, options) => linesOf(() => of("thread.export")(thread, options)),
    events: (thread, options) => linesOf(() => of("thread.events")(thread, options)),
    branch: async (thread, options) => asThread(await of("thread.branch")(thread, options)),
    handoff: async (thread, options) => asThread(await of("thread.handoff")(thread, withSummary(options))),
    cutPoints: of("compaction.cut_points"),
    compact: of("compaction.auto"),
    schedule: ((thread: string | ScheduleOptions, options?: ScheduleOptions) => {
      const input = typeof thread === "string" ? { ...options, threadId: thread } : thread;
      return run("compaction.auto.schedule", withOrigin(input));
    }) as Threads["schedule"],
    checkpoint: (thread, options) => of("compaction.manual")(thread, withSummary(options)),
    status: of("compaction.status"),
    runPending: ({ thread, ...options } = {}) => run("job.run_pending", { ...options, threadId: thread }),
    compile: of("context.compile") as Threads["compile"],
    verify: ({ thread, ...options } = {}) => run("thread.verify", { ...options, threadId: thread }),
  };
}

function asThread<Of extends { readonly threadId: string }>({ threadId, ...thread }: Of) {
  return { id: threadId, ...thread };
}

/** A single message unchanged; several as a batch of JSON Lines with wire names. */
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

/** Sets the default `origin`, but only if there is an actor: a call without one records nothing. */
function withOrigin(input: object): object {
  return "actor" in input && input.actor !== undefined ? { origin: "api", ...input } : input;
}

function asFile(name: string, text: TextInput | AsyncIterable<string>): InputFile {
  if (typeof text === "string") return textFile(name, text);
  if ("chunks" in text) return text;
  return {
    name,
    chunks: async function* () {
      for await (const line of text) yield new TextEncoder().encode(`${line}\n`);
    },
  };
}

/** Streams an operation's lines; the operation starts when the first line is requested. */
async function* linesOf(begun: () => Promise<unknown>): AsyncIterable<string> {
  yield* (await begun()) as AsyncIterable<string>;
}
