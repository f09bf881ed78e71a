// Measures whether the memory states only what is true. Each situation lists the conclusions of a careful reader; results are by category.
// Usage: node bench/truth.mjs [--scorer FILE] [--cases FILE] [--jobs N]. The scorer and its cases are not part of the package; without them the benchmark is skipped.
// bench/truth/: independent sets. `situations-4` was not used when the rules were written, so only its totals are shown. `claims`: claims that were wrong when collected.
import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import { program, repository } from "./harness.mjs";

const option = (name) => (process.argv.includes(name) ? process.argv[process.argv.indexOf(name) + 1] : undefined);
const shared = join(repository, "..", "shared", "eval", "truth");
const scorer = resolve(option("--scorer") ?? join(shared, "score.mjs"));
const cases = resolve(option("--cases") ?? join(shared, "cases.jsonl"));
const unseen = "situations-4";
const sets = [
  "situations-1",
  "situations-2",
  "situations-3",
  unseen,
  "changes-1",
  "changes-2",
  "twins-1",
  "twins-2",
  "claims",
];
/** How many cases of the first set must pass. */
const least = 104;

if (existsSync(scorer)) measure();
else console.log(`SKIPPED: there is no scorer at ${scorer}; give one with --scorer FILE`);

function measure() {
  const own = sets.map((name) => join(repository, "bench", "truth", `${name}.jsonl`));
  for (const file of [...(existsSync(cases) ? [cases] : []), ...own]) {
    const results = scored(file);
    const held = results.filter(({ failures }) => failures.length === 0).length;
    console.log(`\n=== ${file.slice(file.lastIndexOf("/") + 1)}: ${held} of ${results.length} hold`);
    for (const [category, group] of Map.groupBy(results, (one) => one.category)) {
      const failed = group.filter(({ failures }) => failures.length > 0);
      const told = file.endsWith(`${unseen}.jsonl`) ? "" : ` ${failed.map(({ id }) => id).join(" ")}`;
      console.log(`${category}  ${group.length - failed.length} of ${group.length}${told}`);
    }
    if (file.includes("changes-")) tellChanges(results);
    if (file === cases && held < least) {
      console.log(`MISS  at least ${least}`);
      process.exitCode = 1;
    }
  }
}

/** Prints, for changed facts, how often recall ranks the current one first, how often ROOT.md has it, and how often ROOT.md also has the old one unmarked. */
function tellChanges(results) {
  const failing = (is) => results.filter(({ failures }) => failures.some(is)).length;
  const recall = failing(({ on }) => on !== "root");
  const root = failing(({ on, reason }) => on === "root" && reason.startsWith("not found"));
  const both = failing(({ on, reason }) => on === "root" && !reason.startsWith("not found"));
  console.log(`recall has what holds first: ${results.length - recall} of ${results.length}`);
  console.log(`ROOT.md has it: ${results.length - root}; what no longer holds stands unmarked beside it: ${both}`);
}

function scored(file) {
  const jobs = option("--jobs") ?? "2";
  const args = [scorer, file, "--bin", program, "--node", process.execPath, "--json", "--jobs", jobs];
  const { stdout, stderr } = spawnSync(process.execPath, args, { maxBuffer: 1 << 28 });
  try {
    return JSON.parse(String(stdout)).results;
  } catch {
    throw new Error(`the scorer failed: ${String(stderr)}`);
  }
}
