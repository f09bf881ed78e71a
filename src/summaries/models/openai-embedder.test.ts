import { MemoryError } from "../../base/errors.ts";
import { type OpenAiEmbedderOptions, createOpenAiEmbedder } from "./openai-compatible.ts";
import { describeEmbedder } from "../../testing/index.ts";
import { type ModelServer, type ScriptedAnswer, openModelServer } from "../../../test/fixtures/model-server.ts";
import { afterEach, describe, expect, it, test } from "vitest";

/** Real `fetch` and a real server on loopback; waits between tries are recorded instead of slept. */
const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

/** Vectors that depend only on the text, returned in reverse order. */
const good: ScriptedAnswer = ({ text }) => {
  const { input } = JSON.parse(text) as { readonly input: readonly string[] };
  const data = input.map((each, index) => ({
    index,
    embedding: [...each].slice(0, 40).reduce(mixed, Array(8).fill(0.1)),
  }));
  return { body: { data: data.toReversed() } };
};

function mixed(parts: readonly number[], char: string, at: number): readonly number[] {
  return parts.map((part, index) => part + Math.sin((char.codePointAt(0) ?? 0) * (index + 1) + at));
}

async function openScene(script: ScriptedAnswer, options: Partial<OpenAiEmbedderOptions> = {}) {
  const server = await openModelServer(script);
  servers.push(server);
  const waits: number[] = [];
  const embedder = createOpenAiEmbedder({
    id: "openai-embedder-1:stand-in",
    model: "stand-in",
    baseUrl: server.baseUrl,
    timeoutMs: 5000,
    retries: 2,
    key: async () => undefined,
    outside: { sleep: async (ms) => void waits.push(ms), random: () => 0.5 },
    ...options,
  });
  const embed = (texts: readonly string[], signal?: AbortSignal) =>
    embedder.embed(texts, { purpose: "passage", ...(signal === undefined ? {} : { signal }) });
  const fail = async (): Promise<MemoryError> => {
    const error: unknown = await embed(["one"]).catch((cause: unknown) => cause);
    if (error instanceof MemoryError) return error;
    throw new Error(`no MemoryError but ${String(error)}`);
  };
  return { server, embedder, waits, embed, fail };
}

describeEmbedder(
  {
    name: "openai-embedder",
    create: async () => {
      const { embedder, server } = await openScene(good);
      return { embedder, close: () => server.close() };
    },
  },
  { describe, it, expect },
);

describe("requests", () => {
  test("send 64 texts at a time, with the prefix for the purpose, and the key only in a header", async () => {
    const { server, embedder } = await openScene(good, {
      key: async () => "key-of-a-person",
      prefixes: { query: "query: ", passage: "passage: " },
    });
    await embedder.embed(
      Array.from({ length: 65 }, (_, index) => `text ${index}`),
      { purpose: "query" },
    );
    const bodies = server.requests.map(({ text }) => JSON.parse(text) as { model: string; input: string[] });
    expect(bodies.map(({ input }) => input.length)).toEqual([64, 1]);
    expect(bodies[1]).toEqual({ model: "stand-in", input: ["query: text 64"], encoding_format: "float" });
    expect(server.requests[0]?.url).toBe("/v1/embeddings");
    expect(server.requests[0]?.headers["authorization"]).toBe("Bearer key-of-a-person");
    expect(server.requests.every(({ text }) => !text.includes("key-of-a-person"))).toBe(true);
  });

  test("never contain blank texts, and are not sent if all texts are blank", async () => {
    const { server, embed } = await openScene(good);
    expect(await embed([" ", ""])).toEqual([new Int8Array(0), new Int8Array(0)]);
    expect(server.requests).toEqual([]);
  });

  test("contain long texts only up to the limit", async () => {
    const { server, embed } = await openScene(good);
    await embed(["a".repeat(100_000)]);
    expect(server.requests[0]?.text.length).toBeLessThan(8200);
  });
});

describe("replies", () => {
  test("a busy endpoint is asked again after growing waits, or when it says", async () => {
    const { server, waits, embed } = await openScene({ status: 503 });
    server.answer({ status: 503 }, { status: 429, headers: { "retry-after": "7" } }, good);
    expect((await embed(["one"])).length).toBe(1);
    expect(waits).toEqual([750, 7250]);
  });

  test.each([
    ["stays busy", { status: 503 }, "model_unavailable", 3],
    ["is busy for an hour", { status: 429, headers: { "retry-after": "3600" } }, "model_unavailable", 1],
    ["closes the connection", { fault: "before_headers" }, "model_unavailable", 3],
    ["closes the connection in the body", { body: "[1, 2, 3]", fault: "in_body" }, "model_unavailable", 3],
    ["rejects the key", { status: 401, body: { error: "no" } }, "model_refused", 1],
    ["redirects", { status: 307, headers: { location: "http://127.0.0.1:9/v1/embeddings" } }, "model_refused", 1],
    ["returns no JSON", { body: "hello" }, "model_answer", 1],
    ["returns no vectors", { body: { data: [{ index: 0, embedding: "AAAA" }] } }, "model_answer", 1],
    ["returns values that are not numbers", { body: '{"data":[{"index":0,"embedding":[1,null]}]}' }, "model_answer", 1],
    ["returns too few vectors", { body: { data: [] } }, "model_answer", 1],
  ] as const)("an endpoint that %s fails with its own code", async (_, answer, code, requests) => {
    const { server, fail } = await openScene(answer);
    expect((await fail()).code).toBe(code);
    expect(server.requests.length).toBe(requests);
  });

  test("vectors of a different length than before are rejected", async () => {
    const { server, embed, fail } = await openScene(good);
    await embed(["one"]);
    server.answer({ body: { data: [{ index: 0, embedding: [1, 2] }] } });
    expect((await fail()).message).toContain("vectors of different lengths (2 and 8)");
  });

  test("no error contains the key", async () => {
    const { fail } = await openScene(
      { status: 401, body: "wrong key: key-of-a-person" },
      { key: async () => "key-of-a-person" },
    );
    const { message } = await fail();
    expect(message).toContain("[key]");
    expect(message).not.toContain("key-of-a-person");
  });

  test("a time limit ends a try, and a signal ends all tries", async () => {
    const slow = await openScene({ fault: "never_headers" }, { timeoutMs: 60, retries: 0 });
    expect((await slow.fail()).message).toContain("within 0.06 s");
    const stop = new AbortController();
    const { embed } = await openScene({ fault: "never_headers" });
    setTimeout(() => stop.abort(), 40);
    await expect(embed(["one"], stop.signal)).rejects.toMatchObject({ code: "aborted" });
  });
});
