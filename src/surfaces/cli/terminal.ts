import { Buffer } from "node:buffer";
import { MemoryError } from "../../base/errors.ts";
import { readInputText, type InputFile, type OutputFile } from "../../base/operation.ts";
import type { Installing } from "../../agents/install/client-files.ts";
import type { InstallRequest } from "../../agents/install/run-install.ts";
import type { Memory } from "../../operations/operation.ts";
import type { CommandSpec, CommonOptions } from "../../operations/command-line.ts";
import type { openTrusted } from "../../platform/trust.ts";
import type { Input } from "./input.ts";

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

/** What `main.ts` provides to the command line: functions to open a memory and everything around it. */
export interface Host {
  version(): Promise<string>;
  open(options: HostOptions): Promise<Memory>;
  /** Opens a memory on a new temporary copy of the sample logs. */
  openSamples(options: Pick<HostOptions, "today" | "timeZone">): Promise<Samples>;
  /** The clients' files on this machine. `dir` is the project folder, for installs into a project. */
  openInstalling(dir: string | undefined): Promise<Installing & Pick<InstallRequest, "shipped">>;
  openTrust(): Promise<HostTrust>;
}

export interface Samples {
  readonly memory: Memory;
  remove(): Promise<void>;
}

export interface HostOptions {
  readonly dir?: string;
  readonly today?: string;
  readonly timeZone?: string;
  /** `found`: a folder that has a memory; `prepared`: any folder, created if missing. */
  readonly folder: "found" | "prepared";
  /** `reported`: unreadable user settings are a warning, not an error. */
  readonly settings?: "reported";
}

export interface HostTrust extends Omit<ReturnType<typeof openTrusted>, "isAccepted" | "covers"> {
  /** The given folder, else the nearest memory at or above the current folder, else the current folder. Errors: `invalid_path`. */
  folderOf(named: string | undefined): string;
  /** Why the `.heartwood/` of a trusted folder is not used; empty if it is. */
  unusedState(dir: string): string;
  /** Errors: `other_owner` if another user owns the folder or the memory in it. */
  refuseOtherOwner(dir: string): void;
}

/** The input of a command that is not an operation on a memory. */
export interface LocalCall {
  readonly input: Input;
  readonly common: CommonOptions;
  readonly terminal: Terminal;
  readonly host: Host;
  readonly commands: readonly CommandSpec[];
}
