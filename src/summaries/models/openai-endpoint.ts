import { setTimeout as pause } from "node:timers/promises";
import { stopIfAborted, MemoryError, wasNeverSent } from "../../base/errors.ts";
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
  readonly outside?: Partial<Outside>;
}

interface Outside {
  readonly fetch: typeof globalThis.fetch;
  /** Ends early, without an error, when the signal is given. */
  readonly sleep: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  /** From 0 up to 1. */
  readonly random: () => number;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

const machine: Outside = {
  fetch: (input, init) => globalThis.fetch(input, init),
  // Whoever looks at the signal next says that it ended the wait.
  sleep: (ms, signal) => pause(ms, undefined, signal === undefined ? {} : { signal }).catch(() => undefined),
  random: () => Math.random(),
  now: () => Date.now(),
};

interface EndpointRequest {
  /** Behind the base address: `chat/completions`. */
  readonly path: string;
  /** Made anew for each try. */
  readonly body: () => object;
  readonly mostReplyBytes: number;
  readonly signal: AbortSignal | undefined;
  readonly beforeTry?: (() => void | Promise<void>) | undefined;
  /** A try did not leave the machine. */
  readonly notSent?: (() => void) | undefined;
  /** Whether the body is another one after such a refusal, so that it is worth asking at once. */
  readonly adapt?: (said: string) => boolean;
}

/** What was spent so far; grows while tries go on. */
export interface Spent {
  tries: number;
  /** Tries that left the machine. */
  requests: number;
  tokens?: { readonly prompt: number; readonly answer: number };
}

/** Whoever is asked to wait longer gives up and says when to come back. */
const longestDelayMs = 60_000;
const firstDelayMs = 1000;
const mostBackoffMs = 30_000;

/**
 * One request to an endpoint that speaks the OpenAI protocol, with all its tries. 408, 425, 429, 5xx, a lost connection and a time-out are tried again after 1, 2,
 * 4, … seconds (up to 30, less a part left to chance) or when `Retry-After` says, if that is within a minute. The key stands in no error.
 */
export class Exchange {
  readonly spent: Spent = { tries: 0, requests: 0 };
  readonly #options: EndpointOptions;
  readonly #outside: Outside;
  readonly #request: EndpointRequest;
  #key: string | undefined;

  constructor(options: EndpointOptions, request: EndpointRequest) {
    this.#options = options;
    this.#outside = { ...machine, ...options.outside };
    this.#request = request;
  }

  /** The JSON object that came back. Errors: `model_unavailable`, `model_refused`, `model_answer` when it is none, `aborted`, and what `beforeTry` throws. */
  async reply(): Promise<Readonly<Record<string, unknown>>> {
    this.#key = await this.#options.key();
    for (let tries = 0; ;) {
      const outcome = await this.#tryOnce();
      if (outcome.kind === "answer") return this.#parsed(outcome.body);
      if (outcome.kind === "failed") await this.#waitAfter(outcome, tries++);
      else if (![400, 422].includes(outcome.status) || this.#request.adapt?.(outcome.said) !== true)
        throw this.refused(outcome.why, outcome.said);
    }
  }

  refused(why: string, said = ""): MemoryError {
    const message = `${this.#name()} ${why}${this.#quoted(said)}; mend the model, address or key in your settings.`;
    return new MemoryError("model_refused", message, this.#details());
  }

  noAnswer(why: string): MemoryError {
    return new MemoryError("model_answer", `${this.#name()} ${why}.`, this.#details());
  }

  async #tryOnce(): Promise<Outcome> {
    const { path, body, mostReplyBytes, signal, beforeTry, notSent } = this.#request;
    const { baseUrl, timeoutMs } = this.#options;
    stopIfAborted(signal, this.#details());
    await beforeTry?.();
    stopIfAborted(signal, this.#details());
    this.spent.tries += 1;
    this.spent.requests += 1;
    const outcome = await send({
      fetch: this.#outside.fetch,
      url: `${baseUrl}/${path}`,
      body: JSON.stringify(body()),
      key: this.#key,
      timeoutMs,
      signal,
      mostReplyBytes,
    });
    if (outcome.kind === "failed" && outcome.sent === "nothing") {
      this.spent.requests -= 1;
      notSent?.();
    }
    stopIfAborted(signal, this.#details());
    return outcome;
  }

  async #waitAfter(outcome: Outcome & { readonly kind: "failed" }, tries: number): Promise<void> {
    const { now, random, sleep } = this.#outside;
    if (tries >= this.#options.retries || outcome.again === "never")
      throw this.#unavailable(outcome, "try again later");
    const asked = retryAfterMs(outcome.retryAfter, now());
    if (asked !== undefined && asked > longestDelayMs)
      throw this.#unavailable(outcome, `try again after ${new Date(now() + asked).toISOString()}`);
    const backoff = Math.min(mostBackoffMs, firstDelayMs * 2 ** tries) * (0.5 + random() / 2);
    await sleep(Math.round(asked === undefined ? backoff : asked + random() * 500), this.#request.signal);
    stopIfAborted(this.#request.signal, this.#details());
  }

  #unavailable({ why, said }: Outcome & { readonly kind: "failed" }, when: string): MemoryError {
    const times = this.spent.tries === 1 ? "" : ` in ${this.spent.tries} tries`;
    const message = `${this.#name()} ${why}${times}${this.#quoted(said)}; ${when}, and look whether it runs.`;
    return new MemoryError("model_unavailable", message, this.#details());
  }

  #parsed(body: string | "too_large"): Readonly<Record<string, unknown>> {
    const most = this.#request.mostReplyBytes / 1024 / 1024;
    if (body === "too_large") throw this.noAnswer(`answered more than ${most} MiB; look what runs at that address`);
    const value = parseJson(body);
    if (isObject(value)) return value;
    throw this.noAnswer("answered what is no JSON object; look what runs at that address");
  }

  #name(): string {
    return `The model ${this.#options.model} at ${this.#options.baseUrl}`;
  }

  #quoted(said: string): string {
    const clean = shown(this.#key === undefined ? said : said.replaceAll(this.#key, "[key]"), 200);
    return clean === "" ? "" : `: "${clean}"`;
  }

  /** What was spent, for the details of an error. */
  #details(): Readonly<Record<string, number>> {
    const { requests, tokens } = this.spent;
    if (requests === 0) return { requests, tokens: 0 };
    return tokens === undefined ? { requests } : { requests, tokens: tokens.prompt + tokens.answer };
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\uFEFF/u, ""));
  } catch {
    return undefined;
  }
}

/** What `Retry-After` asks for, as seconds or as a date (RFC 9110, 10.2.3); `undefined` when it is absent or unreadable. */
function retryAfterMs(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? "";
  if (/^\d+(?:\.\d+)?$/u.test(text)) return Number(text) * 1000;
  // Without letters it is no date of HTTP, whatever `Date.parse` makes of it.
  const at = /[A-Za-z]/u.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - now);
}

export interface Sending {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
  /** A larger reply is not read. */
  readonly mostReplyBytes: number;
}

/** How one try ended. `why` is the end of a sentence about the endpoint: "answered 429"; `said` are the endpoint's own words, unchanged. */
export type Outcome =
  | { readonly kind: "answer"; readonly body: string | "too_large" }
  | { readonly kind: "refused"; readonly status: number; readonly why: string; readonly said: string }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly said: string;
      readonly retryAfter: string | undefined;
      readonly again: "later" | "never";
      /** `nothing`: the request did not leave the machine. */
      readonly sent: "nothing" | "maybe_all";
    };

type Failed = Outcome & { readonly kind: "failed" };

const mostErrorText = 4096;

/** One request with a time limit from the first byte sent to the last one read. Follows no redirect. Never throws for what the other side does. */
export async function send(sending: Sending): Promise<Outcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), sending.timeoutMs);
  const signal = sending.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, sending.signal]);
  const secret = sending.key === undefined ? {} : { authorization: `Bearer ${sending.key}` };
  try {
    const response = await sending.fetch(sending.url, {
      method: "POST",
      headers: { "content-type": "application/json", accept: "application/json", "user-agent": "heartwood", ...secret },
      body: sending.body,
      redirect: "manual",
      signal,
      ...withoutFetchLimits(sending.timeoutMs),
    });
    return await outcomeOf(response, sending.mostReplyBytes);
  } catch (error) {
    if (limit.signal.aborted) return failed(`gave no whole answer within ${sending.timeoutMs / 1000} s`);
    const code = codeOf(error);
    return {
      ...failed(`could not be reached, or broke off the connection (${code})`),
      again: /CERT|TLS|SELF_SIGNED/u.test(code) ? "never" : "later",
      sent: wasNeverSent(error) ? "nothing" : "maybe_all",
    };
  } finally {
    clearTimeout(timer);
  }
}

