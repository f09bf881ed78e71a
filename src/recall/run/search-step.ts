import type { Warning } from "../../base/errors.ts";
import { findChunks } from "../index/prepare.ts";
import { recallSources, type IndexTerm, type SearchIndex, type StoredRow } from "../index/search-index.ts";
import { minCoverage, ranking, stepBoost } from "../rank/weights.ts";
import {
  directnessOf,
  feedbackCandidates,
  feedbackTerms,
  focusOf,
  noSections,
  directStatements,
  ownWords,
  rarities,
  scoreSections,
  wordScores,
  type SectionQuery,
  type ScoredSection,
  type TermHits,
} from "../rank/scores.ts";
import { choosePassages, type Chosen, type ScoredRow } from "../rank/choose.ts";
import type { Known } from "../context/remembered.ts";
import { isRelated } from "../rank/floor.ts";
import { isOnlyHeadings } from "../snippets/snippet.ts";
import type { CorrectedBy } from "./corrections.ts";
import type { Meaning } from "./meaning.ts";
import type { StepReport } from "./follow-nodes.ts";
import type { Pointed } from "../memory.ts";
import { passageOf, type Passage } from "./passages.ts";
import { overlaps, type Pins } from "./pins.ts";
import { wordsOnly } from "../../text/corrected.ts";
import type { RecallQuery } from "./query.ts";
import { remembering } from "../../base/lines.ts";
import { compareTexts, greatest } from "../../base/lists.ts";
import { isPlain } from "../../text/words/scripts.ts";
import { wordsBeginningLike, partKey, rawWords, termOf } from "../../text/words/index-terms.ts";
import { isFunctionWord } from "../../text/words/stop-words.ts";
import { partsOf } from "../../text/words/names-and-numbers.ts";

interface SearchStep {
  readonly index: SearchIndex;
  readonly query: RecallQuery;
  readonly meaning: () => Promise<Meaning>;
  readonly pointed: readonly Pointed[];
  readonly budget: number;
  readonly count: (text: string) => number;
  /** `quick`: finds only sentences, and only by the message's own words. Default: also finds chunks, and adds words by feedback. */
  readonly way?: "quick";
  readonly known: Known;
  /** Corrections, and what is never recalled. */
  readonly correctedBy: CorrectedBy;
  readonly pins: Pins;
  /** For the quick way: `none` returns passages even if the message has nothing to do with the memory. */
  readonly floor?: "none" | undefined;
  /** Whether sessions are ranked, which has no floor. */
  readonly isRanking: boolean;
  /** The message. */
  readonly text: string;
}

/** How many chunks are considered: about as many as fit into a large budget. */
const mostChunks = 60;
/** How many sections the quick way reads. For a small budget, a third of the usual number finds nearly as much (bench/hooks.md). */
const quickSections = 20;

export interface Searched {
  readonly chosen: readonly Passage[];
  /** The sections that were considered, best first. */
  readonly sections: readonly ScoredSection[];
  /** All statements that were considered. */
  readonly statements: readonly StoredRow[];
  /** See `Meaning`. */
  readonly nearness: Meaning["nearness"];
  readonly told: StepReport;
  readonly warnings: readonly Warning[];
}

