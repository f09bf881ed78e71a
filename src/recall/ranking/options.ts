/** What ranking goes by. Each signal can be switched off, so that a bench can show what it is worth. */
export interface RankingOptions {
  /** Share of the budget for whole chunks; 0 for statements alone, 1 for chunks alone. */
  readonly chunkShare: number;
  /** Sections that may give statements, best first. */
  readonly sections: number;
  /** What a further statement of the same section is worth, as a share of the one before it. 0: one of each section. */
  readonly further: number;
  /** How much the section that a statement stands in counts. 0: statements by themselves. */
  readonly lift: number;
  /** How much a statement's own words count against its weight. */
  readonly own: number;
  /** How much a statement's own meaning counts against its weight, where there are vectors. */
  readonly ownMeaning: number;
  /** How much meaning counts in the score of a section against its words, where there are vectors. */
  readonly sectionMeaning: number;
  /** Whether what statements tell counts. */
  readonly telling: "weighed" | "ignored";
}

export const defaultRanking: RankingOptions = {
  chunkShare: 0.4,
  sections: 60,
  further: 0.7,
  lift: 1.5,
  own: 0.03,
  ownMeaning: 0.5,
  sectionMeaning: 0.5,
  telling: "weighed",
};
