/** A program in which conversations take place; the last two only provide exports. */
export type Client = "claude-code" | "codex" | "gemini" | "copilot" | "opencode" | "openclaw" | "chatgpt" | "claude-ai";

/**
 * What clients write about their conversations. It is read, never written, one row at a time: memory does not grow with a transcript. All of it is
 * untrusted text: no path in it is followed. Errors of all: `not_found`, `not_a_file`, `invalid_body` (it is not a transcript), `io`.
 */
export interface Transcripts {
  readonly id: string;

  /** The transcripts that match, the last changed first. Finding none is an error only if the query names a path. Errors: `usage` for a client without a place of its own. */
  find(query: TranscriptQuery): Promise<readonly TranscriptSource[]>;

  /**
   * The items of one transcript in its order, the first of them `begin`. If `from` does not fit, it is read from its start; if it cannot be read
   * further, the last item is a fault. Errors: `busy`, `aborted`.
   */
  read(source: TranscriptSource, options: ReadOptions): AsyncIterable<TranscriptItem>;
}

export interface TranscriptQuery {
  readonly client: Client;
  /** A file, a database, or a folder with transcripts below it; relative to the current folder. Default: where the client keeps them. */
  readonly path?: string;
  /** Only sessions that took place in this folder or below it. Default: all. */
  readonly folder?: string;
  /** Only the session of this id. */
  readonly session?: string;
  /** No more than so many, the last changed. Default: all. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export interface TranscriptSource {
  readonly client: Client;
  /** Absolute. */
  readonly path: string;
  /** The id of its one session; `undefined`: it has any number of them, and each starts with an item `session`. */
  readonly session: string | undefined;
  /** Milliseconds since the epoch; 0 when it is not known. */
  readonly changed_at_ms: number;
}

export interface ReadOptions {
  /** Where an earlier reading ended. */
  readonly from?: TranscriptPosition;
  readonly signal?: AbortSignal;
}

/** A place after which nothing was read: a byte offset or a number of rows, and a digest of what is before it. */
export interface TranscriptPosition {
  readonly at: number;
  readonly check: string;
}

export interface SessionFacts {
  readonly id: string;
  readonly started_at_ms: number | undefined;
  readonly folder: string | undefined;
  readonly title: string | undefined;
}

export interface TranscriptMessage {
  /** Unique in its session, and the same whenever it is read. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at_ms: number | undefined;
}

/** Why a row is not a message. */
export type LeftOut = "injected" | "internal" | "tool" | "empty" | "unknown";

/** `place`: where a row is, for the user: `line 12`, `row 7`. */
export type TranscriptItem =
  /** `cursor`: reading continues at `from`. */
  | { readonly kind: "begin"; readonly at: "start" | "cursor" }
  /** What follows belongs to this session; again when more of it becomes known. */
  | { readonly kind: "session"; readonly session: SessionFacts }
  | { readonly kind: "message"; readonly message: TranscriptMessage }
  | { readonly kind: "left_out"; readonly reason: Exclude<LeftOut, "unknown"> }
  /** A row of a kind that is not known. `what` names the kind. */
  | { readonly kind: "unknown"; readonly what: string; readonly place: string }
  /** A row that cannot be read; `unreadable_rest`: nor can any after it. */
  | {
      readonly kind: "fault";
      readonly code: "torn_row" | "long_row" | "packed_row" | "unreadable_rest";
      readonly message: string;
      readonly place: string;
    }
  /** The client says that the model has had its last word in this turn. */
  | { readonly kind: "turn_end" }
  /** The session has no more rows, and will have none. */
  | { readonly kind: "session_end" }
  /** All items before it have been given. */
  | { readonly kind: "position"; readonly position: TranscriptPosition };
