import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import type { InputFile, OutputFile } from "../../base/operation.ts";

/** What the command line needs from the process; tests provide their own. */
export interface Terminal {
  /** The current folder, absolute. */
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** A file by its absolute path; opened when it is read. */
  openFile(path: string): InputFile;
  /** A file by its absolute path, replaced atomically and never written through a link. */
  outputFile(path: string): OutputFile;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
  /** Aborted by the first SIGINT or SIGTERM. */
  readonly signal: AbortSignal;
  /** Whether unknown exceptions are printed with their stack (`HEARTWOOD_DEBUG=1`). */
  readonly debugging: "on" | "off";
  /** Whether error messages start with the code, for a program that started this one (`HEARTWOOD_ERROR_CODES=1`). */
  readonly errorCodes: "told" | "left out";
}

export interface Sink {
  write(text: string): void;
  /** Resolves when more may be written. */
  drained(): Promise<void>;
  /** Called only when a result is shown: it costs a few milliseconds. */
  look(): SinkLook;
}

export interface SinkLook {
  readonly kind: "terminal" | "pipe";
  readonly colours: "on" | "off";
  readonly columns: number;
}

export interface Source {
  kind(): "terminal" | "pipe";
  /** All bytes; `signal` ends the wait. */
  chunks(signal: AbortSignal): AsyncIterable<Uint8Array>;
}

/** Asks a question on the terminal; only `y` and `yes` mean yes. */
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

/** Bytes. More than a person or an agent writes at once; a pipe by mistake must not fill the memory. */
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

/** Standard input. On a terminal, tells the user to type and how to end. */
export function standardInput(terminal: Terminal): InputFile {
  return {
    name: "standard input",
    chunks: async function* () {
      if (terminal.stdin.kind() === "terminal")
        terminal.stderr.write("Type the text, then press Ctrl-D on an empty line, or Ctrl-C to cancel.\n");
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
  const message = `The text on standard input is longer than ${LIMIT} bytes; split it into parts.`;
  return new MemoryError("invalid_body", message, { max_bytes: LIMIT });
}
