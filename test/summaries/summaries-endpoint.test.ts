import { afterAll, expect, it } from "vitest";
import { createOpenAiCompatible } from "../../src/summaries/models/openai-compatible.ts";
import type { NamedSummarizer } from "../../src/summaries/memory.ts";
import { readLedger } from "../../src/summaries/run/status.ts";
import { runSummaries } from "../../src/summaries/run/run.ts";
import { defaultSettings } from "../../src/summaries/run/budget.ts";
import { answerWell, longDay } from "../fixtures/long-days.ts";
import { openTestMemory } from "../fixtures/memory.ts";
import { openModelServer, type RecordedRequest } from "../fixtures/model-server.ts";
import { answersIn, snapshot } from "../fixtures/summaries-scene.ts";

/** From raw logs through the real adapter to an endpoint. Every byte it receives is searched for text that must not be sent. */
const key = "key-of-the-endpoint-4711";
const secrets = ["sk-proj-Zx81kQpLm44RtYw0Hs7vBn3cDfGj6KlMnOpQrStUv", "ghp_abcdEFGHijklMNOPqrstUVWXyz0123456789"];
const files = {
  "memory/2026-03-13.md": longDay("2026-03-13", { more: `- token ${secrets[1]}\n` }),
  "memory/2026-03-14.md": longDay("2026-03-14", {
    more: `- key ${secrets[0]}\n\n\`\`\`sh\nexport FENCED_PART=1\n\`\`\`\n`,
  }),
  "memory/agents/compaction/AGENT.md": `use ${secrets[0]}\n`,
};

const servers: { close(): Promise<void> }[] = [];
afterAll(async () => {
  for (const server of servers) await server.close();
});

function answer(request: RecordedRequest): string {
  return answerWell({ instructions: request.body?.messages[0]?.content ?? "" });
}

it("retries a busy endpoint, and sends it no secrets and no code", async () => {
  const server = await openModelServer({ status: 503, headers: { "retry-after": "0" } }, answer);
  servers.push(server);
  const id = "openai-compatible-1:qwen3:4b";
  const options = {
    id,
    model: "qwen3:4b",
    baseUrl: server.baseUrl,
    contextTokens: 16_384,
    timeoutMs: 5_000,
    retries: 3,
    key: async () => key,
  };
  const summarizer: NamedSummarizer = {
    id,
    contextTokens: 16_384,
    open: async () => createOpenAiCompatible(options),
  };
  const summaries = { ...defaultSettings, adapter: "openai-compatible" } as const;
  const test = openTestMemory({ files, with: { summarizer, user: { qmd: "off", summaries } } });
  const first = await runSummaries(test.memory, {});
  expect(first.requests).toMatchObject([{ outcome: "accepted", requests: 2, model: id }]);
  const second = await runSummaries(test.memory, {});
  expect(second.requests.map(({ kind, outcome }) => `${kind} ${outcome}`)).toEqual(["daily accepted", "root accepted"]);
  expect((await runSummaries(test.memory, {})).requests).toEqual([]);
  expect(server.requests).toHaveLength(4);
  expect((await readLedger(test.memory, {})).spent.requests).toBe(4);
  for (const { text } of server.requests)
    for (const part of [...secrets.map((secret) => secret.slice(8)), "FENCED_PART"]) expect(text).not.toContain(part);
  expect(answersIn(test)).toHaveLength(3);
  const kept = JSON.stringify([first, second, [...snapshot(test)].filter(([path]) => path.startsWith(".heartwood/"))]);
  for (const part of [...secrets.map((secret) => secret.slice(8)), key]) expect(kept).not.toContain(part);
});
