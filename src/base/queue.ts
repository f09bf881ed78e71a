/** A binary heap of numbers by their worth, highest first; of equal worth the lower number. */
export class Queue {
  readonly #items: { readonly id: number; readonly worth: number }[] = [];

  push(id: number, worth: number): void {
    const items = this.#items;
    let at = items.length;
    items.push({ id, worth });
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(at, parent)) return;
      this.#swap(at, parent);
      at = parent;
    }
  }

  pop(): number | undefined {
    const items = this.#items;
    const top = items[0];
    const last = items.pop();
    if (top === undefined || last === undefined) return undefined;
    if (items.length > 0) {
      items[0] = last;
      this.#sink();
    }
    return top.id;
  }

  /** The highest worth that waits. */
  best(): number {
    return this.#items[0]?.worth ?? 0;
  }

  #sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let first = at;
      if (left < this.#items.length && this.#before(left, first)) first = left;
      if (right < this.#items.length && this.#before(right, first)) first = right;
      if (first === at) return;
      this.#swap(at, first);
      at = first;
    }
  }

  #before(a: number, b: number): boolean {
    const [x, y] = [this.#items[a], this.#items[b]];
    if (x === undefined || y === undefined) return false;
    return x.worth > y.worth || (x.worth === y.worth && x.id < y.id);
  }

  #swap(a: number, b: number): void {
    const items = this.#items;
    [items[a], items[b]] = [items[b] as (typeof items)[number], items[a] as (typeof items)[number]];
  }
}
