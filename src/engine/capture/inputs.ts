import type { Client } from "../../ports/transcripts.ts";

/** What `capture.run` takes. */
export interface CaptureInput {
  readonly client: Client;
  /** Default: the newest transcript of the project folder. */
  readonly path?: string;
  /** Of a transcript that holds several. */
  readonly session?: string;
  /** What the caller knows to be over. Default: what the transcript says. */
  readonly ended?: "turn" | "session";
  /** Every session of the project folder. Default: the newest. */
  readonly all?: boolean;
}

/** What `capture.import` takes. */
export interface HistoryInput {
  readonly client: Client;
  /** Default: the sessions of the project folder. */
  readonly path?: string;
  readonly all?: boolean;
  readonly dry_run?: boolean;
}
