/** The first of so many ascending places for which `isBefore` does not hold; the length when it holds for all. */
export function firstPlace(length: number, isBefore: (place: number) => boolean): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (isBefore(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The place of a number among ascending ones; -1 if it is not there. */
export function placeOf(numbers: Int32Array, wanted: number): number {
  const place = firstPlace(numbers.length, (at) => (numbers[at] ?? 0) < wanted);
  return numbers[place] === wanted ? place : -1;
}
