import { stopIfAborted, MemoryError, wasNeverSent } from "../../base/errors.ts";
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
  /** The name behind `@ai-sdk/`. */
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

/** Larger replies are no summaries. */
const mostReplyBytes = 4 * 1024 * 1024;

/** Asks through the AI SDK and a package of its providers. One request, no tries of its own: a later run asks again. */
export function createAiSdk(options: AiSdkOptions): Summarizer {
  return {
    id: options.id,
    contextTokens: options.contextTokens,
    summarize: async (prompt, { signal }) => {
      stopIfAborted(signal, { requests: 0 });
      const key = await options.key();
      const spent = { requests: 0 };
      const opened = await openModel(options, { key, spent });
      await prompt.beforeTry?.();
      stopIfAborted(signal, { requests: 0 });
      return ask(opened, { options, prompt, key, spent, signal });
    },
  };
}

interface Spent {
  requests: number;
  /** Nothing went out, and nothing can have cost anything. */
  tokens?: 0;
}

interface Opened {
  readonly generateText: AiPackage["generateText"];
  readonly model: unknown;
}

async function openModel(
  { provider, model, install, load = importPackage }: AiSdkOptions,
  { key, spent }: { readonly key: string | undefined; readonly spent: Spent },
): Promise<Opened> {
  const [ai, vendor] = await Promise.all([load("ai"), load(`@ai-sdk/${provider}`)]).catch((error: unknown) => {
    throw failure(
      "model_unavailable",
      `The AI SDK cannot be loaded (${reasonOf(error, key)}); install it: ${install}`,
      spent,
    );
  });
  const create = factoryOf(vendor, provider);
  if (!isAiPackage(ai) || create === undefined)
    throw failure(
      "model_unavailable",
      `@ai-sdk/${provider} is no provider of language models; install a fitting one: ${install}`,
      spent,
    );
  // Else it writes warnings to standard output, into the JSON of a command.
  Reflect.set(globalThis, "AI_SDK_LOG_WARNINGS", false);
  try {
    const language = create({ ...(key === undefined ? {} : { apiKey: key }), fetch: countedFetch(spent) });
    return { generateText: (given) => ai.generateText(given), model: language(model) };
  } catch (error) {
    throw failure(
      "model_refused",
      `@ai-sdk/${provider} does not take ${model} (${reasonOf(error, key)}); mend provider, model or key in your settings.`,
      spent,
    );
  }
}

type Factory = (options: object) => (model: string) => unknown;

/** `createAnthropic` of anthropic, `createGoogleGenerativeAI` of google: the only function of that name, or the one that begins with the provider. */
function factoryOf(vendor: unknown, provider: string): Factory | undefined {
  if (typeof vendor !== "object" || vendor === null) return undefined;
  const wanted = `create${provider.replaceAll("-", "")}`;
  const all = Object.entries(vendor).filter(
    ([name, value]) => /^create[A-Z]/u.test(name) && typeof value === "function",
  );
  const rank = (name: string): number =>
    name.toLowerCase() === wanted ? 2 : name.toLowerCase().startsWith(wanted) ? 1 : 0;
  const best = all.toSorted(([a], [b]) => rank(b) - rank(a))[0];
  return best !== undefined && (all.length === 1 || rank(best[0]) > 0) ? (best[1] as Factory) : undefined;
}

function isAiPackage(value: unknown): value is AiPackage {
  return typeof value === "object" && value !== null && "generateText" in value;
}

// By a name that no compiler looks up: a package is there or not when it is asked for.
const importPackage = (name: string): Promise<unknown> => import(name);

