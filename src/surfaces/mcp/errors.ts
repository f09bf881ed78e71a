import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type JSONRPCErrorResponse,
} from "@modelcontextprotocol/server";
import { MemoryError, type ErrorCode } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { shown } from "../../text/shown.ts";
import { visible, visibleIn } from "../../text/visible.ts";

/** Under which name of `_meta` a failed result has `{code, message}` and the facts of its sentence. */
const errorKey = "heartwood/error";

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

/** One thing that is wrong with a frame, as the library's checker lists it. */
interface Issue {
  readonly path?: readonly unknown[];
  readonly message?: string;
  /** Of a frame that may have several forms, for each of them. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** Characters of a sentence about a frame: it may quote what a client sent. */
const longest = 600;

/** What is wrong with a frame, in one sentence: of all that the checker lists the first. */
export function frameFault(said: string): string {
  const issue = issueIn(said);
  return shown(
    issue === undefined ? said : `The message does not follow the protocol: ${describe(issue, [])}.`,
    longest,
  );
}

/** An error of a request as the client gets it. */
export function errorToldOf(error: JSONRPCErrorResponse["error"]): JSONRPCErrorResponse["error"] {
  const { message } = error;
  const code = issueIn(message) === undefined ? error.code : ProtocolErrorCode.InvalidParams;
  return { ...visibleIn(error), code, message: frameFault(message) };
}

function issueIn(said: string): Issue | undefined {
  const from = /\[\s*\{/u.exec(said)?.index;
  if (from === undefined) return undefined;
  try {
    const [first] = JSON.parse(said.slice(from)) as readonly Issue[];
    return first;
  } catch {
    // A sentence that has brackets of its own.
    return undefined;
  }
}

function describe({ path = [], message = "", errors = [] }: Issue, above: readonly unknown[]): string {
  const place = [...above, ...path];
  const inner = errors[0]?.[0];
  if (inner !== undefined) return describe(inner, place);
  const what = message.replace(/^Invalid input: /u, "");
  return place.length === 0 ? what : `${place.join(".")}: ${what}`;
}
