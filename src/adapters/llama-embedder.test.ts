import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { describeEmbedder } from "../testing/index.ts";
import { createLlamaEmbedder, type LlamaEmbedderOptions, type LlamaEmbedderPackage } from "./llama-embedder.ts";

const folder = mkdtempSync(join(tmpdir(), "heartwood-llama-embedder-"));
const modelFile = join(folder, "model.gguf");
writeFileSync(modelFile, "GGUF");
afterAll(() => rmSync(folder, { recursive: true }));

/** A stand-in for the package, by its structure. It counts characters for tokens. */
function openScene(options: Partial<LlamaEmbedderOptions> = {}) {
  const events: string[] = [];
  const lengths: number[] = [];
  const model = {
    trainContextSize: 512,
    tokenize: (text: string) => [...text],
    createEmbeddingContext: async ({ contextSize }: { readonly contextSize: number }) => ({
      getEmbeddingFor: async (tokens: readonly unknown[]) => {
        lengths.push(tokens.length);
        expect(tokens.length).toBeLessThan(contextSize);
        const codes = tokens.map((token) => String(token).codePointAt(0) ?? 0);
        return {
          vector: Array.from({ length: 12 }, (_, part) =>
            codes.reduce((sum, code) => sum + Math.sin(code * part + 1), 0),
          ),
        };
      },
      dispose: async () => void events.push("context gone"),
    }),
    dispose: async () => void events.push("model gone"),
  };
  const fake: LlamaEmbedderPackage = {
    getLlama: async () => ({
      loadModel: async () => (events.push("load"), model),
      dispose: async () => void events.push("llama gone"),
    }),
  };
  const embedder = createLlamaEmbedder({
    id: "llama-embedder-1:model.gguf",
    modelFile,
    install: "npm install node-llama-cpp@3",
    load: async () => fake,
    ...options,
  });
  return { embedder, events, lengths };
}

describeEmbedder(
  {
    name: "llama-embedder",
    create: async () => {
      const { embedder } = openScene();
      return { embedder, close: async () => embedder.close?.() };
    },
  },
  { describe, it, expect },
);

test("the model is loaded with the first text, once, and given back by close", async () => {
  const { embedder, events } = openScene();
  expect(events).toEqual([]);
  await Promise.all([embedder.embed(["one"], { purpose: "query" }), embedder.embed(["two"], { purpose: "query" })]);
  await embedder.close?.();
  expect(events).toEqual(["load", "context gone", "model gone", "llama gone"]);
});

test("a text is cut to what the model can take, with its prefix", async () => {
  const { embedder, lengths } = openScene({ prefixes: { query: "query: ", passage: "" } });
  await embedder.embed(["a", "b".repeat(10_000)], { purpose: "query" });
  expect(lengths).toEqual([8, 504]);
});

test("a missing file and a missing package are told, with the command that installs it", async () => {
  const lost = openScene({ modelFile: join(folder, "gone.gguf") }).embedder;
  await expect(lost.embed(["a"], { purpose: "query" })).rejects.toMatchObject({ code: "model_unavailable" });
  const bare = openScene({ load: () => Promise.reject(new Error("Cannot find package")) }).embedder;
  await expect(bare.embed(["a"], { purpose: "query" })).rejects.toThrow("npm install node-llama-cpp@3");
});
