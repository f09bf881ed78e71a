import { rarityOf } from "./scores.ts";
import { defaultRanking, type RankingOptions } from "./options.ts";

interface FeedbackInput {
  /** As `scoreSections` ranks them, best first, each with the words of its statements as the index knows them. Only the best few are looked at. */
  readonly sections: readonly FeedbackSection[];
  /** The words of the query. */
  readonly known: ReadonlySet<string>;
  readonly options?: Partial<RankingOptions>;
}

interface FeedbackSection {
  readonly score: number;
  readonly statements: readonly (readonly string[])[];
}

export interface FeedbackTerm {
  readonly term: string;
  readonly weight: number;
}

/** In how many chunks each candidate stands, in their order, and how many chunks there are. */
interface FeedbackFrequencies {
  readonly rows: number;
  readonly counts: readonly number[];
}

/** Words of which the index is asked how common they are, which costs more than all else here: with 100 the same is found, with 32 less. */
const mostCandidates = 50;

/**
 * Words that persons said in the sections found first and that the query lacks, by the share of what was said there that holds them. Their rarity decides: see
 * `feedbackTerms`. Nothing when feedback is switched off.
 */
export function feedbackCandidates({ sections, known, options }: FeedbackInput): readonly FeedbackTerm[] {
  const { feedbackWords, feedbackSections, feedbackWeight } = { ...defaultRanking, ...options };
  if (feedbackWords <= 0 || feedbackWeight <= 0) return [];
  const shares = new Map<string, number>();
  for (const { score, statements } of sections.slice(0, feedbackSections))
    for (const words of statements)
      for (const word of new Set(words)) shares.set(word, (shares.get(word) ?? 0) + score / statements.length);
  return best(
    [...shares].filter(([term]) => !known.has(term) && term.length > 1).map(([term, weight]) => ({ term, weight })),
    mostCandidates,
  );
}

/**
 * The words for a second round of `scoreSections` (relevance model RM3, Abdul-Jaleel et al. 2004): much said in the sections found first, rare elsewhere.
 * Best first; the best weighs `feedbackWeight`.
 */
export function feedbackTerms(
  candidates: readonly FeedbackTerm[],
  { rows, counts }: FeedbackFrequencies,
  options: Partial<RankingOptions> = {},
): readonly FeedbackTerm[] {
  const { feedbackWords, feedbackWeight } = { ...defaultRanking, ...options };
  const weighed = candidates.map(({ term, weight }, index) => ({
    term,
    weight: worth(weight, rows, counts[index] ?? 0),
  }));
  const chosen = best(
    weighed.filter(({ weight }) => weight > 0),
    feedbackWords,
  );
  const most = chosen[0]?.weight ?? 1;
  return chosen.map(({ term, weight }) => ({ term, weight: (feedbackWeight * weight) / most }));
}

/** Of a word with this share and in so many chunks; 0 when it stands nowhere. */
function worth(share: number, rows: number, count: number): number {
  const holding = Math.min(rows, count);
  return holding === 0 ? 0 : share * rarityOf(holding, rows);
}

function best(terms: readonly FeedbackTerm[], most: number): readonly FeedbackTerm[] {
  return terms.toSorted((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, most);
}
