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
  const scores = new Map(choice.sections.map(({ section, score }) => [section, score]));
  const room = choice.budget * options.chunkShare;
  const whole = fill(choice, { unit: "chunk", ranked: rankChunks(choice, scores), room, chosen: [] });
  const left = choice.budget - whole.reduce((sum, { tokens }) => sum + tokens, 0);
  return fill(choice, {
    unit: "statement",
    ranked: rankStatements(choice, scores, options),
    room: left,
    chosen: whole,
  });
}

/** Less room is not worth a passage, in tokens; and after so many that did not fit no other is tried. */
const smallest = 8;
const mostMisfits = 12;

interface Filling<C extends Candidate> {
  readonly unit: Chosen<C>["unit"];
  readonly ranked: readonly Ranked<C>[];
  readonly room: number;
  readonly chosen: readonly Chosen<C>[];
}

function fill<C extends Candidate>(
  choice: Choice<C>,
  { unit, ranked, room, chosen }: Filling<C>,
): readonly Chosen<C>[] {
  const filled = [...chosen];
  const said = new Said(filled.map(({ text }) => text));
  let left = room;
  let misfits = 0;
  for (const { row, score, parts } of ranked) {
    if (left < smallest || misfits > mostMisfits) break;
    if (said.has(row.text)) continue;
    const tokens = choice.tokens(row.text);
    if (tokens > left) misfits += 1;
    else {
      left -= tokens;
      said.add(row.text);
      filled.push({ row, unit, text: row.text, tokens, score, parts });
    }
  }
  return filled;
}

interface Ranked<C> {
  readonly row: C;
  readonly score: number;
  readonly parts: ChosenParts;
}

function rankChunks<C extends Candidate>(choice: Choice<C>, scores: ReadonlyMap<number, number>): readonly Ranked<C>[] {
  return choice.chunks.map(({ row, own }) => {
    const parts = { section: scores.get(row.section) ?? 0, words: own.words, meaning: own.meaning ?? 0, weight: 0 };
    return { row, score: own.words, parts };
  });
}

function rankStatements<C extends Candidate>(
  choice: Choice<C>,
  scores: ReadonlyMap<number, number>,
  options: RankingOptions,
): readonly Ranked<C>[] {
  const bySection = new Map<number, Ranked<C>[]>();
  for (const { row, own } of choice.statements) {
    const section = scores.get(row.section) ?? 0;
    const weight = options.telling === "weighed" ? row.weight : 0;
    const parts = { section, words: own.words, meaning: own.meaning ?? 0, weight };
    const worth = weight + options.own * own.words + options.ownMeaning * Math.max(0, parts.meaning);
    const score = (worth * section ** options.lift) / Math.max(1, row.text.length) ** options.brevity;
    const group = bySection.get(row.section);
    if (group === undefined) bySection.set(row.section, [{ row, score, parts }]);
    else group.push({ row, score, parts });
  }
  const ranked = [...bySection.values()].flatMap((group) =>
    group.toSorted(byScore).map((one, index) => ({ ...one, score: one.score * options.further ** index })),
  );
  return ranked.toSorted(byScore);
}

function byScore(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return b.score - a.score || a.row.id - b.row.id;
}

/** What was said, whatever its case, marks and spaces. */
class Said {
  #texts: string[];

  constructor(texts: readonly string[]) {
    this.#texts = texts.map(keyOf);
  }

  has(text: string): boolean {
    const key = keyOf(text);
    return this.#texts.some((known) => known.includes(key));
  }

  add(text: string): void {
    this.#texts.push(keyOf(text));
  }
}

function keyOf(text: string): string {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [text];
  return ` ${words.join(" ")} `;
}
