import * as K from "./characters.ts";
import { FOLDED, KIND, goesOn, isInWord, isListed, isSentenceEnd } from "./characters.ts";
import type { Utterance } from "../../base/summary-line.ts";
import * as W from "./lexicon.ts";
import { hashOfPair, kindOfWord } from "./lexicon.ts";
import { Seen, worthOf } from "./unit-worth.ts";
import type { Units } from "./choose-units.ts";

/** An unbroken run of at least this length is not text. */
const BLOB = 61;

/**
 * A unit longer than `LONG` ends at the next clause, longer than `LONGER` at the next space, and longer than `LONGEST` after any character of a
 * script without spaces.
 */
const LONG = 150;
const LONGER = 210;
const LONGEST = 236;

/** A line of at least this length may belong to a wrapped paragraph. */
const WRAPPED = 64;

/** Characters that follow the end of a sentence and belong to it. */
const CLOSING: readonly number[] = [K.QUOTE, K.STOP, K.FULL_STOP];

interface Given extends Omit<Utterance, "seq"> {
  /** The index of the text in its block. */
  readonly index: number;
  readonly cutting: "sentences" | "whole";
}

/** Reads a text in one pass over its UTF-16 units: finds where sentences begin and end, and classifies their words. Does not copy any text. */
export class TextReader {
  readonly #units: Units;
  readonly #given: Given;
  readonly #text: string;
  /** Where the current unbroken run begins. */
  #run = 0;
  /** The previous character, if it is of a script without spaces, and its class. */
  #before = 0;
  #beforeKind = 0;
  #lastNumber = -2;
  /** The script of the last word, as the upper byte of its first letter. */
  #script = 0;
  #seen = new Seen();
  #from = 0;
  #code = false;
  #line = 0;

  constructor(units: Units, given: Given) {
    this.#units = units;
    this.#given = given;
    this.#text = given.text;
  }

  read(): void {
    const text = this.#text;
    const length = text.length;
    for (let at = text.startsWith("```") ? this.#fence(0) : 0; at < length; at++) {
      let code = text.charCodeAt(at);
      let low = FOLDED[code] as number;
      if (low !== 0) {
        const start = at;
        let hash = low;
        let upper = 0;
        for (at += 1; at < length; at++) {
          code = text.charCodeAt(at);
          low = FOLDED[code] as number;
          if (low === 0) break;
          upper |= low ^ code;
          hash = hashOfPair(hash, low);
        }
        this.#word(start, at, hash, upper);
        if (at >= length) break;
      }
      at = this.#sign(at, code, KIND[code] as number);
    }
    this.#breakRun(length);
    this.#cut(length);
  }

