// Measures how much of what a question needs is found by recall. The scorer that comes with the questions reports hit and grounded, each with its chance.
// Usage: node bench/recall-quality.mjs [--shared DIR] [--data DIR] [--eval DIR] [--budget N] [--conversations DIR] [--json FILE]
//          [--ablate [NAMES]] [--only-ablate]
// --data: corpus/, dev.json and dev.questions.jsonl (default: data/memaware in --shared). --eval: score.mjs (default: eval in --shared).
// --ablate: also measures variants without each step and signal (bench/recall-ablations.mjs); NAMES are comma-separated beginnings of variant names.
// --conversations: a second set, with evidence turns, for the ablation (bench/recall-conversations.mjs).
// Measures with the logs alone, and with the tree that `heartwood compact` builds from them. Exit status 1 if a bound is missed.
import { cpSync, existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { program, repository, runNode, temporaryFolder } from "./harness.mjs";
import { variants } from "./recall-ablations.mjs";
import { ablations } from "./root-ablations.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const data = resolve(option("--data") ?? join(shared, "data", "memaware"));
const scorer = resolve(option("--eval") ?? join(shared, "eval"), "score.mjs");
const conversations = option("--conversations");
const budget = option("--budget") ?? "2000";
const least = { grounded: 22, net: 45 };
const today = "2023-07-01";
const work = temporaryFolder();
const results = {};
let misses = 0;

if (!existsSync(data) || !existsSync(scorer))
  console.log(`SKIPPED: there is no ${data} or no ${scorer}; give --data and --eval`);
else {
  if (!process.argv.includes("--only-ablate")) for (const tree of ["logs alone", "with the tree"]) measureWhole(tree);
  if (process.argv.includes("--ablate")) await measureParts();
  if (option("--json") !== undefined) writeFileSync(option("--json"), `${JSON.stringify(results, undefined, 1)}\n`);
}
process.exitCode = misses > 0 ? 1 : 0;

function measureWhole(tree) {
  const { scored, shown } = measure(program, tree);
  results[tree] = scored;
  console.log(`\n${tree}, ${budget} tokens\n${shown.trim()}`);
  const { grounded, hit } = scored.tiers.all;
  bounded("grounded", 100 * grounded.value, least.grounded);
  bounded("hit beyond chance", 100 * (hit.value - hit.chance), least.net);
}

function bounded(name, value, bound) {
  if (value < bound) misses++;
  console.log(
    `${value < bound ? "not met" : "met    "}    ${name.padEnd(24)} ${value.toFixed(1).padStart(5)}  (at least ${bound})`,
  );
}

/** The scorer's report for a build of the program, and its output. */
function measure(bin, tree) {
  const dir = mkdtempSync(join(work, "memory-"));
  cpSync(join(data, "corpus"), join(dir, "memory"), { recursive: true });
  const common = ["--dir", dir, "--today", today, "--time-zone", "UTC"];
  if (tree === "with the tree") runNode([bin, "compact", "--quiet", ...common]);
  runNode([bin, "index", "--quiet", ...common]);
  const run = join(dir, "run.jsonl");
  const batch = ["--batch", join(data, "dev.questions.jsonl"), "--budget", budget];
  writeFileSync(run, runNode([bin, "recall", ...batch, ...common]).stdout);
  const report = join(dir, "report.json");
  const sources = ["--questions", join(data, "dev.json"), "--corpus", join(data, "corpus")];
  const cut = ["--context-tokens", budget, "--name", tree, "--json", report];
  const shown = runNode([scorer, run, ...sources, ...cut]).stdout;
  return { scored: JSON.parse(readFileSync(report, "utf8")), shown };
}

async function measureParts() {
  const columns = conversations === undefined ? "" : " evidence turns (2nd set) | any (2nd set) |";
  console.log(`\n| variant | hit | net hit | grounded | answer | should | tokens |${columns}`);
  console.log(`|---|--:|--:|--:|--:|--:|--:|${conversations === undefined ? "" : "--:|--:|"}`);
  const wanted = option("--ablate");
  const names = wanted === undefined || wanted.startsWith("--") ? [""] : wanted.split(",");
  const list = variants.filter(({ name }) => names.some((start) => name.startsWith(start)));
  results.ablations = await ablations((bin) => {
    const { scored } = measure(bin, "with the tree");
    return { scored, second: conversations === undefined ? undefined : secondSet(bin) };
  }, list);
  for (const { name, scored, second } of results.ablations) console.log(row(name, scored, second));
}

function row(name, { tiers, tokens }, second) {
  const { hit, grounded, answer, should } = tiers.all;
  const values = [hit.value, hit.value - hit.chance, grounded.value, answer.value, should.value];
  const more = second === undefined ? [] : [second.evidence.value, second.any.value];
  const cells = [...values.map((value) => percent(100 * value)), tokens.context.toFixed(0), ...more.map(percent)];
  return `| ${name} | ${cells.join(" | ")} |`;
}

function percent(value) {
  return value.toFixed(1);
}

/** The scores of the second set: answerable questions at 2,000 tokens. */
function secondSet(bin) {
  const file = join(mkdtempSync(join(work, "second-")), "scores.json");
  const script = fileURLToPath(new URL("recall-conversations.mjs", import.meta.url));
  runNode([script, resolve(conversations), "--program", bin, "--only", "recall", "--budget", "2000", "--json", file]);
  return JSON.parse(readFileSync(file, "utf8"))["heartwood recall"][2000].answerable;
}
