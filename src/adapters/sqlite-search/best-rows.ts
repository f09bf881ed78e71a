export interface ScoredRow {
  readonly row: number;
  readonly score: number;
}

/** Keeps the best rows of many: a heap with the worst of them on top. Of equal scores the smaller row is the better. */
export class BestRows {
  readonly #most: number;
  readonly #heap: ScoredRow[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  /** What a row after all others has to score more than to be one of the best. */
  least = 0;

  /** Of a score above 0. */
  add(row: number, score: number): void {
    const worst = this.#heap[0];
    if (this.#heap.length < this.#most) {
      this.#heap.push({ row, score });
      this.#up(this.#heap.length - 1);
      this.#noteLeast();
    } else if (worst !== undefined && isWorse(worst, { row, score })) {
      this.#heap[0] = { row, score };
      this.#down();
      this.#noteLeast();
    }
  }

  #noteLeast(): void {
    if (this.#heap.length === this.#most) this.least = this.#heap[0]?.score ?? 0;
  }

  /** Best first. */
  sorted(): readonly ScoredRow[] {
    return this.#heap.toSorted((a, b) => b.score - a.score || a.row - b.row);
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

function isWorse(a: ScoredRow, b: ScoredRow): boolean {
  return a.score < b.score || (a.score === b.score && a.row > b.row);
}
