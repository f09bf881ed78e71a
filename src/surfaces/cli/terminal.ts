import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import type { InputFile, OutputFile } from "../../base/operation.ts";

/** What the command line needs of the process, so that a test can stand in for it. */
export interface Terminal {
  /** The current folder, absolute. */
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** A file by its absolute path; it is opened when its bytes are asked for. */
  openFile(path: string): InputFile;
  /** A file by its absolute path, to be written as a whole: it is the old one or the new one at any time, and never reached through a link. */
  outputFile(path: string): OutputFile;
  /** Milliseconds that only ever grow, for progress. */
  elapsedMs(): number;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Whether unknown exceptions are printed with their stack (`HEARTWOOD_DEBUG=1`). */
  readonly debugging: "on" | "off";
  /** Whether a failure on standard error begins with its code, for a program that started this one (`HEARTWOOD_ERROR_CODES=1`). */
  readonly errorCodes: "told" | "left out";
}

export interface Sink {
  write(text: string): void;
  /** Resolves when the reader has taken so much that more may be written. */
  drained(): Promise<void>;
  /** Read only when a result is shown: asking costs some milliseconds of start-up. */
  look(): SinkLook;
}

export interface SinkLook {
  readonly kind: "terminal" | "pipe";
  readonly colours: "on" | "off";
  readonly columns: number;
}

export interface Source {
  kind(): "terminal" | "pipe";
  /** All bytes up to the end; `signal` ends the wait. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Asks a question on the terminal; only `y` and `yes` agree. */
export async function askYes(terminal: Terminal, question: string): Promise<boolean> {
  terminal.stderr.write(question);
  return /^\s*(?:y|yes)\s*$/iu.test(await firstLine(terminal.stdin.chunks(terminal.signal)));
}

async function firstLine(chunks: AsyncIterable<Uint8Array>): Promise<string> {
  let line = "";
  for await (const chunk of chunks) {
    line += Buffer.from(chunk).toString("utf8");
    if (line.includes("\n") || line.length > 1000) break;
  }
  return line.split("\n")[0] ?? "";
}

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
