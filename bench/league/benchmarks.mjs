// The benchmarks of the league, in the order of the report. `measure(folder, context)` returns `{ note, scores }`, scores being way → part → measure.
import { measureEvidence, turnCases } from "./locomo.mjs";
import { longMemEvalCases, measureOwn, measurePooled } from "./longmemeval.mjs";
import { realTalkCases } from "./realtalk.mjs";
import { measureTurns } from "./turns.mjs";

export const benchmarks = [
  {
    name: "longmemeval",
    title: "LongMemEval_S, a memory per question",
    folder: "longmemeval",
    measure: async (folder, context) => {
      const cases = longMemEvalCases(folder).slice(0, context.limit);
      return { note: `${cases.length} questions`, scores: await measureOwn(cases, context) };
    },
  },
  {
    name: "longmemeval-pooled",
    title: "LongMemEval_S, one memory of all sessions",
    folder: "longmemeval",
    measure: async (folder, context) => {
      const cases = longMemEvalCases(folder).slice(0, context.limit);
      return { note: `${cases.length} questions`, scores: await measurePooled(cases, context) };
    },
  },
  { name: "locomo", title: "LoCoMo, evidence turns in 2,000 tokens", folder: "locomo", measure: measureEvidence },
  { name: "locomo-turns", title: "LoCoMo, NDCG@10 of turns", folder: "locomo", measure: rankedTurns(turnCases) },
  {
    name: "realtalk-turns",
    title: "REALTALK, NDCG@10 of turns",
    folder: "realtalk",
    measure: rankedTurns(realTalkCases),
  },
];

function rankedTurns(casesOf) {
  return async (folder, context) => {
    const cases = casesOf(folder).slice(0, context.limit);
    const questions = cases.flatMap((one) => one.questions).length;
    return {
      note: `${cases.length} conversations, ${questions} questions`,
      scores: await measureTurns(cases, context),
    };
  };
}
