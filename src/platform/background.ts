import type { ChildProcess } from "node:child_process";

/** How work that was waited for came out. */
export type BackgroundRun =
  | {
      readonly state: "ended";
      /** Its exit status; `undefined` when a signal ended it. */
      readonly status: number | undefined;
      /** The end of what it wrote to standard error, at most 4 KiB of whole characters. Foreign text. */
      readonly said: string;
    }
  | { readonly state: "goes on" }
  | { readonly state: "failed" };

/** Work that goes on when this process has ended: a process of its own, in a session of its own, without the standard streams of this one. */
export interface Background {
  readonly id: string;

  /**
   * Starts this program with these words, by argument list and in the project folder; nothing waits for it. `failed` when the system starts none. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;

  /**
   * Runs it in the same way and waits for its end, at most `limitMs` milliseconds; then it goes on alone. What it started itself is not waited for.
   * Never throws.
   */
  run(words: readonly string[], limitMs: number): Promise<BackgroundRun>;
}

/** The environment of a child: enough to find its folders, settings, day and models' keys; nothing that a client sets for its hooks, and nothing that makes Node load more. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Bytes kept of the end of a child's standard error. */
const mostSaid = 4096;
/** Milliseconds in which what a child wrote last still arrives. A process that it started may keep its standard error open. */
const lastWordsMs = 250;

/** Processes of this machine that outlive this one. `dir`: absolute path of the project folder, in which they run. `program`: that of the program's first file. */
export function createNodeBackground({ dir, program }: { readonly dir: string; readonly program: string }): Background {
  const spawned = async (words: readonly string[], stderr: "ignore" | "pipe"): Promise<ChildProcess | undefined> => {
    // Late: it costs two milliseconds, and not every event starts something.
    const { spawn } = await import("node:child_process");
    try {
      const environment = Object.entries(process.env).filter(([name]) => passed.test(name));
      const child = spawn(process.execPath, [program, ...words], {
        cwd: dir,
        env: { ...Object.fromEntries(environment), HEARTWOOD_ERROR_CODES: "1" },
        detached: true,
        stdio: ["ignore", "ignore", stderr],
        shell: false,
        windowsHide: true,
      });
      // Reported as an event as well; `pid` says at once whether there is a process.
      child.on("error", () => undefined);
      return child.pid === undefined ? undefined : child;
    } catch {
      return undefined;
    }
  };
  return {
    id: "node-background-1",
    start: async (words) => {
      const child = await spawned(words, "ignore");
      child?.unref();
      return child === undefined ? "failed" : "started";
    },
    run: async (words, limitMs) => {
      const child = await spawned(words, "pipe");
      return child === undefined ? { state: "failed" } : endOf(child, limitMs);
    },
  };
}

function endOf(child: ChildProcess, limitMs: number): Promise<BackgroundRun> {
  const { stderr } = child;
  let said: Buffer = Buffer.alloc(0);
  stderr?.on("error", () => undefined);
  // Also after the limit: a child whose output is not read would block.
  stderr?.on("data", (bytes: Buffer) => {
    said = Buffer.concat([said, bytes]).subarray(-mostSaid);
  });
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.unref();
      // A pipe to a child is a socket, which its type does not say.
      if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
      resolve({ state: "goes on" });
    }, limitMs);
    child.once("exit", (code) => {
      clearTimeout(timer);
      const ended = (): void => {
        clearTimeout(grace);
        stderr?.destroy();
        // The first character may have been cut in two.
        const text = said.toString("utf8").replace(/^\ufffd+/u, "");
        resolve({ state: "ended", status: code ?? undefined, said: text });
      };
      const grace = setTimeout(ended, lastWordsMs);
      child.once("close", ended);
    });
  });
}
