import { expect, test } from "vitest";
import { createStaticEmbedder } from "./adapters/static-embedder.ts";
import { parseEmbedders } from "./adapters/user-settings/embedders.ts";
import { nameEmbedders } from "./open-embedders.ts";

const tableFile = new URL("../assets/minilm-256.bin", import.meta.url).pathname;

test("the id of the built-in embedder is known from the head of its table, and is that of its vectors", async () => {
  const { embedder, close } = nameEmbedders(tableFile);
  expect(embedder.id).toMatch(/^static-1:[0-9a-f]{16}$/u);
  const opened = await embedder.open();
  expect(await embedder.open()).toBe(opened);
  expect([opened.id, createStaticEmbedder({ tableFile }).id]).toEqual([embedder.id, embedder.id]);
  expect((await opened.embed(["a garden"], { purpose: "query" }))[0]?.length).toBe(256);
  await close();
});

test("ids of others are one word, tell the model, and change with what changes the vectors", async () => {
  const endpoint = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", model: "m" };
  const folder = { adapter: "transformers", modelFolder: "/models/é 5/" };
  const settings = parseEmbedders("config.json", {
    one: endpoint,
    same: { ...endpoint, timeoutSeconds: 1 },
    prefixed: { ...endpoint, queryPrefix: "query: " },
    file: { adapter: "node-llama-cpp", modelFile: "/models/e5.gguf" },
    folder,
    cls: { ...folder, pooling: "cls" },
  });
  const { embedders } = nameEmbedders(tableFile, settings);
  const idOf = (name: string): string => embedders.get(name)?.id ?? "";
  expect(idOf("one")).toMatch(/^openai-compatible-1:m:[0-9a-f]{16}$/u);
  expect(idOf("file")).toMatch(/^node-llama-cpp-3:e5\.gguf:/u);
  expect(idOf("folder")).toMatch(/^transformers-3:__5:/u);
  expect(idOf("same")).toBe(idOf("one"));
  expect(new Set([...embedders.values()].map(({ id }) => id)).size).toBe(5);
  for (const [name, { open, pace }] of embedders) {
    expect(pace).toBe("slow");
    expect((await open()).id).toBe(idOf(name));
  }
});
