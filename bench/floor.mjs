// Measures the floor of the prompt hook: which prompts get memories, on three memories with related and unrelated prompts in mixed languages.
// Usage: node bench/floor.mjs [--half A|B] [--list]   Exit status 1 if a bound is missed.
// bench/floor/NAME/memory: daily logs; bench/floor/NAME/prompts.jsonl: prompts, with the lines that help with the related ones. Of each kind and language every
// second prompt belongs to half B. --list: also names the prompts that the floor decides wrongly.
import { cpSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { nothingKnown } from "../src/recall/context/remembered.ts";
import { promptText } from "../src/agents/hooks/prompt-text.ts";
import { openMemory } from "../src/open.ts";
import { program, repository, runNode, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const half = option("--half");
const isListed = process.argv.includes("--list");
const today = "2026-11-20";
const bounds = { unrelated: 0.05, related: 0.9, ten: 2500 };
const mixed = { related: 5, unrelated: 5 };
let missed = 0;

process.env.HEARTWOOD_TODAY = today;
const names = readdirSync(join(repository, "bench", "floor"), { withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map(({ name }) => name);
const measured = [];
for (const name of names) measured.push(...(await measure(name)));
for (const name of names)
  show(
    name,
    measured.filter((one) => one.memory === name),
  );
for (const one of half === undefined ? ["A", "B"] : [])
  show(
    `half ${one}`,
    measured.filter((of) => of.half === one),
  );
show("all", measured);
const { given, unrelated, hits, before, ten } = figuresOf(measured);
bounded(
  "unrelated prompts that get anything",
  `${given} of ${unrelated}`,
  given <= bounds.unrelated * unrelated,
  "at most 5 %",
);
bounded(
  "related prompts with a hit",
  `${hits} of ${before}`,
  hits >= bounds.related * before,
  "at least 90 % of those without the floor",
);
bounded("ten mixed prompts, in tokens", ten.toFixed(0), ten <= bounds.ten, `at most ${bounds.ten}`);
process.exitCode = missed > 0 ? 1 : 0;

async function measure(name) {
  const dir = join(temporaryFolder(), name);
  cpSync(join(repository, "bench", "floor", name, "memory"), join(dir, "memory"), { recursive: true });
  for (const command of ["init", "compact", "index"])
    runNode([program, command, "--quiet", "--dir", dir, "--today", today, "--time-zone", "UTC"]);
  const memory = await openMemory({ dir, consent: "given" });
  const { signal } = new AbortController();
  const results = [];
  for (const { prompt, lines, ...one } of promptsOf(name)) {
    const { text } = await promptText(memory, prompt, { signal, known: nothingKnown });
    const { text: before } = await promptText(memory, prompt, { signal, known: nothingKnown, floor: "none" });
    results.push({
      ...one,
      memory: name,
      prompt,
      isGiven: text !== "",
      isHit: isHit(placesIn(text), lines),
      wasHit: isHit(placesIn(before), lines),
      wasGiven: before !== "",
      tokens: text === "" ? 0 : memory.tokens.count(text),
    });
  }
  await memory.close();
  return results;
}

function promptsOf(name) {
  const seen = new Map();
  const lines = readFileSync(join(repository, "bench", "floor", name, "prompts.jsonl"), "utf8").split("\n");
  return lines
    .filter((line) => line !== "")
    .map((line) => {
      const prompt = JSON.parse(line);
      const group = `${prompt.kind} ${prompt.language}`;
      seen.set(group, (seen.get(group) ?? 0) + 1);
      return { ...prompt, half: seen.get(group) % 2 === 1 ? "A" : "B" };
    })
    .filter((prompt) => half === undefined || prompt.half === half);
}

/** The places in a printed text: a line with a day, and below it lines that begin with their number in that day's log. */
function placesIn(text) {
  let day = "";
  return text.split("\n").flatMap((line) => {
    day = /^\d{4}-\d\d-\d\d(?= )/.exec(line)?.[0] ?? day;
    const [, at] = /^(\d+(?:-\d+)?)(?: \(|:)/.exec(line) ?? [];
    return at === undefined ? [] : [`memory/${day}.md:${at}`];
  });
}

function isHit(places, wanted) {
  return places.some((place) => {
    const [, log, from, to = from] = /^(.+):(\d+)(?:-(\d+))?$/.exec(place) ?? [];
    return wanted.some((line) => {
      const [, file, number] = /^(.+):(\d+)$/.exec(line);
      return file === log && Number(from) <= Number(number) && Number(number) <= Number(to);
    });
  });
}

function figuresOf(results) {
  const [related, unrelated] = ["related", "unrelated"].map((kind) => results.filter((one) => one.kind === kind));
  const count = (list, is) => list.filter(is).length;
  const tokens = (list) => list.reduce((sum, one) => sum + one.tokens, 0) / Math.max(1, list.length);
  return {
    unrelated: unrelated.length,
    given: count(unrelated, ({ isGiven }) => isGiven),
    wasGiven: count(unrelated, ({ wasGiven }) => wasGiven),
    related: related.length,
    hits: count(related, ({ isHit: is }) => is),
    before: count(related, ({ wasHit }) => wasHit),
    tokens: [tokens(related), tokens(unrelated)],
    ten: mixed.related * tokens(related) + mixed.unrelated * tokens(unrelated),
  };
}

function show(name, results) {
  const { unrelated, given, wasGiven, related, hits, before, tokens } = figuresOf(results);
  const [own, other] = tokens.map((one) => one.toFixed(0));
  console.log(
    `${name.padEnd(20)} unrelated: ${given} of ${unrelated} get anything (${wasGiven} without the floor), ${other} tokens; related: ${hits} of ${related} hit (${before} without), ${own} tokens`,
  );
  if (!isListed || !names.includes(name)) return;
  for (const one of results) {
    if (one.kind === "unrelated" && one.isGiven) console.log(`  given  ${one.id}  ${one.prompt.slice(0, 100)}`);
    if (one.wasHit && !one.isHit)
      console.log(`  ${one.isGiven ? "other " : "silent"} ${one.id}  ${one.prompt.slice(0, 100)}`);
  }
}

function bounded(name, value, holds, bound) {
  if (!holds) missed++;
  console.log(`${holds ? "ok   " : "FAIL "} ${name.padEnd(40)} ${value}  (${bound})`);
}
