import { afterEach, describe, expect, it, test } from "vitest";
import {
  completion,
  openModelServer,
  type ModelServer,
  type ScriptedAnswer,
} from "../../../test/fixtures/model-server.ts";
import { MemoryError } from "../../base/errors.ts";
import type { Summarizer, SummarizerPrompt } from "../memory.ts";
import { describeSummarizer } from "../../testing/index.ts";
import { createOpenAiCompatible, type OpenAiCompatibleOptions } from "./openai-compatible.ts";

/** Real `fetch` and a real server on loopback; waits between tries are recorded instead of slept. */
const servers: ModelServer[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});

const prompt: SummarizerPrompt = { instructions: "Summarise.", prompt: "The day was long.", answerTokens: 300 };

interface Scene {
  readonly server: ModelServer;
  readonly summarizer: Summarizer;
  /** The waits between tries. */
  readonly waits: number[];
  ask(signal?: AbortSignal): ReturnType<Summarizer["summarize"]>;
  /** The error of a request. */
  fail(signal?: AbortSignal): Promise<MemoryError>;
}

async function openScene(
  script: readonly ScriptedAnswer[],
  options: Partial<OpenAiCompatibleOptions> = {},
): Promise<Scene> {
  const server = await openModelServer(...script);
  servers.push(server);
  const waits: number[] = [];
  const summarizer = createOpenAiCompatible({
    id: "openai-compatible-1:stand-in",
    model: "stand-in",
    baseUrl: server.baseUrl,
    contextTokens: 16_384,
    timeoutMs: 5000,
    retries: 2,
    key: async () => undefined,
    ...options,
    outside: { sleep: async (ms) => void waits.push(ms), random: () => 0.5, ...options.outside },
  });
  const ask: Scene["ask"] = (signal) => summarizer.summarize(prompt, signal === undefined ? {} : { signal });
  const fail: Scene["fail"] = async (signal) => {
    const error: unknown = await ask(signal).catch((cause: unknown) => cause);
    if (error instanceof MemoryError) return error;
    throw new Error(`no MemoryError but ${String(error)}`);
  };
  return { server, summarizer, waits, ask, fail };
}

