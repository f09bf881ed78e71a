// Questions that share no content word with the note that answers them, in several languages. Folder: SET/memory/*.md and SET/questions.jsonl, lines
// `{ id, question, source, line, note, also }`. Odd ids are for development, even ids are held back.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { wordsOf } from "../recall-conversation-score.mjs";
import { contextsOf } from "./contexts.mjs";
import { cutPassages, halves } from "./measures.mjs";

const budget = 500;

export async function measureParaphrases(folder, context) {
  const sets = readdirSync(folder).filter((name) => existsSync(join(folder, name, "questions.jsonl")));
  const scores = {};
  let count = 0;
  for (const set of sets.sort()) {
    const { logs, questions } = readSet(join(folder, set), context.limit);
    count += questions.length;
    for (const way of context.ways) {
      const found = await founds(way, set, logs, questions, context);
      const rows = questions.map((question) => ({ id: question.id, found: found(question) }));
      scores[way] = { ...scores[way], ...halves(rows, set) };
    }
  }
  return { note: `${sets.length} sets, ${count} questions`, scores };
}

function readSet(folder, limit) {
  const names = readdirSync(join(folder, "memory")).filter((name) => name.endsWith(".md"));
  const logs = new Map(names.map((name) => [`memory/${name}`, readFileSync(join(folder, "memory", name), "utf8")]));
  const lines = readFileSync(join(folder, "questions.jsonl"), "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "");
  const questions = lines.slice(0, limit).map((line) => JSON.parse(line));
  return { logs, questions: questions.map((one) => ({ ...one, text: one.question })) };
}

/** Whether a question's note is in its context. Chance: the average over the contexts of all other questions that heartwood gives. */
async function founds(way, set, logs, questions, context) {
  const asked = way === "chance" ? "heartwood" : way;
  const contexts = await contextsOf(asked, { name: set, logs }, questions, { ...context, budget });
  const cut = new Map([...contexts].map(([id, passages]) => [id, cutPassages(passages, budget)]));
  if (way !== "chance") return (question) => Number(hasNote(cut.get(question.id) ?? [], question));
  return (question) => {
    const others = questions.filter(({ note }) => note !== question.note).map(({ id }) => cut.get(id) ?? []);
    return others.filter((passages) => hasNote(passages, question)).length / others.length;
  };
}

/** The note is in a passage as it is, or a passage that includes its line has at least 80 % of its words (characters, if it has no spaces). */
function hasNote(passages, { note, source, line }) {
  const wanted = [...new Set(partsOf(note))];
  return passages.some((passage) => {
    if (flat(passage.text).includes(flat(note))) return true;
    const [, file, from, to] = /^(.*):(\d+)-(\d+)$/u.exec(passage.source) ?? [];
    if (file !== source || Number(from) > line || Number(to) < line) return false;
    const parts = new Set(partsOf(passage.text));
    return wanted.filter((part) => parts.has(part)).length >= 0.8 * wanted.length;
  });
}

function partsOf(text) {
  return wordsOf(text).flatMap((word) =>
    /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}/u.test(word) ? [...word] : word,
  );
}

function flat(text) {
  return text.replaceAll(/\s+/gu, " ").trim();
}
