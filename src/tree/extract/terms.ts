import { talkWords } from "../../text/extract/stop-words.ts";
import { contentWords, type Word } from "../../text/extract/words.ts";
import { least } from "../../base/lists.ts";

/** A keyword of a text: a word, or words that belong together, and how much it says. */
export interface Term {
  readonly shown: string;
  readonly score: number;
}

interface Counted {
  shown: string;
  /** Sum of the weights of the sentences. */
  mass: number;
  uses: number;
  readonly order: number;
}

/**
 * The words of a text by how much is said with them: term frequency, damped (Salton and Buckley 1988), each use weighted by the sentence it stands in.
 * Neighbours that stand together nearly whenever one of them does are one keyword (collocations; Church and Hanks 1990).
 */
export class TermScores {
  readonly #words = new Map<string, Counted>();
  readonly #pairs = new Map<string, Counted>();

  add(text: string, weight: number): void {
    let before: { readonly word: Word; readonly end: number } | undefined;
    let from = 0;
    for (const word of contentWords(text)) {
      const at = text.indexOf(word.shown, from);
      const start = at < 0 ? from : at;
      this.#count(this.#words, word.key, word.shown, weight * nameFactor(word, start));
      if (before !== undefined && at >= 0 && text.slice(before.end, start) === " ")
        this.#count(this.#pairs, `${before.word.key} ${word.key}`, `${before.word.shown} ${word.shown}`, weight);
      from = start + word.shown.length;
      before = at < 0 ? undefined : { word, end: from };
    }
  }

  /** The terms that say most, best first. */
  top(most: number): readonly Term[] {
    const ranked = [...this.#words]
      .map(([key, { shown, mass, order }]) => ({ key, shown, order, score: Math.log1p(mass) }))
      .toSorted((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, most * 2);
    const partners = this.#partners(new Map(ranked.map((word, index) => [word.key, index])));
    const taken = new Set<string>();
    const terms: Term[] = [];
    for (const { key, shown, score } of ranked) {
      if (taken.has(key) || terms.length >= most) continue;
      const pair = partners.get(key);
      const together = pair === undefined || pair.keys.some((one) => taken.has(one)) ? undefined : pair;
      for (const one of together?.keys ?? [key]) taken.add(one);
      terms.push({ shown: together?.shown ?? shown, score });
    }
    return terms;
  }

  /** The pair that each word belongs to, when it has one. */
  #partners(
    ranks: ReadonlyMap<string, number>,
  ): ReadonlyMap<string, { readonly shown: string; readonly keys: readonly string[] }> {
    const found = new Map<string, { readonly shown: string; readonly keys: readonly string[] }>();
    const pairs = [...this.#pairs].toSorted(([, a], [, b]) => b.uses - a.uses || a.order - b.order);
    for (const [key, { shown, uses }] of pairs) {
      const keys = key.split(" ");
      if (keys.some((one) => found.has(one) || !ranks.has(one)) || keys[0] === keys[1]) continue;
      const fewest = least(keys.map((one) => this.#words.get(one)?.uses ?? 0));
      const named = /^\p{Lu}\S* \p{Lu}/u.test(shown);
      if (uses < (named ? 1 : 2) || uses < fewest * (named ? 0.5 : 0.7)) continue;
      for (const one of keys) found.set(one, { shown, keys });
    }
    return found;
  }

  #count(counts: Map<string, Counted>, key: string, shown: string, weight: number): void {
    const known = counts.get(key);
    if (known === undefined) counts.set(key, { shown, mass: weight, uses: 1, order: counts.size });
    else {
      known.mass += weight;
      known.uses += 1;
      // A word that is also written small is no name.
      if (known.shown !== shown && shown === shown.toLowerCase()) known.shown = shown;
    }
  }
}

/** What any talk is made of says little of this one. */
const talkFactor = 0.4;

/** A capital inside a sentence makes a name; a figure alone says little. */
function nameFactor({ shown }: Word, at: number): number {
  if (talkWords.has(shown.toLowerCase())) return talkFactor;
  if (at > 0 && /^\p{Lu}/u.test(shown)) return 1.6;
  return /\d/u.test(shown) ? 0.7 : 1;
}
