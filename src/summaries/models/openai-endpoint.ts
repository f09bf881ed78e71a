import { setTimeout as pause } from "node:timers/promises";
import { type ErrorCode, MemoryError, stopIfAborted, wasNeverSent } from "../../base/errors.ts";
import { isObject, parseJson } from "../../base/json.ts";
import { shown } from "../../text/shown.ts";

export interface EndpointOptions {
  readonly model: string;
  /** Without a slash at its end. Requests go there and nowhere else. */
  readonly baseUrl: string;
  /** For one try, the whole body included. */
  readonly timeoutMs: number;
  /** Further tries after one that may go better another time. */
  readonly retries: number;
  /** Asked before each request, and kept nowhere. */
  readonly key: () => Promise<string | undefined>;
  /** Network, time and chance. Default: those of the machine. */
  readonly outside?: Partial<typeof machine>;
}

const machine = {
  fetch: (input: string, init: RequestInit) => globalThis.fetch(input, init),
  /** Ends early, without an error, when the signal is given. */
  sleep: async (ms: number, signal: AbortSignal | undefined): Promise<void> => {
    await pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined);
  },
  /** From 0 up to 1. */
  random: () => Math.random(),
};

interface EndpointRequest {
  /** After the base address: `chat/completions`. */
  readonly path: string;
  /** Made again for each try. */
  readonly body: () => object;
  readonly mostReplyBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly beforeTry?: (() => void | Promise<void>) | undefined;
  /** Whether the body is another one after such a refusal, so that it is worth asking at once. */
  readonly adapt?: (said: string) => boolean;
}

/** How a try ended. `said`: the endpoint's own words. `why`: the end of a sentence about the endpoint: "answered 429". */
type Outcome =
  | { readonly body: string }
  | { readonly why: string; readonly said: string; readonly status: number }
  | {
      readonly why: string;
      readonly said?: string;
      readonly retryAfter?: string | null;
      readonly retry: "later" | "never";
    };

/** An endpoint that asks to wait longer is given up, with the time to come back. */
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
 * An exchange with an endpoint that speaks the OpenAI protocol. 408, 425, 429, 5xx, a lost connection and a timeout are tried again after 1, 2,
 * 4, … seconds (up to 30, less a random part) or when `Retry-After` says, if that is within a minute. No redirect is followed, and the key is in no error.
 */
export function openExchange(options: EndpointOptions, request: EndpointRequest) {
  const { model, baseUrl, timeoutMs, retries } = options;
  const { path, body, mostReplyBytes, signal, beforeTry, adapt } = request;
  const { fetch, sleep, random } = { ...machine, ...options.outside };
  /** Grows while tries go on. `requests`: the tries that left the machine. */
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

  /** A time limit from the first byte sent to the last one read. Throws only for a reply that is too large. */
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
      if (limit.aborted) return { why: `gave no whole answer within ${timeoutMs / 1000} s`, retry: "later" };
      if (wasNeverSent(error)) spent.requests -= 1;
      const code = codeOf(error);
      const why = `could not be reached, or broke off the connection (${code})`;
      return { why, retry: /CERT|TLS|SELF_SIGNED/u.test(code) ? "never" : "later" };
    }
  };

  const outcomeOf = async (response: Response): Promise<Outcome> => {
    const { status } = response;
    const size = `${mostReplyBytes / 1024 / 1024} MiB`;
    const tooLarge = noAnswer(`answered more than ${size}; check what runs at that address`);
    const text = await new Response(response.body?.pipeThrough(atMost(mostReplyBytes, tooLarge)) ?? null).text();
    if (response.ok) return { body: text };
    const failed = { why: `answered ${status}`, said: errorText(text) };
    const isPassing = [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
    // An account without money answers 429 too, and no waiting helps.
    if (!isPassing || text.includes("insufficient_quota")) return { ...failed, status };
    return { ...failed, retry: "later", retryAfter: response.headers.get("retry-after") };
  };

  const waitAfter = async (outcome: Extract<Outcome, { readonly retry: string }>, failures: number): Promise<void> => {
    const { why, said = "", retryAfter, retry } = outcome;
    const unavailable = (when: string): MemoryError => {
      const times = spent.tries === 1 ? "" : ` in ${spent.tries} tries`;
      return failure("model_unavailable", `${why}${times}${quoted(said)}; ${when}, and check that it runs`);
    };
    if (failures >= retries || retry === "never") throw unavailable("try again later");
    const asked = /^\d+$/u.test(retryAfter ?? "") ? Number(retryAfter) * 1000 : undefined;
    if (asked !== undefined && asked > longestDelayMs) throw unavailable(`try again in ${asked / 1000} s`);
    const backoff = Math.min(mostBackoffMs, firstDelayMs * 2 ** failures) * (0.5 + random() / 2);
    await sleep(Math.round(asked === undefined ? backoff : asked + random() * 500), signal);
  };

  /** The JSON object that came back. Errors: `model_unavailable`, `model_refused`, `model_answer` when it is none, `aborted`, and what `beforeTry` throws. */
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
        throw noAnswer("answered with something other than a JSON object; check what runs at that address");
      }
      if ("retry" in outcome) await waitAfter(outcome, failures++);
      else if (![400, 422].includes(outcome.status) || adapt?.(outcome.said) !== true)
        throw refused(outcome.why, outcome.said);
    }
  };

  return { spent, reply, refused, noAnswer };
}

/** Passes on so many bytes; more of them fail. */
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

/** The message of an error, else the text itself. */
function errorText(body: string): string {
  const value = parseJson(body);
  const error = isObject(value) ? (value["error"] ?? value) : value;
  const message = isObject(error) ? (error["message"] ?? error["detail"]) : error;
  return (typeof message === "string" ? message : body).slice(0, 4096);
}

/** `fetch` puts the reason into `cause`, sometimes one for each of several addresses. */
function codeOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]*$/u.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return "unknown error";
}

/** Node's `fetch` gives up when headers or a part of the body take five minutes, whatever its caller's limit (undici's `headersTimeout`, `bodyTimeout`). */
const limitOfFetch = 290_000;

/** What to give `fetch` for a try that may take longer than that: its own dispatcher without these two limits. Where there is none, they apply. */
function withoutFetchLimits(timeoutMs: number): object {
  // The name under which undici keeps its dispatcher, in Node and as a package; proxies are set there too.
  const inner: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  if (timeoutMs < limitOfFetch || !isObject(inner)) return {};
  const { dispatch } = inner;
  if (typeof dispatch !== "function") return {};
  const unlimited = (options: object, handler: object): unknown =>
    dispatch.call(inner, { ...options, headersTimeout: 0, bodyTimeout: 0 }, handler);
  return { dispatcher: { dispatch: unlimited } };
}
