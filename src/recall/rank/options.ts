/**
 * Ranking of recall, as pure functions over plain values. What the memory holds that bears on a message seldom shares words with it; but a whole section
 * (an entry, a conversation) often does, and of a section mostly one or two sentences tell something about the person. So:
 *
 * 1. When a source is indexed, `statementsOf(lines)` finds the sentences of a section that may tell something, with a weight of 0 to 1.
 * 2. For a query, `scoreSections` ranks whole sections by BM25. The index gives for each word the number of chunks of each section that hold it, which ranks as
 *    well as BM25 over the whole text of the sections (found among 40: 57 % and 57 %) and needs no second table of words.
 * 3. `feedbackCandidates` are words of the statements of the best sections; with their frequencies `feedbackTerms` chooses a few of them; `scoreSections` again, with the
 *    query's words and these.
 * 4. `choosePassages` fills the budget: the best chunks whole, in a share of it; and one or a few statements from each of many sections, by weight, by their own
 *    words (`ownWords`, or BM25 of the index), and by the section they stand in.
 *
 * A message that is answered by words, as `directnessOf` tells, is a question after something that was said: then the own words of statements count most, those of the
 * statement before with them, and a section may give as many as it has.
 *
 * With vectors of statements, `bestCosines` gives the meaning of sections, and `OwnScores.meaning` that of statements. Every signal can be switched off in
 * `RankingOptions`, so that a bench can show what each is worth.
 */
/** What ranking goes by. Each signal can be switched off, so that a bench can show what it is worth. */
export interface RankingOptions {
  /** Share of the budget for whole chunks: 0 for statements alone, 1 for chunks alone. */
  readonly chunkShare: number;
  /** The same for a message that is answered by words. */
  readonly directShare: number;
  /** Sections that may give statements, best first. */
  readonly sections: number;
  /** What a further statement of the same section is worth, as a share of the one before it. 0: one of each section. */
  readonly further: number;
  /** Power of the section's score in that of its statements. 0: statements by themselves. */
  readonly lift: number;
  /** What one point of BM25 of a statement's own words is worth against its weight, which is 0 to 1. */
  readonly own: number;
  /** The same for a message that is answered by words; further statements of a section then are worth as much as the first. */
  readonly directOwn: number;
  /** For such a message: what the words of the statement before count, as a share of a statement's own. An answer seldom says again what was asked. */
  readonly before: number;
  /** Whether it matters how directly a message is answered by words. */
  readonly directness: "weighed" | "ignored";
  /** What a statement's own cosine is worth against its weight, where there are vectors. */
  readonly ownMeaning: number;
  /** Share of meaning in the score of a section, where there are vectors; the rest is its words. */
  readonly sectionMeaning: number;
  /** Power of the length by which a statement's worth is divided. 0: long ones cost nothing. */
  readonly brevity: number;
  /** Least score of a chunk, as a share of the best one's. What has none at all is never brought, here and below. */
  readonly leastChunk: number;
  /** The same of a statement. */
  readonly leastStatement: number;
  /** Least score of the section that a statement stands in; the best section has 1. A chunk stands by its own words. */
  readonly leastSection: number;
  /** Whether what statements tell counts. */
  readonly telling: "weighed" | "ignored";
  /** Words taken from the best sections into the query. 0: only the query's own. */
  readonly feedbackWords: number;
  /** The best sections that give them. */
  readonly feedbackSections: number;
  /** What the best of them is worth against a word of the query. */
  readonly feedbackWeight: number;
}

/** Chosen on one half of a set of questions, looked at on the other; the bench of recall shows what each is worth. */
export const defaultRanking: RankingOptions = {
  chunkShare: 0.3,
  directShare: 0.5,
  sections: 60,
  further: 0.75,
  lift: 1,
  own: 0.03,
  directOwn: 0.3,
  before: 0.25,
  directness: "weighed",
  ownMeaning: 0.3,
  sectionMeaning: 0.3,
  brevity: 0.3,
  leastChunk: 0.4,
  leastStatement: 0.15,
  leastSection: 0.2,
  telling: "weighed",
  feedbackWords: 10,
  feedbackSections: 10,
  feedbackWeight: 0.3,
};
