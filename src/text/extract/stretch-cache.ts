import { detached } from "../../base/lines.ts";

/** Places in which a stretch may stand; with all of them taken, the first is taken over. */
const mostTries = 8;

/**
 * What was found of stretches of texts, by their characters; looked up without cutting them out, which costs more than all else where every word of a
 * text is looked up. Holds so many and no more, and forgets one for another: use it for what can be found again.
 */
export class StretchCache<Value> {
  readonly #mask: number;
  readonly #keys: string[];
  readonly #values: (Value | undefined)[];
  readonly #hashes: Int32Array;

  /** `bits`: it holds 2 to this power. */
  constructor(bits: number) {
    const places = 2 ** bits;
    this.#mask = places - 1;
    this.#keys = Array.from({ length: places }, () => "");
    this.#values = Array.from({ length: places }, () => undefined);
    this.#hashes = new Int32Array(places);
  }

  /** What is known of the text from a place to another; `find` is asked when nothing is, with that part as a string of its own. */
  get(text: string, from: number, to: number, find: (stretch: string) => Value): Value {
    const hash = hashOf(text, from, to);
    const home = (hash ^ (hash >>> 15)) & this.#mask;
    let free = home;
    for (let tries = 0; tries < mostTries; tries++) {
      const place = (home + tries) & this.#mask;
      const key = this.#keys[place] ?? "";
      if (key === "") {
        free = place;
        break;
      }
      if (this.#hashes[place] === hash && stands(key, text, from, to)) return this.#values[place] as Value;
    }
    const own = detached(text.slice(from, to));
    const value = find(own);
    this.#keys[free] = own;
    this.#values[free] = value;
    this.#hashes[free] = hash;
    return value;
  }
}

function hashOf(text: string, from: number, to: number): number {
  let hash = 0;
  for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + text.charCodeAt(at)) | 0;
  return hash;
}

/** Whether a stretch of a text has these characters. */
function stands(key: string, text: string, from: number, to: number): boolean {
  if (key.length !== to - from) return false;
  for (let at = 0; at < key.length; at++) if (key.charCodeAt(at) !== text.charCodeAt(from + at)) return false;
  return true;
}
