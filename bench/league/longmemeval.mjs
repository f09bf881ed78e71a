// LongMemEval_S (Wu et al., 2024): questions with about 48 sessions each. Folder: one JSON file per question, `NN_questionid.json`. Files whose
// number is below 31 (the oracle version) or above 99 (the M version) are ignored, so the folder of the source may be given as it is.
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { foundTurns } from "../recall-conversation-score.mjs";
import { bm25, bm25Contexts } from "./bm25.mjs";
import { conversationLogs } from "./conversations.mjs";
import { averages, rankChance, rankMeasures } from "./measures.mjs";
import { byMeaning } from "./minilm.mjs";
import { makeMemory, rankPlaces, recall } from "./program.mjs";

const budget = 2000;

/** The questions, each with its `sessions`. */
export function longMemEvalCases(folder) {
  if (!existsSync(folder)) return [];
  const names = readdirSync(folder).filter((name) => {
    const number = Number(/^(\d+)_.*\.json$/u.exec(name)?.[1]);
    return number > 30 && number < 100;
  });
  return names.sort().map((name) => caseOf(JSON.parse(readFileSync(join(folder, name), "utf8"))));
}

function caseOf(data) {
  const sessions = data.haystack_sessions.map((turns, index) => {
    const [day, , time] = data.haystack_dates[index].split(" ");
    return {
      id: data.haystack_session_ids[index],
      day: day.replaceAll("/", "-"),
      time,
      turns: turns.map(({ role, content, has_answer: hasAnswer = false }) => ({
        speaker: role === "user" ? "User" : "Assistant",
        text: content,
        hasAnswer,
      })),
    };
  });
  return {
    id: data.question_id,
    text: data.question,
    kind: data.question_id.endsWith("_abs") ? "abstention" : data.question_type,
    day: data.question_date.slice(0, 10).replaceAll("/", "-"),
    gold: data.answer_session_ids,
    sessions,
  };
}

/** Each question asks a memory of its own sessions. */
export async function measureOwn(cases, { ways, work, embedder, progress }) {
  const rows = Object.fromEntries(ways.map((way) => [way, []]));
  const vectors = new Map();
  for (const [index, one] of cases.entries()) {
    progress(index, cases.length);
    const logs = conversationLogs(one.sessions);
    for (const way of ways)
      rows[way].push(await measureCase(one, logs, { way, work, embedder, vectors, cases, index }));
  }
  return Object.fromEntries(ways.map((way) => [way, byKind(rows[way])]));
}

async function measureCase(one, logs, { way, work, embedder, vectors, cases, index }) {
  const documents = documentsOf(one.sessions);
  const evidence = logs.turns.filter(({ turn }) => turn.hasAnswer);
  const all = (context) =>
    evidence.length === 0 ? Number.NaN : Number(foundTurns(evidence, context, budget).every(Boolean));
  const ranked = (ranking) => rankMeasures(ranking, one.gold);
  if (way === "bm25") {
    const context = bm25Contexts(logs.logs, [one]).get(one.id);
    return { kind: one.kind, ...ranked(bm25(documents)(one.text)), evidence: all(context) };
  }
  if (way === "minilm") {
    const rank = await byMeaning(embedder, documentsOf(one.sessions, "User"), vectors);
    return { kind: one.kind, ...ranked(await rank(one.text)) };
  }
  const model = way === "model";
  const memory = await makeMemory(join(work, `${model ? "model" : "words"}-${one.id}`), logs, {
    model,
    today: one.day,
  });
  if (way === "chance") {
    const other = { id: "other", text: cases[(index + 1) % cases.length].text };
    const context = (await recall(memory, [other], budget)).get("other");
    return { kind: one.kind, ...rankChance(documents.length, new Set(one.gold).size), evidence: all(context) };
  }
  const search = rankMeasures((await rankPlaces(memory, [one], { how: "search" })).get(one.id), one.gold).any5;
  const context = (await recall(memory, [one], budget)).get(one.id);
  return { kind: one.kind, ...ranked((await rankPlaces(memory, [one])).get(one.id)), search, evidence: all(context) };
}

/** Every session once, as a document. `speaker`: only what this speaker said. */
function documentsOf(sessions, speaker) {
  const unique = new Map(sessions.map((session) => [session.id, session]));
  return [...unique.values()].map(({ id, turns }) => ({
    id,
    text: turns.flatMap((turn) => (speaker === undefined || turn.speaker === speaker ? turn.text : [])).join("\n"),
  }));
}

function byKind(rows) {
  const kinds = [...new Set(rows.map(({ kind }) => kind))].sort();
  const parts = { "without abstention": rows.filter(({ kind }) => kind !== "abstention"), "with abstention": rows };
  for (const kind of kinds) parts[kind] = rows.filter((row) => row.kind === kind);
  return Object.fromEntries(Object.entries(parts).map(([part, list]) => [part, averages(list)]));
}

/** All questions ask one memory of all sessions. A session keeps the day that it has in the first question that contains it. */
export async function measurePooled(cases, { ways, work, embedder, progress }) {
  const unique = new Map();
  for (const { sessions } of cases) for (const one of sessions) if (!unique.has(one.id)) unique.set(one.id, one);
  const sessions = [...unique.values()];
  const results = {};
  for (const way of ways) {
    progress(ways.indexOf(way), ways.length);
    const rank = await pooledRanking(way, sessions, cases, { work, embedder });
    const rows = cases.map(({ id, gold, kind }) => {
      const chance = way === "chance" ? rankChance(sessions.length, new Set(gold).size) : undefined;
      const { first, any5 } = chance ?? rankMeasures(rank.get(id), gold);
      return { kind, first, any5 };
    });
    results[way] = byKind(rows);
  }
  return results;
}

async function pooledRanking(way, sessions, cases, { work, embedder }) {
  if (way === "chance") return undefined;
  if (way === "bm25") {
    const rank = bm25(documentsOf(sessions));
    return new Map(cases.map(({ id, text }) => [id, rank(text, 5)]));
  }
  if (way === "minilm") {
    const rank = await byMeaning(embedder, documentsOf(sessions, "User"));
    const rankings = new Map();
    for (const { id, text } of cases) rankings.set(id, await rank(text, 5));
    return rankings;
  }
  const model = way === "model";
  const today = cases
    .map(({ day }) => day)
    .sort()
    .at(-1);
  const memory = await makeMemory(join(work, model ? "model" : "words"), conversationLogs(sessions), { model, today });
  return rankPlaces(memory, cases);
}
