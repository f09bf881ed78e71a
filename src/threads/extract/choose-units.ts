import type { Units } from "./unit-notes.ts";
import { PRIME } from "./lexicon.ts";

const BITS = 15;
const MASK = 2 ** BITS - 1;
const SHAPE_BITS = 11;
/** By the hash of a word: how many units have it, in the lowest six bits, and the last of these. */
const counts = new Int32Array(2 ** BITS);
const COUNT_BITS = 63;

/** What a word adds by the number of units of the pool that have it. */
const RARITY = Float64Array.from({ length: 64 }, (_, count) => (count < 1 ? 0 : 1 / (1 + 0.9 * (count - 1))));
/** Rare words that count. */
const MOST = 3;

/** Values of all units of a pool: what each is worth by itself, and how rare its words are among the others. */
export function valuesOf(units: Units): Float64Array {
  count(units);
  const values = new Float64Array(units.count);
  let sum = 0;
  for (let unit = 0; unit < units.count; unit++) sum += values[unit] = rarityOf(units, unit);
  const usual = sum / Math.max(1, units.count);
  for (let unit = 0; unit < units.count; unit++) {
    const trust = trustIn(scripts[units.script[unit] as number] as number);
    const told = usual + trust * ((values[unit] as number) - usual);
    values[unit] = (units.worth[unit] as number) + told - sameness(units.shape[unit] as number);
  }
  forget(units);
  return values;
}

/** What it costs that only names and numbers tell a unit from others: lines of a log, entries of a catalogue. */
function sameness(shape: number): number {
  if (shape === 0) return 0;
  const alike = shapes[placeOf(shape)] as number;
  return alike < 3 ? 0 : Math.min(MOST_SAME, 0.7 * Math.log2(alike / 2));
}

const MOST_SAME = 2.8;
const shapes = new Uint32Array(2 ** SHAPE_BITS);
const scripts = new Int32Array(512);

/** How much it says that a word is rare, by the units in its script; where it says nothing, the rarity is taken for the usual. */
function trustIn(units: number): number {
  return units / (units + 6);
}

function slotOf(hash: number): number {
  return (hash ^ (hash >>> BITS)) & MASK;
}

function placeOf(shape: number): number {
  return Math.imul(shape, PRIME) >>> (32 - SHAPE_BITS);
}

function count(units: Units): void {
  scripts.fill(0);
  for (let unit = 0; unit < units.count; unit++) {
    scripts[units.script[unit] as number] = (scripts[units.script[unit] as number] as number) + 1;
    const place = placeOf(units.shape[unit] as number);
    shapes[place] = (shapes[place] as number) + 1;
    const end = units.firstWord[unit + 1] as number;
    for (let at = units.firstWord[unit] as number; at < end; at++) {
      const slot = slotOf(units.word[at] as number);
      const known = counts[slot] as number;
      if (known >>> 6 !== unit + 1) counts[slot] = ((unit + 1) << 6) | Math.min(COUNT_BITS, (known & COUNT_BITS) + 1);
    }
  }
}

function rarityOf(units: Units, unit: number): number {
  const from = units.firstWord[unit] as number;
  const end = units.firstWord[unit + 1] as number;
  let once = 0;
  let sum = 0;
  let telling = 0;
  let common = 0;
  for (let at = from; at < end; at++) {
    const word = units.word[at] as number;
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
  for (let at = 0; at < units.words; at++) counts[slotOf(units.word[at] as number)] = 0;
}

/** Whether two units share this part of their words. */
export function isAlike(units: Units, one: number, other: number): boolean {
  const [a, b] = [units.firstWord[one] as number, units.firstWord[other] as number];
  const sizeA = (units.firstWord[one + 1] as number) - a;
  const sizeB = (units.firstWord[other + 1] as number) - b;
  if (sizeA === 0 || sizeB === 0) return false;
  const least = ALIKE * Math.max(sizeA, sizeB);
  if (Math.min(sizeA, sizeB) < least) return false;
  if (sizeA - bitsOf((units.bits[one] as number) & ~(units.bits[other] as number)) < least) return false;
  return sharedWords(units.word, [a, sizeA], [b, sizeB]) >= least;
}

/** Units that share this much of their words are one. */
const ALIKE = 0.8;

function sharedWords(words: Int32Array, [a, sizeA]: readonly [number, number], [b, sizeB]: readonly [number, number]) {
  let shared = 0;
  for (let at = a; at < a + sizeA; at++) {
    const hash = words[at];
    for (let of = b; of < b + sizeB; of++)
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
 * Units of a pool, the greatest value first, at most `most`, of equal values the earlier first. Of units that are alike and would be chosen the last
 * stands in the place of the best.
 */
export function chooseUnits(units: Units, values: Float64Array, most: number): readonly number[] {
  const chosen: number[] = [];
  const rest = values.slice();
  // What is said again and again may be all of the best: then those behind them are looked at.
  for (let round = 0; round < ROUNDS && chosen.length < most; round++) {
    const order = bestOf(rest, units.count, most * 2 + 8);
    for (const unit of order) {
      if (chosen.length === most) break;
      const twin = twinOf(units, unit, chosen);
      if (twin >= 0) chosen[twin] = Math.max(unit, chosen[twin] as number);
      else chosen.push(unit);
      rest[unit] = TAKEN;
    }
    if (order.length < most * 2 + 8) break;
  }
  return chosen;
}

/** How often the next best are looked at; more than a block of short sentences needs. */
const ROUNDS = 12;
const TAKEN = Number.NEGATIVE_INFINITY;

function twinOf(units: Units, unit: number, chosen: readonly number[]): number {
  for (let at = 0; at < chosen.length; at++) if (isAlike(units, unit, chosen[at] as number)) return at;
  return -1;
}

/** The units without those that are like one before them in the order. Quadratic, over a few hundred lines. */
export function withoutTwins(units: Units, order: readonly number[]): readonly number[] {
  const kept: number[] = [];
  for (const unit of order) if (!kept.some((other) => isAlike(units, unit, other))) kept.push(unit);
  return kept;
}

const bestUnits = new Int32Array(256);

/** The units of the greatest values, in their order. Linear but for those that come among the best. */
function bestOf(values: Float64Array, count: number, most: number): Int32Array {
  let size = 0;
  for (let unit = 0; unit < count; unit++) {
    const value = values[unit] as number;
    if (value === TAKEN) continue;
    if (size === most && value <= (values[bestUnits[size - 1] as number] as number)) continue;
    let place = size < most ? size++ : size - 1;
    for (; place > 0 && value > (values[bestUnits[place - 1] as number] as number); place--)
      bestUnits[place] = bestUnits[place - 1] as number;
    bestUnits[place] = unit;
  }
  return bestUnits.subarray(0, size);
}
