import { wasNeverSent } from "../../../base/errors.ts";

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
