import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { runIndex } from "../src/engine/indexing/run-index.ts";
import type { Memory } from "../src/engine/memory.ts";
import { runRecall } from "../src/engine/recall/recall.ts";
import { runSearch } from "../src/engine/search/search.ts";
import type { RecallResult } from "../src/engine/search/results.ts";
import { createdDraft, messageDraft } from "./fixtures/thread-frames.ts";
import { openTestMemory, type TestMemory } from "./fixtures/memory.ts";

/** Whatever the order in which sources came into the index, the answers are those of an index that is made at once. */
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

describe("an index made in many steps", () => {
  test(
    "answers like one that is made at once: the same hits, passages, scores and order",
    { timeout: 60_000 },
    async () => {
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
    },
  );
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
