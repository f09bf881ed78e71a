import { setTimeout as pause } from "node:timers/promises";
import { stopIfAborted } from "../base/aborted.ts";
import { MemoryError } from "../base/errors.ts";
import { shown } from "../base/shown.ts";
import type { Embedder, EmbedPrefixes } from "../ports/embedder.ts";
import { embedInBatches } from "../recall/vectors/in-batches.ts";
import { send, type TryOutcome } from "./openai-embedder/send.ts";

export interface OpenAiEmbedderOptions {
  readonly id: string;
  readonly model: string;
  /** As the person's own settings have it, without a slash at its end; `/embeddings` is added. The texts go there and nowhere else. */
  readonly baseUrl: string;
  readonly prefixes?: EmbedPrefixes;
  /** For one try of one batch, the whole body included. */
  readonly timeoutMs: number;
  /** Further tries after one that may go better another time. */
  readonly retries: number;
  /** Asked before each request, and kept nowhere. */
  readonly key: () => Promise<string | undefined>;
  /** Network and waiting. Default: those of the machine. */
  readonly outside?: Partial<Outside>;
}

interface Outside {
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

const machineOutside: Outside = {
  fetch: (input, init) => globalThis.fetch(input, init),
  // That the signal ended it is told by whoever looks at the signal next.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
};

const textsAtOnce = 64;
/** Endpoints refuse a request of which one text is longer than their model takes. The longest common limit is 512 tokens and more. */
const mostCharacters = 8000;
/** Who is asked to wait longer gives up. */
const longestWaitMs = 60_000;
const firstWaitMs = 1000;

/**
 * Asks an endpoint that knows `POST /embeddings`: Ollama, llama.cpp, vLLM, hosted ones. 64 texts a request, each cut to 8,000 characters; 408, 425, 429, 5xx, a
 * lost connection and a time-out are tried again after 1, 2, 4, … seconds or when `Retry-After` says, if that is within a minute; a query never is.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const outside = { ...machineOutside, ...options.outside };
  let dimensions = 0;
  return {
    id: options.id,
    get dimensions() {
      return dimensions;
    },
    embed: async (texts, { purpose, signal }) => {
      stopIfAborted(signal, {});
      const vectors = await embedInBatches(
        texts.map((text) => text.slice(0, mostCharacters)),
        {
          most: textsAtOnce,
          prefix: options.prefixes?.[purpose] ?? "",
          dimensions: () => dimensions,
          // Somebody waits for the answer of a query.
          ask: (batch) =>
            askUntilAnswered({ options, outside, batch, signal, retries: purpose === "query" ? 0 : options.retries }),
          wrong: (why) => failure("model_answer", options, { why, said: "", key: undefined }),
        },
      );
      dimensions = vectors.find(({ length }) => length > 0)?.length ?? dimensions;
      return vectors;
    },
  };
}

interface Asking {
  readonly options: OpenAiEmbedderOptions;
  readonly outside: Outside;
  readonly batch: readonly string[];
  readonly signal: AbortSignal | undefined;
  readonly retries: number;
}

async function askUntilAnswered({ options, outside, batch, signal, retries }: Asking): Promise<readonly unknown[]> {
  const body = JSON.stringify({ model: options.model, input: batch, encoding_format: "float" });
  for (let tries = 0; ; tries++) {
    const key = await options.key();
    stopIfAborted(signal, {});
    const url = `${options.baseUrl}/embeddings`;
    const outcome = await send({ fetch: outside.fetch, url, body, key, timeoutMs: options.timeoutMs, signal });
    stopIfAborted(signal, {});
    if (outcome.kind === "answer") return rowsOf(outcome.value);
    if (outcome.kind === "refused") throw failure("model_refused", options, { ...outcome, key });
    const waitMs = outcome.waitMs ?? firstWaitMs * 2 ** tries;
    if (tries >= retries || waitMs > longestWaitMs) throw failure("model_unavailable", options, { ...outcome, key });
    await outside.sleep(waitMs, signal);
  }
}

/** The vectors in the order of the texts: `{"data": [{"index": 0, "embedding": […]}]}`. Without numbers the order is theirs. */
function rowsOf(value: unknown): readonly unknown[] {
  const data = fieldOf(value, "data");
  if (!Array.isArray(data)) return [];
  const items: readonly unknown[] = data;
  const indexOf = (item: unknown, at: number): number => {
    const index = fieldOf(item, "index");
    return typeof index === "number" ? index : at;
  };
  const rows = new Map(items.map((item, at) => [indexOf(item, at), fieldOf(item, "embedding")]));
  return Array.from(rows.keys())
    .toSorted((one, other) => one - other)
    .map((index) => rows.get(index));
}

function fieldOf(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null ? Reflect.get(value, name) : undefined;
}

const advice = {
  model_unavailable: "try again later, and look whether it runs",
  model_refused: "mend the model, address or key in your settings",
  model_answer: "name a model that makes vectors in your settings",
};

function failure(
  code: keyof typeof advice,
  { baseUrl, model }: OpenAiEmbedderOptions,
  {
    why,
    said,
    key,
  }: Pick<TryOutcome & { readonly kind: "failed" }, "why" | "said"> & { readonly key: string | undefined },
): MemoryError {
  const clean = shown(key === undefined ? said : said.replaceAll(key, "[key]"), 200);
  const quoted = clean === "" ? "" : `: "${clean}"`;
  return new MemoryError(code, `The model ${model} at ${baseUrl} ${why}${quoted}; ${advice[code]}.`);
}
