import { type ErrorCode, MemoryError, stopIfAborted, wasNeverSent } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { Summarizer, SummarizerAnswer, SummarizerPrompt } from "./summarizer.ts";

/** What is used of the package `ai` 6 and 7, by structure: it is an optional peer, and not there when this is compiled. */
interface AiPackage {
  generateText(options: object): Promise<{
    readonly text: string;
    readonly finishReason: string;
    readonly usage?: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
  }>;
}

export interface AiSdkOptions {
  readonly id: string;
  /** The name after `@ai-sdk/`. */
  readonly provider: string;
  readonly model: string;
  readonly contextTokens: number;
  readonly timeoutMs: number;
  /** Asked before each request. Without a key the provider's package takes its own environment variable. */
  readonly key: () => Promise<string | undefined>;
  /** The command that installs both packages, for a message. */
  readonly install: string;
  /** Default: `import(name)`. */
  readonly load?: (name: string) => Promise<unknown>;
}

const mostReplyBytes = 4 * 1024 * 1024;

/** Asks through the AI SDK and a package of its providers. One request, no tries of its own: a later run asks again. */
export function createAiSdk(options: AiSdkOptions): Summarizer {
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async (prompt, { signal }) => {
      stopIfAborted(signal, { requests: 0 });
      return new AiRequest(options, await options.key()).ask(prompt, signal);
    },
  };
}

type Generate = (prompt: object) => ReturnType<AiPackage["generateText"]>;

class AiRequest {
  readonly #options: AiSdkOptions;
  readonly #key: string | undefined;
  /** `tokens`: nothing went out, and nothing can have cost anything. */
  readonly #spent: { requests: number; tokens?: 0 } = { requests: 0 };

  constructor(options: AiSdkOptions, key: string | undefined) {
    this.#options = options;
    this.#key = key;
  }

