import { wasNeverSent } from "../../base/never-sent.ts";
import { isObject } from "./json.ts";
import { otherForm, type RequestForm } from "./body.ts";
import { patience } from "./patience.ts";

/** A larger reply is no summary. */
export const mostReplyBytes = 4 * 1024 * 1024;
/** Of the text of an error: more is not looked at. */
const mostErrorText = 4096;

export interface Sending {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly body: string;
  readonly form: RequestForm;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How one try ended. `why` is the beginning of a sentence's end: "answered 429", "broke off the connection (ECONNRESET)". */
export type TryOutcome =
  | { readonly kind: "answer"; readonly body: string | "too_large" }
  | { readonly kind: "other_form"; readonly form: RequestForm }
  | { readonly kind: "refused"; readonly why: string; readonly said: string }
  | {
      readonly kind: "failed";
      readonly why: string;
      readonly said: string;
      readonly retryAfter: string | undefined;
      readonly again: "later" | "never";
      /** `nothing`: the request did not leave the machine. */
      readonly sent: "nothing" | "maybe_all";
    };

/** One request with its time limit, from the first byte sent to the last one read. Never throws for what the other side does. */
export async function send(sending: Sending): Promise<TryOutcome> {
  const limit = new AbortController();
  const timer = setTimeout(() => limit.abort(), sending.timeoutMs);
  const signal = sending.signal === undefined ? limit.signal : AbortSignal.any([limit.signal, sending.signal]);
  try {
    const response = await sending.fetch(sending.url, {
      method: "POST",
      headers: headersOf(sending.key),
      body: sending.body,
      redirect: "manual",
      signal,
      ...patience(sending.timeoutMs),
    });
    return await outcomeOf(response, sending.form);
  } catch (error) {
    if (limit.signal.aborted) return failed(`gave no whole answer within ${sending.timeoutMs / 1000} s`, "later");
    return lost(error);
  } finally {
    clearTimeout(timer);
  }
}

function headersOf(key: string | undefined): Record<string, string> {
  const usual = { "content-type": "application/json", accept: "application/json", "user-agent": "heartwood" };
  return key === undefined ? usual : { ...usual, authorization: `Bearer ${key}` };
}

async function outcomeOf(response: Response, form: RequestForm): Promise<TryOutcome> {
  const { status } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    return {
      kind: "refused",
      why: "answered with a redirect, and none is followed; put the address itself into baseUrl",
      said: "",
    };
  }
  const body = await readBody(response);
  if (response.ok) return { kind: "answer", body };
  const said = body === "too_large" ? "" : errorText(body);
  const other = status === 400 || status === 422 ? otherForm(form, said) : undefined;
  if (other !== undefined) return { kind: "other_form", form: other };
  const why = `answered ${status}`;
  const isPassing = [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
  // An account without money answers 429 too, and no waiting helps.
  if (!isPassing || said.includes("insufficient_quota")) return { kind: "refused", why, said };
  return { ...failed(why, "later"), said, retryAfter: response.headers.get("retry-after") ?? undefined };
}

async function readBody(response: Response): Promise<string | "too_large"> {
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
    return parts
      .filter((part) => typeof part === "string")
      .join(" ")
      .slice(0, mostErrorText);
  } catch {
    return body.slice(0, mostErrorText);
  }
}

function lost(error: unknown): TryOutcome {
  const code = codeOf(error);
  const isCertificate = /CERT|TLS|SELF_SIGNED/u.test(code);
  const outcome = failed(
    `could not be reached, or broke off the connection (${code})`,
    isCertificate ? "never" : "later",
  );
  return wasNeverSent(error) ? { ...outcome, sent: "nothing" } : outcome;
}

/** `fetch` puts the reason into `cause`, sometimes of several addresses. */
function codeOf(error: unknown): string {
  for (let cause = error, depth = 0; cause instanceof Error && depth < 4; depth++) {
    const { code } = cause as NodeJS.ErrnoException;
    if (typeof code === "string" && /^[A-Z][A-Z0-9_]*$/u.test(code)) return code;
    cause = cause instanceof AggregateError ? cause.errors[0] : cause.cause;
  }
  return "unknown error";
}

function failed(why: string, again: "later" | "never"): TryOutcome & { readonly kind: "failed" } {
  return { kind: "failed", why, said: "", retryAfter: undefined, again, sent: "maybe_all" };
}
