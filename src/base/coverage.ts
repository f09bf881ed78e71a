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

interface Draft extends CoverageLine {
  readonly found: readonly number[];
  readonly density: number;
}

/** A word that may name a line, and what its line brought for its cost when it was last drafted. */
interface Seed {
  readonly term: number;
  readonly density: number;
}

class Coverage {
  readonly #pieces: readonly CoveragePiece[];
  readonly #space: CoverageSpace;
  readonly #left: Float64Array;
  readonly #byTerm = new Map<number, number[]>();

  constructor(pieces: readonly CoveragePiece[], space: CoverageSpace) {
    this.#pieces = pieces;
    this.#space = space;
    this.#left = new Float64Array(pieces.length).fill(1);
    pieces.forEach((piece, index) => {
      for (const term of piece.terms) {
        const list = this.#byTerm.get(term);
        if (list === undefined) this.#byTerm.set(term, [index]);
        else list.push(index);
      }
    });
    for (const [term, list] of this.#byTerm) {
      if (list.length <= mostSeen) continue;
      const worth = new Map(list.map((index) => [index, worthOf(pieces[index] as CoveragePiece, term)]));
      list.sort((a, b) => (worth.get(b) ?? 0) - (worth.get(a) ?? 0) || a - b);
    }
  }

  run(): readonly CoverageLine[] {
    const { mostLines } = this.#space;
    let { room } = this.#space;
    const queue = new Heap<Seed>((a, b) => a.density > b.density || (a.density === b.density && a.term < b.term));
    for (const term of this.#seeds()) {
      const draft = this.#draft(term, room);
      if (draft !== undefined) queue.push({ term, density: draft.density });
    }
    const lines: CoverageLine[] = [];
    for (let next = queue.pop(); next !== undefined && lines.length < mostLines; next = queue.pop()) {
      const { term } = next;
      const draft = this.#draft(term, room);
      if (draft === undefined) continue;
      if (draft.density < (queue.first?.density ?? 0)) {
        queue.push({ term, density: draft.density });
        continue;
      }
      draft.pieces.forEach((piece, at) => {
        this.#left[piece] = (this.#left[piece] ?? 0) * (1 - (draft.found[at] ?? 0));
      });
      room -= draft.cost;
      lines.push({ seed: term, terms: draft.terms, pieces: draft.pieces, cost: draft.cost });
    }
    return lines;
  }

