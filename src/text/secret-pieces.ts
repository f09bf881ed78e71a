import { SecretValues } from "./secret-values.ts";

/**
 * Parts of known secrets in what was composed: a keyword can be half of a password, and then the whole value is nowhere to be found. A part counts when the sources
 * have it within a secret alone.
 */
export class SecretPieces {
  readonly #values: SecretValues;
  /** The secrets that the sources have. */
  readonly #seen = new Map<string, string>();
  /** Runs of characters of the values, and whether the sources have them outside of secrets too. */
  readonly #isPlain = new Map<string, boolean>();
  readonly #begins = new Uint8Array(1 << 16);

  constructor(values: SecretValues) {
    this.#values = values;
    for (const [value] of values.all())
      for (let at = 0; at + runLength <= value.length; at++) {
        this.#isPlain.set(value.slice(at, at + runLength), false);
        this.#begins[hashAt(value, at)] = 1;
      }
    this.#markPlain(ownWords);
  }

  /** The secrets that the sources have, with their kinds. */
  get seen(): ReadonlyMap<string, string> {
    return this.#seen;
  }

  /** Takes a text of the sources. `rest`: the text without its secrets. */
  read(text: string, rest: string = this.#values.replaceIn(text)): void {
    if (this.#values.size === 0) return;
    for (const [value, kind] of this.#values.in(text)) this.#seen.set(value, kind);
    this.#markPlain(rest);
  }

  /** Takes what the sources of the sources have. */
  addSeen(seen: ReadonlyMap<string, string>): void {
    for (const [value, kind] of seen) this.#seen.set(value, kind);
  }

  /** The known values, and the parts of them that a composed text has; the very same values when it has none. */
  in(composed: string): SecretValues {
    if (this.#seen.size === 0) return this.#values;
    const text = this.#values.replaceIn(composed);
    const own = new SecretValues();
    for (let at = this.#next(text, 0); at >= 0;) {
      const [piece, kind] = this.#pieceAt(text, at);
      if (piece !== "") own.add(piece, kind);
      at = this.#next(text, at + Math.max(1, piece.length - runLength));
    }
    if (own.size === 0) return this.#values;
    own.addAll(this.#values);
    return own;
  }

  /** The longest part of a secret around a place. */
  #pieceAt(text: string, at: number): readonly [piece: string, kind: string] {
    let longest: readonly [string, string] = ["", ""];
    for (const [value, kind] of this.#seen) {
      if (!value.includes(text.slice(at, at + runLength))) continue;
      let from = at;
      let to = at + runLength;
      while (from > 0 && value.includes(text.slice(from - 1, to))) from--;
      while (to < text.length && value.includes(text.slice(from, to + 1))) to++;
      if (to - from > longest[0].length) longest = [text.slice(from, to), kind];
    }
    return longest;
  }

  /** Where the next run of a secret begins that the sources do not have elsewhere; -1 when there is none. */
  #next(text: string, from: number): number {
    for (let at = from; at + runLength <= text.length; at++) {
      if (this.#begins[hashAt(text, at)] === 0) continue;
      const run = text.slice(at, at + runLength);
      if (this.#isPlain.get(run) === false && /\p{L}|^\d+$/u.test(run)) return at;
    }
    return -1;
  }

  #markPlain(text: string): void {
    for (let at = 0; at + runLength <= text.length; at++) {
      if (this.#begins[hashAt(text, at)] === 0) continue;
      const run = text.slice(at, at + runLength);
      if (this.#isPlain.has(run)) this.#isPlain.set(run, true);
    }
  }
}

/** Also the length of the shortest part that counts. */
const runLength = 5;

/** What composing adds to what the sources have. */
const ownWords = "[project] [feedback] [reference] [user] [REDACTED: (since open) nothing to keep";

function hashAt(text: string, at: number): number {
  return (
    (text.charCodeAt(at) * 7919 +
      text.charCodeAt(at + 1) * 521 +
      text.charCodeAt(at + 2) * 31 +
      text.charCodeAt(at + 3)) &
    0xffff
  );
}
