import { spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { clientProgram } from "../clients.ts";
import type { Scratch } from "../scratch.ts";

/** A hook as Codex lists it. */
export interface ListedHook {
  readonly key: string;
  readonly command: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** Codex's list of the hooks in the project of `scratch`. */
export async function listedHooks(scratch: Scratch): Promise<readonly ListedHook[]> {
  return withServer(scratch, (ask) => listed(scratch, ask));
}

/** Trusts every heartwood hook through Codex itself, by its hash, as `/hooks` does. */
export async function trustHooks(scratch: Scratch): Promise<void> {
  await withServer(scratch, async (ask) => {
    for (const { key, command, currentHash } of await listed(scratch, ask)) {
      if (!command.includes("heartwood")) continue;
      await ask("config/value/write", {
        keyPath: `hooks.state.${JSON.stringify(key)}`,
        value: { enabled: true, trusted_hash: currentHash },
        mergeStrategy: "replace",
      });
    }
  });
}

type Ask = (method: string, params: unknown) => Promise<unknown>;

async function listed({ project }: Scratch, ask: Ask): Promise<readonly ListedHook[]> {
  const { data } = (await ask("hooks/list", { cwds: [project] })) as {
    readonly data: readonly { readonly hooks: readonly ListedHook[] }[];
  };
  return data.flatMap(({ hooks }) => hooks);
}

/** Runs `work` with a Codex app server: JSON-RPC, one message per line. */
async function withServer<T>(scratch: Scratch, work: (ask: Ask) => Promise<T>): Promise<T> {
  const server = spawn(clientProgram("codex") ?? "", ["app-server"], {
    cwd: scratch.project,
    env: { ...scratch.env, STUB_KEY: "stub" },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (answer: { readonly result?: unknown; readonly error?: unknown }) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    const message = JSON.parse(line) as { readonly id?: number; readonly result?: unknown; readonly error?: unknown };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  const send = (message: unknown) => server.stdin.write(`${JSON.stringify(message)}\n`);
  let last = 0;
  const ask: Ask = (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last;
      const timer = setTimeout(() => reject(new Error(`Codex did not answer ${method}.`)), 30_000);
      waiting.set(id, ({ result, error }) => {
        clearTimeout(timer);
        if (error === undefined) resolve(result);
        else reject(new Error(`Codex refused ${method}: ${JSON.stringify(error)}`));
      });
      send({ id, method, params });
    });
  try {
    await ask("initialize", {
      clientInfo: { name: "a-person", version: "1" },
      capabilities: { experimentalApi: true },
    });
    send({ method: "initialized" });
    return await work(ask);
  } finally {
    server.stdin.end();
    server.kill();
  }
}

/** Starts Codex in a terminal, as a user does, and answers its question about new hooks with "Trust all and continue". */
export async function trustAtStart(scratch: Scratch): Promise<void> {
  const command = `stty rows 40 cols 120; exec '${clientProgram("codex") ?? ""}' --no-daemon`;
  const terminal = spawn("script", ["-qfec", command, "/dev/null"], {
    cwd: scratch.project,
    env: { ...scratch.env, STUB_KEY: "stub", TERM: "xterm-256color", SHELL: "/bin/sh" },
    stdio: ["pipe", "pipe", "ignore"],
    detached: true,
  });
  let shown = "";
  terminal.stdout.setEncoding("utf8").on("data", (text: string) => {
    shown += text;
    for (const [question, answer] of terminalAnswers) if (text.includes(question)) terminal.stdin.write(answer);
  });
  try {
    await seen("the question", () => shown.includes("Trust all and continue"));
    terminal.stdin.write("\u001B[B");
    await seen("the choice", () => /›\s*(?:\u001B\[[0-9;]*\w)*\s*2\./u.test(shown));
    terminal.stdin.write("\r");
    await seen("the trust in config.toml", () =>
      readFileSync(join(scratch.home, ".codex", "config.toml"), "utf8").includes("trusted_hash"),
    );
  } catch (error) {
    throw new Error(`${String(error)} Codex showed: ${JSON.stringify(shown.slice(-3000))}`, { cause: error });
  } finally {
    process.kill(-(terminal.pid ?? 0), "SIGKILL");
  }
}

/** A terminal's replies to queries about its cursor, kind, colours and keyboard. */
const terminalAnswers = [
  ["\u001B[6n", "\u001B[1;1R"],
  ["\u001B[c", "\u001B[?1;2c"],
  ["\u001B]11;?", "\u001B]11;rgb:0000/0000/0000\u001B\\"],
  ["\u001B]10;?", "\u001B]10;rgb:ffff/ffff/ffff\u001B\\"],
  ["\u001B[?u", "\u001B[?0u"],
] as const;

async function seen(what: string, isSeen: () => boolean): Promise<void> {
  for (let tries = 0; tries < 300; tries += 1) {
    if (isSeen()) return;
    await sleep(200);
  }
  throw new Error(`${what} did not come.`);
}
