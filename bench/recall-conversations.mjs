// Measures how much evidence recall finds in conversations between two people, with dated sessions and questions with known evidence turns.
// Usage: node bench/recall-conversations.mjs [FOLDER | --conversations FOLDER] [--program DIST/bin.js] [--json FILE] [--only baselines|recall] [--budget N]
// FOLDER: see bench/recall-conversation-cases.mjs. Baselines: BM25 (FTS5, Porter stems, any word of the question) over turns and over chunks.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { program as built, runNode, temporaryFolder } from "./harness.mjs";
import { categories, conversationCases } from "./recall-conversation-cases.mjs";
import { budgets as allBudgets, measures, scoreContexts, wordsOf } from "./recall-conversation-score.mjs";

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
  const contexts = new Map();
  for (const { logs, questions } of cases) {
    const rows = [...logs].flatMap(([file, text]) => rowsOf(file, text.split("\n")));
    const database = new DatabaseSync(":memory:");
    database.exec("create virtual table passage using fts5(text, tokenize = 'porter unicode61 remove_diacritics 2')");
    const insert = database.prepare("insert into passage (rowid, text) values (?, ?)");
    rows.forEach(({ text }, index) => insert.run(index, text));
    const find = database.prepare("select rowid as id from passage where passage match ? order by rank limit 200");
    for (const { id, text } of questions) {
      const any = wordsOf(text).map((word) => `"${word}"`);
      contexts.set(
        id,
        find.all(any.join(" OR ")).map((row) => rows[row.id]),
      );
    }
    database.close();
  }
  return () => contexts;
}

function turnRows(file, lines) {
  return lines.flatMap((text, index) =>
    /^(?:#|$)/u.test(text) ? [] : { text, source: `${file}:${index + 1}-${index + 1}` },
  );
}

/** Chunks of consecutive turns of one session, up to 200 tokens. */
function chunkRows(file, lines) {
  const rows = [];
  let open;
  lines.forEach((text, index) => {
    if (/^(?:#|$)/u.test(text)) {
      open = undefined;
      return;
    }
    const tokens = countTokens(text);
    if (open === undefined || open.tokens + tokens > 200) rows.push((open = { from: index + 1, tokens: 0, texts: [] }));
    open.texts.push(text);
    open.tokens += tokens;
    open.to = index + 1;
  });
  return rows.map(({ texts, from, to }) => ({ text: texts.join("\n"), source: `${file}:${from}-${to}` }));
}
