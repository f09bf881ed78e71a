import { wordsOnly } from "../../text/corrected.ts";
import type { Known } from "../context/remembered.ts";
import type { StoredRow } from "../passages/sections.ts";
import { ranking } from "./weights.ts";
import type { ScoredSection } from "./scores.ts";

/** A row of the index that may be chosen. */
export interface ScoredRow {
  readonly row: StoredRow;
  /** BM25 of the row; 0 if it contains none of the words. */
  readonly words: number;
  /** How near its vector is to the message's; see `Meaning`. Absent without vectors. */
  readonly near?: number | undefined;
  /** `chosen`: a model chose it, so it need not contain the message's words. Default `found`. */
  readonly came?: "found" | "chosen";
}

/** A passage chosen for the context. */
export interface Chosen {
  readonly row: StoredRow;
  readonly unit: "chunk" | "statement";
  readonly tokens: number;
  /** Comparable only with passages of the same unit. */
  readonly score: number;
  /** The parts of the score, under the names that `--explain` shows. */
  readonly parts: Readonly<Record<"section" | "words", number> & Partial<Record<PartOfStatement, number>>>;
}

type PartOfStatement = "meaning" | "telling" | "words before" | "answered by words only";

export interface PassageChoice {
  /** Best first. If statements tie, the one whose section comes first wins. */
  readonly sections: readonly ScoredSection[];
  /** Best first. */
  readonly chunks: readonly ScoredRow[];
  /** All statements of these sections, in any order. Statements of other sections are ignored. */
  readonly statements: readonly ScoredRow[];
  /** Maximum tokens in all texts together. */
  readonly budget: number;
  readonly tokens: (text: string) => number;
  /** The result of `directnessOf`. */
  readonly direct: number;
  /** The result of `focusOf`. */
  readonly focus: number;
  readonly known: Known;
  /** Ids of the statements that may be chosen. Default: all. */
  readonly may?: ReadonlySet<number>;
}

/**
 * Chooses passages within `budget` tokens: the best chunks up to their share, then statements from many sections, best first. Text that is already in a chosen
 * passage, or that the reader knows, is not repeated. Without vectors, statements that score far below the best are left out; chunks always. So the result may use less than the budget.
 */
export function choosePassages(choice: PassageChoice): readonly Chosen[] {
  const { budget, direct } = choice;
  const scores = new Map(choice.sections.map(({ section, score }) => [section, score]));
  const chunks = choice.chunks.map(({ row, words, came }): Ranked => {
    return { row, score: words, parts: { section: scores.get(row.section) ?? 0, words }, came };
  });
  const room = budget * between(ranking.chunkShare, ranking.directChunkShare, direct);
  const whole = fill(choice, "chunk", bearing(chunks, { score: ranking.minChunk, section: 0 }), room, []);
  const left = budget - whole.reduce((sum, { tokens }) => sum + tokens, 0);
  // With vectors, what is far below the best may still be what was meant. A prompt's hook, which chooses among some statements, is stricter about sections.
  const isNear = choice.statements.some(({ near }) => near !== undefined);
  const least = {
    score: isNear ? 0 : ranking.minStatement,
    section: isNear && choice.may === undefined ? 0 : ranking.minSection,
  };
  const ranked = bearing(rankStatements(choice, scores), least);
  const { may } = choice;
  return fill(
    choice,
    "statement",
    may === undefined ? ranked : ranked.filter(({ row }) => may.has(row.id)),
    left,
    whole,
  );
}

function between(usual: number, whenDirect: number, direct: number): number {
  return usual + (whenDirect - usual) * direct;
}

/** Drops passages that score far below the best one. */
function bearing(
  ranked: readonly Ranked[],
  least: { readonly score: number; readonly section: number },
): readonly Ranked[] {
  const best = ranked.reduce((most, { score }) => Math.max(most, score), 0);
  return ranked.filter(
    ({ score, parts, came }) =>
      came === "chosen" || (score > 0 && score >= least.score * best && parts.section >= least.section),
  );
}

/** Stops when fewer than `smallest` tokens are left, or when more than `mostMisfits` passages did not fit. */
const smallest = 8;
const mostMisfits = 12;

