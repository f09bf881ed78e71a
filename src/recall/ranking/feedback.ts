import { defaultRanking, type RankingOptions } from "./options.ts";

export interface FeedbackInput {
  /** As `scoreSections` ranks them, best first, each with the words of its statements as the index knows them. */
  readonly sections: readonly FeedbackSection[];
  /** The words of the query. */
  readonly known: ReadonlySet<string>;
  readonly options?: Partial<RankingOptions>;
}

export interface FeedbackSection {
  readonly score: number;
  readonly statements: readonly (readonly string[])[];
}

export interface FeedbackTerm {
  readonly term: string;
  readonly weight: number;
}

/** A word of one section alone may be a slip or a name. */
const fewestSections = 2;

/**
 * Words that persons said in the sections found first and that the query lacks, for a second round of `scoreSections` (relevance model RM3, Abdul-Jaleel et al. 2004):
 * those that make up most of what was said in the best sections and little of what was said in the others. Best first.
 */
export function feedbackTerms({ sections, known, options }: FeedbackInput): readonly FeedbackTerm[] {
  const { feedbackWords, feedbackSections, feedbackWeight } = { ...defaultRanking, ...options };
  if (feedbackWords <= 0 || feedbackWeight <= 0) return [];
  const best = sections.slice(0, feedbackSections);
  const others = sections.slice(0, feedbackSections * background);
  const spread = sectionsWith(others);
  const near = sectionsWith(best);
  const ranked = [...sharesIn(best)]
    .filter(([term]) => !known.has(term) && term.length > 1 && (near.get(term) ?? 0) >= fewestSections)
    .map(([term, share]) => ({ term, score: share * Math.log(1 + others.length / (spread.get(term) ?? 1)) }))
    .toSorted((a, b) => b.score - a.score || (a.term < b.term ? -1 : 1))
    .slice(0, feedbackWords);
  const most = ranked[0]?.score ?? 1;
  return ranked.map(({ term, score }) => ({ term, weight: (feedbackWeight * score) / most }));
}

/** Sections that tell which words are common, as a multiple of those that give words. */
const background = 4;

/** How much of what was said holds each word, by the sections' scores. */
function sharesIn(sections: readonly FeedbackSection[]): ReadonlyMap<string, number> {
  const shares = new Map<string, number>();
  for (const { score, statements } of sections)
    for (const words of statements)
      for (const word of new Set(words)) shares.set(word, (shares.get(word) ?? 0) + score / statements.length);
  return shares;
}

function sectionsWith(sections: readonly FeedbackSection[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const { statements } of sections)
    for (const word of new Set(statements.flat())) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}
