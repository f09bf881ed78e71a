import { MemoryError } from "../../base/errors.ts";
import { decodeText } from "../../base/lines.ts";
import { shown } from "../../text/shown.ts";
import type { Files } from "../../platform/files.ts";
import { encode } from "../../tree/run/tree-files.ts";

/** One failure of a hook, which its client never saw. */
export interface HookError {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly client: string;
  readonly event: string;
  readonly code: string;
  /** One sentence, without secrets. */
  readonly message: string;
}

/** One line of JSON with a line end. */
export function printHookError({ at, client, event, code, message }: HookError): string {
  return `${JSON.stringify({ at, client, event, code, message })}\n`;
}

/** The failures in a file, oldest first; a line that is none, as a torn one, is passed over. */
export function parseHookErrors(text: string): readonly HookError[] {
  return text.split("\n").flatMap((line) => {
    try {
      const value = JSON.parse(line) as unknown;
      return isHookError(value) ? [value] : [];
    } catch {
      return [];
    }
  });
}

function isHookError(value: unknown): value is HookError {
  if (typeof value !== "object" || value === null) return false;
  const fields = value as Readonly<Record<string, unknown>>;
  return ["at", "client", "event", "code", "message"].every((name) => typeof fields[name] === "string");
}

export const hookErrorsPath = ".heartwood/hooks/errors.jsonl";
/** Lines that are kept, and those from which on the file is cut to them. */
const mostKept = 200;
/** Bytes of the end of the file that are read. */
const mostRead = 512 * 1024;
const longestMessage = 500;

/** Keeps a failure for `doctor`, and one that is known by its newest time alone: what fails at every turn shall not drive out the rest. Where that cannot be done either, nothing is left to tell it to. */
export async function recordHookError(files: Files, error: HookError): Promise<void> {
  try {
    const known = await readHookErrors(files);
    const added = clean(error);
    const all = [...known.filter((one) => !isSame(one, added)), added].slice(-mostKept);
    const bytes = encode(all.map(printHookError).join(""));
    await files.commit([{ path: hookErrorsPath, bytes, expect: "anything", durability: "cache" }]);
  } catch (failure) {
    if (!(failure instanceof MemoryError)) throw failure;
  }
}

/** The failures that were kept, oldest first. Errors: those of reading a file. */
export async function readHookErrors(files: Files): Promise<readonly HookError[]> {
  const end = await files.read(hookErrorsPath, { from: 0, to: 0 });
  if (end === undefined) return [];
  const read = await files.read(hookErrorsPath, { from: Math.max(0, end.size - mostRead), to: end.size });
  return parseHookErrors(read === undefined ? "" : (decodeText(read.bytes) ?? "")).slice(-mostKept);
}

function isSame(one: HookError, other: HookError): boolean {
  return printHookError({ ...one, at: other.at }) === printHookError(other);
}

function clean({ at, client, event, code, message }: HookError): HookError {
  return {
    at,
    client: shown(client, 40),
    event: shown(event, 60),
    code,
    message: shown(message, longestMessage),
  };
}
