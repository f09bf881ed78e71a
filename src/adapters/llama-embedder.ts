import { statSync } from "node:fs";
import { availableParallelism } from "node:os";
import { stopIfAborted } from "../base/aborted.ts";
import { MemoryError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import type { Embedder, EmbedPrefixes } from "../ports/embedder.ts";
import { embedInBatches } from "../recall/vectors/in-batches.ts";

/** What is used of the package `node-llama-cpp` 3, by structure: it is an optional peer, and not there when this is compiled. */
export interface LlamaEmbedderPackage {
  getLlama(options: object): Promise<Llama>;
}

interface Llama {
  loadModel(options: { readonly modelPath: string }): Promise<Model>;
  dispose(): Promise<void>;
}

interface Model {
  /** Tokens that it was trained to see at once. */
  readonly trainContextSize: number;
  tokenize(text: string): readonly unknown[];
  createEmbeddingContext(options: { readonly contextSize: number; readonly batchSize: number }): Promise<Context>;
  dispose(): Promise<void>;
}

interface Context {
  getEmbeddingFor(tokens: readonly unknown[]): Promise<{ readonly vector: readonly number[] }>;
  dispose(): Promise<void>;
}

export interface LlamaEmbedderOptions {
  readonly id: string;
  /** The absolute path of a GGUF file of a model that makes vectors. */
  readonly modelFile: string;
  readonly prefixes?: EmbedPrefixes;
  /** The command that installs the package, for a message. */
  readonly install: string;
  /** Imports the package, which may not be there. */
  readonly load: () => Promise<LlamaEmbedderPackage>;
}

/** Of a text no more is read: vectors are of passages. */
const mostTokens = 2048;
/** A context begins and ends a text with marks of its own. */
const marks = 8;

/**
 * Makes vectors with a model in a GGUF file, in this process: nothing leaves the machine. The model is loaded with the first text and kept until `close`. Only
 * binaries that a package brought are used: nothing is built or downloaded.
 */
export function createLlamaEmbedder(options: LlamaEmbedderOptions): Embedder {
  let dimensions = 0;
  let loading: Promise<Loaded> | undefined;
  const loaded = (): Promise<Loaded> => {
    loading ??= loadModel(options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return {
    id: options.id,
    get dimensions() {
      return dimensions;
    },
    embed: async (texts, { purpose, signal }) => {
      stopIfAborted(signal, {});
      const vectors = await embedInBatches(texts, {
        most: 1,
        prefix: options.prefixes?.[purpose] ?? "",
        dimensions: () => dimensions,
        ask: async (batch) => {
          const model = await loaded();
          stopIfAborted(signal, {});
          return Promise.all(batch.map((text) => vectorOf(model, { text, options })));
        },
        wrong: (why) => new MemoryError("model_answer", `The model ${options.modelFile} ${why}; take another one.`),
      });
      stopIfAborted(signal, {});
      dimensions = vectors.find(({ length }) => length > 0)?.length ?? dimensions;
      return vectors;
    },
    close: async () => {
      const opened = await loading?.catch(() => undefined);
      loading = undefined;
      await opened?.context.dispose();
      await opened?.model.dispose();
      await opened?.llama.dispose();
    },
  };
}

interface Loaded {
  readonly llama: Llama;
  readonly model: Model;
  readonly context: Context;
  readonly tokens: number;
}

async function loadModel({ modelFile, install, load }: LlamaEmbedderOptions): Promise<Loaded> {
  if (statSync(modelFile, { throwIfNoEntry: false })?.isFile() !== true)
    throw unavailable(`There is no file ${modelFile}; name a GGUF file in your settings.`);
  const pack = await load().catch((error: unknown) => {
    throw unavailable(`The package node-llama-cpp cannot be loaded (${reasonOf(error)}); install it: ${install}`);
  });
  // Threads wait for each other by spinning: with more of them than free cores an answer takes a hundred times as long.
  const maxThreads = Math.max(1, availableParallelism() - 1);
  const quiet = { logLevel: "error", logger: () => {}, progressLogs: false };
  try {
    const llama = await pack.getLlama({ gpu: "auto", build: "never", skipDownload: true, maxThreads, ...quiet });
    const model = await llama.loadModel({ modelPath: modelFile });
    const contextSize = Math.min(mostTokens, model.trainContextSize);
    const context = await model.createEmbeddingContext({ contextSize, batchSize: contextSize });
    return { llama, model, context, tokens: contextSize - marks };
  } catch (error) {
    throw unavailable(`The model ${modelFile} cannot be loaded (${reasonOf(error)}); look whether it makes vectors.`);
  }
}

async function vectorOf(
  { model, context, tokens }: Loaded,
  { text, options }: { readonly text: string; readonly options: LlamaEmbedderOptions },
): Promise<unknown> {
  try {
    return (await context.getEmbeddingFor(model.tokenize(text).slice(0, tokens))).vector;
  } catch (error) {
    throw unavailable(`The model ${options.modelFile} failed (${reasonOf(error)}); take another one.`);
  }
}

function unavailable(message: string): MemoryError {
  return new MemoryError("model_unavailable", message);
}

function reasonOf(error: unknown): string {
  return shown(error instanceof Error ? error.message : String(error), 160);
}
