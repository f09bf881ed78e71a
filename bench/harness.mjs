// Times whole processes: the median difference from a process that does nothing, over several runs. The two alternate, so
// changes in machine speed affect both. Peak memory is as reported by the operating system.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));
export const program = join(repository, "dist", "bin.js");

/** A module that reports the `maxRSS` of the process that loads it, in KiB, on file descriptor 3. */
const reporter =
  "data:text/javascript," +
  encodeURIComponent(
    "import { writeSync } from 'node:fs'; process.on('exit', () => { try { writeSync(3, String(process.resourceUsage().maxRSS)); } catch { process.exitCode ??= 0; } });",
  );

/** Runs node once. Returns seconds and, with `memory`, the peak in MB. `statuses`: exit statuses that are not failures. */
export function runNode(args, { memory = false, statuses = [0] } = {}) {
  const { PATH, HOME, HEARTWOOD_EMBEDDER } = process.env;
  const env = { PATH, HOME, LANG: "C.UTF-8", ...(HEARTWOOD_EMBEDDER && { HEARTWOOD_EMBEDDER }) };
  const all = memory ? ["--import", reporter, ...args] : args;
  const started = performance.now();
  const result = spawnSync(process.execPath, all, {
    env,
    stdio: ["ignore", "pipe", "pipe", "pipe"],
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (!statuses.includes(result.status))
    throw new Error(`node ${args.join(" ")} ended with ${result.status}: ${result.stderr}`);
  return { seconds, peak: memory ? Number(result.output[3]) / 1024 : undefined, stdout: String(result.stdout) };
}

export function median(values) {
  return [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)];
}

/** The median of `runs` time differences between `args` and `node -e 0`. `before` prepares each run and is not timed. */
export function difference(args, { runs = 7, before = () => {}, statuses = [0] } = {}) {
  const differences = [];
  for (let run = 0; run < runs; run++) {
    before();
    const bare = runNode(["-e", "0"]).seconds;
    differences.push(runNode(args, { statuses }).seconds - bare);
  }
  return median(differences);
}

export function temporaryFolder() {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-bench-"));
  process.on("exit", () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Prints a row of the report: the figure, its bound, and whether the bound is met. */
export function report(name, value, bound, unit) {
  const holds = value <= bound;
  console.log(
    `${holds ? "ok  " : "MISS"}  ${name.padEnd(52)} ${value.toFixed(unit === "MB" ? 0 : 3).padStart(8)} ${unit}  (at most ${bound} ${unit})`,
  );
  return holds;
}
