import type { CoveragePiece } from "./coverage.ts";

/** A line in the making: for each of its pieces the odds that none, and that exactly one, of a reader's words stands in it. */
export class LineDraft {
  readonly terms: number[] = [];
  value = 0;
  readonly #pieces: readonly CoveragePiece[];
  readonly #worth: readonly number[];
  readonly #none: Float64Array;
  readonly #one: Float64Array;
  readonly #open = new Map<number, { readonly at: number; readonly odds: number }[]>();

  constructor(pieces: readonly CoveragePiece[], worth: readonly number[], seed: number) {
    this.#pieces = pieces;
    this.#worth = worth;
    this.#none = new Float64Array(pieces.length);
    this.#one = new Float64Array(pieces.length);
    pieces.forEach((piece, at) => {
      piece.terms.forEach((term, index) => {
        const odds = piece.odds[index] ?? 0;
        if (term === seed) {
          this.#none[at] = 1 - odds;
          this.#one[at] = odds;
          return;
        }
        const list = this.#open.get(term);
        if (list === undefined) this.#open.set(term, [{ at, odds }]);
        else list.push({ at, odds });
      });
    });
  }

  bestTerm(costOf: (term: number) => number): { term: number; gain: number; cost: number } | undefined {
    let best: { term: number; gain: number; cost: number } | undefined;
    for (const [term, uses] of this.#open) {
      const gain = uses.reduce((sum, { at, odds }) => sum + (this.#worth[at] ?? 0) * (this.#one[at] ?? 0) * odds, 0);
      const cost = costOf(term);
      if (best === undefined || gain * best.cost > best.gain * cost) best = { term, gain, cost };
    }
    return best !== undefined && best.gain > 0 ? best : undefined;
  }

  take(term: number): void {
    for (const { at, odds } of this.#open.get(term) ?? []) {
      const [none, one] = [this.#none[at] ?? 0, this.#one[at] ?? 0];
      this.value += (this.#worth[at] ?? 0) * one * odds;
      this.#none[at] = none * (1 - odds);
      this.#one[at] = one * (1 - odds) + none * odds;
    }
    this.#open.delete(term);
    this.terms.push(term);
  }

  /** Of each piece, how likely it is found by this line. */
  found(): Float64Array {
    return Float64Array.from(this.#pieces, (_, at) => 1 - (this.#none[at] ?? 0) - (this.#one[at] ?? 0));
  }
}