describeSummarizer(
  {
    name: "openai-compatible",
    create: async () => {
      const { server, summarizer } = await openScene([]);
      return {
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
    },
  },
  { describe, it, expect },
);

describe("a good answer", () => {
  test("returns the text and its cost after one complete request", async () => {
    const { server, ask } = await openScene(["## Topics\n- One\n"]);
    expect(await ask()).toEqual({
      text: "## Topics\n- One\n",
      end: "complete",
      tokens: { prompt: 120, answer: 40 },
      requests: 1,
    });
    const [request] = server.requests;
    expect([request?.method, request?.url]).toEqual(["POST", "/v1/chat/completions"]);
    expect(request?.headers["authorization"]).toBeUndefined();
    expect(request?.body).toEqual({
      model: "stand-in",
      messages: [
        { role: "system", content: "Summarise." },
        { role: "user", content: "The day was long." },
      ],
      temperature: 0,
      max_tokens: 300,
      stream: false,
    });
  });

  test("any script, emoji and lone surrogates come through", async () => {
    const { server, summarizer } = await openScene(["- 結論 🎉 שלום\r\n"]);
    const { text } = await summarizer.summarize({ ...prompt, prompt: "日本 🧵 \uD800 end" }, {});
    expect(text).toBe("- 結論 🎉 שלום\r\n");
    expect(server.requests[0]?.body?.messages[1]?.content).toBe("日本 🧵 \uFFFD end");
  });

  test("a key is sent in the header, and is read again for each request", async () => {
    const keys = ["first-key", "second-key"];
    const { server, ask } = await openScene(["A."], { key: async () => keys.shift() });
    await ask();
    await ask();
    expect(server.requests.map(({ headers }) => headers["authorization"])).toEqual([
      "Bearer first-key",
      "Bearer second-key",
    ]);
  });

  test("a missing content type, a byte order mark and missing usage are accepted", async () => {
    const { usage: _usage, ...body } = completion("Fine.") as Record<string, unknown>;
    const { ask } = await openScene([
      { headers: { "content-type": "text/plain" }, body: `\uFEFF${JSON.stringify(body)}` },
    ]);
    expect(await ask()).toEqual({ text: "Fine.", end: "complete", tokens: undefined, requests: 1 });
  });

  test.each([
    ["length", "cut_off"],
    ["content_filter", "cut_off"],
    ["stop", "complete"],
    [undefined, "complete"],
  ] as const)("finish_reason %s is %s", async (finish, end) => {
    const body = completion("- An answer", finish === undefined ? {} : { finish });
    expect((await (await openScene([{ body }])).ask()).end).toBe(end);
  });

  test.each([
    ["<think>\nHm. <b>\n</think>\n\n## Topics", "\n\n## Topics"],
    ["Hm, first I look.\n</think>\n## Topics", "\n## Topics"],
    ["<think>a</think><think>b</think>c", "c"],
    ["## Topics\n- parser: `<think>x</think>` is cut", "## Topics\n- parser: `<think>x</think>` is cut"],
    ["- the mark </think> stays within a line", "- the mark </think> stays within a line"],
  ])("reasoning before the answer is removed: %j", async (said, text) => {
    expect((await (await openScene([said])).ask()).text).toBe(text);
  });

  test("an answer in parts is joined, without its reasoning", async () => {
    const content = [
      { type: "thinking", thinking: [] },
      { type: "text", text: "- a" },
      { type: "text", text: "\n- b" },
    ];
    const { ask } = await openScene([{ body: { choices: [{ message: { content }, finish_reason: "stop" }] } }]);
    expect((await ask()).text).toBe("- a\n- b");
  });
});

describe("temporary failures are retried", () => {
  test("429 with Retry-After in seconds, then an answer", async () => {
    const { ask, waits, server } = await openScene([{ status: 429, headers: { "retry-after": "7" } }, "Good."]);
    expect(await ask()).toMatchObject({ text: "Good.", requests: 2 });
    expect(waits).toEqual([7250]);
    expect(server.requests).toHaveLength(2);
  });

  test("an unreadable Retry-After is ignored", async () => {
    const script = ["soon", "-3"].map((date) => ({ status: 429, headers: { "retry-after": date } }));
    const { ask, waits } = await openScene([...script, "Good."], { retries: 3 });
    expect((await ask()).requests).toBe(3);
    expect(waits).toEqual([750, 1500]);
  });

  test("a Retry-After beyond a minute gives up at once and reports the time", async () => {
    const { fail, waits } = await openScene([{ status: 429, headers: { "retry-after": "3600" } }]);
    const error = await fail();
    expect(error.code).toBe("model_unavailable");
    expect(error.message).toContain("answered 429; try again in 3600 s");
    expect([error.details["requests"], waits]).toEqual([1, []]);
  });

  test("waits for a Retry-After of one minute, but not of one second more", async () => {
    const asked = (seconds: string): ScriptedAnswer => ({ status: 429, headers: { "retry-after": seconds } });
    const { ask, waits } = await openScene([asked("60"), "Good."]);
    expect([(await ask()).requests, waits]).toEqual([2, [60_250]]);
    expect((await (await openScene([asked("61"), "Good."])).fail()).code).toBe("model_unavailable");
  });

  test("without Retry-After, waits twice as long each time, up to half a minute", async () => {
    const { fail, waits } = await openScene([{ status: 500 }], { retries: 7 });
    await fail();
    expect(waits).toEqual([750, 1500, 3000, 6000, 12_000, 22_500, 22_500]);
  });

  test("the time limit of a finished try does not keep the process alive", async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === "Timeout").length;
    const { ask } = await openScene(["Good."], { timeoutMs: 3_600_000 });
    const before = timers();
    for (let each = 0; each < 5; each++) await ask();
    expect(timers() - before).toBeLessThan(5);
  });

  test.each([408, 425, 429, 500, 502, 503, 504, 529])("endless %i fails after all tries", async (status) => {
    const { fail, waits, server } = await openScene([{ status, body: { error: { message: "too busy" } } }]);
    const error = await fail();
    expect(error.code).toBe("model_unavailable");
    expect(error.message).toContain(`answered ${status} on try 3: "too busy"; try again later`);
    expect([error.details["requests"], server.requests.length]).toEqual([3, 3]);
    expect(waits).toEqual([750, 1500]);
  });

  test("500, then an answer", async () => {
    expect((await (await openScene([{ status: 500, body: "<html>" }, "Good."])).ask()).requests).toBe(2);
  });

  test.each(["before_headers", "in_body"] as const)("a connection cut %s, then an answer", async (fault) => {
    const { ask } = await openScene([{ fault, body: completion("Lost.") }, "Good."]);
    expect(await ask()).toMatchObject({ text: "Good.", requests: 2 });
  });

  test.each(["never_headers", "never_ends"] as const)(
    "a server that %s is abandoned after the time limit",
    async (fault) => {
      const { fail } = await openScene([{ fault, body: completion("Slow.") }], { timeoutMs: 60, retries: 1 });
      const error = await fail();
      expect([error.code, error.details["requests"]]).toEqual(["model_unavailable", 2]);
      expect(error.message).toContain("did not finish its answer within 0.06 s on try 2");
    },
  );

  test("an address where nothing listens is `model_unavailable` with the reason", async () => {
    const { fail, server } = await openScene([], { retries: 0 });
    await server.close();
    const error = await fail();
    expect(error.code).toBe("model_unavailable");
    expect(error.message).toMatch(/could not be reached, or closed the connection \(ECONNREFUSED\); try again later/u);
  });

  test("an address where nothing listens costs nothing", async () => {
    const { server, summarizer } = await openScene(["fine"], { retries: 2 });
    await server.close();
    const told: string[] = [];
    const error: unknown = await summarizer
      .summarize({ ...prompt, beforeTry: () => void told.push("try") }, {})
      .catch((cause: unknown) => cause);
    expect(error).toMatchObject({
      message: expect.stringContaining("on try 3"),
      details: { requests: 0, tokens: 0 },
    });
    expect(told).toEqual(["try", "try", "try"]);
  });

  test("a lost connection may have cost something", async () => {
    const { fail } = await openScene([{ fault: "before_headers" }], { retries: 1 });
    expect((await fail()).details).toEqual({ requests: 2 });
  });

  test("beforeTry is called before each try, and if it throws nothing is sent", async () => {
    const { server, summarizer } = await openScene([{ status: 500 }, "Good."]);
    const calls: number[] = [];
    const stop = new Error("the budget is spent");
    const beforeTry = (): void => {
      calls.push(server.requests.length);
      if (calls.length === 2) throw stop;
    };
    await expect(summarizer.summarize({ ...prompt, beforeTry }, {})).rejects.toBe(stop);
    expect([calls, server.requests.length]).toEqual([[0, 1], 1]);
  });
});

