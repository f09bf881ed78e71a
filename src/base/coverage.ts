import { type CoveragePiece, Draft, sortByWorth, WordUses } from "./coverage-draft.ts";
import { Heap } from "./lists.ts";

/** A line: a word that all its pieces share (the seed), plus more of their words. */
interface CoverageLine {
  readonly seed: number;
  /** The other words, in the order they were chosen. */
  readonly terms: readonly number[];
  /** Indexes of its pieces. */
  readonly pieces: readonly number[];
  readonly cost: number;
}

export interface CoverageSpace {
  /** Cost of a line with this seed and no other word. */
  readonly lineCost: (seed: number) => number;
  /** No line costs less. */
  readonly leastLineCost: number;
  /** Cost of adding a word. */
  readonly termCost: (term: number) => number;
  /** At least 1; no word costs less. */
  readonly leastTermCost: number;
  readonly room: number;
  readonly mostLines: number;
  readonly mostTerms: number;
  /** Maximum places per line. */
  readonly mostPlaces: number;
}

/**
 * Chooses lines that let a reader find as much as possible in limited space. A reader finds a piece if one of its lines shows two of the words they
 * have in mind; a later line gains only what earlier lines have not covered. The value is therefore monotone and submodular, so a greedy choice by
 * value per cost works (budgeted maximum coverage: Khuller, Moss and Naor 1999; for summaries, Lin and Bilmes 2010), with lazy evaluation (Minoux
 * 1978). Ties go to the lower number. A line is drafted only once its upper bound comes first, which most never do before the space is full. About
 * `O(n log n)` in the number of terms.
 */
export function chooseLines(pieces: readonly CoveragePiece[], space: CoverageSpace): readonly CoverageLine[] {
  let { room } = space;
  const cover = new Cover(pieces, space);
  // Density: value per cost of a line with this seed when it was last drafted, or at most.
  const queue = new Heap<{ readonly seed: number; readonly density: number; readonly is: "drafted" | "bound" }>(
    (a, b) => a.density > b.density || (a.density === b.density && a.seed < b.seed),
  );
  // A line needs a second word to find anything.
  const leastCost = space.leastLineCost + space.leastTermCost;
  const isTooDear = (seed: number): boolean => space.lineCost(seed) + space.leastTermCost > room;
  const draftFirst = (seed: number): void => {
    const draft = isTooDear(seed) ? undefined : cover.draft(seed, space.room, "none");
    if (draft !== undefined) queue.push({ seed, density: draft.value / draft.cost, is: "drafted" });
  };
  for (const seed of cover.seeds()) queue.push({ seed, density: cover.mostDensity(seed), is: "bound" });
  const lines: CoverageLine[] = [];
  for (let next = queue.pop(); next !== undefined && lines.length < space.mostLines; next = queue.pop()) {
    if (leastCost > room) break;
    if (next.is === "bound") {
      draftFirst(next.seed);
      continue;
    }
    const draft = isTooDear(next.seed) ? undefined : cover.draft(next.seed, room, "lines");
    if (draft === undefined) continue;
    const { seed, cost } = draft;
    const line = { seed, terms: [...draft.terms], pieces: [...draft.pieces], cost };
    const density = draft.value / cost;
    const shares = draft.sharesLeft();
    while (queue.first?.is === "bound" && queue.first.density > density) draftFirst(queue.pop()?.seed ?? 0);
    if (density < (queue.first?.density ?? 0)) {
      queue.push({ seed, density, is: "drafted" });
      continue;
    }
    cover.take(line.pieces, shares);
    room -= cost;
    lines.push(line);
  }
  return lines;
}

/** A piece counts as found once its remaining share is no larger than this. */
const leastLeft = 0.02;
/** A word is added only if its value per cost is at least this share of the line's value per cost so far. */
const leastReturn = 0.5;
/** Limits per line: only the `mostSeen` pieces to which the word is worth most are looked at, and the best `mostCandidates` of them compared. */
const mostCandidates = 24;
const mostSeen = 72;

/**
 * The drafts are many and short-lived, so they share one `Draft` and arrays over all words, which each use leaves as it found them.
 */
class Cover {
  readonly #pieces: readonly CoveragePiece[];
  readonly #space: CoverageSpace;
  /** The remaining share of each piece: the part that no line finds yet. */
  readonly #left: Float64Array;
  readonly #whole: Float64Array;
  /** For each piece, the most value that 1, 2 … words besides the seed can give it, one after the other. */
  readonly #most: Float64Array;
  readonly #uses: WordUses;
  /** The uses of a seed that a line may have, best first: their worth is what is left of it. */
  readonly #candidates = { pieces: new Int32Array(mostSeen), worths: new Float64Array(mostSeen) };
  readonly #shared: Float64Array;
  readonly #counts: Int32Array;
  /** 2: a word of the center; 1: of another piece of the line; 0: of none. */
  readonly #seen: Uint8Array;
  readonly #draft: Draft;

