import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, MemoryError, stopIfAborted, wasNeverSent } from "../../base/errors.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { shown } from "../../text/shown.ts";

export interface EndpointOptions {
  readonly model: string;
  /** Without a trailing slash. Requests go to this address and nowhere else. */
  readonly baseUrl: string;
  /** Per try, including the whole body. */
  readonly timeoutMs: number;
  /** The number of retries after failures that may be temporary. */
  readonly retries: number;
  /** Called before each request; the key is not stored. */
  readonly key: () => Promise<string | undefined>;
  /** Network, time and randomness. Default: the machine's own. */
  readonly outside?: Partial<typeof machine>;
}

const machine = {
  fetch: (input: string, init: RequestInit) => globalThis.fetch(input, init),
  /** Resolves early, without an error, when the signal aborts. */
  sleep: async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    await pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
  /** In [0, 1). */
  random: () => Math.random(),
};

interface EndpointRequest {
  /** Relative to the base URL: `chat/completions`. */
  readonly path: string;
  /** Rebuilt for each try. */
  readonly body: () => object;
  readonly mostReplyBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly beforeTry?: (() => void | Promise<void>) | undefined;
  /** Returns whether the refusal changed the body, so that an immediate retry makes sense. */
  readonly adapt?: (said: string) => boolean;
}

/** How a try ended. `said`: the endpoint's own words. `why`: completes a sentence about the endpoint: "answered 429". */
type Outcome =
  | { readonly body: string }
  | { readonly why: string; readonly said: string; readonly status: number }
  | {
      readonly why: string;
      readonly said?: string;
      readonly retryAfter?: string | null;
      readonly retry: "later" | "never";
    };

/** If an endpoint asks for a longer wait, the request fails and the error says when to try again. */
const longestDelayMs = 60_000;
const firstDelayMs = 1000;
const mostBackoffMs = 30_000;

interface Spent {
  tries: number;
  requests: number;
  tokens?: { readonly prompt: number; readonly answer: number };
}

export type Exchange = ReturnType<typeof openExchange>;

/**
 * An exchange with an endpoint that speaks the OpenAI protocol. Retries 408, 425, 429, 5xx, lost connections and timeouts after 1, 2, 4, … seconds
 * (up to 30, minus random jitter), or after `Retry-After` if that is at most a minute. Follows no redirects. No error contains the key.
 */
