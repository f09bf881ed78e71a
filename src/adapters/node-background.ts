import type { ChildProcess } from "node:child_process";
import type { Background } from "../ports/background.ts";

/** How this program is started again. */
export interface NodeBackgroundOptions {
  /** Absolute path of the project folder, in which the process runs. */
  readonly dir: string;
  /** Absolute path of the program's first file. */
  readonly program: string;
}

/** What a child gets of the environment: enough to find its folders, settings, day and models' keys; nothing that a client sets for its hooks, and nothing that tells Node to load more. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Processes of this machine that outlive this one. */
export function createNodeBackground({ dir, program }: NodeBackgroundOptions): Background {
  const spawned = async (words: readonly string[]): Promise<ChildProcess | undefined> => {
    // Late: it costs two milliseconds, and not every event starts something.
    const { spawn } = await import("node:child_process");
    try {
      const child = spawn(process.execPath, [program, ...words], {
        cwd: dir,
        env: Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name))),
        detached: true,
        stdio: "ignore",
        shell: false,
        windowsHide: true,
      });
      // Told as an event as well; `pid` says at once whether there is a process.
      child.on("error", () => undefined);
      return child.pid === undefined ? undefined : child;
    } catch {
      return undefined;
    }
  };
  return {
    id: "node-background-1",
    start: async (words) => {
      const child = await spawned(words);
      child?.unref();
      return child === undefined ? "failed" : "started";
    },
    run: async (words, limitMs) => {
      const child = await spawned(words);
      return child === undefined ? "failed" : endOf(child, limitMs);
    },
  };
}

function endOf(child: ChildProcess, limitMs: number): Promise<"ended" | "goes on"> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.unref();
      resolve("goes on");
    }, limitMs);
    child.once("exit", () => {
      clearTimeout(timer);
      resolve("ended");
    });
  });
}
