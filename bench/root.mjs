// Measures ROOT.md: how much it points at, whether its lines follow their format, and whether it contains the planted truth.
// Usage: node bench/root.mjs [--shared DIR] [--seed N] [--write]    (--write updates bench/root.md)
import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { writeNotebook } from "./corpora/notebook.mjs";
import { writeYear } from "./corpora/year.mjs";
import { program, repository, runNode, temporaryFolder } from "./harness.mjs";
import { formatFindings } from "./root-lines.mjs";
import { writeReport } from "./root-report.mjs";
import { leadsTo, linesForFact, namesBeforeProjects, truthRows } from "./root-truth.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = resolve(option("--shared") ?? join(repository, "..", "shared"));
const seed = Number(option("--seed") ?? 1);
const caps = [500, 1000, 2000, 3000, 5000, 10_000, 20_000];
/** The required pointer coverage minus chance, by cap. */
const leastDifference = { 3000: 18, 10_000: 36 };
const work = temporaryFolder();
const tables = [];
const memories = [];

measureConversations();
measurePlanted("a developer's year", writeYear);
measurePlanted("a bilingual notebook", writeNotebook);
if (process.argv.includes("--write")) writeReport(join(repository, "bench", "root.md"), { tables, memories });
const bounded = tables.flatMap(({ rows }) => rows).filter(({ holds }) => holds !== undefined);
console.log(
  `\n${bounded.filter(({ holds }) => holds).length} passed, ${bounded.filter(({ holds }) => !holds).length} failed`,
);
process.exitCode = bounded.every(({ holds }) => holds) ? 0 : 1;

function corpusFolder() {
  return join(shared, "data", "memaware", "corpus");
}

/** 91 days of conversations: how many questions ROOT.md points at beyond chance, on the last day and years later. */
function measureConversations() {
  const corpus = corpusFolder();
  if (!existsSync(corpus)) {
    console.log(`SKIPPED: there is no corpus at ${corpus}; give its folder with --shared DIR`);
    return;
  }
  for (const today of ["2023-07-01", "2026-11-22"]) {
    const name = `conversations, as of ${today}`;
    const memory = buildMemory(`corpus-${today}`, today, (dir) =>
      cpSync(corpus, join(dir, "memory"), { recursive: true }),
    );
    const figures = [500, 1000, 3000, 10_000, 20_000].flatMap((cap) => pointerRows(memory, cap));
    const raw = rawTexts(memory.dir);
    const format = [3000, 10_000].flatMap((cap) => formatRows(memory, cap, raw));
    print(name, [...figures, ...format, ...sizeRows(memory)]);
    if (memories.length === 0) memories.push({ ...memory, name });
  }
}

function pointerRows(memory, cap) {
  const { pointer, chance } = pointerOf(memory, cap);
  const least = leastDifference[cap];
  const most = least === undefined ? undefined : 2.5;
  const difference = pointer - chance;
  return [
    { name: `pointer coverage at ${cap}`, value: pointer, unit: "%", missed: [] },
    {
      name: `chance at ${cap}`,
      value: chance,
      unit: "%",
      most,
      holds: most === undefined ? undefined : chance <= most,
      missed: [],
    },
    {
      name: `difference at ${cap}`,
      value: difference,
      unit: "%",
      least,
      holds: least === undefined ? undefined : difference >= least,
      missed: [],
    },
  ];
}

/** Pointer coverage and chance at a cap, from the scorer that comes with the corpus. */
function pointerOf(memory, cap) {
  const file = join(work, "root.json");
  writeFileSync(file, JSON.stringify(rootOf(memory, cap)));
  const scored = JSON.parse(runNode([join(shared, "eval", "root-pointer.mjs"), file]).stdout);
  return { pointer: scored.pointer.all, chance: scored.pointer_chance };
}

function measurePlanted(name, write) {
  let truth;
  const memory = buildMemory(name.replaceAll(/\W/gu, "-"), "2025-12-31", (dir) => (truth = write(dir, { seed })));
  const raw = rawTexts(memory.dir);
  const at = (cap) => ({ ...rootOf(memory, cap), dropped: droppedOf(memory, cap) });
  print(name, [
    ...formatRows(memory, 3000, raw),
    ...truthRows(at(3000), truth),
    ...[500, 1000].map((cap) => namesBeforeProjects(at(cap), truth, cap)),
    factRow(memory, truth),
    ...sizeRows(memory),
  ]);
  memories.push({ ...memory, name });
}

/** Token counts at every cap, counted with a different tokenizer than the program's. */
function sizeRows(memory) {
  return caps.map((cap) => {
    const value = countTokens(rootOf(memory, cap).text);
    return { name: `tokens at a cap of ${cap}`, value, unit: "", most: cap, holds: value <= cap, missed: [] };
  });
}

function formatRows(memory, cap, raw) {
  return Object.entries(formatFindings(rootOf(memory, cap).lines, raw)).map(([name, missed]) => ({
    name: `${name} at ${cap}`,
    value: missed.length,
    unit: "",
    most: 0,
    holds: missed.length === 0,
    missed,
  }));
}

/** Traces facts with `heartwood trace`: from a line of ROOT.md that a reader would start with, down to the raw line. */
function factRow(memory, { facts }) {
  const { lines } = rootOf(memory, 3000);
  const missed = facts.filter(
    (fact) =>
      !linesForFact(lines, fact).some(
        ({ line }) => line > 0 && leadsTo(run(memory, "trace", `ROOT:${line}`).raw, fact),
      ),
  );
  const value = facts.length - missed.length;
  const names = missed.map(({ question }) => question);
  return { name: "facts found by following ROOT.md down", value, unit: "", least: 5, holds: value >= 5, missed: names };
}

function buildMemory(name, today, fill) {
  const dir = join(work, name);
  fill(dir);
  const memory = { dir, today };
  run(memory, "compact", "--quiet");
  return memory;
}

function rootOf(memory, cap) {
  return run(memory, "root", "--max-tokens", String(cap));
}

function droppedOf(memory, cap) {
  return run(memory, "root", "--max-tokens", String(cap), "--dropped").dropped;
}

function run({ dir, today }, ...args) {
  return JSON.parse(runNode([program, ...args, "--dir", dir, "--today", today, "--time-zone", "UTC", "--json"]).stdout);
}

function rawTexts(dir) {
  const folder = join(dir, "memory");
  const logs = readdirSync(folder).filter((file) => /^\d{4}-.*\.md$/u.test(file));
  return logs.map((file) => readFileSync(join(folder, file), "utf8"));
}

function print(name, rows) {
  console.log(`\n=== ${name}`);
  for (const { name: what, value, unit, least, most, holds, missed } of rows) {
    const mark = holds === undefined ? "    " : holds ? "ok  " : "MISS";
    const bound = least !== undefined ? `  (at least ${least})` : most !== undefined ? `  (at most ${most})` : "";
    const shown = Number.isInteger(value) ? String(value) : value.toFixed(1);
    console.log(`${mark}  ${what.padEnd(58)} ${shown.padStart(7)} ${unit}${bound}`);
    for (const text of missed.slice(0, 6)) console.log(`        ${text}`);
    if (missed.length > 6) console.log(`        … and ${missed.length - 6} more`);
  }
  tables.push({ name, rows });
}
