import { Heap } from "./lists.ts";

/**
 * A piece of text that readers should be able to find, and the words they may look for. `terms`: word numbers. `odds`: for each word, the probability
 * that a reader has it in mind.
 */
export interface CoveragePiece {
  readonly terms: readonly number[];
  readonly odds: readonly number[];
  /** The value of finding the piece. */
  readonly value: number;
  /** How many places it links to. */
  readonly size: number;
}

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
  /** Cost of a line with this seed and these pieces. */
  readonly lineCost: (seed: number, pieces: readonly number[]) => number;
  /** Cost of adding a word. */
  readonly termCost: (term: number) => number;
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
 * 1978). Ties go to the lower number. About `O(n log n)` in the number of terms.
 */
export function chooseLines(pieces: readonly CoveragePiece[], space: CoverageSpace): readonly CoverageLine[] {
  let { room } = space;
  const cover = new Cover(pieces, space);
  // Density: value per cost of a line when it was last drafted.
  const queue = new Heap<{ readonly seed: number; readonly density: number }>(
    (a, b) => a.density > b.density || (a.density === b.density && a.seed < b.seed),
  );
  for (const seed of cover.seeds()) {
    const draft = cover.draft(seed, room);
    if (draft !== undefined) queue.push({ seed, density: draft.value / draft.cost });
  }
  const lines: CoverageLine[] = [];
  for (let next = queue.pop(); next !== undefined && lines.length < space.mostLines; next = queue.pop()) {
    const draft = cover.draft(next.seed, room);
    if (draft === undefined) continue;
    const { seed, terms, places, cost } = draft;
    const density = draft.value / cost;
    if (density < (queue.first?.density ?? 0)) {
      queue.push({ seed, density });
      continue;
    }
    cover.take(draft);
    room -= cost;
    lines.push({ seed, terms, pieces: places.map(({ index }) => index), cost });
  }
  return lines;
}

/** A piece that contains a given word, and the value of showing that word for it. */
interface Candidate {
  readonly index: number;
  readonly worth: number;
}

/** A piece counts as found once its remaining share is no larger than this. */
const leastLeft = 0.02;
/** A word is added only if its value per cost is at least this share of the line's value per cost so far. */
const leastReturn = 0.5;
/** Limits per line: only the `mostSeen` pieces to which the word is worth most are looked at, and the best `mostCandidates` of them compared. */
const mostCandidates = 24;
const mostSeen = 72;

class Cover {
  readonly #pieces: readonly CoveragePiece[];
  readonly #space: CoverageSpace;
  /** The remaining share of each piece: the part that no line finds yet. */
  readonly #left: number[];
  /** The pieces of each word, highest worth first. */
  readonly #byTerm: ReadonlyMap<number, readonly Candidate[]>;

  constructor(pieces: readonly CoveragePiece[], space: CoverageSpace) {
    this.#pieces = pieces;
    this.#space = space;
    this.#left = pieces.map(() => 1);
    const uses = pieces.flatMap(({ terms, odds, value }, index) =>
      terms.map((term, at) => ({ term, index, worth: value * (odds[at] ?? 0) })),
    );
    this.#byTerm = Map.groupBy(uses.toSorted(byWorth), ({ term }) => term);
  }

