import { MemoryError, stopIfAborted } from "../../../base/errors.ts";
import type { Embedder, EmbedPrefixes } from "../../../recall/index/embedder.ts";
import { embedInBatches } from "../../../recall/vectors/in-batches.ts";
import { Exchange, type EndpointOptions } from "./endpoint.ts";
import { isObject } from "./send.ts";

export interface OpenAiEmbedderOptions extends EndpointOptions {
  readonly id: string;
  readonly prefixes?: EmbedPrefixes;
}

/** Texts and vectors of one batch stay far below it. */
const mostReplyBytes = 32 * 1024 * 1024;
const textsAtOnce = 64;
/** Endpoints refuse a request of which one text is longer than their model takes. The longest common limit is 512 tokens and more. */
const mostCharacters = 8000;

/** Asks an endpoint that knows `POST /embeddings`: Ollama, llama.cpp, LM Studio, vLLM, hosted ones. 64 texts a request, each cut to 8,000 characters. */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  let dimensions = 0;
  return {
    id: options.id,
    get dimensions() {
      return dimensions;
    },
    embed: async (texts, { purpose, signal }) => {
      stopIfAborted(signal, {});
      // Somebody waits for the answer of a query.
      const retries = purpose === "query" ? 0 : options.retries;
      const vectors = await embedInBatches(
        texts.map((text) => text.slice(0, mostCharacters)),
        {
          most: textsAtOnce,
          prefix: options.prefixes?.[purpose] ?? "",
          dimensions: () => dimensions,
          ask: async (input) => {
            const body = { model: options.model, input, encoding_format: "float" };
            const request = { path: "embeddings", body: () => body, mostReplyBytes, signal };
            return rowsOf(await new Exchange({ ...options, retries }, request).reply());
          },
          wrong: (why) => {
            const message = `The model ${options.model} at ${options.baseUrl} ${why}; name a model that makes vectors in your settings.`;
            return new MemoryError("model_answer", message);
          },
        },
      );
      dimensions = vectors.find(({ length }) => length > 0)?.length ?? dimensions;
      return vectors;
    },
  };
}

/** The vectors in the order of the texts: `{"data": [{"index": 0, "embedding": […]}]}`. Without numbers the order is theirs. */
function rowsOf({ data }: Readonly<Record<string, unknown>>): readonly unknown[] {
  if (!Array.isArray(data)) return [];
  const items: readonly unknown[] = data;
  const rows = new Map(
    items.map((item, at) => {
      const { index, embedding } = isObject(item) ? item : {};
      return [typeof index === "number" ? index : at, embedding];
    }),
  );
  return [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row);
}
