/** What the person's own settings say about summaries by a model, see docs/formats/summaries.md. */
export interface SummariesSettings {
  readonly adapter: "off" | "pull" | "openai-compatible" | "ai-sdk";
  /** Tokens of a request and its answer together. */
  readonly contextTokens: number;
  readonly maxRequestsPerRun: number;
  readonly maxRequestsPerDay: number;
  readonly maxTokensPerDay: number;
}
