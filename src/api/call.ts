import type { InputFile, ProgressEvent } from "../base/operation.ts";

/** Options for every method. */
export interface CallOptions {
  /** Stops the call with the error `aborted`. Everything written so far is complete, and calling again continues from there. */
  readonly signal?: AbortSignal;
  /** Called with progress during a long run. */
  readonly onProgress?: (event: ProgressEvent) => void;
}

/** Text as a string, or as a file that is read in chunks. */
export type TextInput = string | InputFile;

/** Who is acting, as recorded in a thread. */
export interface By {
  /** `user`, `assistant`, `agent`, `tool:NAME`, … */
  readonly actor: string;
  /** Where the action comes from: `chat`, `hook`, … Default `api`. */
  readonly origin?: string;
}
