import { join } from "node:path";
import { SERVER, serverCommand, writeText } from "../driver.ts";
import { trustHooks } from "./codex-trust.ts";
import type { Driver } from "../driver.ts";
import { appendFileSync } from "node:fs";

export const codex: Driver = {
  client: "codex",
  callOf: (tool, input) => ({ tool: `mcp__${SERVER}/${tool}`, input }),
  subagent: (message) => ({ tool: "multi_agent_v1/spawn_agent", input: { message, agent_type: "default" } }),
  waitForSubagent: (result) => ({
    tool: "multi_agent_v1/wait_agent",
    input: { targets: [/"agent_id":\s*"([^"]+)/u.exec(result)?.[1]], timeout_ms: 60_000 },
  }),
  root: "from heartwood",
  price: 690,
  servers: "waited for a second",
  isTurn: ({ tools, text }) => tools.length > 0 && !text.includes("CONTEXT CHECKPOINT COMPACTION"),
  isSummary: ({ text }) => text.includes("CONTEXT CHECKPOINT COMPACTION"),
  useModel: ({ home, project }, url) =>
    writeText(
      join(home, ".codex", "config.toml"),
      [
        "# written by hand",
        'model = "gpt-5"',
        'model_provider = "stub"',
        "model_context_window = 50000",
        "model_auto_compact_token_limit = 20000",
        "",
        "[model_providers.stub]",
        'name = "Stub"',
        `base_url = "${url}/v1"`,
        'wire_api = "responses"',
        'env_key = "STUB_KEY"',
        "request_max_retries = 0",
        "stream_max_retries = 0",
        "",
        `[projects.${JSON.stringify(project)}]`,
        'trust_level = "trusted"',
        "",
      ].join("\n"),
    ),
  useServer: (scratch) => {
    const { command, args } = serverCommand(scratch);
    appendFileSync(
      join(scratch.home, ".codex", "config.toml"),
      [
        "",
        `[mcp_servers.${SERVER}]`,
        `command = ${JSON.stringify(command)}`,
        `args = ${JSON.stringify(args)}`,
        "",
      ].join("\n"),
    );
  },
  trust: trustHooks,
  command: ({ prompt, session }) => ({
    words: ["exec", ...(session === "last" ? ["resume", "--last"] : []), "--skip-git-repo-check", prompt],
    env: { STUB_KEY: "stub" },
  }),
  compaction: { session: "new", inputTokens: 40_000, again: "at once" },
};