/** Finds passages by their words and their sections. What the other steps point to ranks higher. */
export async function searchPassages(step: SearchStep): Promise<Searched> {
  const { index, query, pointed, budget, count, way, floor, isRanking, known, correctedBy, pins } = step;
  if (query.terms.length === 0) return nothing(["no word of the message indicates its subject"], []);
  const terms = termHits(query.terms, query.hits.terms);
  const pinned = await pinnedPassages(step, terms);
  const meaning = await step.meaning();
  const isLed = pointed.some((place) => place.step === "chosen");
  if (query.coverage < minCoverage && meaning.ofSections === undefined && !isLed && !isRanking)
    return nothing([...query.words, "no section has enough of them"], meaning.warnings, pinned);
  const asked = { chunks: query.hits.rows, terms, meaning: meaning.ofSections, coverage: query.coverage };
  const before = wordScores(asked);
  const more = way === "quick" ? [] : await furtherTerms(index, asked, scoreSections({ ...asked, terms: [], before }));
  const most = way === "quick" ? quickSections : ranking.sections;
  const scored = scoreSections({ ...asked, terms: more, before, most });
  const { sections, from } = await boostSections(index, scored, pointed);
  const found = way === "quick" ? [] : withoutThreadCopies(await foundChunks(index, query, pointed));
  const isRight = (row: StoredRow): boolean => correctedBy(row) === undefined;
  const isPinned = (row: StoredRow): boolean => pinned.some((one) => overlaps(one.row, row));
  const chunks = found.filter(({ row }) => isRight(row) && !isPinned(row));
  const rare = rarities(terms, query.hits.rows);
  const like = wordsLike(rare.keys());
  const ids = sections.map(({ section }) => section);
  const ofHeading = remembering(like, 1000);
  const isKnown = (term: string): boolean => rare.has(term);
  const statements = (await index.rowsOfSections("statement", ids))
    .map((row) => {
      const own = like(row.text);
      return { row, own, words: ownWords(own, rare), near: meaning.nearness(row.id) };
    })
    // The quick way chooses no other statements, and reading all of them for corrections takes long.
    .map((one) => ({ ...one, may: way !== "quick" || one.words > 0 || ofHeading(one.row.heading).some(isKnown) }))
    .filter(({ row, may }) => (may ? isRight(row) : !pins.isNever(row)));
  const hasFloor = way === "quick" && floor === undefined;
  if (hasFloor) {
    const asking = { text: step.text, words: query.about, terms, chunks: query.hits.rows, tokens: count };
    const all = statements.map(({ row, own }) => [...ofHeading(row.heading), ...own]);
    if (!isRelated(asking, all))
      return nothing([...query.words, "no statement has enough of them"], meaning.warnings, pinned);
  }
  const best = statements.filter(({ words }) => words > 0).toSorted((a, b) => b.words - a.words);
  const bestWords = best.slice(0, directStatements).map(({ row }) => statementWords(row.text));
  const direct = directnessOf(bestWords, rare);
  const may = hasFloor ? { may: new Set(statements.flatMap((one) => (one.may ? one.row.id : []))) } : {};
  const chosen = choosePassages({
    sections,
    chunks,
    statements,
    budget: budget - pinned.reduce((sum, { text }) => sum + count(text), 0),
    tokens: count,
    direct,
    focus: focusOf(query.about.length),
    known:
      pinned.length === 0
        ? known
        : { ...known, seen: [known.seen, ...pinned.map(({ row }) => wordsOnly(row.text))].join("") },
    ...may,
  });
  // Parts of words start with a dot. Parts with Hiragana (endings and particles) mean nothing to a reader.
  const notable = more.map(({ term }) => term.replace(/^\./u, "")).filter((term) => !/\p{Script=Hiragana}/u.test(term));
  return {
    chosen: [...pinned, ...chosen.map((one) => recalled(one, from.get(one.row.section) ?? []))],
    sections,
    statements: statements.map(({ row }) => row),
    nearness: meaning.nearness,
    told: {
      candidates: chunks.length + statements.length,
      kept: pinned.length + chosen.length,
      notes: [...query.words, ...notable.map((term) => `+${term}`)],
    },
    warnings: meaning.warnings,
  };
}

/** `steps`: the steps that led to the passage's section. */
function recalled({ row, unit, score, parts }: Chosen, steps: readonly Pointed["step"][]): Passage {
  const all = [...[...steps, "search"].map((step) => [stepPart(step), 1] as const), ...Object.entries(parts)];
  const told = all.filter(([, of]) => of !== 0).map(([part, of]) => ({ part, score: Math.round(of * 1000) / 1000 }));
  return { ...passageOf(row, unit), score, parts: told };
}

/** The name of the score part that shows which step led to a passage. */
export function stepPart(step: string): string {
  return `step ${step}`;
}

function nothing(notes: readonly string[], warnings: readonly Warning[], pinned: readonly Passage[] = []): Searched {
  return {
    chosen: pinned,
    sections: [],
    statements: [],
    nearness: () => undefined,
    told: { candidates: pinned.length, kept: pinned.length, notes },
    warnings,
  };
}

/** The name of the score part of a passage that a person pinned. */
const pinnedPart = "pinned";

export function isPinnedPassage({ parts }: Passage): boolean {
  return parts.some(({ part }) => part === pinnedPart);
}

