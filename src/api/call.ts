import type { InputFile, ProgressEvent } from "../base/operation.ts";

/** Options of every method. */
export interface CallOptions {
  /** Stops the call with `aborted`. Whatever was written is complete, and another call continues from there. */
  readonly signal?: AbortSignal;
  /** Called during a long run. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Text given as a string, or as a file that is read in chunks. */
export type TextInput = string | InputFile;

/** Who is acting, as recorded in a thread. */
export interface By {
  /** `user`, `assistant`, `agent`, `tool:NAME`, … */
  readonly actor: string;
  /** Where it comes from: `chat`, `hook`, … Default `api`. */
  readonly origin?: string;
}
