import { wordKeys } from "../../base/word-keys.ts";

/** Lines that a text is traced to at most. */
const mostLines = 3;

/** For each text the indices of the lines that share the most of its words, weighted by how few lines have them; the best first. */
export function matchLines(texts: readonly string[], lines: readonly string[]): readonly (readonly number[])[] {
  const keys = lines.map((line) => wordKeys(line));
  const places = new Map<string, number[]>();
  keys.forEach((own, at) => {
    for (const key of own) {
      const known = places.get(key);
      if (known === undefined) places.set(key, [at]);
      else known.push(at);
    }
  });
  return texts.map((text) => {
    const worth = new Map<number, number>();
    for (const key of wordKeys(text))
      for (const at of places.get(key) ?? []) worth.set(at, (worth.get(at) ?? 0) + 1 / (places.get(key)?.length ?? 1));
    const best = [...worth].toSorted(([a, x], [b, y]) => y - x || a - b);
    const least = (best[0]?.[1] ?? 0) / 2;
    return best
      .filter(([, value]) => value >= least)
      .slice(0, mostLines)
      .map(([at]) => at);
  });
}
