import { printRecall, fenceMark, markDigest } from "../context/print.ts";
import { agedWarning, ageOf, type Known } from "../context/remembered.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { PreparedIndex, RecallMemory } from "../memory.ts";
import type { RecalledPassage, RecallResult, RecallStep } from "../search/inputs-and-results.ts";
import { addNewer, newestFirst } from "./newest-first.ts";
import { knownReplaced, supersededBy, supersededValues, topicsOf, type Replaced } from "./replaced.ts";
import { wordKeys } from "../../text/word-keys.ts";
import { groupByPlace, merged, withSpeakers, type Passage } from "./passages.ts";
import type { RecallQuery } from "./query.ts";
import { isPinnedPassage, type Searched } from "./search-step.ts";

interface ResultParts extends Pick<Searched, "chosen" | "statements">, Pick<RecallQuery, "weights"> {
  readonly memory: RecallMemory;
  readonly prepared: PreparedIndex;
  /** The message, redacted. */
  readonly text: string;
  readonly budget: number;
  readonly steps: readonly RecallStep[];
  /** Whether each passage shows why it was chosen. */
  readonly explain: boolean;
  readonly count: (text: string) => number;
  readonly known: Known;
}

/** Merges the chosen passages, fits them into the budget, and adds what a reader needs to know about each. */
export async function assembleResult(parts: ResultParts): Promise<RecallResult> {
  const { memory, prepared, budget, steps, count } = parts;
  const today = memory.clock.today();
  const fitting = within(budget, await passagesOf(prepared.index, parts.chosen), count);
  const first = await withSpeakers(prepared.index, fitting.passages);
  const given = {
    passages: first,
    tokens: fitting.tokens,
    statements: parts.statements,
    budget,
    count,
    known: parts.known,
  };
  const { passages: kept, added, tokens } = addNewer(given);
  const passages = [...kept, ...(await withSpeakers(prepared.index, added))];
  const replaced = await replacedIn(memory, prepared.index, passages);
  const described = passages.map((passage, at): RecalledPassage => {
    const { text, score, speaker } = passage;
    const { source, day, type, origin, heading } = passage.row;
    const over = replaced.find(({ older }) => older === at);
    const was = supersededValues(replaced.filter(({ newer }) => newer === at));
    return {
      text,
      source: `${source}:${passage.lines.join("-")}`,
      date: day === "" ? null : day,
      type,
      origin: origin === "" ? null : origin,
      age_days: ageOf(day, today),
      heading: visibleLine(heading),
      speaker: speaker === null ? null : visibleLine(speaker),
      score: Math.round(score * 1000) / 1000,
      // Being replaced matters more than being old.
      warning: over === undefined ? agedWarning(passage.row, today) : supersededBy(over),
      ...(was === undefined ? {} : { supersedes: was }),
      ...(isPinnedPassage(passage) ? { pinned: true as const } : {}),
      ...(parts.explain ? { why: passage.parts } : {}),
    };
  });
  const answered = ({ row: { heading }, text }: Passage): number => {
    const weights = parts.weights();
    return [...wordKeys(`${heading} ${text}`)].reduce((sum, key) => sum + (weights.get(key) ?? 0), 0);
  };
  const inOrder = newestFirst(passages, replaced, answered).flatMap((at) => described[at] ?? []);
  const context = [...inOrder.filter((one) => one.pinned), ...inOrder.filter((one) => !one.pinned)];
  const mark = markFor(memory, context);
  const result = {
    query: visible(parts.text),
    steps,
    context,
    mark,
    not_indexed: prepared.not_indexed,
    ...prepared.embedded,
  };
  return {
    ...result,
    tokens,
    tokens_printed: context.length === 0 ? 0 : count(printRecall(result)),
    warnings: prepared.warnings,
  };
}

/** A mark for the printed context that none of its texts contains. */
export function markFor(memory: RecallMemory, context: readonly RecalledPassage[]): string {
  return fenceMark(
    markDigest(memory),
    context.flatMap(({ text, source, heading, speaker, supersedes, warning }) => {
      return [text, source, heading, speaker ?? "", supersedes ?? "", warning?.says ?? ""];
    }),
  );
}

async function passagesOf(index: SearchIndex, chosen: readonly Passage[]): Promise<readonly Passage[]> {
  const groups = groupByPlace(chosen);
  const several = groups.filter((group) => group.length > 1).map(([{ row }]) => row);
  const around = await index.rowsAt("chunk", several);
  return groups.map((group) => merged(group, around));
}

/** Drops passages over the budget: merging may have made texts a little longer. */
function within(
  budget: number,
  passages: readonly Passage[],
  count: (text: string) => number,
): { readonly passages: readonly Passage[]; readonly tokens: number } {
  let tokens = 0;
  const kept = passages.filter(({ text }) => {
    const own = count(text);
    if (tokens + own > budget) return false;
    tokens += own;
    return true;
  });
  return { passages: kept, tokens };
}

/**
 * Checks replacements against the whole topic: the day is that of the first replacement, recalled or not, and a fact that still holds does not count as
 * replaced.
 */
async function replacedIn(
  memory: RecallMemory,
  index: SearchIndex,
  passages: readonly Passage[],
): Promise<readonly Replaced[]> {
  const among = await knownReplaced(memory, passages);
  const places = [...new Set(among.flatMap(({ older, newer }) => [older, newer]))];
  const involved = places.flatMap((at) => passages[at] ?? []);
  const topics = await topicsOf(index, involved);
  if (topics.length === 0) return among;
  const known = new Map((await knownReplaced(memory, involved, topics)).map((one) => [places[one.older], one]));
  return among.flatMap(({ older, newer }) => {
    const one = known.get(older);
    return one === undefined ? [] : [{ ...one, older, newer }];
  });
}
