import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";

const settings = (home: string) => join(home, ".gemini", "settings.json");

// Headless, it leaves out tools that need confirmation.
const WORDS = ["--model", "gemini-2.5-flash", "--approval-mode", "yolo"];

export const gemini: Driver = {
  client: "gemini",
  toolName: (tool) => `mcp_${SERVER}_${tool}`,
  servers: "waited for",
  isTurn: ({ tools }) => tools.length > 0,
  isSummary: ({ text }) => text.includes("state_snapshot"),
  useModel: ({ home }) =>
    writeJson(settings(home), {
      security: { auth: { selectedType: "gemini-api-key" }, folderTrust: { enabled: false } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    }),
  useServer: (scratch) => {
    const path = settings(scratch.home);
    const there = JSON.parse(readFileSync(path, "utf8")) as Readonly<Record<string, unknown>>;
    writeJson(path, { ...there, mcpServers: { [SERVER]: { ...serverCommand(scratch), trust: true } } });
  },
  command: ({ prompt, session }, url) => ({
    words: [...(session === "last" ? ["--resume", "latest"] : []), "-p", prompt, ...WORDS],
    env: {
      GOOGLE_GEMINI_BASE_URL: url,
      GEMINI_API_KEY: "stub",
      GEMINI_CLI_TRUST_WORKSPACE: "true",
      GEMINI_TELEMETRY_ENABLED: "false",
    },
  }),
  // It compresses only text before the last prompt. No event follows, so the memory is injected again only when a session is resumed.
  compaction: { session: "last", inputTokens: 900_000 },
};
