import { PRIME } from "./lexicon.ts";

export interface Unit {
  /** The index of its text in the block, and its position there. */
  readonly text: number;
  readonly from: number;
  readonly to: number;
  /** What its own words are worth, regardless of other units. */
  readonly worth: number;
  /** A number for its script. */
  readonly script: number;
  /** A hash of its function words, talk words and cues; 0 if it has few of them. */
  readonly shape: number;
  /** 1 if it begins with a word that refers to something said before. */
  readonly leans: number;
  /** Its words, hashed into a 32-bit mask: a quick way to see which words one unit has and another lacks. */
  readonly bits: number;
  /** The indices of its words in the pool: the first, and one past the last. */
  readonly first: number;
  readonly end: number;
}

/** The units of a block, and the hashes of their words. */
export class Units {
  readonly all: Unit[] = [];
  /** Hashes of words; the lowest bit is 1 for a word that is in no list. */
  readonly words: number[] = [];

  /** The word bits of the unit being read. */
  #bits = 0;

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

const BITS = 15;
const MASK = 2 ** BITS - 1;
const SHAPE_BITS = 11;
/** By word hash. Lowest six bits: the number of units with the word; above them: the last such unit. */
const counts = new Int32Array(2 ** BITS);
const COUNT_BITS = 63;

/** What a word adds, by the number of units in the pool that contain it. */
const RARITY = Float64Array.from({ length: 64 }, (_, count) => (count < 1 ? 0 : 1 / (1 + 0.9 * (count - 1))));
/** At most this many rare words add to a unit's value. */
const MOST = 3;

/** The values of all units of a pool: what each is worth alone, plus how rare its words are in the pool. */
export function valuesOf(units: Units): Float64Array {
  count(units);
  // Filled in place: `Float64Array.from` is several times as slow.
  const values = new Float64Array(units.all.length);
  units.all.forEach((unit, at) => (values[at] = rarityOf(units, unit)));
  const usual = values.reduce((sum, rarity) => sum + rarity, 0) / Math.max(1, values.length);
  units.all.forEach(({ worth, script, shape }, at) => {
    // If few units share the script, word rarity means little.
    const alike = scripts[script] as number;
    const rarity = usual + (alike / (alike + 6)) * ((values[at] as number) - usual);
    values[at] = worth + rarity - sameness(shape);
  });
  forget(units);
  return values;
}

/** The penalty for units that differ only in names and numbers, such as log lines or catalog entries. */
function sameness(shape: number): number {
  if (shape === 0) return 0;
  const alike = shapes[placeOf(shape)] as number;
  return alike < 3 ? 0 : Math.min(MOST_SAME, 0.7 * Math.log2(alike / 2));
}

const MOST_SAME = 2.8;
const shapes = new Uint32Array(2 ** SHAPE_BITS);
const scripts = new Int32Array(512);

function slotOf(hash: number): number {
  return (hash ^ (hash >>> BITS)) & MASK;
}

function placeOf(shape: number): number {
  return Math.imul(shape, PRIME) >>> (32 - SHAPE_BITS);
}

function count({ all, words }: Units): void {
  scripts.fill(0);
  all.forEach(({ script, shape, first, end }, at) => {
    scripts[script] = (scripts[script] as number) + 1;
    const place = placeOf(shape);
    shapes[place] = (shapes[place] as number) + 1;
    for (let index = first; index < end; index++) {
      const slot = slotOf(words[index] as number);
      const known = counts[slot] as number;
      if (known >>> 6 !== at + 1) counts[slot] = ((at + 1) << 6) | Math.min(COUNT_BITS, (known & COUNT_BITS) + 1);
    }
  });
}

function rarityOf(units: Units, { first, end }: Unit): number {
  let once = 0;
  let sum = 0;
  let telling = 0;
  let common = 0;
  for (let at = first; at < end; at++) {
    const word = units.words[at] as number;
    const rarity = RARITY[(counts[slotOf(word)] as number) & COUNT_BITS] as number;
    if ((word & 1) === 0) common += rarity;
    else {
      if (rarity === 1) once += 1;
      telling += 1;
      sum += rarity;
    }
  }
  const mean = telling === 0 ? 0 : sum / telling;
  return 0.6 * Math.min(MOST, once) + 0.2 * Math.min(MOST, sum - once) + 0.7 * mean + 0.1 * Math.min(MOST, common);
}

function forget(units: Units): void {
  shapes.fill(0);
  for (const word of units.words) counts[slotOf(word)] = 0;
}

function isAlike({ words }: Units, one: Unit, other: Unit): boolean {
  const [sizeA, sizeB] = [one.end - one.first, other.end - other.first];
  if (sizeA === 0 || sizeB === 0) return false;
  const least = ALIKE * Math.max(sizeA, sizeB);
  if (Math.min(sizeA, sizeB) < least) return false;
  if (sizeA - bitsOf(one.bits & ~other.bits) < least) return false;
  return sharedWords(words, one, other) >= least;
}

/** Units that share this much of their words are treated as duplicates. */
const ALIKE = 0.8;

function sharedWords(words: readonly number[], one: Unit, other: Unit): number {
  let shared = 0;
  for (let at = one.first; at < one.end; at++) {
    const hash = words[at];
    for (let of = other.first; of < other.end; of++)
      if (words[of] === hash) {
        shared += 1;
        break;
      }
  }
  return shared;
}

function bitsOf(bits: number): number {
  let left = (bits - ((bits >>> 1) & 0x55_55_55_55)) | 0;
  left = (left & 0x33_33_33_33) + ((left >>> 2) & 0x33_33_33_33);
  return Math.imul((left + (left >>> 4)) & 0x0f_0f_0f_0f, 0x01_01_01_01) >>> 24;
}

/**
 * Chooses at most `most` units of a pool, highest value first, earlier first on ties. Of similar units, only the last is chosen, at the rank of the
 * best.
 */
export function chooseUnits(units: Units, values: Float64Array, most: number): readonly number[] {
  const order = [...values.keys()].sort((a, b) => (values[b] as number) - (values[a] as number));
  const chosen: number[] = [];
  // The best units may all be repetitions of each other.
  for (const unit of order.slice(0, LOOKED_AT * most)) {
    if (chosen.length === most) break;
    const twin = chosen.findIndex((other) => isAlike(units, units.all[unit] as Unit, units.all[other] as Unit));
    if (twin >= 0) chosen[twin] = Math.max(unit, chosen[twin] as number);
    else chosen.push(unit);
  }
  return chosen;
}

/** How many units are considered per chosen unit. */
const LOOKED_AT = 30;

/** Drops units similar to an earlier one in the order. Quadratic, so only for a few hundred lines. */
export function withoutTwins(units: Units, order: readonly number[]): readonly number[] {
  const kept: Unit[] = [];
  return order.filter((at) => {
    const unit = units.all[at] as Unit;
    if (kept.some((other) => isAlike(units, unit, other))) return false;
    kept.push(unit);
    return true;
  });
}
