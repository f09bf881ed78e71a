// Shared by the parts of bench/growth.mjs: cases run in turns, and the rows and tables of the page.
import { median, runNode } from "./harness.mjs";

/**
 * Runs cases in turns: each case once, then each again. A case is `{ key, args(run), before?(run), after?(run), options?(run), runs? }`, a whole process of
 * node. Returns for each key the medians `ms` and `cpu` (user time) and the `peak` in MB. CPU time and peak are from up to three turns of their own, because
 * the module that reports them takes time, too. A case that fails has only `failed`.
 */
export function inTurns(cases, { runs }) {
  const found = new Map(cases.map(({ key }) => [key, { times: [], cpus: [], peaks: [] }]));
  const turns = [...Array(runs).fill("time"), ...Array(Math.min(3, runs)).fill("probe")];
  for (const [run, turn] of turns.entries())
    for (const one of cases) {
      const of = found.get(one.key);
      const isDone = turn === "time" ? of.times.length >= (one.runs ?? runs) : of.peaks.length >= (one.runs ?? 3);
      if (of.failed !== undefined || isDone) continue;
      try {
        one.before?.(run);
        const result = runNode(one.args(run), { ...one.options?.(run), memory: turn === "probe" });
        one.after?.(run, result);
        if (turn === "time") of.times.push(result.seconds * 1000);
        else {
          of.cpus.push(result.cpu);
          of.peaks.push(result.peak);
        }
      } catch (error) {
        of.failed = String(error.message).split("\n").at(-1).slice(-120);
        console.error(`${one.key}: ${error.message.slice(0, 400)}`);
      }
    }
  return new Map([...found].map(([key, of]) => [key, figuresOf(of)]));
}

function figuresOf({ times, cpus, peaks, failed }) {
  if (failed !== undefined) return { failed };
  return { ms: median(times), cpu: median(cpus), peak: Math.max(...peaks) };
}

const rows = [];

/** A row of the report that has a bound: at most, or `atLeast`. Prints it, and returns its cells. */
export function bounded(name, value, bound, { unit = "", atLeast = false } = {}) {
  const holds = value !== undefined && (atLeast ? value >= bound : value <= bound);
  rows.push({ name, holds });
  const shown = `${value === undefined ? "?" : shownValue(value)}${unit}`;
  const limit = `${atLeast ? "≥" : "≤"} ${bound}${unit}`;
  console.log(`${holds ? "met    " : "not met"}  ${name.padEnd(64)} ${shown.padStart(10)}  (${limit})`);
  return [shown, limit, holds ? "met" : "**not met**"];
}

export const boundedRows = () => rows;

export function shownValue(value) {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

/** Milliseconds, and CPU time in parentheses. */
export function shownTime(figures) {
  if (figures === undefined) return "–";
  if (figures.failed !== undefined) return "failed";
  return `${shownValue(figures.ms)} (${shownValue(figures.cpu)})`;
}

export function table(head, lines) {
  const row = (cells) => `| ${cells.join(" | ")} |`;
  return [row(head), row(head.map((_, at) => (at === 0 ? "---" : "--:"))), ...lines.map(row)].join("\n");
}
