// The benchmarks of the league, in the order of the report. `also`: its questions have other words. `measure(folder, context)` returns `{ note, scores }`: way → part → measure → figure.
import { beamCases } from "./beam.mjs";
import { measureCommits } from "./commits.mjs";
import { measureEvidence } from "./evidence.mjs";
import { loCoMoCases, loCoMoKinds, loCoMoTurns } from "./locomo.mjs";
import { longMemEvalCases, measureOwn, measurePooled } from "./longmemeval.mjs";
import { measureMemAware } from "./memaware.mjs";
import { measureParaphrases } from "./paraphrases.mjs";
import { realTalkCases } from "./realtalk.mjs";
import { measureTurns } from "./turns.mjs";

const beamKinds = [
  "information_extraction",
  "multi_session_reasoning",
  "temporal_reasoning",
  "knowledge_update",
  "contradiction_resolution",
  "event_ordering",
  "summarization",
  "preference_following",
  "instruction_following",
];

export const benchmarks = [
  {
    name: "longmemeval",
    title: "LongMemEval_S, a memory per question",
    folder: "longmemeval",
    measure: over(longMemEvalCases, measureOwn),
  },
  {
    name: "longmemeval-pooled",
    title: "LongMemEval_S, one memory of all sessions",
    folder: "longmemeval",
    measure: over(longMemEvalCases, measurePooled),
  },
  {
    name: "locomo",
    title: "LoCoMo, evidence turns in 2,000 tokens",
    folder: "locomo",
    measure: over(loCoMoCases, (cases, context) => measureEvidence(cases, loCoMoKinds, context)),
  },
  {
    name: "locomo-turns",
    title: "LoCoMo, NDCG@10 of turns",
    folder: "locomo",
    measure: over(loCoMoTurns, measureTurns),
  },
  {
    name: "realtalk-turns",
    title: "REALTALK, NDCG@10 of turns",
    folder: "realtalk",
    measure: over(realTalkCases, measureTurns),
  },
  {
    name: "beam",
    title: "BEAM, source messages in 2,000 tokens",
    folder: "beam",
    measure: over(beamCases, (cases, context) =>
      measureEvidence(cases, Object.fromEntries(beamKinds.map((kind) => [kind, kind.replaceAll("_", " ")])), context),
    ),
  },
  { name: "memaware", title: "MemAware, development questions", folder: "memaware", measure: measureMemAware },
  {
    name: "paraphrases",
    title: "Paraphrases",
    folder: "paraphrases",
    own: true,
    also: true,
    measure: measureParaphrases,
  },
  { name: "commits", title: "Commit histories", folder: "commits", also: true, measure: measureCommits },
];

/** Measures `cases` of a folder: conversations, or questions with sessions of their own. */
function over(casesOf, measure) {
  return async (folder, context) => {
    const cases = casesOf(folder).slice(0, context.limit);
    const questions = cases.flatMap((one) => one.questions ?? one).length;
    const note =
      cases[0]?.questions === undefined
        ? `${questions} questions`
        : `${cases.length} conversations, ${questions} questions`;
    return { note, scores: await measure(cases, context) };
  };
}
