import { join } from "node:path";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";
import type { Asked } from "../stub-model.ts";

const tool = (name: string) => `mcp__${SERVER}__${name}`;

const WORDS = ["--output-format", "json"];

const isSummary = ({ text }: Asked) => text.includes("create a detailed summary of the conversation");

export const claudeCode: Driver = {
  client: "claude-code",
  callOf: (name, input) => ({ tool: tool(name), input }),
  subagent: (prompt) => ({
    tool: "Agent",
    input: { description: "look", prompt, subagent_type: "general-purpose", run_in_background: false },
  }),
  root: "from heartwood",
  price: 600,
  servers: "waited for",
  isTurn: (asked) => asked.tools.length > 0 && !isSummary(asked),
  isSummary,
  // The model is chosen only by the environment.
  useModel: () => {},
  useServer: (scratch) => {
    writeJson(join(scratch.home, ".claude.json"), {
      mcpServers: { [SERVER]: { type: "stdio", ...serverCommand(scratch) } },
    });
    writeJson(join(scratch.home, ".claude", "settings.json"), { permissions: { allow: [tool("memory_recall")] } });
  },
  command: ({ prompt, session }, url) => ({
    words: ["-p", prompt, ...WORDS, ...(session === "last" ? ["-c"] : [])],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "stub",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  }),
  compaction: { session: "new", inputTokens: 990_000, again: "at once" },
};