describe("permanent failures are reported at once", () => {
  test.each([400, 401, 403, 404, 413, 422, 501])("%i is `model_refused` with the server's message", async (status) => {
    const { fail, server } = await openScene([
      { status, body: { error: { message: "no such\u001b[31m model\nhere" } } },
    ]);
    const error = await fail();
    expect([error.code, error.details["requests"], server.requests.length]).toEqual(["model_refused", 1, 1]);
    expect(error.message).toContain(`answered ${status}: "no such\\u{1b}[31m model here"; fix`);
  });

  test("an untrusted certificate is not retried", async () => {
    const cause = Object.assign(new Error("self-signed certificate"), { code: "DEPTH_ZERO_SELF_SIGNED_CERT" });
    let tries = 0;
    const fetch: typeof globalThis.fetch = async () => {
      tries += 1;
      throw new TypeError("fetch failed", { cause });
    };
    const error = await (await openScene([], { outside: { fetch } })).fail();
    expect([error.code, tries, error.details["requests"]]).toEqual(["model_unavailable", 1, 0]);
    expect(error.message).toContain("(DEPTH_ZERO_SELF_SIGNED_CERT)");
  });

  test("a server's message is cut to 200 characters", async () => {
    const { fail } = await openScene([{ status: 400, body: { error: { message: "no such model ".repeat(500) } } }]);
    expect((await fail()).message.length).toBeLessThan(450);
  });

  test("an account out of credit is not asked again", async () => {
    const body = { error: { message: "You exceeded your quota", type: "insufficient_quota" } };
    expect((await (await openScene([{ status: 429, body }])).fail()).code).toBe("model_refused");
  });

  test.each([301, 302, 307, 308])("a redirect (%i) is not followed", async (status) => {
    const other = await openModelServer("Not me.");
    servers.push(other);
    const { fail } = await openScene([{ status, headers: { location: `${other.baseUrl}/chat/completions` } }], {
      key: async () => "secret-key-1",
    });
    expect((await fail()).code).toBe("model_refused");
    expect(other.requests).toEqual([]);
  });

  test.each([
    ["invalid JSON", "<html>Welcome</html>"],
    ["a list", "[]"],
    ["an empty body", ""],
    ["no choices", { object: "chat.completion" }],
    ["empty choices", { choices: [] }],
    ["no message", { choices: [{}] }],
    ["an empty text", completion(" \n")],
    ["only reasoning", completion("<think>so</think>")],
    ["unfinished reasoning", completion("<think>so")],
    ["more than 4 MiB", completion("a".repeat(4 * 1024 * 1024))],
  ])("%s is `model_answer`", async (_name, body) => {
    const { fail, server } = await openScene([{ body }]);
    const error = await fail();
    expect([error.code, error.details["requests"], server.requests.length]).toEqual(["model_answer", 1, 1]);
  });

  test("an empty answer reports its cost, and an answer with only reasoning says so", async () => {
    const error = await (await openScene([{ body: completion("", { finish: "length" }) }])).fail();
    expect(error.details).toEqual({ requests: 1, tokens: 160 });
    expect(error.message).toContain("used up its output tokens before the answer started");
  });

  test("a refusal by the model is `model_refused`", async () => {
    const body = { choices: [{ message: { content: null, refusal: "I will not." }, finish_reason: "stop" }] };
    const error = await (await openScene([{ body }])).fail();
    expect(error.code).toBe("model_refused");
    expect(error.message).toContain('refused to answer: "I will not."');
  });

  test("the key is in no message, whatever the server says", async () => {
    const key = "k9-Xq2vLm8Rt4Zw7Bn1";
    for (const status of [401, 500, 200]) {
      const body = { error: { message: `wrong key ${key}, Bearer ${key}` }, choices: [{ message: { refusal: key } }] };
      const { fail } = await openScene([{ status, body }], { key: async () => key, retries: 0 });
      const error = await fail();
      expect(`${error.message} ${JSON.stringify(error.details)}`).not.toContain(key);
      expect(error.message).toContain("[key]");
    }
  });
});

