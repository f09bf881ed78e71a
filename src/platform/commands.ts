import type { ChildProcess } from "node:child_process";
import { constants as modes } from "node:fs";
import { access, stat } from "node:fs/promises";
import { constants } from "node:os";
import { delimiter, isAbsolute, join } from "node:path";

/** Another program on this machine, run by argument list, never through a shell. */
export interface Commands {
  readonly id: string;
  /** The absolute path of the program when it is on PATH. */
  find(program: string): Promise<string | undefined>;
  /** Runs it in the project folder; `timeoutMs` ends it. The output is returned cut to 4,000 characters. */
  run(program: string, args: readonly string[], options: { readonly timeoutMs: number }): Promise<CommandResult>;
}

export interface CommandResult {
  readonly status: number | "timeout" | "not_started";
  readonly output: string;
}

const OUTPUT_LIMIT = 4_000;
/** How long to wait for output that is still under way when the program has ended. */
const LAST_OUTPUT_MS = 200;

/** Programs of this machine, run in the project folder. */
export function openNodeCommands(dir: string): Commands {
  return {
    id: "node-commands",
    find: findProgram,
    run: async (program, args, { timeoutMs }) => {
      // Imported late: it costs every command two milliseconds, and hardly one runs another program.
      const { spawn } = await import("node:child_process");
      const child = spawn(program, args, { cwd: dir, shell: false, stdio: ["ignore", "pipe", "pipe"] });
      return resultOf(child, timeoutMs);
    },
  };
}

/** Relative parts of PATH are left out: the folder we work in must not choose what runs. */
async function findProgram(program: string): Promise<string | undefined> {
  if (program.includes("/") || program.includes("\\")) return undefined;
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => isAbsolute(folder));
  for (const folder of folders) {
    const path = join(folder, program);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

async function isExecutable(path: string): Promise<boolean> {
  return access(path, modes.X_OK)
    .then(() => stat(path))
    .then((found) => found.isFile())
    .catch(() => false);
}

function resultOf(child: ChildProcess, timeoutMs: number): Promise<CommandResult> {
  const { stdout, stderr } = child;
  const decoder = new TextDecoder();
  let output = "";
  for (const stream of [stdout, stderr])
    stream?.on("data", (chunk: Buffer) => {
      if (output.length < OUTPUT_LIMIT) output += decoder.decode(chunk, { stream: true });
    });
  return new Promise((resolve) => {
    let timedOut = false;
    const timer = setTimeout(() => {
      timedOut = child.kill("SIGKILL");
    }, timeoutMs);
    const finish = (status: CommandResult["status"], more = ""): void => {
      clearTimeout(timer);
      stdout?.destroy();
      stderr?.destroy();
      resolve({ status, output: `${output}${more}`.slice(0, OUTPUT_LIMIT) });
    };
    child.once("error", (error) => finish("not_started", error.message));
    child.once("exit", (code, signal) => {
      const status = timedOut ? "timeout" : (code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
      child.once("close", () => finish(status));
      // A grandchild may keep the pipes open long after the program has ended.
      setTimeout(() => finish(status), LAST_OUTPUT_MS).unref();
    });
  });
}
