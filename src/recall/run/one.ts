import type { Warning } from "../../base/errors.ts";
import { redact } from "../../text/redact/redact.ts";
import { leastBorne } from "../rank/borne.ts";
import { visibleLine } from "../../text/visible.ts";
import type { PreparedIndex } from "../index/prepared.ts";
import { steadily } from "../index/steady.ts";
import type { RecallMemory } from "../memory.ts";
import type { Call } from "../../base/operation.ts";
import type { RecallResult, RecallStep } from "../search/results.ts";
import type { Choice, Chooser } from "./chooser.ts";
import { handOver } from "./hand-over.ts";
import { lookInNodes } from "./manifest-step.ts";
import { meaningOf, type Meaning } from "./meaning.ts";
import { queryOf } from "./query.ts";
import { lookInRoot } from "./root-step.ts";
import { searchPassages } from "./search-step.ts";
import type { Pointed } from "./pointed.ts";

/** Whether each passage says why it is there. */
export type Explain = "told" | "left out";

export interface OneRecall {
  readonly memory: RecallMemory;
  readonly prepared: PreparedIndex;
  readonly text: string;
  readonly budget: number;
  readonly explain: Explain;
  /** The model that chooses among nodes; without one they are found by match alone. */
  readonly chooser?: Chooser;
  /** `quick`: in half the time, for a small budget (bench/hooks.md). Neither ROOT.md nor nodes are looked into, and of sections only their sentences. Default: all. */
  readonly way?: "quick";
  readonly call: Call;
}

/** The three steps for one message. Errors: `io`. */
export async function recallOne(asked: OneRecall): Promise<RecallResult> {
  const choose = choosing(asked);
  return steadily(asked.prepared.index, asked.call, () => recallOnce(asked, choose));
}

/** What was chosen, or failed, counts when the index has to be asked again. */
function choosing({ chooser, text, call }: OneRecall): (() => Promise<Choice>) | undefined {
  if (chooser === undefined) return undefined;
  let choice: Promise<Choice> | undefined;
  return () => (choice ??= chooser.choose(text, call));
}

async function recallOnce(
  { memory, prepared, text: said, budget, explain, way, call }: OneRecall,
  choose: (() => Promise<Choice>) | undefined,
): Promise<RecallResult> {
  const { index } = prepared;
  // The index has no secrets to be found, and what is told of the words that were looked for shall have none.
  const { text } = redact(said);
  const steps: RecallStep[] = [];
  const timed = async <T extends { readonly told: StepTold }>(
    step: RecallStep["step"],
    run: Promise<T>,
  ): Promise<T> => {
    const begun = memory.clock.now();
    const done = await run;
    steps.push({
      step,
      took_ms: Math.max(0, memory.clock.now() - begun),
      ...done.told,
      notes: done.told.notes.map(visibleLine),
    });
    return done;
  };
  const query = await queryOf(index, text, call);
  const isAll = way === undefined;
  const root = isAll ? await timed("root", lookInRoot(memory, index, query)) : nowhere;
  const nodes = isAll ? await timed("manifest", lookInNodes(index, query, choose)) : nowhere;
  const pointed: readonly Pointed[] = [...root.pointed, ...nodes.pointed];
  const count = countedOnce((one) => memory.tokens.count(one));
  const stand = query.borne >= leastBorne ? "somewhere" : "nowhere";
  const meaning = (): Promise<Meaning> => meaningOf({ prepared, text, said: stand, call });
  const found = await timed(
    "search",
    searchPassages({ index, query, meaning, pointed, budget, count, ...(way === undefined ? {} : { way }) }),
  );
  const used = (step: "root" | "manifest"): number =>
    found.chosen.filter(({ steps: from }) =>
      from.some((one) => one === step || (one === "chosen" && step === "manifest")),
    ).length;
  const told = steps.map((step) => (step.step === "search" ? step : { ...step, kept: used(step.step) }));
  const warnings = [...prepared.warnings, ...nodes.warnings, ...found.warnings];
  const { chosen, chunks, statements } = found;
  const given = { memory, prepared: { ...prepared, warnings }, text, steps: told };
  return handOver({ ...given, chosen, chunks, statements, budget, explain, count });
}

const nowhere: { readonly pointed: readonly Pointed[]; readonly warnings: readonly Warning[] } = {
  pointed: [],
  warnings: [],
};

/** A passage is counted when it is chosen and when it is handed over. */
function countedOnce(count: (text: string) => number): (text: string) => number {
  const known = new Map<string, number>();
  return (text) => {
    const tokens = known.get(text) ?? count(text);
    known.set(text, tokens);
    return tokens;
  };
}

/** What a step tells besides its time. */
export type StepTold = Omit<RecallStep, "step" | "took_ms">;
