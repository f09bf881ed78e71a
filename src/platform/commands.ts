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
  /** What the program reads on its standard input. Default: nothing. */
  readonly input?: Uint8Array;
  /** Added to the environment. */
  readonly env?: Readonly<Record<string, string>>;
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
    run: async (program, args, { timeoutMs, output, input, env }) => {
      // Loaded lazily: it takes 2 ms, and few commands run another program.
      const { spawn } = await import("node:child_process");
      const stdout = output === "kept" ? "pipe" : "ignore";
      const how = { cwd: dir, shell: false, timeout: timeoutMs, killSignal: "SIGKILL" } as const;
      const stdin = input === undefined ? "ignore" : "pipe";
      const stdio = [stdin, stdout, "ignore"] as const;
      const child = spawn(program, args, { ...how, env: { ...process.env, ...env }, stdio: [...stdio] });
      const printed: Buffer[] = [];
      child.stdout?.on("data", (bytes: Buffer) => void printed.push(bytes));
      return new Promise((resolve) => {
        child.once("error", () => resolve({ status: "not_started" }));
        // A program that ends early does not read it all; its status says why.
        child.stdin?.on("error", () => undefined).end(input);
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

/** Starts work that outlives this process: a separate process and session that inherits no standard streams. */
export interface Background {
  /**
   * Runs this program with these arguments in the project folder, without a shell, and does not wait for it. `failed`: the process could not be
   * started. Never throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;
}

/** Environment variables passed to the child: its folders, settings, date and model keys, but nothing a client sets for its hooks or that makes Node load extra code. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Starts processes on this machine. `dir`: absolute path of the project folder, their working directory. `program`: absolute path of this program's entry file. */
export function createNodeBackground({ dir, program }: { readonly dir: string; readonly program: string }): Background {
  return {
    start: async (words) => {
      // Loaded lazily: it takes 2 ms, and not every event starts a process.
      const { spawn } = await import("node:child_process");
      try {
        const environment = Object.entries(process.env).filter(([name]) => passed.test(name));
        const child = spawn(process.execPath, [program, ...words], {
          cwd: dir,
          env: Object.fromEntries(environment),
          detached: true,
          stdio: "ignore",
          shell: false,
          windowsHide: true,
        });
        // Spawn errors also arrive as an event; `pid` shows right away whether the process started.
        child.on("error", () => undefined).unref();
        return child.pid === undefined ? "failed" : "started";
      } catch {
        return "failed";
      }
    },
  };
}
