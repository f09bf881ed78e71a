/** What the person's own settings say about a model that chooses among nodes, see docs/formats/recall.md. */
export interface RecallSettings {
  /** How long one message may wait for a choice, all in all. Default 5. */
  readonly timeoutSeconds: number;
  /** Of one recall, a whole batch being one. Default 5. */
  readonly maxRequestsPerRun: number;
  /** Nothing is asked when more would have gone out on the local day, summaries included. Default 20. */
  readonly maxRequestsPerDay: number;
  /** The same of tokens. Default 100,000. */
  readonly maxTokensPerDay: number;
}

/** What a model was trained to see before a text, as E5's `query: ` and `passage: `. Default: nothing. */
export interface EmbedPrefixes {
  readonly query: string;
  readonly passage: string;
}