  /** Possible seeds: words that several pieces share, and the best word of each piece. */
  seeds(): ReadonlySet<number> {
    const shared = [...this.#byTerm].flatMap(([term, uses]) => (uses.length > 1 ? [term] : []));
    return new Set([...shared, ...this.#pieces.flatMap(({ terms }) => terms.slice(0, 1))]);
  }

  /** The best line for this seed, given what earlier lines already find. */
  draft(seed: number, room: number): Draft | undefined {
    const pieces = this.#piecesFor(seed);
    const cost = pieces.length === 0 ? Infinity : this.#space.lineCost(seed, pieces);
    if (cost > room) return undefined;
    const draft = new Draft(
      pieces.map((index) => ({ index, piece: this.#piece(index), left: this.#left[index] ?? 0 })),
      seed,
      cost,
    );
    while (draft.terms.length < this.#space.mostTerms) {
      const next = draft.bestTerm(this.#space.termCost);
      if (next === undefined || draft.cost + next.cost > room) break;
      if (draft.value > 0 && next.gain / next.cost < (draft.value / draft.cost) * leastReturn) break;
      draft.take(next.term, next.cost);
    }
    return draft.value <= 0 ? undefined : draft;
  }

  /** Subtracts what this line finds from the remaining share of each piece. */
  take({ places }: Draft): void {
    for (const { index, none, one } of places) this.#left[index] = (this.#left[index] ?? 0) * (1 - (1 - none - one));
  }

  #piece(index: number): CoveragePiece {
    return this.#pieces[index] as CoveragePiece;
  }

  /**
   * Pieces for a line with this seed: first the center, which shares the most words with the other candidates; then, highest worth first, pieces that
   * share another word with the center, or two other words with the pieces taken so far. Sharing only the seed is not enough.
   */
  #piecesFor(seed: number): readonly number[] {
    const ranked = this.#candidates(seed);
    const centre = this.#centreOf(ranked, seed);
    if (centre === undefined) return [];
    const core = new Set(this.#piece(centre).terms);
    const all = new Set(core);
    const taken = [centre];
    let places = this.#space.mostPlaces - this.#piece(centre).size;
    for (const { index } of ranked) {
      const { terms, size } = this.#piece(index);
      const others = terms.filter((term) => term !== seed);
      if (index === centre || size > places) continue;
      if (!others.some((term) => core.has(term)) && others.filter((term) => all.has(term)).length < 2) continue;
      places -= size;
      taken.push(index);
      for (const term of terms) all.add(term);
    }
    return taken;
  }

  /** The pieces that contain a word, ranked by their remaining share times the worth of the word. */
  #candidates(seed: number): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const { index, worth } of this.#byTerm.get(seed) ?? []) {
      const left = this.#left[index] ?? 0;
      if (left > leastLeft) candidates.push({ index, worth: left * worth });
      if (candidates.length >= mostSeen) break;
    }
    return candidates.sort(byWorth).slice(0, mostCandidates);
  }

  #centreOf(candidates: readonly Candidate[], seed: number): number | undefined {
    const shared = new Map<number, number>();
    for (const { index, worth } of candidates)
      for (const term of this.#piece(index).terms) shared.set(term, (shared.get(term) ?? 0) + worth);
    let best: Candidate | undefined;
    for (const { index, worth } of candidates) {
      const others = this.#piece(index).terms.filter((term) => term !== seed);
      const value = worth + others.reduce((sum, term) => sum + (shared.get(term) ?? 0) - worth, 0);
      if (best === undefined || value > best.worth) best = { index, worth: value };
    }
    return best?.index;
  }
}

function byWorth(a: Candidate, b: Candidate): number {
  return b.worth - a.worth || a.index - b.index;
}

/** A piece of a draft line, with the probabilities that the line shows none, and exactly one, of the words a reader has in mind. */
interface Place {
  readonly index: number;
  readonly worth: number;
  none: number;
  one: number;
}

class Draft {
  readonly seed: number;
  readonly terms: number[] = [];
  readonly places: readonly Place[];
  cost: number;
  value = 0;
  /** The uses of each word not yet taken. */
  readonly #open: Map<number, readonly { readonly place: Place; readonly odds: number }[]>;

  constructor(
    pieces: readonly { readonly index: number; readonly piece: CoveragePiece; readonly left: number }[],
    seed: number,
    cost: number,
  ) {
    this.seed = seed;
    this.cost = cost;
    this.places = pieces.map(({ index, piece, left }) => ({ index, worth: left * piece.value, none: 1, one: 0 }));
    const uses = pieces.flatMap(({ piece: { terms, odds } }, at) =>
      terms.map((term, rank) => ({ term, place: this.places[at] as Place, odds: odds[rank] ?? 0 })),
    );
    this.#open = Map.groupBy(uses, ({ term }) => term);
    this.#meet(seed);
  }

  /** The word with the most gain per cost; `undefined` if no word gains anything. */
  bestTerm(costOf: (term: number) => number) {
    let [best, bestGain, bestCost] = [-1, 0, 1];
    for (const [term, uses] of this.#open) {
      let gain = 0;
      for (const { place, odds } of uses) gain += place.worth * place.one * odds;
      if (gain * bestCost <= bestGain) continue;
      const cost = costOf(term);
      if (gain * bestCost > bestGain * cost) [best, bestGain, bestCost] = [term, gain, cost];
    }
    return best < 0 ? undefined : { term: best, gain: bestGain, cost: bestCost };
  }

  take(term: number, cost: number): void {
    this.#meet(term);
    this.terms.push(term);
    this.cost += cost;
  }

  #meet(term: number): void {
    for (const { place, odds } of this.#open.get(term) ?? []) {
      this.value += place.worth * place.one * odds;
      place.one = place.one * (1 - odds) + place.none * odds;
      place.none *= 1 - odds;
    }
    this.#open.delete(term);
  }
}
