import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openTestMemory } from "../fixtures/memory.ts";
import { sendRaw, serveMemory, token, type ServedInTest } from "../fixtures/http-server.ts";

/**
 * Every combination of Host, Origin, method and token on one route, against a real server over raw sockets. The status that each must have comes from
 * the rule below, which knows nothing of the code: the first thing that is wrong, in this order, decides.
 */
interface Case {
  readonly name: string;
  /** The header lines; `PORT` is the server's port. */
  readonly lines: readonly string[];
  readonly is: "right" | "wrong";
}

const hosts: readonly (Case & { readonly own?: string })[] = [
  { name: "127.0.0.1", lines: ["Host: 127.0.0.1:PORT"], is: "right", own: "http://127.0.0.1:PORT" },
  { name: "localhost", lines: ["Host: localhost:PORT"], is: "right", own: "http://localhost:PORT" },
  { name: "[::1]", lines: ["Host: [::1]:PORT"], is: "right", own: "http://[::1]:PORT" },
  { name: "another name, as after DNS rebinding", lines: ["Host: evil.example:PORT"], is: "wrong" },
  { name: "another port", lines: ["Host: 127.0.0.1:1"], is: "wrong" },
  { name: "none", lines: [], is: "wrong" },
  { name: "two", lines: ["Host: 127.0.0.1:PORT", "Host: evil.example"], is: "wrong" },
];

/** `OWN` is the origin of the host. */
const origins: readonly Case[] = [
  { name: "none", lines: [], is: "right" },
  { name: "its own", lines: ["Origin: OWN"], is: "right" },
  { name: "null", lines: ["Origin: null"], is: "wrong" },
  { name: "another site", lines: ["Origin: https://evil.example"], is: "wrong" },
  { name: "its own with TLS", lines: ["Origin: https://127.0.0.1:PORT"], is: "wrong" },
  { name: "another port of this machine", lines: ["Origin: http://127.0.0.1:1"], is: "wrong" },
];

const methods = ["POST", "GET", "OPTIONS", "DELETE", "TRACE"] as const;

const tokens: readonly Case[] = [
  { name: "right", lines: [`Authorization: Bearer ${token}`], is: "right" },
  { name: "wrong", lines: [`Authorization: Bearer ${"x".repeat(43)}`], is: "wrong" },
  { name: "none", lines: [], is: "wrong" },
];

const cases = hosts.flatMap((host) =>
  origins.flatMap((origin) => methods.flatMap((method) => tokens.map((given) => ({ host, origin, method, given })))),
);

function statusOf({ host, origin, method, given }: (typeof cases)[number]): number {
  if (host.is === "wrong") return 421;
  if (origin.is === "wrong") return 403;
  if (method !== "POST") return 405;
  return given.is === "wrong" ? 401 : 200;
}

describe("the security matrix", () => {
  let server: ServedInTest;
  beforeAll(async () => {
    server = await serveMemory(openTestMemory().memory);
  });
  afterAll(() => server.close());

  test("has 630 cases", () => {
    expect(cases.length).toBe(630);
    expect(new Set(cases.map(statusOf))).toEqual(new Set([200, 401, 403, 405, 421]));
  });

  test("has the exact status in every case, and no answer tells a browser that another page may read it", async () => {
    const wrong: string[] = [];
    for (const one of cases) {
      const { host, origin, method, given } = one;
      const own = host.own ?? "http://127.0.0.1:PORT";
      const lines = [`${method} /v1/thread.list HTTP/1.1`, ...host.lines, ...origin.lines, ...given.lines];
      const head = [...lines, "Connection: close", "", ""].join("\r\n");
      const answer = await sendRaw(server.port, head.replaceAll("OWN", own).replaceAll("PORT", `${server.port}`));
      const problems = [
        answer.status === statusOf(one) ? "" : `${answer.status} instead of ${statusOf(one)}`,
        ...[...answer.headers.keys()].filter((name) => name.startsWith("access-control-") || name === "set-cookie"),
        answer.headers.get("cache-control") === "no-store" ? "" : "may be cached",
        answer.status === 401 && answer.headers.get("www-authenticate") !== "Bearer" ? "no WWW-Authenticate" : "",
        answer.status === 405 && answer.headers.get("allow") !== "POST" ? "no Allow" : "",
        answer.body.includes(token) ? "repeats the token" : "",
      ].filter((problem) => problem !== "");
      if (problems.length > 0)
        wrong.push(`Host ${host.name}, Origin ${origin.name}, ${method}, token ${given.name}: ${problems.join(", ")}`);
    }
    expect(wrong).toEqual([]);
  });
});

