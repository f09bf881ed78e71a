import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { describeEmbedder } from "../../testing/index.ts";
import {
  createTransformersEmbedder,
  type TransformersEmbedderOptions,
  type TransformersPackage,
} from "./transformers-embedder.ts";

const modelFolder = mkdtempSync(join(tmpdir(), "heartwood-transformers-"));
writeFileSync(join(modelFolder, "config.json"), "{}");
afterAll(() => rmSync(modelFolder, { recursive: true }));

/** A stand-in for the package, with the same structure. */
function openScene(options: Partial<TransformersEmbedderOptions> = {}) {
  const asked: string[][] = [];
  const events: unknown[] = [];
  const env = { localModelPath: "/where/others/have/theirs/" };
  const extract = async (texts: readonly string[], given: object) => {
    asked.push([...texts]);
    events.push(given);
    const rows = texts.map((text) => {
      const codes = Array.from(text.slice(0, 200), (char) => char.codePointAt(0) ?? 0);
      return Array.from({ length: 12 }, (_, part) => codes.reduce((sum, code) => sum + Math.sin(code * part + 1), 0));
    });
    return { tolist: () => rows };
  };
  const fake: TransformersPackage = {
    env,
    pipeline: async (task, model, only) => {
      events.push([task, model, only, env.localModelPath]);
      return Object.assign(extract, { dispose: async () => void events.push("gone") });
    },
  };
  const embedder = createTransformersEmbedder({
    id: "transformers-embedder-1:model",
    modelFolder,
    pooling: "mean",
    weights: "fp32",
    install: "npm install @huggingface/transformers@3",
    load: async () => fake,
    ...options,
  });
  return { embedder, asked, events, env };
}

describeEmbedder(
  {
    name: "transformers-embedder",
    create: async () => {
      const { embedder } = openScene();
      return { embedder, close: async () => embedder.close?.() };
    },
  },
  { describe, it, expect },
);

test("looks for the model only in the folder, and restores the package's settings", async () => {
  const { embedder, events, env } = openScene({ weights: "q8", pooling: "cls" });
  await embedder.embed(["one"], { purpose: "query" });
  await embedder.close?.();
  expect(events).toEqual([
    [
      "feature-extraction",
      basename(modelFolder),
      { local_files_only: true, device: "cpu", dtype: "q8" },
      `${dirname(modelFolder)}/`,
    ],
    { pooling: "cls", normalize: true },
    "gone",
  ]);
  expect(env.localModelPath).toBe("/where/others/have/theirs/");
});

test("embeds 16 texts at a time, each with the prefix for the purpose", async () => {
  const { embedder, asked } = openScene({ prefixes: { query: "", passage: "passage: " } });
  await embedder.embed(Array<string>(17).fill("x"), { purpose: "passage" });
  expect(asked.map(({ length }) => length)).toEqual([16, 1]);
  expect(asked[1]).toEqual(["passage: x"]);
});

test("reports a missing folder, a missing package and a failing model", async () => {
  const of = (options: Partial<TransformersEmbedderOptions>) =>
    openScene(options).embedder.embed(["a"], { purpose: "query" });
  await expect(of({ modelFolder: join(modelFolder, "gone") })).rejects.toThrow("No model in");
  await expect(of({ load: () => Promise.reject(new Error("no such package")) })).rejects.toThrow(
    "npm install @huggingface/transformers@3",
  );
  const broken: TransformersPackage = {
    env: { localModelPath: "" },
    pipeline: () => Promise.reject(new Error("no file onnx/model.onnx")),
  };
  await expect(of({ load: async () => broken })).rejects.toMatchObject({ code: "model_unavailable" });
});
