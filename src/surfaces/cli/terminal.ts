import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { readInputText, type InputFile, type OutputFile } from "../../base/operation.ts";

/** What the command line needs from the process; tests provide their own. */
export interface Terminal {
  /** The current folder, absolute. */
  readonly cwd: string;
  readonly stdout: Sink;
  readonly stderr: Sink;
  readonly stdin: Source;
  /** A file by its absolute path, opened when it is read. */
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
  /** Takes a few milliseconds, so it is called only when a result is shown. */
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
  let answer = "";
  for await (const chunk of terminal.stdin.chunks(terminal.signal)) {
    answer += Buffer.from(chunk).toString("utf8");
    if (answer.includes("\n") || answer.length > 1000) break;
  }
  return /^\s*(?:y|yes)\s*$/iu.test(answer.split("\n")[0] ?? "");
}

/** Bytes; more than a person or an agent writes at once. Keeps an accidental pipe from using up RAM. */
const LIMIT = 16 * 1024 * 1024;

export function readText(terminal: Terminal): Promise<string> {
  return readInputText(standardInput(terminal), { what: "text on", most: LIMIT, signal: undefined });
}

/** Standard input. On a terminal, asks the user to type and explains how to end the input. */
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
