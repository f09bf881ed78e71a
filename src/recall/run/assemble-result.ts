import { contradictionsAmong, type Contradiction } from "../context/contradictions.ts";
import { fenceMark } from "../context/fence.ts";
import { ageOf, stalenessOf, freshDays, printSource, type Remembered } from "../context/remembered.ts";
import { visible, visibleLine } from "../../text/visible.ts";
import type { SearchIndex, StoredRow } from "../index/search-index.ts";
import type { PreparedIndex } from "../index/prepared.ts";
import type { RecallMemory } from "../memory.ts";
import type { RecalledPassage, RecallResult, RecallStep, RecallWarning, ScorePart } from "../search/results.ts";
import {
  groupByPlace,
  merged,
  supersededLast,
  rememberedOf,
  addNewerStatements,
  speakersOf,
  type Passage,
} from "./passages.ts";
import { printRecall } from "../context/print.ts";
import type { Recalled } from "./search-step.ts";

/** Whether each passage says why it is there. */
export type Explain = "told" | "left out";

interface ResultParts {
  readonly memory: RecallMemory;
  readonly prepared: PreparedIndex;
  /** The message, redacted. */
  readonly text: string;
  readonly chosen: readonly Recalled[];
  /** What was looked at. */
  readonly chunks: readonly StoredRow[];
  readonly statements: readonly StoredRow[];
  readonly budget: number;
  readonly steps: readonly RecallStep[];
  readonly explain: Explain;
  readonly count: (text: string) => number;
}

/** The chosen passages with what a reader has to know of them. */
export async function assembleResult({
  memory,
  prepared,
  text,
  chosen,
  chunks,
  statements,
  budget,
  steps,
  explain,
  count,
}: ResultParts): Promise<RecallResult> {
  const today = memory.clock.today();
  const fitting = within(budget, await passagesOf(prepared.index, chosen), count);
  const { passages, tokens } = addNewerStatements({ ...fitting, statements, budget, count });
  const remembered = passages.map(rememberedOf);
  const speakers = await speakersOf(prepared.index, passages, chunks);
  const contradictions = contradictionsAmong(remembered);
  const context = supersededLast(passages.length, contradictions).flatMap((at): readonly RecalledPassage[] => {
    const [passage, one] = [passages[at], remembered[at]];
    return passage === undefined || one === undefined
      ? []
      : [
          {
            ...described({ passage, one, speaker: speakers[at] ?? null, today }),
            ...toldOf(at, { contradictions, remembered, today }),
            ...whyOf(passage, explain),
          },
        ];
  });
  const mark = fenceMark(
    () => Buffer.from(memory.random.bytes(4)).toString("hex"),
    context.flatMap(({ text: said, source, heading, speaker, supersedes, warning }) => {
      return [said, source, heading, speaker ?? "", supersedes ?? "", warning?.says ?? ""];
    }),
  );
  const result = { query: visible(text), steps, context, mark, not_indexed: prepared.not_indexed };
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

/** Putting sentences together may have made them a little longer. */
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

interface Described {
  readonly passage: Passage;
  readonly one: Remembered;
  readonly speaker: string | null;
  readonly today: string;
}

function described({ passage: { text, score }, one, speaker, today }: Described): Omit<RecalledPassage, "warning"> {
  return {
    text,
    source: printSource(one),
    date: one.day === "" ? null : one.day,
    type: one.type,
    origin: one.origin === "" ? null : one.origin,
    age_days: ageOf(one.day, today),
    heading: visibleLine(one.heading),
    speaker: speaker === null ? null : visibleLine(speaker),
    score: Math.round(score * 1000) / 1000,
  };
}

interface Known {
  readonly contradictions: readonly Contradiction[];
  readonly remembered: readonly Remembered[];
  readonly today: string;
}

/** What has to be said of a passage; that a newer one says otherwise comes before its age. */
function toldOf(
  at: number,
  { contradictions, remembered, today }: Known,
): Pick<RecalledPassage, "warning" | "supersedes"> {
  const one = remembered[at];
  const left = contradictions.find(({ older }) => older === at);
  const replaced = contradictions.filter(({ newer }) => newer === at);
  const newer = left === undefined ? undefined : remembered[left.newer];
  const warning = left === undefined || newer === undefined ? ageWarning(one, today) : supersededBy(left, newer);
  const until = one?.day ?? "";
  const was = [...new Set(replaced.map((each) => each.was))].map((value) => `was "${value}" until ${until}`);
  return { warning, ...(was.length === 0 ? {} : { supersedes: was.join("; ") }) };
}

function supersededBy({ now }: Contradiction, newer: Remembered): RecallWarning {
  return { is: "superseded", says: `until ${newer.day}, ${now === "" ? "no longer so" : `then "${now}"`}` };
}

function ageWarning(one: Remembered | undefined, today: string): RecallWarning | null {
  const aged = one === undefined ? undefined : stalenessOf(one, today);
  if (aged === undefined) return null;
  const says =
    aged === "stale"
      ? `A project note older than ${freshDays} days: it may be over or changed.`
      : `A reference older than ${freshDays} days: look whether it still holds.`;
  return { is: aged, says };
}

function whyOf({ parts }: Passage, explain: Explain): { readonly why?: readonly ScorePart[] } {
  return explain === "told" ? { why: parts } : {};
}
