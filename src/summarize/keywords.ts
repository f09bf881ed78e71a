import { cutByRecurrence } from "./han.ts";
import { termsOf, type Term } from "./phrases.ts";
import { contentWords } from "./words.ts";
import { sameWord } from "./same-word.ts";

/** What a text is looked up by, and how much it says. */
export interface Keyword {
  readonly shown: string;
  readonly score: number;
}

/** A line that keywords are taken from; what was decided, done and learned weighs more than the rest. */
export interface SaidLine {
  readonly text: string;
  readonly weight: number;
}

/** Lines whose general words are kept for a text that names nothing. */
const mostFirst = 20;
/** Quantities among them at most. */
const mostQuantities = 2;
/** Keywords of a topic at most. */
export const mostKeywords = 12;

interface Candidate {
  readonly term: Term;
  readonly order: number;
  count: number;
  mass: number;
}

/**
 * The terms of a text, counted: a word says more when it comes again (damped), early, in lines that weigh more, and when it is specific; two words are a
 * phrase when they are written as a name, come together more than once and seldom apart (the association ratio of Church and Hanks 1990, as a
 * share), or stand alone between breaks (RAKE; Rose and others 2010).
 */
export class TermCounts {
  readonly #found = new Map<string, Candidate>();
  readonly #first: string[] = [];
  #lines = 0;

  add(line: SaidLine): void {
    this.#lines += 1;
    if (this.#first.length < mostFirst) this.#first.push(line.text);
    const early = 1 + 0.6 / this.#lines;
    for (const term of termsOf(line.text)) {
      const key = term.kind === "word" ? term.key : `${term.kind} ${term.key}`;
      const known = this.#found.get(key);
      if (known === undefined)
        this.#found.set(key, {
          term,
          order: this.#found.size,
          count: 1,
          mass: line.weight * early,
        });
      else {
        known.count += 1;
        known.mass += line.weight;
      }
    }
  }

  /** The keys of its words. */
  keys(): readonly string[] {
    return [...this.#found.values()].filter(({ term }) => term.kind === "word").map(({ term }) => term.key);
  }

  /** `rarity`: how much less or more a word says for standing in many or few of the neighbouring texts; 1 by default. */
  top(most: number, not: { readonly without: string; readonly rarity?: (key: string) => number }): readonly Keyword[] {
    const own = new Set(contentWords(not.without).map((word) => sameWord(word.key)));
    const rarity = not.rarity ?? ((): number => 1);
    const taken: { readonly term: Term; readonly score: number }[] = [];
    const used = new Set<string>(own);
    const inPhrases = new Set<string>();
    let quantities = 0;
    for (const { term, score } of this.#scored(rarity)) {
      if (taken.length >= most) break;
      const keys = [term.key, ...term.parts];
      const told = term.parts.filter((part) => inPhrases.has(part)).length;
      if (
        told > term.parts.length / 2 ||
        keys.some((key) => used.has(key)) ||
        taken.some((other) => holds(other.term.key, term.key))
      )
        continue;
      if (term.kind === "quantity" && ++quantities > mostQuantities) continue;
      taken.push({ term, score });
      for (const key of keys) (term.parts.length > 1 ? inPhrases : used).add(key);
    }
    if (taken.length === 0) return this.#general(most, own);
    return taken
      .map(({ term, score }) => ({ shown: cleaned(term.shown), score: Math.round(score * 100) / 100 }))
      .filter(({ shown }) => shown !== "");
  }

  /** Of a text that names nothing: the general words of its first lines. */
  #general(most: number, own: ReadonlySet<string>): readonly Keyword[] {
    const words = new Map<string, Keyword>();
    for (const word of this.#first.flatMap((text) => contentWords(text))) {
      const key = sameWord(word.key);
      if (own.has(key) || words.has(key) || /^[\d._-]+$/u.test(word.shown)) continue;
      words.set(key, { shown: cleaned(word.shown), score: 0.1 });
    }
    return [...words.values()].filter(({ shown }) => shown !== "").slice(0, most);
  }

  /** What a text would be called by: what comes again and early in it, rather a phrase than a word; quantities and file names are no names. */
  names(rarity: (key: string) => number = () => 1): readonly string[] {
    return [...this.#found.values()]
      .filter((candidate) => this.#belongsTogether(candidate) && isName(candidate.term))
      .map(({ term, mass, count, order }) => {
        const phrase = term.parts.length > 1 ? 1.5 : /^[A-Za-z][a-z]+(?:ing|ed)$/u.test(term.shown) ? 0.5 : 1;
        const specific = Math.min(term.salience, 2.2);
        return {
          term,
          order,
          score: (mass + (count > 1 ? 0.5 : 0)) * specific * phrase * Math.max(...term.parts.map(rarity)),
        };
      })
      .toSorted((a, b) => b.score - a.score || a.order - b.order)
      .slice(0, 4)
      .map(({ term }) => cleaned(term.shown));
  }

  #scored(rarity: (key: string) => number): readonly { readonly term: Term; readonly score: number }[] {
    return [...this.#found.values()]
      .filter((candidate) => this.#belongsTogether(candidate))
      .map((candidate) => ({ term: candidate.term, order: candidate.order, score: this.#score(candidate, rarity) }))
      .toSorted((a, b) => b.score - a.score || a.order - b.order);
  }

  #belongsTogether({ term, count }: Candidate): boolean {
    if (term.kind !== "pair") return true;
    const apart = Math.min(...term.parts.map((part) => this.#found.get(part)?.count ?? 1));
    return count > 1 && count / apart >= 0.5;
  }

  #score({ term, mass, count }: Candidate, rarity: (key: string) => number): number {
    const own = (mass / count) * Math.log2(1 + count) * term.salience * Math.max(...term.parts.map(rarity));
    if (term.kind === "word" || term.parts.length === 1) return own;
    const parts = term.parts.map((part) => this.#found.get(part));
    const wordScores = parts.map((part) =>
      part === undefined || part.count > 2 * count ? 0 : this.#score(part, rarity),
    );
    return Math.max(own, ...wordScores.map((score) => score * 1.05));
  }
}

/** The keywords of lines: what a good index of them would name. None holds a word of the topic's name. */
export function keywordsOf(lines: readonly SaidLine[], topic: string): readonly Keyword[] {
  return countTerms(lines).top(mostKeywords, { without: topic });
}

/** The terms of lines; long runs of Chinese are cut by what comes again in them. */
export function countTerms(lines: readonly SaidLine[]): TermCounts {
  const counts = new TermCounts();
  const cut = cutByRecurrence(lines.map((line) => line.text));
  for (const line of lines) counts.add({ ...line, text: cut(line.text) });
  return counts;
}

/** Of words without spaces between them, one that stands in another says nothing more. */
function holds(longer: string, shorter: string): boolean {
  return /^[\p{Script=Han}\p{Script=Katakana}ー]+$/u.test(shorter) && longer.includes(shorter);
}

/** A keyword stands in a list: it holds no sign that would end it. */
function cleaned(shown: string): string {
  return shown
    .replaceAll(/[,:;()[\]{}"“”`*|\\]/gu, " ")
    .replaceAll(/\s+/gu, " ")
    .trim();
}

function isName({ kind, shown }: Term): boolean {
  return (
    kind !== "quantity" && /^\p{L}/u.test(shown) && Array.from(shown).length <= 40 && !/[./_]\w|\d{3}/u.test(shown)
  );
}
