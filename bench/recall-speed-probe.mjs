// Times search and recall in one warm process. Usage: node recall-speed-probe.mjs DIR QUESTIONS.jsonl COUNT TODAY; prints JSON.
// With --only search|recall it runs just one of them, for profiling.
import { readFileSync } from "node:fs";

const [, , dir, file, count, today] = process.argv;
const only = process.argv.includes("--only") ? process.argv[process.argv.indexOf("--only") + 1] : undefined;
const { openMemory } = await import("../dist/index.js");
const questions = readFileSync(file, "utf8")
  .split("\n")
  .filter(Boolean)
  .map((line) => JSON.parse(line).question)
  .slice(0, Number(count));
const memory = await openMemory({ dir, today, timeZone: "UTC" });
const ask = { search: (query) => memory.search(query), recall: (text) => memory.recall(text) };
const rssIdle = megabytes();
const found = {};
for (const name of ["search", "recall"]) {
  if (only !== undefined && only !== name) continue;
  for (const text of questions.slice(-30)) await ask[name](text);
  const times = [];
  const steps = {};
  for (const text of questions) {
    const before = process.cpuUsage();
    const started = performance.now();
    const result = await ask[name](text);
    const time = performance.now() - started;
    const { user, system } = process.cpuUsage(before);
    times.push({ text, time, cpu: (user + system) / 1000 });
    for (const { step, tookMs: time } of result.steps ?? []) (steps[step] ??= []).push(time);
  }
  found[name] = {
    ...figuresOf(times),
    steps: Object.fromEntries(Object.entries(steps).map(([step, all]) => [step, at(all, 0.5)])),
  };
  if (name === "search") found.searchLong = figuresOf(times.filter(({ text }) => text.split(/\s+/u).length >= 30));
}
const rss = megabytes();
await memory.close();
console.log(JSON.stringify({ ...found, rss, rssIdle }));

function figuresOf(times) {
  const all = times.map(({ time }) => time);
  const cpu = at(
    times.map((one) => one.cpu),
    0.5,
  );
  return { count: all.length, cpu, median: at(all, 0.5), late: at(all, 0.99), worst: at(all, 1) };
}

function at(times, share) {
  const sorted = times.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
}

function megabytes() {
  return process.memoryUsage().rss / 1e6;
}
