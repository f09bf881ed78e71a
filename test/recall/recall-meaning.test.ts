import { afterEach, expect, test, vi } from "vitest";
import { MemoryError } from "../../src/base/errors.ts";
import { prepareIndex } from "../../src/recall/index/prepare.ts";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { Memory } from "../../src/operations/operation.ts";
import type { NamedEmbedder } from "../../src/recall/memory.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

const files = {
  "memory/2026-03-10.md": "## A\nUser: I bought a violin for 300 euros in 2024, and I play it every week.\n",
  "memory/2026-03-11.md": "## B\nUser: My sister Ines moved to Lisbon in May 2025 with her two cats.\n",
  "memory/2026-03-12.md": "## C\nUser: I bought 12 tomato plants and 3 rose bushes on 2 March 2026.\n",
};
const settingsOf = (search: object): Readonly<Record<string, string>> => ({
  "heartwood.config.json": JSON.stringify({ search }),
});

const opened: TestMemory[] = [];
afterEach(async () => {
  vi.useRealTimers();
  for (const { memory } of opened.splice(0)) await memory.searchIndex.close();
});

function project(more: Partial<Memory>, search: object = {}): TestMemory {
  const made = openTestMemory({ disk: "folder", files: { ...files, ...settingsOf(search) }, with: more });
  opened.push(made);
  return made;
}

interface Fake extends NamedEmbedder {
  readonly seen: { readonly texts: readonly string[]; readonly purpose: string }[];
  opens: number;
}

type Embed = (texts: readonly string[], purpose: string) => Promise<readonly Int8Array[]>;

/** Texts about music point one way, all others another. */
const musical: Embed = async (texts) =>
  texts.map((text) => (/violin|music/u.test(text) ? Int8Array.of(127, 0) : Int8Array.of(0, 127)));

function fake(embed: Embed = musical, more: Partial<NamedEmbedder> = {}): Fake {
  const made: Fake = {
    id: "fake-1",
    seen: [],
    opens: 0,
    open: async () => {
      made.opens += 1;
      return {
        id: made.id,
        dimensions: 2,
        embed: async (texts, { purpose }) => {
          made.seen.push({ texts, purpose });
          return embed(texts, purpose);
        },
      };
    },
    ...more,
  };
  return made;
}

async function recalled(memory: Memory, text = "Which music, and which tomato plants?"): Promise<RecallResult> {
  return (await runRecall(memory, { text, explain: true }, {})) as RecallResult;
}

const vectorsOf = async ({ searchIndex }: Memory, id = "fake-1"): Promise<number> =>
  (await searchIndex.vectors(id, {})).ids.length;
const embedded = (memory: Memory) => runIndex(memory, { embed: true }, {});
const meaningOf = ({ context }: RecallResult, text = ""): number =>
  Math.max(
    0,
    ...context
      .filter((one) => one.text.includes(text))
      .flatMap(({ why }) => why ?? [])
      .map(({ part, score }) => (part === "meaning" ? score : 0)),
  );
const codes = ({ warnings }: { readonly warnings: readonly { readonly code: string }[] }): readonly string[] =>
  warnings.map(({ code }) => code);

test("meaning counts in addition to words, and --explain shows it", async () => {
  const { memory } = project({ embedder: fake() });
  await embedded(memory);
  const result = await recalled(memory);
  expect(await vectorsOf(memory)).toBe(3);
  expect(meaningOf(result, "violin")).toBeGreaterThan(0.2);
  expect(meaningOf(result, "rose")).toBe(0);
  expect(result.warnings).toEqual([]);
});

