import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, isAbsolute, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { availableParallelism, homedir } from "node:os";
import { type ErrorCode, type ErrorDetails, MemoryError } from "../base/errors.ts";
import { parseJson } from "../base/json.ts";
import type { Files } from "./files.ts";

/** Inserted by tools/build.mjs from package.json; not defined when the sources run directly. */
declare const HEARTWOOD_VERSION: string | undefined;

/** The versions of this program and of Node. */
export function programFacts(): { readonly version: string; readonly node: string } {
  const version = typeof HEARTWOOD_VERSION === "string" ? HEARTWOOD_VERSION : "0.0.0-source";
  return { version, node: process.versions.node };
}

/** The absolute path of a file in the package. Searches upwards, because this file is at a different depth in the sources than in dist/. */
export function shippedFile(path: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  let dir = here;
  while (!existsSync(join(dir, "package.json")) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}

/** Reads a table that the build puts into dist/. Errors: `io`. */
export function shippedTable(name: string): () => Uint8Array {
  return () => {
    const path = shippedFile(join("dist", name));
    try {
      return readFileSync(path);
    } catch (error) {
      const reason = error instanceof Error && "code" in error ? String(error.code) : "unknown error";
      const message = `The table ${path} could not be read (${reason}); rebuild or reinstall heartwood.`;
      throw new MemoryError("io", message, { path }, error);
    }
  };
}

/** The command that installs packages where this program finds them. */
export function installCommand(packages: readonly string[]): string {
  const names = packages.join(" ");
  const above = dirname(shippedFile(""));
  // A checkout. Otherwise the program is in `…/node_modules/heartwood`, and `…/lib/node_modules` means global packages.
  if (basename(above) !== "node_modules") return `npm install --no-save --prefix ${shippedFile("")} ${names}`;
  const project = dirname(above);
  return basename(project) === "lib" ? `npm install --global ${names}` : `npm install --prefix ${project} ${names}`;
}

/**
 * A package with these files that is installed where this program finds packages: its folder and its package.json. Looked up from the program, never from the
 * project: a cloned repository must not supply code. `from`: the folder of this program.
 */
export function installedPackage(
  name: string,
  has: readonly string[],
  from = shippedFile(""),
): { readonly folder: string; readonly facts: unknown } | undefined {
  for (let dir = from; ; dir = dirname(dir)) {
    const folder = join(dir, "node_modules", name);
    if (basename(dir) !== "node_modules" && has.every((file) => existsSync(join(folder, file))))
      return { folder, facts: parseJson(readFileSync(join(folder, "package.json"), "utf8")) };
    if (dir === dirname(dir)) return undefined;
  }
}

/**
 * Whether an installed embedder is used: unless `HEARTWOOD_EMBEDDER` is `off`, but in a checkout, whose own package may be half made, only if it is `on`. `from`: as for
 * `installedPackage`.
 */
export function isEmbedderOn(from = shippedFile("")): boolean {
  const set = process.env["HEARTWOOD_EMBEDDER"];
  return set === "on" || (set !== "off" && !existsSync(join(from, "packages")));
}

/** How many threads may work for a while, leaving one core to others. */
export function spareCores(): number {
  return Math.max(1, availableParallelism() - 1);
}

/** Threads of this program that can work for a memory. */
export interface Workers {
  /** What they read. */
  readonly files: Files;
  /** How many may run beside this thread. */
  readonly most: number;
  /** With fewer bytes to read, starting one takes longer than it saves. */
  readonly leastBytes: number;
  start(): Worker;
}

export interface Worker {
  /**
   * Rejects with the `MemoryError` of the job. `undefined` if the thread died, or failed in any other way: do the job here. `signal`: tells the thread that the answer is no
   * longer wanted.
   */
  ask(job: unknown, signal?: AbortSignal): Promise<{ readonly answer: unknown } | undefined>;
  /** Whether the thread ended, so that every job must be done here. */
  isDead(): boolean;
  end(): Promise<void>;
}

/** What a thread runs: `start` of a surface of the program, which calls `answerJobs` with `given`. */
export interface ThreadStart {
  readonly surface: string;
  readonly start: string;
  readonly given: unknown;
  /** The most that its old generation may take, in MB. */
  readonly heap: number;
}

/** The folder's workers, each in a thread that loads this program again; none on a single core, or if the program was not built. */
export function openWorkers(dir: string, files: Files): Workers | undefined {
  const program = builtProgram();
  const most = Math.min(availableParallelism(), 4) - 1;
  if (most === 0 || program === undefined) return undefined;
  const start = (): Worker => startWorker(program, { surface: "worker", start: "main", given: dir, heap: 256 });
  return { files, most, leastBytes: 8 * 1024 * 1024, start };
}

/** The path of program.cjs; `undefined` if the sources run directly. */
export function builtProgram(): string | undefined {
  const program = fileURLToPath(import.meta.url);
  return basename(program) === "program.cjs" ? program : undefined;
}

/** `program`: the path of program.cjs. */
export function startWorker(program: string, start: ThreadStart): Worker {
  const waiting = new Map<number, (reply: Reply | undefined) => void>();
  let next = 0;
  let isDead = false;
  const die = (): void => {
    isDead = true;
    for (const settle of waiting.values()) settle(undefined);
  };
  const thread = openThread({ program, ...start });
  thread?.on("error", die).on("exit", die);
  thread?.on("message", (reply: Reply) => {
    waiting.get(reply.id)?.(reply);
    waiting.delete(reply.id);
  });
  return {
    ask: async (job, signal) => {
      const reply =
        isDead || thread === undefined
          ? undefined
          : await new Promise<Reply | undefined>((settle) => {
              const id = ++next;
              waiting.set(id, settle);
              thread.postMessage({ id, job });
              const cancel = (): void => thread.postMessage({ id });
              if (signal?.aborted === true) cancel();
              else signal?.addEventListener("abort", cancel, { once: true });
            });
      if (reply?.error === undefined) return reply?.done;
      const { code, message, details } = reply.error;
      throw new MemoryError(code, message, details);
    },
    isDead: () => isDead || thread === undefined,
    end: async () => void (await thread?.terminate()),
  };
}

/** `undefined` where this process may not start threads, as with Node's `--permission`. */
function openThread(workerData: ThreadStart & { readonly program: string }) {
  const { Worker: Thread } = process.getBuiltinModule("node:worker_threads");
  const script =
    'const { program, surface, start } = require("node:worker_threads").workerData; require(program)[surface]().then((own) => own[start]());';
  const resourceLimits = { maxYoungGenerationSizeMb: 3 * youngHalf, maxOldGenerationSizeMb: workerData.heap };
  try {
    return new Thread(script, { eval: true, execArgv: [], workerData, resourceLimits });
  } catch {
    return undefined;
  }
}

interface Reply {
  readonly id: number;
  /** Missing: the job failed. */
  readonly done?: { readonly answer: unknown };
  readonly error?: { readonly code: ErrorCode; readonly message: string; readonly details: ErrorDetails };
}

/** Answers jobs in a thread that `startWorker` started. `open`: gets what the thread was given. */
export function answerJobs(open: (given: unknown) => (job: unknown, signal: AbortSignal) => Promise<unknown>): void {
  const { parentPort, workerData } = process.getBuiltinModule("node:worker_threads");
  const answerOf = open((workerData as ThreadStart).given);
  const running = new Map<number, AbortController>();
  const replyTo = async (job: unknown, signal: AbortSignal): Promise<Omit<Reply, "id">> => {
    try {
      return { done: { answer: await answerOf(job, signal) } };
    } catch (error) {
      if (!(error instanceof MemoryError)) return {};
      const { code, message, details } = error;
      return { error: { code, message, details } };
    }
  };
  parentPort?.on("message", async ({ id, job }: { readonly id: number; readonly job?: unknown }) => {
    if (job === undefined) return running.get(id)?.abort();
    const stop = new AbortController();
    running.set(id, stop);
    parentPort.postMessage({ id, ...(await replyTo(job, stop.signal)) });
    running.delete(id);
  });
}

/** Bytes of memory that this process uses. */
export function usedMemory(): number {
  return process.memoryUsage.rss();
}

/** Maximum size of half the young generation in MB, and growth of the old generation between collections in percent. */
const youngHalf = 8;
const growth = 60;

let bounded = false;

/**
 * Keeps this process's heap close to the size of the live data. By default, on a machine with plenty of memory, V8 lets the young generation grow to
 * 128 MB and the old one to four times the live data (measured for ten years of logs with 80 MB live: 470 MB, and 250 MB with this, at the same
 * speed). In a running process the young generation's size cannot be set, but its growth can be stopped, so this first grows it to the desired size
 * with short-lived objects. Takes about 15 ms; the second call does nothing. Libraries must not do this to their host.
 */
export function boundHeap(): void {
  if (bounded) return;
  bounded = true;
  const v8 = process.getBuiltinModule("node:v8");
  const young = (): number =>
    v8.getHeapSpaceStatistics().find((space) => space.space_name === "new_space")?.space_size ??
    Number.POSITIVE_INFINITY;
  const held: { readonly value: number }[] = [];
  for (let round = 0; round < 400 && young() < 2 * youngHalf * 1024 * 1024; round++)
    for (let value = 0; value < 4000; value++) held.push({ value });
  held.length = 0;
  v8.setFlagsFromString("--semi-space-growth-factor=1");
  // For threads that start later.
  v8.setFlagsFromString(`--min-semi-space-size=${youngHalf}`);
  v8.setFlagsFromString(`--heap-growing-percent=${growth}`);
}

/**
 * Ends the process with status 0 even while file calls hang: `process.exit` waits for them, replacing the process does not. Node before 22.15 and
 * Windows cannot replace a process, so there it is killed.
 */
export function endProcess(): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) process.exit(0);
  try {
    process.execve?.("/bin/sh", ["sh", "-c", "exit 0"], {});
  } catch {
    // There is no /bin/sh.
  }
  process.kill(process.pid, "SIGKILL");
}

/** Heartwood's folder for the user's state, `${XDG_STATE_HOME:-~/.local/state}/heartwood`; `undefined` if neither the variable nor a home folder is set. */
export function userStateFolder(): string | undefined {
  return userFolder("XDG_STATE_HOME", "state");
}

/** The folder of the personal memory, `${XDG_DATA_HOME:-~/.local/share}/heartwood`, whether it exists or not; `undefined` like `userStateFolder`. */
export function userDataFolder(): string | undefined {
  return userFolder("XDG_DATA_HOME", "share");
}

/** The same. Errors: `io` if there is none. */
export function personalFolder(): string {
  const dir = userDataFolder();
  if (dir !== undefined) return dir;
  const message = "HOME is not the absolute path of an existing folder, so there is no personal memory; set it to one.";
  throw new MemoryError("io", message);
}

function userFolder(variable: "XDG_STATE_HOME" | "XDG_DATA_HOME", below: "state" | "share"): string | undefined {
  const named = process.env[variable];
  // Per the XDG spec, a relative path counts as unset.
  if (named !== undefined && isAbsolute(named)) return join(resolve(named), "heartwood");
  const home = homedir();
  return isAbsolute(home) && existsSync(home) ? join(home, ".local", below, "heartwood") : undefined;
}
