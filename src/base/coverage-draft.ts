/**
 * A piece of text that readers should be able to find, and the words they may look for. `terms`: word numbers. `odds`: for each word, the probability
 * that a reader has it in mind, at most one half.
 */
export interface CoveragePiece {
  readonly terms: readonly number[];
  readonly odds: readonly number[];
  /** The value of finding the piece. */
  readonly value: number;
  /** How many places it links to. */
  readonly size: number;
}

/** A line in the making. */
export class Draft {
  seed = 0;
  cost = 0;
  value = 0;
  readonly terms: number[] = [];
  readonly pieces: number[] = [];
  /** For each piece, the probabilities that the line shows none, and exactly one, of the words a reader has in mind. */
  readonly #none: number[] = [];
  readonly #one: number[] = [];
  readonly #worth: number[] = [];
  /** The words of the pieces, with 1 more than their place here; 0 once they are taken. */
  readonly #open: number[] = [];
  readonly #placeOf: Int32Array;
  /** For each word, its uses: in which piece, and the odds there. */
  readonly #usedIn: number[][] = [];
  readonly #odds: number[][] = [];

  constructor(terms: number) {
    this.#placeOf = new Int32Array(terms);
  }

  begin(seed: number, cost: number): void {
    this.seed = seed;
    this.cost = cost;
    this.value = 0;
    for (const term of this.#open) this.#placeOf[term] = 0;
    for (const list of [this.terms, this.pieces, this.#none, this.#one, this.#worth, this.#open]) list.length = 0;
  }

  add(index: number, { terms, odds, value }: CoveragePiece, left: number): void {
    const at = this.pieces.push(index) - 1;
    this.#worth.push(left * value);
    this.#none.push(1);
    this.#one.push(0);
    for (let rank = 0; rank < terms.length; rank++) {
      const term = terms[rank] as number;
      let place = (this.#placeOf[term] ?? 0) - 1;
      if (place < 0) {
        place = this.#open.push(term) - 1;
        this.#placeOf[term] = place + 1;
        (this.#usedIn[place] ??= []).length = 0;
        (this.#odds[place] ??= []).length = 0;
      }
      (this.#usedIn[place] as number[]).push(at);
      (this.#odds[place] as number[]).push(odds[rank] ?? 0);
    }
  }

  /** The word with the most gain per cost; `undefined` if no word gains anything. */
  bestTerm(costOf: (term: number) => number) {
    const worth = this.#worth.map((own, at) => own * (this.#one[at] ?? 0));
    let [best, bestGain, bestCost] = [-1, 0, 1];
    for (let place = 0; place < this.#open.length; place++) {
      const term = this.#open[place] as number;
      if (this.#placeOf[term] === 0) continue;
      const [usedIn, odds] = [this.#usedIn[place] as number[], this.#odds[place] as number[]];
      let gain = 0;
      for (let use = 0; use < usedIn.length; use++) gain += (worth[usedIn[use] as number] ?? 0) * (odds[use] ?? 0);
      if (gain * bestCost <= bestGain) continue;
      const cost = costOf(term);
      if (gain * bestCost > bestGain * cost) [best, bestGain, bestCost] = [term, gain, cost];
    }
    return best < 0 ? undefined : { term: best, gain: bestGain, cost: bestCost };
  }

  take(term: number, cost: number): void {
    this.meet(term);
    this.terms.push(term);
    this.cost += cost;
  }

  meet(term: number): void {
    const place = (this.#placeOf[term] ?? 0) - 1;
    if (place < 0) return;
    const [usedIn, allOdds] = [this.#usedIn[place] as number[], this.#odds[place] as number[]];
    for (let use = 0; use < usedIn.length; use++) {
      const [at, odds] = [usedIn[use] as number, allOdds[use] ?? 0];
      const [none, one] = [this.#none[at] ?? 0, this.#one[at] ?? 0];
      this.value += (this.#worth[at] ?? 0) * one * odds;
      this.#one[at] = one * (1 - odds) + none * odds;
      this.#none[at] = none * (1 - odds);
    }
    this.#placeOf[term] = 0;
  }

  /** The shares of the pieces that readers of this line do not find. */
  sharesLeft(): readonly number[] {
    return this.pieces.map((_, at) => 1 - (1 - (this.#none[at] ?? 0) - (this.#one[at] ?? 0)));
  }
}

/** Uses of words, packed: in which pieces, and the value of showing the word for each. */
interface Uses {
  readonly pieces: Int32Array;
  readonly worths: Float64Array;
}

/** The uses of each word, one word after the other, highest worth first. There may be hundreds of thousands. */
export class WordUses implements Uses {
  readonly words: number;
  readonly pieces: Int32Array;
  readonly worths: Float64Array;
  readonly #starts: Int32Array;

  constructor(pieces: readonly CoveragePiece[]) {
    let uses = 0;
    let words = 0;
    for (let index = 0; index < pieces.length; index++) {
      const { terms } = pieces[index] as CoveragePiece;
      uses += terms.length;
      for (let at = 0; at < terms.length; at++) words = Math.max(words, (terms[at] as number) + 1);
    }
    this.words = words;
    this.pieces = new Int32Array(uses);
    this.worths = new Float64Array(uses);
    this.#starts = startsIn(pieces, words);
    const filled = this.#starts.slice();
    for (let index = 0; index < pieces.length; index++) {
      const { terms, odds, value } = pieces[index] as CoveragePiece;
      for (let at = 0; at < terms.length; at++) {
        const word = terms[at] as number;
        const use = filled[word] ?? 0;
        this.pieces[use] = index;
        this.worths[use] = value * (odds[at] ?? 0);
        filled[word] = use + 1;
      }
    }
    for (let word = 0; word < words; word++) sortByWorth(this, this.startOf(word), this.startOf(word + 1));
  }

  startOf(word: number): number {
    return this.#starts[word] ?? 0;
  }

  countOf(word: number): number {
    return this.startOf(word + 1) - this.startOf(word);
  }
}

function startsIn(pieces: readonly CoveragePiece[], words: number): Int32Array {
  const starts = new Int32Array(words + 1);
  for (let index = 0; index < pieces.length; index++) {
    const { terms } = pieces[index] as CoveragePiece;
    for (let at = 0; at < terms.length; at++) {
      const next = (terms[at] as number) + 1;
      starts[next] = (starts[next] ?? 0) + 1;
    }
  }
  for (let word = 1; word <= words; word++) starts[word] = (starts[word] ?? 0) + (starts[word - 1] ?? 0);
  return starts;
}

/** Longer lists are not sorted by insertion. */
const mostInserted = 64;

/** Sorts a part of the uses: highest worth first, then by number of the piece. */
export function sortByWorth({ pieces, worths }: Uses, from: number, to: number): void {
  if (to - from > mostInserted) {
    const byWorth = Array.from({ length: to - from }, (_, at) => ({
      index: pieces[from + at],
      worth: worths[from + at],
    }));
    byWorth.sort((a, b) => (b.worth ?? 0) - (a.worth ?? 0) || (a.index ?? 0) - (b.index ?? 0));
    pieces.set(
      Int32Array.from(byWorth, ({ index }) => index ?? 0),
      from,
    );
    worths.set(
      Float64Array.from(byWorth, ({ worth }) => worth ?? 0),
      from,
    );
    return;
  }
  for (let at = from + 1; at < to; at++) {
    const index = pieces[at] ?? 0;
    const worth = worths[at] ?? 0;
    let place = at;
    for (; place > from; place--) {
      const above = worths[place - 1] ?? 0;
      if (above > worth || (above === worth && (pieces[place - 1] ?? 0) < index)) break;
      pieces[place] = pieces[place - 1] ?? 0;
      worths[place] = above;
    }
    pieces[place] = index;
    worths[place] = worth;
  }
}
