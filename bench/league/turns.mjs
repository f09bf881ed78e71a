// Ranks the turns of conversations, scored as LMEB does (Zhao et al., 2026, arXiv 2603.12572): NDCG@10, a question against the turns of its own
// conversation; a document is a turn with its speaker and date, without captions of images; the mean over kinds of question.
import { bm25 } from "./bm25.mjs";
import { memoryOf } from "./contexts.mjs";
import { averages, ndcg, ndcgChance } from "./measures.mjs";
import { byMeaning } from "./minilm.mjs";
import { rankSessions } from "./program.mjs";

/**
 * `cases`: `[{ conversation, logs, turns: [{ id, file, line, to, said, speaker, day }], questions: [{ id, text, kind, gold }] }]`, `gold` being
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

async function rankingsOf(way, { conversation, logs, turns, questions }, { work, embedder }) {
  if (way === "bm25" || way === "minilm") {
    const documents = turns.map((turn) => ({
      id: turn.id,
      text: `${turn.speaker}, ${longDay(turn.day)}: ${turn.said}`,
    }));
    const rank = way === "bm25" ? bm25(documents) : await byMeaning(embedder, documents);
    const rankings = new Map();
    for (const { id, text } of questions) rankings.set(id, await rank(text, 10));
    return rankings;
  }
  const places = turns.map(({ id, file, line, to, said }) => ({ id, file, from: line, to: to ?? line, said }));
  return rankSessions(memoryOf(way, { name: conversation, logs, places }, work), questions, { how: "recall" });
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
