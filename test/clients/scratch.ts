import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = join(dirname(fileURLToPath(import.meta.url)), "..", "..");

/** The heartwood command line: the local build, or another `bin.js` (`$HEARTWOOD_BIN`). */
export const HEARTWOOD = process.env["HEARTWOOD_BIN"] ?? join(ROOT, "dist", "bin.js");

/** A fact that is only in the log of the scratch memory, not in ROOT.md or in any test's prompt. */
export const LOGGED = "The pump in hall four answers to the name Zaunkoenig.";

/** A line of WORKING.md, which is injected at the start of a session like ROOT.md. No test's prompt contains a word of it. */
export const WORKING = "next: repaint the weathercock crimson";

/** An unused home, and a project with a memory. */
export interface Scratch {
  /** The folder of both. */
  readonly top: string;
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  readonly remove: () => void;
}

export interface FilledScratch extends Scratch {
  /** The start of a line of ROOT.md, which later sessions do not change: a wish of the user. */
  readonly rootLine: string;
}

export interface Ran {
  readonly status: number | null;
  readonly out: string;
  readonly err: string;
}

/** A project with a memory of some weeks. */
export function makeScratch(platform: string): FilledScratch {
  const scratch = makeEmptyScratch(platform);
  const { project } = scratch;
  cpSync(join(ROOT, "samples", "memory"), join(project, "memory"), { recursive: true });
  writeFileSync(join(project, "WORKING.md"), `# Working\n\n## Roof\n- ${WORKING}\n`);
  heartwood(scratch, ["compact"]);
  heartwood(scratch, ["log", "add", "--topic", "Names of machines", "--body", LOGGED]);
  // The first recall indexes for a short time only, which may not be enough on a busy machine.
  heartwood(scratch, ["index"]);
  return { ...scratch, rootLine: lineOfRoot(project) };
}

/** A project with a memory that `init` has just created. */
export function makeEmptyScratch(platform: string): Scratch {
  const top = mkdtempSync(join(tmpdir(), "scratch-client-"));
  const home = join(top, "home");
  const project = join(top, "project");
  for (const folder of [home, project]) mkdirSync(folder);
  // OpenClaw's workspace is the project.
  const env = { ...cleanEnv(home), ...(platform === "openclaw" ? { OPENCLAW_WORKSPACE_DIR: project } : {}) };
  heartwood({ project, env }, ["init", "--platform", platform]);
  return {
    top,
    home,
    project,
    env,
    remove: () =>
      process.env["HEARTWOOD_CLIENTS_KEEP"] === undefined
        ? rmSync(top, { recursive: true, force: true })
        : console.error(`Kept: ${top}`),
  };
}

/** Runs the command line of `program` (default: the local build) in the project, and throws if its status is not 0. */
export function heartwood(
  where: Pick<Scratch, "project" | "env">,
  words: readonly string[],
  program = HEARTWOOD,
): string {
  const ran = spawnSync(process.execPath, [program, ...words], {
    cwd: where.project,
    env: where.env,
    encoding: "utf8",
  });
  if (ran.status !== 0)
    throw new Error(`heartwood ${words.join(" ")} ended with ${ran.status}: ${ran.stderr}${ran.stdout}`);
  return ran.stdout;
}

/** Whether the built command line has `command`. */
export function knows(command: string): "known" | "unknown" {
  const ran = spawnSync(process.execPath, [HEARTWOOD, command, "--help"], { encoding: "utf8" });
  return ran.status === 0 ? "known" : "unknown";
}

/** Runs a client headless in the project. After `seconds`, it and all its child processes are killed, with status `null`. */
export function runClient(
  scratch: Scratch,
  command: readonly [string, ...string[]],
  env: Readonly<Record<string, string>>,
  seconds = 300,
): Promise<Ran> {
  const [program, ...words] = command;
  return new Promise((resolve, reject) => {
    const child = spawn(program, words, {
      cwd: scratch.project,
      env: { ...scratch.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    let out = "";
    let err = "";
    child.stdout.on("data", (chunk: Buffer) => (out += chunk.toString("utf8")));
    child.stderr.on("data", (chunk: Buffer) => (err += chunk.toString("utf8")));
    const timer = setTimeout(() => process.kill(-(child.pid ?? 0), "SIGKILL"), seconds * 1000);
    child.on("error", reject);
    child.on("close", (status) => {
      clearTimeout(timer);
      resolve({ status, out, err });
    });
  });
}

/** Contents by path of everything below `folder`, except paths that begin with one of `without`. */
export function treeOf(folder: string, without: readonly string[] = []): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const visit = (path: string): void => {
    for (const name of readdirSync(join(folder, path)).toSorted()) {
      const below = path === "" ? name : `${path}/${name}`;
      if (without.some((one) => below === one || below.startsWith(`${one}/`))) continue;
      found.set(below, described(join(folder, below)));
      if (lstatSync(join(folder, below)).isDirectory()) visit(below);
    }
  };
  visit("");
  return found;
}

function described(path: string): string {
  const stat = lstatSync(path);
  const mode = (stat.mode & 0o7777).toString(8);
  if (stat.isDirectory()) return `folder ${mode}`;
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path)}`;
  return `file ${mode} ${createHash("sha256").update(readFileSync(path)).digest("hex")}`;
}

function lineOfRoot(project: string): string {
  const line = /^- (.{10,30} \[feedback), /mu.exec(readFileSync(join(project, "memory", "ROOT.md"), "utf8"))?.[1];
  if (line === undefined) throw new Error("The ROOT.md of the scratch memory has no line to look for.");
  return line;
}

/** An environment without anything from the user who runs the tests: no keys, configuration or proxy. */
function cleanEnv(home: string): Readonly<Record<string, string>> {
  return {
    PATH: `${dirname(process.execPath)}${delimiter}/usr/local/bin${delimiter}/usr/bin${delimiter}/bin`,
    HOME: home,
    LANG: "C.UTF-8",
    TERM: "dumb",
    CI: "1",
    // On a busy machine, only the client's own limit ends a hook.
    HEARTWOOD_HOOK_MS: "4500",
  };
}
