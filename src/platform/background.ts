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
   * Starts this program with these words, by argument list and in the project folder; nobody waits for it. `failed` when the system starts none. Never
   * throws.
   */
  start(words: readonly string[]): Promise<"started" | "failed">;

  /**
   * Runs it in the same way and waits for its end, at most `limitMs` milliseconds; then it goes on alone. What it started itself is not waited for.
   * Never throws.
   */
  run(words: readonly string[], limitMs: number): Promise<BackgroundRun>;
}

/** How this program is started again. */
interface NodeBackgroundOptions {
  /** Absolute path of the project folder, in which the process runs. */
  readonly dir: string;
  /** Absolute path of the program's first file. */
  readonly program: string;
}

/** What a child gets of the environment: enough to find its folders, settings, day and models' keys; nothing that a client sets for its hooks, and nothing that tells Node to load more. */
const passed =
  /^(?:PATH|HOME|USER|LOGNAME|LANG|LC_[A-Z]+|TZ|TMPDIR|TEMP|TMP|SYSTEMROOT|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|USERPROFILE|XDG_[A-Z_]+|HEARTWOOD_[A-Z_]+|[A-Z0-9_]+_HOME|[A-Z0-9_]+_(?:CONFIG|STATE|DATA|WORKSPACE)_DIR|OPENCODE_DB|OPENCLAW_PROFILE|[A-Z0-9_]*(?:KEY|TOKEN))$/iu;

/** Bytes that are kept of what a child said. */
const mostSaid = 4096;
/** Milliseconds in which what a child wrote last still arrives. What it started may have its standard error for ever. */
const lastWordsMs = 250;

/** Processes of this machine that outlive this one. */
export function createNodeBackground({ dir, program }: NodeBackgroundOptions): Background {
  const spawned = async (words: readonly string[], said: "ignored" | "kept"): Promise<ChildProcess | undefined> => {
    // Late: it costs two milliseconds, and not every event starts something.
    const { spawn } = await import("node:child_process");
    try {
      const child = spawn(process.execPath, [program, ...words], {
        cwd: dir,
        env: { ...environment(), HEARTWOOD_ERROR_CODES: "1" },
        detached: true,
        stdio: ["ignore", "ignore", said === "kept" ? "pipe" : "ignore"],
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
      const child = await spawned(words, "ignored");
      child?.unref();
      return child === undefined ? "failed" : "started";
    },
    run: async (words, limitMs) => {
      const child = await spawned(words, "kept");
      return child === undefined ? { state: "failed" } : endOf(child, limitMs);
    },
  };
}

function environment(): Readonly<NodeJS.ProcessEnv> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => passed.test(name)));
}

function endOf(child: ChildProcess, limitMs: number): Promise<BackgroundRun> {
  const said = endOfWords(child);
  return new Promise((resolve) => {
    const timer = setTimeout(() => {
      child.unref();
      said.unref();
      resolve({ state: "goes on" });
    }, limitMs);
    child.once("exit", (code) => {
      clearTimeout(timer);
      const ended = (): void => {
        clearTimeout(grace);
        said.stop();
        resolve({ state: "ended", status: code ?? undefined, said: said.text() });
      };
      const grace = setTimeout(ended, lastWordsMs);
      child.once("close", ended);
    });
  });
}

/** Reads on even when no caller waits any more: a child whose output is not read would block. */
function endOfWords({ stderr }: ChildProcess): { text(): string; stop(): void; unref(): void } {
  let kept: Buffer = Buffer.alloc(0);
  let isCut = false;
  stderr?.on("error", () => undefined);
  stderr?.on("data", (bytes: Buffer) => {
    const all = Buffer.concat([kept, bytes]);
    isCut ||= all.length > mostSaid;
    kept = all.subarray(-mostSaid);
  });
  return {
    text: () => (isCut ? kept.subarray(firstWhole(kept)) : kept).toString("utf8"),
    stop: () => stderr?.destroy(),
    unref: () => {
      // A pipe to a child is a socket, which its type does not say.
      if (stderr !== null && "unref" in stderr && typeof stderr.unref === "function") stderr.unref();
    },
  };
}

/** Where the first character begins that was not cut in two: 10xxxxxx goes on with one. */
function firstWhole(bytes: Buffer): number {
  const found = bytes.findIndex((byte) => (byte & 0xc0) !== 0x80);
  return Math.max(0, found);
}
