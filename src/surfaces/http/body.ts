import { MemoryError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { mostBytes, tooLarge } from "./guard.ts";

const mostDepth = 32;

/** The JSON in the body of a request; `undefined` for an empty one. Errors: `too_large`, `invalid_body`. */
export async function readJson(request: Request): Promise<unknown> {
  // The guard has checked a length that was announced, and reading at once is faster.
  const isAnnounced = request.headers.has("content-length");
  const bytes = isAnnounced ? Buffer.from(await request.arrayBuffer()) : await readPieces(request.body);
  return bytes.length === 0 ? undefined : parseBody(textOf(bytes));
}

async function readPieces(body: Request["body"]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  if (body !== null)
    for await (const piece of body as unknown as AsyncIterable<Uint8Array>) {
      size += piece.length;
      if (size > mostBytes) throw tooLarge();
      pieces.push(piece);
    }
  return Buffer.concat(pieces);
}

/** The same, for an operation: an empty body means no fields. Errors: the same. */
export async function readInput(request: Request): Promise<Readonly<Record<string, unknown>>> {
  const body = (await readJson(request)) ?? {};
  if (isObject(body)) return body;
  throw new MemoryError("invalid_body", "The body is not a JSON object; send an object with the fields of the input.");
}

function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw new MemoryError("invalid_body", "The body is not UTF-8; send JSON in UTF-8.");
  }
}

function parseBody(text: string): unknown {
  if (depthOf(text) > mostDepth) {
    const message = `The body is nested more than ${mostDepth} levels deep; no input needs that.`;
    throw new MemoryError("invalid_body", message);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw new MemoryError("invalid_body", "The body is not valid JSON; send one JSON document.");
  }
}

/** How deep brackets are nested outside of strings. Counted before parsing, which would overflow the stack. */
function depthOf(text: string): number {
  let [depth, deepest] = [0, 0];
  for (const [part] of text.matchAll(/"(?:[^"\\]|\\[^])*"?|[[\]{}]/gu)) {
    if (part === "[" || part === "{") deepest = Math.max(deepest, ++depth);
    else if (part === "]" || part === "}") depth -= 1;
  }
  return deepest;
}
