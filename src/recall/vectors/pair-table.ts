/** Numbers by two others, each below 65,536. A map would need an object for each of its keys, which takes three times as long. */
export class PairTable {
  readonly size: number;
  readonly #keys: Uint32Array;
  /** 0 where there is none, else one more than the number. */
  readonly #values: Uint32Array;
  readonly #shift: number;

  /** `count`: how many will be put in at most. */
  constructor(count: number) {
    const bits = 32 - Math.clz32(Math.max(1, count)) + 1;
    this.size = count;
    this.#keys = new Uint32Array(2 ** bits);
    this.#values = new Uint32Array(2 ** bits);
    this.#shift = 32 - bits;
  }

  set(first: number, second: number, value: number): void {
    const at = this.#slot(first, second);
    this.#keys[at] = keyOf(first, second);
    this.#values[at] = value + 1;
  }

  /** -1 when there is none. */
  get(first: number, second: number): number {
    return (this.#values[this.#slot(first, second)] ?? 0) - 1;
  }

  /** Where the two stand, or would: at least half of all slots are free. */
  #slot(first: number, second: number): number {
    const key = keyOf(first, second);
    let at = Math.imul(key, golden) >>> this.#shift;
    while ((this.#values[at] ?? 0) !== 0 && this.#keys[at] !== key) at = (at + 1) & (this.#keys.length - 1);
    return at;
  }
}

/** 2^32 divided by the golden ratio spreads neighbours (Knuth, The Art of Computer Programming, 6.4). */
const golden = 0x9e3779b1;

function keyOf(first: number, second: number): number {
  return ((first << 16) | second) >>> 0;
}
