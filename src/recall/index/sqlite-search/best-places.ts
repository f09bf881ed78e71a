/**
 * The places of the best scores above 0, at most `most`, best first; of equal scores the smaller place is the better. A sort of the numbers alone, which is one call,
 * tells from which score on a place is one of them. n log n in the scores.
 */
export function bestPlaces(scores: Float32Array, most: number): readonly number[] {
  const sorted = scores.slice().sort();
  const least = sorted[Math.max(0, sorted.length - most)] ?? 0;
  const better: number[] = [];
  const equal: number[] = [];
  for (let place = 0; place < scores.length; place++) {
    const score = scores[place] ?? 0;
    if (score > least && score > 0) better.push(place);
    else if (score === least && score > 0 && equal.length < most) equal.push(place);
  }
  better.sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return [...better, ...equal].slice(0, most);
}
