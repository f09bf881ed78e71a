import { defaultRanking, type RankingOptions } from "./options.ts";
import type { Candidate, Chosen, ChosenParts, ScoredCandidate, ScoredSection } from "./types.ts";

export interface Choice<C extends Candidate> {
  readonly sections: readonly ScoredSection[];
  /** Best own score first. */
  readonly chunks: readonly ScoredCandidate<C>[];
  /** Of the sections, in any order. */
  readonly statements: readonly ScoredCandidate<C>[];
  /** Tokens that the texts may take together. */
  readonly budget: number;
  readonly tokens: (text: string) => number;
  readonly options?: Partial<RankingOptions>;
}

/**
 * The passages that go into the context, at most `budget` tokens: the best chunks in their share, then statements of many sections, best first. What a chosen
 * chunk holds is not said again, nor the same sentence twice.
 */
export function choosePassages<C extends Candidate>(choice: Choice<C>): readonly Chosen<C>[] {
  const options = { ...defaultRanking, ...choice.options };
  const chosen: Chosen<C>[] = [];
  const said = new Said();
  const scores = new Map(choice.sections.map(({ section, score }) => [section, score]));
  let left = choice.budget * options.chunkShare;
  const take = (passage: Omit<Chosen<C>, "tokens">): void => {
    if (said.has(passage.text)) return;
    const tokens = choice.tokens(passage.text);
    if (tokens > left) return;
    left -= tokens;
    said.add(passage.text);
    chosen.push({ ...passage, tokens });
  };
  for (const { row, own } of choice.chunks) {
    if (left < fewestTokens) break;
    const parts = { section: scores.get(row.section) ?? 0, words: own.words, meaning: own.meaning ?? 0, weight: 0 };
    take({ row, unit: "chunk", text: row.text, score: own.words, parts });
  }
  left += choice.budget * (1 - options.chunkShare);
  for (const { row, score, parts } of rankStatements(choice, scores, options)) {
    if (left < fewestTokens) break;
    take({ row, unit: "statement", text: row.text, score, parts });
  }
  return chosen;
}

/** Less is not worth a passage. */
const fewestTokens = 8;

interface Ranked<C> {
  readonly row: C;
  readonly score: number;
  readonly parts: ChosenParts;
}

function rankStatements<C extends Candidate>(
  choice: Choice<C>,
  scores: ReadonlyMap<number, number>,
  options: RankingOptions,
): readonly Ranked<C>[] {
  const bySection = new Map<number, Ranked<C>[]>();
  for (const { row, own } of choice.statements) {
    const parts = {
      section: scores.get(row.section) ?? 0,
      words: own.words,
      meaning: own.meaning ?? 0,
      weight: options.telling === "weighed" ? row.weight : 0,
    };
    const worth = parts.weight + options.own * parts.words + options.ownMeaning * Math.max(0, parts.meaning);
    const score = worth / Math.max(1, choice.tokens(row.text)) ** options.brevity;
    const group = bySection.get(row.section);
    if (group === undefined) bySection.set(row.section, [{ row, score, parts }]);
    else group.push({ row, score, parts });
  }
  const ranked: Ranked<C>[] = [];
  for (const [section, group] of bySection) {
    const lift = (scores.get(section) ?? 0) ** options.lift;
    group
      .sort(byScore)
      .forEach((one, index) => ranked.push({ ...one, score: one.score * lift * options.further ** index }));
  }
  return ranked.sort(byScore);
}

function byScore(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return b.score - a.score || a.row.id - b.row.id;
}

/** What was said, whatever its case, marks and spaces. */
class Said {
  #texts: string[] = [];

  has(text: string): boolean {
    const key = keyOf(text);
    return this.#texts.some((known) => known.includes(key));
  }

  add(text: string): void {
    this.#texts.push(keyOf(text));
  }
}

function keyOf(text: string): string {
  return ` ${
    text
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu)
      ?.join(" ") ?? text
  } `;
}
