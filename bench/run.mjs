// Runs all benchmarks with bounds, one after another. Usage: npm run bench. Exit status 1 if a bound is missed.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const missed = [
  "secrets.mjs",
  "tree.mjs",
  "root.mjs",
  "truth.mjs",
  "threads.mjs",
  "threads-probe.mjs",
  "postgres.mjs",
  "audit.mjs",
  "recall-conversations.mjs",
  "recall-quality.mjs",
  "recall-speed.mjs",
  "vectors.mjs",
  "mcp.mjs",
  "http.mjs",
  "hooks.mjs",
  "page.mjs",
].filter((name) => {
  console.log(`\n=== bench/${name}`);
  const { status } = spawnSync(
    process.execPath,
    [fileURLToPath(new URL(name, import.meta.url)), ...process.argv.slice(2)],
    { stdio: "inherit" },
  );
  return status !== 0;
});
if (missed.length > 0) console.error(`\nmissed: ${missed.join(", ")}`);
process.exitCode = missed.length > 0 ? 1 : 0;
