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

/** A line of a section: 1-based number in its source, text without its line end. */
export interface SourceLine {
  readonly number: number;
  readonly text: string;
}

/** A sentence that tells something, with the line it stands in. */
export interface Statement {
  readonly line: number;
  readonly text: string;
  /** 0 to 1: how much it tells. */
  readonly weight: number;
}

/** A word of the query and where it stands. */
export interface TermHits {
  readonly term: string;
  /** In how many chunks of each section the word stands: section id to count. Sections without it are absent. */
  readonly sections: ReadonlyMap<number, number>;
  /** How much the word counts beside its rarity. Default 1. */
  readonly weight?: number;
}

/** How well a section bears on the query, 0 to 1: 1 is the best section found. */
export interface ScoredSection {
  readonly section: number;
  readonly score: number;
  readonly parts: SectionParts;
}

/** What a section's score is made of, each 0 to 1. */
export interface SectionParts {
  readonly words: number;
  readonly meaning: number;
}

/** A row of the index that may be chosen. Other fields (source, day, type …) are kept as they are. */
export interface Candidate {
  readonly id: number;
  readonly section: number;
  readonly lines: readonly [number, number];
  readonly text: string;
  /** Of a statement: `Statement.weight`; of a chunk 0. */
  readonly weight: number;
}

/** How well a row itself bears on the query. */
export interface OwnScores {
  /** BM25 of the row, 0 or more; 0 when none of the words stands in it. */
  readonly words: number;
  /** Cosine of its vector with the query's, -1 to 1; absent without vectors. */
  readonly meaning?: number;
}

export interface ScoredCandidate<C extends Candidate> {
  readonly row: C;
  readonly own: OwnScores;
  /** `chosen`: somebody who understands the message was led here, so it need not hold its words. Default `found`. */
  readonly came?: "found" | "chosen";
}

/** A passage of the context, in the order in which it is handed over. */
export interface Chosen<C extends Candidate> {
  readonly row: C;
  readonly unit: "chunk" | "statement";
  /** The row's text, shortened where it was too long for its place. */
  readonly text: string;
  readonly tokens: number;
  /** Comparable within one unit. */
  readonly score: number;
  readonly parts: ChosenParts;
}

/** What a passage's score is made of. */
export interface ChosenParts {
  readonly section: number;
  readonly words: number;
  readonly meaning: number;
  readonly weight: number;
  /** What the words of the statement before add to `words`. */
  readonly before: number;
  /** How directly the message is answered by words, 0 to 1: the same for all its statements, 0 for a chunk. */
  readonly direct: number;
}
