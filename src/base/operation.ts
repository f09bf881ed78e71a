import { MemoryError } from "./errors.ts";

/** What a caller passes to every operation. */
export interface Call {
  readonly signal?: AbortSignal;
  /** Called during a run; the surface decides whether to show it. */
  readonly progress?: (event: ProgressEvent) => void;
  /** Runs a job after the answer, with a signal of its own. Default: the operation runs it before it answers. */
  readonly spawn?: (job: (signal: AbortSignal) => Promise<unknown>) => void;
}

export interface ProgressEvent {
  /** `daily`, `weekly`, `monthly`, `root`, `verify`, … */
  readonly phase: string;
  readonly done: number;
  /** 0 if unknown. */
  readonly total: number;
  /** A line to show at once, apart from the others. */
  readonly note?: string;
}

/** A named input of an operation, as shown by the command line and help; created by `schema.ts`. */
export interface Field {
  /** snake_case, as in JSON. The command line uses `--kebab-case`. */
  readonly name: string;
  /** The name after `--` on the command line, if it differs from the JSON name. */
  readonly option?: string;
  readonly kind: FieldKind;
  /** The help text of the option. */
  readonly summary: string;
  /** The meaning of the value, for callers without a command line. Default: `summary`. */
  readonly meaning?: string;
  /** Where the command line reads it from. Default: `option`. */
  readonly place?: "option" | "argument" | "stdin_or_option";
  /** If neither this argument nor the field named here is given, the command line reads it from standard input, unless that is a terminal. */
  readonly stdinUnless?: string;
  /** `many`: the argument takes all remaining words, joined by commas. Default: `one`. */
  readonly words?: "one" | "many";
  readonly presence?: "required" | "optional";
  /** Shown in help: `--date DATE`. */
  readonly placeholder?: string;
}

export type FieldKind =
  /** `batch: "streams"`: with the flag `batch`, the value may be an `InputFile`, and the command line streams standard input. */
  | { readonly kind: "text"; readonly batch?: "streams" }
  | { readonly kind: "integer"; readonly min: number; readonly max: number }
  | { readonly kind: "choice"; readonly values: readonly string[] }
  /** A boolean, `false` by default. `given: "off"`: `true` by default, and the command-line option sets it to `false`. */
  | { readonly kind: "flag"; readonly given?: "off" }
  /** An `InputFile`; the command line takes a path, or `-` for standard input. */
  | { readonly kind: "file" }
  /** An `OutputFile`; the command line takes a path, or `-` for standard output. */
  | { readonly kind: "output" };

/** A file to read. */
export interface InputFile {
  /** For messages. */
  readonly name: string;
  /** All bytes from the start; a chunk must not change when the next one is read. */
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** The text of a file. Errors: `invalid_body` if it is longer than `most` bytes or not UTF-8. */
export async function readInputText(
  file: InputFile,
  { what, most, signal }: { readonly what: string; readonly most: number; readonly signal: AbortSignal | undefined },
): Promise<string> {
  const { name } = file;
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of file.chunks(signal)) {
    size += chunk.length;
    if (size > most)
      throw new MemoryError("invalid_body", `The ${what} ${name} is longer than ${most} bytes; shorten it.`);
    parts.push(chunk);
  }
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(Buffer.concat(parts));
  } catch {
    throw new MemoryError("invalid_body", `The ${what} ${name} is not UTF-8; convert it first (iconv -t utf-8).`);
  }
}

/** A file to write. */
export interface OutputFile {
  /** For messages. */
  readonly name: string;
  /** The current text; `undefined` if the file does not exist. Errors: `not_a_file`, `io`. */
  read(): Promise<string | undefined>;
  /** Replaces the whole file. Errors: `io`, `disk_full`. */
  write(text: string): Promise<void>;
}
