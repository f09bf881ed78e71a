import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type JSONRPCErrorResponse,
} from "@modelcontextprotocol/server";
import type { ErrorCode } from "../../base/errors.ts";
import { parseJson } from "../../base/json.ts";
import { failureOf, redacted } from "../../operations/failure.ts";
import { shown } from "../../text/shown.ts";
import { visible, visibleIn } from "../../text/visible.ts";

/**
 * A failure as a result for the model: one sentence with its code. The fields for programs are in `_meta`: structured content must match the tool's output
 * schema, and some clients check that for failures too.
 */
export function failedResult(thrown: unknown): CallToolResult {
  const { code, message, details } = visibleIn(failureOf(thrown));
  const text = `${message} (${code})`;
  return {
    isError: true,
    content: [{ type: "text", text }],
    _meta: { "heartwood/error": { ...details, code, message } },
  };
}

/** Failures that are not the fault of the request. */
const ours: ReadonlySet<ErrorCode> = new Set<ErrorCode>(["busy", "io", "disk_full", "aborted", "internal"]);

/** The failure of a request whose result cannot carry it, with the same sentence and code. */
export function requestErrorOf(thrown: unknown, uri: string): ProtocolError {
  const { code, message, details } = visibleIn(failureOf(thrown));
  const number = ours.has(code) ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(number, `${message} (${code})`, { ...details, code, uri: visible(redacted(uri)) });
}

/** One fault of a frame, as the library's validator lists it. */
interface Issue {
  readonly path?: readonly unknown[];
  readonly message?: string;
  /** For each form that a frame may have, its issues. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** Characters of a sentence about a frame: it may quote what a client sent. */
const longest = 600;

/** What is wrong with a frame, in one sentence: the first issue of the validator. */
export function frameFault(said: string): string {
  const issue = issueIn(said);
  const sentence = issue === undefined ? said : `The message does not follow the protocol: ${describe(issue, [])}.`;
  return shown(sentence, longest);
}

/** An error of a request as the client gets it. */
export function errorToldOf(error: JSONRPCErrorResponse["error"]): JSONRPCErrorResponse["error"] {
  const { message } = error;
  const code = issueIn(message) === undefined ? error.code : ProtocolErrorCode.InvalidParams;
  return { ...visibleIn(error), code, message: frameFault(message) };
}

/** The validator prints its issues as JSON inside the sentence. */
function issueIn(said: string): Issue | undefined {
  const from = /\[\s*\{/u.exec(said)?.index;
  return from === undefined ? undefined : (parseJson(said.slice(from)) as readonly Issue[] | undefined)?.[0];
}

function describe({ path = [], message = "", errors = [] }: Issue, above: readonly unknown[]): string {
  const place = [...above, ...path];
  const inner = errors[0]?.[0];
  if (inner !== undefined) return describe(inner, place);
  const what = message.replace(/^Invalid input: /u, "");
  return place.length === 0 ? what : `${place.join(".")}: ${what}`;
}
