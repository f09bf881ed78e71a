import type * as Init from "../tree/setup/init.ts";
import type * as LogAdd from "../tree/logs/log-add.ts";
import type * as LogChange from "../tree/logs/log-change.ts";
import type * as LogPromote from "../tree/logs/log-promote.ts";
import type * as Run from "../tree/run/idle.ts";
import type * as Status from "../operations/status.ts";
import type * as View from "../tree/inspect/tree-view.ts";
import type * as Root from "../tree/root-run/root.ts";
import type * as Trace from "../tree/inspect/trace-places.ts";
import type * as Comment from "../tree/versions/pr-comment.ts";
import type * as Diff from "../tree/versions/diff.ts";
import type * as Verify from "../tree/inspect/verify.ts";
import type * as Forget from "../forget/forget.ts";
import type * as Undo from "../operations/undo.ts";
import type * as Doctor from "../operations/doctor.ts";
import type * as Read from "../recall/read/read.ts";
import type * as Found from "../recall/search/inputs-and-results.ts";
import type * as Capture from "../agents/capture/run.ts";
import type * as Forward from "../agents/sessions/trace-forward.ts";
import type * as Sessions from "../agents/sessions/list.ts";
import type { CaptureInput, HistoryInput, ReplayInput } from "../agents/capture/inputs.ts";
import type { IndexInput, RecallInput, SearchInput } from "../recall/search/inputs-and-results.ts";
import type {
  CompactInput,
  DoctorInput,
  ForgetInput,
  LogAddInput,
  LogEditInput,
  LogPromoteInput,
  LogUndoInput,
  PullRequestInput,
  RootInput,
  ShowInput,
  VerifyInput,
} from "../tree/inputs.ts";
import type { Client } from "../agents/transcripts/transcripts.ts";
import type { Camel, OptionsOf, CallOptions, TextInput } from "./wire.ts";
import type { Inbox, Pins, ReportOptions, ReportResult, Topics } from "./review.ts";
import type { Store, Threads } from "./threads.ts";
import type * as WireResult from "../audit/model/report.ts";
import type * as WireHistory from "../audit/run/history.ts";
import type * as WireUndo from "../audit/run/undo.ts";
import type { OutputFile } from "../base/operation.ts";
import type { AuditInput, AuditUndoInput } from "../audit/model/finding.ts";
import type * as Input from "../summaries/run/inputs-and-results.ts";

/**
 * The memory of one project folder. Methods throw `MemoryError`, with a `code` and a readable message. Besides the errors listed, any method can throw
 * `usage` or `invalid_number` (invalid input), `aborted`, `io`, `disk_full` or `busy`. Budgets are in o200k tokens.
 */
export interface Memory {
  /** Absolute path of the project folder. */
  readonly dir: string;
  /** The daily logs, which the tree is built from. */
  readonly log: Log;
  /** The topics of entries. */
  readonly topics: Topics;
  /** What needs a person. */
  readonly inbox: Inbox;
  /** What recall gives first or never. */
  readonly pins: Pins;
  /** The nodes of the compaction tree. */
  readonly tree: Tree;
  /** Conversations. */
  readonly threads: Threads;
  /** Finds and fixes repetition and bloat in MEMORY.md and the notes. */
  readonly audit: Audit;
  /** Summaries written by a model. */
  readonly summaries: Summaries;
  /** Where threads are kept: in files, or on the PostgreSQL server in the user's settings. */
  readonly store: Store;

