/** What the index is asked for; `src/recall/index/search-index.ts` says where each kind is looked for. */
export interface Term {
  readonly kind: "word" | "prefix" | "phrase" | "part";
  readonly text: string;
}

/** A term and how many times it counts, from 1 to 8. */
export interface Weighted extends Term {
  readonly weight: number;
}

/** One word of a query. */
export interface QueryWord {
  /** As it was written. */
  readonly word: string;
  /** `little`: a function word or a word of asking. */
  readonly carries: "much" | "little";
  /** Under which it is found: alternatives that add up, the whole word counting most. */
  readonly any: readonly Weighted[];
  /** What must hold together where the word must stand, and must not hold together where it must not. */
  readonly all: readonly Term[];
}

/** Each term once, with its greatest weight, in the order in which they first stand. */
export function joined(terms: readonly Weighted[]): readonly Weighted[] {
  const found = new Map<string, Weighted>();
  for (const term of terms) {
    const key = `${term.kind} ${term.text}`;
    const known = found.get(key);
    if (known === undefined || known.weight < term.weight) found.set(key, term);
  }
  return [...found.values()];
}
