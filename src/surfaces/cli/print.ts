import type { ReplayResult } from "../../agents/sessions/list.ts";
import type { Warning } from "../../base/errors.ts";
import type { ProgressEvent } from "../../base/operation.ts";
import type { Operation } from "../../operations/operation.ts";
import type { AskedRequest } from "../../tree/answers/record.ts";
import type { CommonOptions } from "../../operations/command-line.ts";
import type { SinkLook, Terminal } from "./terminal.ts";
import { visible, visibleIn, visibleLine } from "../../text/visible.ts";
import { screenOf, type Screen, type View } from "./render/layout.ts";

/** Prints the result on stdout as JSON or text. With `--quiet`, a successful write prints no text. */
export async function printResult(printing: {
  readonly operation: Pick<Operation, "name" | "effect">;
  readonly input: Readonly<Record<string, unknown>>;
  readonly result: unknown;
  readonly outcome: "done" | "findings" | "failed";
  readonly common: CommonOptions;
  readonly terminal: Terminal;
}): Promise<void> {
  const { operation, input, result, outcome, common, terminal } = printing;
  const look = terminal.stdout.look();
  const { rendered, ...document } = (result ?? {}) as { readonly rendered?: unknown };
  // `--render json` asks for the document too.
  if (common.output === "json" || input["render"] === "json")
    return terminal.stdout.write(jsonText(rendered === null ? document : result, look));
  // The messages for a chat API.
  if (typeof rendered === "object" && rendered !== null)
    return terminal.stdout.write(jsonText(rendered, { kind: "terminal" }));
  // Plans and compiled contexts are printed even when quiet.
  const isWanted = input["dry_run"] === true || rendered !== undefined;
  if (common.chatter === "quiet" && operation.effect === "writes" && outcome === "done" && !isWanted) return;
  const exact = input["number"] === undefined ? undefined : replayedIn(operation.name, result);
  if (exact !== undefined && look.kind !== "terminal") return terminal.stdout.write(exact);
  const text = (await rendererOf(operation.name))(visibleIn(result), { ...look, input });
  terminal.stdout.write(text.endsWith("\n") ? text : `${text}\n`);
}

/** The only text of `replay --number`, which a pipe gets as it is. */
function replayedIn(operation: string, result: unknown): string | undefined {
  return operation === "sessions.replay" ? (result as ReplayResult).texts[0]?.text : undefined;
}

/** One line for programs, indented on a terminal. Values stay the same; unsafe characters are escaped. */
export function jsonText(value: unknown, { kind }: Pick<SinkLook, "kind">): string {
  return `${visible(JSON.stringify(value, undefined, kind === "terminal" ? 2 : undefined), "json")}\n`;
}

/** Prints a result's warnings; if its rows are shown, only the warnings that no row shows. Also for streams, since their lines cannot carry warnings. */
export function tellWarnings(
  result: unknown,
  { common, result: form }: { readonly common: CommonOptions; readonly result: "shown" | "left out" | "stream" },
  terminal: Terminal,
): void {
  if (common.chatter === "quiet" || (common.output === "json" && form !== "stream")) return;
  const warnings = warningsIn(result, "warnings");
  for (const warning of form === "shown" ? warningsBesideRows(result, warnings) : warnings) tell(warning, terminal);
}

/** With `--quiet`, reports only skipped files, on stderr; `false` if there are none. */
export function tellSkippedQuietly(result: unknown, common: CommonOptions, terminal: Terminal): boolean {
  if (common.chatter !== "quiet" || common.output === "json") return false;
  const skipped = warningsIn(result, "skipped");
  for (const file of skipped) tell(file, terminal);
  return skipped.length > 0;
}

function tell({ message, path, line }: Warning, { stderr }: Terminal): void {
  const place = path === undefined ? "" : ` (${path}${line === undefined ? "" : `:${line}`})`;
  stderr.write(`heartwood: warning: ${visible(`${message}${place}`)}\n`);
}

/** A skipped file has the fields of a warning. */
function warningsIn(result: unknown, key: "warnings" | "skipped"): readonly Warning[] {
  const found = typeof result === "object" && result !== null ? (result as Readonly<Record<string, unknown>>)[key] : [];
  return Array.isArray(found) ? (found as readonly Warning[]) : [];
}

