import { nothingKnown, type Known } from "../context/remembered.ts";
import { minCoverage } from "../rank/weights.ts";
import { retrieveFromNodes, retrieveFromRoot, type StepReport } from "./follow-nodes.ts";
import type { RecallMemory, Choice, Chooser, PreparedIndex } from "../memory.ts";
import { assembleResult } from "./assemble-result.ts";
import { redact } from "../../text/redact/redact.ts";
import { once, remembering } from "../../base/lines.ts";
import { visibleLine } from "../../text/visible.ts";
import { onStableIndex } from "../index/prepare.ts";
import type { Call } from "../../base/operation.ts";
import type { RecallResult, RecallStep } from "../search/inputs-and-results.ts";
import { meaningOf, type Meaning } from "./meaning.ts";
import { leftOutIn, pinsIn } from "./pins.ts";
import { queryOf, type RecallQuery } from "./query.ts";
import { searchPassages, stepPart, type Searched } from "./search-step.ts";

export interface OneRecall {
  readonly memory: RecallMemory;
  readonly prepared: PreparedIndex;
  readonly text: string;
  /** Other words for what it is about. */
  readonly also?: string | undefined;
  readonly budget: number;
  /** Whether each passage shows why it was chosen. */
  readonly explain: boolean;
  /** The model that chooses among nodes; without one, nodes are found by matching words only. */
  readonly chooser?: Chooser | undefined;
  /** `quick`: takes half the time, for a small budget (bench/hooks.md). It skips ROOT.md, nodes and chunks and reads only sentences. Default: everything. */
  readonly way?: "quick";
  /** Default: nothing. */
  readonly known?: Known;
  /** `none`: passages that have little to do with the message are found too. For sessions, and to measure what the floor of the quick way costs (bench/floor.mjs). */
  readonly floor?: "none" | undefined;
  readonly call: Call;
}

/** Finds passages for one message. Errors: `io`. */
export function recallOne(asked: OneRecall): Promise<RecallResult> {
  const { memory, budget, explain, known = nothingKnown } = asked;
  return inSteps(asked, ({ query, steps, ...found }) => {
    const used = (step: "root" | "manifest"): number =>
      found.chosen.filter(({ parts }) => parts.some(({ part }) => leads[step].includes(part))).length;
    const told = steps.map((step) => (step.step === "search" ? step : { ...step, kept: used(step.step) }));
    return assembleResult({ ...found, memory, budget, explain, known, weights: query.weights, steps: told });
  });
}

/** What the steps found, and what they worked with. */
export interface InSteps extends Searched {
  readonly prepared: PreparedIndex;
  /** The message, redacted. */
  readonly text: string;
  readonly query: RecallQuery;
  readonly steps: readonly RecallStep[];
  readonly count: (text: string) => number;
}

/** Runs the three steps and makes a result of what they found; again if the index was written to in the meantime. */
export function inSteps<T>(asked: OneRecall, result: (found: InSteps) => Promise<T>): Promise<T> {
  const { chooser, text, call } = asked;
  // The model is asked once, even if the index has to be queried again.
  const choose = chooser === undefined ? undefined : once(() => chooser.choose(text, call));
  return onStableIndex(asked.prepared.index, async () => result(await runSteps(asked, choose)));
}

async function runSteps(
  { memory, prepared, text: said, also = "", budget, way, floor, known = nothingKnown, call }: OneRecall,
  choose: (() => Promise<Choice>) | undefined,
): Promise<InSteps> {
  const { index } = prepared;
  // The index contains no secrets, and the notes about what was searched for must not either.
  const { text } = redact(said);
  const steps: RecallStep[] = [];
  const timed = async <T extends { readonly told: StepReport }>(
    step: RecallStep["step"],
    run: Promise<T>,
    before = 0,
  ): Promise<T> => {
    const begun = memory.clock.now();
    const done = await run;
    const took_ms = before + Math.max(0, memory.clock.now() - begun);
    steps.push({ step, took_ms, ...done.told, notes: done.told.notes.map(visibleLine) });
    return done;
  };
  const isAll = way === undefined;
  const pins = await pinsIn(memory);
  const begun = memory.clock.now();
  const given = redact(also).text.trim();
  const own = await queryOf(index, text, given);
  const choice = isAll && own.terms.length > 0 ? await choose?.() : undefined;
  const others = [given, ...(choice?.words ?? [])].join("\n").trim();
  const query = others === given ? own : await queryOf(index, text, others);
  const choosing = choice === undefined ? 0 : Math.max(0, memory.clock.now() - begun);
  const root = isAll ? await timed("root", retrieveFromRoot(memory, index, query)) : nowhere;
  const nodes = isAll ? await timed("manifest", retrieveFromNodes(index, query, choice), choosing) : nowhere;
  const pointed = [...root.pointed, ...nodes.pointed];
  // A passage's tokens are counted when it is chosen and again when the result is assembled.
  const count = remembering((one) => memory.tokens.count(one), 10_000);
  const isRanking = floor === "none" && isAll;
  const stand = isRanking || query.coverage >= minCoverage ? "somewhere" : "nowhere";
  const meaning = (): Promise<Meaning> => meaningOf(prepared, others === "" ? text : `${text}\n${others}`, stand, call);
  const found = await timed(
    "search",
    searchPassages({
      index,
      query,
      text,
      meaning,
      pointed,
      budget,
      count,
      floor,
      isRanking,
      known,
      correctedBy: await leftOutIn(memory, prepared, pins),
      pins,
      ...(way === undefined ? {} : { way }),
    }),
  );
  const warnings = [...prepared.warnings, ...nodes.warnings, ...found.warnings];
  return { ...found, prepared: { ...prepared, warnings }, text, query, steps, count };
}

/** The score parts that mark passages a step led to. */
const leads = { root: [stepPart("root")], manifest: [stepPart("manifest"), stepPart("chosen")] };

const nowhere = { pointed: [], warnings: [] };
