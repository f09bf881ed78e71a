import { expect, test } from "vitest";
import { wasNeverSent } from "./errors.ts";

function failed(cause: object): Error {
  return new TypeError("fetch failed", { cause: Object.assign(new Error("cause"), cause) });
}

test("a request was never sent if the host was unresolved, the connection failed or the certificate was invalid", () => {
  expect(wasNeverSent(failed({ code: "ECONNREFUSED", syscall: "connect" }))).toBe(true);
  expect(wasNeverSent(failed({ code: "ENOTFOUND", syscall: "getaddrinfo" }))).toBe(true);
  expect(wasNeverSent(failed({ code: "UND_ERR_CONNECT_TIMEOUT" }))).toBe(true);
  expect(wasNeverSent(failed({ code: "DEPTH_ZERO_SELF_SIGNED_CERT" }))).toBe(true);
});

test("in doubt a request may have been sent", () => {
  expect(wasNeverSent(failed({ code: "ECONNRESET", syscall: "read" }))).toBe(false);
  expect(wasNeverSent(failed({ code: "UND_ERR_SOCKET" }))).toBe(false);
  expect(wasNeverSent(new Error("other"))).toBe(false);
  expect(wasNeverSent("text")).toBe(false);
});

test("with several addresses, all must have failed before sending", () => {
  const refused = Object.assign(new Error("refused"), { code: "ECONNREFUSED", syscall: "connect" });
  const reset = Object.assign(new Error("reset"), { code: "ECONNRESET", syscall: "read" });
  const of = (...errors: readonly Error[]): Error => new TypeError("x", { cause: new AggregateError(errors) });
  expect(wasNeverSent(of(refused, refused))).toBe(true);
  expect(wasNeverSent(of(refused, reset))).toBe(false);
});
