import { MemoryError } from "../../base/errors.ts";
import type { InputFile } from "../../base/operation.ts";
import type { Terminal } from "./terminal.ts";

/** In bytes: more than a person or an agent writes at once; a mistaken pipe must not fill the memory. */
const LIMIT = 16 * 1024 * 1024;

/** The whole text on standard input. */
export async function readText(terminal: Terminal): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of standardInput(terminal).chunks()) {
    size += chunk.length;
    if (size > LIMIT) throw tooLong();
    chunks.push(chunk);
  }
  return decoded(Buffer.concat(chunks));
}

/** Standard input as it comes. On a terminal it says that it waits for a text, and how to end it. */
export function standardInput(terminal: Terminal): InputFile {
  return {
    name: "standard input",
    chunks: async function* () {
      if (terminal.stdin.kind() === "terminal")
        terminal.stderr.write("Type the text; end it with Ctrl-D on an empty line, or give up with Ctrl-C.\n");
      yield* terminal.stdin.chunks(terminal.signal);
      if (terminal.signal.aborted)
        throw new MemoryError("aborted", "Stopped while waiting for the text; nothing was written.");
    },
  };
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
  const message = `The text on standard input is longer than ${LIMIT} bytes; give it in parts.`;
  return new MemoryError("invalid_body", message, { max_bytes: LIMIT });
}
