import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { bin } from "./served.ts";

export interface Answer {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
  readonly result?: Readonly<Record<string, unknown>>;
}

/** The built server as a process, with raw frames, so that a test client can behave in any way. */
export interface RawServer {
  readonly pid: number;
  /** Everything it wrote. A line that is not JSON-RPC throws immediately. */
  readonly said: readonly Answer[];
  readonly ended: Promise<{ readonly code: number | null }>;
  errors(): string;
  send(...frames: readonly object[]): void;
  ask(method: string, params?: object): Promise<Answer>;
  call(name: string, args?: object, meta?: object): Promise<Answer>;
  /** The id of the last request. */
  lastId(): number;
  /** The client closes the server's input. */
  hangUp(): void;
  /** The client is gone and reads no more. */
  leave(): void;
  signal(name: "SIGTERM" | "SIGINT" | "SIGKILL"): void;
}

export function folderWith(files: Readonly<Record<string, string>>): string {
  const dir = mkdtempSync(join(tmpdir(), "heartwood-raw-"));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(dir, path)), { recursive: true });
    writeFileSync(join(dir, path), text);
  }
  return dir;
}

const initialize = {
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-11-25", capabilities: {}, clientInfo: { name: "raw", version: "1" } },
};

export async function startRaw(
  dir: string,
  how: {
    readonly args?: readonly string[];
    readonly reads?: "all" | "nothing";
    readonly trust?: "given" | "none";
    /** Instead of `--dir`, so the server searches for the memory. */
    readonly env?: Readonly<Record<string, string>>;
    /** Instead of the built program with options, the command that a client was told. */
    readonly command?: readonly [string, ...string[]];
  } = {},
): Promise<RawServer> {
  const args = [
    bin,
    "mcp",
    ...(how.env === undefined ? ["--dir", dir] : []),
    "--time-zone",
    "UTC",
    ...(how.trust === "none" ? [] : ["--trust"]),
    ...(how.args ?? []),
  ];
  const [command, ...words] = how.command ?? [process.execPath, ...args];
  const child = spawn(command, words, {
    cwd: dir,
    env: { PATH: process.env["PATH"], HOME: dir, TZ: "UTC", ...how.env },
  });
  const said: Answer[] = [];
  const waiting = new Map<number, (answer: Answer) => void>();
  let [rest, errors, id] = ["", "", 0];
  const take = (line: string): void => {
    const answer = JSON.parse(line) as Answer & { readonly jsonrpc?: string };
    if (answer.jsonrpc !== "2.0") throw new Error(`not of the protocol: ${line.slice(0, 200)}`);
    said.push(answer);
    if (answer.id !== undefined) waiting.get(answer.id)?.(answer);
  };
  child.stderr.on("data", (bytes: Buffer) => (errors += bytes.toString("utf8")));
  child.stdin.on("error", () => undefined);
  if (how.reads !== "nothing")
    child.stdout.on("data", (bytes: Buffer) => {
      const lines = (rest + bytes.toString("utf8")).split("\n");
      rest = lines.pop() ?? "";
      lines.forEach(take);
    });
  const send = (...frames: readonly object[]): void =>
    void child.stdin.write(frames.map((frame) => `${JSON.stringify({ jsonrpc: "2.0", ...frame })}\n`).join(""));
  const ask = (method: string, params: object = {}): Promise<Answer> =>
    new Promise((resolve) => {
      id += 1;
      waiting.set(id, resolve);
      send({ id, method, params });
    });
  const ended = new Promise<{ readonly code: number | null }>((resolve) =>
    child.once("exit", (code) => resolve({ code })),
  );
  send(initialize, { method: "notifications/initialized" });
  if (how.reads !== "nothing") await ask("ping");
  return {
    pid: child.pid ?? 0,
    said,
    ended,
    errors: () => errors,
    send,
    ask,
    call: (name, given = {}, meta) =>
      ask("tools/call", { name, arguments: given, ...(meta === undefined ? {} : { _meta: meta }) }),
    lastId: () => id,
    hangUp: () => {
      child.stdin.end();
    },
    leave: () => {
      child.stdout.destroy();
    },
    signal: (name) => {
      child.kill(name);
    },
  };
}

export function textOf({ result, error }: Answer): string {
  const parts = (result?.["content"] ?? result?.["contents"] ?? []) as readonly { readonly text?: string }[];
  return error === undefined ? parts.map(({ text }) => text ?? "").join("") : error.message;
}
