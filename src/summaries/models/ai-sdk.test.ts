import { afterEach, describe, expect, it, test } from "vitest";
import { completion, openModelServer, type ModelServer } from "../../../test/fixtures/model-server.ts";
import { describeSummarizer, type SummarizerHarness } from "../../testing/index.ts";
import { createAiSdk, type AiSdkOptions } from "./ai-sdk.ts";

const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

interface Generation {
  readonly model: { readonly ask: (body: object, signal: AbortSignal) => Promise<Response> };
  readonly system: string;
  readonly prompt: string;
  readonly maxOutputTokens: number;
  readonly maxRetries: number;
  readonly abortSignal: AbortSignal;
}

/** Stand-ins for `ai` and a provider, with the same structure; `fetch` is real, to a server on loopback. */
async function openScene(
  options: Partial<AiSdkOptions> = {},
): Promise<SummarizerHarness & { readonly server: ModelServer }> {
  const server = await openModelServer();
  servers.push(server);
  const vendor = {
    VERSION: "1",
    createStandIn:
      ({ apiKey, fetch }: { readonly apiKey?: string; readonly fetch: typeof globalThis.fetch }) =>
      (model: string) => ({
        ask: (body: object, signal: AbortSignal) =>
          fetch(server.baseUrl, {
            method: "POST",
            headers: apiKey === undefined ? {} : { "x-api-key": apiKey },
            body: JSON.stringify({ model, ...body }),
            signal,
          }),
      }),
  };
  const ai = {
    generateText: async (given: object) => {
      const { model, system, prompt, maxOutputTokens: max_tokens, maxRetries, abortSignal } = given as Generation;
      expect(maxRetries).toBe(0);
      const messages = [
        { role: "system", content: system },
        { role: "user", content: prompt },
      ];
      const response = await model.ask({ messages, max_tokens }, abortSignal);
      const text = await response.text();
      const { status: statusCode } = response;
      if (!response.ok) throw Object.assign(new Error(text), { statusCode, isRetryable: statusCode >= 500 });
      const { choices, usage } = JSON.parse(text);
      const { message, finish_reason: finishReason } = choices[0];
      return {
        text: message.content,
        finishReason,
        usage: { inputTokens: usage.prompt_tokens, outputTokens: usage.completion_tokens },
      };
    },
  };
  const summarizer = createAiSdk({
    id: "ai-sdk-1:stand-in/m",
    provider: "stand-in",
    model: "m",
    contextTokens: 16_384,
    timeoutMs: 5000,
    key: async () => undefined,
    install: "npm install ai@7 @ai-sdk/stand-in",
    load: async (name) => (name === "ai" ? ai : vendor),
    ...options,
  });
  return {
    server,
    summarizer,
    answers: (text) => server.answer(text),
    stopsIn: (text) => server.answer({ body: completion(text, { finish: "length" }) }),
    hangs: () => server.answer({ fault: "never_headers" }),
    asked: () =>
      server.requests.map(({ body }) => ({
        instructions: body?.messages[0]?.content ?? "",
        prompt: body?.messages[1]?.content ?? "",
      })),
    close: async () => {},
  };
}

describeSummarizer({ name: "ai-sdk", create: openScene }, { describe, it, expect });

const prompt = { instructions: "Summarise.", prompt: "The day was long.", answerTokens: 300 };
const failureOf = async (options: Partial<AiSdkOptions>, script?: Parameters<ModelServer["answer"]>[0]) => {
  const { summarizer, server } = await openScene(options);
  if (script !== undefined) server.answer(script);
  return expect(summarizer.summarize(prompt, {})).rejects;
};

test("reports the cost given by the model, and passes the key to the provider's package", async () => {
  const { summarizer, server } = await openScene({ key: async () => "key-1" });
  expect((await summarizer.summarize(prompt, {})).tokens).toEqual({ prompt: 120, answer: 40 });
  expect(server.requests[0]?.headers["x-api-key"]).toBe("key-1");
});

test("missing packages and a package without models name the install command", async () => {
  const missing = { load: (name: string) => import(`${name}-that-is-not-there`) };
  for (const options of [missing, { load: async () => ({ generateText: () => {} }) }])
    await (
      await failureOf(options)
    ).toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining("npm install ai@7 @ai-sdk/stand-in"),
    });
});

test("a refusal, a busy server, a redirect and a slow model have their own codes, and no key in the messages", async () => {
  const key = "k9-Xq2vLm8Rt4Zw7Bn1";
  const cases = [
    [{ status: 401, body: `wrong ${key}` }, "model_refused"],
    [{ status: 503, body: `busy ${key}` }, "model_unavailable"],
    [{ status: 302, headers: { location: "http://127.0.0.1:9/" } }, "model_unavailable"],
    [{ fault: "never_headers" }, "model_unavailable"],
  ] as const;
  for (const [script, code] of cases)
    await (
      await failureOf({ key: async () => key, timeoutMs: "fault" in script ? 60 : 30_000 }, script)
    ).toMatchObject({ code, message: expect.not.stringContaining(key), details: { requests: 1 } });
});

test("an answer of more than 4 MiB is rejected", async () => {
  await (
    await failureOf({}, { body: completion("a".repeat(4 * 1024 * 1024)) })
  ).toMatchObject({ code: "model_unavailable" });
});
