import { setTimeout as pause } from "node:timers/promises";
import { MemoryError, stopIfAborted } from "../../../base/errors.ts";
import { shown } from "../../../text/shown.ts";
import { isObject, send, type Outcome } from "./send.ts";

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

export interface EndpointRequest {
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
