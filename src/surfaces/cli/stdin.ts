import { MemoryError } from "../../base/errors.ts";
import type { Terminal } from "./terminal.ts";

/** In bytes: more than a person or an agent writes at once, or a program as a batch; a mistaken pipe must not fill the memory. */
const LIMITS = { text: 16 * 1024 * 1024, batch: 64 * 1024 * 1024 } as const;

/** The whole text on standard input. On a terminal it says that it waits for one, and how to end it. */
export async function readText(terminal: Terminal, wanted: keyof typeof LIMITS): Promise<string> {
  if (terminal.stdin.kind() === "terminal") {
    terminal.stderr.write("Type the text; end it with Ctrl-D on an empty line, or give up with Ctrl-C.\n");
  }
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of terminal.stdin.chunks(terminal.signal)) {
    size += chunk.length;
    if (size > LIMITS[wanted]) throw tooLong(LIMITS[wanted]);
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

function tooLong(limit: number): MemoryError {
  const message = `The text on standard input is longer than ${limit} bytes; give it in parts.`;
  return new MemoryError("invalid_body", message, { max_bytes: limit });
}
