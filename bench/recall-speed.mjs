// Measures the cost of the index, search and recall against their bounds, on 91 days of conversations (15.9 MB) and on ten years made from them (200 MB).
// Usage: node bench/recall-speed.mjs [--shared DIR] [--runs N] [--only corpus|decade] [--decade DIR] [--questions N]
// --decade: keeps the ten years in this folder, or reuses them from there. Exit status 1 if a bound is missed.
// Whole processes: time minus `node -e 0`, run alternately. Queries: in one warm process (bench/recall-speed-probe.mjs).
import { cpSync, existsSync, readFileSync, rmSync } from "node:fs";
import { loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { changeDay, daysIn, writeDecade } from "./corpora/decade.mjs";
import { difference, folderBytes, median, program, repository, runNode, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const runs = Number(option("--runs") ?? 7);
const asked = Number(option("--questions") ?? 450);
const only = option("--only");
const corpus = join(shared, "data", "memaware", "corpus");
const questionsFile = join(shared, "data", "memaware", "dev.questions.jsonl");
const today = "2023-07-01";
const probe = fileURLToPath(new URL("recall-speed-probe.mjs", import.meta.url));
const holds = [];
let changes = 0;

if (!existsSync(corpus)) console.log(`SKIPPED: there is no corpus at ${corpus}; give its folder with --shared DIR`);
else {
  if (only !== "decade") measureCorpus();
  if (only !== "corpus") measureDecade();
  console.log(`\n${holds.filter(Boolean).length} met, ${holds.filter((held) => !held).length} not met`);
}
process.exitCode = holds.every(Boolean) ? 0 : 1;

function measureCorpus() {
  const dir = join(temporaryFolder(), "corpus");
  cpSync(corpus, join(dir, "memory"), { recursive: true });
  heading("91 days of conversations", dir);
  const index = heartwood(dir, "index");
  const gone = () => rmSync(join(dir, ".heartwood", "search"), { recursive: true, force: true });
  figure("index from nothing", difference(index, { runs, before: gone }) * 1000, 4000, "ms");
  figure("index with nothing to do", difference(index, { runs }) * 1000, undefined, "ms");
  figure(
    "index after one changed day",
    difference(index, {
      runs,
      before: () => changeDay(join(dir, "memory"), daysIn(join(dir, "memory")).at(-1), ++changes),
    }) * 1000,
    150,
    "ms",
  );
  sizes(dir, index, gone);
  warm(dir, { searchMedian: 15, searchLate: 60, recallMedian: 40 });
  const text = questions().find(({ length }) => length > 150);
  figure(
    "search, a whole process",
    difference(heartwood(dir, "search", text), { runs: 2 * runs }) * 1000,
    undefined,
    "ms",
  );
  figure("recall, a whole process", wholeRecalls(dir), 200, "ms");
  recallWithoutIndex(dir, gone, text);
}

function measureDecade() {
  const kept = option("--decade");
  const dir = kept === undefined ? join(temporaryFolder(), "decade") : resolve(kept);
  if (!existsSync(join(dir, "memory"))) writeDecade(corpus, join(dir, "memory"));
  heading("ten years", dir);
  const index = heartwood(dir, "index");
  const gone = () => rmSync(join(dir, ".heartwood", "search"), { recursive: true, force: true });
  sizes(dir, index, gone);
  figure("index with nothing to do", difference(index, { runs: 3 }) * 1000, undefined, "ms");
  warm(dir, { searchMedian: 60 });
  const text = questions().find(({ length }) => length > 150);
  figure("recall, a whole process", difference(heartwood(dir, "recall", text), { runs: 3 }) * 1000, undefined, "ms");
}

function heartwood(dir, command, ...rest) {
  const common = ["--dir", dir, "--today", today, "--time-zone", "UTC"];
  return [program, command, ...rest, ...common, "--json"];
}

function questions() {
  const lines = readFileSync(questionsFile, "utf8").split("\n").filter(Boolean);
  return lines.map((line) => JSON.parse(line).question);
}

/** Builds the index from scratch once more, and prints time, peak memory and size. */
function sizes(dir, index, gone) {
  gone();
  const { seconds, peak, stdout } = runNode(index, { memory: true });
  const { sources, chunks, statements } = JSON.parse(stdout);
  const raw = folderBytes(join(dir, "memory"));
  const made = folderBytes(join(dir, ".heartwood", "search"));
  figure("index from nothing, measured once", seconds * 1000, undefined, "ms");
  figure("index from nothing, peak memory", peak, undefined, "MB");
  figure("size of the index", made / 1e6, undefined, "MB");
  console.log(
    `           ${(made / raw).toFixed(2)} of the logs; ${sources} sources, ${chunks} chunks, ${statements} statements`,
  );
}

/** Measures search and recall in one warm process. */
function warm(dir, { searchMedian, searchLate, recallMedian }) {
  const { search, searchLong, recall, rss, rssIdle } = JSON.parse(
    runNode([probe, dir, questionsFile, String(asked), today]).stdout,
  );
  figure("search, warm, median", search.median, searchMedian, "ms");
  figure("search, warm, processor time, median", search.cpu, undefined, "ms");
  figure("search, warm, 99 of 100", search.late, undefined, "ms");
  figure(
    `search, warm, questions of 30 words and more (${searchLong.count}), median`,
    searchLong.median,
    undefined,
    "ms",
  );
  figure(
    `search, warm, questions of 30 words and more (${searchLong.count}), 99 of 100`,
    searchLong.late,
    searchLate,
    "ms",
  );
  figure("recall, warm, median", recall.median, recallMedian, "ms");
  figure("recall, warm, processor time, median", recall.cpu, undefined, "ms");
  figure("recall, warm, 99 of 100", recall.late, undefined, "ms");
  for (const [step, time] of Object.entries(recall.steps))
    figure(`recall, warm, step ${step}, median`, time, undefined, "ms");
  figure("memory of the process (RSS) before the first query", rssIdle, undefined, "MB");
  figure("memory of the process (RSS) after all", rss, undefined, "MB");
}

/** Uses a different question in each run, because some cost more than others. */
function wholeRecalls(dir) {
  const all = questions();
  const times = Array.from({ length: 3 * runs }, (_, run) => {
    const text = all[(run * 37) % all.length];
    return difference(heartwood(dir, "recall", text), { runs: 1 }) * 1000;
  });
  return median(times);
}

/** Measures the very first question: nothing is indexed yet, and recall reports that instead of waiting. */
function recallWithoutIndex(dir, gone, text) {
  const seconds = difference(heartwood(dir, "recall", text), { runs, before: gone });
  figure("recall, a whole process, without an index", seconds * 1000, undefined, "ms");
  gone();
  const { not_indexed: missing } = JSON.parse(runNode(heartwood(dir, "recall", text)).stdout);
  console.log(`           ${missing} sources were not indexed then`);
}

function heading(name, dir) {
  const megabytes = (folderBytes(join(dir, "memory")) / 1e6).toFixed(1);
  console.log(`\n${name}, ${megabytes} MB (load ${loadavg()[0].toFixed(1)})`);
}

function figure(name, value, bound, unit) {
  const shown = `${value.toFixed(1).padStart(9)} ${unit}`;
  if (bound === undefined) console.log(`           ${name.padEnd(72)} ${shown}`);
  else {
    holds.push(value <= bound);
    console.log(`${value <= bound ? "met    " : "not met"}    ${name.padEnd(72)} ${shown}  (at most ${bound} ${unit})`);
  }
}
