import { isPlain } from "../../text/words/scripts.ts";
import { defaultRanking, type RankingOptions } from "./options.ts";
import type { ScoredSection } from "./scores.ts";

/** A row of the index that may be chosen. Other fields (source, day, type …) are kept as they are. */
export interface Candidate {
  readonly id: number;
  readonly section: number;
  readonly lines: readonly [number, number];
  readonly text: string;
  /** Of a statement: `Statement.weight`; of a chunk 0. */
  readonly weight: number;
}

/** How relevant a row itself is. */
interface OwnScores {
  /** BM25 of the row, 0 or more; 0 with none of the words. */
  readonly words: number;
  /** Cosine of its vector with the query's, -1 to 1; absent without vectors. */
  readonly meaning?: number | undefined;
}

export interface ScoredCandidate<C extends Candidate> {
  readonly row: C;
  readonly own: OwnScores;
  /** `chosen`: a model that understands the message chose it, so it need not have its words. Default `found`. */
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
interface ChosenParts {
  readonly section: number;
  readonly words: number;
  readonly meaning: number;
  readonly weight: number;
  /** What the words of the statement before add to `words`. */
  readonly before: number;
  /** How directly the message is answered by words, 0 to 1: the same for all its statements, 0 for a chunk. */
  readonly direct: number;
}

export interface PassageChoice<C extends Candidate> {
  /** Of equal statements the one of the section that is first here is the better. */
  readonly sections: readonly ScoredSection[];
  /** Best own score first. */
  readonly chunks: readonly ScoredCandidate<C>[];
  /** All of the sections, in any order; those of other sections are passed over. */
  readonly statements: readonly ScoredCandidate<C>[];
  /** Tokens that the texts may take together. */
  readonly budget: number;
  readonly tokens: (text: string) => number;
  /** How directly the message is answered by words, as by `directnessOf`. Default 0. */
  readonly direct?: number;
  readonly options?: Partial<RankingOptions>;
}

/**
 * The passages that go into the context, at most `budget` tokens: the best chunks in their share, then statements of many sections, best first. What a chosen
 * chunk contains is not repeated, nor the same sentence twice. What is far below the best is left out, so a choice may use less than the budget.
 */
export function choosePassages<C extends Candidate>(choice: PassageChoice<C>): readonly Chosen<C>[] {
  const options = forMessage({ ...defaultRanking, ...choice.options }, choice.direct ?? 0);
  const scores = new Map(choice.sections.map(({ section, score }) => [section, score]));
  const room = choice.budget * options.chunkShare;
  const allChunks = choice.chunks.map(({ row, own, came }): Ranked<C> => {
    const section = scores.get(row.section) ?? 0;
    const parts = { section, words: own.words, meaning: own.meaning ?? 0, weight: 0, before: 0, direct: 0 };
    return { row, score: own.words, parts, came };
  });
  const chunks = bearing(allChunks, { score: options.minChunk, section: 0 });
  const whole = fill(choice, "chunk", chunks, room, []);
  const left = choice.budget - whole.reduce((sum, { tokens }) => sum + tokens, 0);
  const least = { score: options.minStatement, section: options.minSection };
  const ranked = bearing(rankStatements(choice, scores, options), least);
  return fill(choice, "statement", ranked, left, whole);
}

/** Those that are not far below the best one: a budget need not be filled. */
function bearing<C extends Candidate>(
  ranked: readonly Ranked<C>[],
  least: { readonly score: number; readonly section: number },
): readonly Ranked<C>[] {
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
  return ranked.filter(
    ({ score, parts, came }) =>
      came === "chosen" || (score > 0 && score >= least.score * best && parts.section >= least.section),
  );
}

/** What the ranking goes by when a message is answered by words as directly as `given`. */
interface MessageRanking extends RankingOptions {
  readonly direct: number;
}

function forMessage(options: RankingOptions, given: number): MessageRanking {
  const direct = options.directness === "weighed" ? given : 0;
  const between = (usual: number, whenDirect: number): number => usual + (whenDirect - usual) * direct;
  return {
    ...options,
    direct,
    chunkShare: between(options.chunkShare, options.directChunkShare),
    wordWeight: between(options.wordWeight, options.directWordWeight),
    before: options.before * direct,
    further: options.further ** (1 - direct),
  };
}

/** Less room is not worth a passage, in tokens; and after so many that did not fit no other is tried. */
const smallest = 8;
const mostMisfits = 12;

function fill<C extends Candidate>(
  choice: PassageChoice<C>,
  unit: Chosen<C>["unit"],
  ranked: readonly Ranked<C>[],
  room: number,
  chosen: readonly Chosen<C>[],
): readonly Chosen<C>[] {
  const filled = [...chosen];
  const said = filled.map(({ text }) => keyOf(text));
  let left = room;
  let misfits = 0;
  const take = ({ row, score, parts }: Ranked<C>): "taken" | "too long" | "said" => {
    const key = keyOf(row.text);
    if (said.some((known) => known.includes(key))) return "said";
    const tokens = choice.tokens(row.text);
    if (tokens > left) return "too long";
    left -= tokens;
    said.push(key);
    filled.push({ row, unit, text: row.text, tokens, score, parts });
    return "taken";
  };
  for (const one of ranked) {
    if (left < smallest || misfits > mostMisfits) break;
    const taken = take(one);
    if (taken === "too long") misfits += 1;
    if (taken === "taken" && one.behind !== undefined) take({ ...one, row: one.behind });
  }
  return filled;
}

interface Ranked<C> {
  readonly row: C;
  /** What is said before it in the same line, where it begins with a word that points back. */
  readonly behind?: C;
  readonly score: number;
  readonly parts: ChosenParts;
  readonly came: ScoredCandidate<Candidate>["came"];
}

function rankStatements<C extends Candidate>(
  choice: PassageChoice<C>,
  scores: ReadonlyMap<number, number>,
  options: MessageRanking,
): readonly Ranked<C>[] {
  const bySection = Map.groupBy(choice.statements, ({ row }) => row.section);
  const ranked = [...scores].flatMap(([section, score]) =>
    (bySection.get(section) ?? [])
      .toSorted((a, b) => a.row.lines[0] - b.row.lines[0] || a.row.id - b.row.id)
      .map((one, at, all) => rankStatement(one, score, all[at - 1], options))
      .toSorted(byScore)
      .map((one, index) => ({ ...one, score: one.score * options.further ** index })),
  );
  return ranked.toSorted(byScore);
}

/** Beginnings of a sentence that says of whom or what it speaks only in the one before. */
const pointsBack =
  /^(?:It|She|He|They|That|This|These|Those|Its|Her|His|Their)(?:['’]\w+)?\s|^(?:그것|그거|그녀|그는|그건|그게|이건|이게)|^(?:それ|これ|彼女|彼は)|^(?:它|他|她|这|那|這)/u;

function rankStatement<C extends Candidate>(
  { row, own }: ScoredCandidate<C>,
  section: number,
  before: ScoredCandidate<C> | undefined,
  options: MessageRanking,
): Ranked<C> {
  const parts = {
    section,
    words: own.words,
    meaning: own.meaning ?? 0,
    weight: options.telling === "weighed" ? row.weight : 0,
    before: options.before * (before?.own.words ?? 0),
    direct: options.direct,
  };
  const words = options.wordWeight * (parts.words + parts.before);
  const worth = parts.weight + words + options.meaningWeight * Math.max(0, parts.meaning);
  const score = (worth * section ** options.sectionPower) / Math.max(1, row.text.length) ** options.brevity;
  // A line has a turn, or a part of one.
  const isBehind = before?.row.lines[0] === row.lines[0] && pointsBack.test(row.text);
  return { row, score, parts, came: "found", ...(isBehind ? { behind: before.row } : {}) };
}

function byScore(a: Ranked<Candidate>, b: Ranked<Candidate>): number {
  return b.score - a.score;
}

/** What was said, whatever its case, marks and spaces. */
function keyOf(text: string): string {
  const lower = text.toLowerCase();
  const words = lower.match(isPlain(lower) ? /[a-z0-9]+/g : /[\p{L}\p{N}]+/gu) ?? [text];
  return ` ${words.join(" ")} `;
}
