import { ProtocolErrorCode, type JSONRPCErrorResponse } from "@modelcontextprotocol/server";
import { shown } from "../../text/shown.ts";
import { visibleIn } from "../../text/visible.ts";

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
