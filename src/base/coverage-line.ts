import type { CoveragePiece } from "./coverage.ts";

/** A line in the making: for each of its pieces the odds that none, and that exactly one, of a reader's words stands in it. */
export class LineDraft {
  readonly terms: number[] = [];
  value = 0;
  readonly #worth: readonly number[];
  readonly #none: number[];
  readonly #one: number[];
  /** Of each word that is not taken: places of the pieces that have it, each followed by its odds there. */
  readonly #open = new Map<number, number[]>();

  constructor(pieces: readonly CoveragePiece[], worth: readonly number[], seed: number) {
    this.#worth = worth;
    this.#none = pieces.map(() => 1);
    this.#one = pieces.map(() => 0);
    for (let at = 0; at < pieces.length; at++) {
      const { terms, odds } = pieces[at] as CoveragePiece;
      for (let index = 0; index < terms.length; index++) {
        const term = terms[index] as number;
        const own = odds[index] as number;
        if (term === seed) this.#meet(at, own);
        else {
          const uses = this.#open.get(term);
          if (uses === undefined) this.#open.set(term, [at, own]);
          else uses.push(at, own);
        }
      }
    }
  }

  /** The word that brings most for its cost; `undefined` when none brings anything. */
  bestTerm(
    costOf: (term: number) => number,
  ): { readonly term: number; readonly gain: number; readonly cost: number } | undefined {
    let [best, bestGain, bestCost] = [-1, 0, 1];
    for (const [term, uses] of this.#open) {
      let gain = 0;
      for (let index = 0; index < uses.length; index += 2) {
        const at = uses[index] as number;
        gain += (this.#worth[at] as number) * (this.#one[at] as number) * (uses[index + 1] as number);
      }
      if (gain * bestCost <= bestGain) continue;
      const cost = costOf(term);
      if (gain * bestCost > bestGain * cost) [best, bestGain, bestCost] = [term, gain, cost];
    }
    return best < 0 ? undefined : { term: best, gain: bestGain, cost: bestCost };
  }

  take(term: number): void {
    const uses = this.#open.get(term) ?? [];
    for (let index = 0; index < uses.length; index += 2) {
      const at = uses[index] as number;
      const odds = uses[index + 1] as number;
      this.value += (this.#worth[at] as number) * (this.#one[at] as number) * odds;
      this.#meet(at, odds);
    }
    this.#open.delete(term);
    this.terms.push(term);
  }

  /** Of each piece, how likely it is found by this line. */
  found(): readonly number[] {
    return this.#none.map((none, at) => 1 - none - (this.#one[at] as number));
  }

  #meet(at: number, odds: number): void {
    const none = this.#none[at] as number;
    this.#one[at] = (this.#one[at] as number) * (1 - odds) + none * odds;
    this.#none[at] = none * (1 - odds);
  }
}
