// Asks the built program, through its public API, over memories that adapters write. Each way to ask has memories of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { program as built, runNode } from "../harness.mjs";
import { sharesRun } from "../recall-conversation-score.mjs";
import { finder } from "./conversations.mjs";

// In a checkout the program uses its own package only if it is told to.
process.env.HEARTWOOD_EMBEDDER = "on";

let program = built;
let openMemory;

/** The program to measure; `dist/index.js` is beside its `bin.js`. */
export async function useProgram(path = built) {
  program = path;
  const library = join(dirname(path), "index.js");
  if (!existsSync(library)) throw new Error(`${library} does not exist; npm run build makes it`);
  ({ openMemory } = await import(pathToFileURL(library).href));
}

/** Writes a memory and indexes it. `model`: with the embedding model that is installed. `today`: the day of the questions. */
export async function makeMemory(dir, { logs, places = [] }, { model = false, today } = {}) {
  for (const [file, text] of logs) {
    const path = join(dir, file);
    mkdirSync(dirname(path), { recursive: true });
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  const vector = model ? "required" : "auto";
  writeFileSync(join(dir, "heartwood.config.json"), `${JSON.stringify({ search: { vector } })}\n`);
  const memory = { dir, today, model, placesAt: finder(places) };
  await opened(memory, (asked) => asked.index({ embed: model }));
  return memory;
}

async function opened({ dir, today, model }, ask) {
  if (openMemory === undefined) await useProgram();
  // Without it, only with the word vectors that every heartwood has.
  process.env.HEARTWOOD_EMBEDDER = model ? "on" : "off";
  const memory = await openMemory({ dir, timeZone: "UTC", ...(today === undefined ? {} : { today }) });
  try {
    return await ask(memory);
  } finally {
    await memory.close();
  }
}

/** `ask(memory, text, more)` for questions `{ id, text, also }`: a Map from id to result. */
function eachQuestion(memory, questions, ask) {
  return opened(memory, async (asked) => {
    const results = new Map();
    for (const { id, text, also } of questions)
      results.set(id, await ask(asked, text, also === undefined ? {} : { also }));
    return results;
  });
}

/** Contexts of questions `{ id, text, also }`: a Map from id to passages `{ text, source, score }`. */
export function recall(memory, questions, budget) {
  return eachQuestion(
    memory,
    questions,
    async (asked, text, more) => (await asked.recall(text, { budget, ...more })).passages,
  );
}

/**
 * Ranks the places of a memory (sessions, turns, commits) for questions `{ id, text }`: a Map from id to ids of places, best first. `how`:
 * `sessions` by `recall --sessions`; `recall` by the score of the best passage of recall at 4,000 tokens that is in the place (and, if the place
 * has `said`, contains three of its words in a row); `search` by the first hit of search (by session, if the program can). Recall's own order is not a ranking: it puts newer
 * passages about a topic before older ones.
 */
export async function rankPlaces(memory, questions, { how = hasSessions() ? "sessions" : "recall" } = {}) {
  if (how === "sessions") return batch(memory, questions);
  const found =
    how === "search"
      ? await eachQuestion(memory, questions, async (asked, text) => {
          const by = hasSessions() ? { by: "session" } : {};
          return (await asked.search(text, { limit: 50, ...by })).hits;
        })
      : await recall(memory, questions, 4000);
  if (how === "recall") for (const passages of found.values()) passages.sort((a, b) => b.score - a.score);
  return new Map([...found].map(([id, list]) => [id, placesOf(memory, list)]));
}

function batch(memory, questions) {
  process.env.HEARTWOOD_EMBEDDER = memory.model ? "on" : "off";
  const file = join(memory.dir, "questions.jsonl");
  const lines = questions.map(({ id, text, also }) => JSON.stringify({ question_id: id, question: text, also }));
  writeFileSync(file, `${lines.join("\n")}\n`);
  const today = memory.today === undefined ? [] : ["--today", memory.today];
  const options = ["--batch", file, "--dir", memory.dir, "--time-zone", "UTC", "--quiet", ...today];
  const printed = runNode([program, "recall", "--sessions", ...options])
    .stdout.split("\n")
    .filter(Boolean);
  return new Map(
    printed.map((line) => JSON.parse(line)).map((line) => [line.question_id, placesOf(memory, line.sessions)]),
  );
}

function placesOf({ placesAt }, found) {
  const ids = found.flatMap(({ source, lines, text }) =>
    placesAt(lines === undefined ? source : `${source}:${lines}`)
      .filter(({ said }) => said === undefined || text === undefined || sharesRun(said, text))
      .map(({ id }) => id),
  );
  return [...new Set(ids)];
}

let sessions;
function hasSessions() {
  return (sessions ??= runNode([program, "recall", "--help"]).stdout.includes("--sessions"));
}
