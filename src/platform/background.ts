/** Work that outlives this process, in a separate process and session without this one's standard streams. */
export interface Background {
  /**
   * Starts this program with these arguments in the project folder, without a shell, and does not wait for it. `failed` if no process could be started. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;
}

/** Environment variables for the child: enough to find its folders, settings, day and model keys, but none that a client sets for its hooks or that make Node load more. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Starts processes on this machine. `dir` is the absolute path of the project folder, where they run; `program` that of the program's entry file. */
export function createNodeBackground({ dir, program }: { readonly dir: string; readonly program: string }): Background {
  return {
    start: async (words) => {
      // Loaded late: it takes two milliseconds, and not every event starts something.
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
        // Errors are also reported as an event; `pid` shows at once whether there is a process.
        child.on("error", () => undefined).unref();
        return child.pid === undefined ? "failed" : "started";
      } catch {
        return "failed";
      }
    },
  };
}
