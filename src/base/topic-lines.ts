import { chooseLines, type CoverageSpace } from "./coverage.ts";
import type { CoveragePiece } from "./coverage-draft.ts";
import { least } from "./lists.ts";

/** A found topic that competes for space in an index. */
export interface FoundTopic {
  /** Its keywords, best first; the first is its name. */
  readonly keywords: readonly string[];
  /** The weight of each keyword; if `undefined`, their order decides. */
  readonly scores: readonly number[] | undefined;
  readonly value: number;
  /** How many places it links to. */
  readonly size: number;
}

/** An index line for one found topic, or for several that share its name. */
interface TopicLine {
  readonly name: string;
  readonly keywords: readonly string[];
  /** Indexes of the topics. */
  readonly topics: readonly number[];
}

export interface IndexSpace extends Pick<
  CoverageSpace,
  "room" | "mostLines" | "mostPlaces" | "leastLineCost" | "leastTermCost"
> {
  /** The words in a keyword, as keys for comparison. */
  readonly keysOf: (text: string) => readonly string[];
  /** Cost of a line with this name and no keywords yet. */
  readonly lineCost: (name: string) => number;
  /** Cost of adding a keyword. */
  readonly keywordCost: (keyword: string) => number;
  /** Maximum keywords per line. */
  readonly mostKeywords: number;
  /** Names of other lines, in lower case. */
  readonly names: ReadonlySet<string>;
}

/** The probability that a reader has the best word of a topic in mind, and the factor by which it falls per rank. */
const bestOdds = 0.45;
const oddsByRank = 0.95;
/** Exponent of the rarity. It is below 1 because a word shared by several topics can name a line for all of them. */
const rarityTrust = 0.4;
/** The factor per rank for keywords without scores. */
const scoreByRank = 0.93;

/**
 * Chooses index lines for found topics. Words are weighted by score and by rarity among these topics (inverse document frequency; Spärck Jones 1972).
 * Topics that share a word may share the line named after it.
 */
export function indexLines(topics: readonly FoundTopic[], space: IndexSpace): readonly TopicLine[] {
  const words = new Vocabulary(topics, space.keysOf);
  // Costs are computed on demand: most words are never compared.
  const lineCosts: number[] = [];
  const costs: number[] = [];
  const lines = chooseLines(words.pieces(topics), {
    ...space,
    lineCost: (seed) => (lineCosts[seed] ??= space.lineCost(words.shown[seed] ?? "")),
    termCost: (term) => (costs[term] ??= space.keywordCost(words.shown[term] ?? "")),
    mostTerms: space.mostKeywords,
  });
  const names = new Set(space.names);
  return lines.map((line) => {
    const [first = "", ...others] = words.phrases(line.seed, line.terms, line.pieces);
    const seed = words.formOf(line.seed, line.pieces);
    // Two lines with the same name would look identical, so the second is named after another of its words.
    const name = [first, seed, ...others].find((word) => !names.has(word.toLowerCase())) ?? first;
    names.add(name.toLowerCase());
    const keywords = name === seed ? others : [first, ...others].filter((word) => word !== name);
    return { name, keywords, topics: line.pieces };
  });
}

/** A keyword, the probability that a reader has it in mind, and its word numbers. */
export interface RankedKeyword {
  readonly shown: string;
  readonly odds: number;
  readonly terms: readonly number[];
}

/** The keywords of each topic, best first, weighted by their rarity among all topics. */
export function rankKeywords(
  topics: readonly FoundTopic[],
  keysOf: (text: string) => readonly string[],
): readonly (readonly RankedKeyword[])[] {
  const { ranked } = new Vocabulary(topics, keysOf);
  return ranked.map(({ keywords, scores }) =>
    keywords.map(({ shown, terms }, rank) => ({ shown, terms, odds: oddsOf(scores, rank) })),
  );
}

function oddsOf(scores: readonly number[], rank: number): number {
  return bestOdds * ((scores[rank] ?? 0) / (scores[0] ?? 1)) * power(oddsByRank, rank);
}

const powers = new Map<number, number[]>();

function power(base: number, rank: number): number {
  let known = powers.get(base);
  if (known === undefined) powers.set(base, (known = []));
  return (known[rank] ??= base ** rank);
}

interface Keyword {
  readonly shown: string;
  readonly terms: readonly number[];
  /** Its words as written here. */
  readonly forms: readonly string[];
  /** 0: not known yet. */
  rarity: number;
}

/** The keywords of a topic, best first. */
interface Ranked {
  readonly keywords: readonly Keyword[];
  readonly scores: readonly number[];
}

/** Numbers the words of a set of topics. There may be thousands of topics, so its loops make few objects. */
class Vocabulary {
  /** Each word as written. */
  readonly shown: string[] = [];
  readonly ranked: readonly Ranked[];
  readonly #numbers = new Map<string, number>();
  readonly #keywords = new Map<string, Keyword>();
  /** In how many topics each word is. */
  readonly #uses: number[] = [];
  /** The last topic in which each word was met. */
  readonly #met: number[] = [];

