import * as K from "./characters.ts";
import { FOLDED, KIND, isInWord } from "./characters.ts";
import * as W from "./lexicon.ts";
import { hashOfPair, kindOfWord, PRIME } from "./lexicon.ts";
import { Seen } from "./unit-worth.ts";

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

/** A run without breaks from here on is not text. */
export const BLOB = 61;

/** Counts the words, numbers and signs of one text while it is read. */
export class Notes {
  readonly units: Units = new Units();

  protected text = "";
  /** Where the run without breaks begins. */
  protected run = 0;
  /** The character before, of a script without spaces, and its kind. */
  protected before = 0;
  protected beforeKind = 0;
  protected lastNumber = -2;
  /** The script of the last word, as the upper byte of its letters. */
  protected script = 0;
  protected seen = new Seen();

  protected word(from: number, to: number, hash: number, upper: number): void {
    const seen = this.seen;
    const length = to - from;
    seen.letters += length;
    seen.words += 1;
    this.before = 0;
    const kind = kindOfWord(hash);
    if (kind === 0) {
      if (length > 1) this.unknown(from, to, hash, upper);
      else seen.function += 1;
      return;
    }
    if (kind !== W.COMMON) {
      seen.shape = (Math.imul(seen.shape, PRIME) ^ hash) | 0;
      seen.shaped += 1;
    }
    if (kind === W.FUNCTION_WORD) seen.function += 1;
    else if (kind > W.LAST_CUE) this.address(kind);
    else this.known(from, hash, kind);
  }

  /** A word that shows whom a sentence is about. */
  protected address(kind: number): void {
    const seen = this.seen;
    seen.function += 1;
    if (kind === W.OWN) seen.own += 1;
    else if (kind === W.YOURS) seen.yours += 1;
    else if (kind === W.GENERIC) seen.generic += 1;
    else if (seen.words === 1 || (seen.words === 0 && seen.glyphs <= 3)) seen.refers = 1;
  }

  /** A listed word that is not a word of grammar. */
  protected known(from: number, hash: number, kind: number): void {
    const seen = this.seen;
    this.units.addWord(hash << 1);
    seen.general += 1;
    if (kind >= W.FIRST_CUE) seen.cues |= 1 << kind;
    else if (kind === W.UNIT) {
      if (this.lastNumber >= from - 1) seen.quantities += 1;
    } else if (seen.words <= 3) seen.first |= 1 << kind;
    else if (kind !== W.GENERAL && kind !== W.COMMON) seen.later |= 1 << kind;
  }

  protected unknown(from: number, to: number, hash: number, upper: number): void {
    const seen = this.seen;
    const text = this.text;
    if (to - from > 40) seen.blobs += 1;
    this.units.addWord((hash << 1) | 1);
    this.script = text.charCodeAt(from) >>> 8;
    seen.telling += 1;
    const first = text.charCodeAt(from);
    if (FOLDED[first] !== first) {
      if (seen.words > 1) seen.names += 1;
      if (upper !== 0 && to - from > 1) seen.identifiers += 1;
    } else if (upper !== 0) seen.identifiers += 1;
  }

  protected mark(at: number, code: number, kind: number): void {
    const seen = this.seen;
    const text = this.text;
    if (kind === K.SIGN) {
      if (code === 58 && text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 47) seen.identifiers += 1;
      else if (code !== 58) seen.symbols += 1;
    } else if (kind === K.JOIN) {
      if (code === 92) this.breakRun(at);
      if (isInWord(text, at)) seen.identifiers += code === 47 ? 0.5 : 1;
      else seen.symbols += 1;
    } else if (kind === K.MONEY) {
      if (this.lastNumber >= at - 1) seen.quantities += 1;
      else seen.money = at;
    } else if (kind !== K.PAIR && kind !== K.HYPHEN) {
      seen.symbols += 1;
      if (kind === K.CONTROL) this.breakRun(at);
    }
  }

  protected number(at: number): number {
    const text = this.text;
    const seen = this.seen;
    let to = at;
    let hash = 0;
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to);
      const kind = KIND[code] as number;
      const joins = kind === K.STOP || kind === K.CLAUSE || code === 58;
      if (kind !== K.DIGIT && (!joins || KIND[text.charCodeAt(to + 1)] !== K.DIGIT)) break;
      hash = hashOfPair(hash, code);
    }
    this.units.addWord(hash << 1);
    seen.digits += to - at;
    seen.numbers += 1;
    seen.words += 1;
    if (at > 0 && (FOLDED[text.charCodeAt(at - 1)] !== 0 || text.charCodeAt(at - 1) === 45)) seen.identifiers += 0.5;
    if (seen.money === at - 1) seen.quantities += 1;
    this.lastNumber = to;
    this.before = 0;
    return to - 1;
  }

  protected pair(before: number, code: number, kind: number): void {
    const hash = hashOfPair(before, code);
    if (this.cue(hash)) return;
    if (kind === K.KANA) {
      this.seen.shape = (Math.imul(this.seen.shape, PRIME) ^ code) | 0;
      this.seen.shaped += 1;
      return;
    }
    this.seen.pairs += 1;
    this.units.addWord((hash << 1) | 1);
  }

  /** Whether a pair of characters is listed. */
  protected cue(hash: number): boolean {
    const kind = kindOfWord(hash);
    if (kind === 0) return false;
    const seen = this.seen;
    if (kind > W.LAST_CUE) {
      this.address(kind);
      return true;
    }
    this.units.addWord(hash << 1);
    if (kind >= W.FIRST_CUE) seen.cues |= 1 << kind;
    else if (seen.glyphs <= 8) seen.first |= 1 << kind;
    else seen.later |= 1 << kind;
    return true;
  }

  protected breakRun(at: number): void {
    if (at - this.run >= BLOB) this.runEnds(at);
    this.run = at + 1;
  }

  protected runEnds(at: number): void {
    if (at - this.run >= BLOB) this.seen.blobs += 1;
  }
}