export function openExchange(options: EndpointOptions, request: EndpointRequest) {
  const { model, baseUrl, timeoutMs, retries } = options;
  const { path, body, mostReplyBytes, signal, beforeTry, adapt } = request;
  const { fetch, sleep, random } = { ...machine, ...options.outside };
  /** Updated with each try. `requests`: the tries that left the machine. */
  const spent: Spent = { tries: 0, requests: 0 };
  let key: string | undefined;

  const failure = (code: ErrorCode, why: string): MemoryError => {
    const { requests, tokens } = spent;
    const cost = requests === 0 ? 0 : tokens && tokens.prompt + tokens.answer;
    const details = cost === undefined ? { requests } : { requests, tokens: cost };
    return new MemoryError(code, `The model ${model} at ${baseUrl} ${why}.`, details);
  };
  const quoted = (said: string): string => {
    const clean = shown(key === undefined ? said : said.replaceAll(key, "[key]"), 200);
    return clean === "" ? "" : `: "${clean}"`;
  };
  const noAnswer = (why: string): MemoryError => failure("model_answer", why);
  const refused = (why: string, said = ""): MemoryError =>
    failure("model_refused", `${why}${quoted(said)}; fix the model, address or key in your settings`);
  const stop = (): void => stopIfAborted(signal, failure("aborted", "").details);

  /** The time limit runs from the first byte sent to the last byte read. Throws only for a reply that is too large. */
  const tryOnce = async (): Promise<Outcome> => {
    spent.tries += 1;
    spent.requests += 1;
    const limit = AbortSignal.timeout(timeoutMs);
    const secret = key === undefined ? {} : { authorization: `Bearer ${key}` };
    const headers = { "content-type": "application/json", accept: "application/json", "user-agent": "heartwood" };
    try {
      const response = await fetch(`${baseUrl}/${path}`, {
        method: "POST",
        headers: { ...headers, ...secret },
        body: JSON.stringify(body()),
        redirect: "manual",
        signal: signal === undefined ? limit : AbortSignal.any([limit, signal]),
        ...withoutFetchLimits(timeoutMs),
      });
      return await outcomeOf(response);
    } catch (error) {
      if (error instanceof MemoryError) throw error;
      if (limit.aborted) return { why: `did not finish its answer within ${timeoutMs / 1000} s`, retry: "later" };
      if (wasNeverSent(error)) spent.requests -= 1;
      const code = codeOf(error);
      const why = `could not be reached, or closed the connection (${code})`;
      return { why, retry: /CERT|TLS|SELF_SIGNED/u.test(code) ? "never" : "later" };
    }
  };

  const outcomeOf = async (response: Response): Promise<Outcome> => {
    const { status } = response;
    const size = `${mostReplyBytes / 1024 / 1024} MiB`;
    const tooLarge = noAnswer(`answered with more than ${size}; check what is running at that address`);
    const text = await new Response(response.body?.pipeThrough(atMost(mostReplyBytes, tooLarge)) ?? null).text();
    if (response.ok) return { body: text };
    const failed = { why: `answered ${status}`, said: errorText(text) };
    const isPassing = [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
    // An account out of credit also answers 429, and waiting does not help.
    if (!isPassing || text.includes("insufficient_quota")) return { ...failed, status };
    return { ...failed, retry: "later", retryAfter: response.headers.get("retry-after") };
  };

  const waitAfter = async (outcome: Extract<Outcome, { readonly retry: string }>, failures: number): Promise<void> => {
    const { why, said = "", retryAfter, retry } = outcome;
    const unavailable = (when: string): MemoryError => {
      const times = spent.tries === 1 ? "" : ` on try ${spent.tries}`;
      return failure("model_unavailable", `${why}${times}${quoted(said)}; ${when}, and check that it is running`);
    };
    if (failures >= retries || retry === "never") throw unavailable("try again later");
    const asked = /^\d+$/u.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : undefined;
    if (asked !== undefined && asked > longestDelayMs) throw unavailable(`try again in ${asked / 1000} s`);
    const backoff = Math.min(mostBackoffMs, firstDelayMs * 2 ** failures) * (0.5 + random() / 2);
    await sleep(Math.round(asked === undefined ? backoff : asked + random() * 500), signal);
  };

  /**
   * Returns the JSON object of the reply. Errors: `model_unavailable`, `model_refused`, `model_answer` when it is not a JSON object, `aborted`, and
   * whatever `beforeTry` throws.
   */
  const reply = async (): Promise<Readonly<Record<string, unknown>>> => {
    key = await options.key();
    for (let failures = 0; ;) {
      stop();
      await beforeTry?.();
      stop();
      const outcome = await tryOnce();
      stop();
      if ("body" in outcome) {
        const value = parseJson(outcome.body.replace(/^\uFEFF/u, ""));
        if (isObject(value)) return value;
        throw noAnswer("answered with something other than a JSON object; check what is running at that address");
      }
      if ("retry" in outcome) await waitAfter(outcome, failures++);
      else if (![400, 422].includes(outcome.status) || adapt?.(outcome.said) !== true)
        throw refused(outcome.why, outcome.said);
    }
  };

  return { spent, reply, refused, noAnswer };
}

/** Passes through up to `most` bytes, then fails with `error`. */
export function atMost(most: number, error: Error): TransformStream<Uint8Array, Uint8Array> {
  let size = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      size += chunk.length;
      if (size > most) controller.error(error);
      else controller.enqueue(chunk);
    },
  });
}

/** The error's message, else the whole text. */
function errorText(body: string): string {
  const value = parseJson(body);
  const error = isObject(value) ? (value["error"] ?? value) : value;
  const message = isObject(error) ? (error["message"] ?? error["detail"]) : error;
  return (typeof message === "string" ? message : body).slice(0, 4096);
}

/** `fetch` puts the reason in `cause`, sometimes as an aggregate with one error per address. */
function codeOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]*$/u.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return "unknown error";
}

/** Node's `fetch` gives up when the headers or a body chunk take five minutes, regardless of the caller's limit (undici's `headersTimeout`, `bodyTimeout`). */
const limitOfFetch = 290_000;

/** Extra `fetch` options for a try that may take longer: its own dispatcher without these two limits. If there is no dispatcher, the limits apply. */
function withoutFetchLimits(timeoutMs: number): object {
  // undici stores its dispatcher under this name, both in Node and as a package; proxies are configured there too.
  const inner: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  if (timeoutMs < limitOfFetch || !isObject(inner)) return {};
  const { dispatch } = inner;
  if (typeof dispatch !== "function") return {};
  const unlimited = (options: object, handler: object): unknown =>
    dispatch.call(inner, { ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return { dispatcher: { dispatch: unlimited } };
}
