import { expect, test } from "vitest";
import { parseEmbedders } from "./platform/user-settings/models.ts";
import { nameEmbedders } from "./open-models.ts";

test("an embedder id is one word, contains the model and changes with every setting that changes the vectors", async () => {
  const endpoint = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:1/v1", model: "m" };
  const folder = { adapter: "transformers", modelFolder: "/models/é 5/" };
  const { embedders: settings } = parseEmbedders("config.json", {
    one: endpoint,
    same: { ...endpoint, timeoutSeconds: 1 },
    prefixed: { ...endpoint, queryPrefix: "query: " },
    folder,
    cls: { ...folder, pooling: "cls" },
  });
  const { embedders } = nameEmbedders(settings);
  const idOf = (name: string): string => embedders.get(name)?.id ?? "";
  expect(idOf("one")).toMatch(/^openai-compatible-1:m:[0-9a-f]{16}$/u);
  expect(idOf("folder")).toMatch(/^transformers-3:__5:/u);
  expect(idOf("same")).toBe(idOf("one"));
  expect(new Set([...embedders.values()].map(({ id }) => id)).size).toBe(4);
  for (const [name, { open, pace }] of embedders) {
    expect(pace).toBe("slow");
    expect((await open()).id).toBe(idOf(name));
  }
});
