// The share of evidence turns in 2,000 tokens of context, by the rule of bench/recall-conversation-score.mjs.
import { scoreContexts } from "../recall-conversation-score.mjs";
import { contextsOf } from "./contexts.mjs";

const budget = 2000;

/**
 * `cases`: `[{ conversation, logs, today, questions: [{ id, text, category, answer, evidence: [{ file, line, to, said }] }] }]`; `names`: parts of
 * the report by category. Chance is that of heartwood, or of the first way: contexts of other questions of the same conversation.
 */
export async function measureEvidence(cases, names, { ways, progress, ...context }) {
  const scores = {};
  let chance;
  for (const way of ways.filter((one) => one !== "chance")) {
    const contexts = new Map();
    for (const [index, { conversation, logs, today, questions }] of cases.entries()) {
      progress(index, cases.length);
      const memory = { name: conversation, logs, today };
      const found = await contextsOf(way, memory, questions, { ...context, budget });
      for (const [id, passages] of found) contexts.set(id, passages);
    }
    const { answerable, ...kinds } = scoreContexts(cases, contexts, budget);
    scores[way] = { answerable: figuresOf(answerable) };
    for (const [kind, name] of Object.entries(names)) if (kinds[kind]) scores[way][name] = figuresOf(kinds[kind]);
    if (way === "heartwood" || chance === undefined) chance = chanceOf(answerable);
  }
  return ways.includes("chance") && chance !== undefined ? { chance: { answerable: chance }, ...scores } : scores;
}

function figuresOf({ evidence, any, all }) {
  return { evidence, any, all };
}

function chanceOf(figures) {
  const parts = Object.entries(figuresOf(figures));
  return Object.fromEntries(parts.map(([name, { n, chance }]) => [name, { n, value: chance }]));
}
