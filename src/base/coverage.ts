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

/** Below this a piece counts as found. */
const leastLeft = 0.02;

/**
 * Lines that let a reader find as much as possible in a limited room. A piece is found when a line that leads to it shows two of the words that
 * the reader has in mind; what a line finds of a piece counts for later lines only as far as it is still unfound. So the value is monotone and
 * submodular, and the line with most value for its cost is taken again and again (budgeted maximum coverage; Khuller, Moss and Naor 1999; for
 * summaries Lin and Bilmes 2010), with the lazy evaluation of Minoux (1978). Ties go to the lower number. About `O(n log n)` in the number of terms.
 */
export function chooseLines(pieces: readonly CoveragePiece[], space: CoverageSpace): readonly CoverageLine[] {
  return new Coverage(pieces, space).run();
}

/** A piece and how much of it is still unfound. */
interface Item {
  readonly index: number;
  readonly piece: CoveragePiece;
  left: number;
}

/** A piece that has a word, and what the word says of it. */
interface Candidate {
  readonly item: Item;
  readonly worth: number;
}

interface Draft {
  readonly seed: number;
  readonly items: readonly Item[];
  readonly line: LineDraft;
  readonly cost: number;
  readonly density: number;
}

class Coverage {
  readonly #items: readonly Item[];
  readonly #space: CoverageSpace;
  /** Of each word its pieces, the one of which it says most first. */
  readonly #byTerm: ReadonlyMap<number, readonly Candidate[]>;

  constructor(pieces: readonly CoveragePiece[], space: CoverageSpace) {
    this.#space = space;
    this.#items = pieces.map((piece, index) => ({ index, piece, left: 1 }));
    const uses = this.#items.flatMap((item) => {
      const { terms, odds, value } = item.piece;
      return terms.map((term, at) => ({ term, item, worth: value * (odds[at] ?? 0) }));
    });
    this.#byTerm = Map.groupBy(uses.toSorted(byWorth), ({ term }) => term);
  }

  run(): readonly CoverageLine[] {
    let { room } = this.#space;
    // What a line brought for its cost when it was last drafted.
    const queue = new Heap<Pick<Draft, "seed" | "density">>(
      (a, b) => a.density > b.density || (a.density === b.density && a.seed < b.seed),
    );
    // Words of several pieces may name a line, and of each piece the best one of its own.
    const shared = [...this.#byTerm].flatMap(([term, list]) => (list.length > 1 ? [term] : []));
    for (const seed of new Set([...shared, ...this.#items.flatMap(({ piece }) => piece.terms.slice(0, 1))])) {
      const draft = this.#draft(seed, room);
      if (draft !== undefined) queue.push({ seed, density: draft.density });
    }
    const lines: CoverageLine[] = [];
    for (let next = queue.pop(); next !== undefined && lines.length < this.#space.mostLines; next = queue.pop()) {
      const { seed } = next;
      const draft = this.#draft(seed, room);
      if (draft === undefined) continue;
      const { density, items, line, cost } = draft;
      if (density < (queue.first?.density ?? 0)) {
        queue.push({ seed, density });
        continue;
      }
      line.settle();
      room -= cost;
      lines.push({ seed, terms: line.terms, pieces: items.map(({ index }) => index), cost });
    }
    return lines;
  }

  /** The best line that this word names at present. */
  #draft(seed: number, room: number): Draft | undefined {
    const items = this.#itemsOf(seed);
    if (items.length === 0) return undefined;
    let cost = this.#space.lineCost(
      seed,
      items.map(({ index }) => index),
    );
    if (cost > room) return undefined;
    const line = new LineDraft(items, seed);
    for (let taken = 0; taken < this.#space.mostTerms; taken++) {
      const next = line.bestTerm(this.#space.termCost);
      if (next === undefined || cost + next.cost > room) break;
      if (line.value > 0 && next.gain / next.cost < (line.value / cost) * leastReturn) break;
      line.take(next.term);
      cost += next.cost;
    }
    return line.value <= 0 ? undefined : { seed, items, line, cost, density: line.value / cost };
  }

  /**
   * Pieces for a line with this name: the one that shares most words with the others that have it, then, the most worthwhile first, those that share
   * another word with it, or two with all of them. A common word alone makes no line.
   */
  #itemsOf(seed: number): readonly Item[] {
    const ranked = this.#candidates(seed);
    const centre = centreOf(ranked, seed);
    if (centre === undefined) return [];
    const core = new Set(centre.piece.terms);
    const all = new Set(core);
    const taken = [centre];
    let places = this.#space.mostPlaces - centre.piece.size;
    for (const { item } of ranked) {
      const { terms, size } = item.piece;
      if (item === centre || size > places) continue;
      const isRelated =
        terms.some((term) => term !== seed && core.has(term)) ||
        terms.filter((term) => term !== seed && all.has(term)).length >= 2;
      if (!isRelated) continue;
      places -= size;
      taken.push(item);
      for (const term of terms) all.add(term);
    }
    return taken;
  }

  /** The pieces that have a word, by what is left to find of them and how much the word says of them. */
  #candidates(seed: number): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const { item, worth } of this.#byTerm.get(seed) ?? []) {
      if (item.left > leastLeft) candidates.push({ item, worth: item.left * worth });
      if (candidates.length >= mostSeen) break;
    }
    return candidates.sort(byWorth).slice(0, mostCandidates);
  }
}

/** More pieces than this are not weighed against each other for one line; the best of those that were looked at, which have the word highest. */
const mostCandidates = 24;
const mostSeen = 72;

function byWorth(a: Candidate, b: Candidate): number {
  return b.worth - a.worth || a.item.index - b.item.index;
}

function centreOf(candidates: readonly Candidate[], seed: number): Item | undefined {
  const shared = new Map<number, number>();
  for (const { item, worth } of candidates)
    for (const term of item.piece.terms) shared.set(term, (shared.get(term) ?? 0) + worth);
  let best: { readonly item: Item; readonly value: number } | undefined;
  for (const { item, worth } of candidates) {
    const others = item.piece.terms.filter((term) => term !== seed);
    const value = worth + others.reduce((sum, term) => sum + (shared.get(term) ?? 0) - worth, 0);
    if (best === undefined || value > best.value) best = { item, value };
  }
  return best?.item;
}

/** A word is taken while it brings at least this share of what the line brings for its cost so far. */
const leastReturn = 0.5;

/** An item of a line in the making, and the odds that none, and that exactly one, of a reader's words is in it. */
interface Place {
  readonly item: Item;
  readonly worth: number;
  none: number;
  one: number;
}

interface Use {
  readonly term: number;
  readonly place: Place;
  readonly odds: number;
}

class LineDraft {
  readonly terms: number[] = [];
  value = 0;
  readonly #places: readonly Place[];
  /** The uses of each word that is not taken. */
  readonly #open: Map<number, readonly Use[]>;

  constructor(items: readonly Item[], seed: number) {
    const uses: Use[] = [];
    this.#places = items.map((item) => {
      const { terms, odds, value } = item.piece;
      const place = { item, worth: item.left * value, none: 1, one: 0 };
      for (const [at, term] of terms.entries()) uses.push({ term, place, odds: odds[at] ?? 0 });
      return place;
    });
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

  take(term: number): void {
    this.#meet(term);
    this.terms.push(term);
  }

  /** Takes from each item what this line finds of it. */
  settle(): void {
    for (const { item, none, one } of this.#places) item.left *= 1 - (1 - none - one);
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
