/**
 * How recall ranks, and the main numbers that decide what comes first, what fits and what is dropped.
 *
 * 1. `statementsOf` (statements.ts) splits what people said or wrote in a section into sentences and weighs each from 0 to 1. An assistant's turns stay in
 *    chunks (speakers.ts).
 * 2. `scoreSections` (scores.ts) ranks whole sections by BM25 and, if there are vectors, by meaning: a passage seldom shares words with a message, but its
 *    section often does. A word's frequency is the number of chunks in the section that contain it.
 * 3. `feedbackTerms` (scores.ts) adds words from the best sections to the query, and `scoreSections` runs again.
 * 4. Sections that ROOT.md, a node or a model points to score higher (`stepBoost`).
 * 5. `choosePassages` (choose.ts) fills the budget: the best chunks take a share of it, and statements from many sections take the rest.
 *
 * If one statement contains enough of the message's words (`directnessOf`), the message asks for something that was said, and a statement's own words count
 * most.
 *
 * Dates do not count here: a date in the message filters nothing. Ties keep the order of the index: sources without a day first, then the newest.
 *
 * Other numbers are in the files that use them: the effect of newer days in ../run/newest-first.ts; when passages are about the same thing, and when they are
 * old, in ../context/remembered.ts; which lines of ROOT.md and nodes are followed in ../run/follow-nodes.ts; the minimum cosine in ../run/meaning.ts; limits on
 * what is read or compared in ../run/query.ts, ../run/search-step.ts, choose.ts, scores.ts and statements.ts.
 */

/** The budget in tokens if the caller gives none. */
export const defaultBudget = 2000;

/** A section with less than this share of the message's weight matches by chance. Of 450 messages that touch on something remembered, none had less. */
export const minCoverage = 0.2;

/** Added to the score of a section if ROOT.md, a node, or a topic chosen by a model points to it with the message's full weight. The best section scores 1. */
export const stepBoost = { root: 0.25, manifest: 0.25, chosen: 0.625 };

/** Directness, by the share of the message's words (weighted by rarity) that one statement contains: 0 up to `from`, 1 from `to`. */
export const directRange = { from: 0.25, to: 0.4 };

/** How focused a message is, by its number of words with content: 0 from `from` words on, 1 up to `to` words. */
export const focusRange = { from: 12, to: 6 };

/** How much a message's words are trusted, by its coverage (../run/query.ts): 0 up to `from`, 1 from `to`. What is left goes to meaning, if there are vectors. */
export const trustRange = { from: 0.2, to: 0.5 };

/** BM25's k1 and b (Robertson and Zaragoza 2009). */
export const saturation = 1.2;
export const lengthShare = 0.75;

/**
 * Tuned on one half of a set of questions and checked on the other. bench/recall.md shows the effect of each; that benchmark patches the values in this file.
 */
export const ranking = {
  /** Share of the budget for whole chunks. 0: only statements; 1: only chunks. */
  chunkShare: 0.3,
  /** The same for a message that is answered directly. */
  directChunkShare: 0.5,
  /** How many of the best sections may contribute statements. */
  sections: 60,
  /** Value of each additional statement from the same section, relative to the previous one. 0: one statement per section. */
  further: 0.75,
  /** Exponent of the section's score in the score of its statements. 0: the section does not count. */
  sectionPower: 1,
  /** Value of one BM25 point of a statement's own words, relative to its weight of 0 to 1. */
  wordWeight: 0.03,
  /** The same for a message that is answered directly. Additional statements from a section then count as much as the first. */
  directWordWeight: 0.3,
  /**
   * For a message that is answered directly: value of the previous statement's words, relative to the statement's own, because an answer seldom repeats the
   * question.
   */
  before: 0.25,
  /** Value of a statement's nearness, relative to its weight, if there are vectors. */
  meaningWeight: 0.4,
  /**
   * For a focused message: value of a statement's nearness above `leastAlone` of its own, whatever its section scores. A short question asks for one statement, which may be anywhere;
   * a long message touches on something, and statements of the same section then belong together.
   */
  aloneWeight: 3,
  /** Less nearness is common. */
  leastAlone: 0.3,
  /** Share of meaning in a section's score, if there are vectors: by a model, or of words. Words as they are make up the rest. */
  sectionMeaning: 0.3,
  sectionMeaningOfWords: 0.15,
  /** A statement's value is divided by its length to this power. 0: length does not matter. */
  brevity: 0.3,
  /** Minimum score of a chunk, relative to the best chunk's. Chunks and statements that score 0 are always dropped, unless a model chose them. */
  minChunk: 0.4,
  /** The same for statements. */
  minStatement: 0.15,
  /** Minimum score of a statement's section; the best section scores 1. Chunks have no such limit. */
  minSection: 0.2,
  /** How many words from the best sections are added to the query. */
  feedbackWords: 10,
  /** How many sections they come from. */
  feedbackSections: 10,
  /** Weight of the best of them, relative to a query word. */
  feedbackWeight: 0.3,
  /** For whole sessions: how often a word of a person counts; a word of an assistant counts once, because its answers are long. */
  personWords: 3,
  /** For whole sessions, relative to the words of all of it: the best statement, the score of the section, and a day that the message names. */
  bestStatement: 0.5,
  sectionScore: 0.25,
  namedDay: 0.2,
  /** A nearness of 1, if there are vectors. The words and the best statement then count less, the less the message's words are trusted. */
  sessionMeaning: 0.5,
};
