// Measures the audit. Usage: node bench/audit.mjs [--runs N]
import { readFileSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { writeWorkspace } from "./corpora/audit-year.mjs";
import { difference, program, report, temporaryFolder } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const runs = Number(option("--runs") ?? 9);
const results = [];

const dir = join(temporaryFolder(), "year");
writeWorkspace(dir);
const notes = readdirSync(join(dir, "memory"));
const bytes = notes.reduce((sum, name) => sum + statSync(join(dir, "memory", name)).size, 0);
const sections = readFileSync(join(dir, "MEMORY.md"), "utf8").match(/^## /gmu)?.length;
console.log(`${notes.length} notes, ${(bytes / 1e6).toFixed(1)} MB; MEMORY.md of ${sections} sections`);
const command = (...more) => [program, "audit", "--dir", dir, "--today", "2026-01-02", "--time-zone", "UTC", ...more];
results.push(
  report("a year of notes, whole analysis", difference(command("--json"), { runs, statuses: [0, 1] }), 0.6, "s"),
);
results.push(
  report("a year of notes, report for a terminal", difference(command(), { runs, statuses: [0, 1] }), 0.6, "s"),
);
results.push(
  report(
    "a year of notes, aggressive",
    difference(command("--aggressive", "--json"), { runs, statuses: [0, 1] }),
    0.6,
    "s",
  ),
);
console.log(`${results.filter(Boolean).length} passed, ${results.filter((held) => !held).length} failed`);
process.exitCode = results.every(Boolean) ? 0 : 1;