/** The network of the provider's package: counted, without redirects, and with a bound to what comes back. */
function countedFetch(spent: Spent): typeof globalThis.fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    // The package may take another address from the environment.
    if (url.protocol === "http:" && !/^(?:localhost|127(?:\.\d+){3}|\[::1\])$/u.test(url.hostname))
      throw new Error("the address leads over http to another machine, and a key never goes so");
    spent.requests += 1;
    const response = await globalThis.fetch(input, { ...init, redirect: "error" }).catch((error: unknown) => {
      if (wasNeverSent(error)) spent.requests -= 1;
      if (wasNeverSent(error) && spent.requests === 0) spent.tokens = 0;
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
}

interface Asking {
  readonly options: AiSdkOptions;
  readonly prompt: SummarizerPrompt;
  readonly key: string | undefined;
  readonly spent: Spent;
  readonly signal: AbortSignal | undefined;
}

async function ask({ generateText, model }: Opened, asking: Asking): Promise<SummarizerAnswer> {
  const { options, prompt, signal, spent } = asking;
  const limit = AbortSignal.timeout(options.timeoutMs);
  const abortSignal = signal === undefined ? limit : AbortSignal.any([limit, signal]);
  try {
    const said = await generateText({
      model,
      system: prompt.instructions,
      prompt: prompt.prompt,
      temperature: 0,
      maxOutputTokens: prompt.answerTokens,
      maxRetries: 0,
      abortSignal,
    });
    return answerOf(said, asking);
  } catch (error) {
    if (spent.tokens === 0) prompt.notSent?.();
    stopIfAborted(signal, { ...spent });
    if (error instanceof MemoryError) throw error;
    throw told(error, asking, limit.aborted ? `gave no answer within ${options.timeoutMs / 1000} s` : undefined);
  }
}

function answerOf(said: Awaited<ReturnType<AiPackage["generateText"]>>, { options, spent }: Asking): SummarizerAnswer {
  const { text, finishReason, usage } = said;
  const { inputTokens: prompt, outputTokens: answer } = usage ?? {};
  const tokens = prompt === undefined || answer === undefined ? undefined : { prompt, answer };
  // A package with a network of its own was asked once, though nothing was counted.
  const requests = Math.max(1, spent.requests);
  if (text.trim() === "") {
    const cost = tokens === undefined ? {} : { tokens: tokens.prompt + tokens.answer };
    const message = `The model ${options.model} of @ai-sdk/${options.provider} gave an empty answer (${shown(finishReason, 40)}).`;
    throw new MemoryError("model_answer", message, { requests, ...cost });
  }
  const isCut = finishReason === "length" || finishReason === "content-filter";
  return { text, end: isCut ? "cut_off" : "complete", tokens, requests };
}

/** Errors of the SDK tell the status of HTTP and whether another try may help. */
function told(error: unknown, { options, key, spent }: Asking, why: string | undefined): MemoryError {
  const who = `The model ${options.model} of @ai-sdk/${options.provider}`;
  const { statusCode, isRetryable, name } = Object(error) as Readonly<Record<string, unknown>>;
  const says = why ?? `failed (${typeof statusCode === "number" ? `${statusCode}: ` : ""}${reasonOf(error, key)})`;
  const isRefused =
    why === undefined && ((typeof statusCode === "number" && isRetryable !== true) || name === "AI_LoadAPIKeyError");
  if (isRefused && (typeof statusCode !== "number" || statusCode >= 400))
    return failure("model_refused", `${who} ${says}; mend provider, model or key in your settings.`, spent);
  const code =
    /^AI_(?:JSONParse|TypeValidation|NoContent|InvalidResponse)/u.test(String(name)) ||
    (isRefused && statusCode === 200)
      ? "model_answer"
      : "model_unavailable";
  return failure(code, `${who} ${says}; try again later.`, spent);
}

function failure(
  code: "model_unavailable" | "model_refused" | "model_answer",
  message: string,
  spent: Spent,
): MemoryError {
  return new MemoryError(code, message, { ...spent });
}

function reasonOf(error: unknown, key: string | undefined): string {
  const message = (error instanceof Error ? error.message : String(error)).slice(0, 4096);
  return shown(key === undefined ? message : message.replaceAll(key, "[key]"), 200);
}