  constructor(topics: readonly FoundTopic[], keysOf: (text: string) => readonly string[]) {
    const read = topics.map((topic, index) => this.#read(topic, { index, keysOf }));
    const spread = Math.log(1.2 * (1 + topics.length));
    // By the number of uses: there are few different ones.
    const rarities: number[] = [];
    const rarityOf = (uses: number): number =>
      (rarities[uses] ??= (Math.log((1.2 * (1 + topics.length)) / uses) / spread) ** rarityTrust);
    for (const { keywords, scores } of read) {
      for (let at = 0; at < keywords.length; at++) {
        const keyword = keywords[at] as Keyword;
        if (keyword.rarity === 0) keyword.rarity = rarityOf(this.#leastUses(keyword.terms));
        const score = (scores[at] ?? 0) * keyword.rarity;
        let place = at;
        for (; place > 0 && score > (scores[place - 1] ?? 0); place--) {
          keywords[place] = keywords[place - 1] as Keyword;
          scores[place] = scores[place - 1] ?? 0;
        }
        keywords[place] = keyword;
        scores[place] = score;
      }
    }
    this.ranked = read;
  }

  pieces(topics: readonly FoundTopic[]): readonly CoveragePiece[] {
    const met = this.#met.fill(-1);
    return this.ranked.map(({ keywords, scores }, index): CoveragePiece => {
      const terms: number[] = [];
      const odds: number[] = [];
      for (let rank = 0; rank < keywords.length; rank++) {
        const own = (keywords[rank] as Keyword).terms;
        for (let at = 0; at < own.length; at++) {
          const term = own[at] as number;
          if (met[term] === index) continue;
          met[term] = index;
          terms.push(term);
          odds.push(oddsOf(scores, rank));
        }
      }
      const topic = topics[index];
      return { terms, odds, value: topic?.value ?? 0, size: topic?.size ?? 1 };
    });
  }

  /** The words in a line. Words that form a keyword in one of its topics are joined into a phrase. */
  phrases(seed: number, terms: readonly number[], pieces: readonly number[]): readonly string[] {
    const wanted = new Set([seed, ...terms]);
    const items = pieces.flatMap((piece) => this.ranked[piece]?.keywords ?? []);
    const uses = (of: readonly number[]): number =>
      items.filter((item) => of.every((term) => item.terms.includes(term))).length;
    const phrases = items.filter(
      (item) =>
        item.terms.length > 1 && item.terms.every((term) => wanted.has(term) && uses(item.terms) * 3 >= uses([term])),
    );
    const taken = new Set<number>();
    return [...wanted].flatMap((term): readonly string[] => {
      if (taken.has(term)) return [];
      const phrase = phrases.find((item) => item.terms.includes(term) && !item.terms.some((one) => taken.has(one)));
      for (const one of phrase?.terms ?? [term]) taken.add(one);
      return [phrase?.shown ?? this.formOf(term, pieces)];
    });
  }

  /** A word as written in one of these topics: another inflection might not occur in any line they link to. */
  formOf(term: number, pieces: readonly number[]): string {
    const shown = this.shown[term] ?? "";
    const forms = pieces
      .flatMap((piece) => this.ranked[piece]?.keywords ?? [])
      .flatMap(({ terms, forms: own }) => own[terms.indexOf(term)] ?? []);
    return forms.some((form) => form.toLowerCase() === shown.toLowerCase()) ? shown : (forms[0] ?? shown);
  }

  /** The keywords that have words, with their scores, in the order of the topic. */
  #read(
    { keywords, scores }: FoundTopic,
    { index, keysOf }: { readonly index: number; readonly keysOf: (text: string) => readonly string[] },
  ): { readonly keywords: Keyword[]; readonly scores: number[] } {
    const read = { keywords: [] as Keyword[], scores: [] as number[] };
    for (let rank = 0; rank < keywords.length; rank++) {
      const keyword = this.#keyword(keywords[rank] ?? "", keysOf);
      const { terms } = keyword;
      if (terms.length === 0) continue;
      read.keywords.push(keyword);
      read.scores.push(scores?.[rank] ?? power(scoreByRank, rank));
      for (let at = 0; at < terms.length; at++) {
        const term = terms[at] as number;
        if (this.#met[term] === index) continue;
        this.#met[term] = index;
        this.#uses[term] = (this.#uses[term] ?? 0) + 1;
      }
    }
    return read;
  }

  #keyword(shown: string, keysOf: (text: string) => readonly string[]): Keyword {
    const known = this.#keywords.get(shown);
    if (known !== undefined) return known;
    const keys = keysOf(shown);
    const parts = keys.length === 1 ? [shown] : shown.split(" ");
    const forms = keys.map((key, index) => (keys.length === parts.length ? (parts[index] ?? key) : key));
    const terms = keys.map((key, index) => this.#number(key, forms[index] ?? key));
    const keyword = { shown, terms, forms, rarity: 0 };
    this.#keywords.set(shown, keyword);
    return keyword;
  }

  #leastUses(terms: readonly number[]): number {
    return least(terms.map((term) => this.#uses[term] ?? 1));
  }

  #number(key: string, shown: string): number {
    const known = this.#numbers.get(key);
    if (known !== undefined) return known;
    this.#numbers.set(key, this.shown.length);
    return this.shown.push(shown) - 1;
  }
}
