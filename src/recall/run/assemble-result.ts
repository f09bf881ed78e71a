import { contradictionsAmong, type Contradiction } from "../context/contradictions.ts";
import { fenceMark } from "../context/fence.ts";
import { printRecall } from "../context/print.ts";
import { ageOf, stalenessOf, freshDays, printSource, type Remembered } from "../context/remembered.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import type { SearchIndex } from "../index/search-index.ts";
import type { PreparedIndex } from "../index/prepared.ts";
import type { RecallMemory } from "../memory.ts";
import type { RecalledPassage, RecallResult, RecallStep, RecallWarning } from "../search/results.ts";
import {
  groupByPlace,
  merged,
  supersededLast,
  rememberedOf,
  addNewerStatements,
  speakersOf,
  type Passage,
} from "./passages.ts";
import type { Recalled, Searched } from "./search-step.ts";

/** Whether each passage shows why it was chosen. */
export type Explain = "told" | "left out";

interface ResultParts extends Pick<Searched, "chosen" | "chunks" | "statements"> {
  readonly memory: RecallMemory;
  readonly prepared: PreparedIndex;
  /** The message, redacted. */
  readonly text: string;
  readonly budget: number;
  readonly steps: readonly RecallStep[];
  readonly explain: Explain;
  readonly count: (text: string) => number;
}

/** The chosen passages, merged, within the budget, with what a reader has to know of each. */
export async function assembleResult(parts: ResultParts): Promise<RecallResult> {
  const { memory, prepared, budget, steps, count } = parts;
  const today = memory.clock.today();
  const fitting = within(budget, await passagesOf(prepared.index, parts.chosen), count);
  const { passages, tokens } = addNewerStatements({ ...fitting, statements: parts.statements, budget, count });
  const remembered = passages.map(rememberedOf);
  const speakers = await speakersOf(prepared.index, passages, parts.chunks);
  const contradictions = contradictionsAmong(remembered);
  const described = passages.map((passage, at): RecalledPassage => {
    const one = rememberedOf(passage);
    const speaker = speakers[at] ?? null;
    return {
      text: passage.text,
      source: printSource(one),
      date: one.day === "" ? null : one.day,
      type: one.type,
      origin: one.origin === "" ? null : one.origin,
      age_days: ageOf(one.day, today),
      heading: visibleLine(one.heading),
      speaker: speaker === null ? null : visibleLine(speaker),
      score: Math.round(passage.score * 1000) / 1000,
      warning: warningOf(at, { contradictions, remembered, today }),
      ...supersededValues(contradictions, at, one.day),
      ...(parts.explain === "told" ? { why: passage.parts } : {}),
    };
  });
  const order = supersededLast(passages.length, contradictions);
  const context = order.flatMap((at) => described[at] ?? []);
  const mark = fenceMark(
    () => Buffer.from(memory.random.bytes(4)).toString("hex"),
    context.flatMap(({ text: said, source, heading, speaker, supersedes, warning }) => {
      return [said, source, heading, speaker ?? "", supersedes ?? "", warning?.says ?? ""];
    }),
  );
  const result = { query: visible(parts.text), steps, context, mark, not_indexed: prepared.not_indexed };
  return {
    ...result,
    tokens,
    tokens_printed: context.length === 0 ? 0 : count(printRecall(result)),
    warnings: prepared.warnings,
  };
}

async function passagesOf(index: SearchIndex, chosen: readonly Recalled[]): Promise<readonly Passage[]> {
  const groups = groupByPlace(chosen);
  const several = groups.filter((group) => group.length > 1).map(([{ row }]) => row);
  const around = several.length === 0 ? [] : await index.rowsAt("chunk", several);
  return groups.map((group) =>
    merged(
      group,
      around.filter(({ source }) => source === group[0].row.source),
    ),
  );
}

/** Merging sentences may have made them a little longer. */
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

interface Known {
  readonly contradictions: readonly Contradiction[];
  readonly remembered: readonly Remembered[];
  readonly today: string;
}

/** That a newer passage says otherwise comes before a passage's age. */
function warningOf(at: number, { contradictions, remembered, today }: Known): RecallWarning | null {
  const left = contradictions.find(({ older }) => older === at);
  const newer = left === undefined ? undefined : remembered[left.newer];
  if (left !== undefined && newer !== undefined)
    return { is: "superseded", says: `until ${newer.day}, ${left.now === "" ? "no longer so" : `then "${left.now}"`}` };
  const one = remembered[at];
  const aged = one === undefined ? undefined : stalenessOf(one, today);
  if (aged === undefined) return null;
  const says =
    aged === "stale"
      ? `A project note older than ${freshDays} days: it may be over or changed.`
      : `A reference older than ${freshDays} days: look whether it still holds.`;
  return { is: aged, says };
}

function supersededValues(
  contradictions: readonly Contradiction[],
  at: number,
  day: string,
): Pick<RecalledPassage, "supersedes"> {
  const values = new Set(contradictions.filter(({ newer }) => newer === at).map(({ was }) => was));
  const was = [...values].map((value) => `was "${value}" until ${day}`);
  return was.length === 0 ? {} : { supersedes: was.join("; ") };
}
