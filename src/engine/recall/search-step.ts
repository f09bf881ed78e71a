import type { IndexTerm, SearchIndex, StoredRow } from "../../ports/search-index.ts";
import { choosePassages } from "../../recall/ranking/choose.ts";
import { feedbackTerms } from "../../recall/ranking/feedback.ts";
import { ownWords, rarities } from "../../recall/ranking/own-words.ts";
import { scoreSections } from "../../recall/ranking/section-score.ts";
import type { Chosen, ScoredCandidate, ScoredSection, TermHits } from "../../recall/ranking/types.ts";
import { liftSections } from "./lift.ts";
import type { StepTold } from "./one.ts";
import type { Pointed } from "./pointed.ts";
import { handedOver, type RecallQuery } from "./query.ts";
import { keyOfTerm, statementWords } from "./statement-words.ts";

export interface SearchStep {
  readonly index: SearchIndex;
  readonly query: RecallQuery;
  readonly pointed: readonly Pointed[];
  readonly budget: number;
  readonly count: (text: string) => number;
}

/** A chosen passage and what led to it. */
export interface Recalled extends Chosen<StoredRow> {
  readonly steps: readonly ("root" | "manifest" | "search")[];
}

/** Chunks that are looked at: more than fit into a large budget are never chosen. */
const mostChunks = 60;

/** Passages by words and by the sections they stand in; what the other steps point to counts more. */
export async function searchPassages(
  step: SearchStep,
): Promise<{ readonly chosen: readonly Recalled[]; readonly told: StepTold }> {
  const { index, query, pointed, budget, count } = step;
  if (query.terms.length === 0) return { chosen: [], told: { candidates: 0, kept: 0, notes: [] } };
  const told = new ToldStatements(index);
  const terms = termHits(query.terms, query.hits.terms);
  const more = await furtherTerms(told, { query, terms });
  const scored = scoreSections({ chunks: query.hits.rows, terms: [...terms, ...more] });
  const { sections, from } = await liftSections(index, { scored, pointed });
  const chunks = await chunksOf(index, query);
  const of = rarities(terms, query.hits.rows);
  const statements = (await told.of(sections)).map(({ row, words }) => ({ row, own: { words: ownWords(words, of) } }));
  const chosen = choosePassages({ sections, chunks, statements, budget, tokens: count });
  return {
    chosen: chosen.map((one) => ({ ...one, steps: [...(from.get(one.row.section) ?? []), "search"] })),
    told: { candidates: chunks.length + statements.length, kept: chosen.length, notes: notesOf(query, more) },
  };
}

function notesOf({ words }: RecallQuery, more: readonly TermHits[]): readonly string[] {
  return [...words, ...more.map(({ term }) => `+${term}`)];
}

function termHits(terms: RecallQuery["terms"], hits: RecallQuery["hits"]["terms"]): readonly TermHits[] {
  const heaviest = Math.max(1, ...terms.map(({ weight }) => weight));
  return terms.map((term, at) => {
    return { term: keyOfTerm(term), sections: hits[at] ?? new Map<number, number>(), weight: term.weight / heaviest };
  });
}

/** Words that were said in the best sections and that the message lacks, with the sections in which they stand. */
async function furtherTerms(
  told: ToldStatements,
  { query, terms }: { readonly query: RecallQuery; readonly terms: readonly TermHits[] },
): Promise<readonly TermHits[]> {
  const first = scoreSections({ chunks: query.hits.rows, terms });
  const statements = new Map<number, (readonly string[])[]>();
  for (const { row, words } of await told.of(first))
    statements.set(row.section, [...(statements.get(row.section) ?? []), words]);
  const sections = first.map(({ section, score }) => ({ score, statements: statements.get(section) ?? [] }));
  const found = feedbackTerms({ sections, known: new Set(terms.map(({ term }) => term)) });
  const { terms: hits } = await told.index.sectionHits("chunk", found.map(indexTerm), handedOver);
  return found.map((one, at) => ({ ...one, sections: hits[at] ?? new Map<number, number>() }));
}

function indexTerm({ term }: { readonly term: string }): IndexTerm {
  return term.startsWith(".") ? { kind: "part", text: term.slice(1) } : { kind: "word", text: term };
}

interface WordedStatement {
  readonly row: StoredRow;
  readonly words: readonly string[];
}

/** The statements of sections, each section read once. */
class ToldStatements {
  readonly index: SearchIndex;
  readonly #known = new Map<number, WordedStatement[]>();

  constructor(index: SearchIndex) {
    this.index = index;
  }

  async of(sections: readonly ScoredSection[]): Promise<readonly WordedStatement[]> {
    const ids = sections.map(({ section }) => section);
    const missing = ids.filter((id) => !this.#known.has(id));
    for (const id of missing) this.#known.set(id, []);
    for (const row of await this.index.rowsOfSections("statement", missing))
      this.#known.get(row.section)?.push({ row, words: statementWords(row.text) });
    return ids.flatMap((id) => this.#known.get(id) ?? []);
  }
}

async function chunksOf(index: SearchIndex, { terms }: RecallQuery): Promise<readonly ScoredCandidate<StoredRow>[]> {
  const found = await index.find({ ...handedOver, unit: "chunk", any: terms, limit: mostChunks });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  const scores = new Map(found.map(({ id, score }) => [id, score]));
  return rows.map((row) => ({ row, own: { words: scores.get(row.id) ?? 0 } }));
}
