/** Words of ASCII letters and digits with a value each, found by their place in a text: no string is made of a word that is known. */
export class WordTable<T> {
  #slots = new Int32Array(1 << 14);
  readonly #hashes: number[] = [];
  readonly #words: string[] = [];
  readonly #values: T[] = [];

  /** The value of the word at `[from, to)`, made when it is new. `hash`: of its letters, by `nextHash`. */
  at(
    text: string,
    place: { readonly from: number; readonly to: number; readonly hash: number },
    make: (word: string) => T,
  ): T {
    const { from, to, hash } = place;
    const mask = this.#slots.length - 1;
    let slot = spread(hash) & mask;
    for (let entry = this.#slots[slot] ?? 0; entry !== 0; entry = this.#slots[slot] ?? 0) {
      const value = this.#values[entry - 1];
      if (this.#hashes[entry - 1] === hash && value !== undefined && this.#isAt(entry - 1, text, from, to))
        return value;
      slot = (slot + 1) & mask;
    }
    const word = text.slice(from, to);
    const value = make(word);
    this.#words.push(word);
    this.#hashes.push(hash);
    this.#values.push(value);
    this.#slots[slot] = this.#words.length;
    if (this.#words.length * 2 > this.#slots.length) this.#grow();
    return value;
  }

  #isAt(entry: number, text: string, from: number, to: number): boolean {
    const word = this.#words[entry] ?? "";
    if (word.length !== to - from) return false;
    for (let at = 0; at < word.length; at++) if (word.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
    return true;
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2);
    const mask = this.#slots.length - 1;
    this.#hashes.forEach((hash, entry) => {
      let slot = spread(hash) & mask;
      while (this.#slots[slot] !== 0) slot = (slot + 1) & mask;
      this.#slots[slot] = entry + 1;
    });
  }
}

/** The hash of a word with one more letter; that of no letters is 0. */
export function nextHash(hash: number, code: number): number {
  return (Math.imul(hash, 31) + code) | 0;
}

function spread(hash: number): number {
  return Math.imul(hash, 0x9e3779b1) >>> 7;
}
