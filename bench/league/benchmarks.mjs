// The benchmarks of the league, in the order of the report. `measure(folder, context)` returns `{ note, scores }`, scores being way → part → measure.
import { longMemEvalCases, measureOwn, measurePooled } from "./longmemeval.mjs";

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
];
