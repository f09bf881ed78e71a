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

/** What the user types; `install` prints these commands. */
async function typed(scratch: Scratch, ...commands: readonly (readonly string[])[]): Promise<void> {
  for (const words of commands) {
    const ran = await runClient(scratch, [clientProgram("openclaw") ?? "", ...words], {});
    if (ran.status !== 0) throw new Error(`openclaw ${words.join(" ")} ended with ${ran.status}: ${ran.err}${ran.out}`);
  }
}

export const openclaw: Driver = {
  client: "openclaw",
  // The tools of servers are not in its requests; the model calls them by id.
  callOf: (tool, args) => ({ tool: "tool_call", input: { id: `${SERVER}__${tool}`, args } }),
  root: "from the client",
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
      update: { checkOnStart: false },
    });
  },
  useServer: (scratch) => {
    const path = configuration(scratch.home);
    const there = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    writeJson(path, { ...there, mcp: { servers: { [SERVER]: serverCommand(scratch) } } });
  },
  trust: (scratch) =>
    typed(
      scratch,
      ["plugins", "install", "--link", pluginIn(scratch), "--force", "--accept-capabilities"],
      ["plugins", "enable", "heartwood"],
      ["config", "set", "plugins.entries.heartwood.hooks.allowConversationAccess", "true"],
    ),
  farewell: (scratch) => typed(scratch, ["plugins", "uninstall", "heartwood", "--force"]),
  command: ({ prompt, session }) => {
    if (session !== "last") sessions += 1;
    const key = `agent:main:chat${sessions}`;
    return { words: ["agent", "--local", "--agent", "main", "--session-key", key, "--message", prompt], env: {} };
  },
  compaction: { session: "last", inputTokens: 127_000, again: "in the same process" },
};

function pluginIn({ home }: Scratch): string {
  return join(home, ".local", "state", "heartwood", "openclaw");
}
