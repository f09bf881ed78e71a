import { describe, expect, test } from "vitest";
import { createGuard, type RequestHead } from "./guard.ts";

const token = "t".repeat(43);
const host = "127.0.0.1:4319";

function guardAt(now: () => number) {
  return createGuard({
    hosts: [host],
    routes: new Map([
      ["/", { methods: ["GET", "HEAD"], access: "open" }],
      ["/v1/thread.list", { methods: ["POST"], access: "token" }],
    ]),
    token,
    elapsedMs: now,
  });
}

function head(method: string, target: string, headers: Readonly<Record<string, string>>): RequestHead {
  return { method, target, rawHeaders: Object.entries({ Host: host, ...headers }).flat() };
}

const call = (headers: Readonly<Record<string, string>> = {}): RequestHead =>
  head("POST", "/v1/thread.list", { Authorization: `Bearer ${token}`, ...headers });

describe("the guard", () => {
  test("lets a right request through, with and without a body", () => {
    const guard = guardAt(() => 0);
    expect(guard(call())).toBeUndefined();
    expect(guard(call({ "content-type": "application/json; charset=utf-8", "content-length": "2" }))).toBeUndefined();
    expect(guard(call({ authorization: `bearer  ${token}` }))?.error.code).toBe("unauthorized");
    expect(guard({ ...call(), rawHeaders: ["host", host, "authorization", `bearer  ${token}`] })).toBeUndefined();
  });

  test("requests without a token do not use up those of the page", () => {
    const guard = guardAt(() => 0);
    for (let at = 0; at < 10_000; at++) guard(head("GET", "/", {}));
    expect(guard(head("GET", "/", {}))?.error.code).toBe("too_many_requests");
    expect(guard(call())).toBeUndefined();
  });

  test("takes a host in any case, and needs it exactly once", () => {
    const guard = guardAt(() => 0);
    expect(guard(head("GET", "/", {}))).toBeUndefined();
    for (const rawHeaders of [[], ["Host", ""], ["Host", "127.0.0.1"], ["Host", host, "host", host]])
      expect(guard({ method: "GET", target: "/", rawHeaders })?.error.code).toBe("invalid_host");
  });

  test.each(["", "Bearer", "Bearer ", `Bearer ${token}x`, `Bearer ${token.slice(1)}`, token, `Bearer ${token} x`])(
    "refuses the authorization %j",
    (authorization) => {
      const refused = guardAt(() => 0)(call({ Authorization: authorization }));
      expect(refused?.error.code).toBe("unauthorized");
      expect(refused?.error.message).not.toContain(token);
    },
  );

  test("answers the 21st wrong token in a minute with the time to wait, but the right one at any time", () => {
    let now = 0;
    const guard = guardAt(() => now);
    const guess = () => guard(call({ Authorization: `Bearer ${"x".repeat(43)}` }));
    for (let at = 0; at < 20; at++, now += 1000) expect(guess()?.error.code).toBe("unauthorized");
    expect(guess()?.error.code).toBe("too_many_requests");
    expect(guess()?.headers).toEqual({ "retry-after": "40" });
    expect(guard(call())).toBeUndefined();
    now = 60_000;
    expect(guess()?.error.code).toBe("unauthorized");
    expect(guess()?.error.code).toBe("too_many_requests");
  });

  test("limits requests, and lets more through as time passes", () => {
    let now = 0;
    const guard = guardAt(() => now);
    for (let at = 0; at < 2_000; at++) expect(guard(call())).toBeUndefined();
    expect(guard(call())).toMatchObject({ error: { code: "too_many_requests" }, headers: { "retry-after": "1" } });
    now = 10;
    for (let at = 0; at < 5; at++) expect(guard(call())).toBeUndefined();
    expect(guard(call())?.error.code).toBe("too_many_requests");
  });
});
