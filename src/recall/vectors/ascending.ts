/** Binary search: the first index below `length` for which `isBefore` is false, or `length`. */
export function firstPlace(length: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The index of a number in an ascending list, or -1. */
export function placeOf(numbers: Int32Array, wanted: number): number {
  const place = firstPlace(numbers.length, (at) => (numbers[at] ?? 0) < wanted);
  return numbers[place] === wanted ? place : -1;
}
