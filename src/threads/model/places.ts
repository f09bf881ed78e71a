import { bytesOfId, idOfBytes } from "./frame.ts";

/** Where a message is in its thread. */
export interface Place {
  /** From 1. */
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
  /** The weight of the messages before it, and of those up to it. */
  readonly weight_before: number;
  readonly weight: number;
}

const ID_BYTES = 16;

/** The places of all messages of a thread, 28 bytes each. */
export class Places {
  count = 0;
  /** Of all messages. */
  weight = 0;
  #seqs = new Uint32Array(16);
  #ids = new Uint8Array(16 * ID_BYTES);
  /** Up to and including each message. */
  #weights = new Float64Array(16);

  add(message: { readonly seq: number; readonly id: string; readonly weight: number }): void {
    if (this.count === this.#seqs.length) this.#grow();
    this.weight += message.weight;
    this.#seqs[this.count] = message.seq;
    this.#weights[this.count] = this.weight;
    this.#ids.set(bytesOfId(message.id), this.count * ID_BYTES);
    this.count += 1;
  }

  /** The message with that ordinal. Constant time. */
  at(ordinal: number): Place | undefined {
    const index = ordinal - 1;
    if (!Number.isSafeInteger(ordinal) || index < 0 || index >= this.count) return undefined;
    return {
      ordinal,
      seq: this.#seqs[index] ?? 0,
      id: idOfBytes(this.#ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES)),
      weight_before: this.#weights[index - 1] ?? 0,
      weight: this.#weights[index] ?? 0,
    };
  }

  /** The last message at or before that seq. O(log n). */
  atOrBefore(seq: number): Place | undefined {
    return this.at(this.#firstWhere((index) => (this.#seqs[index] ?? 0) > seq));
  }

  /** The message with exactly that seq. O(log n). */
  ofSeq(seq: number): Place | undefined {
    const place = this.atOrBefore(seq);
    return place?.seq === seq ? place : undefined;
  }

  /** The first message before which the messages weigh at least that much. O(log n). */
  ofWeight(weight: number): Place | undefined {
    return this.at(this.#firstWhere((index) => (this.#weights[index - 1] ?? 0) >= weight) + 1);
  }

  #firstWhere(isBeyond: (index: number) => boolean): number {
    let [low, high] = [0, this.count];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (isBeyond(middle)) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #grow(): void {
    const { length } = this.#seqs;
    const [seqs, ids, weights] = [this.#seqs, this.#ids, this.#weights];
    this.#seqs = new Uint32Array(2 * length);
    this.#ids = new Uint8Array(2 * length * ID_BYTES);
    this.#weights = new Float64Array(2 * length);
    this.#seqs.set(seqs);
    this.#ids.set(ids);
    this.#weights.set(weights);
  }
}
