/**
 * A list as a value that only grows at its end: adding gives another list in constant time, and the one before stays as it was.
 * Items are found by a key; of several with the same key the last counts.
 */
export interface GrownList<T> {
  readonly length: number;
  readonly shared: Shared<T>;
}

interface Shared<T> {
  readonly items: T[];
  readonly keyOf: (item: T) => number;
  /** The indexes of the items of a key, ascending. */
  readonly byKey: Map<number, number[]>;
}

export function emptyList<T>(keyOf: (item: T) => number): GrownList<T> {
  return { length: 0, shared: { items: [], keyOf, byKey: new Map() } };
}

export function addItem<T>(list: GrownList<T>, item: T): GrownList<T> {
  const shared = list.shared.items.length === list.length && list.length > 0 ? list.shared : copyOf(list);
  put(shared, item);
  return { length: list.length + 1, shared };
}

/** In the order in which they were added. */
export function itemsOf<T>({ length, shared }: GrownList<T>): readonly T[] {
  return shared.items.slice(0, length);
}

/** The last item with that key. */
export function itemOfKey<T>({ length, shared }: GrownList<T>, key: number): T | undefined {
  const index = (shared.byKey.get(key) ?? []).findLast((at) => at < length);
  return index === undefined ? undefined : shared.items[index];
}

function copyOf<T>(list: GrownList<T>): Shared<T> {
  const shared: Shared<T> = { items: [], keyOf: list.shared.keyOf, byKey: new Map() };
  for (const item of itemsOf(list)) put(shared, item);
  return shared;
}

function put<T>(shared: Shared<T>, item: T): void {
  const key = shared.keyOf(item);
  const indexes = shared.byKey.get(key);
  if (indexes === undefined) shared.byKey.set(key, [shared.items.length]);
  else indexes.push(shared.items.length);
  shared.items.push(item);
}