  /** Reads a character other than a word letter, and what belongs to it. Returns the position of the last character read. */
  #sign(at: number, code: number, kind: number): number {
    const seen = this.#seen;
    if (kind === K.DIGIT) return this.#number(at);
    if (kind >= K.HAN && kind <= K.UNSPACED) {
      this.#glyph(at, code, kind);
      return at;
    }
    if (kind === K.LINE_END) return this.#lineEnd(at);
    if (kind === K.SPACE) {
      this.#breakRun(at);
      if (at - this.#from > LONGER) this.#split(at);
      return at;
    }
    if (kind === K.STOP) {
      if (isSentenceEnd(this.#text, at, this.#from)) return this.#sentenceEnds(at, code);
    } else if (kind === K.FULL_STOP) {
      this.#breakRun(at);
      return this.#sentenceEnds(at, code);
    } else if (kind === K.CLAUSE) {
      if (code > 0x7f) this.#breakRun(at);
      if (at - this.#from > LONG) this.#split(at + 1);
    } else if (kind === K.QUOTE || kind === K.BRACKET) {
      if (kind === K.BRACKET) seen.brackets += 1;
      else if (!isInWord(this.#text, at)) seen.quotes += 1;
      this.#breakRun(at);
    } else this.#mark(at, code, kind);
    this.#before = 0;
    return at;
  }

  /** A character of a script without spaces, interpreted together with the one before it. */
  #glyph(at: number, code: number, kind: number): void {
    const seen = this.#seen;
    seen.glyphs += 1;
    this.#breakRun(at);
    if (this.#before !== 0) {
      const hash = hashOfPair(this.#before, code);
      const listed = kindOfWord(hash);
      if (listed > W.LAST_CUE) this.#address(listed);
      else if (listed !== 0) this.#listed(hash, listed, seen.glyphs <= 8 ? "first" : "later");
      else if (kind === this.#beforeKind && kind === K.KANA) {
        seen.shape = hashOfPair(seen.shape, code);
        seen.shaped += 1;
      } else if (kind === this.#beforeKind) this.#units.addWord((hash << 1) | 1);
    }
    if (this.#lastNumber === at && kind !== K.KANA) seen.quantities += 0.5;
    this.#before = code;
    this.#beforeKind = kind;
    if (at - this.#from > LONGEST) this.#split(at + 1);
  }

  #lineEnd(at: number): number {
    this.#breakRun(at);
    this.#before = 0;
    if (this.#given.cutting === "whole" || this.#text.startsWith("\r\n", at)) return at;
    const from = this.#line;
    this.#line = at + 1;
    if (at - from >= WRAPPED && this.#given.role !== "tool" && !this.#code && goesOn(this.#text, at)) return at;
    this.#cut(at, at + 1);
    return this.#text.startsWith("```", at + 1) ? this.#fence(at + 1) - 1 : at;
  }

  /** Returns the position after the fence line. */
  #fence(at: number): number {
    this.#code = !this.#code;
    const end = this.#text.indexOf("\n", at);
    const next = end < 0 ? this.#text.length : end + 1;
    this.#from = next;
    return next;
  }

  #sentenceEnds(at: number, code: number): number {
    const seen = this.#seen;
    if (code === 63 || code === 0xff_1f || code === 0x6_1f) seen.asks = 1;
    this.#before = 0;
    let end = at + 1;
    while (CLOSING.includes(KIND[this.#text.charCodeAt(end)] ?? 0)) end += 1;
    this.#breakRun(at, end);
    if (this.#given.cutting === "sentences") this.#cut(end);
    return end - 1;
  }

  #split(at: number): void {
    if (this.#given.cutting === "whole") return;
    this.#cut(at);
    this.#seen.broken = 1;
  }

  /** Ends a unit; the next one begins at `next`. */
  #cut(at: number, next = at): void {
    if (this.#seen.words + this.#seen.glyphs > 0 || this.#given.cutting === "whole") this.#add(at);
    this.#from = next;
    this.#seen = new Seen();
    this.#script = 0;
  }

  #add(at: number): void {
    const seen = this.#seen;
    seen.length = at - this.#from;
    seen.code = this.#code ? 1 : 0;
    if (this.#given.role === "assistant" && isListed(this.#text, this.#from)) seen.listed = 1;
    const script = seen.glyphs * 2 > seen.letters ? 256 + this.#beforeKind : this.#script;
    this.#units.add({
      text: this.#given.index,
      from: this.#from,
      to: at,
      worth: worthOf(seen, this.#given.role),
      script,
      shape: seen.shaped < 2 ? 0 : seen.shape,
      leans: seen.refers,
    });
  }

  #word(from: number, to: number, hash: number, upper: number): void {
    const seen = this.#seen;
    const length = to - from;
    seen.letters += length;
    seen.words += 1;
    this.#before = 0;
    const kind = kindOfWord(hash);
    if (kind === 0 && length > 1) {
      if (length > 40) seen.blobs += 1;
      this.#units.addWord((hash << 1) | 1);
      const first = this.#text.charCodeAt(from);
      this.#script = first >>> 8;
      if (FOLDED[first] !== first && seen.words > 1) seen.names += 1;
      if (upper !== 0) seen.identifiers += 1;
      return;
    }
    if (kind !== 0 && kind !== W.COMMON) {
      seen.shape = hashOfPair(seen.shape, hash);
      seen.shaped += 1;
    }
    if (kind === 0 || kind === W.FUNCTION_WORD) seen.function += 1;
    else if (kind > W.LAST_CUE) this.#address(kind);
    else {
      if (kind === W.UNIT && this.#lastNumber >= from - 1) seen.quantities += 1;
      this.#listed(hash, kind, seen.words <= 3 ? "first" : "later");
    }
  }

  /** A word that shows who a sentence is about. */
  #address(kind: number): void {
    const seen = this.#seen;
    seen.function += 1;
    if (kind === W.OWN) seen.own += 1;
    else if (kind === W.YOURS) seen.yours += 1;
    else if (kind === W.GENERIC) seen.generic += 1;
    else if (seen.words === 1 || (seen.words === 0 && seen.glyphs <= 3)) seen.refers = 1;
  }

  /** A listed word or pair that is not a function word. */
  #listed(hash: number, kind: number, place: "first" | "later"): void {
    this.#units.addWord(hash << 1);
    this.#seen[kind >= W.FIRST_CUE ? "cues" : place] |= 1 << kind;
  }

  #mark(at: number, code: number, kind: number): void {
    const seen = this.#seen;
    const text = this.#text;
    if (kind === K.SIGN) {
      if (code === 58 && text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 47) seen.identifiers += 1;
      else if (code !== 58) seen.symbols += 1;
    } else if (kind === K.JOIN) {
      if (code === 92) this.#breakRun(at);
      if (isInWord(text, at)) seen.identifiers += code === 47 ? 0.5 : 1;
      else seen.symbols += 1;
    } else if (kind === K.MONEY) {
      if (this.#lastNumber >= at - 1) seen.quantities += 1;
      else seen.money = at;
    } else if (kind !== K.PAIR && kind !== K.HYPHEN) {
      seen.symbols += 1;
      if (kind === K.CONTROL) this.#breakRun(at);
    }
  }

  #number(at: number): number {
    const text = this.#text;
    const seen = this.#seen;
    let to = at;
    let hash = 0;
    for (; to < text.length; to++) {
      const code = text.charCodeAt(to);
      const kind = KIND[code] as number;
      const joins = kind === K.STOP || kind === K.CLAUSE || code === 58;
      if (kind !== K.DIGIT && (!joins || KIND[text.charCodeAt(to + 1)] !== K.DIGIT)) break;
      hash = hashOfPair(hash, code);
    }
    this.#units.addWord(hash << 1);
    seen.digits += to - at;
    seen.numbers += 1;
    seen.words += 1;
    if (at > 0 && (FOLDED[text.charCodeAt(at - 1)] !== 0 || text.charCodeAt(at - 1) === 45)) seen.identifiers += 0.5;
    if (seen.money === at - 1) seen.quantities += 1;
    this.#lastNumber = to;
    this.#before = 0;
    return to - 1;
  }

  /** `next`: where the next run begins. */
  #breakRun(at: number, next = at + 1): void {
    if (at - this.#run >= BLOB) this.#seen.blobs += 1;
    this.#run = next;
  }
}