  /**
   * Creates `memory/` with its level folders, the configuration and the platform's templates, and marks a new memory as trusted. Leaves existing files unchanged.
   * Operation: `memory.init`. Errors: `invalid_platform`, `invalid_config`.
   */
  init(options?: InitOptions): Promise<InitResult>;
  /**
   * Brings the tree up to date: raw logs become daily, weekly and monthly nodes and ROOT.md. Writes nothing when nothing is due.
   * Operation: `tree.compact`. Errors: `invalid_period`, `invalid_config`.
   */
  compact(options?: CompactOptions): Promise<CompactResult>;
  /** Shows what exists, what is due, what is late, and the command to run next. Operation: `memory.status`. Errors: `invalid_config`. */
  status(options?: CallOptions): Promise<StatusResult>;
  /**
   * Lists what did not fit in ROOT.md and why.
   * Operation: `tree.root`. Errors: `not_found`.
   */
  root(options: RootOptions & { readonly dropped: true }): Promise<DroppedResult>;
  /**
   * Returns ROOT.md, or the same selection within a smaller size limit.
   * Operation: `tree.root`. Errors: `not_found`.
   */
  root(options?: RootOptions): Promise<RootResult>;
  /**
   * Traces a line of ROOT.md through every level back to its source lines. `line`: part of its text, or `ROOT:12`.
   * Operation: `tree.trace`. Errors: `not_found`, `not_traceable`, `node_too_old`.
   */
  trace(line: string, options?: CallOptions): Promise<TraceResult>;
  /**
   * Lists everything that comes from log lines, messages of a thread or an entry: lines of nodes, ROOT.md and thread summaries, entries that correct it,
   * and the sessions that were given it. `place`: `memory/2026-03-15.md:12-18`, `thread:ID:5` or the id of an entry.
   * Operation: `tree.trace`. Errors: `invalid_path`, `not_found`, `thread_not_found`.
   */
  trace(place: string, options: TraceForwardOptions): Promise<ForwardResult>;
  /** Rebuilds every node from its recorded sources and compares it byte for byte. Findings are returned, not thrown. Operation: `tree.verify`. */
  verify(options?: VerifyOptions): Promise<VerifyResult>;
  /**
   * Forgets lines and messages for good, with everything made from them: those that contain `text`, an `entry`, a `day` (with `lines`, of that log), a `topic`, or a `thread` (with
   * `message`, only that one). Without `yes` or the `code` of an earlier call, only returns what would go.
   * Operation: `memory.forget`. Errors: `usage`, `invalid_date`, `thread_not_found`, `message_not_found`, `changed_by_other`.
   */
  forget(options: ForgetOptions): Promise<ForgetResult>;
  /** Restores the files that the last reopen or fix replaced. Operation: `memory.undo`. Errors: `nothing_to_undo`, `archive_damaged`. */
  undo(options?: CallOptions): Promise<UndoResult>;
  /** Checks the environment, the configuration and the stored data. Writes only with `fix`. Operation: `memory.doctor`. */
  doctor(options?: DoctorOptions): Promise<DoctorResult>;
  /**
   * Finds words, "phrases" and prefixes* in logs, nodes, knowledge and threads, best match first. `+word` must occur, `-word` must not; dates in the query
   * (`last week`, `2026-03`) narrow the search.
   * Operation: `memory.search`. Errors: `invalid_query`, `invalid_date`, `invalid_type`.
   */
  search(query: string, options?: SearchOptions): Promise<SearchResult>;
  /** Retrieves passages relevant to a message, best match first, within a budget. Returns context, not an answer. Operation: `memory.recall`. */
  recall(text: string, options?: RecallOptions): Promise<RecallResult>;
  /** Ranks whole sessions (entries, threads, sections of notes) for a message, best first. Operation: `memory.recall`. */
  recall(text: string, options: RecallSessionsOptions): Promise<RankedSessions>;
  /**
   * Reads a node, a log, or the lines at a place that search or recall returned, with secrets redacted. Returns at most 32,000 characters at a time;
   * `next` is the place to continue from. `place`: `2026-03-15`, `memory/2026-03-15.md:12-18`, `2026-W11`, `2026-03`, `ROOT` or `thread:ID:5-7`.
   * Operation: `memory.read`. Errors: `invalid_path`, `invalid_period`, `not_found`, `thread_not_found`.
   */
  read(place: string, options?: CallOptions): Promise<ReadResult>;
  /**
   * Compares two versions of the memory: topics that are new, changed or gone, and lines of ROOT.md. Each is a day (what was known at its end), a folder
   * (`./other`) or a git revision; `to` is by default the memory as it is. Operation: `memory.diff`. Errors: `not_found`, `no_memory`, `other_owner`.
   */
  diff(from: string, to?: string, options?: CallOptions): Promise<DiffResult>;
  /** Returns what a branch changes in the memory, as Markdown for a pull request. Operation: `memory.pr_comment`. Errors: `not_found`. */
  pullRequestComment(options?: PullRequestOptions): Promise<PullRequestComment>;
  /** Returns ROOT.md and the tree as one HTML page without scripts, or writes it to `html`. Operation: `memory.report`. Errors: `not_found`, `usage`. */
  report(options?: ReportOptions): Promise<ReportResult>;
  /** Brings the search index up to date. Queries do this too, a bit at a time. Operation: `memory.index`. */
  index(options?: IndexOptions): Promise<IndexResult>;
  /** Lists the agent sessions on record, newest first, with how much they were given. Operation: `sessions.list`. */
  sessions(options?: CallOptions): Promise<SessionsResult>;
  /**
   * Returns what hooks gave to a session, byte for byte. A part of its id is enough.
   * Operation: `sessions.replay`. Errors: `not_found`, `usage` if several sessions match.
   */
  replay(session: string, options?: ReplayOptions): Promise<ReplayResult>;
  /**
   * Imports new content from an agent's transcript: messages go to the session's thread, finished turns to the log.
   * Operation: `capture.run`. Errors: `not_found`, `not_a_file`, `invalid_body`.
   */
  capture(client: Exclude<Client, "chatgpt" | "claude-ai">, options?: CaptureOptions): Promise<CaptureResult>;
  /**
   * Imports an agent's past conversations, or a ChatGPT or Claude.ai export. Skips what was already imported.
   * Operation: `capture.import`. Errors: `not_found`, `not_a_file`, `invalid_body`.
   */
  import(client: Client, options?: ImportOptions): Promise<CaptureResult>;
  /** Closes open resources. The memory can be used again afterwards. */
  close(): Promise<void>;
}

