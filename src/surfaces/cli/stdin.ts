import { MemoryError } from "../../base/errors.ts";
import type { Terminal } from "./terminal.ts";

/** More than a person or an agent writes at once; a mistaken pipe must not fill the memory. */
const LIMIT_BYTES = 16 * 1024 * 1024;

/** The whole text on standard input. On a terminal it says that it waits for one, and how to end it. */
export async function readText(terminal: Terminal): Promise<string> {
  if (terminal.stdin.kind() === "terminal") {
    terminal.stderr.write("Type the text of the entry; end it with Ctrl-D on an empty line, or give up with Ctrl-C.\n");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of terminal.stdin.chunks(terminal.signal)) {
    size += chunk.length;
    if (size > LIMIT_BYTES) throw tooLong();
    chunks.push(chunk);
  }
  if (terminal.signal.aborted)
    throw new MemoryError("aborted", "Stopped while waiting for the text; nothing was written.");
  return decoded(Buffer.concat(chunks));
}

function decoded(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    const message =
      "The text on standard input is not UTF-8; convert it first (iconv -t utf-8) and run the command again.";
    throw new MemoryError("invalid_body", message);
  }
}

function tooLong(): MemoryError {
  const message = `The text on standard input is longer than ${LIMIT_BYTES} bytes; write it into the day's log by file, or in parts.`;
  return new MemoryError("invalid_body", message, { max_bytes: LIMIT_BYTES });
}
