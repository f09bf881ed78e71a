import { spawn } from "node:child_process";
import type { ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { clientProgram } from "../clients.ts";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";
import { runClient } from "../scratch.ts";
import type { Scratch } from "../scratch.ts";
import type { Asked } from "../stub-model.ts";

const configuration = (home: string) => join(home, ".openclaw", "openclaw.json");

const isSummary = ({ text }: Asked) => text.includes("You are a context summarization assistant");

/** Each new session of a user has its own key. */
let sessions = 0;
const key = () => `agent:main:chat${sessions}`;

/** The gateway, while it runs. It reads plugins and servers only when it starts. */
let gateway: ChildProcess | undefined;

async function start(scratch: Scratch): Promise<void> {
  if (gateway !== undefined) return;
  const started = spawn(program(), ["gateway", "run"], {
    cwd: scratch.project,
    env: scratch.env,
    stdio: ["ignore", "pipe", "pipe"],
    detached: true,
  });
  gateway = started;
  let said = "";
  await new Promise<void>((resolve, reject) => {
    const hear = (chunk: Buffer) => {
      said += chunk.toString("utf8");
      if (said.includes("[gateway] ready")) resolve();
    };
    started.stdout.on("data", hear);
    started.stderr.on("data", hear);
    started.on("error", reject);
    started.on("close", (status) => reject(new Error(`openclaw gateway run ended with ${status}: ${said}`)));
  });
}

async function stop(): Promise<void> {
  const running = gateway;
  gateway = undefined;
  if (running?.exitCode !== null || running.signalCode !== null) return;
  const ended = new Promise((resolve) => running.on("close", resolve));
  running.kill("SIGTERM");
  await ended;
}

function program(): string {
  return clientProgram("openclaw") ?? "";
}

/** What a user types; `install` and `uninstall` print these commands. */
async function typed(scratch: Scratch, ...commands: readonly (readonly string[])[]): Promise<void> {
  for (const words of commands) {
    const ran = await runClient(scratch, [program(), ...words], {});
    if (ran.status !== 0) throw new Error(`openclaw ${words.join(" ")} ended with ${ran.status}: ${ran.err}${ran.out}`);
  }
}

export const openclaw: Driver = {
  client: "openclaw",
  // The tools of servers are not in its requests; the model calls them by id.
  callOf: (tool, args) => ({ tool: "tool_call", input: { id: `${SERVER}__${tool}`, args } }),
  root: "from the client",
  passages: "for one turn",
  servers: "waited for",
  isTurn: (asked) => asked.tools.length > 0 && !isSummary(asked),
  isSummary,
  useModel: ({ home }, url) => {
    const model = { id: "gpt-5.4", name: "Stub", reasoning: false, input: ["text"], contextWindow: 128_000 };
    const cost = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    // With this provider, its requests are append-only.
    const openai = { baseUrl: `${url}/v1`, apiKey: "stub", api: "openai-responses" };
    writeJson(configuration(home), {
      agents: {
        defaults: { model: { primary: "openai/gpt-5.4" }, skipBootstrap: true, compaction: { mode: "default" } },
      },
      models: { mode: "merge", providers: { openai: { ...openai, models: [{ ...model, cost, maxTokens: 4096 }] } } },
      gateway: { mode: "local", bind: "loopback", port: 18_790, auth: { mode: "token", token: "stub" } },
      update: { checkOnStart: false },
    });
  },
  useServer: async (scratch) => {
    await stop();
    const path = configuration(scratch.home);
    const there = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    writeJson(path, { ...there, mcp: { servers: { [SERVER]: serverCommand(scratch) } } });
  },
  start,
  stop,
  trust: async (scratch) => {
    await stop();
    await typed(
      scratch,
      ["plugins", "install", "--link", pluginIn(scratch), "--force", "--accept-capabilities"],
      ["plugins", "enable", "heartwood"],
      ["config", "set", "plugins.entries.heartwood.hooks.allowConversationAccess", "true"],
    );
  },
  farewell: async (scratch) => {
    await stop();
    await typed(scratch, ["plugins", "uninstall", "heartwood", "--force"]);
  },
  command: ({ prompt, session }) => {
    if (session !== "last") sessions += 1;
    return { words: ["agent", "--agent", "main", "--session-key", key(), "--message", prompt], env: {} };
  },
  compaction: {
    session: "last",
    inputTokens: 1000,
    typed: (scratch) => typed(scratch, ["sessions", "compact", key()]),
    again: "with the next prompt",
  },
};

function pluginIn({ home }: Scratch): string {
  return join(home, ".local", "state", "heartwood", "openclaw");
}
