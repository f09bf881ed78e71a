import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolResult,
  type JSONRPCErrorResponse,
} from "@modelcontextprotocol/server";
import { errorStatuses } from "../../base/error-statuses.ts";
import { parseJson } from "../../base/json.ts";
import { failureOf, redacted } from "../failure.ts";
import { shown } from "../../text/shown.ts";
import { visible, visibleIn } from "../../text/visible.ts";

/**
 * A failure as a result for the model: one sentence with its code. The fields for programs are in `_meta`.
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

/** A failure as a protocol error with the same message and code, for requests whose result cannot contain one. */
export function requestErrorOf(thrown: unknown, uri: string): ProtocolError {
  const { code, message, details } = visibleIn(failureOf(thrown));
  const isOurs = errorStatuses[code].fault === "server";
  const number = isOurs ? ProtocolErrorCode.InternalError : ProtocolErrorCode.InvalidParams;
  return new ProtocolError(number, `${message} (${code})`, { ...details, code, uri: visible(redacted(uri)) });
}

/** One problem with a message, as found by the library's validator. */
interface Issue {
  readonly path?: readonly unknown[];
  readonly message?: string;
  /** The issues for each form a message may have. */
  readonly errors?: readonly (readonly Issue[])[];
}

/** Maximum characters of an error text, which may quote what a client sent. */
const longest = 600;

/** The validator's first issue as one sentence. */
export function frameFault(said: string): string {
  const issue = issueIn(said);
  const sentence = issue === undefined ? said : `The message does not follow the protocol: ${describe(issue, [])}.`;
  return shown(sentence, longest);
}

/** A request's error in the form the client gets. */
export function errorToldOf(error: JSONRPCErrorResponse["error"]): JSONRPCErrorResponse["error"] {
  const { message } = error;
  const code = issueIn(message) === undefined ? error.code : ProtocolErrorCode.InvalidParams;
  return { ...visibleIn(error), code, message: frameFault(message) };
}

/** Finds the validator's first issue, which is JSON inside the message. */
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
