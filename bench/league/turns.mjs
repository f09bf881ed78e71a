// Ranks the turns of conversations, scored as LMEB does (Zhao et al., 2026, arXiv 2603.12572): NDCG@10, a question against the turns of its own
// conversation; a document is a turn with its speaker and date, without captions of images; the mean over kinds of question.
import { bm25 } from "./bm25.mjs";
import { memoryOf } from "./contexts.mjs";
import { averages, ndcg, ndcgChance } from "./measures.mjs";
import { byMeaning } from "./minilm.mjs";
import { rankPlaces } from "./program.mjs";

/**
 * `cases`: `[{ conversation, turns: [{ id, file, said, speaker }], questions: [{ id, text, kind, gold }] }]`, `gold` being
 * ids of turns. Returns way → `mean over kinds` and each kind → `ndcg10`.
 */
export async function measureTurns(cases, context) {
  const scores = {};
  for (const way of context.ways) {
    const rows = [];
    for (const [index, one] of cases.entries()) {
      context.progress(index, cases.length);
      rows.push(...(await rowsOf(way, one, context)));
    }
    scores[way] = byKind(rows);
  }
  return scores;
}

async function rowsOf(way, one, context) {
  const { conversation, turns, questions } = one;
  if (way === "chance")
    return questions.map(({ kind, gold }) => ({ kind, conversation, ndcg10: ndcgChance(turns.length, gold.length) }));
  const rankings = await rankingsOf(way, one, context);
  return questions.map(({ id, kind, gold }) => ({ kind, conversation, ndcg10: ndcg(rankings.get(id) ?? [], gold) }));
}

async function rankingsOf(way, { conversation, turns, questions }, { work, embedder }) {
  if (way === "bm25" || way === "minilm") {
    const documents = turns.map((turn) => ({
      id: turn.id,
      text: `${turn.speaker}, ${longDay(dayOf(turn.file))}: ${turn.said}`,
    }));
    const rank = way === "bm25" ? bm25(documents) : await byMeaning(embedder, documents);
    const rankings = new Map();
    for (const { id, text } of questions) rankings.set(id, await rank(text, 10));
    return rankings;
  }
  const memory = await memoryOf(way, { name: conversation, ...sectionsOf(turns) }, work);
  return rankPlaces(memory, questions);
}

/** A memory in which each turn is a section of its day, as each is a document of its own in LMEB. */
function sectionsOf(turns) {
  const files = new Map();
  const places = turns.map(({ id, file, said, speaker }) => {
    const lines = files.get(file) ?? [`# ${dayOf(file)}`];
    files.set(file, lines);
    lines.push("", `## Turn ${id.slice(1).replace(":", "-")}`, `${speaker}: ${said.replaceAll(/\s+/gu, " ").trim()}`);
    return { id, file, from: lines.length - 1, to: lines.length };
  });
  return { logs: new Map([...files].map(([file, lines]) => [file, `${lines.join("\n")}\n`])), places };
}

function dayOf(file) {
  return file.slice("memory/".length, -".md".length);
}

/** `8 May 2023` for `2023-05-08`. */
function longDay(day) {
  return new Date(`${day}T00:00:00Z`).toLocaleDateString("en-GB", { dateStyle: "long", timeZone: "UTC" });
}

function byKind(rows) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const parts = kinds.map((kind) => [
    kind,
    averages(
      rows.filter((row) => row.kind === kind).map(({ ndcg10, conversation }) => ({ ndcg10, conversation })),
      ({ conversation }) => conversation,
    ),
  ]);
  return {
    "mean over kinds": { ndcg10: meanOver(parts.map(([, { ndcg10 }]) => ndcg10)) },
    ...Object.fromEntries(parts),
  };
}

/** The ends of the interval are means as well, so it is a little wider than drawing over all rows would make it. */
function meanOver(figures) {
  const mean = (key) => figures.reduce((sum, figure) => sum + figure[key], 0) / figures.length;
  return {
    n: figures.reduce((sum, { n }) => sum + n, 0),
    value: mean("value"),
    low: mean("low"),
    high: mean("high"),
  };
}
