// Contexts for questions, by each way of the league: a Map from question id to passages `{ text, source }`, best first.
import { join } from "node:path";
import { bm25Contexts, chunkRows } from "./bm25.mjs";
import { byMeaning } from "./minilm.mjs";
import { makeMemory, recall } from "./program.mjs";

/** `memory`: `{ name, logs, today }`. BM25 and MiniLM rank chunks of 200 tokens; scoring cuts their contexts at the budget. */
export async function contextsOf(way, memory, given, { work, embedder, budget }) {
  const questions = askedBy(way, given);
  if (way.startsWith("bm25")) return bm25Contexts(memory.logs, questions);
  if (way === "minilm") return meaningContexts(memory.logs, questions, embedder);
  return recall(await memoryOf(way, memory, work), questions, budget);
}

/** Questions as a way asks them: without their other words, with them, or (BM25) with them in the text. */
export function askedBy(way, questions) {
  return questions.map(({ also, ...one }) => {
    if (!way.endsWith("also")) return one;
    return way.startsWith("bm25") ? { ...one, text: `${one.text}\n${also}` } : { ...one, also };
  });
}

/** The memory of the program for a way; without a model if the way has none. */
export function memoryOf(way, { name, logs, places, today }, work) {
  const model = way.startsWith("model");
  return makeMemory(join(work, `${model ? "model" : "words"}-${name}`), { logs, places }, { model, today });
}

async function meaningContexts(logs, questions, embedder) {
  const rows = [...logs].flatMap(([file, text]) => chunkRows(file, text.split("\n")));
  const rank = await byMeaning(
    embedder,
    rows.map(({ text }, id) => ({ id, text })),
  );
  const contexts = new Map();
  for (const { id, text } of questions)
    contexts.set(
      id,
      (await rank(text)).map((row) => rows[row]),
    );
  return contexts;
}
