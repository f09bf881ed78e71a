/**
 * How recall ranks. Every figure that decides what comes first, what fits and what is dropped is in this file.
 *
 * 1. `statementsOf` (statements.ts) finds the sentences of a section that say something about the person, each with a weight of 0 to 1. Only a person's own
 *    sentences count; an assistant's turns stay in chunks (speakers.ts).
 * 2. `scoreSections` (scores.ts) ranks whole sections by BM25 and, where there are vectors, by meaning: a passage seldom shares words with a message, but its
 *    section often does. A word's frequency is the number of the section's chunks that contain it.
 * 3. `feedbackTerms` (scores.ts) adds words of the best sections to the query, and `scoreSections` runs again.
 * 4. Places that ROOT.md, a node or a model leads to raise their sections (`stepBoost`).
 * 5. `choosePassages` (choose.ts) fills the budget: the best chunks in a share of it, then statements of many sections.
 *
 * A message that words answer directly (`directnessOf`) asks for something that was said: then a statement's own words count most.
 *
 * Dates have no weight. A date in the message filters nothing here, and of equal scores the newer source comes first, as the index returns them.
 */

/** Tokens of the passages when the caller names no budget. */
export const defaultBudget = 2000;

/** The floor: below this share of the message's weight a section shares words with it by chance. Of 450 messages that touch on what is remembered none had less than 0.2. */
export const minCoverage = 0.2;

/** What a section gains when ROOT.md, a node, or a topic that a model chose leads to it with the message's full weight; the best section has 1. */
export const stepBoost = { root: 0.25, manifest: 0.25, chosen: 0.625 };

/** Share of the message's words, by rarity, in one statement: where it begins to be answered directly, and where fully. */
export const directRange = { from: 0.25, to: 0.4 };

/** Constants of BM25 (Robertson and Zaragoza 2009); FTS5 has the same. */
export const saturation = 1.2;
export const lengthShare = 0.75;

/** Each signal can be switched off, so that a bench can show what it is worth. */
export interface RankingOptions {
  /** Share of the budget for whole chunks: 0 for statements alone, 1 for chunks alone. */
  readonly chunkShare: number;
  /** The same for a message that words answer directly. */
  readonly directChunkShare: number;
  /** Sections that may give statements, best first. */
  readonly sections: number;
  /** What a further statement of the same section is worth, as a share of the one before it. 0: one of each section. */
  readonly further: number;
  /** Power of the section's score in that of its statements. 0: statements by themselves. */
  readonly sectionPower: number;
  /** What one point of BM25 of a statement's own words is worth against its weight, which is 0 to 1. */
  readonly wordWeight: number;
  /** The same for a message that words answer directly; further statements of a section are then worth as much as the first. */
  readonly directWordWeight: number;
  /** For such a message: what the words of the statement before count, as a share of a statement's own. An answer seldom repeats the question. */
  readonly before: number;
  readonly directness: "weighed" | "ignored";
  /** What a statement's own cosine is worth against its weight, where there are vectors. */
  readonly meaningWeight: number;
  /** Share of meaning in the score of a section, where there are vectors; the rest is its words. */
  readonly sectionMeaning: number;
  /** Power of the length by which a statement's worth is divided. 0: long ones cost nothing. */
  readonly brevity: number;
  /** Least score of a chunk, as a share of the best one's. A score of 0 is always dropped, here and below. */
  readonly minChunk: number;
  /** The same of a statement. */
  readonly minStatement: number;
  /** Least score of the section that a statement is in; the best section has 1. A chunk needs only its own words. */
  readonly minSection: number;
  /** Whether the weight of statements counts. */
  readonly telling: "weighed" | "ignored";
  /** Words taken from the best sections into the query. 0: only the query's own. */
  readonly feedbackWords: number;
  /** The best sections that give them. */
  readonly feedbackSections: number;
  /** What the best of them is worth against a word of the query. */
  readonly feedbackWeight: number;
}

/** Chosen on one half of a set of questions, checked on the other; bench/recall.md shows what each is worth. */
export const defaultRanking: RankingOptions = {
  chunkShare: 0.3,
  directChunkShare: 0.5,
  sections: 60,
  further: 0.75,
  sectionPower: 1,
  wordWeight: 0.03,
  directWordWeight: 0.3,
  before: 0.25,
  directness: "weighed",
  meaningWeight: 0.3,
  sectionMeaning: 0.3,
  brevity: 0.3,
  minChunk: 0.4,
  minStatement: 0.15,
  minSection: 0.2,
  telling: "weighed",
  feedbackWords: 10,
  feedbackSections: 10,
  feedbackWeight: 0.3,
};
