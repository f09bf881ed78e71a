/**
 * The tokens by which texts are compared, each under a number of its own, counted from 0: words of ASCII letters, digits and `_` of two characters or
 * more, runs of CJK characters as overlapping pairs, words of every other script; docs/formats/audit.md, "Figures". No token becomes a string.
 */
export class TokenTable {
  /** Number of a token + 1 by its hash, open addressing; 0 is free. */
  #slots = new Int32Array(1 << 13);
  #hashes = new Int32Array(1 << 12);
  /** Where a token begins among the characters; the next one begins where it ends. */
  #starts = new Int32Array((1 << 12) + 1);
  #characters = new Uint16Array(1 << 15);
  /** The text in which a token was last seen. */
  #seen = new Int32Array(1 << 12);
  #found = new Int32Array(1 << 12);
  #text = 0;
  #size = 0;

  /** How many tokens have a number. */
  get size(): number {
    return this.#size;
  }

  /** The tokens of a text, each once, in order of appearance. The array holds until the next call. Linear. */
  tokensOf(text: string): Int32Array {
    this.#text += 1;
    const lower = text.toLowerCase();
    let count = 0;
    const add = (from: number, to: number): void => {
      const id = this.#numberOf(lower, from, to);
      if (this.#seen[id] === this.#text) return;
      this.#seen[id] = this.#text;
      if (count === this.#found.length) this.#found = grown(this.#found);
      this.#found[count++] = id;
    };
    for (let at = 0; at < lower.length;) {
      const kind = kindOf(lower, at);
      if (kind === none) at += 1;
      else at = kind === cjk ? takePairs(lower, at, add) : takeWord(lower, at, add);
    }
    return this.#found.subarray(0, count);
  }

  #numberOf(text: string, from: number, to: number): number {
    let hash = 0x811c9dc5;
    for (let at = from; at < to; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
    // The low bits choose the slot, and the multiplication moves bits upwards only.
    hash ^= hash >>> 15;
    const slots = this.#slots;
    const hashes = this.#hashes;
    const mask = slots.length - 1;
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      const id = (slots[slot] ?? 0) - 1;
      if (id < 0) return this.#add({ text, from, to, hash, slot });
      if (hashes[id] === hash && this.#is(id, text, from, to)) return id;
    }
  }

  #is(id: number, text: string, from: number, to: number): boolean {
    const start = this.#starts[id] ?? 0;
    if ((this.#starts[id + 1] ?? 0) - start !== to - from) return false;
    for (let at = from; at < to; at++) if (this.#characters[start + at - from] !== text.charCodeAt(at)) return false;
    return true;
  }

  #add({ text, from, to, hash, slot }: NewToken): number {
    const id = this.#size++;
    if (id === this.#hashes.length) {
      this.#hashes = grown(this.#hashes);
      this.#seen = grown(this.#seen);
      this.#starts = grown(this.#starts);
    }
    let end = this.#starts[id] ?? 0;
    while (end + to - from > this.#characters.length) this.#characters = grownCharacters(this.#characters);
    for (let at = from; at < to; at++) this.#characters[end++] = text.charCodeAt(at);
    this.#starts[id + 1] = end;
    this.#hashes[id] = hash;
    this.#slots[slot] = id + 1;
    if (this.#size * 2 > this.#slots.length) this.#rehash();
    return id;
  }

  #rehash(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let id = 0; id < this.#size; id++) {
      let slot = (this.#hashes[id] ?? 0) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = id + 1;
    }
    this.#slots = slots;
  }
}

interface NewToken {
  readonly text: string;
  readonly from: number;
  readonly to: number;
  readonly hash: number;
  readonly slot: number;
}

type Add = (from: number, to: number) => void;

/** Adds the pairs of the run that begins here; its end. */
function takePairs(text: string, from: number, add: Add): number {
  let before = -1;
  let at = from;
  let end = at + widthAt(text, at);
  while (end < text.length && kindOf(text, end) === cjk) {
    const next = end + widthAt(text, end);
    add(at, next);
    before = at;
    at = end;
    end = next;
  }
  if (before < 0) add(from, end);
  return end;
}

/** Adds the word that begins here; its end. */
function takeWord(text: string, from: number, add: Add): number {
  let isOther = false;
  let at = from;
  while (at < text.length) {
    const kind = kindOf(text, at);
    if (kind !== ascii && kind !== other) break;
    isOther ||= kind === other;
    at += widthAt(text, at);
  }
  if (isOther || at - from > 1) add(from, at);
  return at;
}

const none = 0;
const ascii = 1;
const cjk = 2;
const other = 3;
const unknown = 4;

/** The kind of each character of the Basic Multilingual Plane, as far as it was asked for. */
const kinds = new Uint8Array(1 << 16).fill(unknown);

/** Of a pair of surrogates at its first half. */
function kindOf(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const known = kinds[code] ?? unknown;
  if (known !== unknown) return known;
  const character = String.fromCodePoint(text.codePointAt(at) ?? 0);
  const kind = kindOfCharacter(character);
  if ((code & 0xf800) !== 0xd800) kinds[code] = kind;
  return kind;
}

function kindOfCharacter(character: string): number {
  if (/^[a-z0-9_]/u.test(character)) return ascii;
  if (/^[[\p{L}\p{M}\p{N}]&&[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]]/v.test(character)) return cjk;
  return /^[\p{L}\p{M}\p{N}]/u.test(character) ? other : none;
}

function widthAt(text: string, at: number): 1 | 2 {
  const code = text.charCodeAt(at);
  if ((code & 0xfc00) !== 0xd800) return 1;
  return (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00 ? 2 : 1;
}

function grown(array: Int32Array): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(array.length * 2);
  larger.set(array);
  return larger;
}

function grownCharacters(array: Uint16Array): Uint16Array<ArrayBuffer> {
  const larger = new Uint16Array(array.length * 2);
  larger.set(array);
  return larger;
}
