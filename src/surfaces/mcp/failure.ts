import { ProtocolError, ProtocolErrorCode, type CallToolResult } from "@modelcontextprotocol/server";
import { MemoryError, type ErrorCode } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { visible } from "../../text/visible.ts";

/** Under which name of `_meta` a failed result has `{code, message}` and the facts of its sentence. */
export const errorKey = "heartwood/error";

/**
 * A failure as a result that the model reads: one sentence with its code. A sentence may quote what the caller gave, so it is redacted. The fields for
 * programs stand in `_meta`: structured content must be what the tool's output schema says, and some clients hold it to that in a failure too.
 */
export function failureOf(thrown: unknown): CallToolResult {
  const told = toldOf(thrown);
  const { code, message } = told;
  return { isError: true, content: [{ type: "text", text: `${message} (${code})` }], _meta: { [errorKey]: told } };
}

/** Those that are no fault of what was asked. */
const ours: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["busy", "io", "disk_full", "aborted", "internal"]);

/** A failure of a request that has no result for it, with the same sentence and code. */
export function requestErrorOf(thrown: unknown, uri: string): ProtocolError {
  const { code, message, ...details } = toldOf(thrown);
  const number = ours.has(code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(number, `${message} (${code})`, { ...details, code, uri: safe(uri) });
}

function toldOf(thrown: unknown): { readonly code: ErrorCode; readonly message: string } {
  const { code, message, details } = thrown instanceof MemoryError ? thrown : faultOfOurs(thrown);
  const told = Object.fromEntries(Object.entries(details).map(([key, value]) => [key, safeValue(value)]));
  return { ...told, code, message: safe(message) };
}

function faultOfOurs(thrown: unknown): MemoryError {
  if (thrown instanceof Error && thrown.name === "AbortError")
    return new MemoryError("aborted", "Stopped before the end; call it again.");
  const said = thrown instanceof Error ? `${thrown.name}: ${thrown.message}` : String(thrown);
  return new MemoryError("internal", `heartwood itself failed (${said}); this is a bug: please report it.`);
}

function safeValue(value: MemoryError["details"][string]): unknown {
  if (typeof value === "string") return safe(value);
  return typeof value === "object" ? value.map(safe) : value;
}

function safe(said: string): string {
  return visible(redact(said).text);
}
