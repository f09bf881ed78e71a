import type { EmbedderSettings } from "../../platform/user-settings/models.ts";
import { stopIfAborted, MemoryError } from "../../base/errors.ts";
import { isCount } from "../../base/lists.ts";
import type { Embedder } from "../../recall/index/search-index.ts";
import { embedInBatches } from "../../recall/vectors/int8.ts";
import { type EndpointOptions, Exchange, type Spent, isObject } from "./openai-endpoint.ts";
import type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "./summarizer.ts";

export interface OpenAiCompatibleOptions extends EndpointOptions {
  readonly id: string;
  readonly contextTokens: number;
}

/** A larger reply is no summary. */
const mostReplyBytes = 4 * 1024 * 1024;

/** How endpoints differ in what they take: models that reason refuse `max_tokens` and a temperature. */
interface RequestForm {
  readonly limit: "max_tokens" | "max_completion_tokens";
  readonly temperature: "zero" | "absent";
}

/** Asks an endpoint that knows `POST /chat/completions`: Ollama, llama.cpp, LM Studio, vLLM, hosted ones. */
export function createOpenAiCompatible(options: OpenAiCompatibleOptions): Summarizer {
  // What the endpoint was found to want is kept, so that it is not asked wrongly each time.
  let form: RequestForm = { limit: "max_tokens", temperature: "zero" };
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async (prompt, { signal }) => {
      const exchange = new Exchange(options, {
        path: "chat/completions",
        body: () => bodyOf(prompt, options.model, form),
        mostReplyBytes,
        signal,
        beforeTry: prompt.beforeTry,
        notSent: prompt.notSent,
        adapt: (said) => {
          const other = otherForm(form, said);
          form = other ?? form;
          return other !== undefined;
        },
      });
      return readReply(await exchange.reply(), exchange);
    },
  };
}

function bodyOf(prompt: SummarizerPrompt, model: string, form: RequestForm): object {
  return {
    model,
    messages: [
      { role: "system", content: prompt.instructions.toWellFormed() },
      { role: "user", content: prompt.prompt.toWellFormed() },
    ],
    ...(form.temperature === "zero" ? { temperature: 0 } : {}),
    [form.limit]: prompt.answerTokens,
    stream: false,
  };
}

/**
 * The form to try after a refusal that names a parameter, as `{"error": {"param": "max_tokens", "message": "Unsupported parameter: 'max_tokens' …"}}`;
 * `undefined` when the refusal is about something else, or was given to that form already.
 */
function otherForm(form: RequestForm, said: string): RequestForm | undefined {
  if (form.limit === "max_tokens" && said.includes("max_completion_tokens"))
    return { ...form, limit: "max_completion_tokens" };
  if (form.temperature === "zero" && /\btemperature\b/iu.test(said)) return { ...form, temperature: "absent" };
  return undefined;
}

/** Errors: `model_answer` when it has no text; `model_refused` when the model says that it will not answer. */
function readReply(reply: Readonly<Record<string, unknown>>, exchange: Exchange): SummarizerAnswer {
  const { spent } = exchange;
  addTokens(spent, reply["usage"]);
  const choice: unknown = Array.isArray(reply["choices"]) ? reply["choices"][0] : undefined;
  const message = isObject(choice) ? choice["message"] : undefined;
  if (!isObject(choice) || !isObject(message))
    throw exchange.noAnswer("answered without choices; look whether the address is one of chat completions");
  const { refusal } = message;
  if (typeof refusal === "string" && refusal !== "") throw exchange.refused("will not answer", refusal);
  const finish = choice["finish_reason"];
  const text = withoutThoughts(textOf(message["content"]));
  if (text.trim() === "") throw emptiness(finish, exchange);
  const end = finish === "length" || finish === "content_filter" ? "cut_off" : "complete";
  return { text, end, tokens: spent.tokens, requests: spent.requests };
}

function addTokens(spent: Spent, usage: unknown): void {
  if (!isObject(usage)) return;
  const { prompt_tokens: prompt, completion_tokens: answer } = usage;
  if (isCount(prompt) && isCount(answer)) spent.tokens = { prompt, answer };
}

/** A text, or the texts of parts; parts of other kinds are thoughts. */
function textOf(content: unknown): string {
  if (typeof content === "string") return content;
  if (!Array.isArray(content)) return "";
  const parts: readonly unknown[] = content;
  return parts.map((part) => (isObject(part) && typeof part["text"] === "string" ? part["text"] : "")).join("");
}

/**
 * Takes away what a model thinks before it answers: a block `<think>…</think>` at the beginning, also one whose first mark stood in the prompt of the
 * server. A mark within the answer stays: the answer may speak of it.
 */
function withoutThoughts(text: string): string {
  const begins = /^\s*<think(?:ing)?>/u.test(text);
  const close = /<\/think(?:ing)?>/u.exec(text);
  if (close === null) return begins ? "" : text;
  const rest = text.slice(close.index + close[0].length);
  const isOurs = begins || (!/<think(?:ing)?>/u.test(text.slice(0, close.index)) && /^[^\S\n]*(?:\n|$)/u.test(rest));
  return isOurs ? withoutThoughts(rest) : text;
}

function emptiness(finish: unknown, exchange: Exchange): Error {
  if (finish === "content_filter") return exchange.refused("will not answer (content_filter)");
  if (finish !== "length") return exchange.noAnswer("gave an empty answer");
  return exchange.noAnswer(
    "used up the tokens of the answer before it began; a model that thinks first needs that switched off",
  );
}

export interface OpenAiEmbedderOptions extends EndpointOptions {
  readonly id: string;
  readonly prefixes?: EmbedderSettings["prefixes"];
}

/** Texts and vectors of one batch stay far below it. */
const mostVectorBytes = 32 * 1024 * 1024;
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
            const request = { path: "embeddings", body: () => body, mostReplyBytes: mostVectorBytes, signal };
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
