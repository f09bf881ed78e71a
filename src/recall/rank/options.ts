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

/**
 * Chosen on one half of a set of questions, checked on the other; bench/recall.md shows what each is worth, and its bench changes them here.
 */
export const ranking = {
  /** Share of the budget for whole chunks: 0 for statements alone, 1 for chunks alone. */
  chunkShare: 0.3,
  /** The same for a message that words answer directly. */
  directChunkShare: 0.5,
  /** Sections that may give statements, best first. */
  sections: 60,
  /** What a further statement of the same section is worth, as a share of the one before it. 0: one of each section. */
  further: 0.75,
  /** Power of the section's score in that of its statements. 0: statements by themselves. */
  sectionPower: 1,
  /** What one point of BM25 of a statement's own words is worth against its weight, which is 0 to 1. */
  wordWeight: 0.03,
  /** The same for a message that words answer directly; further statements of a section are then worth as much as the first. */
  directWordWeight: 0.3,
  /** For such a message: what the words of the statement before count, as a share of a statement's own. An answer seldom repeats the question. */
  before: 0.25,
  /** What a statement's own cosine is worth against its weight, where there are vectors. */
  meaningWeight: 0.3,
  /** Share of meaning in the score of a section, where there are vectors; the rest is its words. */
  sectionMeaning: 0.3,
  /** Power of the length by which a statement's worth is divided. 0: long ones cost nothing. */
  brevity: 0.3,
  /** Least score of a chunk, as a share of the best one's. A score of 0 is always dropped, here and below. */
  minChunk: 0.4,
  /** The same of a statement. */
  minStatement: 0.15,
  /** Least score of the section that a statement is in; the best section has 1. A chunk needs only its own words. */
  minSection: 0.2,
  /** Words taken from the best sections into the query. 0: only the query's own. */
  feedbackWords: 10,
  /** The best sections that give them. */
  feedbackSections: 10,
  /** What the best of them is worth against a word of the query. */
  feedbackWeight: 0.3,
};
