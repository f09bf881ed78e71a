// Writes the logs of three full days to DIR/memory, for trying out a local model. Usage: node bench/model-days.mjs DIR
import { pathToFileURL } from "node:url";
import { writeLogs } from "./corpora/seeded.mjs";
import { composeYear } from "./corpora/year.mjs";

const dates = ["2026-05-04", "2026-05-05", "2026-05-06"];
/** More lines than a daily node may have without a summary. */
const leastLines = 210;

/** `[date, lines]` of each log. Each contains the entries of several days of the planted year. */
export function composeModelDays() {
  const { logs } = composeYear({ seed: 1 });
  let next = 0;
  return dates.map((date) => {
    const lines = [`# ${date}`];
    while (lines.length < leastLines) lines.push(...logs[next++][1].slice(1));
    return [date, lines];
  });
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? "").href)
  writeLogs(process.argv[2] ?? ".", composeModelDays());
