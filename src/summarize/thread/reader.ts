import * as K from "./codes.ts";
import { FOLDED, KIND } from "./codes.ts";
import * as W from "./lexicon.ts";
import * as S from "./secrets.ts";
import { isInWord, isSentenceEnd, isSpoken, mayBeToken } from "./places.ts";
import { Units } from "./units.ts";
import { hashOn, kindOfWord } from "./word-table.ts";
import { emptySeen, reset, type Seen, worthOf } from "./worth.ts";

/** A unit is ended at a clause from here on, at a space a little later, and anywhere at last. */
const LONG = 150;
const LONGER = 210;
const LONGEST = 236;
/** A run without breaks from here on may be a token. */
const TOKEN = 16;

/** Sentences of a text, or the text as one unit. */
export type Cutting = "sentences" | "whole";

/**
 * Reads texts in one pass over their UTF-16 units: where sentences begin and end, what their words say, which of them may tell, and whether a secret may
 * be there. No part of the text is copied.
 */
export class Reader {
  readonly units: Units = new Units();
  /** What the last text had that a secret needs. */
  secrets = 0;

  #text = "";
  #index = 0;
  #cutting: Cutting = "sentences";
  #from = 0;
  #run = 0;
  #code = false;
  #before = 0;
  #beforeKind = 0;
  #lastNumber = -2;
  readonly #seen: Seen = emptySeen();

  read(text: string, index: number, cutting: Cutting): void {
    this.#text = text;
    this.#index = index;
    this.#cutting = cutting;
    this.#run = 0;
    this.#code = false;
    this.secrets = 0;
    this.#open(0);
    this.#pass(text);
    this.#runEnds(text.length);
    this.#close(text.length);
  }

  #pass(text: string): void {
    const length = text.length;
    let hash = 0;
    let upper = 0;
    let start = -1;
    for (let at = text.startsWith("```") ? this.#fence(0) : 0; at < length; at++) {
      const code = text.charCodeAt(at);
      const low = FOLDED[code] as number;
      if (low !== 0) {
        if (start < 0) {
          start = at;
          hash = 0;
          upper = 0;
        } else upper |= low ^ code;
        hash = hashOn(hash, low);
        continue;
      }
      if (start >= 0) {
        this.#word(start, at, hash, upper);
        start = -1;
      }
      const kind = KIND[code] as number;
      if (kind === K.SPACE) {
        if (at - this.#run >= TOKEN) this.#runEnds(at);
        this.#run = at + 1;
        if (at - this.#from > LONGER) this.#split(at);
      } else at = this.#sign(at, code, kind);
    }
    if (start >= 0) this.#word(start, length, hash, upper);
  }

  #word(from: number, to: number, hash: number, upper: number): void {
    const seen = this.#seen;
    const length = to - from;
    seen.letters += length;
    seen.words += 1;
    this.#before = 0;
    const kind = kindOfWord(hash);
    if (kind === 0) {
      if (length > 1) this.#unknown(from, to, hash, upper);
      else seen.function += 1;
    } else if (kind >= W.FIRST_CUE) {
      seen.cues |= 1 << kind;
      seen.general += 1;
    } else if (kind === W.FUNCTION_WORD) seen.function += 1;
    else if (kind === W.UNIT) {
      if (this.#lastNumber >= from - 1) seen.quantities += 1;
      else seen.general += 1;
    } else {
      seen.general += 1;
      if (seen.words <= 3) seen.first |= 1 << kind;
      else if (kind !== W.GENERAL) seen.later |= 1 << kind;
    }
  }

  #unknown(from: number, to: number, hash: number, upper: number): void {
    const seen = this.#seen;
    const text = this.#text;
    const last = text.charCodeAt(to - 1) | 32;
    if ((last === 100 || last === 116) && to - from >= 7 && isSpoken(text, to)) this.secrets |= S.SPOKEN;
    if (to - from > 40) seen.blobs += 1;
    this.units.addWord(hash);
    seen.telling += 1;
    const first = text.charCodeAt(from);
    if (first > 0x30_00) this.secrets |= S.EASTERN;
    if (FOLDED[first] !== first) {
      if (seen.words > 1) seen.names += 1;
      if (upper !== 0 && to - from > 1) seen.identifiers += 1;
    } else if (upper !== 0) seen.identifiers += 1;
  }

