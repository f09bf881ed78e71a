/** The position of a message in its thread. */
export interface Place {
  /** Starts at 1. */
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
  /** The weight of all messages before this one, and with this one. */
  readonly weight_before: number;
  readonly weight: number;
}

export class Places {
  readonly #places: Place[] = [];

  get count(): number {
    return this.#places.length;
  }

  /** `weight`: of all messages up to and including this one. */
  add({ seq, id, weight }: Pick<Place, "seq" | "id" | "weight">): void {
    const weight_before = this.weight;
    this.#places.push({ ordinal: this.count + 1, seq, id, weight_before, weight });
  }

  /** The weight of all messages. */
  get weight(): number {
    return this.#places.at(-1)?.weight ?? 0;
  }

  at(ordinal: number): Place | undefined {
    return this.#places[ordinal - 1];
  }

  /** The last message at or before `seq`. O(log n). */
  atOrBefore(seq: number): Place | undefined {
    const after = this.#first((place) => place.seq > seq);
    return this.at(after === undefined ? this.count : after.ordinal - 1);
  }

  ofSeq(seq: number): Place | undefined {
    const place = this.atOrBefore(seq);
    return place?.seq === seq ? place : undefined;
  }

  /** The first message whose preceding messages weigh at least `weight`. O(log n). */
  ofWeight(weight: number): Place | undefined {
    return this.#first((place) => place.weight_before >= weight);
  }

  #first(isReached: (place: Place) => boolean): Place | undefined {
    return this.#places[firstReached([0, this.count], (index) => isReached(this.#places[index] as Place))];
  }
}

/** The first value in the range for which `isReached` is true, else the last value. Once true, `isReached` must stay true. */
export function firstReached(range: readonly [number, number], isReached: (at: number) => boolean): number {
  let [low, high] = range;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (isReached(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}
