import { MemoryError, type Warning } from "../../base/errors.ts";
import type { IndexedSection } from "./search-index.ts";
import { isBlank } from "../vectors/int8.ts";
import { embedderFailed, embedTexts } from "./embed-texts.ts";
import type { NamedEmbedder } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { Patience } from "./prepared.ts";

/** What a statement must tell to get a vector: those below are hardly ever handed over. */
const leastWeight = 0.1;

/** The sections of a source as they are to be indexed. `later`: statements lack their vectors. */
export interface WithVectors {
  readonly sections: readonly IndexedSection[];
  readonly vectors: "made" | "later";
}

/** Makes the vectors of one refresh. After a failure no more are asked for: what comes then is indexed without. */
export class VectorRun {
  readonly warnings: Warning[] = [];
  readonly #embedder: NamedEmbedder | undefined;
  readonly #call: Call;
  #isOver: boolean;
  #dimensions = 0;

  constructor(embedder: NamedEmbedder | undefined, patience: Patience, call: Call) {
    this.#embedder = embedder;
    this.#call = call;
    this.#isOver = embedder?.pace === "slow" && patience !== "whole";
  }

  /** Errors: `aborted`. */
  async of(sections: readonly IndexedSection[]): Promise<WithVectors> {
    const texts = sections.flatMap(({ statements }) => statements.filter(isTelling).map(({ text }) => text));
    if (this.#embedder === undefined || texts.length === 0) return { sections, vectors: "made" };
    if (this.#isOver) return { sections, vectors: "later" };
    try {
      return { sections: withVectors(sections, await this.#vectorsOf(this.#embedder, texts)), vectors: "made" };
    } catch (error) {
      if (!(error instanceof MemoryError) || this.#call.signal?.aborted === true) throw error;
      this.#isOver = true;
      this.warnings.push(embedderFailed(error, "indexed by words alone; run heartwood index for the rest"));
      return { sections, vectors: "later" };
    }
  }

  async #vectorsOf(embedder: NamedEmbedder, texts: readonly string[]): Promise<readonly Int8Array[]> {
    const signal = this.#call.signal === undefined ? {} : { signal: this.#call.signal };
    const vectors = await embedTexts(embedder, texts, { purpose: "passage", ...signal });
    const { length } = vectors[0] ?? [];
    if (this.#dimensions > 0 && length !== this.#dimensions)
      throw new MemoryError(
        "model_answer",
        `${embedder.id} gave vectors of ${length} and ${this.#dimensions} numbers.`,
      );
    this.#dimensions = length;
    return vectors;
  }
}

function isTelling({ weight }: { readonly weight: number }): boolean {
  return weight >= leastWeight;
}

function withVectors(sections: readonly IndexedSection[], vectors: readonly Int8Array[]): readonly IndexedSection[] {
  let at = 0;
  return sections.map((section) => {
    const statements = section.statements.map((statement) => {
      const vector = isTelling(statement) ? vectors[at++] : undefined;
      return vector === undefined || isBlank(vector) ? statement : { ...statement, vector };
    });
    return { ...section, statements };
  });
}
