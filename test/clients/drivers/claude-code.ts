import { join } from "node:path";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";
import type { Asked } from "../stub-model.ts";

const tool = (name: string) => `mcp__${SERVER}__${name}`;

// As root it refuses to run without asking: what it may do is named.
const WORDS = ["--output-format", "json", "--allowedTools", tool("memory_recall")];

const isSummary = ({ text }: Asked) => text.includes("create a detailed summary of the conversation");

export const claudeCode: Driver = {
  client: "claude-code",
  toolName: tool,
  servers: "waited for",
  isTurn: (asked) => asked.tools.length > 0 && !isSummary(asked),
  isSummary,
  // The model is chosen by the environment alone.
  useModel: () => {},
  useServer: (scratch) =>
    writeJson(join(scratch.home, ".claude.json"), {
      mcpServers: { [SERVER]: { type: "stdio", ...serverCommand(scratch) } },
    }),
  command: ({ prompt, session }, url) => ({
    words: ["-p", prompt, ...WORDS, ...(session === "last" ? ["-c"] : [])],
    env: {
      ANTHROPIC_BASE_URL: url,
      ANTHROPIC_API_KEY: "stub",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    },
  }),
  compaction: { session: "new", inputTokens: 990_000, working: "at once" },
};
