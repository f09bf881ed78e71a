export interface SearchInput {
  readonly query: string;
  readonly type?: string;
  /** YYYY-MM-DD, inclusive. */
  readonly since?: string;
  readonly until?: string;
  readonly level?: string;
  /** A list with commas of raw, nodes, knowledge, memory, threads. Default: all. */
  readonly in?: string;
  /** Default 10. */
  readonly limit?: number;
  readonly explain?: boolean;
}

export interface RecallInput {
  /** What the user just said. */
  readonly text?: string;
  /** Tokens (o200k) of the passages. Default 2,000. */
  readonly budget?: number;
  readonly batch?: import("../operation.ts").InputFile;
  readonly explain?: boolean;
}

export interface IndexInput {
  readonly rebuild?: boolean;
}