function fill(
  choice: PassageChoice,
  unit: Chosen["unit"],
  ranked: readonly Ranked[],
  room: number,
  chosen: readonly Chosen[],
): readonly Chosen[] {
  const filled = [...chosen];
  const said = [choice.known.seen, ...filled.map(({ row }) => wordsOnly(row.text))];
  let left = room;
  let misfits = 0;
  const take = ({ row, score, parts }: Ranked): "taken" | "too long" | "said" => {
    const key = wordsOnly(row.text);
    if (said.some((known) => known.includes(key)) || choice.known.isOwn(row)) return "said";
    const tokens = choice.tokens(row.text);
    if (tokens > left) return "too long";
    left -= tokens;
    said.push(key);
    filled.push({ row, unit, tokens, score, parts });
    return "taken";
  };
  for (const one of ranked) {
    if (left < smallest || misfits > mostMisfits) break;
    const taken = take(one);
    if (taken === "too long") misfits += 1;
    const beside = taken === "taken" ? (one.beside ?? []) : [];
    for (const row of beside) if (choice.may?.has(row.id) !== false) take({ ...one, row });
  }
  return filled;
}

interface Ranked extends Pick<Chosen, "row" | "score" | "parts"> {
  /** Sentences next to it in the same line that it is not shown without, if they fit. */
  readonly beside?: readonly StoredRow[];
  readonly came?: ScoredRow["came"];
}

function rankStatements(
  { statements, direct, focus }: PassageChoice,
  scores: ReadonlyMap<number, number>,
): readonly Ranked[] {
  const bySection = Map.groupBy(statements, ({ row }) => row.section);
  const further = ranking.further ** (1 - direct);
  const ranked = [...scores].flatMap(([section, score]) =>
    (bySection.get(section) ?? [])
      .toSorted((a, b) => a.row.lines[0] - b.row.lines[0] || a.row.id - b.row.id)
      .map((one, at, all) => rankStatement(one, score, [all[at - 1], all[at + 1]], { direct, focus }))
      .toSorted(byScore)
      .map((one, index) => ({ ...one, score: one.score * further ** index })),
  );
  return ranked.toSorted(byScore);
}

/** A message as focused as this gets the sentences around those that are chosen. */
const leastFocus = 0.5;

/** Matches the start of a sentence whose subject is named only in the previous sentence. */
const pointsBack =
  /^(?:It|She|He|They|That|This|These|Those|Its|Her|His|Their)(?:['’]\w+)?\s|^(?:그것|그거|그녀|그는|그건|그게|이건|이게)|^(?:それ|これ|彼女|彼は)|^(?:它|他|她|这|那|這)/u;

function rankStatement(
  { row, words: own, near = 0 }: ScoredRow,
  section: number,
  [before, after]: readonly (ScoredRow | undefined)[],
  { direct, focus }: Pick<PassageChoice, "direct" | "focus">,
): Ranked {
  const ownBefore = ranking.before * direct * (before?.words ?? 0);
  const words = between(ranking.wordWeight, ranking.directWordWeight, direct) * (own + ownBefore);
  const alone = focus * ranking.aloneWeight * Math.max(0, (near - ranking.leastAlone) / (1 - ranking.leastAlone));
  const worth = (row.weight + words + ranking.meaningWeight * near) * section ** ranking.sectionPower + alone;
  const score = worth / Math.max(1, row.text.length) ** ranking.brevity;
  const parts = { section, words: own, meaning: near, telling: row.weight, "words before": ownBefore };
  // A short question asks for one thing, which is seldom told in one sentence. A long message only touches on something: more places help more.
  const beside = focus >= leastFocus ? [before, after] : pointsBack.test(row.text) ? [before] : [];
  return {
    row,
    score,
    parts: { ...parts, "answered by words only": direct },
    // One line contains one turn or part of a turn.
    beside: beside.flatMap((one) => (one?.row.lines[0] === row.lines[0] ? one.row : [])),
  };
}

function byScore(a: Ranked, b: Ranked): number {
  return b.score - a.score;
}
