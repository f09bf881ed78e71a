import { type ErrorCode, MemoryError, stopIfAborted, wasNeverSent } from "../../base/errors.ts";
import { shown } from "../../text/shown.ts";
import type { OpenAiCompatibleOptions } from "./openai-compatible.ts";
import { atMost } from "./openai-endpoint.ts";
import type { Summarizer } from "../memory.ts";

/** The part of the `ai` package (6 and 7) used here. Typed structurally, because the package is an optional peer dependency and absent at compile time. */
interface AiPackage {
  generateText(options: object): Promise<{
    readonly text: string;
    readonly finishReason: string;
    readonly usage?: { readonly inputTokens?: number | undefined; readonly outputTokens?: number | undefined };
  }>;
}

/** Without a key, the provider's package reads its own environment variable. */
export interface AiSdkOptions extends Omit<OpenAiCompatibleOptions, "baseUrl" | "retries" | "outside"> {
  /** The name after `@ai-sdk/`. */
  readonly provider: string;
  /** The command that installs both packages, for error messages. */
  readonly install: string;
  /** Default: `import(name)`. */
  readonly load?: (name: string) => Promise<unknown>;
}

const mostReplyBytes = 4 * 1024 * 1024;

/** A summarizer that uses the AI SDK and one of its provider packages. Sends one request and does not retry; a later run asks again. */
export function createAiSdk(options: AiSdkOptions): Summarizer {
  const { id, contextTokens, provider, model, timeoutMs, install, load = (name: string) => import(name) } = options;
  const name = `The model ${model} of @ai-sdk/${provider}`;
  const summarize: Summarizer["summarize"] = async (prompt, { signal }) => {
    let requests = 0;
    let key: string | undefined;
    const failure = (code: ErrorCode, message: string): MemoryError =>
      new MemoryError(code, message, requests === 0 ? { requests, tokens: 0 } : { requests });
    const reason = (error: unknown): string => {
      const message = (error instanceof Error ? error.message : String(error)).slice(0, 4096);
      return shown(key === undefined ? message : message.replaceAll(key, "[key]"), 200);
    };
    /** The `fetch` given to the provider's package: counts requests, rejects redirects and limits the size of the response. */
    const fetch: typeof globalThis.fetch = async (input, init) => {
      const url = new URL(input instanceof Request ? input.url : input);
      // The package may read a different address from the environment.
      if (url.protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(url.hostname))
        throw new Error("the address uses http to another machine, and a key is never sent that way");
      requests += 1;
      const response = await globalThis.fetch(input, { ...init, redirect: "error" }).catch((error: unknown) => {
        if (wasNeverSent(error)) requests -= 1;
        throw error;
      });
      return new Response(
        response.body?.pipeThrough(atMost(mostReplyBytes, new Error(`more than ${mostReplyBytes} bytes`))) ?? null,
        response,
      );
    };
    stopIfAborted(signal, { requests });
    key = await options.key();
    const [ai, vendor] = await Promise.all([load("ai"), load(`@ai-sdk/${provider}`)]).catch((error: unknown) => {
      throw failure("model_unavailable", `The AI SDK cannot be loaded (${reason(error)}); install it: ${install}`);
    });
    const create = factoryOf(vendor, provider);
    if (!isAiPackage(ai) || create === undefined) {
      const message = `@ai-sdk/${provider} does not provide language models; install a package that does: ${install}`;
      throw failure("model_unavailable", message);
    }
    // Otherwise the SDK prints warnings to standard output, in the middle of a command's JSON.
    Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
    const limit = AbortSignal.timeout(timeoutMs);
    let answered: Awaited<ReturnType<AiPackage["generateText"]>>;
    await prompt.beforeTry?.();
    stopIfAborted(signal, { requests });
    try {
      answered = await ai.generateText({
        model: create({ ...(key === undefined ? {} : { apiKey: key }), fetch })(model),
        system: prompt.instructions,
        prompt: prompt.prompt,
        temperature: 0,
        maxOutputTokens: prompt.answerTokens,
        maxRetries: 0,
        abortSignal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
      });
    } catch (error) {
      stopIfAborted(signal, failure("aborted", "").details);
      const late = `${name} did not answer within ${timeoutMs / 1000} s; try again later.`;
      throw limit.aborted
        ? failure("model_unavailable", late)
        : failure(codeOf(error), `${name} failed (${reason(error)}); try again later, or ${fixSettings}.`);
    }
    const { text, finishReason, usage } = answered;
    const { inputTokens: cost, outputTokens: answer } = usage ?? {};
    const tokens = cost === undefined || answer === undefined ? undefined : { prompt: cost, answer };
    // A package that does its own networking has sent one request, even if none was counted.
    requests = Math.max(1, requests);
    if (text.trim() === "") {
      const details = tokens === undefined ? { requests } : { requests, tokens: tokens.prompt + tokens.answer };
      throw new MemoryError("model_answer", `${name} returned an empty answer (${shown(finishReason, 40)}).`, details);
    }
    const isCut = finishReason === "length" || finishReason === "content-filter";
    return { text, end: isCut ? "cut_off" : "complete", tokens, requests };
  };
  return { id, contextTokens, summarize };
}

/** SDK errors carry the HTTP status and whether a retry may help. */
function codeOf(error: unknown): ErrorCode {
  const { statusCode, isRetryable, name } = Object(error) as Readonly<Record<string, unknown>>;
  if (/^AI_(?:JSONParse|TypeValidation|NoContent|InvalidResponse)/u.test(String(name))) return "model_answer";
  const isFinal = typeof statusCode === "number" && statusCode >= 400 && isRetryable !== true;
  return isFinal || name === "AI_LoadAPIKeyError" || name === "AI_NoSuchModelError"
    ? "model_refused"
    : "model_unavailable";
}

const fixSettings = "fix the provider, model or key in your settings";

type Factory = (options: object) => (model: string) => unknown;

/**
 * Finds the factory, such as `createAnthropic` for anthropic or `createGoogleGenerativeAI` for google: the function with exactly that name, else one
 * with that prefix, else the only `create…` function.
 */
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
