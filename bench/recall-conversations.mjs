// Measures how much evidence recall finds in conversations between two people, with dated sessions and questions with known evidence turns.
// Usage: node bench/recall-conversations.mjs [FOLDER | --conversations FOLDER] [--program DIST/bin.js] [--json FILE] [--only baselines|recall] [--budget N]
// FOLDER: see bench/recall-conversation-cases.mjs. Baselines: BM25 (FTS5, Porter stems, any word of the question) over turns and over chunks.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { program as built, runNode, temporaryFolder } from "./harness.mjs";
import { bm25Contexts, chunkRows, turnRows } from "./league/bm25.mjs";
import { categories, conversationCases } from "./recall-conversation-cases.mjs";
import { budgets as allBudgets, measures, scoreContexts } from "./recall-conversation-score.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const named = process.argv[2]?.startsWith("--") ? option("--conversations") : process.argv[2];
const folder = named === undefined ? undefined : resolve(named);
const program = resolve(option("--program") ?? built);
const cases = conversationCases(folder);
const budgets = option("--budget") === undefined ? allBudgets : [Number(option("--budget"))];

if (cases.length === 0) console.log("SKIPPED: give the folder of the conversations as the first argument");
else measure();

function measure() {
  const questions = cases.reduce((sum, one) => sum + one.questions.length, 0);
  console.log(`${cases.length} conversations, ${questions} questions; 95 % intervals over conversations`);
  const ways = [
    ["BM25 over turns", () => baseline(turnRows), "baselines"],
    ["BM25 over chunks of 200 tokens", () => baseline(chunkRows), "baselines"],
    ["heartwood recall", recalled, "recall"],
  ].filter(([, , kind]) => [undefined, kind].includes(option("--only")));
  const scored = ways.map(([name, contextsAt]) => [name, scoresOf(contextsAt())]);
  for (const budget of budgets) printBudget(budget, scored);
  const target = option("--json");
  if (target !== undefined) writeFileSync(target, `${JSON.stringify(Object.fromEntries(scored), undefined, 1)}\n`);
}

/** `contextsAt(budget)` returns a Map from question id to passages. */
function scoresOf(contextsAt) {
  return Object.fromEntries(budgets.map((budget) => [budget, scoreContexts(cases, contextsAt(budget), budget)]));
}

function printBudget(budget, scored) {
  console.log(`\n${budget} tokens`);
  console.log(`${"".padEnd(31)}${"".padEnd(14)}${measures.map((name) => name.padEnd(30)).join("")}`);
  for (const [name, scores] of scored) {
    const { tokens, passages, ...parts } = scores[budget];
    console.log(`${name}: ${tokens.toFixed(0)} tokens in ${passages.toFixed(1)} passages on the average`);
    for (const [part, figures] of Object.entries(parts))
      console.log(
        `${"".padEnd(26)}${(categories[part] ?? part).padEnd(14)}${String(figures.evidence.n).padStart(4)} ${measures.map((measured) => cell(figures[measured]).padEnd(30)).join("")}`,
      );
  }
}

function cell({ n, value, low, high, chance }) {
  if (n === 0) return "-";
  return `${value.toFixed(1)} [${low.toFixed(1)}, ${high.toFixed(1)}] chance ${chance.toFixed(1)}`;
}

/** Recalls with the program. Each conversation is a separate memory. */
function recalled() {
  const work = temporaryFolder();
  const memories = cases.map((one) => writeMemory(work, one));
  return (budget) => {
    const contexts = new Map();
    for (const { dir, batch } of memories) {
      const args = ["recall", "--batch", batch, "--budget", String(budget), "--dir", dir, "--time-zone", "UTC"];
      for (const line of runNode([program, ...args])
        .stdout.split("\n")
        .filter(Boolean)) {
        const { question_id: id, context } = JSON.parse(line);
        contexts.set(id, context);
      }
    }
    return contexts;
  };
}

function writeMemory(work, { conversation, logs, questions }) {
  const dir = join(work, conversation);
  mkdirSync(join(dir, "memory"), { recursive: true });
  for (const [file, text] of logs) writeFileSync(join(dir, file), text);
  const batch = join(dir, "questions.jsonl");
  const lines = questions.map(({ id, text }) => JSON.stringify({ question_id: id, question: text }));
  writeFileSync(batch, `${lines.join("\n")}\n`);
  if (!existsSync(program)) throw new Error(`${program} is not there; npm run build makes it`);
  runNode([program, "index", "--dir", dir, "--time-zone", "UTC", "--quiet"]);
  return { dir, batch };
}

/** The best rows of `rowsOf(file, lines)` by BM25, regardless of the budget, because scoring cuts them. */
function baseline(rowsOf) {
  const contexts = new Map(cases.flatMap(({ logs, questions }) => [...bm25Contexts(logs, questions, rowsOf)]));
  return () => contexts;
}
