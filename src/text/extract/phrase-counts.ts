import { capitalsFrom, phrase, type Segment } from "./phrases.ts";
import type { Term } from "./traits.ts";

/** How often a term was met, and how much its mentions say together. */
export interface Mentions {
  /** The place of its first mention among those of all terms. */
  readonly order: number;
  count: number;
  mass: number;
}

/** A word that was counted; words have numbers by which phrases are found. */
export interface CountedWord extends Mentions {
  readonly term: Term;
  readonly id: number;
}

/** A phrase that was counted, with its first mention. */
export interface CountedPhrase extends Mentions {
  readonly kind: "name" | "pair" | "lone";
  readonly reading: Reading;
  readonly index: number;
  readonly length: number;
}

/** A sequence of words, and what it was counted as. */
interface Sequence {
  readonly id: number;
  name: CountedPhrase | undefined;
  pair: CountedPhrase | undefined;
  lone: CountedPhrase | undefined;
}

/** The segment that is read: its words as they are counted, the text it stands in, and what a mention in it says. */
export interface Reading {
  readonly segment: Segment;
  readonly words: readonly CountedWord[];
  readonly text: string;
  readonly mass: number;
  /** What a first mention says. */
  readonly firstMass: number;
}

/** The phrases of segments, counted. Most come once only, and are no more than their place until they are asked for. */
export class PhraseCounts {
  readonly #sequences = new Map<number, Sequence>();
  readonly #found: CountedPhrase[] = [];
  readonly #order: () => number;

  /** `order` gives the next place among all terms. */
  constructor(order: () => number) {
    this.#order = order;
  }

  /** All phrases in the order of their first mentions. */
  get found(): readonly CountedPhrase[] {
    return this.#found;
  }

  add(reading: Reading): void {
    const { segment } = reading;
    const last = segment.length - 1;
    for (let index = 0; index <= last; index++) {
      const { traits } = segment[index] ?? {};
      if (traits === undefined) break;
      if (traits.capital && traits.ends && segment[index - 1]?.traits.capital !== true) {
        const name = capitalsFrom(segment, index);
        if (name > 1) this.#count("name", this.#sequence(reading, index, name), reading, index, name);
      }
      if (index < last && traits.leads) this.#pairsFrom(reading, index);
    }
    const alone = last === 1 || (last === 2 && segment.every(({ traits }) => traits.eastAsian));
    if (alone && isPlain(segment))
      this.#count("lone", this.#sequence(reading, 0, segment.length), reading, 0, segment.length);
  }

  /** Two and three words from a place on, the first of which may stand before another. */
  #pairsFrom(reading: Reading, index: number): void {
    const { segment, words } = reading;
    const [first, second, third] = [words[index], words[index + 1], words[index + 2]];
    const next = segment[index + 1]?.traits;
    if (first === undefined || second === undefined || next?.ends !== true) return;
    const two = this.#next(first.id, second.id);
    this.#count("pair", two, reading, index, 2);
    if (third !== undefined && next.leads && segment[index + 2]?.traits.ends === true)
      this.#count("pair", this.#next(two.id, third.id), reading, index, 3);
  }

  #sequence({ words }: Reading, index: number, length: number): Sequence {
    let sequence = this.#next(words[index]?.id ?? 0, words[index + 1]?.id ?? 0);
    for (let at = index + 2; at < index + length; at++) sequence = this.#next(sequence.id, words[at]?.id ?? 0);
    return sequence;
  }

  /** What comes of a word or a sequence, and a word behind it. */
  #next(before: number, word: number): Sequence {
    const key = keyOf(before, word);
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const id = -1 - this.#sequences.size;
    const sequence: Sequence = { id, name: undefined, pair: undefined, lone: undefined };
    this.#sequences.set(key, sequence);
    return sequence;
  }

  #count(kind: CountedPhrase["kind"], sequence: Sequence, reading: Reading, index: number, length: number): void {
    const known = sequence[kind];
    if (known !== undefined) {
      known.count += 1;
      known.mass += reading.mass;
      return;
    }
    const order = this.#order();
    const found: CountedPhrase = { kind, reading, index, length, order, count: 1, mass: reading.firstMass };
    sequence[kind] = found;
    this.#found.push(found);
  }
}

/** The phrase as it was first met. */
export function termOf({ kind, reading, index, length }: CountedPhrase): Term {
  return phrase(reading.segment.slice(index, index + length), reading.text, kind);
}

/** The words of a phrase. */
export function wordsOf({ reading, index, length }: CountedPhrase): readonly CountedWord[] {
  return reading.words.slice(index, index + length);
}

function isPlain(segment: Segment): boolean {
  return segment.every(({ traits }, at) => (at === segment.length - 1 ? traits.ends : traits.leads));
}

/** Sequences have negative numbers, words others: one number for what stands before and the word behind it, small while both are. */
function keyOf(before: number, word: number): number {
  const one = before < 0 ? -2 * before - 1 : 2 * before;
  return one < 16_384 && word < 65_536 ? one * 65_536 + word : -(one * 2 ** 24 + word);
}