/** The daily logs. */
export interface Log {
  /**
   * Appends an entry to its day's log, with secrets redacted. On disk when the call returns.
   * Operation: `log.add`. Errors: `invalid_topic`, `invalid_type`, `invalid_body`, `invalid_date`, `invalid_id`, `invalid_origin`.
   */
  add(entry: LogEntry, options?: CallOptions): Promise<LogAddResult>;
  /**
   * Adds the user's sentence at a place as an entry, verbatim; promoting it again adds nothing. `place`: `memory/2026-03-12.md:181`, a line of a node, or a line of ROOT.md
   * in the form that `trace` accepts. Operation: `log.promote`. Errors: `invalid_path`, `not_found`, `not_traceable`, `invalid_body`, `invalid_origin`, `invalid_topic`, `invalid_date`.
   */
  promote(place: string, options?: PromoteOptions): Promise<LogPromoteResult>;
  /**
   * Replaces an entry: the new one is appended to the log of the same day, and the old lines are not used any more. `entry`: its id, or its lines (`memory/2026-03-12.md:18`).
   * Operation: `log.edit`. Errors: `not_found`, `usage`, `invalid_topic`, `invalid_body`, `invalid_origin`.
   */
  edit(entry: string, options: EditOptions): Promise<LogEditResult>;
  /** Stops using an entry; its lines stay in the log. Operation: `log.remove`. Errors: `not_found`. */
  remove(entry: string, options?: CallOptions): Promise<LogRemoveResult>;
  /** Takes back an edit, removal, renaming or dismissal, by default the newest. Operation: `log.undo`. Errors: `nothing_to_undo`. */
  undo(options?: LogUndoOptions): Promise<LogUndoResult>;
}

/** The nodes of the compaction tree. */
export interface Tree {
  /** Lists ROOT.md, months, weeks and days with status, size and topics. Operation: `tree.list`. */
  list(options?: CallOptions): Promise<TreeResult>;
  /**
   * Returns one node with its text and addenda, by default ROOT.md. `period`: `2026-03-15`, `2026-W11`, `2026-03` or `ROOT`. With `asOf`, as it was at the
   * end of that day. Operation: `tree.show`. Errors: `invalid_period`, `invalid_date`, `not_found`.
   */
  show(period?: string, options?: ShowOptions): Promise<ShowResult>;
}

export interface LogEntry extends OptionsOf<LogAddInput> {}

