// Times whole processes: the median difference from a process that does nothing, over several runs. The two alternate, so
// changes in machine speed affect both. Peak memory is as reported by the operating system.
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

export const repository = dirname(dirname(fileURLToPath(import.meta.url)));
export const program = join(repository, "dist", "bin.js");

/** A module that reports the `maxRSS` of the process that loads it, in KiB, and its user CPU time, in microseconds, on file descriptor 3. */
const reporter =
  "data:text/javascript," +
  encodeURIComponent(
    "import { writeSync } from 'node:fs'; process.on('exit', () => { try { const { maxRSS, userCPUTime } = process.resourceUsage(); writeSync(3, `${maxRSS} ${userCPUTime}`); } catch { process.exitCode ??= 0; } });",
  );

/**
 * Runs node once. Returns seconds and, with `memory`, the peak in MB and the user CPU time in milliseconds. `statuses`: exit statuses that are not failures.
 * `env` replaces the environment.
 */
export function runNode(args, { memory = false, statuses = [0], env = usualEnvironment(), input, cwd, timeout } = {}) {
  const all = memory ? ["--import", reporter, ...args] : args;
  const started = performance.now();
  const result = spawnSync(process.execPath, all, {
    env,
    cwd,
    timeout,
    stdio: [typeof input === "number" ? input : input === undefined ? "ignore" : "pipe", "pipe", "pipe", "pipe"],
    ...(typeof input === "string" && { input }),
    maxBuffer: 1 << 28,
  });
  const seconds = (performance.now() - started) / 1000;
  if (!statuses.includes(result.status))
    throw new Error(`node ${args.join(" ")} ended with ${result.status ?? result.signal}: ${result.stderr}`);
  const stdout = String(result.stdout);
  if (!memory) return { seconds, stdout };
  const [kib, microseconds] = String(result.output[3]).split(" ").map(Number);
  return { seconds, peak: kib / 1024, cpu: microseconds / 1000, stdout };
}

function usualEnvironment() {
  const { PATH, HOME, HEARTWOOD_EMBEDDER } = process.env;
  return { PATH, HOME, LANG: "C.UTF-8", ...(HEARTWOOD_EMBEDDER && { HEARTWOOD_EMBEDDER }) };
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

export function folderBytes(folder) {
  if (!existsSync(folder)) return 0;
  return readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name);
    return sum + (entry.isDirectory() ? folderBytes(path) : statSync(path).size);
  }, 0);
}
