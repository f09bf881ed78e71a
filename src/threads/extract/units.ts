/** A sentence or a line of a block. */
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

/** Words for which the pool is kept for the next block; after a huge message it is made small again. */
const MOST_KEPT = 2 ** 20;
const FEWEST_KEPT = 8192;

/** The units of a block, and the hashes of their words. Reused from block to block. */
export class Units {
  readonly all: Unit[] = [];
  words = 0;
  /** Hashes; the lowest bit is 1 for a word that is in no list. */
  word = new Int32Array(FEWEST_KEPT);

  /** Of the unit that is being read. */
  #bits = 0;

  clear(): void {
    if (this.word.length > MOST_KEPT) this.word = new Int32Array(FEWEST_KEPT);
    this.all.length = 0;
    this.words = 0;
    this.#bits = 0;
  }

  addWord(hash: number): void {
    if (this.words === this.word.length) {
      const { word } = this;
      this.word = new Int32Array(this.words * 2);
      this.word.set(word);
    }
    this.word[this.words++] = hash;
    this.#bits |= 1 << (hash >>> 3);
  }

  add(unit: Omit<Unit, "bits" | "first" | "end">): void {
    const first = this.all.at(-1)?.end ?? 0;
    this.all.push({ ...unit, bits: this.#bits, first, end: this.words });
    this.#bits = 0;
  }
}
