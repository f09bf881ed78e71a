import { compareTexts, pushAll } from "../../base/lists.ts";

/** Three versions of a list. */
export interface Versions<T> {
  readonly base: T;
  readonly ours: T;
  readonly theirs: T;
}

/** The value after a merge; `conflict` if both sides changed it differently. `undefined`: absent. */
export function choose<T>({ base, ours, theirs }: Versions<T>, isSame: (a: T, b: T) => boolean): T | "conflict" {
  if (isSame(ours, theirs) || isSame(theirs, base)) return ours;
  return isSame(ours, base) ? theirs : "conflict";
}

/**
 * Merges lists: an item of the base stays if both sides have it, and what a side added stays in its place. `joined`
 * orders what both sides added in one place. `whole`: the items that stay even if one of the sides lacks them. The same
 * whichever side is called ours, if `joined` is.
 */
export function mergeLists(
  { base, ours, theirs }: Versions<readonly string[]>,
  joined: (ours: readonly string[], theirs: readonly string[]) => readonly string[],
  isLacking: (item: string, side: "ours" | "theirs") => boolean = () => false,
): readonly string[] {
  const sides = { ours: placed(base, ours), theirs: placed(base, theirs) };
  const merged: string[] = [];
  for (let place = 0; place <= base.length; place++) {
    pushAll(merged, joined(sides.ours.added[place] ?? [], sides.theirs.added[place] ?? []));
    const item = base[place];
    if (item === undefined) continue;
    const stays = (side: "ours" | "theirs"): boolean => sides[side].kept.has(place) || isLacking(item, side);
    if (stays("ours") && stays("theirs")) merged.push(item);
  }
  return merged;
}

/** Merges lines. Of what both sides added in one place, common lines stay once, and the rest follows in the order of its text. */
export function mergeLines(versions: Versions<readonly string[]>): readonly string[] {
  const inOrder = (a: readonly string[], b: readonly string[]): readonly string[] =>
    compareTexts(a.join("\n"), b.join("\n")) <= 0 ? [...a, ...b] : [...b, ...a];
  return mergeLists(versions, (ours, theirs) => mergeUnited(ours, theirs, inOrder));
}

/** Merges two lists without a common version: common items stay in their order, and `joined` orders what is between them. */
export function mergeUnited(
  one: readonly string[],
  other: readonly string[],
  joined: (ours: readonly string[], theirs: readonly string[]) => readonly string[],
): readonly string[] {
  if (one.length === 0 || other.length === 0) return [...one, ...other];
  const [ours, theirs] = compareTexts(one.join("\n"), other.join("\n")) <= 0 ? [one, other] : [other, one];
  const base = [...commonItems(ours, theirs).keys()].map((index) => ours[index] ?? "");
  return mergeLists({ base, ours, theirs }, (a, b) => (a.length === 0 || b.length === 0 ? [...a, ...b] : joined(a, b)));
}

/** Which items of the base a side kept, and what it added after each. */
function placed(base: readonly string[], side: readonly string[]) {
  const common = new Map([...commonItems(base, side)].map(([from, to]) => [to, from]));
  const added: string[][] = [];
  let place = 0;
  for (const [index, item] of side.entries()) {
    const kept = common.get(index);
    if (kept === undefined) (added[place] ??= []).push(item);
    else place = kept + 1;
  }
  return { kept: new Set(common.values()), added };
}

/** Most cells of the table for the exact comparison; longer lists are first divided at items that occur once in both. */
const mostCells = 4_000_000;

/** A long common subsequence, as pairs of places in ascending order. Deterministic, and the same in both directions for lists without repeats. */
function commonItems(a: readonly string[], b: readonly string[]): ReadonlyMap<number, number> {
  const pairs = new Map<number, number>();
  pairCommon({ a, b, pairs }, [0, a.length], [0, b.length]);
  return pairs;
}

type Range = readonly [from: number, to: number];

interface Pairing {
  readonly a: readonly string[];
  readonly b: readonly string[];
  readonly pairs: Map<number, number>;
}

function pairCommon(pairing: Pairing, [fromA, toA]: Range, [fromB, toB]: Range): void {
  const { a, b, pairs } = pairing;
  let [i, j, endA, endB] = [fromA, fromB, toA, toB];
  while (i < endA && j < endB && a[i] === b[j]) pairs.set(i++, j++);
  const tail: Range[] = [];
  while (endA > i && endB > j && a[endA - 1] === b[endB - 1]) tail.push([--endA, --endB]);
  if ((endA - i) * (endB - j) <= mostCells) pairExactly(pairing, [i, endA], [j, endB]);
  else {
    let [lastA, lastB] = [i, j];
    for (const [atA, atB] of uniquePairs(pairing, [i, endA], [j, endB])) {
      if (atA > lastA || atB > lastB) pairBetween(pairing, [lastA, atA], [lastB, atB]);
      pairs.set(atA, atB);
      [lastA, lastB] = [atA + 1, atB + 1];
    }
    pairBetween(pairing, [lastA, endA], [lastB, endB]);
  }
  for (const [atA, atB] of tail.toReversed()) pairs.set(atA, atB);
}

/** A part between unique items that is still too long has nothing in common. */
function pairBetween(pairing: Pairing, a: Range, b: Range): void {
  if ((a[1] - a[0]) * (b[1] - b[0]) <= mostCells) pairExactly(pairing, a, b);
}

function pairExactly({ a, b, pairs }: Pairing, [fromA, toA]: Range, [fromB, toB]: Range): void {
  const [rows, width] = [toA - fromA, toB - fromB + 1];
  if (rows === 0 || width === 1) return;
  const lengths = new Uint32Array((rows + 1) * width);
  const at = (i: number, j: number): number => lengths[(i - fromA) * width + (j - fromB)] ?? 0;
  for (let i = toA - 1; i >= fromA; i--)
    for (let j = toB - 1; j >= fromB; j--)
      lengths[(i - fromA) * width + (j - fromB)] =
        a[i] === b[j] ? at(i + 1, j + 1) + 1 : Math.max(at(i + 1, j), at(i, j + 1));
  for (let [i, j] = [fromA, fromB]; i < toA && j < toB;)
    if (a[i] === b[j]) pairs.set(i++, j++);
    else if (at(i + 1, j) >= at(i, j + 1)) i += 1;
    else j += 1;
}

/** The longest ascending run of items that occur once in both ranges. */
function uniquePairs({ a, b }: Pairing, rangeA: Range, rangeB: Range): readonly Range[] {
  const once = (list: readonly string[], [from, to]: Range): ReadonlyMap<string, number> => {
    const places = new Map<string, number>();
    for (let at = from; at < to; at++) {
      const item = list[at] ?? "";
      places.set(item, places.has(item) ? -1 : at);
    }
    return places;
  };
  const inB = once(b, rangeB);
  const shared = [...once(a, rangeA)].flatMap(([item, at]): readonly Range[] => {
    const other = inB.get(item) ?? -1;
    return at < 0 || other < 0 ? [] : [[at, other]];
  });
  return longestAscending(shared);
}

/** Patience sorting, by the second number. The pairs are in the order of the first. */
function longestAscending(pairs: readonly Range[]): readonly Range[] {
  const piles: number[] = [];
  const before: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, piles.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[piles[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = piles[low - 1] ?? -1;
    piles[low] = index;
  }
  const found: Range[] = [];
  for (let at = piles.at(-1) ?? -1; at >= 0; at = before[at] ?? -1) found.push(pairs[at] as Range);
  return found.toReversed();
}
