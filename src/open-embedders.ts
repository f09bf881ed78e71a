import { installCommand } from "./adapters/program-facts.ts";
import type { EmbedderSettings } from "./adapters/user-settings/embedders.ts";
import { sha256, shortDigest } from "./base/digest.ts";
import type { NamedEmbedder } from "./engine/memory.ts";
import { importPeer } from "./import-peer.ts";
import { keyReader } from "./key-reader.ts";
import type { Embedder } from "./ports/embedder.ts";

/** The embedders of a memory, none of them opened. */
export interface NamedEmbedders {
  /** Those of the person's settings, by name. */
  readonly embedders: ReadonlyMap<string, NamedEmbedder>;
  /** Closes those that were opened; they can be opened again. */
  close(): Promise<void>;
}

export function nameEmbedders(settings: ReadonlyMap<string, EmbedderSettings> = new Map()): NamedEmbedders {
  const opened = new Map<string, Promise<Embedder>>();
  const once = (name: string, open: () => Promise<Embedder>) => (): Promise<Embedder> => {
    const known = opened.get(name) ?? open();
    opened.set(name, known);
    return known;
  };
  const named = [...settings].map(([name, one]): [string, NamedEmbedder] => {
    return [name, { id: idOf(one), pace: "slow", open: once(name, () => openEmbedder(one)) }];
  });
  return {
    embedders: new Map(named),
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      for (const one of all) await (await one.catch(() => undefined))?.close?.();
    },
  };
}

/** Known without loading anything. What else makes the vectors other ones stands in it as a digest. */
function idOf(one: EmbedderSettings): string {
  const { prefixes } = one;
  if (one.adapter === "openai-compatible") return `openai-compatible-1:${one.model}${mark([prefixes])}`;
  if (one.adapter === "node-llama-cpp") return `node-llama-cpp-3:${fileName(one.modelFile)}${mark([prefixes])}`;
  return `transformers-3:${fileName(one.modelFolder)}${mark([prefixes, one.pooling, one.weights])}`;
}

function mark(parts: readonly unknown[]): string {
  return `:${shortDigest(sha256(JSON.stringify(parts.map((part) => part ?? null))))}`;
}

/** The last part of a path as one word of printable ASCII. */
function fileName(path: string): string {
  const name = path.split(/[\\/]/u).findLast((part) => part !== "") ?? "";
  return name.replaceAll(/[^!-~]/gu, "_").slice(-128);
}

async function openEmbedder(one: EmbedderSettings): Promise<Embedder> {
  const id = idOf(one);
  if (one.adapter === "openai-compatible") {
    const { createOpenAiEmbedder } = await import("./adapters/openai-embedder.ts");
    return createOpenAiEmbedder({ ...one, id, timeoutMs: one.timeoutSeconds * 1000, key: keyReader(one.key) });
  }
  if (one.adapter === "node-llama-cpp") {
    const { createLlamaEmbedder } = await import("./adapters/llama-embedder.ts");
    return createLlamaEmbedder({
      ...one,
      id,
      install: installCommand(["node-llama-cpp@3"]),
      load: importPeer("node-llama-cpp"),
    });
  }
  const { createTransformersEmbedder } = await import("./adapters/transformers-embedder.ts");
  return createTransformersEmbedder({
    ...one,
    id,
    install: installCommand(["@huggingface/transformers@3"]),
    load: importPeer("@huggingface/transformers"),
  });
}
