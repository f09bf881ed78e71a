import { createHash } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, test } from "vitest";
import { describeEmbedder } from "../../../src/testing/index.ts";
import type { Embedder } from "../../../src/recall/index/search-index.ts";
import { createEmbedder, dimensions, id } from "../src/index.ts";
import { kernelSource } from "../src/kernel.ts";
import { createTokenizer } from "../src/tokenizer.ts";

/** Tokens and vectors of the float model (transformers and numpy), times 10,000 as int16, and digests of our own vectors. */
interface Recorded {
  readonly tokens: Readonly<Record<string, { readonly text: string; readonly ids: readonly number[] }>>;
  readonly sentences: readonly { readonly text: string; readonly reference: string; readonly digest: string }[];
}

const here = join(fileURLToPath(import.meta.url), "..", "..");
const recorded = JSON.parse(readFileSync(join(here, "test", "recorded.json"), "utf8")) as Recorded;
const isAbsent = !existsSync(join(here, "model", "minilm.bin"));
if (isAbsent)
  console.warn(
    "SKIPPED: the weights of heartwood-embedder-minilm have not been made (npm run model -w heartwood-embedder-minilm).",
  );

test("the kernel was compiled from its source as it is", () => {
  const source = readFileSync(join(here, "kernel", "encoder.ts"));
  expect(createHash("sha256").update(source).digest("hex")).toBe(kernelSource);
});

test("the id in package.json, which heartwood reads without loading the package, is that of the weights", () => {
  const { heartwood } = JSON.parse(readFileSync(join(here, "package.json"), "utf8")) as { heartwood: object };
  expect(heartwood).toEqual({ embedder: id });
  expect(readFileSync(join(here, "tools", "model.mjs"), "utf8")).toContain(`"minilm.bin": "${id.split(":")[1]}`);
});

describe.skipIf(isAbsent)("with its weights", () => {
  describeEmbedder(
    {
      name: "MiniLM",
      create: async () => {
        const embedder: Embedder = createEmbedder();
        return { embedder, close: async () => embedder.close?.() };
      },
    },
    { describe, it, expect },
  );

  const tokenize = isAbsent ? () => [] : createTokenizer(readFileSync(join(here, "model", "vocabulary.bin")));
  test.each(Object.entries(recorded.tokens))("the tokens of %s are those of BERT", (_, { text, ids }) => {
    expect(tokenize(text, 256)).toEqual(ids);
  });

  test("the first 254 pieces of a text are read, with a mark at both ends", async () => {
    const words = "the memory of an agent ".repeat(80);
    expect(tokenize(words, 256)).toHaveLength(256);
    const embedder = createEmbedder();
    const [long, longer] = await embedder.embed([words, words + words]);
    expect(long).toEqual(longer);
    await embedder.close();
  });

  test("vectors are as those of the float model, and the same bytes on every machine, with one thread or two", async () => {
    const texts = recorded.sentences.map(({ text }) => text);
    const embedder = createEmbedder();
    const vectors = await embedder.embed(texts);
    for (const [at, { text, reference, digest }] of recorded.sentences.entries()) {
      const vector = vectors[at] ?? new Int8Array();
      const bytes = Buffer.from(reference, "base64");
      const wanted = Array.from({ length: dimensions }, (__, index) => bytes.readInt16LE(2 * index));
      expect(cosine(vector, wanted), text).toBeGreaterThan(0.99);
      expect(createHash("sha256").update(vector).digest("hex").slice(0, 16), text).toBe(digest);
    }
    await embedder.close();
    const shared = createEmbedder({ threads: 2 });
    const all = await shared.embed([...texts, ...texts, ...texts]);
    expect(all).toEqual([...vectors, ...vectors, ...vectors]);
    await shared.close();
  });

  test("an aborted call with two threads ends as one with none does", async () => {
    const [stop, embedder] = [new AbortController(), createEmbedder({ threads: 2 })];
    const texts = Array.from({ length: 64 }, (_, at) => `The budget of team ${at}.`);
    const waiting = embedder.embed(texts, { signal: stop.signal });
    stop.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    expect(await embedder.embed(["Friday."])).toHaveLength(1);
    await embedder.close();
  });
});

function cosine(one: ArrayLike<number>, other: ArrayLike<number>): number {
  const dot = (a: ArrayLike<number>, b: ArrayLike<number>): number =>
    Array.from(a).reduce((sum, part, at) => sum + part * (b[at] ?? 0), 0);
  return dot(one, other) / Math.sqrt(dot(one, one) * dot(other, other));
}
