// Measures the compaction tree. Usage: node bench/tree.mjs [--corpus DIR] [--runs N] [--quick]
import {
  cpSync,
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
  appendFileSync,
} from "node:fs";
import { join, resolve } from "node:path";
import { difference, median, program, report, repository, runNode, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const runs = Number(option("--runs") ?? 7);
const corpus = resolve(option("--corpus") ?? join(repository, "..", "shared", "data", "memaware", "corpus"));
const work = temporaryFolder();
const results = [];

if (existsSync(corpus)) measureCorpus();
else console.log(`SKIPPED: there is no corpus at ${corpus}; give one with --corpus DIR`);
measureDecade();
if (!process.argv.includes("--quick")) measureHugeLog();
console.log(`${results.filter(Boolean).length} passed, ${results.filter((held) => !held).length} failed`);
process.exitCode = results.every(Boolean) ? 0 : 1;

function compact(dir, today) {
  return [program, "compact", "--dir", dir, "--today", today, "--time-zone", "UTC", "--quiet", "--json"];
}

/** Measures 91 days of conversations, 15.9 MB. */
function measureCorpus() {
  const dir = join(work, "corpus");
  const fresh = () => {
    rmSync(dir, { recursive: true, force: true });
    mkdirSync(dir, { recursive: true });
    cpSync(corpus, join(dir, "memory"), { recursive: true });
  };
  const command = compact(dir, "2023-07-15");
  results.push(report("corpus, cold", difference(command, { runs, before: fresh }), 2.0, "s"));
  results.push(report("corpus, nothing to do", difference(command, { runs }), 0.06, "s"));
  let day = 0;
  const change = () =>
    appendFileSync(
      join(dir, "memory", "2023-07-15.md"),
      `## Change ${++day} [project]\n- decisions: change number ${day}\n`,
    );
  results.push(report("corpus, one changed day", difference(command, { runs, before: change }), 0.4, "s"));
  fresh();
  results.push(report("corpus, cold, peak memory", runNode(command, { memory: true }).peak, 300, "MB"));
}

/** Measures 3,650 days of 120 lines. */
function measureDecade() {
  const dir = join(work, "decade");
  writeDecade(join(dir, "memory"));
  const command = compact(dir, "2025-12-31");
  const differences = [];
  for (let run = 0; run < Math.min(runs, 3); run++) {
    for (const gone of [
      "memory/daily",
      "memory/weekly",
      "memory/monthly",
      "memory/ROOT.md",
      "memory/.compaction-state.json",
      ".heartwood",
    ])
      rmSync(join(dir, gone), { recursive: true, force: true });
    const seconds = runNode(command).seconds - runNode(["-e", "0"]).seconds;
    differences.push(seconds - bareWrites(dir));
  }
  results.push(report("3,650 days, cold, beyond bare write and fsync", median(differences), 6, "s"));
  results.push(report("3,650 days, nothing to do", difference(command, { runs }), 0.15, "s"));
  rmSync(join(dir, "memory/daily"), { recursive: true });
  results.push(report("3,650 days, peak memory", runNode(command, { memory: true }).peak, 300, "MB"));
}

function writeDecade(folder) {
  mkdirSync(folder, { recursive: true });
  let seed = 7;
  const next = (n) => (seed = (seed * 1103515245 + 12345) & 0x7fffffff) % n;
  const words = readFileSync(join(repository, "samples", "memory", "2026-03-12.md"), "utf8").match(/\p{L}{3,}/gu);
  for (let offset = 0; offset < 3650; offset++) {
    const day = new Date(Date.UTC(2016, 0, 1) + offset * 86_400_000).toISOString().slice(0, 10);
    const lines = [`# ${day}`, ""];
    while (lines.length < 120) {
      if (lines.length % 12 === 2) lines.push(`## ${words[next(words.length)]} ${words[next(words.length)]} [project]`);
      else
        lines.push(
          `- ${["request", "decisions", "outcome", "open"][next(4)]}: ${Array.from({ length: 9 }, () => words[next(words.length)]).join(" ")}`,
        );
    }
    writeFileSync(join(folder, `${day}.md`), `${lines.join("\n")}\n`);
  }
}

/** The seconds it takes just to write and sync the same files one by one. */
function bareWrites(dir) {
  const files = ["daily", "weekly", "monthly"].flatMap((level) =>
    readdirSync(join(dir, "memory", level)).map((name) => readFileSync(join(dir, "memory", level, name))),
  );
  const target = join(work, "bare");
  mkdirSync(target, { recursive: true });
  const started = performance.now();
  files.forEach((bytes, index) => {
    const file = openSync(join(target, String(index)), "w");
    writeSync(file, bytes);
    fsyncSync(file);
    closeSync(file);
  });
  const seconds = (performance.now() - started) / 1000;
  rmSync(target, { recursive: true });
  return seconds;
}

/** Measures a 1 GB log: compacting it, adding a line after its node is fixed, adding an entry, and tracing a line. */
function measureHugeLog() {
  const dir = join(work, "huge");
  const log = join(dir, "memory", "2026-03-01.md");
  mkdirSync(join(dir, "memory"), { recursive: true });
  const file = openSync(log, "w");
  const lines =
    "- decisions: the token bucket passes bursts of four hundred requests, measured again on the machine\n".repeat(
      10_000,
    );
  for (let written = 0, part = 1; written < 1e9; part++)
    written += writeSync(file, `## Part ${part} [project]\n${lines}`);
  closeSync(file);
  const measure = (name, args) => {
    const { peak, seconds } = runNode(args, { memory: true });
    console.log(`      one log of 1 GB, ${name}, took ${seconds.toFixed(1)} s`);
    results.push(report(`one log of 1 GB, ${name}, peak memory`, peak, 300, "MB"));
  };
  const common = ["--dir", dir, "--today", "2026-03-02", "--time-zone", "UTC"];
  measure("cold", compact(dir, "2026-03-02"));
  appendFileSync(log, "- outcome: one line more\n");
  measure("addendum", compact(dir, "2026-03-02"));
  measure("log add", [program, "log", "add", ...common, "--date", "2026-03-01", "--topic", "Late", "--body", "- late"]);
  measure("trace", [program, "trace", ...common, "ROOT:10"]);
}