/** Pinned places of which any sentence has a word of the message: all of their sentences, within the budget. */
async function pinnedPassages(step: SearchStep, terms: readonly TermHits[]): Promise<readonly Passage[]> {
  const { index, query, pins, correctedBy, known, budget, count, isRanking } = step;
  if (pins.first.length === 0 || isRanking) return [];
  const rare = rarities(terms, query.hits.rows);
  const like = wordsLike(rare.keys());
  const found: { readonly words: number; readonly rows: readonly StoredRow[] }[] = [];
  for (const place of pins.first) {
    const statements = await index.rowsAt("statement", [place]);
    const all = statements.length > 0 ? statements : await index.rowsAt("chunk", [place]);
    const rows = all.filter((row) => correctedBy(row) === undefined);
    const words = greatest([0, ...rows.map((row) => ownWords([...like(row.heading), ...like(row.text)], rare))]);
    if (words > 0) found.push({ words, rows });
  }
  let left = budget;
  const passages: Passage[] = [];
  for (const { words, rows } of found.toSorted((a, b) => b.words - a.words)) {
    const kept: StoredRow[] = [];
    for (const row of rows.toSorted((a, b) => a.lines[0] - b.lines[0])) {
      const tokens = count(row.text);
      const isGiven =
        known.isOwn(row) ||
        known.seen.includes(wordsOnly(row.text)) ||
        passages.some((one) => overlaps(one.row, row)) ||
        kept.some(({ id }) => id === row.id);
      if (isGiven || tokens > left) continue;
      left -= tokens;
      kept.push(row);
    }
    const [first] = kept;
    if (first === undefined) continue;
    // One passage, as it was pinned.
    const text = kept.map((row) => row.text.trim()).join("\n");
    const row = { ...first, lines: [first.lines[0], greatest(kept.map(({ lines }) => lines[1]))] as const, text };
    passages.push({ ...passageOf(row, "statement"), score: words, parts: [{ part: pinnedPart, score: 1 }] });
  }
  return passages;
}

/** The terms of a message with the sections that contain them; the heaviest has weight 1. */
export function termHits(terms: RecallQuery["terms"], hits: RecallQuery["hits"]["terms"]): readonly TermHits[] {
  const heaviest = greatest([1, ...terms.map(({ weight }) => weight)]);
  return terms.map((term, at) => {
    const key = term.kind === "part" ? partKey(term.text) : termOf(term.text);
    return { term: key, sections: hits[at] ?? noSections, weight: term.weight / heaviest };
  });
}

/** Words from the best sections that the message does not contain, with the sections that contain them. */
async function furtherTerms(
  index: SearchIndex,
  { terms }: SectionQuery,
  scored: readonly ScoredSection[],
): Promise<readonly TermHits[]> {
  const best = scored.slice(0, ranking.feedbackSections);
  const statements = new Map<number, (readonly string[])[]>(best.map(({ section }) => [section, []]));
  for (const { section, text } of await index.rowsOfSections("statement", [...statements.keys()]))
    statements.get(section)?.push(statementWords(text));
  const sections = best.map(({ section, score }) => ({ score, statements: statements.get(section) ?? [] }));
  const candidates = feedbackCandidates(sections, new Set(terms.map(({ term }) => term)));
  const frequencies = await index.frequencies(candidates.map((one) => indexTerm(one).text));
  const found = feedbackTerms(candidates, frequencies);
  const { terms: hits } = await index.sectionHits(found.map(indexTerm), recallSources);
  return found.map((one, at) => ({ ...one, sections: hits[at] ?? noSections }));
}

function indexTerm({ term }: { readonly term: string }): IndexTerm {
  return term.startsWith(".") ? { kind: "part", text: term.slice(1) } : { kind: "word", text: term };
}