/** Characters buffered before a write: one system call per line would cost more than the line. */
const FULL = 64 * 1024;

/** Prints each JSON line as it arrives, no faster than the reader accepts them. A signal ends the stream between lines. */
export async function printStream(lines: AsyncIterable<string>, { stdout }: Pick<Terminal, "stdout">): Promise<void> {
  const isTerminal = stdout.look().kind === "terminal";
  let collected = "";
  let waiting: NodeJS.Immediate | undefined;
  const flush = (): void => {
    clearImmediate(waiting);
    waiting = undefined;
    if (collected !== "") stdout.write(collected);
    collected = "";
  };
  try {
    for await (const line of lines) {
      collected += `${isTerminal ? visible(line, "json") : line}\n`;
      // Runs when no next line is ready.
      waiting ??= setImmediate(flush);
      if (collected.length < FULL) continue;
      flush();
      await stdout.drained();
    }
  } finally {
    flush();
  }
  await stdout.drained();
}

/** The warnings that no row shows. A request's outcome is already shown next to its id. */
export function warningsBesideRows(result: unknown, warnings: readonly Warning[]): readonly Warning[] {
  const { requests } = (result ?? {}) as { readonly requests?: readonly AskedRequest[] };
  return Array.isArray(requests) ? warnings.filter((warning) => !isInRow(requests, warning)) : warnings;
}

function isInRow(requests: readonly AskedRequest[], { code, message }: Warning): boolean {
  return requests.some(({ job_id: id, outcome, error }) => {
    if (code === "answer_refused") return outcome === "refused" && message.includes(id);
    return error !== null && code === error.code && message.startsWith(id) && message.endsWith(error.message);
  });
}

const QUIET_START_MS = 1_000;
const BETWEEN_MS = 100;
const WIPE = "\r\u001B[2K";

/**
 * A progress line on stderr, shown once a run takes longer than a second; never in a pipe, except for notes. Checking for a pipe takes 3 ms, so that is done only then.
 */
export function createProgressLine(terminal: Terminal) {
  const started = terminal.elapsedMs();
  let shownAt = started + QUIET_START_MS - BETWEEN_MS;
  let state: "shown" | "clear" = "clear";
  return {
    listener: ({ phase, done, total, note }: ProgressEvent): void => {
      const now = terminal.elapsedMs();
      if (note !== undefined) terminal.stderr.write(`${state === "shown" ? WIPE : ""}${visibleLine(note)}\n`);
      if (now - shownAt < BETWEEN_MS) return;
      shownAt = now;
      if (terminal.stderr.look().kind === "pipe") return;
      state = "shown";
      const seconds = Math.floor((now - started) / 1_000);
      const share = total === 0 ? `${done}` : `${done}/${total}`;
      terminal.stderr.write(`${WIPE}${visibleLine(phase)} ${share}, ${seconds} s`);
    },
    /** Clears the line from the screen. */
    clear: (): void => {
      if (state === "shown") terminal.stderr.write(WIPE);
      state = "clear";
    },
  };
}

/** Each renderer declares its own result type. */
type Renderer = (result: never, screen: Screen) => string;

const ofTree = () => import("./render/tree.ts");
const ofVersions = () => import("./render/versions.ts");
const ofReview = () => import("./render/review.ts");
const ofStatus = () => import("./render/status.ts");
const ofRecall = () => import("./render/recall.ts");
const ofAudit = () => import("./render/audit.ts");
const ofSummaries = () => import("./render/summaries.ts");
const ofThreads = () => import("./render/threads.ts");
const ofStore = () => import("./render/store.ts");
const ofCapture = () => import("./render/capture.ts");

