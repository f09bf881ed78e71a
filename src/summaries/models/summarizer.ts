/**
 * A model that answers requests for summaries: of nodes, of ROOT.md and of threads. It is asked while no lock of the tree is held. Its answer is
 * checked and recorded by the caller; an implementation neither judges nor remembers it.
 */
export interface Summarizer {
  /** Names the implementation, its version and the model, as `openai-compatible-1:qwen3:4b`; changes when its answers would. One line without spaces. */
  readonly id: string;
  /** Tokens that a request and its answer may have together. */
  readonly contextTokens: number;
  /**
   * Asks once; an implementation may try again where that is safe. Errors: `model_unavailable` (not reached, too busy, or too slow, after all tries; package or model file missing),
   * `model_refused` (it does not take the request: key, model, size), `model_answer` (what came back is no answer, or is empty), `aborted`; what `beforeTry` throws is passed on.
   * Each of the four has `details.requests`, how many requests went out, and `details.tokens` where the model said what they cost, or nothing went out. No error
   * contains a key.
   */
  summarize(prompt: SummarizerPrompt, options: { readonly signal?: AbortSignal }): Promise<SummarizerAnswer>;
  /** Frees its resources. It can be used again afterwards. */
  close?(): Promise<void>;
}

/** One request, as it goes out. */
export interface SummarizerPrompt {
  /** What to do: the message of the system, where a model knows one. */
  readonly instructions: string;
  /** What to do it with. */
  readonly prompt: string;
  /** The most tokens that the answer may have. */
  readonly answerTokens: number;
  /** Called before each try goes out; when it throws, nothing is sent. */
  readonly beforeTry?: () => void | Promise<void>;
}

/** What came back, not judged yet. */
export interface SummarizerAnswer {
  /** Not trimmed, not empty. */
  readonly text: string;
  /** `cut_off`: the model stopped because of its own limit. */
  readonly end: "complete" | "cut_off";
  /** What the model says that it cost, all tries together; `undefined` when it does not say. */
  readonly tokens: { readonly prompt: number; readonly answer: number } | undefined;
  /** Requests that went out, the successful one included. */
  readonly requests: number;
}
