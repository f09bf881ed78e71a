/** Words whose column is kept for the next block; the one of a huge message is given back. */
const MOST_KEPT = 2 ** 20;

/** The units (sentences, lines) of a block, column by column, and the hashes of their telling words. Reused from block to block. */
export class Units {
  count = 0;
  words = 0;
  from = new Int32Array(512);
  to = new Int32Array(512);
  /** Which text of the block. */
  text = new Int32Array(512);
  /** What its own words say of it, without the others. */
  worth = new Float64Array(512);
  /** One bit for each word, of 32 by its hash: what one has and the other has not is seen at once. */
  bits = new Int32Array(512);
  /** A number for the script that it is written in. */
  script = new Uint16Array(512);
  /** What holds its words together, as one number; 0 when that is little. */
  shape = new Int32Array(512);
  /** 1 when it begins with a word for what was said before. */
  leans = new Uint8Array(512);
  firstWord = new Int32Array(513);
  /** Hashes; the lowest bit is 1 for a word that is in no list. */
  word = new Int32Array(8192);

  /** Of the unit that is being read. */
  #bits = 0;

  clear(): void {
    if (this.word.length > MOST_KEPT) this.word = new Int32Array(8192);
    this.count = 0;
    this.words = 0;
    this.#bits = 0;
    this.firstWord[0] = 0;
  }

  addWord(hash: number): void {
    if (this.words === this.word.length) this.word = grown(this.word, new Int32Array(this.words * 2));
    this.word[this.words++] = hash;
    this.#bits |= 1 << (hash >>> 3);
  }

  add(unit: {
    readonly text: number;
    readonly from: number;
    readonly to: number;
    readonly worth: number;
    readonly script: number;
    readonly shape: number;
    readonly leans: number;
  }): void {
    if (this.count === this.from.length) this.#grow();
    this.from[this.count] = unit.from;
    this.to[this.count] = unit.to;
    this.text[this.count] = unit.text;
    this.worth[this.count] = unit.worth;
    this.script[this.count] = unit.script;
    this.shape[this.count] = unit.shape;
    this.leans[this.count] = unit.leans;
    this.bits[this.count] = this.#bits;
    this.#bits = 0;
    this.count += 1;
    this.firstWord[this.count] = this.words;
  }

  #grow(): void {
    const size = this.count * 2;
    this.from = grown(this.from, new Int32Array(size));
    this.to = grown(this.to, new Int32Array(size));
    this.text = grown(this.text, new Int32Array(size));
    this.leans = grown(this.leans, new Uint8Array(size));
    this.shape = grown(this.shape, new Int32Array(size));
    this.script = grown(this.script, new Uint16Array(size));
    this.bits = grown(this.bits, new Int32Array(size));
    this.worth = grown(this.worth, new Float64Array(size));
    this.firstWord = grown(this.firstWord, new Int32Array(size + 1));
  }
}

function grown<Column extends Int32Array | Uint8Array | Uint16Array | Float64Array>(
  old: Column,
  column: Column,
): Column {
  column.set(old);
  return column;
}
