// Times the cosines of one vector with all rows beside the plain loop, and checks that they are the same: warm, and once in a new process.
// Usage: node bench/vectors.mjs [--runs N]. Exit status 1 if a bound is missed or a cosine differs.
import { fileURLToPath } from "node:url";
import { cosines, createRows } from "../src/recall/vectors/int8.ts";
import { median, report, runNode } from "./harness.mjs";

const script = fileURLToPath(import.meta.url);
const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const runs = Number(option("--runs") ?? 40);
/** Milliseconds, for the least of the runs: the others also wait for whatever else the machine does. */
const bounds = { "1000000 x 384": 30, "50000 x 384": 10 };

if (process.argv.includes("--once")) once(...option("--once").split(","));
else process.exitCode = measure().every(Boolean) ? 0 : 1;

function measure() {
  const holds = [];
  const judge = (name, size, least) => {
    if (bounds[size] !== undefined) holds.push(report(`${name}, ${size}, least`, least, bounds[size], "ms"));
  };
  for (const dimensions of [384, 768])
    for (const rows of [10_000, 100_000, 1_000_000]) {
      const size = `${rows} x ${dimensions}`;
      const { table, plain, isSame } = warm(rows, dimensions);
      console.log(`      warm, ${size}: ${shown(table)}; plain loop ${shown(plain)}; ${ratio(plain, table)}`);
      if (!isSame) console.log(`MISS  ${size}: the cosines differ`);
      holds.push(isSame);
      judge("warm", size, Math.min(...table));
    }
  for (const rows of [1000, 10_000, 50_000]) {
    const size = `${rows} x 384`;
    const [table, plain] = [[], []];
    for (let run = 0; run < 15; run++) {
      table.push(inNewProcess("table", rows));
      plain.push(inNewProcess("plain", rows));
    }
    console.log(`      first, ${size}: ${shown(table)}; plain loop ${shown(plain)}; ${ratio(plain, table)}`);
    judge("first", size, Math.min(...table));
  }
  return holds;
}

function warm(rows, dimensions) {
  const { bytes, vector } = filled(createRows(rows, dimensions), dimensions);
  // Another view of the same bytes is compared by the plain loop.
  const other = bytes.subarray();
  const [table, plain] = [[], []];
  let isSame = true;
  for (let run = 0; run < runs; run++) {
    const found = timed(table, () => cosines(vector, { dimensions, bytes }));
    if (run % Math.ceil(runs / 4) !== 0) continue;
    const expected = timed(plain, () => cosines(vector, { dimensions, bytes: other }));
    isSame &&= found.every((cosine, row) => cosine === expected[row]);
  }
  return { table, plain, isSame };
}

/** Time to make room for the rows and to compare them once, in milliseconds, without the time to fill them. */
function once(kind, rows) {
  const times = [];
  const bytes = kind === "plain" ? new Int8Array(rows * 384) : timed(times, () => createRows(Number(rows), 384));
  const { vector } = filled(bytes, 384);
  timed(times, () => cosines(vector, { dimensions: 384, bytes }));
  console.log(times.reduce((sum, time) => sum + time, 0));
}

function inNewProcess(kind, rows) {
  return Number(runNode([script, "--once", `${kind},${rows}`]).stdout);
}

/** Fills the rows with numbers from a fixed seed. */
function filled(bytes, dimensions) {
  let state = 1;
  for (let at = 0; at < bytes.length; at++) {
    state = (Math.imul(state, 1664525) + 1013904223) | 0;
    bytes[at] = state >> 24;
  }
  return { bytes, vector: bytes.slice(0, dimensions) };
}

function timed(times, act) {
  const started = performance.now();
  const result = act();
  times.push(performance.now() - started);
  return result;
}

function shown(times) {
  return `least ${Math.min(...times).toFixed(2)} ms, median ${median(times).toFixed(2)} ms`;
}

function ratio(plain, table) {
  return `${(Math.min(...plain) / Math.min(...table)).toFixed(0)} times as fast`;
}