test("if no word of a message occurs anywhere, only close passages are returned", async () => {
  const near = project({
    embedder: fake(async (texts) =>
      texts.map((text) => (/violin|gnarkt/u.test(text) ? Int8Array.of(127, 127) : Int8Array.of(-127, -127))),
    ),
  });
  await embedded(near.memory);
  expect((await recalled(near.memory, "flurbl gnarkt")).context.map(({ text }) => text).join("\n")).toContain("violin");
  const far = fake(async (texts, purpose) =>
    texts.map(() => (purpose === "query" ? Int8Array.of(-127, 0) : Int8Array.of(127, 0))),
  );
  const other = project({ embedder: far });
  await embedded(other.memory);
  expect((await recalled(other.memory, "flurbl gnarkt")).context).toEqual([]);
});

test("a search opens no embedder if the index is up to date, and embeds no query", async () => {
  const { memory } = project({ embedder: fake() });
  await embedded(memory);
  const embedder = fake();
  const { hits } = await runSearch({ ...memory, embedder }, { query: "violin" }, {});
  expect(hits.length).toBeGreaterThan(0);
  expect(embedder.opens).toBe(0);
});

test("`search.vector: false` never opens the embedder and makes no vectors", async () => {
  const embedder = fake();
  const { memory } = project({ embedder }, { vector: false });
  await runIndex(memory, {}, {});
  await expect(embedded(memory)).rejects.toMatchObject({ code: "model_unavailable" });
  const result = await recalled(memory);
  expect([embedder.opens, await vectorsOf(memory), meaningOf(result)]).toEqual([0, 0, 0]);
  expect(result.context.length).toBeGreaterThan(0);
  expect(result.warnings).toEqual([]);
});

test("a name that the user has not defined is a warning, and nothing is opened", async () => {
  const [embedder, mine] = [fake(), fake()];
  const { memory } = project({ embedder, embedders: new Map([["mine", mine]]) }, { embedModel: "toString" });
  const result = await recalled(memory);
  expect(codes(result)).toEqual(["embedder_unknown"]);
  expect(codes(await runIndex(memory, {}, {}))).toEqual(["embedder_unknown"]);
  expect(result.context.length).toBeGreaterThan(0);
  expect([embedder.opens, mine.opens, await vectorsOf(memory)]).toEqual([0, 0, 0]);
});

test("a project chooses one of the embedders that the user has defined", async () => {
  const [embedder, mine] = [fake(), fake(musical, { id: "mine-1" })];
  const { memory } = project({ embedder, embedders: new Map([["mine", mine]]) }, { embedModel: "mine" });
  await embedded(memory);
  expect(meaningOf(await recalled(memory))).toBeGreaterThan(0.2);
  expect(embedder.opens).toBe(0);
});

test("a changed embedder leaves the words as they are, and its vectors replace those of the other", async () => {
  const { memory } = project({ embedder: fake() });
  await embedded(memory);
  const embedder = fake(async (texts) => texts.map(() => Int8Array.of(1, 2, 3)), { id: "fake-2" });
  const other = { ...memory, embedder };
  expect(await runIndex(other, {}, {})).toMatchObject({ indexed: 0, embedder: "fake-2", not_embedded: 3 });
  expect(meaningOf(await recalled(other))).toBe(0);
  expect(await embedded(other)).toMatchObject({ indexed: 0, embedded: 3, not_embedded: 0 });
  expect([await vectorsOf(memory), await vectorsOf(memory, "fake-2")]).toEqual([0, 3]);
});

test("secrets in a message or a log do not reach the embedder", async () => {
  const embedder = fake();
  const { memory, write } = project({ embedder });
  const secret = "ghp_abcdefghijklmnopqrstuvwxyz0123456789";
  write("memory/2026-03-13.md", `## D\nUser: I bought a violin on 3 March 2026 with the key ${secret} for 12 euros.\n`);
  await embedded(memory);
  await recalled(memory, `What music did I buy with ${secret}?`);
  expect(embedder.seen.map(({ purpose }) => purpose)).toContain("query");
  expect(JSON.stringify(embedder.seen)).not.toContain(secret);
});

const failing: readonly (readonly [says: string, embed: Embed])[] = [
  ["throws", () => Promise.reject(new Error("out of order"))],
  ["throws a MemoryError", () => Promise.reject(new MemoryError("model_refused", "No key."))],
  ["gives too few vectors", async () => []],
  ["gives vectors of different lengths", async (texts) => texts.map((_, at) => new Int8Array(at + 1).fill(9))],
];

