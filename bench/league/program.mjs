// Runs the built program over memories that adapters write. Each way to run it has memories of its own.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { program as built, runNode } from "../harness.mjs";
import { sharesRun } from "../recall-conversation-score.mjs";
import { finder } from "./conversations.mjs";

let program = built;
const common = ["--time-zone", "UTC", "--quiet"];

export function useProgram(path) {
  program = path;
}

/** Writes a memory and indexes it. `model`: with the embedding model that is installed. Returns the memory for `recall` and `rankSessions`. */
export function makeMemory(dir, { logs, places = [] }, { model = false, today } = {}) {
  if (!existsSync(program)) throw new Error(`${program} does not exist; npm run build makes it`);
  for (const [file, text] of logs) {
    mkdirSync(join(dir, file, ".."), { recursive: true });
    const path = join(dir, file);
    if (!existsSync(path) || readFileSync(path, "utf8") !== text) writeFileSync(path, text);
  }
  writeFileSync(join(dir, "heartwood.config.json"), `${JSON.stringify({ search: { vector: model } })}\n`);
  const memory = { dir, placesAt: finder(places), today };
  run(memory, ["index"]);
  return memory;
}

function run({ dir, today }, args) {
  const day = today === undefined ? [] : ["--today", today];
  const [command, ...rest] = args;
  const before = rest.indexOf("--");
  const options = ["--dir", dir, ...common, ...day];
  const all = before === -1 ? [...rest, ...options] : [...rest.slice(0, before), ...options, ...rest.slice(before)];
  return runNode([program, command, ...all], { statuses: [0, 1] }).stdout;
}

/** Contexts of questions `{ id, text }`: a Map from id to passages `{ text, source }`. */
export function recall(memory, questions, budget) {
  const lines = batch(memory, questions, ["--budget", String(budget)]);
  return new Map(lines.map(({ question_id: id, context }) => [id, context]));
}

function batch(memory, questions, options) {
  const file = join(memory.dir, "questions.jsonl");
  const lines = questions.map(({ id, text }) => JSON.stringify({ question_id: id, question: text }));
  writeFileSync(file, `${lines.join("\n")}\n`);
  const printed = run(memory, ["recall", "--batch", file, ...options]);
  return printed.split("\n").flatMap((line) => (line.startsWith("{") ? JSON.parse(line) : []));
}

/**
 * Ranks the places of a memory (sessions, turns, commits) for questions `{ id, text }`: a Map from id to ids of places, best first. `how`:
 * `recall` by the first passage of recall at 4,000 tokens that is in the place (and, if the place has `said`, has three words of it in a row); `sessions` by `recall --sessions`; `search` by the first hit.
 */
export function rankSessions(memory, questions, { how = hasSessions() ? "sessions" : "recall", budget = 4000 } = {}) {
  if (how === "search") return searched(memory, questions);
  const options = how === "sessions" ? ["--sessions"] : ["--budget", String(budget)];
  const lines = batch(memory, questions, options);
  const ranked = lines.map(({ question_id: id, context, sessions }) => [id, context ?? sessions]);
  return new Map(ranked.map(([id, found]) => [id, placesOf(memory, found)]));
}

function placesOf({ placesAt }, found) {
  const ids = found.flatMap(({ source, lines, text }) =>
    placesAt(lines === undefined ? source : `${source}:${lines}`)
      .filter(({ said }) => said === undefined || text === undefined || sharesRun(said, text))
      .map(({ id }) => id),
  );
  return [...new Set(ids)];
}

function searched(memory, questions) {
  const by = helpOf("search").includes("--by") ? ["--by", "session"] : [];
  return new Map(
    questions.map(({ id, text }) => {
      const printed = run(memory, ["search", "--json", "--limit", "50", ...by, "--", text]);
      return [id, placesOf(memory, JSON.parse(printed).hits ?? [])];
    }),
  );
}

export function hasSessions() {
  return helpOf("recall").includes("--sessions");
}

const helps = new Map();
function helpOf(command) {
  if (!helps.has(command)) helps.set(command, runNode([program, command, "--help"]).stdout);
  return helps.get(command);
}
