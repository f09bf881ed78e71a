import { MemoryError } from "../../base/errors.ts";
import { isObject } from "../../base/json.ts";
import { isCount } from "../../base/lists.ts";
import type { EmbedderSettings } from "../../platform/user-settings/models.ts";
import type { Embedder } from "../../recall/index/search-index.ts";
import { createBatchEmbedder } from "./batch-embedder.ts";
import { endOfThoughts } from "../request/answer-outline.ts";
import { type EndpointOptions, type Exchange, openExchange } from "./openai-endpoint.ts";
import type { Summarizer, SummarizerAnswer } from "../memory.ts";

export interface OpenAiCompatibleOptions extends EndpointOptions {
  readonly id: string;
  readonly contextTokens: number;
}

const mostReplyBytes = 4 * 1024 * 1024;

/** A summarizer for an endpoint that supports `POST /chat/completions`: Ollama, llama.cpp, LM Studio, vLLM, or a hosted one. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Summarizer {
  // Reasoning models reject `max_tokens` and a temperature. Remember what the endpoint accepts for later requests.
  let limit: "max_tokens" | "max_completion_tokens" = "max_tokens";
  let temperature: { readonly temperature?: 0 } = { temperature: 0 };
  /** Adapts to an error that names a parameter, such as `{"error": {"param": "max_tokens", "message": "Unsupported parameter: 'max_tokens' …"}}`. */
  const adapt = (said: string): boolean => {
    if (limit === "max_tokens" && said.includes("max_completion_tokens")) limit = "max_completion_tokens";
    else if (temperature.temperature === 0 && /\btemperature\b/iu.test(said)) temperature = {};
    else return false;
    return true;
  };
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async ({ instructions, prompt, answerTokens, beforeTry }, { signal }) => {
      const messages = [
        { role: "system", content: instructions.toWellFormed() },
        { role: "user", content: prompt.toWellFormed() },
      ];
      const body = (): object => ({
        model: options.model,
        messages,
        ...temperature,
        [limit]: answerTokens,
        stream: false,
      });
      const request = { path: "chat/completions", body, mostReplyBytes, signal, beforeTry, adapt };
      const exchange = openExchange(options, request);
      return readReply(await exchange.reply(), exchange);
    },
  };
}

/** Errors: `model_answer` when the reply has no text; `model_refused` when the model reports that it refused to answer. */
function readReply(reply: Readonly<Record<string, unknown>>, exchange: Exchange): SummarizerAnswer {
  const { spent } = exchange;
  const { usage, choices } = reply;
  const { prompt_tokens: prompt, completion_tokens: answer } = isObject(usage) ? usage : {};
  if (isCount(prompt) && isCount(answer)) spent.tokens = { prompt, answer };
  const choice: unknown = Array.isArray(choices) ? choices[0] : undefined;
  const message = isObject(choice) ? choice["message"] : undefined;
  if (!isObject(choice) || !isObject(message))
    throw exchange.noAnswer("answered without choices; check that the address is for chat completions");
  const { refusal, content } = message;
  if (typeof refusal === "string" && refusal !== "") throw exchange.refused("refused to answer", refusal);
  const finish = choice["finish_reason"];
  const whole = textOf(content);
  const text = whole.slice(endOfThoughts(whole));
  if (text.trim() === "") {
    if (finish === "content_filter") throw exchange.refused("refused to answer (content_filter)");
    throw exchange.noAnswer(
      finish === "length"
        ? "used up its output tokens before the answer started; if the model thinks first, turn that off"
        : "returned an empty answer",
    );
  }
  const end = finish === "length" || finish === "content_filter" ? "cut_off" : "complete";
  return { text, end, tokens: spent.tokens, requests: spent.requests };
}

/** The text, or its text parts joined; other parts are reasoning. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  const parts: readonly unknown[] = Array.isArray(content) ? content : [];
  return parts.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

export interface OpenAiEmbedderOptions extends EndpointOptions {
  readonly id: string;
  readonly prefixes?: EmbedderSettings["prefixes"];
}

/** The texts and vectors of one batch stay far below this. */
const mostVectorBytes = 32 * 1024 * 1024;
const textsAtOnce = 64;
/** Endpoints reject a request if one text exceeds the model's limit. Common limits start at 512 tokens. */
const mostCharacters = 8000;

/**
 * An embedder for an endpoint that supports `POST /embeddings`: Ollama, llama.cpp, LM Studio, vLLM, or a hosted one. Sends 64 texts per request, each cut to
 * 8,000 characters.
 */
export function createOpenAiEmbedder(options: OpenAiEmbedderOptions): Embedder {
  const { id, model, baseUrl, prefixes } = options;
  return createBatchEmbedder({
    id,
    most: textsAtOnce,
    longest: mostCharacters,
    prefixes,
    ask: async (input, { purpose, signal }) => {
      // A user is waiting for the query's result.
      const endpoint = purpose === "query" ? { ...options, retries: 0 } : options;
      const body = (): object => ({ model, input, encoding_format: "float" });
      const request = { path: "embeddings", body, mostReplyBytes: mostVectorBytes, signal };
      return rowsOf(await openExchange(endpoint, request).reply());
    },
    wrong: (why) => {
      const message = `The model ${model} at ${baseUrl} ${why}; choose an embedding model in your settings.`;
      return new MemoryError("model_answer", message);
    },
  });
}

/** The vectors in the order of the texts, from `{"data": [{"index": 0, "embedding": […]}]}`. Items without an index keep the order of the reply. */
function rowsOf({ data }: Readonly<Record<string, unknown>>): readonly unknown[] {
  const items: readonly unknown[] = Array.isArray(data) ? data : [];
  const rows = new Map(
    items.map((item, at) => {
      const { index, embedding } = isObject(item) ? item : {};
      return [typeof index === "number" ? index : at, embedding];
    }),
  );
  return [...rows].toSorted(([one], [other]) => one - other).map(([, row]) => row);
}
