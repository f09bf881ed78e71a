import { MemoryError, type ErrorCode, type ErrorDetails } from "../base/errors.ts";
import { redact } from "../text/redact/redact.ts";

/** A failure as every surface reports it. It may quote the caller's input, so it is redacted. */
export interface Failure {
  readonly code: ErrorCode;
  readonly message: string;
  readonly details: ErrorDetails;
}

export function failureOf(thrown: unknown): Failure {
  const { code, message, details } = thrown instanceof MemoryError ? thrown : memoryErrorOf(thrown);
  const pairs = Object.entries(details).map(([key, value]): [string, ErrorDetails[string]] => {
    if (typeof value === "string") return [key, redacted(value)];
    return [key, typeof value === "object" ? value.map(redacted) : value];
  });
  return { code, message: redacted(message), details: Object.fromEntries(pairs) };
}

export function redacted(text: string): string {
  return redact(text).text;
}

function memoryErrorOf(thrown: unknown): MemoryError {
  // Node's own functions throw an AbortError when their signal is aborted.
  if (thrown instanceof Error && thrown.name === "AbortError")
    return thrown.cause instanceof MemoryError
      ? thrown.cause
      : new MemoryError("aborted", "Stopped before the end; run the command again.");
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new MemoryError(
    "internal",
    `Internal error (${said}). This is a bug in heartwood; please report it with the output of HEARTWOOD_DEBUG=1.`,
  );
}
