// LoCoMo (Maharana et al., 2024): ten conversations of two people. Folder: see bench/recall-conversation-cases.mjs.
import { categories, conversationCases } from "../recall-conversation-cases.mjs";
import { scoreContexts } from "../recall-conversation-score.mjs";
import { contextsOf } from "./contexts.mjs";

const budget = 2000;

/** The share of evidence turns in 2,000 tokens of context, as in bench/recall-conversations.mjs. Chance: of the first way that is not chance. */
export async function measureEvidence(folder, context) {
  const cases = conversationCases(folder).slice(0, context.limit);
  const scores = {};
  for (const way of context.ways.filter((one) => one !== "chance")) {
    const contexts = new Map();
    for (const { conversation, logs, questions } of cases) {
      const found = await contextsOf(way, { name: conversation, logs }, questions, { ...context, budget });
      for (const [id, passages] of found) contexts.set(id, passages);
    }
    const { answerable, ...kinds } = scoreContexts(cases, contexts, budget);
    scores[way] = { answerable: figuresOf(answerable) };
    for (const [kind, name] of Object.entries(categories)) if (kinds[kind]) scores[way][name] = figuresOf(kinds[kind]);
    if (context.ways.includes("chance")) scores.chance ??= chanceOf(scores[way], answerable);
  }
  return {
    note: `${cases.length} conversations, ${cases.flatMap(({ questions }) => questions).length} questions`,
    scores,
  };
}

function figuresOf({ evidence, any, all }) {
  return { evidence, any, all };
}

function chanceOf(_, figures) {
  const parts = Object.entries(figuresOf(figures)).map(([name, { n, chance }]) => [
    name,
    { n, value: chance, low: chance, high: chance },
  ]);
  return { answerable: Object.fromEntries(parts) };
}

/** The conversations with their turns, without captions, for the ranking of turns. */
export function turnCases(folder) {
  return conversationCases(folder, { captions: false }).map(({ conversation, logs, turns, questions }) => {
    const ids = new Map([...turns].map(([id, turn]) => [turn, id]));
    return {
      conversation,
      logs,
      turns: [...turns].map(([id, { file, line, said, speaker }]) => ({
        id,
        file,
        line,
        said,
        speaker,
        day: file.slice("memory/".length, -".md".length),
      })),
      questions: questions.map(({ id, text, category, evidence }) => ({
        id,
        text,
        kind: categories[category],
        gold: evidence.map((turn) => ids.get(turn)),
      })),
    };
  });
}
