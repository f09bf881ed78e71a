/**
 * A vector of unit length: each number is 254 times its part, rounded, from -127 to 127. The dot product of two of them divided by
 * 254² is their cosine. All zeros: too little of the text is known to say what it means.
 */
export type Vector = Int8Array;

/** Makes vectors of texts: texts that mean alike get vectors that lie close. It judges no text, remembers none, and writes nothing down. */
export interface Embedder {
  /** Names the implementation, its version and its model or table, as `static-1:1f0c5a20d3b4e691`; changes when its vectors would. One line without spaces. */
  readonly id: string;
  /** How many numbers each vector has. Known from the first `embed` on where a model has to be asked; 0 until then. */
  readonly dimensions: number;
  /**
   * One vector a text, in their order. A text longer than the model can take counts with its beginning. `purpose`: some models want to know whether a text is
   * asked for (`query`) or found (`passage`). Errors: `io` (a table is missing or damaged), `model_unavailable` (package or model file missing, endpoint not reached, too slow), `model_refused`
   * (key, model), `model_answer` (what came back are no vectors, or not as many as texts), `aborted`. A key stands in no error.
   */
  embed(texts: readonly string[], options: EmbedOptions): Promise<readonly Vector[]>;
  /** Frees what it holds. It can be used again afterwards. */
  close?(): Promise<void>;
}

export interface EmbedOptions {
  readonly purpose: "query" | "passage";
  readonly signal?: AbortSignal;
}
