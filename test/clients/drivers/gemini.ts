import { readFileSync } from "node:fs";
import { join } from "node:path";
import { SERVER, serverCommand, writeJson } from "../driver.ts";
import type { Driver } from "../driver.ts";

const settings = (home: string) => join(home, ".gemini", "settings.json");

const WORDS = ["--model", "gemini-2.5-flash"];

export const gemini: Driver = {
  client: "gemini",
  callOf: (tool, input) => ({ tool: `mcp_${SERVER}_${tool}`, input }),
  root: "from heartwood",
  servers: "waited for",
  isTurn: ({ tools }) => tools.length > 0,
  isSummary: ({ text }) => text.includes("state_snapshot"),
  useModel: ({ home, project }) => {
    writeJson(settings(home), {
      security: { auth: { selectedType: "gemini-api-key" } },
      general: { enableAutoUpdate: false, enableAutoUpdateNotification: false },
      privacy: { usageStatisticsEnabled: false },
      telemetry: { enabled: false },
    });
    // What the answer to its question about the folder writes.
    writeJson(join(home, ".gemini", "trustedFolders.json"), { [project]: "TRUST_FOLDER" });
  },
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
      GEMINI_TELEMETRY_ENABLED: "false",
    },
  }),
  // It compresses only text before the last prompt. No event follows; the hook of the next prompt reads the transcript.
  compaction: { session: "last", inputTokens: 900_000, again: "with the next prompt" },
};