describe("endpoints of reasoning models", () => {
  const refusal = (param: string, message: string): ScriptedAnswer => ({
    status: 400,
    body: { error: { message, param } },
  });
  const noMaxTokens = refusal(
    "max_tokens",
    "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.",
  );
  const noTemperature = refusal("temperature", "Unsupported value: 'temperature' does not support 0 with this model.");

  test("are asked with the parameters they want from then on", async () => {
    const { server, ask } = await openScene([noMaxTokens, noTemperature, "Good."], { retries: 0 });
    expect((await ask()).requests).toBe(3);
    expect((await ask()).requests).toBe(1);
    expect(server.requests[3]?.body).toEqual({
      model: "stand-in",
      messages: expect.anything(),
      max_completion_tokens: 300,
      stream: false,
    });
  });

  test("are asked with each set of parameters once", async () => {
    const { server, fail } = await openScene([noMaxTokens]);
    expect((await fail()).code).toBe("model_refused");
    expect(server.requests).toHaveLength(2);
  });
});

describe("aborting", () => {
  const reason = new MemoryError("aborted", "Stopped by SIGINT.");

  test("before the request: nothing is sent", async () => {
    const { server, fail } = await openScene(["Good."]);
    const error = await fail(AbortSignal.abort(reason));
    expect([error.code, error.message, error.details["requests"]]).toEqual(["aborted", "Stopped by SIGINT.", 0]);
    expect(server.requests).toEqual([]);
  });

  test("while the caller records the try: nothing is sent or counted", async () => {
    const stop = new AbortController();
    const { server, summarizer } = await openScene(["Good."]);
    const beforeTry = async (): Promise<void> => stop.abort(reason);
    const asking = summarizer.summarize({ ...prompt, beforeTry }, { signal: stop.signal });
    await expect(asking).rejects.toMatchObject({ code: "aborted", details: { requests: 0 } });
    expect(server.requests).toEqual([]);
  });

  test.each(["never_headers", "never_ends"] as const)("while the server %s: ends at once", async (fault) => {
    const stop = new AbortController();
    const { server, fail } = await openScene([{ fault, body: completion("Slow.") }]);
    const failing = fail(stop.signal);
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => stop.abort(), 20);
    const error = await failing;
    expect([error.code, error.details["requests"]]).toEqual(["aborted", 1]);
  });

  test("while waiting for the next try, with the real sleep: ends at once", async () => {
    const stop = new AbortController();
    const server = await openModelServer({ status: 503, headers: { "retry-after": "50" } });
    servers.push(server);
    const summarizer = createOpenAiCompatible({
      id: "openai-compatible-1:m",
      model: "m",
      baseUrl: server.baseUrl,
      contextTokens: 4096,
      timeoutMs: 5000,
      retries: 3,
      key: async () => undefined,
    });
    const asking = summarizer.summarize(prompt, { signal: stop.signal });
    const failing = expect(asking).rejects.toMatchObject({ code: "aborted", details: { requests: 1 } });
    while (server.requests.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    setTimeout(() => stop.abort(reason), 80);
    await failing;
  });
});

test("a limit of more than five minutes is not cut short by fetch's own limits", async () => {
  const limits: unknown[] = [];
  const symbol = Symbol.for("undici.globalDispatcher.1");
  const { ask } = await openScene(["Good."], { timeoutMs: 600_000 });
  const before: object = Reflect.get(globalThis, symbol);
  const watching = {
    dispatch: (options: { headersTimeout?: number; bodyTimeout?: number }, handler: object) => {
      limits.push(options.headersTimeout, options.bodyTimeout);
      return (before as { dispatch(options: object, handler: object): boolean }).dispatch(options, handler);
    },
  };
  Reflect.set(globalThis, symbol, watching);
  try {
    expect((await ask()).text).toBe("Good.");
  } finally {
    Reflect.set(globalThis, symbol, before);
  }
  expect(limits).toEqual([0, 0]);
});
