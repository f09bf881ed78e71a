import { spawnSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isTemporaryName } from "../../src/base/known-paths.ts";

/**
 * The built program under strace: each system call of one compaction that touches the project fails once (EIO, ENOSPC, EACCES) or kills the process.
 * The exit status is not 0, a sentence says why, and a clean run afterwards gives the same as an undisturbed one. HEARTWOOD_FAULTS=all
 * tests every call (every fourth that opens a file); the default is a few of each kind.
 */
const root = join(dirname(fileURLToPath(import.meta.url)), "..", "..");
const hasStrace = spawnSync("strace", ["-V"]).status === 0;
if (!hasStrace) console.error("NOT RUN: test/crash/compact-strace.test.ts needs strace (apt-get install strace)");
const isWhole = process.env["HEARTWOOD_FAULTS"] === "all";
const calls = ["fsync", "rename", "write", "mkdir", "openat"] as const;
const actions = ["error=EIO", "error=ENOSPC", "error=EACCES", "signal=KILL"] as const;

let base = "";
let bin = "";
let expected = "";
beforeAll(() => {
  if (!existsSync(join(root, "dist/bin.js")))
    throw new Error("dist/bin.js is not there; run `node tools/build.mjs` first");
  base = mkdtempSync(join(tmpdir(), "heartwood-strace-"));
  // A copy, so that a concurrent build changes nothing.
  for (const path of ["dist", "package.json"])
    cpSync(join(root, path), join(base, "package", path), { recursive: true });
  bin = join(base, "package/dist/bin.js");
  const dir = join(base, "template");
  mkdirSync(join(dir, "memory"), { recursive: true });
  for (const day of ["2026-02-10", "2026-03-02", "2026-03-23"])
    writeFileSync(join(dir, `memory/${day}.md`), `# ${day}\n\n## Auth [project]\n- decision: tokens on ${day}\n`);
  heartwood(newProject("calm"), ["compact"]);
  expected = treeOf(join(base, "calm"));
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

describe.skipIf(!hasStrace)("one failing system call of a compaction", () => {
  it.each(calls)("%s: is reported, and a clean run leaves no damage and no temporary files", (call) => {
    const points = pointsOf(call);
    // Most files are opened only for reading, all in the same way.
    const stride = isWhole ? (call === "openat" ? 4 : 1) : 11;
    const wrong: string[] = [];
    let hits = 0;
    for (const [turn, action] of actions.entries()) {
      for (let index = turn % Math.min(stride, points.length); index < points.length; index += stride) {
        const seen = runWith({ call, when: points[index] ?? 1, action });
        hits += seen.hit === "hit" ? 1 : 0;
        wrong.push(...seen.wrong);
      }
    }
    expect(wrong).toEqual([]);
    expect(hits > 0).toBe(true);
    console.log(`${call}: ${points.length} calls touch the project; ${hits} failures injected`);
  });
});

/** The numbers, in strace's count for the thread, of calls that touch the project. */
function pointsOf(call: string): readonly number[] {
  const dir = newProject("traced");
  const log = traced(dir, ["-e", `trace=${call}`]).log;
  const counts = new Map<string, number>();
  const points = new Set<number>();
  for (const line of log.split("\n")) {
    const thread = /^\d+/u.exec(line)?.[0];
    if (thread === undefined || !line.includes(`${call}(`)) continue;
    const number = (counts.get(thread) ?? 0) + 1;
    counts.set(thread, number);
    if (touches(line, dir)) points.add(number);
  }
  return [...points];
}

interface Injection {
  readonly call: string;
  readonly when: number;
  readonly action: string;
}

function runWith({ call, when, action }: Injection): {
  readonly hit: "hit" | "missed";
  readonly wrong: readonly string[];
} {
  const dir = newProject("hurt");
  const { status, out, err, log } = traced(dir, ["-e", `trace=${call}`, "-e", `inject=${call}:${action}:when=${when}`]);
  // strace counts per thread. A failed wake-up of Node's own threads aborts Node, but is not one of our calls.
  const isKill = action === "signal=KILL";
  const injected = log.split("\n").filter((line) => line.includes("(INJECTED)") || (isKill && touches(line, dir)));
  const hit = injected.length > 0 && injected.every((line) => touches(line, dir)) ? "hit" : "missed";
  const title = `${call} ${when} ${action}`;
  const wrong: string[] = [];
  // A file that cannot be opened while the run only checks is opened again when it works. Without proof that the state folder is ours, no cache is kept.
  const isSpared = call === "openat" || injected.every((line) => /\/\.heartwood(?:\/[^/"<>]*)?[">]/u.test(line));
  const isHealed = status === 0 && isSpared && treeOf(dir) === expected;
  if (hit === "hit" && status === 0 && !isHealed && action !== "signal=KILL") wrong.push(`${title}: exit status 0`);
  // Skipped sources are findings in the result.
  const told = status === 1 ? out : err;
  if (hit === "hit" && action !== "signal=KILL" && !isHealed && !/\b(?:EIO|ENOSPC|EACCES|SQLITE_\d+)\b/u.test(told))
    wrong.push(`${title}: it says ${JSON.stringify(told)}`);
  const clean = heartwood(dir, ["compact"]);
  if (clean.status !== 0) wrong.push(`${title}: the clean run ends with ${clean.status}: ${clean.err}`);
  if (treeOf(dir) !== expected) wrong.push(`${title}: the tree is not what an undisturbed run leaves`);
  const litter = filesBelow(dir).filter((path) => isTemporaryName(path.replace(/^.*\//u, "")));
  if (litter.length > 0) wrong.push(`${title}: ${litter.join(" ")} is left`);
  const verified = heartwood(dir, ["verify"]);
  if (verified.status !== 0) wrong.push(`${title}: verify says ${verified.out}`);
  return { hit, wrong };
}

/** The holder of a lock is recorded on a best-effort basis, so writing that file may fail. */
function touches(line: string, dir: string): boolean {
  return (line.includes(`"${dir}`) || line.includes(`<${dir}/`)) && !/lock-\w+\.json/u.test(line);
}

interface Ended {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

function traced(dir: string, how: readonly string[]): Ended & { readonly log: string } {
  const log = join(base, "strace.log");
  const ended = run(
    "strace",
    ["-f", "-qq", "-y", "-s", "512", "-o", log, ...how, process.execPath, bin, "compact", ...fixed],
    dir,
  );
  return { ...ended, log: readFileSync(log, "utf8") };
}

function heartwood(dir: string, words: readonly string[]): Ended {
  return run(process.execPath, [bin, ...words, ...fixed], dir);
}

const fixed = ["--today", "2026-03-24", "--time-zone", "UTC"];

function run(program: string, words: readonly string[], cwd: string): Ended {
  const env = { PATH: process.env["PATH"], HOME: base, TZ: "UTC", UV_THREADPOOL_SIZE: "1" };
  const { status, stdout, stderr } = spawnSync(program, words, { cwd, env, encoding: "utf8", timeout: 600_000 });
  return { status, out: stdout, err: stderr };
}

function newProject(name: string): string {
  const dir = join(base, name);
  rmSync(dir, { recursive: true, force: true });
  cpSync(join(base, "template"), dir, { recursive: true });
  return dir;
}

function treeOf(dir: string): string {
  const nodes = filesBelow(dir).filter((path) => path.startsWith("memory/") && path.endsWith(".md"));
  return nodes.map((path) => `${path}\n${readFileSync(join(dir, path), "utf8")}`).join("\n");
}

function filesBelow(dir: string): readonly string[] {
  const entries = readdirSync(dir, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(dir, join(entry.parentPath, entry.name))).toSorted();
}
