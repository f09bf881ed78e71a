import { expect, test } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { parseEmbedders } from "./models.ts";

const path = "/home/me/.config/heartwood/config.json";
const read = (value: unknown) => Object.fromEntries(parseEmbedders(path, value).embedders ?? []);
const endpoint = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", model: "nomic-embed-text" };

test("each embedder has its adapter and that adapter's settings", () => {
  expect(
    read({
      ollama: { ...endpoint, keyEnv: "KEY", queryPrefix: "search_query: " },
      folder: { adapter: "transformers", modelFolder: "/models/e5", weights: "q8" },
    }),
  ).toEqual({
    ollama: {
      ...endpoint,
      key: { env: "KEY" },
      timeoutSeconds: 30,
      retries: 3,
      prefixes: { query: "search_query: ", passage: "" },
    },
    folder: { adapter: "transformers", modelFolder: "/models/e5", pooling: "mean", weights: "q8" },
  });
  expect(read({})).toEqual({});
});

test("a removed adapter is a warning, and the others still apply", () => {
  const file = { adapter: "node-llama-cpp", modelFile: "/models/e5.gguf" };
  const { embedders, warnings } = parseEmbedders(path, { file, ollama: endpoint });
  expect([...(embedders?.keys() ?? [])]).toEqual(["ollama"]);
  expect(warnings).toMatchObject([{ code: "adapter_removed", path }]);
  expect(warnings?.[0]?.message).toContain("embedders.file.adapter is node-llama-cpp");
});

test.each([
  ["", []],
  ["auto", { auto: endpoint }],
  ["two words", { "two words": endpoint }],
  ["a", { a: "openai-compatible" }],
  ["a.adapter", { a: { ...endpoint, adapter: "static" } }],
  ["a.adapter", { a: {} }],
  ["a.modle", { a: { ...endpoint, modle: "x" } }],
  ["a.modelFile", { a: { ...endpoint, modelFile: "/x.gguf" } }],
  ["a.model", { a: { ...endpoint, model: "two words" } }],
  ["a.baseUrl", { a: { ...endpoint, baseUrl: "ftp://localhost" } }],
  ["a.baseUrl", { a: { ...endpoint, baseUrl: "http://example.com/v1", keyEnv: "KEY" } }],
  ["a.keyFile", { a: { ...endpoint, keyFile: "key.txt" } }],
  ["a.keyFile", { a: { ...endpoint, keyFile: "/k", keyEnv: "K" } }],
  ["a.timeoutSeconds", { a: { ...endpoint, timeoutSeconds: 0 } }],
  ["a.queryPrefix", { a: { ...endpoint, queryPrefix: "a\nb" } }],
  ["a.modelFolder", { a: { adapter: "transformers", modelFolder: "e5" } }],
  ["a.pooling", { a: { adapter: "transformers", modelFolder: "/m", pooling: "max" } }],
])("a fault in %s is reported in one sentence with the key", (key, value) => {
  const name = key === "" ? "embedders" : `embedders.${key}`;
  expect(faultOf(value)).toMatch(/^invalid_config: embedders[^\n]* in your settings \/home[^\n]*: change it there\.$/u);
  expect(faultOf(value)).toContain(`invalid_config: ${name} in your settings`);
});

test("a key or password in the wrong place is not repeated", () => {
  const secret = "k9Xq2vLm8Rt4Zw7Bn1";
  for (const wrong of [
    secret,
    { ...endpoint, key: secret },
    { ...endpoint, keyEnv: `sk-${secret}` },
    { ...endpoint, keyFile: secret },
    { ...endpoint, baseUrl: `https://me:${secret}@example.com/v1` },
  ])
    expect(faultOf({ a: wrong })).not.toContain(secret);
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
