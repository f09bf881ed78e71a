import { MemoryError, type ErrorCode, type ErrorDetails } from "../../base/errors.ts";
import type { CommonOptions } from "../../operations/command-line.ts";
import type { Terminal } from "./terminal.ts";
import { visible } from "../../text/visible.ts";

/** 0 done, 1 findings, 2 bad input, 3 could not do it. */
export type ExitStatus = 0 | 1 | 2 | 3;

/** The one table from codes to exit statuses. */
export const EXIT_STATUS: Readonly<Record<ErrorCode, 2 | 3>> = {
  usage: 2,
  invalid_date: 2,
  invalid_period: 2,
  invalid_time_zone: 2,
  invalid_type: 2,
  invalid_topic: 2,
  invalid_id: 2,
  invalid_origin: 2,
  invalid_number: 2,
  invalid_path: 2,
  invalid_config: 2,
  invalid_platform: 2,
  invalid_body: 2,
  no_memory: 2,
  untrusted: 2,
  other_owner: 2,
  not_found: 2,
  not_traceable: 2,
  node_too_old: 2,
  invalid_thread_id: 2,
  thread_not_found: 2,
  thread_exists: 2,
  message_not_found: 2,
  not_a_message: 2,
  invalid_stride: 2,
  invalid_limit: 2,
  limit_too_large: 2,
  invalid_frame: 2,
  invalid_artifact: 2,
  artifact_not_found: 2,
  audit_not_found: 2,
  job_not_found: 2,
  job_stale: 2,
  invalid_query: 2,
  busy: 3,
  io: 3,
  disk_full: 3,
  link_outside: 3,
  not_a_file: 3,
  newer_store: 3,
  foreign_state: 3,
  changed_by_other: 3,
  nothing_to_undo: 3,
  seq_conflict: 3,
  decision_conflict: 3,
  frame_conflict: 3,
  seq_gap: 3,
  lease_lost: 3,
  damaged_store: 3,
  artifact_damaged: 3,
  archive_damaged: 3,
  model_unavailable: 3,
  model_refused: 3,
  model_answer: 3,
  aborted: 3,
  internal: 3,
};

/**
 * Tells a failure: with `--json` one document `{error: {code, message, ...details}}` on stdout, otherwise one sentence
 * on stderr. Whatever is no `MemoryError` is a fault of ours: code `internal`, without a stack unless HEARTWOOD_DEBUG=1.
 */
export async function reportFailure(
  thrown: unknown,
  terminal: Terminal,
  output: CommonOptions["output"],
): Promise<ExitStatus> {
  const error = thrown instanceof MemoryError ? thrown : internalError(thrown);
  // Late, because only a failure pays for it. A sentence may quote what the caller gave.
  const { redact } = await import("../../text/redact/redact.ts");
  const safe = (text: string): string => redact(text).text;
  if (output === "json") {
    // The sentence and the code are ours; a detail of the same name must not hide them.
    const document = { error: { ...safeDetails(error.details, safe), code: error.code, message: safe(error.message) } };
    terminal.stdout.write(`${visible(JSON.stringify(document), "json")}\n`);
  } else {
    const code = terminal.errorCodes === "told" ? `error ${error.code}: ` : "";
    terminal.stderr.write(`heartwood: ${code}${visible(safe(error.message)).replaceAll("\n", " ")}\n`);
  }
  if (terminal.debugging === "on") terminal.stderr.write(`${visible(safe(stackOf(thrown)))}\n`);
  return EXIT_STATUS[error.code];
}

function safeDetails(details: ErrorDetails, safe: (text: string) => string): ErrorDetails {
  const pairs = Object.entries(details).map(([key, value]): [string, ErrorDetails[string]] => {
    if (typeof value === "string") return [key, safe(value)];
    return [key, typeof value === "object" ? value.map(safe) : value];
  });
  return Object.fromEntries(pairs);
}

function internalError(thrown: unknown): MemoryError {
  // What Node's own functions throw when the signal that they were given is aborted.
  if (thrown instanceof Error && thrown.name === "AbortError") {
    return thrown.cause instanceof MemoryError
      ? thrown.cause
      : new MemoryError("aborted", "Stopped before the end; run the command again.");
  }
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  const message = `heartwood itself failed (${said}); this is a bug: please report it, with what HEARTWOOD_DEBUG=1 prints.`;
  return new MemoryError("internal", message);
}

function stackOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return String(thrown);
  const cause = thrown.cause === undefined ? "" : `\ncaused by ${stackOf(thrown.cause)}`;
  return `${thrown.stack ?? thrown.message}${cause}`;
}
