/** Texts and vectors of one batch stay far below it. */
const mostReplyBytes = 32 * 1024 * 1024;
const mostErrorText = 4096;

export interface Sending {
  readonly fetch: typeof globalThis.fetch;
  readonly url: string;
  readonly body: string;
  readonly key: string | undefined;
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/** How one try ended. `why` is the end of a sentence about the endpoint; `said` are its own words, as they came. */
export type TryOutcome =
  | { readonly kind: "answer"; readonly value: unknown }
  | { readonly kind: "refused"; readonly why: string; readonly said: string }
  | { readonly kind: "failed"; readonly why: string; readonly said: string; readonly waitMs?: number };

/** One request with its time limit, from the first byte sent to the last one read. Follows no redirect. Never throws for what the other side does. */
export async function send(sending: Sending): Promise<TryOutcome> {
  const limit = AbortSignal.timeout(sending.timeoutMs);
  const signal = sending.signal === undefined ? limit : AbortSignal.any([limit, sending.signal]);
  const headers = { "content-type": "application/json", accept: "application/json", "user-agent": "heartwood" };
  const secret = sending.key === undefined ? {} : { authorization: `Bearer ${sending.key}` };
  try {
    const response = await sending.fetch(sending.url, {
      method: "POST",
      headers: { ...headers, ...secret },
      body: sending.body,
      redirect: "manual",
      signal,
    });
    return await outcomeOf(response);
  } catch (error) {
    const why = limit.aborted
      ? `gave no whole answer within ${sending.timeoutMs / 1000} s`
      : `could not be reached, or broke off the connection (${codeOf(error)})`;
    return { kind: "failed", why, said: "" };
  }
}

async function outcomeOf(response: Response): Promise<TryOutcome> {
  const { status } = response;
  if (status === 0 || (status >= 300 && status < 400)) {
    await response.body?.cancel();
    const why = "answered with a redirect, and none is followed; put the address itself into baseUrl";
    return { kind: "refused", why, said: "" };
  }
  const body = await readBody(response);
  if (body === undefined) return { kind: "refused", why: `gave more than ${mostReplyBytes} bytes`, said: "" };
  if (response.ok) return { kind: "answer", value: parsed(body) };
  const said = body.slice(0, mostErrorText);
  const isPassing = [408, 425, 429].includes(status) || (status >= 500 && ![501, 505].includes(status));
  if (!isPassing) return { kind: "refused", why: `answered ${status}`, said };
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
  const waiting = seconds >= 0 ? { waitMs: seconds * 1000 } : {};
  return { kind: "failed", why: `answered ${status}`, said, ...waiting };
}

async function readBody(response: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > mostReplyBytes) return undefined;
    chunks.push(chunk);
  }
  return new TextDecoder().decode(Buffer.concat(chunks));
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body);
  } catch {
    return undefined;
  }
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
