// Histories of public repositories as memories, with questions that describe a commit and share no content word with its message. Folder: a git
// directory per history of bench/league/commits/*.jsonl (lines `{ id, question, hash, also }`). Odd ids are for development, even ids are held back.
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bm25 } from "./bm25.mjs";
import { askedBy, memoryOf } from "./contexts.mjs";
import { averages, halves, rankChance, rankMeasures } from "./measures.mjs";
import { byMeaning } from "./minilm.mjs";
import { rankPlaces } from "./program.mjs";

/** The newest commits up to this one, without merges. */
const histories = [
  { name: "ripgrep", head: "3fce3b5bb0236da2df6d99672afb8a719642eca7" },
  { name: "libuv", head: "6179e7af87413396d5853a1c3722c8b5749336c8" },
  { name: "tornado", head: "e530031405e2154654dedc4c84d5656b557ea310" },
];
const most = 3000;

export async function measureCommits(folder, context) {
  const scores = {};
  const notes = [];
  for (const { name, head } of histories.filter((one) => existsSync(join(folder, one.name)))) {
    const commits = commitsOf(join(folder, name), head);
    const questions = questionsOf(name).slice(0, context.limit);
    notes.push(`${name} ${commits.length} commits`);
    for (const way of context.ways) {
      const rankings = await rankingsOf(way, name, commits, questions, context);
      const rows = questions.map(({ id, hash }) => {
        const gold = commits.find((commit) => commit.hash.startsWith(hash)).hash;
        if (way !== "chance") return { id, ...measured(rankMeasures(rankings.get(id) ?? [], [gold])) };
        return { id, ...measured(rankChance(commits.length, 1)) };
      });
      (scores[way] ??= []).push(...rows);
    }
  }
  if (notes.length === 0) return { note: "SKIPPED, no history is there", scores };
  const parts = Object.entries(scores).map(([way, rows]) => [way, { ...halves(rows, "all"), ...byHistory(rows) }]);
  return { note: notes.join(", "), scores: Object.fromEntries(parts) };
}

function measured({ first, any5 }) {
  return { first, any5 };
}

function byHistory(rows) {
  const parts = histories.map(({ name }) => [name, rows.filter(({ id }) => id.startsWith(`${name}-`))]);
  return Object.fromEntries(parts.filter(([, list]) => list.length > 0).map(([name, list]) => [name, averages(list)]));
}

function questionsOf(name) {
  const path = fileURLToPath(new URL(`commits/${name}.jsonl`, import.meta.url));
  const lines = readFileSync(path, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line)).map((one) => ({ ...one, text: one.question }));
}

function commitsOf(directory, head) {
  const format = "--format=%H%x00%ad%x00%B%x01";
  const args = ["log", "--no-merges", `--max-count=${most}`, "--date=format-local:%Y-%m-%d %H:%M", format, head];
  const env = { PATH: process.env.PATH, TZ: "UTC", GIT_CONFIG_NOSYSTEM: "1", GIT_CONFIG_GLOBAL: "/dev/null" };
  const printed = execFileSync("git", ["-C", directory, ...args], { encoding: "utf8", env, maxBuffer: 1 << 28 });
  return printed.split("\u0001").flatMap((entry) => {
    const [hash, date, message] = entry.trim().split("\0");
    return message === undefined ? [] : { hash, day: date.slice(0, 10), time: date.slice(11), message: message.trim() };
  });
}

async function rankingsOf(way, name, commits, questions, { work, embedder }) {
  if (way === "chance") return undefined;
  if (way.startsWith("bm25") || way === "minilm") {
    const documents = commits.map(({ hash, message }) => ({ id: hash, text: message }));
    const rank = way === "minilm" ? await byMeaning(embedder, documents) : bm25(documents);
    const rankings = new Map();
    for (const { id, text } of askedBy(way, questions)) rankings.set(id, await rank(text, 5));
    return rankings;
  }
  return rankPlaces(await memoryOf(way, { name, ...logsOf(commits) }, work), askedBy(way, questions));
}

/** A log per day, a section per commit: time and short hash, then the message. */
function logsOf(commits) {
  const files = new Map();
  const sorted = [...commits].sort((a, b) => (`${a.day} ${a.time}` < `${b.day} ${b.time}` ? -1 : 1));
  const places = sorted.map(({ hash, day, time, message }) => {
    const file = `memory/${day}.md`;
    const lines = files.get(file) ?? [`# ${day}`];
    files.set(file, lines);
    lines.push("", `## ${time} ${hash.slice(0, 9)}`);
    const from = lines.length;
    lines.push(...message.split("\n").map((line) => line.replace(/^(?=#{1,2}(?:\s|$))/u, "\\")));
    return { id: hash, file, from, to: lines.length };
  });
  return { logs: new Map([...files].map(([file, lines]) => [file, `${lines.join("\n")}\n`])), places };
}
