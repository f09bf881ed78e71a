// MemAware: messages over 91 days of conversations, where the right memory seldom shares the message's words. Folder: corpus/, dev.json,
// dev.questions.jsonl, and the scorer that comes with them as score.mjs (or ../../eval/score.mjs beside the folder).
import { existsSync, readdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runNode } from "../harness.mjs";
import { contextsOf } from "./contexts.mjs";

const budget = 2000;
const today = "2023-07-01";

export async function measureMemAware(folder, { ways, work, embedder, limit }) {
  const real = realpathSync(folder);
  const scorer = [join(real, "score.mjs"), join(real, "..", "..", "eval", "score.mjs")].find((path) =>
    existsSync(path),
  );
  if (scorer === undefined) return { note: "SKIPPED, score.mjs is not there", scores: {} };
  const lines = readFileSync(join(folder, "dev.questions.jsonl"), "utf8").split("\n").filter(Boolean).slice(0, limit);
  const questions = lines.map((line) => JSON.parse(line)).map((one) => ({ id: one.question_id, text: one.question }));
  const corpus = join(folder, "corpus");
  const logs = new Map(readdirSync(corpus).map((name) => [`memory/${name}`, readFileSync(join(corpus, name), "utf8")]));
  const scores = {};
  for (const way of ways.filter((one) => one !== "chance")) {
    const contexts = await contextsOf(way, { name: "dev", logs, today }, questions, { work, embedder, budget });
    const run = join(work, `${way}.jsonl`);
    const rows = [...contexts].map(([id, context]) =>
      JSON.stringify({ question_id: id, context: context.slice(0, 200) }),
    );
    writeFileSync(run, `${rows.join("\n")}\n`);
    scores[way] = { all: scored(scorer, run, folder, work) };
  }
  return { note: `${questions.length} messages, ${logs.size} days`, scores };
}

function scored(scorer, run, folder, work) {
  const report = join(work, "report.json");
  const sources = ["--questions", join(folder, "dev.json"), "--corpus", join(folder, "corpus")];
  runNode([scorer, run, ...sources, "--context-tokens", String(budget), "--json", report]);
  const { hit, grounded, answer } = JSON.parse(readFileSync(report, "utf8")).tiers.all;
  const net = { n: hit.n, value: hit.value - hit.chance, ci: hit.ci.map((end) => end - hit.chance) };
  const chance = { n: hit.n, value: hit.chance, ci: [hit.chance, hit.chance] };
  const figures = Object.entries({ hit, "hit by chance": chance, "net hit": net, grounded, answer });
  return Object.fromEntries(
    figures.map(([name, { n, value, ci }]) => [name, { n, value: 100 * value, low: 100 * ci[0], high: 100 * ci[1] }]),
  );
}