async function outcomeOf(response: Response, mostReplyBytes: number): Promise<Outcome> {
  const { status } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const why = "answered with a redirect, and none is followed; put the address itself into baseUrl";
    return { kind: "refused", status, why, said: "" };
  }
  const body = await readBody(response, mostReplyBytes);
  if (response.ok) return { kind: "answer", body };
  const said = body === "too_large" ? "" : errorText(body);
  const why = `answered ${status}`;
  const isPassing = [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
  // An account without money answers 429 too, and no waiting helps.
  if (!isPassing || said.includes("insufficient_quota")) return { kind: "refused", status, why, said };
  return { ...failed(why), said, retryAfter: response.headers.get("retry-after") ?? undefined };
}

async function readBody(response: Response, mostReplyBytes: number): Promise<string | "too_large"> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > mostReplyBytes) return "too_large";
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

/** What an error says: `error.message` and its codes, else `message` or `detail`, else the text itself. */
function errorText(body: string): string {
  try {
    const value: unknown = JSON.parse(body);
    const error = isObject(value) ? (value["error"] ?? value) : value;
    if (typeof error === "string") return error.slice(0, mostErrorText);
    if (!isObject(error)) return "";
    const parts = ["message", "detail", "code", "type"].map((key) => error[key]);
    const texts = parts.filter((part) => typeof part === "string");
    return texts.join(" ").slice(0, mostErrorText);
  } catch {
    return body.slice(0, mostErrorText);
  }
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

function failed(why: string): Failed {
  return { kind: "failed", why, said: "", retryAfter: undefined, again: "later", sent: "maybe_all" };
}

/** Node's `fetch` gives up when headers or a part of the body take five minutes, whatever its caller's limit (undici's `headersTimeout`, `bodyTimeout`). */
const limitOfFetch = 290_000;

interface Dispatcher {
  dispatch(options: object, handler: object): boolean;
}

/** What to give `fetch` for a try that may take longer than that: its own dispatcher without these two limits. Where there is none, they hold. */
function withoutFetchLimits(timeoutMs: number): object {
  if (timeoutMs < limitOfFetch) return {};
  // The name under which undici keeps its dispatcher, in Node and as a package; proxies are set there too.
  const found: unknown = Reflect.get(globalThis, Symbol.for("undici.globalDispatcher.1"));
  if (!isObject(found) || typeof found["dispatch"] !== "function") return {};
  const inner = found as unknown as Dispatcher;
  const dispatcher: Dispatcher = {
    dispatch: (options, handler) => inner.dispatch({ ...options, headersTimeout: 0, bodyTimeout: 0 }, handler),
  };
  return { dispatcher };
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