  /** Words that may name a line: those of several pieces, and of each piece the best one of its own. */
  #seeds(): Iterable<number> {
    const seeds = new Set<number>();
    for (const [term, list] of this.#byTerm) if (list.length > 1) seeds.add(term);
    for (const { terms } of this.#pieces) if (terms[0] !== undefined) seeds.add(terms[0]);
    return seeds;
  }

  /** The best line that this word names at present. */
  #draft(seed: number, room: number): Draft | undefined {
    const chosen = this.#piecesOf(seed);
    if (chosen.length === 0) return undefined;
    const base = this.#space.lineCost(seed, chosen);
    if (base > room) return undefined;
    const line = new LineDraft(
      chosen.map((index) => this.#pieces[index] as CoveragePiece),
      chosen.map((index) => (this.#left[index] ?? 0) * (this.#pieces[index]?.value ?? 0)),
      seed,
    );
    let cost = base;
    for (let taken = 0; taken < this.#space.mostTerms; taken++) {
      const next = line.bestTerm(this.#space.termCost);
      if (next === undefined || cost + next.cost > room) break;
      if (line.value > 0 && next.gain / next.cost < (line.value / cost) * leastReturn) break;
      line.take(next.term);
      cost += next.cost;
    }
    if (line.value <= 0) return undefined;
    return { seed, terms: line.terms, pieces: chosen, cost, found: line.found(), density: line.value / cost };
  }

  /**
   * Pieces for a line with this name: the one that shares most words with the others that have it, then, the most worthwhile first, those that share
   * another word with it, or two with all of them. A common word alone makes no line.
   */
  #piecesOf(seed: number): readonly number[] {
    const ranked = this.#candidates(seed);
    const centre = centreOf(ranked, seed);
    if (centre === undefined) return [];
    const core = new Set(centre.piece.terms);
    const all = new Set(core);
    const taken = [centre.index];
    let places = this.#space.mostPlaces - centre.piece.size;
    for (const { index, piece } of ranked) {
      if (index === centre.index || piece.size > places) continue;
      const isRelated =
        piece.terms.some((term) => term !== seed && core.has(term)) ||
        piece.terms.filter((term) => term !== seed && all.has(term)).length >= 2;
      if (!isRelated) continue;
      places -= piece.size;
      taken.push(index);
      for (const term of piece.terms) all.add(term);
    }
    return taken;
  }

  /** The pieces that have a word, by what is left to find of them and how much the word says of them. */
  #candidates(seed: number): readonly Candidate[] {
    const candidates: Candidate[] = [];
    for (const index of this.#byTerm.get(seed) ?? []) {
      const left = this.#left[index] ?? 0;
      const piece = this.#pieces[index];
      if (piece === undefined || left <= leastLeft) continue;
      candidates.push({ index, piece, worth: left * worthOf(piece, seed) });
      if (candidates.length >= mostSeen) break;
    }
    return candidates.sort((a, b) => b.worth - a.worth || a.index - b.index).slice(0, mostCandidates);
  }
}

interface Candidate {
  readonly index: number;
  readonly piece: CoveragePiece;
  readonly worth: number;
}

/** More pieces than this are not weighed against each other for one line; the best of those that were looked at, which have the word highest. */
const mostCandidates = 24;
const mostSeen = 72;

/** What a word says of a piece. */
function worthOf(piece: CoveragePiece, term: number): number {
  return piece.value * (piece.odds[piece.terms.indexOf(term)] ?? 0);
}

function centreOf(candidates: readonly Candidate[], seed: number): Candidate | undefined {
  const shared = new Map<number, number>();
  for (const { piece, worth } of candidates)
    for (const term of piece.terms) shared.set(term, (shared.get(term) ?? 0) + worth);
  let best: { readonly candidate: Candidate; readonly value: number } | undefined;
  for (const candidate of candidates) {
    const others = candidate.piece.terms.filter((term) => term !== seed);
    const value = candidate.worth + others.reduce((sum, term) => sum + (shared.get(term) ?? 0) - candidate.worth, 0);
    if (best === undefined || value > best.value) best = { candidate, value };
  }
  return best?.candidate;
}

/** A word is taken while it brings at least this share of what the line brings for its cost so far. */
const leastReturn = 0.5;

/** A line in the making: for each of its pieces the odds that none, and that exactly one, of a reader's words is in it. */
class LineDraft {
  readonly terms: number[] = [];
  value = 0;
  readonly #worth: readonly number[];
  readonly #none: number[];
  readonly #one: number[];
  /** Of each word that is not taken: places of the pieces that have it, each followed by its odds there. */
  readonly #open = new Map<number, number[]>();

  constructor(pieces: readonly CoveragePiece[], worth: readonly number[], seed: number) {
    this.#worth = worth;
    this.#none = pieces.map(() => 1);
    this.#one = pieces.map(() => 0);
    for (let at = 0; at < pieces.length; at++) {
      const { terms, odds } = pieces[at] as CoveragePiece;
      for (let index = 0; index < terms.length; index++) {
        const term = terms[index] as number;
        const own = odds[index] as number;
        if (term === seed) this.#meet(at, own);
        else {
          const uses = this.#open.get(term);
          if (uses === undefined) this.#open.set(term, [at, own]);
          else uses.push(at, own);
        }
      }
    }
  }

  /** The word that brings most for its cost; `undefined` when none brings anything. */
  bestTerm(
    costOf: (term: number) => number,
  ): { readonly term: number; readonly gain: number; readonly cost: number } | undefined {
    let [best, bestGain, bestCost] = [-1, 0, 1];
    for (const [term, uses] of this.#open) {
      let gain = 0;
      for (let index = 0; index < uses.length; index += 2) {
        const at = uses[index] as number;
        gain += (this.#worth[at] as number) * (this.#one[at] as number) * (uses[index + 1] as number);
      }
      if (gain * bestCost <= bestGain) continue;
      const cost = costOf(term);
      if (gain * bestCost > bestGain * cost) [best, bestGain, bestCost] = [term, gain, cost];
    }
    return best < 0 ? undefined : { term: best, gain: bestGain, cost: bestCost };
  }

  take(term: number): void {
    const uses = this.#open.get(term) ?? [];
    for (let index = 0; index < uses.length; index += 2) {
      const at = uses[index] as number;
      const odds = uses[index + 1] as number;
      this.value += (this.#worth[at] as number) * (this.#one[at] as number) * odds;
      this.#meet(at, odds);
    }
    this.#open.delete(term);
    this.terms.push(term);
  }

  /** Of each piece, how likely it is found by this line. */
  found(): readonly number[] {
    return this.#none.map((none, at) => 1 - none - (this.#one[at] as number));
  }

  #meet(at: number, odds: number): void {
    const none = this.#none[at] as number;
    this.#one[at] = (this.#one[at] as number) * (1 - odds) + none * odds;
    this.#none[at] = none * (1 - odds);
  }
}
