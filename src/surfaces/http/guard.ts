import { timingSafeEqual } from "node:crypto";
import { errorStatuses } from "../../base/error-statuses.ts";
import { MemoryError } from "../../base/errors.ts";
import { sha256 } from "../../base/digest.ts";
import { shown } from "../../text/shown.ts";

/** A request before its body, as it came over the wire. */
export interface RequestHead {
  readonly method: string;
  /** As in the request line: a path and a query. */
  readonly target: string;
  /** Names and values in turn, with repeated names. */
  readonly rawHeaders: readonly string[];
}

export interface Route {
  readonly methods: readonly string[];
  /** `open`: needs no token, because it contains nothing of the memory. */
  readonly access: "open" | "token";
}

export interface GuardRules {
  /** In lower case, each with its port: `127.0.0.1:4319`. */
  readonly hosts: readonly string[];
  readonly routes: ReadonlyMap<string, Route>;
  readonly token: string;
  /** Monotonic milliseconds. */
  elapsedMs(): number;
}

/** A refused request. */
export interface Refusal {
  readonly error: MemoryError;
  readonly headers: Readonly<Record<string, string>>;
}

/** Bytes of a body. */
export const mostBytes = 8 * 1024 * 1024;

const wrongTokens = { most: 20, windowMs: 60_000 } as const;
/** Requests at once, and requests a second after that. */
const requests = { burst: 2_000, aSecond: 500 } as const;

/**
 * Checks the head of each request, always in this order: Host, Origin, route, method, token, rate, the body's type and length. The first failed check
 * answers. Unknown routes and methods are reported without a token, because the routes are public.
 */
export function createGuard(rules: GuardRules): (head: RequestHead) => Refusal | undefined {
  const digest = digestOf(rules.token);
  const isRight = (given: string | undefined): boolean =>
    given !== undefined && timingSafeEqual(digestOf(given), digest);
  const guesses = createWindow(wrongTokens, rules.elapsedMs);
  // Any page of the browser can ask for the open routes, so they have a bucket of their own.
  const buckets = { open: createBucket(requests, rules.elapsedMs), token: createBucket(requests, rules.elapsedMs) };
  return (head) => {
    const { method, target } = head;
    const host = hostOf(head);
    if (host === undefined || !rules.hosts.includes(host)) {
      const allowed = rules.hosts.join(", ");
      return refusal("invalid_host", `The request is for another host; this server answers for ${allowed}.`);
    }
    const origins = valuesOf(head, "origin");
    if (origins.length > 0 && (origins.length > 1 || origins[0] !== `http://${host}`)) {
      return refusal(
        "foreign_origin",
        `The request comes from another page; this server answers its own, http://${host}.`,
      );
    }
    const path = pathOf(target);
    const route = rules.routes.get(path);
    if (route === undefined) {
      return refusal("not_found", `There is no ${shown(path, 100)}; GET /v1/openapi.json lists the routes.`);
    }
    if (!route.methods.includes(method)) {
      const allow = route.methods.join(", ");
      return refusal("method_not_allowed", `${path} takes ${allow}, not ${shown(method, 20)}.`, { allow });
    }
    if (route.access === "token" && !isRight(tokenOf(head))) {
      const waitMs = guesses.countOne();
      if (waitMs > 0) return tooMany("There were too many wrong tokens", waitMs);
      const message = "The token is missing or wrong; send the one that heartwood serve printed, as a bearer token.";
      return refusal("unauthorized", message, { "www-authenticate": "Bearer" });
    }
    const waitMs = buckets[route.access].takeOne();
    if (waitMs > 0) return tooMany("There are too many requests", waitMs);
    return method === "POST" ? bodyRefusal(head) : undefined;
  };
}

/** What is wrong with the announced body. */
function bodyRefusal(head: RequestHead): Refusal | undefined {
  const [length = "0", ...more] = valuesOf(head, "content-length");
  const isChunked = valuesOf(head, "transfer-encoding").length > 0;
  if (!isChunked && more.length === 0 && Number(length) === 0) return undefined;
  const types = valuesOf(head, "content-type");
  const isJson = types.length === 1 && /^application\/json\s*(?:;\s*charset="?utf-8"?\s*)?$/iu.test(types[0] ?? "");
  if (!isJson || valuesOf(head, "content-encoding").length > 0) {
    const message = "The body is not plain JSON; send it as application/json, in UTF-8 and not compressed.";
    return refusal("unsupported_content", message);
  }
  return Number(length) > mostBytes ? { error: tooLarge(), headers: {} } : undefined;
}

export function tooLarge(): MemoryError {
  return new MemoryError("too_large", `The body is longer than ${mostBytes} bytes; send less at once.`);
}

function tooMany(what: string, waitMs: number): Refusal {
  const seconds = Math.ceil(waitMs / 1000);
  return refusal("too_many_requests", `${what}; wait ${seconds} s.`, { "retry-after": String(seconds) });
}

type RefusalCode = Extract<
  keyof typeof errorStatuses,
  | "invalid_host"
  | "foreign_origin"
  | "not_found"
  | "method_not_allowed"
  | "unauthorized"
  | "too_many_requests"
  | "unsupported_content"
>;

function refusal(code: RefusalCode, message: string, headers: Refusal["headers"] = {}): Refusal {
  return { error: new MemoryError(code, message), headers };
}

/** The path of a target, as sent: no route needs decoding. */
function pathOf(target: string): string {
  const end = target.search(/[?#]/u);
  return end < 0 ? target : target.slice(0, end);
}

/** `undefined` if the header is missing or repeated, or if the target names a host too. */
function hostOf(head: RequestHead): string | undefined {
  const [host, ...more] = valuesOf(head, "host");
  if (more.length > 0 || /^[a-z][a-z0-9+.-]*:/iu.test(head.target)) return undefined;
  return host?.toLowerCase();
}

function tokenOf(head: RequestHead): string | undefined {
  const [value = "", ...more] = valuesOf(head, "authorization");
  return more.length > 0 ? undefined : /^Bearer +([A-Za-z0-9_-]+)$/iu.exec(value)?.[1];
}

function valuesOf({ rawHeaders }: RequestHead, name: string): readonly string[] {
  return rawHeaders.filter((_, at) => at % 2 === 1 && rawHeaders[at - 1]?.toLowerCase() === name);
}

/** Of equal length for any two tokens, so that comparing them takes equally long. */
function digestOf(token: string): Uint8Array {
  return Buffer.from(sha256(token), "hex");
}

/** Counts events within a span of time. `countOne` returns how long the next one has to wait. */
function createWindow({ most, windowMs }: typeof wrongTokens, elapsedMs: () => number) {
  let times: readonly number[] = [];
  return {
    countOne: (): number => {
      const now = elapsedMs();
      times = times.filter((time) => time > now - windowMs);
      if (times.length >= most) return (times[0] ?? now) + windowMs - now;
      times = [...times, now];
      return 0;
    },
  };
}

function createBucket({ burst, aSecond }: typeof requests, elapsedMs: () => number) {
  let [left, last] = [burst as number, elapsedMs()];
  return {
    takeOne: (): number => {
      const now = elapsedMs();
      left = Math.min(burst, left + ((now - last) * aSecond) / 1000);
      last = now;
      if (left < 1) return ((1 - left) * 1000) / aSecond;
      left -= 1;
      return 0;
    },
  };
}
