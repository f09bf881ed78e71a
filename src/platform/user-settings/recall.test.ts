import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { parseRecall, parseSummaries } from "./models.ts";

const path = "/home/me/.config/heartwood/config.json";
const endpoint = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:4b" };
const ofSummaries = parseSummaries(path, { ...endpoint, keyEnv: "KEY" });
const read = (value: unknown) => parseRecall(path, value, ofSummaries);
const bounds = { timeoutSeconds: 5, maxRequestsPerRun: 5, maxRequestsPerDay: 20, maxTokensPerDay: 100_000 };

test("a separate model is asked once, within the time limit of recall", () => {
  const model = { ...endpoint, contextTokens: 16_384, key: undefined, retries: 0 };
  expect(read({ chooser: endpoint })).toEqual({ recall: bounds, chooser: { ...model, timeoutSeconds: 5 } });
  expect(read({ chooser: endpoint, timeoutSeconds: 30, maxRequestsPerDay: 0 })).toEqual({
    recall: { ...bounds, timeoutSeconds: 30, maxRequestsPerDay: 0 },
    chooser: { ...model, timeoutSeconds: 30 },
  });
});

test("a removed adapter is one warning, and no model chooses", () => {
  const file = { adapter: "node-llama-cpp", modelFile: "/models/small.gguf" };
  const { warnings, ...rest } = read({ chooser: file });
  expect([warnings?.map(({ code }) => code), rest]).toEqual([["adapter_removed"], {}]);
  expect(warnings?.[0]?.message).toContain("recall.chooser.adapter is node-llama-cpp");
  expect(parseRecall(path, { chooser: "summaries" }, parseSummaries(path, file))).toEqual({});
});

test("`summaries` uses the model for summaries with the time limit and attempts of recall", () => {
  expect(read({ chooser: "summaries" }).chooser).toEqual({ ...ofSummaries.model, timeoutSeconds: 5, retries: 0 });
  expect(() => parseRecall(path, { chooser: "summaries" }, {})).toThrow(/summaries has no model/u);
});

test.each([{}, { chooser: "off" }, { chooser: "off", timeoutSeconds: 9 }])("%j selects no model", (value) => {
  expect(read(value)).toEqual({});
});

test.each([
  ["recall", []],
  ["recall", "summaries"],
  ["recall.chosser", { chosser: "summaries" }],
  ["recall.chooser", { chooser: "qwen" }],
  ["recall.chooser", { chooser: true }],
  ["recall.chooser.adapter", { chooser: {} }],
  ["recall.chooser.adapter", { chooser: { adapter: "pull" } }],
  ["recall.chooser.timeoutSeconds", { chooser: { ...endpoint, timeoutSeconds: 9 } }],
  ["recall.chooser.retries", { chooser: { ...endpoint, retries: 2 } }],
  ["recall.chooser.model", { chooser: { ...endpoint, model: "two words" } }],
  ["recall.chooser.baseUrl", { chooser: { ...endpoint, baseUrl: "http://example.com/v1", keyEnv: "KEY" } }],
  ["recall.chooser.keyFile", { chooser: { ...endpoint, keyFile: "key.txt" } }],
  ["recall.timeoutSeconds", { chooser: "off", timeoutSeconds: 0 }],
  ["recall.maxTokensPerDay", { chooser: endpoint, maxTokensPerDay: -1 }],
])("a fault in %s is reported in one sentence with the key", (key, value) => {
  expect(faultOf(value)).toMatch(/^invalid_config: recall[^\n]* in your settings \/home[^\n]*: change it there\.$/u);
  expect(faultOf(value)).toContain(`invalid_config: ${key} in your settings`);
});

test("a key or password in the wrong place is not repeated", () => {
  const secret = "k9Xq2vLm8Rt4Zw7Bn1";
  for (const chooser of [
    { ...endpoint, key: secret },
    { ...endpoint, keyEnv: `sk-${secret}` },
    { ...endpoint, keyFile: secret },
    { ...endpoint, baseUrl: `https://me:${secret}@example.com/v1` },
  ])
    expect(faultOf({ chooser })).not.toContain(secret);
});

function faultOf(value: unknown): string {
  try {
    read(value);
  } catch (error) {
    if (error instanceof MemoryError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
}
