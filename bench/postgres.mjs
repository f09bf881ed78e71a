// Measures threads on PostgreSQL: appends beside bare INSERTs into the same table, and reads of a long thread beside SQLite's, in turns in one run.
// Usage: node bench/postgres.mjs [--only appends|reads] [--seconds S] [--rounds N] [--messages N] [--runs N] [--write]
// --seconds: of a turn. --write puts the figures into bench/postgres.md. Exit status 1 if a bound is missed.
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { programs, startMigrated } from "../test/postgres/server.ts";
import { report } from "./harness.mjs";
import { measureAppends } from "./postgres-appends.mjs";
import { measureReads } from "./postgres-reads.mjs";
import { reportAtLeast } from "./threads-measure.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "5" },
    messages: { type: "string", default: "1000000" },
    runs: { type: "string", default: "50" },
    write: { type: "boolean", default: false },
  },
});
const page = fileURLToPath(new URL("postgres.md", import.meta.url));
/** Percent of the rate of bare INSERTs. */
const least = 60;
const holds = [];

if (programs === undefined) console.log("SKIPPED: PostgreSQL is not installed; install postgresql");
else await measure();
process.exit(holds.every(Boolean) ? 0 : 1);

async function measure() {
  for (const [name, part] of Object.entries({ appends, reads })) {
    if (values.only !== undefined && values.only !== name) continue;
    // A server each: the rows of one part do not slow the other.
    const started = await startMigrated();
    const before = loadavg()[0].toFixed(1);
    try {
      const table = await part(started);
      const loads = `load ${before} before, ${loadavg()[0].toFixed(1)} after`;
      console.log(`\n${table}\n`);
      if (values.write) write(name, `${table}\n\n${availableParallelism()} cores, ${loads}.`);
    } finally {
      await started.server.stop();
    }
  }
}

async function appends(started) {
  const rows = [
    "| connections | threads | heartwood, one process | a pool for each connection | bare `INSERT` | with a counter row | one process beside bare |",
    "|--:|---|--:|--:|--:|--:|--:|",
  ];
  for (const connections of [1, 16, 64])
    for (const threads of connections === 1 ? ["one"] : ["one", "many"]) {
      const given = { connections, threads, seconds: Number(values.seconds), rounds: Number(values.rounds) };
      const { pool, apart, bare, counted } = await measureAppends(started, given);
      const name = `${connections} connections, ${threads === "one" ? "one thread" : "a thread each"}: part of bare INSERTs`;
      const part = (100 * pool.rate) / bare.rate;
      holds.push(reportAtLeast(name, part, least, "%"));
      const shown = [pool, apart, bare, counted].map((one) => (one === undefined ? "" : cell(one)));
      rows.push(`| ${connections} | ${threads} | ${shown.join(" | ")} | ${Math.round(part)} % |`);
    }
  return rows.join("\n");
}

function cell({ rate, server, client }) {
  return `${Math.round(rate).toLocaleString("en")} (${Math.round(server)} + ${Math.round(client)} µs)`;
}

async function reads(started) {
  const messages = Number(values.messages);
  const rows = [
    `| ${messages.toLocaleString("en")} messages | SQLite, ms | PostgreSQL, ms | calls | a round trip, ms | at most, ms |`,
    "|---|--:|--:|--:|--:|--:|",
  ];
  for (const row of await measureReads(started, { messages, runs: Number(values.runs) })) {
    const { name, sqlite, postgres, calls, trip, most } = row;
    holds.push(report(name, postgres, Number(most.toFixed(2)), "ms"));
    const [a, b, c, d] = [sqlite, postgres, trip, most].map((time) => time.toFixed(2));
    rows.push(`| ${name} | ${a} | ${b} | ${calls} | ${c} | ${d} |`);
  }
  return rows.join("\n");
}

function write(name, text) {
  const [start, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const whole = readFileSync(page, "utf8");
  const [before, after] = [whole.split(start)[0], whole.split(end)[1]];
  writeFileSync(page, `${before}${start}\n${text}\n${end}${after}`);
}
