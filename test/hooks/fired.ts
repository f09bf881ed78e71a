import { spawn, spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { trustFolders } from "../fixtures/trusted.ts";
import { logs } from "../mcp/served.ts";

export const bin = join(import.meta.dirname, "../../dist/bin.js");

/** Logs in a folder that the user set up for heartwood. */
export const chosenLogs = { ...logs, "heartwood.config.json": "{}\n" };

export interface Project {
  readonly dir: string;
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/** A project folder with these files, in its own home. */
export function projectWith(files: Readonly<Record<string, string>>): Project {
  const home = mkdtempSync(join(tmpdir(), "heartwood-hook-"));
  const dir = join(home, "project");
  mkdirSync(dir);
  // A project without files has no memory; one with files was set up with `heartwood init`.
  const all: Readonly<Record<string, string>> =
    Object.keys(files).length === 0 ? {} : { "heartwood.config.json": "{}\n", ...files };
  for (const [path, text] of Object.entries(all)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  trustFolders(home, dir);
  return {
    dir,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: home,
      TZ: "UTC",
      HEARTWOOD_TODAY: "2026-03-24",
      HEARTWOOD_HOOK_MS: "100000",
    },
    remove: () => rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }),
  };
}

/** Runs a command of the built program in the project. */
export function heartwood({ dir, env }: Project, ...words: readonly string[]): string {
  return spawnSync(process.execPath, [bin, ...words, "--dir", dir], { env, cwd: dir, encoding: "utf8" }).stdout;
}

export interface Fired {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** A hook as a client starts it; `open` leaves its standard input open. */
export function fire(
  { dir, env }: Project,
  words: readonly string[],
  input: string | Uint8Array,
  stdin: "closed" | "open" = "closed",
): Promise<Fired> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [bin, "hook", ...words], { cwd: dir, env, stdio: "pipe" });
    const said = { stdout: "", stderr: "" };
    for (const name of ["stdout", "stderr"] as const)
      child[name].setEncoding("utf8").on("data", (text: string) => (said[name] += text));
    // The hook may have read enough and ended.
    child.stdin.on("error", () => undefined);
    if (stdin === "closed") child.stdin.end(input);
    else child.stdin.write(input);
    child.on("close", (status) => resolve({ status, ...said }));
  });
}
