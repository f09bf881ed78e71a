import { bytesOfLine, type Passage } from "../../base/passage.ts";
import { contentWords } from "../../text/extract/words.ts";

/**
 * Puts topics into at most so many lines, a line each when there is room. Otherwise those that share words stand together, in lines of about the same
 * length; the order is that of the topics given wherever nothing is shared. About `O(n · words)`.
 */
export function packLines(topics: readonly Passage[], lines: number): readonly Passage[] {
  if (topics.length <= lines) return topics;
  const total = topics.reduce((sum, topic) => sum + bytesOfLine(topic), 0);
  const enough = Math.ceil(total / Math.max(1, lines));
  const waiting = new Waiting(topics);
  const packed: Passage[] = [];
  let length = Number.POSITIVE_INFINITY;
  for (let line: number[] = [], next = waiting.first(); next !== undefined;) {
    const topic = topics[next] as Passage;
    const begins = length >= enough;
    packed.push({ ...topic, place: begins ? "own_line" : "same_line" });
    length = bytesOfLine(topic) + (begins ? 0 : length);
    line = begins ? [next] : [...line, next];
    waiting.take(next);
    next = (length < enough ? waiting.nearest(line) : undefined) ?? waiting.first();
  }
  return packed;
}

/** Topics that have no line yet, by their words. */
class Waiting {
  readonly #words: readonly (readonly string[])[];
  readonly #byWord = new Map<string, Set<number>>();
  readonly #open: Set<number>;

  constructor(topics: readonly Passage[]) {
    this.#words = topics.map(({ topic, text }) => [
      ...new Set(contentWords(`${topic}, ${text}`).map(({ key }) => key)),
    ]);
    this.#open = new Set(topics.keys());
    this.#words.forEach((words, index) => {
      for (const word of words) {
        const known = this.#byWord.get(word);
        if (known === undefined) this.#byWord.set(word, new Set([index]));
        else known.add(index);
      }
    });
  }

  first(): number | undefined {
    return this.#open.values().next().value;
  }

  take(index: number): void {
    this.#open.delete(index);
    for (const word of this.#words[index] ?? []) this.#byWord.get(word)?.delete(index);
  }

  /** The topic that shares the rarest words with those of a line. */
  nearest(line: readonly number[]): number | undefined {
    const shared = new Map<number, number>();
    for (const word of new Set(line.flatMap((index) => this.#words[index] ?? []))) {
      const others = this.#byWord.get(word);
      for (const other of others ?? []) shared.set(other, (shared.get(other) ?? 0) + 1 / (1 + (others?.size ?? 0)));
    }
    let best: number | undefined;
    for (const [index, value] of shared)
      if (best === undefined || value > (shared.get(best) ?? 0) || (value === shared.get(best) && index < best))
        best = index;
    return best;
  }
}
