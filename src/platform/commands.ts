import { accessSync, constants as modes, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { attempt } from "../base/errors.ts";

/** Runs other programs on this machine, never through a shell. */
export interface Commands {
  readonly id: string;
  /** The absolute path of the program; `undefined` if it is not on PATH. */
  find(program: string): Promise<string | undefined>;
  /** Runs it in the project folder, without standard streams; kills it after `timeoutMs`. */
  run(program: string, args: readonly string[], options: { readonly timeoutMs: number }): Promise<CommandResult>;
}

export interface CommandResult {
  readonly status: number | "timeout" | "not_started";
}

/** Runs programs in the project folder. */
export function openNodeCommands(dir: string): Commands {
  return {
    id: "node-commands",
    find: findProgram,
    run: async (program, args, { timeoutMs }) => {
      // Loaded lazily: it takes 2 ms, and few commands run another program.
      const { spawn } = await import("node:child_process");
      const how = { cwd: dir, shell: false, stdio: "ignore", timeout: timeoutMs, killSignal: "SIGKILL" } as const;
      const child = spawn(program, args, how);
      return new Promise((resolve) => {
        child.once("error", () => resolve({ status: "not_started" }));
        child.once("exit", (code, signal) => {
          const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
          resolve({ status: child.killed ? "timeout" : status });
        });
      });
    },
  };
}

/** Ignores relative PATH entries, because the current folder must not decide what runs. */
async function findProgram(program: string): Promise<string | undefined> {
  if (program.includes("/") || program.includes("\\")) return undefined;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  const isExecutable = (path: string): boolean => {
    accessSync(path, modes.X_OK);
    return statSync(path).isFile();
  };
  return folders.map((folder) => join(folder, program)).find((path) => attempt(() => isExecutable(path)) ?? false);
}
