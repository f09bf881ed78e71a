import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { runIndex } from "../../src/recall/index/refresh.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { runRecall } from "../../src/recall/run/recall.ts";
import { runSearch } from "../../src/recall/search/search.ts";
import type { RecallResult } from "../../src/recall/search/inputs-and-results.ts";
import type { SearchIndex, SourceChange } from "../../src/recall/index/search-index.ts";
import { createSeededRandom } from "../../src/testing/index.ts";
import { createdDraft, messageDraft } from "../fixtures/thread-frames.ts";
import { openTestMemory, type TestMemory } from "../fixtures/memory.ts";

/** The results do not depend on the order in which sources were indexed. */
const runs = Number(process.env["HEARTWOOD_LAW_RUNS"] ?? 6);

const opened: Memory[] = [];
afterEach(async () => {
  for (const memory of opened.splice(0)) {
    await memory.searchIndex.close();
    await memory.threads.close();
  }
});

const paths = [
  "memory/2026-03-10.md",
  "memory/2026-03-10-side.md",
  "memory/2026-03-11.md",
  "memory/2026-03-12.md",
  "memory/daily/2026-03-10.md",
  "knowledge/animals.md",
  "knowledge/plants.md",
  "MEMORY.md",
];
const sentences = [
  "The zebra met a quagga at the river.",
  "I bought a zebra for 40 dollars.",
  "My favourite animal is the zebra.",
  "User: we moved the okapi from Oslo to Rome.",
  "The quagga saw two zebras, and the okapi saw none.",
  "シマウマは川で水を飲んだ。",
];
const text = fc
  .array(fc.tuple(fc.boolean(), fc.constantFrom(...sentences)), { minLength: 1, maxLength: 6 })
  .map((lines) => lines.map(([isTopic, line]) => `${isTopic ? "## Animals\n" : ""}${line}\n`).join(""));
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ path: fc.constantFrom(...paths), text }) },
  { weight: 2, arbitrary: fc.record({ remove: fc.constantFrom(...paths) }) },
  { weight: 2, arbitrary: fc.record({ say: fc.constantFrom(...sentences) }) },
);

describe("an index built in many steps", () => {
  test("gives the same hits, passages, scores and order as one built at once", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 14 }), async (steps) => {
        const made = openTestMemory({ disk: "folder" });
        opened.push(made.memory);
        for (const [at, one] of steps.entries()) {
          await act(made, one, at);
          await runIndex(made.memory, {}, {});
        }
        const grown = await answersOf(made.memory);
        await runIndex(made.memory, { rebuild: true }, {});
        expect(grown).toEqual(await answersOf(made.memory));
      }),
      { numRuns: runs },
    );
  });
});

/** 6,000 chunks of 40 days. Some words are in more than the 2,000 chunks read to estimate frequencies. */
const chunksOfDay = 150;
const large: readonly SourceChange[] = Array.from({ length: 40 }, (_, source) => {
  const random = createSeededRandom(source);
  const day = `2026-03-${String((source % 28) + 1).padStart(2, "0")}`;
  const usual = source < 20 ? "early" : "late";
  const chunks = Array.from({ length: chunksOfDay }, (__, line) => {
    const bytes = [...random.bytes(12)];
    const words = bytes.map((byte, at) => (at < 4 ? `common${byte % 5}` : `word${byte}x${(bytes[0] ?? 0) % 4}`));
    return { lines: [line + 1, line + 1] as const, text: [usual, ...words].join(" "), parts: "", weight: 0 };
  });
  const section = {
    heading: "",
    type: "project",
    origin: "",
    day,
    lines: [1, chunksOfDay] as const,
    chunks,
    statements: [],
    digest: "",
  } as const;
  const put = { kind: "raw", level: "raw", from: day, to: day, stamp: "s", digest: "d", sections: [section] } as const;
  return { key: `memory/${source}.md`, put };
});

async function largeIndex(order: readonly SourceChange[], writes: number): Promise<SearchIndex> {
  const { memory } = openTestMemory({ disk: "folder" });
  opened.push(memory);
  for (let write = 0; write < writes; write++)
    await memory.searchIndex.write(
      "rules",
      order.filter((__, at) => at % writes === write),
    );
  return memory.searchIndex;
}

async function hitsOf(index: SearchIndex, words: readonly string[]): Promise<readonly unknown[]> {
  const any = words.map((text, at) => ({ kind: "word", text, weight: 1 + (at % 3) }) as const);
  const found = await index.find({ any, limit: 40 });
  const rows = await index.rows(
    "chunk",
    found.map(({ id }) => id),
  );
  return rows.map(({ source, lines }, at) => [source, lines, found[at]?.score]);
}

describe("a large index", () => {
  test("finds the same with the same scores if the words of a query are in fewer than 40,000 chunks in total", async () => {
    const once = await largeIndex(large, 1);
    const grown = await largeIndex(large.toReversed(), 3);
    const random = createSeededRandom(9);
    for (let query = 0; query < 40; query++) {
      const words = [...random.bytes(1 + (query % 7))].map((byte) =>
        byte < 130 ? `common${byte % 5}` : byte < 160 ? "early" : byte < 190 ? "late" : `word${byte}x${byte % 4}`,
      );
      expect([words, await hitsOf(grown, words)]).toEqual([words, await hitsOf(once, words)]);
    }
  });

  test("counts words in fewer than 2,000 chunks exactly; for more, the estimate depends on what was written first", async () => {
    const once = await largeIndex(large, 1);
    const grown = await largeIndex(large.toReversed(), 3);
    const rare = Array.from({ length: 200 }, (_, byte) => `word${byte}x${byte % 4}`);
    expect(await grown.frequencies(rare)).toEqual(await once.frequencies(rare));
    const [counted, other] = [await once.frequencies(["early"]), await grown.frequencies(["early"])];
    expect(counted.counts).not.toEqual(other.counts);
  });
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

async function act({ memory, write, remove, list }: TestMemory, one: Step, at: number): Promise<void> {
  if ("path" in one) write(one.path, one.text);
  else if ("remove" in one) {
    if (list().includes(one.remove)) remove(one.remove);
  } else {
    const thread_id = `t${at % 2}`;
    const begin = (await memory.threads.head(thread_id)) === undefined ? [createdDraft(1000 + at)] : [];
    await memory.threads.append({ thread_id, frames: [...begin, messageDraft(at + 1, one.say)] });
  }
}

async function answersOf(memory: Memory): Promise<unknown> {
  const queries = ["zebra", "quagga river", '"the zebra"', "シマウマ", "okap*", "2026-03-10"];
  const searched = [];
  for (const query of queries) {
    const { hits, more } = await runSearch(memory, { query, explain: true, limit: 5 }, {});
    searched.push({ hits, more });
  }
  const recalled = [];
  for (const asked of ["Which animal do I like?", "What did the zebra cost me?", "Where is the okapi now?"]) {
    const { context, tokens } = (await runRecall(
      memory,
      { text: asked, budget: 60, explain: true },
      {},
    )) as RecallResult;
    recalled.push({ context, tokens });
  }
  return { searched, recalled };
}
