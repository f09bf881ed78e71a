// The league of recall: public benchmarks, each beside chance, BM25 and a small embedding model. See bench/league.md for how to fetch the data.
// Usage: node bench/league/run.mjs --data FOLDER [--only NAME,…] [--ways chance,bm25,minilm,heartwood,model,bm25-also,also,model-also] [--json FILE] [--work FOLDER]
//          [--program DIST/bin.js] [--limit N]
// FOLDER contains a folder (or link) per benchmark. --work: where memories are made and kept; a temporary folder if not given.
// --limit: only the first N questions or conversations of each benchmark, to try it out.
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "../harness.mjs";
import { benchmarks } from "./benchmarks.mjs";
import { openMiniLm } from "./minilm.mjs";
import { useProgram } from "./program.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const names = {
  chance: "chance",
  bm25: "BM25",
  minilm: "MiniLM alone",
  heartwood: "heartwood",
  model: "heartwood, model",
  "bm25-also": "BM25, other words",
  also: "heartwood, other words",
  "model-also": "heartwood, model, other words",
};
const data = resolve(option("--data") ?? "league-data");
const work = option("--work") === undefined ? temporaryFolder() : resolve(option("--work"));
const only = option("--only")?.split(",");
const limit = Number(option("--limit") ?? Number.POSITIVE_INFINITY);
const embedder = await openMiniLm();
const results = {};
if (option("--program") !== undefined) await useProgram(resolve(option("--program")));

for (const benchmark of benchmarks) {
  if (only !== undefined && !only.includes(benchmark.name)) continue;
  const folder = folderOf(benchmark);
  if (folder === undefined)
    console.log(`\n${benchmark.title}: SKIPPED, ${join(data, benchmark.folder)} does not exist`);
  else results[benchmark.name] = await measured(benchmark, folder);
  if (option("--json") !== undefined) writeFileSync(option("--json"), `${JSON.stringify(results, undefined, 1)}\n`);
}
await embedder?.close?.();

/** In the data; or here, for a benchmark whose texts are part of this repository. */
function folderOf({ folder, own = false }) {
  const here = fileURLToPath(new URL(folder, import.meta.url));
  return [join(data, folder), ...(own ? [here] : [])].find((path) => existsSync(path));
}

function waysOf({ also = false }) {
  const wanted = option("--ways")?.split(",") ?? Object.keys(names);
  const possible = also ? wanted : wanted.filter((way) => !way.endsWith("also"));
  return possible.filter((way) => embedder !== undefined || !["minilm", "model", "model-also"].includes(way));
}

async function measured(benchmark, folder) {
  const started = performance.now();
  const room = join(work, benchmark.name);
  mkdirSync(room, { recursive: true });
  const found = await benchmark.measure(folder, { ways: waysOf(benchmark), work: room, embedder, limit, progress });
  const seconds = (performance.now() - started) / 1000;
  console.log(`\n${benchmark.title}: ${found.note}; ${seconds.toFixed(0)} s`);
  if (embedder === undefined)
    console.log("SKIPPED: MiniLM alone and heartwood with the model; heartwood-embedder-minilm is not installed");
  for (const [part, scores] of Object.entries(turned(found.scores))) printPart(part, scores);
  return { ...found, seconds };
}

/** From way → part → measures to part → way → measures. */
function turned(scores) {
  const parts = {};
  for (const [way, list] of Object.entries(scores))
    for (const [part, figures] of Object.entries(list)) (parts[part] ??= {})[way] = figures;
  return parts;
}

function printPart(part, scores) {
  const measures = [...new Set(Object.values(scores).flatMap((figures) => Object.keys(figures)))];
  const count = Math.max(...Object.values(scores).flatMap((figures) => Object.values(figures).map(({ n }) => n)));
  console.log(`\n| ${part} (${count}) | ${measures.join(" | ")} |\n|---|${measures.map(() => "--:|").join("")}`);
  for (const [way, figures] of Object.entries(scores))
    console.log(`| ${names[way]} | ${measures.map((measure) => cell(figures[measure])).join(" | ")} |`);
}

function cell(figure) {
  if (figure === undefined || Number.isNaN(figure.value)) return "–";
  const interval = figure.low === undefined ? "" : ` [${figure.low.toFixed(1)}, ${figure.high.toFixed(1)}]`;
  return `${figure.value.toFixed(1)}${interval}`;
}

function progress(done, all) {
  if (process.stderr.isTTY) process.stderr.write(`\r${done} of ${all} `);
}
