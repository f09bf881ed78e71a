import { existsSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Put in by tools/build.mjs from package.json; absent when the sources run directly. */
declare const HEARTWOOD_VERSION: string | undefined;

/** Version of this program, and of the Node that runs it. */
export function programFacts(): { readonly version: string; readonly node: string } {
  const version = typeof HEARTWOOD_VERSION === "string" ? HEARTWOOD_VERSION : "0.0.0-source";
  return { version, node: process.versions.node };
}

/** The absolute path of a file that the package ships: this file lies at another depth in the sources than in dist/. */
export function shippedFile(path: string): string {
  const here = dirname(fileURLToPath(import.meta.url));
  let dir = here;
  while (!existsSync(join(dir, "package.json")) && dir !== dirname(dir)) dir = dirname(dir);
  return join(dir, path);
}

/** The command that puts packages where this program finds them: beside it. */
export function installCommand(packages: readonly string[]): string {
  const names = packages.join(" ");
  const above = dirname(shippedFile(""));
  // From a checkout; else `…/node_modules/heartwood`, of which `…/lib/node_modules` is the place of global packages.
  if (basename(above) !== "node_modules") return `npm install --no-save --prefix ${shippedFile("")} ${names}`;
  const project = dirname(above);
  return basename(project) === "lib" ? `npm install --global ${names}` : `npm install --prefix ${project} ${names}`;
}

/** How large one half of the young generation may become, in MB, and by how much the old one may grow between collections, in per cent. */
const youngHalf = 8;
const growth = 60;

let bounded = false;

/**
 * Keeps the heap of this process near what is alive in it, for a program that runs once and ends. Left alone, V8 on a machine with much memory
 * lets the young generation grow to 128 MB and the old one to four times what is alive (measured: 470 MB for ten years of logs of which 80 MB
 * were alive; 250 MB with this, at the same speed). Its size can no longer be set once the process runs, but its growth can be stopped: so it is
 * brought to its size with short-lived objects first. Takes about 15 ms; the second call does nothing. A library must not do this to its host.
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
  v8.setFlagsFromString(`--heap-growing-percent=${growth}`);
}

/**
 * Ends the process with status 0, also while file calls hang: `process.exit` waits for them, and what takes the place of the process does not. Node before 22.15, and Windows, cannot
 * replace a process; there it is killed.
 */
export function endProcess(): void {
  if (!process.getActiveResourcesInfo().some((name) => name.startsWith("FSReq"))) process.exit(0);
  try {
    process.execve?.("/bin/sh", ["sh", "-c", "exit 0"], {});
  } catch {
    // There is no such shell.
  }
  process.kill(process.pid, "SIGKILL");
}
