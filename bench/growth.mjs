// Measures what must not grow with the years, as ratios: by the number of days, beside W (shared/eval/yardstick.mjs) and N (`node -e 0`), and beside bare SQLite.
// Usage: node bench/growth.mjs [--only days|real|threads|mcp|rivals|kept] [--sizes 91,365,3650,7300] [--runs N] [--messages N] [--calls N] [--days N]
//                              [--shared DIR] [--work DIR] [--hipocampus SOURCE] [--write]
// --work keeps logs and rivals between runs. --write puts what was measured into bench/growth.md. --messages: of the long thread; --calls: to the MCP server;
// --days: of daily use that `kept` simulates. Exit status 1 if a bound is missed.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, loadavg } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { measureDays, measureReal } from "./growth-days.mjs";
import { measureKept } from "./growth-kept.mjs";
import { boundedRows } from "./growth-measure.mjs";
import { openProjects } from "./growth-projects.mjs";
import { measureRivals } from "./growth-rivals.mjs";
import { measureMcp, measureThreads } from "./growth-threads.mjs";
import { repository, temporaryFolder } from "./harness.mjs";

const { values } = parseArgs({
  options: {
    only: { type: "string" },
    sizes: { type: "string", default: "91,365,3650,7300" },
    runs: { type: "string", default: "11" },
    messages: { type: "string", default: "1000000" },
    calls: { type: "string", default: "10000" },
    days: { type: "string", default: "3650" },
    shared: { type: "string", default: join(repository, "..", "shared") },
    work: { type: "string" },
    hipocampus: { type: "string", default: "https://github.com/kevin-hs-sohn/hipocampus" },
    write: { type: "boolean", default: false },
  },
});
const page = fileURLToPath(new URL("growth.md", import.meta.url));
const parts = {
  days: measureDays,
  real: measureReal,
  threads: measureThreads,
  mcp: measureMcp,
  rivals: measureRivals,
  kept: measureKept,
};
const given = {
  sizes: values.sizes.split(",").map(Number),
  runs: Number(values.runs),
  messages: Number(values.messages),
  calls: Number(values.calls),
  days: Number(values.days),
  hipocampus: values.hipocampus,
  work: values.work === undefined ? temporaryFolder() : resolve(values.work),
};
mkdirSync(given.work, { recursive: true });
const projects = openProjects({ shared: resolve(values.shared), work: given.work });

if (values.only !== undefined && parts[values.only] === undefined) throw new Error(`--only: ${Object.keys(parts)}`);
if (!existsSync(projects.corpus)) console.log(`SKIPPED: there is no corpus at ${projects.corpus}; give --shared DIR`);
else await measure();
process.exitCode = boundedRows().every(({ holds }) => holds) ? 0 : 1;

async function measure() {
  const load = () => loadavg()[0].toFixed(1);
  const before = load();
  const sections = [];
  for (const [name, part] of Object.entries(parts)) {
    if (values.only !== undefined && values.only !== name) continue;
    console.log(`\n=== ${name} (load ${load()})`);
    const text = await part(projects, given);
    console.log(`\n${text}`);
    sections.push(text);
    if (values.write) write(sections, `load ${before} before, ${load()} after`);
  }
  const met = boundedRows().filter(({ holds }) => holds).length;
  console.log(`${met} met, ${boundedRows().length - met} not met`);
}

/** Replaces the sections that were measured; with all parts, everything. */
function write(sections, loads) {
  const old =
    values.only !== undefined && existsSync(page)
      ? readFileSync(page, "utf8")
          .split(/^(?=## )/mu)
          .slice(1)
      : [];
  const titleOf = (section) => section.slice(0, section.indexOf("\n"));
  const fresh = new Map(sections.map((section) => [titleOf(section), section]));
  const kept = old.map((section) => {
    const text = fresh.get(titleOf(section)) ?? section;
    fresh.delete(titleOf(section));
    return text;
  });
  const head = `# Figures of growth

\`node bench/growth.mjs --write\` makes this page: medians of ${given.runs}, in turns, on ${availableParallelism()} cores, Node ${process.versions.node.split(".")[0]}, ${loads}. The bounds are those of whole processes.
`;
  writeFileSync(page, `${[head, ...kept, ...fresh.values()].map((text) => text.trim()).join("\n\n")}\n`);
}