export interface EditOptions extends CallOptions, OptionsOf<LogEditInput, "entry"> {}
export interface LogUndoOptions extends CallOptions, OptionsOf<LogUndoInput> {}
export interface PromoteOptions extends CallOptions, OptionsOf<LogPromoteInput, "place"> {}

export interface InitOptions extends CallOptions {
  /** `plain`, `claude-code`, `openclaw`, … Default: detected from the folder and the home directory. */
  readonly platform?: string;
}

export interface CompactOptions extends CallOptions, OptionsOf<CompactInput> {}

export interface RootOptions extends CallOptions, OptionsOf<RootInput, "dropped"> {}

export interface VerifyOptions extends CallOptions, OptionsOf<VerifyInput> {}
export interface ForgetOptions extends CallOptions, OptionsOf<ForgetInput> {}
export interface DoctorOptions extends CallOptions, OptionsOf<DoctorInput> {}

export interface ShowOptions extends CallOptions, OptionsOf<ShowInput, "period"> {}

export interface TraceForwardOptions extends CallOptions {
  readonly forward: true;
}

export interface SearchOptions extends CallOptions, OptionsOf<SearchInput, "query" | "in"> {
  /** Where to look. Default: everywhere. */
  readonly in?: readonly ("raw" | "nodes" | "knowledge" | "memory" | "threads")[];
}

export interface RecallOptions extends CallOptions, OptionsOf<RecallInput, "text" | "batch" | "sessions" | "limit"> {}
export interface RecallSessionsOptions extends CallOptions, Pick<RecallOptions, "also"> {
  readonly sessions: true;
  /** 1 to 50. Default 10. */
  readonly limit?: number;
}
export interface PullRequestOptions extends CallOptions, OptionsOf<PullRequestInput> {}

export interface IndexOptions extends CallOptions, OptionsOf<IndexInput> {}

export interface ReplayOptions extends CallOptions, OptionsOf<ReplayInput, "session"> {}
export interface CaptureOptions extends CallOptions, OptionsOf<CaptureInput, "client"> {}

export interface ImportOptions extends CallOptions, OptionsOf<HistoryInput, "client"> {}

export interface InitResult extends Camel<Init.InitResult> {}
export interface LogAddResult extends Camel<LogAdd.LogAddResult> {}
export interface LogEditResult extends Camel<LogChange.LogChangeResult> {}
export interface LogRemoveResult extends Camel<LogChange.LogChangeResult> {}
export interface LogUndoResult extends Camel<LogChange.LogUndoResult> {}
export interface LogPromoteResult extends Camel<LogPromote.LogPromoteResult> {}
export interface CompactResult extends Camel<Run.CompactResult> {}
export interface StatusResult extends Camel<Status.StatusResult> {}
export interface TreeResult extends Camel<View.TreeResult> {}
export interface ShowResult extends Camel<View.ShowResult> {}
export interface RootResult extends Camel<Root.RootResult> {}
export interface DroppedResult extends Camel<Root.DroppedResult> {}
export interface TraceResult extends Camel<Trace.TraceResult> {}
export interface ForwardResult extends Camel<Forward.ForwardResult> {}
export interface VerifyResult extends Camel<Verify.VerifyResult> {}
export interface ForgetResult extends Camel<Forget.ForgetResult> {}
export interface UndoResult extends Camel<Undo.UndoResult> {}
export interface DoctorResult extends Camel<Doctor.DoctorResult> {}
export interface SearchResult extends Camel<Found.SearchResult> {}
export interface SearchHit extends Camel<Found.SearchHit> {}
export interface ReadResult extends Camel<Read.ReadResult> {}
export interface DiffResult extends Camel<Diff.DiffResult> {}
export interface PullRequestComment extends Camel<Comment.PullRequestComment> {}
export interface IndexResult extends Camel<Found.IndexResult> {}
export interface SessionsResult extends Camel<Sessions.SessionsResult> {}
export interface ReplayResult extends Camel<Sessions.ReplayResult> {}
export interface CaptureResult extends Camel<Capture.CaptureResult> {}
export interface RankedSessions extends Camel<Found.RankedSessions> {}
export interface Passage extends Camel<Found.RecalledPassage> {}

