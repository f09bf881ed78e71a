import { join } from "node:path";
import { createRequire } from "node:module";
import { isObject } from "./base/json.ts";
import { once } from "./base/lines.ts";
import { installCommand, installedPackage, isEmbedderOn, spareCores } from "./platform/program.ts";
import { embedderPackage } from "./recall/index/embedding.ts";
import type { KeySource } from "./platform/user-settings/section.ts";
import type { EmbedderSettings, ModelSettings } from "./platform/user-settings/models.ts";
import { sha256, shortDigest } from "./base/digest.ts";
import type { NamedEmbedder } from "./recall/memory.ts";
import { openWordVectors } from "./recall/vectors/words.ts";
import type { NamedSummarizer, Summarizer } from "./summaries/memory.ts";
import type { Embedder } from "./recall/index/search-index.ts";

/** A summarizer for the model in the user's settings. Its adapter, packages and key are loaded only when it is opened or used. */
export function nameSummarizer(model: ModelSettings): NamedSummarizer {
  // Same id as the opened model, but without loading anything.
  const id =
    model.adapter === "ai-sdk" ? `ai-sdk-1:${model.provider}/${model.model}` : `openai-compatible-1:${model.model}`;
  return { id, contextTokens: model.contextTokens, open: () => openSummarizer(model, id) };
}

async function openSummarizer(model: ModelSettings, id: string): Promise<Summarizer> {
  const given = { id, timeoutMs: model.timeoutSeconds * 1000, key: keyReader(model.key) };
  if (model.adapter === "openai-compatible") {
    const { createOpenAiCompatible } = await import("./summaries/models/openai-compatible.ts");
    return createOpenAiCompatible({ ...model, ...given });
  }
  const { createAiSdk } = await import("./summaries/models/ai-sdk.ts");
  return createAiSdk({ ...model, ...given, install: installCommand(["ai@7", `@ai-sdk/${model.provider}`]) });
}

export interface NamedEmbedders {
  /** The installed package. Looked up on the first call, and not loaded. */
  installed(): NamedEmbedder | undefined;
  /** From the user's settings, by name. */
  readonly embedders: ReadonlyMap<string, NamedEmbedder>;
  /** Closes all open embedders; they can be reopened. */
  close(): Promise<void>;
}

/** The word vectors that heartwood ships. Their table (6 MB) is read for the first text. */
export function nameWordVectors(read: () => Uint8Array): NamedEmbedder {
  const id = "word-vectors-1";
  const opened = once(() => openWordVectors(read()));
  const open = async (): Promise<Embedder> => {
    const { dimensions, vectorOf } = opened();
    return { id, dimensions, embed: async (texts) => texts.map(vectorOf) };
  };
  return { id, pace: "instant", open };
}

export function nameEmbedders(settings: ReadonlyMap<string, EmbedderSettings> = new Map()): NamedEmbedders {
  const opened = new Map<string, Promise<Embedder>>();
  const keep = (name: string, open: () => Promise<Embedder>): Promise<Embedder> => {
    const known = opened.get(name) ?? open();
    opened.set(name, known);
    return known;
  };
  const named = [...settings].map(([name, one]): [string, NamedEmbedder] => {
    const id = embedderId(one);
    return [name, { id, pace: "slow", open: () => keep(name, () => openEmbedder(one, id)) }];
  });
  return {
    installed: once(() => findInstalled(keep)),
    embedders: new Map(named),
    close: async () => {
      const all = [...opened.values()];
      opened.clear();
      for (const one of all) await (await one.catch(() => undefined))?.close?.();
    },
  };
}

/** What a package needs: the code, and the weights, which a checkout may lack. */
const [code, weights] = ["dist/index.cjs", "model/minilm.bin"];

/** What is used of the package heartwood-embedder-minilm. */
interface EmbedderPackage {
  createEmbedder(options: { readonly threads: number }): Embedder & { load(): Promise<void> };
}

function findInstalled(
  keep: (name: string, open: () => Promise<Embedder>) => Promise<Embedder>,
): NamedEmbedder | undefined {
  const found = isEmbedderOn() ? installedPackage(embedderPackage, ["package.json", code, weights]) : undefined;
  const named =
    isObject(found?.facts) && isObject(found.facts["heartwood"]) ? found.facts["heartwood"]["embedder"] : "";
  if (found === undefined || typeof named !== "string") return undefined;
  const open = async (threads: number): Promise<Embedder> => {
    const { createEmbedder } = createRequire(join(found.folder, code))(join(found.folder, code)) as EmbedderPackage;
    const embedder = createEmbedder({ threads });
    // On another thread. If it fails, `embed` fails too.
    embedder.load().catch(() => undefined);
    return embedder;
  };
  // A user's embedder has no space in its name.
  return { id: named, open: (load) => keep(`installed ${load}`, () => open(load === "bulk" ? spareCores() : 1)) };
}

/** Includes a digest of every other setting that affects the vectors. */
function embedderId(one: EmbedderSettings): string {
  if (one.adapter === "openai-compatible") return `openai-compatible-1:${one.model}:${mark([one.prefixes])}`;
  const folder = one.modelFolder.split(/[\\/]/u).findLast((part) => part !== "") ?? "";
  const name = folder.replaceAll(/[^!-~]/gu, "_").slice(-128);
  return `transformers-3:${name}:${mark([one.prefixes, one.pooling, one.weights])}`;
}

function mark(parts: readonly unknown[]): string {
  return shortDigest(sha256(JSON.stringify(parts.map((part) => part ?? null))));
}

async function openEmbedder(one: EmbedderSettings, id: string): Promise<Embedder> {
  if (one.adapter === "openai-compatible") {
    const { createOpenAiEmbedder } = await import("./summaries/models/openai-compatible.ts");
    return createOpenAiEmbedder({ ...one, id, timeoutMs: one.timeoutSeconds * 1000, key: keyReader(one.key) });
  }
  const { createTransformersEmbedder } = await import("./summaries/models/transformers-embedder.ts");
  const install = installCommand(["@huggingface/transformers@3"]);
  return createTransformersEmbedder({ ...one, id, install });
}

/** Reads the key on each call. */
function keyReader(source: KeySource | undefined): () => Promise<string | undefined> {
  return async () =>
    source === undefined ? undefined : (await import("./platform/user-settings/section.ts")).readKey(source);
}