/** Chunks that contain the words, then chunks that a model's choice points to, which may contain none of them. */
async function foundChunks(
  index: SearchIndex,
  { chunkTerms }: RecallQuery,
  pointed: readonly Pointed[],
): Promise<readonly ScoredRow[]> {
  const found = await findChunks(index, { ...recallSources, any: chunkTerms, limit: mostChunks });
  const chosen = pointed.filter(({ step }) => step === "chosen");
  const more = chosen.length === 0 ? [] : await index.rowsAt("chunk", chosen);
  const led = new Set(more.map(({ id }) => id));
  const known = new Set(found.map(({ row }) => row.id));
  const all = [...found, ...more.filter(({ id }) => !known.has(id)).map((row) => ({ row, score: 0 }))];
  // A chunk of only headings has no content.
  return all
    .filter(({ row }) => !isOnlyHeadings(row.text))
    .map(({ row, score }) => ({ row, words: score, came: led.has(row.id) ? "chosen" : "found" }));
}

/** How many of the strongest places are followed. */
const mostFollowed = 12;

/** Boosts the sections that the other steps point to, and adds those that the search itself did not find. */
async function boostSections(
  index: SearchIndex,
  scored: readonly ScoredSection[],
  pointed: readonly Pointed[],
): Promise<{
  readonly sections: readonly ScoredSection[];
  /** The steps that led to each section. */
  readonly from: ReadonlyMap<number, readonly Pointed["step"][]>;
}> {
  const gains = new Map<number, number>();
  const from = new Map<number, Pointed["step"][]>();
  const strongestFirst = (a: Pointed, b: Pointed): number =>
    b.strength - a.strength || compareTexts(a.source, b.source) || a.lines[0] - b.lines[0];
  for (const place of pointed.toSorted(strongestFirst).slice(0, mostFollowed))
    for (const { section } of await index.rowsAt("chunk", [place])) {
      gains.set(section, Math.max(gains.get(section) ?? 0, stepBoost[place.step] * place.strength));
      const steps = from.get(section) ?? [];
      from.set(section, steps.includes(place.step) ? steps : [...steps, place.step]);
    }
  if (gains.size === 0) return { sections: scored, from };
  const known = new Set(scored.map(({ section }) => section));
  const added = [...gains.keys()].filter((id) => !known.has(id)).map((section) => ({ section, score: 0 }));
  const boosted = [...scored, ...added].map((one) => ({ ...one, score: one.score + (gains.get(one.section) ?? 0) }));
  const top = greatest(boosted.map(({ score }) => score));
  const sections = boosted.map((one) => ({ ...one, score: one.score / top })).toSorted((a, b) => b.score - a.score);
  return { sections, from };
}

/** Lines shorter than this, in characters, are too common to prove a copy. */
const leastLetters = 20;
/** A chunk of a thread is a copy if more than this share of its characters is in logs; the rest may be turns around the copied ones. */
const much = 1 / 3;

/** Drops thread chunks that repeat log chunks: the same conversation may be in a log and, word for word, in a thread. */
export function withoutThreadCopies(chunks: readonly ScoredRow[]): readonly ScoredRow[] {
  if (!chunks.some(({ row }) => row.kind === "thread")) return chunks;
  const linesOf = ({ text }: StoredRow): readonly string[] =>
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= leastLetters);
  const logged = new Set(chunks.flatMap(({ row }) => (row.kind === "raw" ? linesOf(row) : [])));
  const lettersOf = (lines: readonly string[]): number => lines.reduce((sum, line) => sum + line.length, 0);
  return chunks.filter(({ row }) => {
    if (row.kind !== "thread") return true;
    const lines = linesOf(row);
    return lettersOf(lines.filter((line) => logged.has(line))) <= much * lettersOf(lines);
  });
}

/** The index terms of a statement: its words, without function words, and its word parts. */
export const statementWords = remembering((text) => {
  const words = rawWords(text)
    .map(termOrNone)
    .filter((term) => term !== "");
  const parts = partsOf(text);
  return parts === "" ? words : [...words, ...parts.split(" ").map(partKey)];
}, 20_000);

/** Empty for a function word. */
const termOrNone = remembering((word) => (isFunctionWord(word) ? "" : termOf(word)), 50_000);

/** Like `statementWords`, but empty if no word starts like a query word. Most statements have none, and stemming is the slowest part of a single query. */
export function wordsLike(stems: Iterable<string>): (text: string) => readonly string[] {
  const all = [...stems];
  const words = wordsBeginningLike(all);
  // Parts come from text without spaces and from names.
  const hasParts = all.some((stem) => stem.startsWith(partKey("")));
  return (text) => (!hasParts && isPlain(text) && text.search(words) < 0 ? [] : statementWords(text));
}
