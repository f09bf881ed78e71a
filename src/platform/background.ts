/** Work that goes on when this process has ended: a process of its own, in a session of its own, without the standard streams of this one. */
export interface Background {
  /**
   * Starts this program with these words, by argument list and in the project folder; nothing waits for it. `failed` when the system starts none. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;
}

/** The environment of a child: enough to find its folders, settings, day and models' keys; nothing that a client sets for its hooks, and nothing that makes Node load more. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Processes of this machine that outlive this one. `dir`: absolute path of the project folder, in which they run. `program`: that of the program's first file. */
export function createNodeBackground({ dir, program }: { readonly dir: string; readonly program: string }): Background {
  return {
    start: async (words) => {
      // Late: it costs two milliseconds, and not every event starts something.
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
        // Reported as an event as well; `pid` says at once whether there is a process.
        child.on("error", () => undefined).unref();
        return child.pid === undefined ? "failed" : "started";
      } catch {
        return "failed";
      }
    },
  };
}
