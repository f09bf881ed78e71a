import type { EmbedderSettings } from "../../platform/user-settings/models.ts";
import { statSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { stopIfAborted, MemoryError } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { Embedder } from "../../recall/index/search-index.ts";
import { createBatchEmbedder } from "./batch-embedder.ts";

/** The part of the `@huggingface/transformers` package (3) used here. Typed structurally, because the package is an optional peer dependency and absent at compile time. */
export interface TransformersPackage {
  /** Settings of the package, shared with its other users in this process. */
  readonly env: { localModelPath: string };
  pipeline(task: "feature-extraction", model: string, options: object): Promise<Extractor>;
}

interface Extractor {
  (texts: readonly string[], options: object): Promise<{ tolist(): unknown }>;
  dispose?(): Promise<unknown>;
}

/**
 * `modelFolder`: contains `config.json`, `tokenizer.json` and `onnx/model.onnx`, as published. `weights`: a name used by the package, such as `q8`
 * for `onnx/model_quantized.onnx`.
 */
export interface TransformersEmbedderOptions extends Omit<
  Extract<EmbedderSettings, { readonly adapter: "transformers" }>,
  "adapter"
> {
  readonly id: string;
  /** The command that installs the package, for error messages. */
  readonly install: string;
  /** Imports the package, which may be missing. Default: `import`. */
  readonly load?: () => Promise<TransformersPackage>;
}

const textsAtOnce = 16;
// Typed as a plain string so that the compiler does not resolve it: the package may not be installed.
const packageName: string = "@huggingface/transformers";
const importPackage = (): Promise<TransformersPackage> => import(packageName) as Promise<TransformersPackage>;

/** An embedder that runs an ONNX model from a folder in this process. The model is loaded for the first text and kept until `close`; nothing is downloaded. */
export function createTransformersEmbedder(options: TransformersEmbedderOptions): Embedder {
  const { id, modelFolder, pooling, prefixes } = options;
  let loading: Promise<Extractor> | undefined;
  const loaded = (): Promise<Extractor> => {
    loading ??= loadModel(options).catch((error: unknown) => {
      loading = undefined;
      throw error;
    });
    return loading;
  };
  return createBatchEmbedder({
    id,
    most: textsAtOnce,
    prefixes,
    ask: async (batch, { signal }) => {
      const extract = await loaded();
      stopIfAborted(signal, {});
      try {
        const rows = (await extract(batch, { pooling, normalize: true })).tolist();
        return Array.isArray(rows) ? rows : [];
      } catch (error) {
        throw unavailable(`The model in ${modelFolder} failed (${reasonOf(error)}); use another one.`);
      }
    },
    wrong: (why) => new MemoryError("model_answer", `The model in ${modelFolder} ${why}; use another one.`),
    close: async () => {
      const opened = await loading?.catch(() => undefined);
      loading = undefined;
      await opened?.dispose?.();
    },
  });
}

async function loadModel(options: TransformersEmbedderOptions): Promise<Extractor> {
  const { modelFolder, weights, install, load = importPackage } = options;
  if (statSync(join(modelFolder, "config.json"), { throwIfNoEntry: false })?.isFile() !== true)
    throw unavailable(`No model in ${modelFolder}; set modelFolder in your settings to a folder with config.json.`);
  const pack = await load().catch((error: unknown) => {
    throw unavailable(
      `The package @huggingface/transformers cannot be loaded (${reasonOf(error)}); install it: ${install}`,
    );
  });
  // The package looks for models in a single folder. Restore that setting afterwards for other users of the package.
  const before = pack.env.localModelPath;
  try {
    pack.env.localModelPath = `${dirname(modelFolder)}/`;
    const only = { local_files_only: true, device: "cpu", dtype: weights };
    return await pack.pipeline("feature-extraction", basename(modelFolder), only);
  } catch (error) {
    throw unavailable(`The model in ${modelFolder} cannot be loaded (${reasonOf(error)}); check that it is complete.`);
  } finally {
    pack.env.localModelPath = before;
  }
}

function unavailable(message: string): MemoryError {
  return new MemoryError("model_unavailable", message);
}

function reasonOf(error: unknown): string {
  return shown(error instanceof Error ? error.message : String(error), 160);
}
