// Measures the grounding check on 200 true summaries and 200 with one invention each, for each of three sets: the one its rules were developed on, the
// one they were corrected with, and a held-back one.
// Usage: node bench/grounding.mjs [--shared DIR] [--set dev|second|held] [--show]
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { contentFindings, isRefused } from "../src/summaries/request/read-answer.ts";
import { factsOf } from "./corpora/grounding-facts.mjs";
import * as dev from "./corpora/grounding-dev.mjs";
import * as second from "./corpora/grounding-second.mjs";
import * as held from "./corpora/grounding-held.mjs";
import { planted } from "./corpora/grounding-plant.mjs";
import { createRandom } from "./corpora/seeded.mjs";
import { repository } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const corpus = join(resolve(option("--shared") ?? join(repository, "..", "shared")), "data", "memaware", "corpus");
const classes = { n: "numbers", d: "dates", w: "names", p: "paths" };
const perClass = 50;
const sets = [
  { name: "development", key: "dev", seed: 11, data: dev, days: (at) => at % 3 === 0 },
  { name: "second", key: "second", seed: 9173, data: second, days: (at) => at % 3 === 1 },
  { name: "held back", key: "held", seed: 40127, data: held, days: (at) => at % 3 === 2 },
];

const days = readDays();
const figures = sets.filter(({ key }) => [undefined, key].includes(option("--set"))).map(measure);
const bounds = figures.filter(({ key }) => key === "held");
process.exitCode = bounds.every(({ recall, precision }) => recall >= 0.9 && precision >= 0.95) ? 0 : 1;

/** The logs of the corpus and the samples. */
function readDays() {
  const samples = folder(join(repository, "samples", "memory"));
  if (existsSync(corpus)) return [...folder(corpus), ...samples];
  console.log(
    `SKIPPED: there is no corpus at ${corpus}; give its folder with --shared DIR. The samples alone are measured.`,
  );
  return samples;
}

function folder(path) {
  const names = readdirSync(path).filter((name) => name.endsWith(".md"));
  return names.toSorted().map((name) => readFileSync(join(path, name), "utf8"));
}

function measure({ name, key, seed, data, days: isOf }) {
  const random = createRandom(seed);
  const generated = days
    .filter((_, at) => isOf(at))
    .map((source) => ({ language: "en", source, statements: factsOf(source, random) }));
  const texts = { hand: data.texts, generated: generated.filter(({ statements }) => statements.length > 4) };
  const answers = [];
  for (let at = 0; at < 4 * perClass; at++) answers.push(trueAnswer(texts, at, random));
  for (const [mark, label] of Object.entries(classes))
    for (let at = 0; at < perClass; at++) answers.push(falseAnswer({ texts, mark, label, at, data, random }));
  const judged = answers.map(judge);
  return report({ name, key, judged });
}

/** Draws a text and statements, alternating between hand-written and generated ones. */
function draw(texts, at, { random, mark }) {
  const kind = at % 2 === 0 || mark === "p" || texts.generated.length === 0 ? "hand" : "generated";
  const fits = (statement) => mark === undefined || statement.includes(`{${mark} `);
  const text = random.pick(texts[kind].filter(({ statements }) => statements.some(fits)));
  const first = random.pick(text.statements.filter(fits));
  const others = random.sample(
    text.statements.filter((one) => one !== first),
    3,
  );
  return { text, kind, statements: [first, ...others] };
}

function trueAnswer(texts, at, random) {
  const { text, kind, statements } = draw(texts, at, { random });
  return { ...answerOf(statements), source: text.source, kind, language: text.language, label: "true" };
}

function falseAnswer({ texts, mark, label, at, data, random }) {
  const { text, kind, statements } = draw(texts, at, { random, mark });
  const changed = planted(statements[0], mark, { random, source: text.source, data, language: text.language });
  const place = random.below(statements.length);
  const lines = statements.slice(1);
  lines.splice(place, 0, changed.statement);
  return {
    ...answerOf(lines),
    source: text.source,
    kind,
    language: text.language,
    label,
    value: changed.value,
    elsewhere: changed.elsewhere,
    at: place,
  };
}

function answerOf(statements) {
  const plain = statements.map((statement) => statement.replaceAll(/\{[ndwp] ([^}]*)\}/gu, "$1"));
  return { lines: ["## Topics", "- Notes: summary", "## Key Decisions", ...plain.map((text) => `- ${text}`)] };
}

function judge(answer) {
  const findings = contentFindings(
    answer.lines.map((text, at) => ({ text, line: at + 1 })),
    [answer.source],
  );
  const warnings = findings.filter(({ severity }) => severity === "warning");
  const found = answer.label === "true" ? warnings.length > 0 : warnings.some(({ line }) => line === answer.at + 4);
  if (process.argv.includes("--show") && found !== (answer.label !== "true"))
    console.log(
      `${answer.label} (${answer.language}, ${answer.kind}) ${answer.value ?? ""}\n${answer.lines.slice(3).join("\n")}\n  ${warnings.map(({ message, line }) => `${line}: ${message}`).join("\n  ")}\n`,
    );
  return { ...answer, found, refused: isRefused(findings) };
}

function report({ name, key, judged }) {
  const trues = judged.filter(({ label }) => label === "true");
  const falses = judged.filter(({ label }) => label !== "true");
  const part = (list) => `${list.filter(({ found }) => found).length} of ${list.length}`;
  const hits = falses.filter(({ found }) => found).length;
  const wrong = trues.filter(({ found }) => found).length;
  const recall = hits / falses.length;
  const precision = hits / (hits + wrong);
  console.log(`\n## ${name}\n\n| what | figure |\n|---|---|`);
  const row = (what, figure) => console.log(`| ${what} | ${figure} |`);
  row("recall", recall.toFixed(3));
  row("precision", precision.toFixed(3));
  row(
    "true summaries with a warning",
    `${part(trues)} (written ${part(trues.filter(({ kind }) => kind === "hand"))}, generated ${part(trues.filter(({ kind }) => kind !== "hand"))})`,
  );
  row(
    "true summaries refused by any check of content",
    `${trues.filter(({ refused }) => refused).length} of ${trues.length}`,
  );
  for (const label of Object.values(classes)) row(`found: ${label}`, part(falses.filter((one) => one.label === label)));
  row("found: numbers and dates that stand elsewhere in the source", part(falses.filter(({ elsewhere }) => elsewhere)));
  for (const language of new Set(judged.map((one) => one.language))) {
    const of = (list) => list.filter((one) => one.language === language);
    row(`${language}: found; true with a warning`, `${part(of(falses))}; ${part(of(trues))}`);
  }
  return { key, recall, precision };
}
