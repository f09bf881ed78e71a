/** Numbers of which the smallest comes out first. */
export interface Heap {
  push(key: number): void;
  /** The smallest key, or -1 when there is none. */
  pop(): number;
}

/** A binary heap of at most `capacity` keys. */
export function createHeap(capacity: number): Heap {
  const keys = new Float64Array(capacity);
  let length = 0;
  const keyAt = (index: number): number => (index < length ? (keys[index] ?? Infinity) : Infinity);
  const push = (key: number): void => {
    let index = length++;
    for (let parent = (index - 1) >> 1; index > 0 && keyAt(parent) > key; parent = (index - 1) >> 1) {
      keys[index] = keyAt(parent);
      index = parent;
    }
    keys[index] = key;
  };
  const pop = (): number => {
    if (length === 0) return -1;
    const smallest = keyAt(0);
    length--;
    const moved = keys[length] ?? Infinity;
    let index = 0;
    for (;;) {
      const left = index * 2 + 1;
      const child = keyAt(left + 1) < keyAt(left) ? left + 1 : left;
      if (keyAt(child) >= moved) break;
      keys[index] = keyAt(child);
      index = child;
    }
    keys[index] = moved;
    return smallest;
  };
  return { push, pop };
}