test.each(failing)("an embedder that %s leaves an index without vectors, and they are made later", async (_, embed) => {
  const broken = fake(embed);
  const { memory } = project({ embedder: broken });
  const result = await embedded(memory);
  expect(codes(result)).toEqual(["embedder_failed"]);
  expect(result).toMatchObject({ not_indexed: 0, embedded: 0, embeddable: 3, not_embedded: 3 });
  expect(broken.seen.length).toBe(1);
  const mended = { ...memory, embedder: fake() };
  expect(codes(await embedded(mended))).toEqual([]);
  expect(await vectorsOf(memory)).toBe(3);
});

test.each([
  ...failing.slice(0, 3),
  ["gives longer vectors", async (texts) => texts.map(() => Int8Array.of(1, 2, 3))],
] as typeof failing)("if an embedder %s for a query, recall uses words alone, with a warning", async (_, embed) => {
  const { memory } = project({
    embedder: fake((texts, of) => (of === "query" ? embed(texts, of) : musical(texts, of))),
  });
  await embedded(memory);
  const result = await recalled(memory);
  expect(codes(result)).toEqual(["embedder_failed"]);
  expect(result.context.length).toBeGreaterThan(0);
  expect(meaningOf(result)).toBe(0);
});

test("an embedder that does not answer is not waited for", async () => {
  const { memory } = project({
    embedder: fake((texts, of) => (of === "query" ? new Promise(() => {}) : musical(texts, of))),
  });
  await embedded(memory);
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  const waiting = recalled(memory);
  while (vi.getTimerCount() === 0) await new Promise((resolve) => setImmediate(resolve));
  await vi.advanceTimersByTimeAsync(5000);
  expect((await waiting).warnings.map(({ message }) => message)).toEqual([
    "recalled by words only: fake-1 took longer than 5 seconds.",
  ]);
});

test("if the embedder knows too little of a message, recall uses words alone, without a warning", async () => {
  const embedder = fake(async (texts, purpose) =>
    purpose === "query" ? texts.map(() => new Int8Array(2)) : musical(texts, purpose),
  );
  const { memory } = project({ embedder });
  await embedded(memory);
  const result = await recalled(memory, "바이올린 violin 연습은 얼마나 자주 하나요?");
  expect(result.context[0]?.text).toContain("violin");
  expect(meaningOf(result)).toBe(0);
  expect(result.warnings).toEqual([]);
});

test("a query makes no vectors, uses those that are there, and says how many are missing", async () => {
  const embedder = fake();
  const { memory, write } = project({ embedder });
  expect(await recalled(memory)).toMatchObject({ embedder: "fake-1", embeddable: 3, not_embedded: 3 });
  expect(await prepareIndex(memory, "whole")).toMatchObject({ not_indexed: 0, embedded: { not_embedded: 3 } });
  expect(embedder.opens).toBe(0);
  await embedded(memory);
  write("memory/2026-03-13.md", "## D\nUser: I sold a car for 4000 euros in June 2025 in Berlin.\n");
  const result = await recalled(memory);
  expect(result).toMatchObject({ embeddable: 4, not_embedded: 1 });
  expect(meaningOf(result, "violin")).toBeGreaterThan(0.2);
  const none = project({});
  expect(Object.keys(await recalled(none.memory))).not.toContain("not_embedded");
});

test("an aborted request is not a failure of the embedder", async () => {
  const stop = new AbortController();
  const embedder = fake(async (texts, purpose) => {
    if (purpose === "passage") return musical(texts, purpose);
    stop.abort();
    throw new MemoryError("aborted", "Stopped.");
  });
  const { memory } = project({ embedder });
  await embedded(memory);
  await expect(runRecall(memory, { text: "violin" }, { signal: stop.signal })).rejects.toThrow();
});