  async ask(prompt: SummarizerPrompt, signal: AbortSignal | undefined): Promise<SummarizerAnswer> {
    const generate = await this.#open();
    await prompt.beforeTry?.();
    stopIfAborted(signal, { requests: 0 });
    const limit = AbortSignal.timeout(this.#options.timeoutMs);
    try {
      const answered = await generate({
        system: prompt.instructions,
        prompt: prompt.prompt,
        temperature: 0,
        maxOutputTokens: prompt.answerTokens,
        maxRetries: 0,
        abortSignal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
      return this.#answerOf(answered);
    } catch (error) {
      if (this.#spent.tokens === 0) prompt.notSent?.();
      stopIfAborted(signal, { ...this.#spent });
      if (error instanceof MemoryError) throw error;
      const seconds = this.#options.timeoutMs / 1000;
      if (limit.aborted)
        throw this.#failure("model_unavailable", `gave no answer within ${seconds} s; try again later`);
      throw this.#failureOf(error);
    }
  }

  async #open(): Promise<Generate> {
    const { provider, model, install, load = (name: string): Promise<unknown> => import(name) } = this.#options;
    const [ai, vendor] = await Promise.all([load("ai"), load(`@ai-sdk/${provider}`)]).catch((error: unknown) => {
      throw this.#error(
        "model_unavailable",
        `The AI SDK cannot be loaded (${this.#reason(error)}); install it: ${install}`,
      );
    });
    const create = factoryOf(vendor, provider);
    if (!isAiPackage(ai) || create === undefined) {
      const message = `@ai-sdk/${provider} is no provider of language models; install a fitting one: ${install}`;
      throw this.#error("model_unavailable", message);
    }
    // Otherwise it writes warnings to standard output, into the JSON of a command.
    Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
    try {
      const apiKey = this.#key === undefined ? {} : { apiKey: this.#key };
      const language = create({ ...apiKey, fetch: this.#fetch })(model);
      return (prompt) => ai.generateText({ model: language, ...prompt });
    } catch (error) {
      const message = `@ai-sdk/${provider} does not take ${model} (${this.#reason(error)}); ${fixSettings}.`;
      throw this.#error("model_refused", message);
    }
  }

  /** The network of the provider's package: counted, without redirects, and with a limit on what comes back. */
  readonly #fetch: typeof globalThis.fetch = async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The package may take another address from the environment.
    if (url.protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(url.hostname))
      throw new Error("the address leads over http to another machine, and a key is never sent that way");
    this.#spent.requests += 1;
    const response = await globalThis.fetch(input, { ...init, redirect: "error" }).catch((error: unknown) => {
      if (wasNeverSent(error)) this.#spent.requests -= 1;
      if (wasNeverSent(error) && this.#spent.requests === 0) this.#spent.tokens = 0;
      throw error;
    });
    let size = 0;
    const bounded = new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        size += chunk.length;
        if (size > mostReplyBytes) controller.error(new Error(`more than ${mostReplyBytes} bytes`));
        else controller.enqueue(chunk);
      },
    });
    return new Response(response.body?.pipeThrough(bounded) ?? null, response);
  };

  #answerOf({ text, finishReason, usage }: Awaited<ReturnType<Generate>>): SummarizerAnswer {
    const { inputTokens: prompt, outputTokens: answer } = usage ?? {};
    const tokens = prompt === undefined || answer === undefined ? undefined : { prompt, answer };
    // A package with a network of its own was asked once, though nothing was counted.
    const requests = Math.max(1, this.#spent.requests);
    if (text.trim() === "") {
      const cost = tokens === undefined ? {} : { tokens: tokens.prompt + tokens.answer };
      const message = `${this.#name()} gave an empty answer (${shown(finishReason, 40)}).`;
      throw new MemoryError("model_answer", message, { requests, ...cost });
    }
    const isCut = finishReason === "length" || finishReason === "content-filter";
    return { text, end: isCut ? "cut_off" : "complete", tokens, requests };
  }

  /** Errors of the SDK have the status of HTTP and say whether another try may help. */
  #failureOf(error: unknown): MemoryError {
    const { statusCode, isRetryable, name } = Object(error) as Readonly<Record<string, unknown>>;
    const status = typeof statusCode === "number" ? statusCode : undefined;
    const why = `failed (${status === undefined ? "" : `${status}: `}${this.#reason(error)})`;
    const isFinal = status !== undefined && isRetryable !== true;
    if ((isFinal && status >= 400) || (status === undefined && name === "AI_LoadAPIKeyError"))
      return this.#failure("model_refused", `${why}; ${fixSettings}`);
    const isNoAnswer = /^AI_(?:JSONParse|TypeValidation|NoContent|InvalidResponse)/u.test(String(name));
    const code = isNoAnswer || (isFinal && status === 200) ? "model_answer" : "model_unavailable";
    return this.#failure(code, `${why}; try again later`);
  }

  #name(): string {
    return `The model ${this.#options.model} of @ai-sdk/${this.#options.provider}`;
  }

  #failure(code: ErrorCode, why: string): MemoryError {
    return this.#error(code, `${this.#name()} ${why}.`);
  }

  #error(code: ErrorCode, message: string): MemoryError {
    return new MemoryError(code, message, { ...this.#spent });
  }

  #reason(error: unknown): string {
    const message = (error instanceof Error ? error.message : String(error)).slice(0, 4096);
    return shown(this.#key === undefined ? message : message.replaceAll(this.#key, "[key]"), 200);
  }
}

const fixSettings = "fix provider, model or key in your settings";

type Factory = (options: object) => (model: string) => unknown;

/** `createAnthropic` of anthropic, `createGoogleGenerativeAI` of google: the only function of that name, or the one that begins with the provider. */
function factoryOf(vendor: unknown, provider: string): Factory | undefined {
  const wanted = `create${provider.replaceAll("-", "")}`;
  const all = Object.entries(Object(vendor) as Readonly<Record<string, unknown>>).filter(
    ([name, value]) => /^create[A-Z]/u.test(name) && typeof value === "function",
  );
  const named =
    all.find(([name]) => name.toLowerCase() === wanted) ?? all.find(([name]) => name.toLowerCase().startsWith(wanted));
  return (named ?? (all.length === 1 ? all[0] : undefined))?.[1] as Factory | undefined;
}

function isAiPackage(value: unknown): value is AiPackage {
  return typeof value === "object" && value !== null && "generateText" in value;
}
