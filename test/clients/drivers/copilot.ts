import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { clientsFolder } from "../clients.ts";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";
import type { Asked } from "../stub-model.ts";

const isSummary = ({ text }: Asked) => text.includes("Please create a detailed summary of the conversation so far");

/** It unpacks 235 MB of itself, once for all homes. */
function unpacked(): string {
  const folder = join(clientsFolder(), "copilot-cache");
  mkdirSync(folder, { recursive: true });
  return folder;
}

export const copilot: Driver = {
  client: "copilot",
  callOf: (tool, input) => ({ tool: `${SERVER}-${tool}`, input }),
  subagent: (prompt) => ({
    tool: "task",
    input: { agent_type: "general-purpose", name: "look", description: "look", prompt, mode: "sync" },
  }),
  root: "from heartwood",
  price: 700,
  servers: "waited for",
  isTurn: (asked) => asked.tools.length > 0 && !isSummary(asked),
  isSummary,
  // The model is chosen only by the environment. The folder is one that its question was answered for.
  useModel: ({ home, project }) => writeJson(join(home, ".copilot", "config.json"), { trustedFolders: [project] }),
  useServer: (scratch) =>
    writeJson(join(scratch.home, ".copilot", "mcp-config.json"), {
      mcpServers: { [SERVER]: { type: "local", ...serverCommand(scratch), tools: ["*"] } },
    }),
  command: ({ prompt, session }, url) => ({
    words: ["-p", prompt, ...(session === "last" ? ["--continue"] : [])],
    env: {
      COPILOT_OFFLINE: "true",
      COPILOT_CACHE_HOME: unpacked(),
      COPILOT_PROVIDER_BASE_URL: `${url}/v1`,
      COPILOT_PROVIDER_API_KEY: "stub",
      COPILOT_MODEL: "gpt-5",
    },
  }),
  // It counts the tokens itself, from the words.
  compaction: {
    session: "last",
    inputTokens: 26_000,
    large: { tool: "bash", input: { command: "seq 1 3000", description: "count" } },
    more: {
      words: [],
      env: { COPILOT_PROVIDER_MAX_PROMPT_TOKENS: "30000", COPILOT_PROVIDER_MAX_OUTPUT_TOKENS: "2000" },
    },
    again: "with the next prompt",
  },
};