/** By operation name. Only the renderer that is needed is loaded. */
const RENDERERS: Readonly<Record<string, () => Promise<Renderer>>> = {
  "memory.init": async () => (await ofTree()).renderInit,
  "log.add": async () => (await ofTree()).renderLogAdd,
  "log.promote": async () => (await ofTree()).renderLogPromote,
  "tree.compact": async () => (await ofTree()).renderCompact,
  "memory.status": async () => (await ofStatus()).renderStatus,
  "tree.list": async () => (await ofTree()).renderTree,
  "tree.show": async () => (await ofTree()).renderShow,
  "tree.root": async () => (await ofTree()).renderRoot,
  "tree.trace": async () => (await ofTree()).renderTrace,
  "tree.verify": async () => (await ofTree()).renderVerify,
  "memory.undo": async () => (await ofTree()).renderUndo,
  "memory.doctor": async () => (await ofStatus()).renderDoctor,
  "log.edit": async () => (await ofTree()).renderLogChange,
  "log.remove": async () => (await ofTree()).renderLogChange,
  "log.undo": async () => (await ofTree()).renderLogUndo,
  "topic.rename": async () => (await ofTree()).renderTopicChange,
  "topic.merge": async () => (await ofTree()).renderTopicChange,
  "topic.list": async () => (await ofReview()).renderTopics,
  "topic.show": async () => (await ofReview()).renderTopic,
  "memory.inbox": async () => (await ofReview()).renderInbox,
  "memory.dismiss": async () => (await ofReview()).renderDismiss,
  "recall.pin": async () => (await ofReview()).renderPin,
  "recall.never": async () => (await ofReview()).renderPin,
  "recall.unpin": async () => (await ofReview()).renderUnpin,
  "recall.pins": async () => (await ofReview()).renderPins,
  "memory.report": async () => (await ofReview()).renderReport,
  "memory.search": async () => (await ofRecall()).renderSearch,
  "memory.recall": async () => (await ofRecall()).renderRecall,
  "memory.index": async () => (await ofRecall()).renderIndex,
  "memory.read": async () => (await ofRecall()).renderRead,
  "memory.forget": async () => (await import("./git.ts")).renderForget,
  "memory.diff": async () => (await ofVersions()).renderDiff,
  "memory.pr_comment": async () => (await ofVersions()).renderPullRequestComment,
  "audit.run": async () => (await ofAudit()).renderAudit,
  "audit.undo": async () => (await ofAudit()).renderAuditUndo,
  "audit.history": async () => (await ofAudit()).renderAuditHistory,
  "summaries.pending": async () => (await ofSummaries()).renderPending,
  "summaries.submit": async () => (await ofSummaries()).renderSubmit,
  "summaries.run": async () => (await ofSummaries()).renderSummariesRun,
  "summaries.ledger": async () => (await ofSummaries()).renderLedger,
  "summaries.drop": async () => (await ofSummaries()).renderDrop,
  "thread.create": async () => (await ofThreads()).renderNewThread,
  "thread.list": async () => (await ofThreads()).renderThreadList,
  "thread.get": async () => (await ofThreads()).renderThread,
  "thread.append": async () => (await ofThreads()).renderThreadAppend,
  "thread.import": async () => (await ofThreads()).renderThreadImport,
  "thread.branch": async () => (await ofThreads()).renderNewThread,
  "thread.handoff": async () => (await ofThreads()).renderNewThread,
  "compaction.cut_points": async () => (await ofThreads()).renderCutPoints,
  "compaction.auto": async () => (await ofThreads()).renderAuto,
  "compaction.auto.schedule": async () => (await ofThreads()).renderSchedule,
  "compaction.manual": async () => (await ofThreads()).renderManual,
  "compaction.status": async () => (await ofThreads()).renderCompactionStatus,
  "job.run_pending": async () => (await ofThreads()).renderRunPending,
  "context.compile": async () => (await ofThreads()).renderCompiled,
  "thread.verify": async () => (await ofThreads()).renderThreadVerify,
  "store.status": async () => (await ofStore()).renderStoreStatus,
  "store.migrate": async () => (await ofStore()).renderStoreMigrate,
  "store.copy": async () => (await ofStore()).renderStoreCopy,
  "capture.run": async () => (await ofCapture()).renderCapture,
  "capture.import": async () => (await ofCapture()).renderCapture,
  "sessions.list": async () => (await ofCapture()).renderSessions,
  "sessions.replay": async () => (await ofCapture()).renderReplay,
};

export const renderedOperations: readonly string[] = Object.keys(RENDERERS);

/** Renders an operation's results as text, or as JSON if it has no renderer. */
export async function rendererOf(operation: string): Promise<(result: unknown, view: View) => string> {
  const renderer = await RENDERERS[operation]?.();
  if (renderer === undefined) return (result) => JSON.stringify(result, undefined, 2);
  return (result, view) => renderer(result as never, screenOf(view));
}
