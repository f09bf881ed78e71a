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
