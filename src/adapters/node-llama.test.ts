import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it, test } from "vitest";
import { describeSummarizer, type SummarizerHarness } from "../testing/index.ts";
import { createNodeLlama, type NodeLlamaOptions, type NodeLlamaPackage } from "./node-llama.ts";

const folder = mkdtempSync(join(tmpdir(), "heartwood-llama-"));
const modelFile = join(folder, "model.gguf");
writeFileSync(modelFile, "GGUF");
afterAll(() => rmSync(folder, { recursive: true }));

interface Sampling {
  readonly signal: AbortSignal;
  readonly maxTokens: number;
  readonly temperature: number;
  readonly seed: number;
  readonly grammar?: { readonly rules: string };
}

class TokenBias {
  set(tokens: readonly unknown[]): object {
    return { less: tokens };
  }
}

/** A stand-in for the package, by its structure. It counts characters for tokens. */
function openScene(
  options: Partial<NodeLlamaOptions> = {},
  { chat = "template", size = 2 ** 30 }: { readonly chat?: "template" | "none"; readonly size?: number } = {},
): SummarizerHarness & { readonly events: string[]; readonly grammars: string[] } {
  const events: string[] = [];
  const grammars: string[] = [];
  const asked: { instructions: string; prompt: string }[] = [];
  let next: { readonly text: string; readonly reason: string } | "hang" = { text: "An answer.", reason: "eogToken" };
  class LlamaChatSession {
    readonly instructions: string;
    constructor(given: object) {
      const { systemPrompt, forceAddSystemPrompt, chatWrapper } = given as Record<string, unknown>;
      // Without this, models whose form has no message of the system are not told what to do.
      expect(forceAddSystemPrompt).toBe(chatWrapper === undefined ? true : undefined);
      this.instructions = String(systemPrompt);
    }
    async promptWithMeta(prompt: string, given: object): Promise<{ responseText: string; stopReason: string }> {
      asked.push({ instructions: this.instructions, prompt });
      const { signal, maxTokens, temperature, seed, grammar } = given as Sampling;
      if (grammar !== undefined) grammars.push(grammar.rules);
      events.push(`prompt ${JSON.stringify({ maxTokens, temperature, seed })}`);
      if (next !== "hang") return { responseText: next.text, stopReason: next.reason };
      return new Promise((_, reject) => signal.addEventListener("abort", () => reject(signal.reason)));
    }
  }
  const model = {
    trainContextSize: 200_000,
    size,
    tokenizer: "tokenizer",
    fileInfo: { metadata: { tokenizer: chat === "template" ? { chat_template: "{{ messages }}" } : {} } },
    tokenize: (text: string) => [...text],
    createContext: async ({ contextSize }: { readonly contextSize: number }) => {
      events.push(`context ${contextSize}`);
      const tokenMeter = { getState: () => ({ usedInputTokens: 100, usedOutputTokens: 20 }) };
      return { getSequence: () => ({ tokenMeter }), dispose: async () => void events.push("context gone") };
    },
    dispose: async () => void events.push("model gone"),
  };
  const fake: NodeLlamaPackage = {
    LlamaChatSession,
    EmptyChatWrapper: Object,
    TokenBias,
    getLlama: async () => ({
      createGrammar: async ({ grammar }) => ({ rules: grammar }),
      loadModel: async () => (events.push("load"), model),
      dispose: async () => void events.push("llama gone"),
    }),
  };
  const summarizer = createNodeLlama({
    id: "node-llama-cpp-3:model.gguf",
    modelFile,
    contextTokens: 16_384,
    timeoutMs: 5000,
    install: "npm install node-llama-cpp@3",
    load: async () => fake,
    ...options,
  });
  return {
    summarizer,
    events,
    grammars,
    answers: (text) => {
      next = { text, reason: "eogToken" };
    },
    stopsIn: (text) => {
      next = { text, reason: "maxTokens" };
    },
    hangs: () => {
      next = "hang";
    },
    asked: () => asked,
    close: async () => {},
  };
}

describeSummarizer({ name: "node-llama-cpp", create: async () => openScene() }, { describe, it, expect });

const prompt = { instructions: "Summarise.", prompt: "The day was long.", answerTokens: 300 };

