import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { clientProgram } from "../clients.ts";
import type { Scratch } from "../scratch.ts";

/** A hook as Codex lists it. */
export interface ListedHook {
  readonly key: string;
  readonly command: string;
  readonly currentHash: string;
  readonly trustStatus: string;
}

/** What Codex knows of the hooks in the project of `scratch`. */
export async function listedHooks(scratch: Scratch): Promise<readonly ListedHook[]> {
  return withServer(scratch, (ask) => listed(scratch, ask));
}

/** Trusts every hook of heartwood, as `/hooks` in Codex does it: by its hash, through Codex itself. */
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

/** Does `work` with an app server of Codex: JSON-RPC, one message a line. */
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
