export interface ScoredPlace {
  readonly place: number;
  readonly score: number;
}

/** Keeps the best of many: a heap with the worst of them on top. Of equal scores the smaller place is the better. */
export class BestRows {
  readonly #most: number;
  readonly #heap: ScoredPlace[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What a place after all others has to score more than to be one of the best. */
  least = 0;

  /** With a score above 0. */
  add(place: number, score: number): void {
    const worst = this.#heap[0];
    if (this.#heap.length < this.#most) {
      this.#heap.push({ place, score });
      this.#up(this.#heap.length - 1);
      this.#noteLeast();
    } else if (worst !== undefined && isWorse(worst, { place, score })) {
      this.#heap[0] = { place, score };
      this.#down();
      this.#noteLeast();
    }
  }

  #noteLeast(): void {
    if (this.#heap.length === this.#most) this.least = this.#heap[0]?.score ?? 0;
  }

  /** Best first. */
  sorted(): readonly ScoredPlace[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.place - b.place);
  }

  #up(from: number): void {
    for (let at = from; at > 0;) {
      const above = (at - 1) >> 1;
      if (!this.#swapIfWorse(at, above)) return;
      at = above;
    }
  }

  #down(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      const [a, b] = [this.#heap[left], this.#heap[right]];
      if (a === undefined) return;
      const worse = b !== undefined && isWorse(b, a) ? right : left;
      if (!this.#swapIfWorse(worse, at)) return;
      at = worse;
    }
  }

  #swapIfWorse(below: number, above: number): boolean {
    const [a, b] = [this.#heap[below], this.#heap[above]];
    if (a === undefined || b === undefined || !isWorse(a, b)) return false;
    this.#heap[below] = b;
    this.#heap[above] = a;
    return true;
  }
}

function isWorse(a: ScoredPlace, b: ScoredPlace): boolean {
  return a.score < b.score || (a.score === b.score && a.place > b.place);
}
