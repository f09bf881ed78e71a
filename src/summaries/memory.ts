import type { RecallMemory } from "../recall/memory.ts";
import type { ThreadMemory } from "../threads/memory.ts";

/**
 * A model that answers requests for summaries of nodes, ROOT.md and threads. Called without holding the tree lock. The caller checks and records the
 * answer; an implementation does neither.
 */
export interface Summarizer {
  /** Names the implementation, its version and the model, such as `openai-compatible-1:qwen3:4b`; must change when the answers would. One line without spaces. */
  readonly id: string;
  /** Token limit for a request and its answer together. */
  readonly contextTokens: number;
  /**
   * Asks once; an implementation may retry where that is safe. Errors: `model_unavailable` (unreachable, too busy or too slow after all tries;
   * package or model file missing), `model_refused` (the request is rejected: key, model, size), `model_answer` (the reply is not an answer, or is
   * empty), `aborted`. Errors from `beforeTry` are passed on. All four have `details.requests`, the number of requests sent, and
   * `details.tokens` if the model reported the cost or nothing was sent. No error contains a key.
   */
  summarize(prompt: SummarizerPrompt, options: { readonly signal?: AbortSignal }): Promise<SummarizerAnswer>;
  /** Frees its resources. The summarizer can be used again afterwards. */
  close?(): Promise<void>;
}

/** One request, as sent. */
export interface SummarizerPrompt {
  /** What to do: the system message, if the model supports one. */
  readonly instructions: string;
  /** The material to work on. */
  readonly prompt: string;
  /** Maximum tokens in the answer. */
  readonly answerTokens: number;
  /** Called before each try is sent; if it throws, nothing is sent. */
  readonly beforeTry?: () => void | Promise<void>;
}

/** The model's reply, unchecked. */
export interface SummarizerAnswer {
  /** Not trimmed, not empty. */
  readonly text: string;
  /** `cut_off`: the model stopped at its own limit. */
  readonly end: "complete" | "cut_off";
  /** The cost reported by the model for all tries together; `undefined` if it reports none. */
  readonly tokens: { readonly prompt: number; readonly answer: number } | undefined;
  /** Requests sent, including the successful one. */
  readonly requests: number;
}

/** An opened project folder, with the models that summaries and recall may use. */
export interface SummaryMemory extends ThreadMemory, RecallMemory {
  /** The model from the user's settings; absent if none is configured. Opened only when a request is about to be sent. */
  readonly summarizer?: NamedSummarizer;
  /** The model that chooses among nodes for recall, from the user's settings; absent if none is configured. */
  readonly chooser?: NamedSummarizer;
}

/** A summarizer whose id is known before it is opened, because opening may load a package or a model. */
export interface NamedSummarizer extends Pick<Summarizer, "id" | "contextTokens"> {
  open(): Promise<Summarizer>;
}
