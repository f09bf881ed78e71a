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
