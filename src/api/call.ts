/** Options of every method. */
export interface CallOptions {
  /** Stops the call with `aborted`. What was written is complete, and another call continues from there. */
  readonly signal?: AbortSignal;
  /** Called while a long run goes on. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

export interface ProgressEvent {
  /** `daily`, `weekly`, `monthly`, `root`, `verify`, … */
  readonly phase: string;
  readonly done: number;
  /** 0 when it is not known. */
  readonly total: number;
}

/** Text given as a string, or as a file that is read in chunks. */
export type TextInput = string | InputFile;

/** A file to read. */
export interface InputFile {
  /** For messages. */
  readonly name: string;
  /** All bytes from the start; a chunk must not change when the next one is read. */
  chunks(signal?: AbortSignal): AsyncIterable<Uint8Array>;
}

/** A file to write. */
export interface OutputFile {
  /** For messages. */
  readonly name: string;
  /** Its text now; `undefined` when it does not exist. Errors: `not_a_file`, `io`. */
  read(): Promise<string | undefined>;
  /** Replaces it as a whole. Errors: `io`, `disk_full`. */
  write(text: string): Promise<void>;
}

/** Who does something, as the record of a thread keeps it. */
export interface By {
  /** `user`, `assistant`, `agent`, `tool:NAME`, … */
  readonly actor: string;
  /** Where it comes from: `chat`, `hook`, … Default `api`. */
  readonly origin?: string;
}