  /** What is no letter of a word and no space. Gives the place of the last unit that was read. */
  #sign(at: number, code: number, kind: number): number {
    const seen = this.#seen;
    if (kind === K.DIGIT) return this.#number(at);
    if (kind >= K.HAN && kind <= K.UNSPACED) {
      this.#glyph(at, code, kind);
      return at;
    }
    if (kind === K.LINE_END) return this.#lineEnd(at);
    if (kind === K.STOP) {
      if (isSentenceEnd(this.#text, at, this.#from)) return this.#sentenceEnds(at, code);
    } else if (kind === K.FULL_STOP) {
      this.#breakRun(at);
      return this.#sentenceEnds(at, code);
    } else if (kind === K.CLAUSE) {
      if (code > 0x7f) this.#breakRun(at);
      if (code > 0x30_00) this.secrets |= S.EASTERN;
      if (at - this.#from > LONG) this.#split(at + 1);
    } else if (kind === K.QUOTE || kind === K.BRACKET) {
      if (kind === K.QUOTE && !isInWord(this.#text, at)) seen.quotes += 1;
      this.#breakRun(at);
      const next = this.#text.charCodeAt(at + 1);
      if (code === 40 ? next === 34 || next === 39 || next === 96 : next === 44) this.secrets |= S.ASSIGNS;
    } else this.#mark(at, code, kind);
    this.#before = 0;
    return at;
  }

  #mark(at: number, code: number, kind: number): void {
    const seen = this.#seen;
    const text = this.#text;
    if (kind === K.SIGN) {
      this.secrets |= S.ASSIGNS;
      if (code === 58 && text.charCodeAt(at + 1) === 47 && text.charCodeAt(at + 2) === 47) {
        this.secrets |= S.ADDRESS;
        seen.identifiers += 1;
      } else if (code !== 58) seen.symbols += 1;
    } else if (kind === K.HYPHEN) {
      const next = text.charCodeAt(at + 1) | 32;
      if (next === 45 || next === 117 || next === 112) this.secrets |= S.OPTION;
      if (next === 45 && text.startsWith("-----BEGIN", at)) this.secrets |= S.LONG_RUN;
    } else if (kind === K.JOIN) {
      if (code === 92) this.#run = at + 1;
      if (isInWord(text, at)) seen.identifiers += code === 47 ? 0.5 : 1;
      else seen.symbols += 1;
    } else if (kind === K.MONEY) {
      if (this.#lastNumber >= at - 1) seen.quantities += 1;
      else seen.money = at;
    } else if (kind !== K.PAIR) {
      seen.symbols += 1;
      if (code > 0x30_00) this.secrets |= S.EASTERN;
      if (kind === K.CONTROL) this.#breakRun(at);
    }
  }

  #number(at: number): number {
    const text = this.#text;
    const seen = this.#seen;
    let to = at + 1;
    for (; to < text.length; to++) {
      const kind = KIND[text.charCodeAt(to)] as number;
      if (kind === K.DIGIT) continue;
      const joins = kind === K.STOP || kind === K.CLAUSE || text.charCodeAt(to) === 58;
      if (!joins || KIND[text.charCodeAt(to + 1)] !== K.DIGIT) break;
    }
    seen.digits += to - at;
    seen.numbers += 1;
    seen.words += 1;
    if (at > 0 && (FOLDED[text.charCodeAt(at - 1)] !== 0 || text.charCodeAt(at - 1) === 45)) seen.identifiers += 0.5;
    if (seen.money === at - 1) seen.quantities += 1;
    this.#lastNumber = to;
    this.#before = 0;
    return to - 1;
  }

  /** A character of a script without spaces: it tells with the one before it. */
  #glyph(at: number, code: number, kind: number): void {
    const seen = this.#seen;
    seen.glyphs += 1;
    this.secrets |= S.EASTERN;
    this.#breakRun(at);
    const before = this.#before;
    if (before !== 0 && kind === this.#beforeKind) this.#pair(before, code, kind);
    else if (before !== 0) this.#cue(hashOn(hashOn(0, before), code));
    if (this.#lastNumber === at && kind !== K.KANA) seen.quantities += 0.5;
    this.#before = code;
    this.#beforeKind = kind;
    if (at - this.#from > LONGEST) this.#split(at + 1);
  }

  #pair(before: number, code: number, kind: number): void {
    const hash = hashOn(hashOn(0, before), code);
    if (this.#cue(hash) || kind === K.KANA) return;
    this.#seen.pairs += 1;
    this.units.addWord(hash);
  }

  /** Whether a pair of characters is listed. */
  #cue(hash: number): boolean {
    const kind = kindOfWord(hash);
    if (kind === 0) return false;
    const seen = this.#seen;
    if (kind >= W.FIRST_CUE) seen.cues |= 1 << kind;
    else if (seen.glyphs <= 8) seen.first |= 1 << kind;
    else seen.later |= 1 << kind;
    return true;
  }

  #lineEnd(at: number): number {
    this.#runEnds(at);
    this.#run = at + 1;
    this.#before = 0;
    if (this.#cutting === "whole") return at;
    this.#close(at);
    const next = this.#text.startsWith("```", at + 1) ? this.#fence(at + 1) : at + 1;
    this.#open(next);
    return next - 1;
  }

  /** Behind the line of a fence. */
  #fence(at: number): number {
    this.#code = !this.#code;
    const end = this.#text.indexOf("\n", at);
    const next = end < 0 ? this.#text.length : end + 1;
    this.#from = next;
    this.secrets |= S.ASSIGNS;
    return next;
  }

  #sentenceEnds(at: number, code: number): number {
    const seen = this.#seen;
    if (code === 63 || code === 0xff_1f || code === 0x6_1f) seen.asks = 1;
    this.#before = 0;
    let end = at + 1;
    for (let kind = KIND[this.#text.charCodeAt(end)]; kind === K.QUOTE || kind === K.STOP || kind === K.FULL_STOP;) {
      end += 1;
      kind = KIND[this.#text.charCodeAt(end)];
    }
    this.#runEnds(at);
    this.#run = end;
    if (this.#cutting === "sentences") this.#split(end);
    return end - 1;
  }

  #split(at: number): void {
    if (this.#cutting === "whole") return;
    this.#close(at);
    this.#open(at);
  }

  #breakRun(at: number): void {
    if (at - this.#run >= TOKEN) this.#runEnds(at);
    this.#run = at + 1;
  }

  #runEnds(at: number): void {
    const length = at - this.#run;
    if (length < TOKEN) return;
    if (length > 60) this.#seen.blobs += 1;
    if ((this.secrets & S.LONG_RUN) !== 0) return;
    if (length > 40 || mayBeToken(this.#text, this.#run, at)) this.secrets |= S.LONG_RUN;
  }

  #open(at: number): void {
    this.#from = at;
    reset(this.#seen);
  }

  #close(at: number): void {
    const seen = this.#seen;
    if (seen.words + seen.glyphs === 0) return;
    seen.length = at - this.#from;
    seen.code = this.#code ? 1 : 0;
    this.units.add({ text: this.#index, from: this.#from, to: at, worth: worthOf(seen) });
  }
}
