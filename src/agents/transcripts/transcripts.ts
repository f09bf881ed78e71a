/** A program that stores conversations; the last two only provide exports. */
export type Client = "claude-code" | "codex" | "gemini" | "copilot" | "opencode" | "openclaw" | "chatgpt" | "claude-ai";

/**
 * The conversations that clients write. They are only read, one row at a time, so memory use does not grow with a transcript. Everything in them is
 * untrusted text: no path in it is followed. Common errors: `not_found`, `not_a_file`, `invalid_body` (not a transcript), `io`.
 */
export interface Transcripts {
  readonly id: string;

  /** Returns the matching transcripts, most recently changed first. Finding none is an error only if the query has a path. Errors: `usage` for a client without files on this machine. */
  find(query: TranscriptQuery): Promise<readonly TranscriptSource[]>;

  /** The transcripts of the subagents that these sessions started, at any depth. Leaves out those that cannot be found or opened. */
  subagents(sources: readonly TranscriptSource[]): Promise<readonly TranscriptSource[]>;

  /**
   * Streams the items in one transcript in order, starting with `begin`. Reads from the start if `from` does not match. If the rest is unreadable,
   * the last item is a fault. Errors: `busy`, `aborted`.
   */
  read(source: TranscriptSource, options: ReadOptions): AsyncIterable<TranscriptItem>;
}

export interface TranscriptQuery {
  readonly client: Client;
  /** A file, a database, or a folder with transcripts below it; relative to the current folder. Default: the client's own folders. */
  readonly path?: string;
  /** Only sessions that took place in one of these folders or below. Default: all. */
  readonly folders?: readonly string[];
  /** Rejects a folder below one of these, such as one with its own memory. */
  readonly rejects?: (folder: string) => boolean;
  /** Only the session with this id. */
  readonly session?: string;
  /** At most this many, the most recently changed. Default: all. */
  readonly most?: number;
  readonly signal?: AbortSignal;
}

export interface TranscriptSource {
  readonly client: Client;
  /** Absolute. */
  readonly path: string;
  /** The id of its only session; `undefined` if it has any number of sessions, each of which starts with a `session` item. */
  readonly session: string | undefined;
  /** Milliseconds since the epoch; 0 if unknown. */
  readonly changed_at_ms: number;
  /** Set for the transcript of a subagent; its session is then `<parent>-<agent>`. */
  readonly subagent?: Subagent;
}

/** A subagent: the session of the user that it belongs to, whatever the depth, and the client's id for it. */
export interface Subagent {
  readonly parent: string;
  readonly agent: string;
}

/** The part of a source that says whose transcript it is. */
export function sourceOfSubagent({ parent, agent }: Subagent): Pick<TranscriptSource, "session" | "subagent"> {
  return { session: `${parent}-${agent}`, subagent: { parent, agent } };
}

export interface ReadOptions {
  /** Where an earlier reading ended. */
  readonly from?: TranscriptPosition;
  readonly signal?: AbortSignal;
}

/** Where reading stopped: a byte offset or a number of rows, and a digest of what is before it. */
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
  /** Unique in its session, and the same in every reading. */
  readonly id: string;
  readonly role: "user" | "assistant";
  readonly text: string;
  readonly at_ms: number | undefined;
}

/** Why a row is not a message. */
export type LeftOut = "injected" | "internal" | "tool" | "empty" | "unknown";

/** `place` shows the user where a row is: `line 12`, `row 7`. */
export type TranscriptItem =
  /** `cursor`: reading starts at `from`. */
  | { readonly kind: "begin"; readonly at: "start" | "cursor" }
  /** The following items belong to this session. Repeated when more about the session becomes known. */
  | { readonly kind: "session"; readonly session: SessionFacts }
  | { readonly kind: "message"; readonly message: TranscriptMessage }
  | { readonly kind: "left_out"; readonly reason: Exclude<LeftOut, "unknown"> }
  /** A row of an unknown kind. `what` names the kind. */
  | { readonly kind: "unknown"; readonly what: string; readonly place: string }
  /** A row that cannot be read; `unreadable_rest`: this and all later rows. */
  | {
      readonly kind: "fault";
      readonly code: "torn_row" | "long_row" | "packed_row" | "unreadable_rest";
      readonly message: string;
      readonly place: string;
    }
  /** The client reports that the model has finished this turn. */
  | { readonly kind: "turn_end" }
  /** The session has ended; there will be no more rows. */
  | { readonly kind: "session_end" }
  /** All items before this position have been returned. */
  | { readonly kind: "position"; readonly position: TranscriptPosition };
