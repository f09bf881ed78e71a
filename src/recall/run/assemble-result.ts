import { fenceMark } from "../context/fence.ts";
import { printRecall } from "../context/print.ts";
import { ageOf, stalenessOf, freshDays, printSource } from "../context/remembered.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import type { Day } from "../../base/calendar.ts";
import type { SearchIndex, StoredRow } from "../index/search-index.ts";
import type { PreparedIndex, RecallMemory } from "../memory.ts";
import type { RecalledPassage, RecallResult, RecallStep, RecallWarning } from "../search/results.ts";
import { addNewer, newestFirst, rememberedOf, replacedPassages, type Replaced, type Spoken } from "./newest-first.ts";
import { groupByPlace, merged, speakersOf, type Passage } from "./passages.ts";
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
  const first = await spokenOf(prepared.index, fitting.passages, parts.chunks);
  const { passages: some, tokens } = addNewer({
    passages: first,
    tokens: fitting.tokens,
    statements: parts.statements,
    budget,
    count,
  });
  const added = some.filter((one) => !first.includes(one)).map(({ passage }) => passage);
  const passages = [
    ...some.filter((one) => first.includes(one)),
    ...(await spokenOf(prepared.index, added, parts.chunks)),
  ];
  const replaced = replacedPassages(passages);
  const described = passages.map(({ passage, speaker }, at): RecalledPassage => {
    const one = rememberedOf(passage);
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
      warning: warningOf(
        passage,
        replaced.find(({ older }) => older === at),
        today,
      ),
      ...supersededValues(replaced.filter(({ newer }) => newer === at)),
      ...(parts.explain === "told" ? { why: passage.parts } : {}),
    };
  });
  const context = newestFirst(passages, replaced).flatMap((at) => described[at] ?? []);
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

async function spokenOf(
  index: SearchIndex,
  passages: readonly Passage[],
  chunks: readonly StoredRow[],
): Promise<readonly Spoken[]> {
  const speakers = passages.length === 0 ? [] : await speakersOf(index, passages, chunks);
  return passages.map((passage, at) => ({ passage, speaker: speakers[at] ?? null }));
}

/** That it was replaced comes before a passage's age. */
function warningOf(passage: Passage, replaced: Replaced | undefined, today: Day): RecallWarning | null {
  if (replaced !== undefined) {
    const until = `until ${replaced.until}`;
    const says = replaced.part === "whole" ? until : replaced.said.map((said) => `${quoted(said)} ${until}`).join("; ");
    return { is: "superseded", says };
  }
  const aged = stalenessOf(rememberedOf(passage), today);
  if (aged === undefined) return null;
  const says =
    aged === "stale"
      ? `A project note older than ${freshDays} days: it may be over or changed.`
      : `A reference older than ${freshDays} days: look whether it still holds.`;
  return { is: aged, says };
}

function supersededValues(replaced: readonly Replaced[]): Pick<RecalledPassage, "supersedes"> {
  const was = replaced.flatMap(({ said, until }) => said.map((one) => `was ${quoted(one)} until ${until}`));
  return was.length === 0 ? {} : { supersedes: [...new Set(was)].join("; ") };
}

function quoted(said: string): string {
  return `"${visibleLine(said).replace(/^[-*+•·] /u, "")}"`;
}
