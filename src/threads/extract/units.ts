export interface Unit {
  /** Which text of the block it is in, and where. */
  readonly text: number;
  readonly from: number;
  readonly to: number;
  /** What its own words are worth, without the others. */
  readonly worth: number;
  /** A number for the script that it is written in. */
  readonly script: number;
  /** A hash of its words of grammar and talk; 0 when they are few. */
  readonly shape: number;
  /** 1 when it begins with a word that refers to what was said before. */
  readonly leans: number;
  /** One bit for each word, of 32 by its hash: shows quickly which words one unit has and another lacks. */
  readonly bits: number;
  /** Its words in the pool: the first, and the one after the last. */
  readonly first: number;
  readonly end: number;
}

/** The units of a block, and the hashes of their words. Reused from block to block. */
export class Units {
  readonly all: Unit[] = [];
  /** Hashes of words; the lowest bit is 1 for a word that is in no list. */
  readonly words: number[] = [];

  /** Of the unit that is being read. */
  #bits = 0;

  clear(): void {
    this.all.length = 0;
    this.words.length = 0;
    this.#bits = 0;
  }

  addWord(hash: number): void {
    this.words.push(hash | 0);
    this.#bits |= 1 << (hash >>> 3);
  }

  add(unit: Omit<Unit, "bits" | "first" | "end">): void {
    const first = this.all.at(-1)?.end ?? 0;
    this.all.push({ ...unit, bits: this.#bits, first, end: this.words.length });
    this.#bits = 0;
  }
}