test("the model is loaded once, each request has a context of its size, and close frees all", async () => {
  const { summarizer, events } = openScene();
  await summarizer.close?.();
  expect(events).toEqual([]);
  expect((await summarizer.summarize(prompt, {})).tokens).toEqual({ prompt: 100, answer: 20 });
  await summarizer.summarize(prompt, {});
  await summarizer.close?.();
  const one = ["context 583", 'prompt {"maxTokens":300,"temperature":0,"seed":1}', "context gone"];
  expect(events).toEqual(["load", ...one, ...one, "model gone", "llama gone"]);
});

test("a missing file, a missing package and a broken model say what to do", async () => {
  const cases: readonly (readonly [Partial<NodeLlamaOptions>, string])[] = [
    [{ modelFile: join(folder, "none.gguf") }, "There is no file"],
    [{ load: () => import("node-llama-cpp-that-is-not-there" as string) }, "npm install node-llama-cpp@3"],
    [
      {
        load: async () => ({
          LlamaChatSession: Object,
          EmptyChatWrapper: Object,
          TokenBias,
          getLlama: async () => {
            throw new Error("not a GGUF file\u001b[31m");
          },
        }),
      } as unknown as Partial<NodeLlamaOptions>,
      "cannot be loaded (not a GGUF file\\u{1b}[31m)",
    ],
  ];
  for (const [options, message] of cases)
    await expect(openScene(options).summarizer.summarize(prompt, {})).rejects.toMatchObject({
      code: "model_unavailable",
      message: expect.stringContaining(message),
      details: { requests: 0 },
    });
});

test("a request that is too long for the model is refused with both numbers", async () => {
  const long = { ...prompt, prompt: "a".repeat(300_000) };
  await expect(openScene().summarizer.summarize(long, {})).rejects.toMatchObject({
    code: "model_refused",
    message: expect.stringMatching(/needs 300566 tokens .* can take 200000/u),
  });
});

test("a model that is too slow is left after the time limit", async () => {
  const { summarizer, hangs, events } = openScene({ timeoutMs: 40 });
  hangs();
  await expect(summarizer.summarize(prompt, {})).rejects.toMatchObject({
    code: "model_unavailable",
    message: expect.stringContaining("within 0.04 s"),
    details: { requests: 1 },
  });
  expect(events.at(-1)).toBe("context gone");
});

const form = {
  sections: [{ title: "", presence: "always", content: { form: "items" }, lines: [] }],
  mostCharacters: 220,
  mostLines: 40,
  topics: [],
  words: Array.from({ length: 60 }, (_, at) => `word${String.fromCodePoint(97 + (at % 26), 97 + Math.floor(at / 26))}`),
  numbers: ["17"],
} as const;

test("the form of an answer becomes a grammar; a request without a form has none", async () => {
  const { summarizer, grammars } = openScene();
  await summarizer.summarize(prompt, {});
  expect(grammars).toEqual([]);
  await summarizer.summarize({ ...prompt, form }, {});
  expect(grammars).toEqual([expect.stringContaining("root ::= s0\ns0 ::= item{1,")]);
  expect(grammars[0]).toContain("char ::= ");
});

test("a model whose file tells no form of conversations goes on with one text, in words of the sources where they have no lines", async () => {
  const { summarizer, grammars, asked } = openScene({}, { chat: "none" });
  await summarizer.summarize({ ...prompt, form }, {});
  expect(asked()).toEqual([{ instructions: "", prompt: "Summarise.\n\nThe day was long.\n" }]);
  expect(grammars[0]).toContain("word ::= ");
});

test("a model that is too small to write, or without a form of conversations, chooses lines of the sources", async () => {
  const lines = ["- it rained", "- the boat is blue"].map((text) => ({ text, keywords: [], weight: 1 }));
  const chosen = { ...form, sections: [{ ...form.sections[0], lines }] };
  for (const scene of [{ chat: "none" }, { size: 100_000_000 }] as const) {
    const { summarizer, grammars } = openScene({}, scene);
    await summarizer.summarize({ ...prompt, form: chosen }, {});
    expect(grammars[0]).toContain(String.raw`s0l1 ::= "- the boat is blue\x0A"`);
  }
  const large = openScene();
  await large.summarizer.summarize({ ...prompt, form: chosen }, {});
  expect(large.grammars[0]).toContain("char ::= ");
});