  constructor(pieces: readonly CoveragePiece[], space: CoverageSpace) {
    this.#pieces = pieces;
    this.#space = space;
    this.#left = new Float64Array(pieces.length).fill(1);
    this.#whole = this.#left.slice();
    this.#most = new Float64Array(pieces.length * space.mostTerms);
    for (let index = 0; index < pieces.length; index++) this.#bound(index);
    this.#uses = new WordUses(pieces);
    const { words } = this.#uses;
    this.#shared = new Float64Array(words);
    this.#counts = new Int32Array(words);
    this.#seen = new Uint8Array(words);
    this.#draft = new Draft(words);
  }

  #bound(index: number): void {
    const { odds, value } = this.#pieces[index] as CoveragePiece;
    const { mostTerms } = this.#space;
    const best = Float64Array.from(odds).sort();
    let one = best[best.length - 1] ?? 0;
    let none = 1 - one;
    for (let more = 0; more < mostTerms; more++) {
      const odd = best[best.length - 2 - more] ?? 0;
      one = one * (1 - odd) + none * odd;
      none *= 1 - odd;
      this.#most[index * mostTerms + more] = value * (1 - none - one);
    }
  }

  /** Possible seeds: words that several pieces share, and the best word of each piece. */
  seeds(): ReadonlySet<number> {
    const seeds = new Set<number>();
    for (let word = 0; word < this.#uses.words; word++) if (this.#uses.countOf(word) > 1) seeds.add(word);
    for (const { terms } of this.#pieces) if (terms.length > 0) seeds.add(terms[0] as number);
    return seeds;
  }

  /** An upper bound of the value per cost of a line with this seed, before there is any line: its pieces are among the best candidates. */
  mostDensity(seed: number): number {
    const { leastLineCost, leastTermCost, mostTerms, mostPlaces } = this.#space;
    const from = this.#uses.startOf(seed);
    const count = Math.min(this.#uses.countOf(seed), mostCandidates);
    const gains = count > 1 ? this.#bestGains(seed, count) : undefined;
    let best = 0;
    let gained = 0;
    for (let more = 0; more < mostTerms; more++) {
      let sum = 0;
      let first = 0;
      let perPlace = 0;
      for (let use = from; use < from + count; use++) {
        const index = this.#uses.pieces[use] ?? 0;
        const most = this.#most[index * mostTerms + more] ?? 0;
        sum += most;
        if (most > first) first = most;
        if (most > perPlace) perPlace = Math.max(perPlace, most / (this.#pieces[index] as CoveragePiece).size);
      }
      gained += gains === undefined ? Infinity : (gains[more] ?? 0);
      const value = Math.max(first, Math.min(sum, perPlace * mostPlaces, gained));
      best = Math.max(best, value / (leastLineCost + (more + 1) * leastTermCost));
    }
    return best * roundedUp;
  }

  /** The most that each other word can add to a line of several of the first `uses` pieces, the best first: only pieces that share another word can be in one. */
  #bestGains(seed: number, uses: number): readonly number[] {
    const [usedIn, counts, shared] = [this.#uses.pieces, this.#counts, this.#shared];
    const from = this.#uses.startOf(seed);
    const met: number[] = [];
    for (let use = from; use < from + uses; use++) {
      const { terms } = this.#pieces[usedIn[use] ?? 0] as CoveragePiece;
      for (let at = 0; at < terms.length; at++) {
        const term = terms[at] as number;
        if (counts[term] === 0) met.push(term);
        counts[term] = (counts[term] ?? 0) + 1;
      }
    }
    counts[seed] = 0;
    for (let use = from; use < from + uses; use++) {
      const { terms, odds, value } = this.#pieces[usedIn[use] ?? 0] as CoveragePiece;
      if (!terms.some((term) => (counts[term] ?? 0) > 1)) continue;
      for (let at = 0; at < terms.length; at++) {
        const term = terms[at] as number;
        shared[term] = (shared[term] ?? 0) + value * mostExactlyOne * (odds[at] ?? 0);
      }
    }
    shared[seed] = 0;
    const gains = Array.from({ length: this.#space.mostTerms }, () => 0);
    for (let at = 0; at < met.length; at++) {
      const term = met[at] as number;
      const gain = shared[term] ?? 0;
      counts[term] = shared[term] = 0;
      let place = gains.length;
      for (; place > 0 && gain > (gains[place - 1] ?? 0); place--)
        if (place < gains.length) gains[place] = gains[place - 1] ?? 0;
      if (place < gains.length) gains[place] = gain;
    }
    return gains;
  }

  /** The best line for this seed, given what earlier lines already find. Valid until the next call. */
  draft(seed: number, room: number, found: "lines" | "none"): Draft | undefined {
    const { lineCost, termCost, mostTerms } = this.#space;
    const left = found === "lines" ? this.#left : this.#whole;
    const draft = this.#draft;
    draft.begin(seed, lineCost(seed));
    for (const index of this.#piecesFor(seed, left))
      draft.add(index, this.#pieces[index] as CoveragePiece, left[index] ?? 0);
    draft.meet(seed);
    while (draft.terms.length < mostTerms) {
      const next = draft.bestTerm(termCost);
      if (next === undefined || draft.cost + next.cost > room) break;
      if (draft.value > 0 && next.gain / next.cost < (draft.value / draft.cost) * leastReturn) break;
      draft.take(next.term, next.cost);
    }
    return draft.value <= 0 ? undefined : draft;
  }

  /** Subtracts what this line finds from the remaining share of each piece. */
  take(pieces: readonly number[], shares: readonly number[]): void {
    for (const [at, index] of pieces.entries()) this.#left[index] = (this.#left[index] ?? 0) * (shares[at] ?? 0);
  }

  /**
   * Pieces for a line with this seed: first the center, which shares the most words with the other candidates; then, highest worth first, pieces that
   * share another word with the center, or two other words with the pieces taken so far. Sharing only the seed is not enough.
   */
  #piecesFor(seed: number, left: Float64Array): readonly number[] {
    const count = this.#rank(seed, left);
    if (count === 0) return [];
    const centre = this.#centreOf(seed, count);
    const taken = [centre];
    if (count === 1) return taken;
    const seen = this.#seen;
    for (const term of (this.#pieces[centre] as CoveragePiece).terms) seen[term] = 2;
    let places = this.#space.mostPlaces - (this.#pieces[centre] as CoveragePiece).size;
    for (let at = 0; at < count; at++) {
      const index = this.#candidates.pieces[at] ?? 0;
      const { terms, size } = this.#pieces[index] as CoveragePiece;
      if (index === centre || size > places) continue;
      let shared = 0;
      for (const term of terms) if (term !== seed) shared += seen[term] === 2 ? 2 : (seen[term] ?? 0);
      if (shared < 2) continue;
      places -= size;
      taken.push(index);
      for (const term of terms) seen[term] ||= 1;
    }
    for (const index of taken) for (const term of (this.#pieces[index] as CoveragePiece).terms) seen[term] = 0;
    return taken;
  }

  /** Ranks the pieces that contain a word by their remaining share times the worth of the word. Returns how many are candidates. */
  #rank(seed: number, lefts: Float64Array): number {
    const { pieces, worths } = this.#candidates;
    const end = this.#uses.startOf(seed + 1);
    let count = 0;
    for (let use = this.#uses.startOf(seed); use < end && count < mostSeen; use++) {
      const index = this.#uses.pieces[use] ?? 0;
      const left = lefts[index] ?? 0;
      if (left <= leastLeft) continue;
      pieces[count] = index;
      worths[count] = left * (this.#uses.worths[use] ?? 0);
      count += 1;
    }
    sortByWorth(this.#candidates, 0, count);
    return Math.min(count, mostCandidates);
  }

  /** The first of the candidates that share the most with the others. */
  #centreOf(seed: number, count: number): number {
    const [shared, candidates, worths] = [this.#shared, this.#candidates.pieces, this.#candidates.worths];
    if (count === 1) return candidates[0] ?? 0;
    for (let at = 0; at < count; at++)
      for (const term of (this.#pieces[candidates[at] ?? 0] as CoveragePiece).terms)
        shared[term] = (shared[term] ?? 0) + (worths[at] ?? 0);
    let centre = 0;
    let most = -1;
    for (let at = 0; at < count; at++) {
      const worth = worths[at] ?? 0;
      let sum = 0;
      for (const term of (this.#pieces[candidates[at] ?? 0] as CoveragePiece).terms)
        if (term !== seed) sum = sum + (shared[term] ?? 0) - worth;
      if (worth + sum > most) {
        most = worth + sum;
        centre = candidates[at] ?? 0;
      }
    }
    for (let at = 0; at < count; at++)
      for (const term of (this.#pieces[candidates[at] ?? 0] as CoveragePiece).terms) shared[term] = 0;
    return centre;
  }
}

/** The highest probability that exactly one of several words is in a reader's mind, if none has odds above one half. */
const mostExactlyOne = 0.5;
/** For the bounds: more than all rounding errors. */
const roundedUp = 1 + 1e-9;
