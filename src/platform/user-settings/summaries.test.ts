import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { MemoryError } from "../../base/errors.ts";
import { readKey } from "./section.ts";
import { parseSummaries } from "./models.ts";

const path = "/home/me/.config/heartwood/config.json";
const read = (value: unknown) => parseSummaries(path, value);
const messageOf = (action: () => unknown): string => {
  try {
    action();
  } catch (error) {
    if (error instanceof MemoryError) return `${error.code}: ${error.message}`;
    throw error;
  }
  return "no error";
};

const endpoint = { adapter: "openai-compatible", baseUrl: "http://127.0.0.1:11434/v1", model: "qwen3:4b" };
const defaults = {
  contextTokens: 16_384,
  maxRequestsPerRun: 5,
  maxRequestsPerDay: 40,
  maxTokensPerDay: 200_000,
};

describe("valid settings", () => {
  test("no settings, or off with other keys left in place, means off", () => {
    for (const value of [{}, { adapter: "off" }, { ...endpoint, adapter: "off", retries: "many" }])
      expect(read(value)).toEqual({ summaries: { adapter: "off", ...defaults } });
  });

  test("pull has a larger context by default", () => {
    expect(read({ adapter: "pull" })).toEqual({ summaries: { adapter: "pull", ...defaults, contextTokens: 32_768 } });
  });

  test("an endpoint, with defaults and with all keys", () => {
    expect(read(endpoint)).toEqual({
      summaries: { adapter: "openai-compatible", ...defaults },
      model: { ...endpoint, contextTokens: 16_384, timeoutSeconds: 120, retries: 3, key: undefined },
    });
    const all = {
      ...endpoint,
      baseUrl: "https://API.example.com/v1//",
      keyEnv: "MODEL_KEY",
      contextTokens: 2048,
      retries: 0,
      timeoutSeconds: 3600,
      maxRequestsPerRun: 0,
      maxRequestsPerDay: 1,
      maxTokensPerDay: 2,
    };
    expect(read(all)).toEqual({
      summaries: {
        adapter: "openai-compatible",
        contextTokens: 2048,
        maxRequestsPerRun: 0,
        maxRequestsPerDay: 1,
        maxTokensPerDay: 2,
      },
      model: {
        adapter: "openai-compatible",
        baseUrl: "https://api.example.com/v1",
        model: "qwen3:4b",
        retries: 0,
        contextTokens: 2048,
        timeoutSeconds: 3600,
        key: { env: "MODEL_KEY" },
      },
    });
  });

  test("a provider of the AI SDK", () => {
    expect(read({ adapter: "ai-sdk", provider: "anthropic", model: "m", keyFile: "/k" }).model).toMatchObject({
      provider: "anthropic",
      key: { file: "/k" },
    });
  });

  test("a removed adapter is a warning that suggests a replacement, not an error", () => {
    const { model, summaries, warnings } = read({ adapter: "node-llama-cpp", modelFile: "/models/a b.gguf" });
    expect([model, summaries]).toEqual([undefined, { adapter: "off", ...defaults }]);
    expect(warnings).toMatchObject([{ code: "adapter_removed", path }]);
    expect(warnings?.[0]?.message).toMatch(/^summaries\.adapter is node-llama-cpp.*llama-server.*openai-compatible/u);
    expect(read({ adapter: "off", modelFile: "/models/a b.gguf" }).warnings).toBeUndefined();
  });

  test.each(["http://localhost:1", "http://127.8.9.1/v1", "http://127.1", "http://[::1]:8080", "https://example.com"])(
    "a key may go to %s",
    (baseUrl) => {
      expect(read({ ...endpoint, baseUrl, keyEnv: "KEY" }).model).toBeDefined();
    },
  );
});

