import { MemoryError } from "../../base/errors.ts";
import { fields, isText, parseJson } from "../../base/json.ts";
import { decodeText } from "../../base/lines.ts";
import type { Files } from "../../platform/files.ts";
import { shown } from "../../text/shown.ts";
import { encode } from "../../tree/run/tree-files.ts";

/** A failure to record. */
export interface HookReport {
  readonly code: string;
  /** One sentence, without secrets once it is recorded. */
  readonly message: string;
}

export function reportOf(error: unknown): HookReport {
  if (error instanceof MemoryError) return { code: error.code, message: error.message };
  return { code: "internal", message: error instanceof Error ? error.message : "Something failed." };
}

/** A recorded failure of a hook. The client never saw it. */
export interface HookError extends HookReport {
  /** ISO 8601 in UTC. */
  readonly at: string;
  readonly client: string;
  readonly event: string;
}

export function printHookError({ at, client, event, code, message }: HookError): string {
  return `${JSON.stringify({ at, client, event, code, message })}\n`;
}

/** Parses the failures in a file, oldest first; skips anything else, such as a torn line. */
export function parseHookErrors(text: string): readonly HookError[] {
  return text.split("\n").map(parseJson).filter(isHookError) as readonly HookError[];
}

const isHookError = fields({ at: isText, client: isText, event: isText, code: isText, message: isText });

export const hookErrorsPath = ".heartwood/hooks/errors.jsonl";
/** Lines to keep. */
const mostKept = 200;
/** Bytes to read at the end of the file. */
const mostRead = 512 * 1024;

/** Records a failure for `doctor`. Keeps only the newest of equal ones, so a failure in every turn does not displace the others. Errors are ignored: there is nowhere left to report them. */
export async function recordHookError(files: Files, error: HookError): Promise<void> {
  const added = {
    ...error,
    client: shown(error.client, 40),
    event: shown(error.event, 60),
    message: shown(error.message, 500),
  };
  try {
    const others = (await readHookErrors(files)).filter(
      (one) => printHookError({ ...one, at: added.at }) !== printHookError(added),
    );
    const bytes = encode([...others, added].slice(-mostKept).map(printHookError).join(""));
    await files.commit([{ path: hookErrorsPath, bytes, expect: "anything", durability: "cache" }]);
  } catch (failure) {
    if (!(failure instanceof MemoryError)) throw failure;
  }
}

/** Reads the recorded failures, oldest first. Errors: any from reading a file. */
export async function readHookErrors(files: Files): Promise<readonly HookError[]> {
  const end = await files.read(hookErrorsPath, { from: 0, to: 0 });
  if (end === undefined) return [];
  const read = await files.read(hookErrorsPath, { from: Math.max(0, end.size - mostRead), to: end.size });
  return parseHookErrors(read === undefined ? "" : (decodeText(read.bytes) ?? "")).slice(-mostKept);
}
