import { accessSync, constants as modes, statSync } from "node:fs";
import { constants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";
import { attempt } from "../base/errors.ts";

/** Runs other programs on this machine, never through a shell. */
export interface Commands {
  readonly id: string;
  /** The absolute path of the program; `undefined` if it is not on PATH. */
  find(program: string): Promise<string | undefined>;
  /** Runs it in the project folder, without standard streams unless `options` name them; kills it after `timeoutMs`. */
  run(program: string, args: readonly string[], options: CommandOptions): Promise<CommandResult>;
}

export interface CommandOptions {
  readonly timeoutMs: number;
  /** `kept`: what the program prints is part of the result. */
  readonly output?: "kept";
}

export interface CommandResult {
  readonly status: number | "timeout" | "not_started";
  /** What the program printed, if it was kept. */
  readonly output?: Uint8Array;
}

/** Runs programs in the project folder. */
export function openNodeCommands(dir: string): Commands {
  return {
    id: "node-commands",
    find: findProgram,
    run: async (program, args, { timeoutMs, output }) => {
      // Loaded lazily: it takes 2 ms, and few commands run another program.
      const { spawn } = await import("node:child_process");
      const stdout = output === "kept" ? "pipe" : "ignore";
      const how = { cwd: dir, shell: false, timeout: timeoutMs, killSignal: "SIGKILL" } as const;
      const child = spawn(program, args, { ...how, stdio: ["ignore", stdout, "ignore"] });
      const printed: Buffer[] = [];
      child.stdout?.on("data", (bytes: Buffer) => void printed.push(bytes));
      return new Promise((resolve) => {
        child.once("error", () => resolve({ status: "not_started" }));
        // A grandchild that keeps the output open must not keep this waiting, unless the output is wanted.
        child.once(output === "kept" ? "close" : "exit", (code: number | null, signal: NodeJS.Signals | null) => {
          const status = code ?? 128 + (signal === null ? 0 : constants.signals[signal]);
          resolve({
            status: child.killed ? "timeout" : status,
            ...(output === "kept" ? { output: Buffer.concat(printed) } : {}),
          });
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
