import { bytesOfId, idOfBytes } from "./frame.ts";
/** The place of a message: the facts that a store answers, found by counting. */
export interface MessagePlace {
  /** From 1. */
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
  /** The weight of the messages before it, and of those up to it. */
  readonly weight_before: number;
  readonly weight: number;
}

/**
 * The places of all messages of a thread as a value: adding gives another value, and the one before stays as it was. 28 bytes a message, shared between
 * a value and those made from it.
 */
export interface Places {
  readonly count: number;
  /** Of all messages. */
  readonly weight: number;
  readonly cells: Cells;
}

interface Cells {
  readonly seqs: Uint32Array;
  readonly ids: Uint8Array;
  /** Up to and including each message. */
  readonly weights: Float64Array;
  /** How many cells are taken, by whichever value came first. */
  used: number;
}

const ID_BYTES = 16;

export const noPlaces: Places = { count: 0, weight: 0, cells: createCells(0) };

/** One more message, after the others. Constant time, amortized; copies when another value was already extended from this one. */
export function addPlace(
  places: Places,
  message: { readonly seq: number; readonly id: string; readonly weight: number },
): Places {
  const { count } = places;
  const cells = cellsFor(places);
  const weight = places.weight + message.weight;
  cells.seqs[count] = message.seq;
  cells.weights[count] = weight;
  cells.ids.set(bytesOfId(message.id), count * ID_BYTES);
  cells.used = count + 1;
  return { count: count + 1, weight, cells };
}

/** The message of that ordinal; `undefined` when there is none. Constant time. */
export function placeAt({ count, cells }: Places, ordinal: number): MessagePlace | undefined {
  const index = ordinal - 1;
  if (!Number.isSafeInteger(ordinal) || index < 0 || index >= count) return undefined;
  return {
    ordinal,
    seq: cells.seqs[index] ?? 0,
    id: idOfBytes(cells.ids.subarray(index * ID_BYTES, (index + 1) * ID_BYTES)),
    weight_before: index === 0 ? 0 : (cells.weights[index - 1] ?? 0),
    weight: cells.weights[index] ?? 0,
  };
}

/** The last message at or before that seq. O(log n). */
export function placeBefore(places: Places, seq: number): MessagePlace | undefined {
  return placeAt(
    places,
    firstWhere(places.count, (index) => (places.cells.seqs[index] ?? 0) > seq),
  );
}

/** The message that has exactly that seq. O(log n). */
export function placeOfSeq(places: Places, seq: number): MessagePlace | undefined {
  const place = placeBefore(places, seq);
  return place?.seq === seq ? place : undefined;
}

/** The first message before which the messages weigh at least so much. O(log n). */
export function placeOfWeight(places: Places, weight: number): MessagePlace | undefined {
  const { weights } = places.cells;
  const index = firstWhere(places.count, (at) => (at === 0 ? 0 : (weights[at - 1] ?? 0)) >= weight);
  return placeAt(places, index + 1);
}

function firstWhere(count: number, isBeyond: (index: number) => boolean): number {
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBeyond(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Cells with room after the value: its own when nothing was added after it, else a copy. */
function cellsFor({ count, cells }: Places): Cells {
  if (cells.used === count && count < cells.seqs.length) return cells;
  const grown = createCells(Math.max(16, count * 2));
  grown.seqs.set(cells.seqs.subarray(0, count));
  grown.weights.set(cells.weights.subarray(0, count));
  grown.ids.set(cells.ids.subarray(0, count * ID_BYTES));
  return grown;
}

function createCells(room: number): Cells {
  return {
    seqs: new Uint32Array(room),
    ids: new Uint8Array(room * ID_BYTES),
    weights: new Float64Array(room),
    used: 0,
  };
}