export interface RecallResult extends Omit<Camel<Found.RecallResult>, "context"> {
  /** Best first. */
  readonly passages: readonly Passage[];
  /** The passages as text for a prompt: fenced as data, each with its date and place. */
  readonly text: string;
}

/** Finds and fixes repetition and bloat in MEMORY.md and the notes. */
export interface Audit {
  /**
   * Measures MEMORY.md and its sections, and finds notes that repeat it, repeated lines, large notes, secrets and broken references. Writes only with
   * `apply`, which `undo` can revert byte for byte. Findings are returned, not thrown.
   * Operation: `audit.run`. Errors: `changed_by_other`.
   */
  run(options?: AuditOptions): Promise<AuditResult>;
  /**
   * Reverts an audit. Text appended to notes since then is kept; a file changed in any other way is left as it is and reported.
   * Operation: `audit.undo`. Errors: `nothing_to_undo`, `audit_not_found`, `invalid_id`, `archive_damaged`, `changed_by_other`.
   */
  undo(options?: AuditUndoOptions): Promise<AuditUndoResult>;
  /** Lists audits that changed something, newest first. Operation: `audit.history`. */
  history(options?: CallOptions): Promise<AuditHistoryResult>;
}

export interface AuditOptions extends CallOptions, OptionsOf<AuditInput, "markdown"> {
  /** Where to write the report as Markdown. Default: not written. */
  readonly markdown?: OutputFile;
}

export interface AuditUndoOptions extends CallOptions, OptionsOf<AuditUndoInput> {}

export interface AuditResult extends Camel<WireResult.AuditResult> {}
export interface AuditUndoResult extends Camel<WireUndo.AuditUndoResult> {}
export interface AuditHistoryResult extends Camel<WireHistory.AuditHistoryResult> {}

/** Summaries written by a model. Opt-in: nothing is sent unless you configure a model. */
export interface Summaries {
  /**
   * Lists the summaries that a model can still improve on, each as a job with its prompt and sources, secrets redacted. Sends nothing.
   * Operation: `summaries.pending`. Errors: `job_not_found`, `job_stale`, `invalid_config`.
   */
  pending(options?: PendingOptions): Promise<PendingResult>;
  /**
   * Checks a Markdown answer to a job and records it; the next `compact` uses it. A refused answer is returned with the reasons, not thrown.
   * Operation: `summaries.submit`. Errors: `job_not_found`, `job_stale`, `invalid_body`.
   */
  submit(job: string, answer: TextInput, options?: SubmitOptions): Promise<SubmitResult>;
  /**
   * Sends jobs to the configured model within the budgets, checks and records the answers, and brings the tree up to date. A faulty
   * answer is reported in the result, not thrown.
   * Operation: `summaries.run`. Errors: `invalid_config`.
   */
  run(options?: SummariesRunOptions): Promise<SummariesRunResult>;
  /** Lists requests to the model, with time, outcome and cost. Operation: `summaries.ledger`. Errors: `invalid_date`, `invalid_config`. */
  ledger(options?: LedgerOptions): Promise<LedgerResult>;
  /**
   * Drops an accepted answer; the next `compact` restores the built-in summary unless the node is fixed.
   * Operation: `summaries.drop`. Errors: `job_not_found`, `artifact_damaged`.
   */
  drop(job: string, options?: CallOptions): Promise<DropResult>;
}

export interface PendingOptions extends CallOptions, OptionsOf<Input.PendingInput> {}

export interface SubmitOptions extends CallOptions, OptionsOf<Input.SubmitInput, "job" | "file"> {}

export interface SummariesRunOptions extends CallOptions, OptionsOf<Input.SummariesRunInput> {}

export interface LedgerOptions extends CallOptions, OptionsOf<Input.LedgerInput> {}

export interface PendingResult extends Camel<Input.PendingResult> {}
export interface SummaryJob extends Camel<Input.SummaryJob> {}
export interface SubmitResult extends Camel<Input.SubmitResult> {}
export interface SummariesRunResult extends Camel<Input.SummariesRunResult> {}
export interface LedgerResult extends Camel<Input.LedgerResult> {}
export interface DropResult extends Camel<Input.DropResult> {}
