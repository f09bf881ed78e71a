import { type ErrorDetails, MemoryError } from "./errors.ts";

/** Throws `aborted`, with the words of whoever stopped it, when the signal is given. */
export function stopIfAborted(signal: AbortSignal | undefined, details: ErrorDetails): void {
  if (signal?.aborted === true) throw aborted(signal, details);
}

function aborted(signal: AbortSignal, details: ErrorDetails): MemoryError {
  const reason: unknown = signal.reason;
  const message = reason instanceof MemoryError ? reason.message : "The request to the model was stopped.";
  return new MemoryError("aborted", message, details);
}