describe("over a raw socket", () => {
  let server: ServedInTest;
  beforeAll(async () => {
    server = await serveMemory(openTestMemory().memory);
  });
  afterAll(() => server.close());

  const send = (lines: readonly string[], body: string | Uint8Array = ""): ReturnType<typeof sendRaw> =>
    sendRaw(
      server.port,
      Buffer.concat([
        Buffer.from([...lines, "", ""].join("\r\n").replaceAll("PORT", `${server.port}`)),
        Buffer.from(body),
      ]),
    );
  const own = ["Host: 127.0.0.1:PORT", "Connection: close"];
  const bearer = `Authorization: Bearer ${token}`;

  test.each([
    ["an absolute target", ["GET http://evil.example/ HTTP/1.1", ...own], 421],
    ["an absolute target of its own", ["GET http://127.0.0.1:PORT/ HTTP/1.1", ...own], 421],
    ["the target *", ["OPTIONS * HTTP/1.1", ...own], 404],
    ["a path with ..", ["GET /assets/../../../etc/passwd HTTP/1.1", ...own], 404],
    ["an encoded path with ..", ["GET /assets/%2e%2e%2f%2e%2e%2fetc/passwd HTTP/1.1", ...own], 404],
    ["a second slash", ["POST //v1/thread.list HTTP/1.1", ...own, bearer], 404],
    ["an encoded route", ["POST /v1/thread%2elist HTTP/1.1", ...own, bearer], 404],
    ["HTTP/1.0 without Host", ["GET / HTTP/1.0"], 421],
    ["two origins", ["GET / HTTP/1.1", ...own, "Origin: http://127.0.0.1:PORT", "Origin: http://127.0.0.1:PORT"], 403],
    ["two tokens", ["POST /v1/thread.list HTTP/1.1", ...own, bearer, bearer], 401],
    ["another scheme", ["POST /v1/thread.list HTTP/1.1", ...own, `Authorization: Basic ${token}`], 401],
    ["a token in the query", [`POST /v1/thread.list?token=${token} HTTP/1.1`, ...own], 401],
    ["a token in a cookie", ["POST /v1/thread.list HTTP/1.1", ...own, `Cookie: token=${token}`], 401],
    ["no token for changes", ["GET /v1/changes HTTP/1.1", ...own], 401],
    ["no token for MCP", ["POST /mcp HTTP/1.1", ...own], 401],
    ["no token for OpenAPI", ["GET /v1/openapi.json HTTP/1.1", ...own], 401],
    ["the page without a token", ["GET / HTTP/1.1", ...own], 200],
    ["the head of the page", ["HEAD / HTTP/1.1", ...own], 200],
    ["bytes that are not HTTP", ["hello"], 400],
    ["a header that is too long", ["GET / HTTP/1.1", ...own, `X-Long: ${"x".repeat(20_000)}`], 400],
    ["two lengths", ["POST /v1/thread.list HTTP/1.1", ...own, bearer, "Content-Length: 2", "Content-Length: 3"], 400],
    [
      "a length and chunks",
      ["POST /v1/thread.list HTTP/1.1", ...own, bearer, "Content-Length: 2", "Transfer-Encoding: chunked"],
      400,
    ],
    [
      "a body of another type",
      ["POST /v1/thread.list HTTP/1.1", ...own, bearer, "Content-Type: text/plain", "Content-Length: 2"],
      415,
    ],
    ["a body without a type", ["POST /v1/thread.list HTTP/1.1", ...own, bearer, "Content-Length: 2"], 415],
    [
      "a compressed body",
      [
        "POST /v1/thread.list HTTP/1.1",
        ...own,
        bearer,
        "Content-Type: application/json",
        "Content-Encoding: gzip",
        "Content-Length: 2",
      ],
      415,
    ],
    [
      "a body that is announced too long",
      [
        "POST /v1/thread.list HTTP/1.1",
        ...own,
        bearer,
        "Content-Type: application/json",
        "Content-Length: 8388609",
        "Expect: 100-continue",
      ],
      413,
    ],
  ] as const)("%s is answered as it should be", async (_, lines, status) => {
    const answer = await send(lines, lines.some((line) => line.startsWith("Content-Length")) ? "{}" : "");
    expect(answer.status).toBe(status);
    expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
  });

  test("a body that is too long without saying so is refused", async () => {
    const chunk = `10000\r\n${"x".repeat(0x10000)}\r\n`;
    const head = ["POST /v1/thread.list HTTP/1.1", ...own, bearer, "Content-Type: application/json"];
    const answer = await send([...head, "Transfer-Encoding: chunked"], chunk.repeat(129));
    expect(answer.status).toBe(413);
    expect(JSON.parse(answer.body.slice(answer.body.indexOf("{"), answer.body.lastIndexOf("}") + 1))).toMatchObject({
      error: { code: "too_large" },
    });
  });

  test("every answer has the same security headers, refused or not", async () => {
    const [page, refused] = [await send(["GET / HTTP/1.1", ...own]), await send(["GET /v1/no HTTP/1.1", ...own])];
    for (const { headers } of [page, refused]) {
      expect(headers.get("content-security-policy")).toContain("default-src 'none'; script-src 'self'");
      expect(headers.get("referrer-policy")).toBe("no-referrer");
      expect(headers.get("cross-origin-opener-policy")).toBe("same-origin");
      expect(headers.get("cross-origin-resource-policy")).toBe("same-origin");
      expect(headers.get("server")).toBeUndefined();
      expect(headers.get("x-powered-by")).toBeUndefined();
    }
  });
});
