import { join } from "node:path";
import { readFileSync } from "node:fs";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";

const configuration = (project: string) => join(project, "opencode.json");

export const opencode: Driver = {
  client: "opencode",
  callOf: (tool, input) => ({ tool: `${SERVER}_${tool}`, input }),
  subagent: (prompt) => ({ tool: "task", input: { description: "look", prompt, subagent_type: "general" } }),
  root: "from heartwood",
  servers: "waited for",
  isTurn: ({ tools }) => tools.length > 0,
  isSummary: ({ tools, text }) => tools.length === 0 && !text.includes("title"),
  useModel: ({ project }, url) =>
    writeJson(configuration(project), {
      model: "stub/stub",
      small_model: "stub/stub",
      share: "disabled",
      autoupdate: false,
      provider: {
        stub: {
          npm: "@ai-sdk/openai-compatible",
          options: { baseURL: `${url}/v1`, apiKey: "stub" },
          models: { stub: { tool_call: true, limit: { context: 50_000, output: 4_000 } } },
        },
      },
    }),
  useServer: (scratch) => {
    const { command, args } = serverCommand(scratch);
    const path = configuration(scratch.project);
    const there = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    writeJson(path, { ...there, mcp: { [SERVER]: { type: "local", command: [command, ...args], enabled: true } } });
  },
  command: ({ prompt, session }) => ({
    words: ["run", ...(session === "last" ? ["--continue"] : []), prompt],
    // Otherwise, when offline, it tries to get its plugin kit from npm for over a minute.
    env: { npm_config_fetch_retries: "0", OPENCODE_DISABLE_AUTOUPDATE: "1", OPENCODE_DISABLE_MODELS_FETCH: "1" },
  }),
  compaction: { session: "new", inputTokens: 60_000, again: "at once" },
};