describe("every fault is one sentence with the key, what is allowed and what to do", () => {
  test.each([
    ["summaries", 7],
    ["summaries", []],
    ["summaries", null],
    ["adapter", { adapter: "openai" }],
    ["adapter", { adapter: true }],
    ["modle", { ...endpoint, modle: "x" }],
    ["retries", { adapter: "ai-sdk", provider: "p", model: "m", retries: 1 }],
    ["maxTokensPerDay", { adapter: "pull", maxTokensPerDay: 1 }],
    ["typo", { adapter: "off", typo: 1 }],
    ["model", { adapter: "openai-compatible", baseUrl: "http://localhost" }],
    ["model", { ...endpoint, model: "two words" }],
    ["model", { ...endpoint, model: "é" }],
    ["model", { ...endpoint, model: "a".repeat(129) }],
    ["baseUrl", { ...endpoint, baseUrl: "localhost:11434" }],
    ["baseUrl", { ...endpoint, baseUrl: "ftp://localhost" }],
    ["baseUrl", { ...endpoint, baseUrl: "http://localhost/v1?key=1" }],
    ["baseUrl", { ...endpoint, baseUrl: "http://localhost/v1#x" }],
    ["baseUrl", { ...endpoint, baseUrl: "http://example.com/v1", keyEnv: "KEY" }],
    ["baseUrl", { ...endpoint, baseUrl: "http://127.0.0.1.example.com/v1", keyFile: "/k" }],
    ["provider", { adapter: "ai-sdk", model: "m", provider: "../evil" }],
    ["provider", { adapter: "ai-sdk", model: "m" }],
    ["modelFile", { ...endpoint, modelFile: "/models/model.gguf" }],
    ["keyFile", { ...endpoint, keyFile: "key.txt" }],
    ["keyFile", { ...endpoint, keyFile: "/k", keyEnv: "K" }],
    ["keyEnv", { ...endpoint, keyEnv: "" }],
    ["contextTokens", { ...endpoint, contextTokens: 2047 }],
    ["contextTokens", { adapter: "pull", contextTokens: 1_000_001 }],
    ["timeoutSeconds", { ...endpoint, timeoutSeconds: 0 }],
    ["timeoutSeconds", { ...endpoint, timeoutSeconds: "60" }],
    ["retries", { ...endpoint, retries: 11 }],
    ["maxRequestsPerRun", { ...endpoint, maxRequestsPerRun: -1 }],
    ["maxRequestsPerDay", { ...endpoint, maxRequestsPerDay: 1.5 }],
  ])("%s in %j", (key, value) => {
    const message = messageOf(() => read(value));
    expect(message).toMatch(/^invalid_config: summaries[^\n]* in your settings \/home[^\n]*: change it there\.$/u);
    expect(message).toContain(key);
  });

  test("a key or password in the wrong place is not repeated", () => {
    const secret = "k9Xq2vLm8Rt4Zw7Bn1";
    const wrong = [
      { ...endpoint, key: secret },
      { ...endpoint, keyEnv: `sk-${secret}` },
      { ...endpoint, keyFile: secret },
      { ...endpoint, baseUrl: `https://me:${secret}@example.com/v1` },
      { ...endpoint, baseUrl: `me:${secret}@example.com` },
      { ...endpoint, baseUrl: `https://example.com/v1?key=${secret}` },
    ];
    for (const value of wrong) {
      const message = messageOf(() => read(value));
      expect(message).toContain("invalid_config");
      expect(message).not.toContain(secret);
    }
  });
});

describe("a key", () => {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-key-"));
  afterAll(() => rmSync(folder, { recursive: true }));
  afterEach(() => vi.unstubAllEnvs());
  let files = 0;
  const fileOf = (text: string): string => {
    const file = join(folder, `model-${++files}.key`);
    writeFileSync(file, text);
    return file;
  };

  test("is the single line of a file or the value of a variable", () => {
    expect(readKey({ file: fileOf("\uFEFFabc-123\r\n") })).toBe("abc-123");
    vi.stubEnv("MODEL_KEY", " abc-123 ");
    expect(readKey({ env: "MODEL_KEY" })).toBe("abc-123");
  });

  test("that is unusable fails with `model_refused` without quoting it", () => {
    vi.stubEnv("BAD_KEY", "one two-secret");
    const cases = [
      [{ file: join(folder, "none") }, "cannot be read (ENOENT)"],
      [{ file: folder }, "is not a regular file"],
      [{ file: fileOf("\n") }, "is empty"],
      [{ file: fileOf("two-secret\nlines") }, "contains more than a key"],
      [{ file: fileOf("x".repeat(20_000)) }, "has 20000 bytes"],
      [{ env: "NOT_SET_AT_ALL" }, "The environment variable NOT_SET_AT_ALL is not set"],
      [{ env: "a8f3two-secret" }, "variable that keyEnv names is not set"],
      [{ env: "BAD_KEY" }, "contains more than a key"],
    ] as const;
    for (const [source, says] of cases) {
      const message = messageOf(() => readKey(source));
      expect(message).toMatch(/^model_refused: /u);
      expect(message).toContain(says);
      expect(message).not.toContain("two-secret");
    }
  });
});
