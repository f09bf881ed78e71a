import type { OperationName, ResultOf } from "../../src/operations/table.ts";

export type { OperationName, ResultOf };

/** What an operation returns. A stream of lines is read whole. */
export type Answer<Name extends OperationName> =
  ResultOf<Name> extends AsyncIterable<string> ? readonly string[] : ResultOf<Name>;

export type Input = Readonly<Record<string, string | number | boolean | null | undefined>>;

/** An error of the server, or `unreachable` if it did not answer. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: string;
  readonly status: number;

  constructor(code: string, message: string, status: number) {
    super(message);
    this.code = code;
    this.status = status;
  }
}

const kept = "heartwood-token";

/** Takes the token from the address, where `heartwood serve` puts it, and removes it from there. */
export function takeToken(): "taken" | "none" {
  const token = /^#token=([\w-]{43,})$/u.exec(location.hash)?.[1];
  if (token === undefined) return "none";
  sessionStorage.setItem(kept, token);
  history.replaceState(null, "", location.pathname);
  return "taken";
}

export function hasToken(): boolean {
  return sessionStorage.getItem(kept) !== null;
}

function headers(): Record<string, string> {
  return { Authorization: `Bearer ${sessionStorage.getItem(kept) ?? ""}` };
}

async function request(path: string, options: RequestInit): Promise<Response> {
  const response = await fetch(path, { ...options, headers: { ...headers(), ...options.headers } }).catch(
    (error: unknown) => {
      if (error instanceof DOMException && error.name === "AbortError") throw error;
      throw new ApiError("unreachable", "The server does not answer. Is heartwood serve still running?", 0);
    },
  );
  if (response.ok) return response;
  const body: unknown = await response.json().catch(() => undefined);
  const { code = "internal", message = `The server answered ${response.status}.` } =
    (body as { error?: { code?: string; message?: string } } | undefined)?.error ?? {};
  throw new ApiError(code, message, response.status);
}

/** Runs an operation. Errors: `ApiError`, and `AbortError` if the signal is aborted. */
export async function call<Name extends OperationName>(
  name: Name,
  input: Input = {},
  signal?: AbortSignal,
): Promise<Answer<Name>> {
  const given = Object.fromEntries(Object.entries(input).filter(([, value]) => value !== undefined));
  const response = await request(`/v1/${name}`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(given),
    ...(signal && { signal }),
  });
  if (response.headers.get("Content-Type")?.startsWith("application/x-ndjson")) {
    const lines = (await response.text()).split("\n").filter((line) => line !== "");
    return lines as unknown as Answer<Name>;
  }
  return ((await response.json()) as { result: Answer<Name> }).result;
}

/** One server-sent event. */
export interface ServerEvent {
  readonly id: string;
  readonly event: string;
  readonly data: string;
}

/** Milliseconds before a cut stream is opened again. */
const retry = 1_000;

/** Asking again gives the same error. */
function isFinal({ status }: ApiError): boolean {
  return status >= 400 && status < 500 && status !== 429;
}

/**
 * Reads server-sent events until the signal is aborted, and resumes after the last one when the connection is cut. `EventSource` cannot send a token.
 * `onState` reports whether the connection stands.
 */
export async function follow(
  path: string,
  given: {
    readonly signal: AbortSignal;
    readonly from?: string;
    readonly onEvent: (event: ServerEvent) => void;
    readonly onState?: (state: "open" | "cut") => void;
  },
): Promise<void> {
  let last = given.from;
  while (!given.signal.aborted) {
    try {
      const more = last === undefined ? {} : { "Last-Event-ID": last };
      const response = await request(path, { headers: { Accept: "text/event-stream", ...more }, signal: given.signal });
      given.onState?.("open");
      for await (const event of eventsIn(response)) {
        if (event.id !== "") last = event.id;
        given.onEvent(event);
      }
    } catch (error) {
      if (given.signal.aborted) return;
      if (error instanceof ApiError && isFinal(error)) return given.onState?.("cut");
    }
    given.onState?.("cut");
    await new Promise((resolve) => setTimeout(resolve, retry));
  }
}

async function* eventsIn(response: Response): AsyncGenerator<ServerEvent> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done = true, value = "" } = (await reader?.read()) ?? {};
    if (done) return;
    const parts = (rest + value).split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const fields = part.split("\n").map((line) => /^(\w+): ?(.*)$/u.exec(line)?.slice(1) ?? []);
      const all = (name: string) => fields.filter(([key]) => key === name).map(([, text = ""]) => text);
      const data = all("data");
      if (data.length > 0) yield { id: all("id")[0] ?? "", event: all("event")[0] ?? "message", data: data.join("\n") };
    }
  }
}
