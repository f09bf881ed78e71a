import { Heap } from "./lists.ts";

/**
 * A piece of text to be found again, with the words by which a reader may look for it. `terms` are numbers of words, `odds` how likely each one is
 * among the words that a reader has in mind.
 */
export interface CoveragePiece {
  readonly terms: readonly number[];
  readonly odds: readonly number[];
  /** What finding it is worth. */
  readonly value: number;
  /** How many places it leads to. */
  readonly size: number;
}

/** A line names a word that all its pieces share, and further words of them. */
interface CoverageLine {
  readonly seed: number;
  /** Without the seed, in the order in which they were taken. */
  readonly terms: readonly number[];
  /** Indexes of pieces. */
  readonly pieces: readonly number[];
  readonly cost: number;
}

export interface CoverageSpace {
  /** Cost of a line that names this word and leads to these pieces. */
  readonly lineCost: (seed: number, pieces: readonly number[]) => number;
  /** Cost of one more word. */
  readonly termCost: (term: number) => number;
  readonly room: number;
  readonly mostLines: number;
  readonly mostTerms: number;
  /** Places that a line leads to. */
  readonly mostPlaces: number;
}

/**
 * Lines that let a reader find as much as possible in a limited room. A piece is found when a line that leads to it shows two of the words that
 * the reader has in mind; what a line finds of a piece counts for later lines only as far as it is still unfound. So the value is monotone and
 * submodular, and the line with most value for its cost is taken again and again (budgeted maximum coverage; Khuller, Moss and Naor 1999; for
 * summaries Lin and Bilmes 2010), with the lazy evaluation of Minoux (1978). Ties go to the lower number. About `O(n log n)` in the number of terms.
 */
export function chooseLines(pieces: readonly CoveragePiece[], space: CoverageSpace): readonly CoverageLine[] {
  let { room } = space;
  const cover = new Cover(pieces, space);
  // What a line brought for its cost when it was last drafted.
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

/** A piece that has a word, and what the word says of it. */
interface Candidate {
  readonly index: number;
  readonly worth: number;
}

/** Below this a piece counts as found. */
const leastLeft = 0.02;
/** A word is taken while it brings at least this share of what the line brings for its cost so far. */
const leastReturn = 0.5;
/** More pieces than this are not weighed against each other for one line; the best of those that were looked at, which have the word highest. */
const mostCandidates = 24;
const mostSeen = 72;

class Cover {
  readonly #pieces: readonly CoveragePiece[];
  readonly #space: CoverageSpace;
  /** How much of each piece is still unfound. */
  readonly #left: number[];
  /** Of each word its pieces, the one of which it says most first. */
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

  /** Words of several pieces may name a line, and of each piece the best one of its own. */
  seeds(): ReadonlySet<number> {
    const shared = [...this.#byTerm].flatMap(([term, uses]) => (uses.length > 1 ? [term] : []));
    return new Set([...shared, ...this.#pieces.flatMap(({ terms }) => terms.slice(0, 1))]);
  }

  /** The best line that this word names at present. */
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

  /** Takes from each piece what this line finds of it. */
  take({ places }: Draft): void {
    for (const { index, none, one } of places) this.#left[index] = (this.#left[index] ?? 0) * (1 - (1 - none - one));
  }

  #piece(index: number): CoveragePiece {
    return this.#pieces[index] as CoveragePiece;
  }

  /**
   * Pieces for a line with this name: the one that shares most words with the others that have it, then, the most worthwhile first, those that share
   * another word with it, or two with all of them. A common word alone makes no line.
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

  /** The pieces that have a word, by what is left to find of them and how much the word says of them. */
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

/** A piece of a line in the making, and the odds that none, and that exactly one, of a reader's words is in it. */
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
  /** The uses of each word that is not taken. */
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

  /** The word that brings most for its cost; `undefined` when none brings anything. */
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
