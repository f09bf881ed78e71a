import { existsSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { compileContext } from "../../src/threads/compile/compile.ts";
import { importFrames } from "../../src/threads/run/import-export.ts";
import type { Memory } from "../../src/operations/operation.ts";
import type { Strategy } from "../../src/threads/run/inputs.ts";
import { openFolder } from "../fixtures/planted-thread.ts";

/** A log and the reference's results for it, in a folder next to the repository. */
const FIXTURE = join(dirname(fileURLToPath(import.meta.url)), "..", "..", "..", "shared", "data", "thread-fixture");
const THREAD = "11111111-1111-1111-1111-111111111111";
const isThere = existsSync(join(FIXTURE, "events.jsonl"));
if (!isThere) console.warn(`SKIPPED: the reference strategies are not compared, since ${FIXTURE} is not there.`);

const expected = (name: string): unknown => JSON.parse(readFileSync(join(FIXTURE, "expected", name), "utf8"));

describe.skipIf(!isThere)("the reference's strategies", () => {
  let memory: Memory;
  let remove: () => Promise<void>;
  beforeAll(async () => {
    ({ memory, remove } = await openFolder());
    const bytes = readFileSync(join(FIXTURE, "events.jsonl"));
    const file = {
      name: "events.jsonl",
      chunks: async function* () {
        yield bytes;
      },
    };
    const { imported } = await importFrames(memory, { file });
    expect(imported).toBe(64);
  });
  afterAll(() => remove());

  const compile = (strategy: Strategy, at?: string) =>
    compileContext(memory, { thread_id: THREAD, strategy, ...(at === undefined ? {} : { at }) });

  test("hierarchical_summaries_recent_messages_v1 gives the same bundle and selection as the reference", async () => {
    const result = await compile("hierarchical_summaries_recent_messages_v1");
    const { schema, compiler, source, provenance, items } = result;
    expect({ schema, compiler, source, provenance, items }).toEqual(expected("bundle.json"));
    expect(result.compaction_checkpoints).toEqual(expected("sel.json"));
    expect([result.message_count, result.raw_messages, result.summarized_messages, result.uncovered_messages]).toEqual([
      60, 16, 32, 12,
    ]);
    expect(result.tokens).toBe(memory.tokens.count(String(result.rendered)));
  });

  test("the text says that the summaries are not in the store, and what is missing", async () => {
    const { rendered, warnings } = await compile("hierarchical_summaries_recent_messages_v1");
    expect(rendered).toContain(`## Summary up to #8: artifact ${"a".repeat(64)} is not in the store\n`);
    expect(rendered).toContain("## Not shown: 12 messages, #33 to #44\n");
    expect(warnings.map(({ code }) => code)).toEqual([
      "artifact_not_found",
      "artifact_not_found",
      "artifact_not_found",
    ]);
  });

  test("recent_messages_v1 has the newest 16 messages and no summary, even at a given message", async () => {
    const { items } = await compile("recent_messages_v1");
    expect(items.map(({ thread_seq }) => thread_seq)).toEqual([...Array(16).keys()].map((at) => at + 45));
    const { items: some, source } = await compile("recent_messages_v1", "00000000-0000-0000-0000-000000000003");
    expect(some.map(({ thread_seq }) => thread_seq)).toEqual([1, 2, 3]);
    expect(source).toEqual({ thread_id: THREAD, from_seq: 3, from_message_id: "00000000-0000-0000-0000-000000000003" });
  });

  test("summaries_recent_messages_v1 has the latest summary and the newest messages after it", async () => {
    const { items, compaction_checkpoints } = await compile("summaries_recent_messages_v1");
    expect(items[0]).toEqual({
      type: "summary_ref",
      artifact_id: "c".repeat(64),
      note: "compaction checkpoint to_seq=32",
    });
    expect(items.length).toBe(17);
    expect(compaction_checkpoints.map(({ to_seq }) => to_seq)).toEqual([32]);
  });

  test("checkpoints whose frames come after the anchor do not count", async () => {
    const at = "00000000-0000-0000-0000-00000000003c";
    const { items } = await compile("hierarchical_summaries_recent_messages_v1", at);
    expect(items.every(({ type }) => type === "message")).toBe(true);
  });

  test("the default leaves nothing out, because it does not use missing summaries", async () => {
    const result = await compile("covering_summaries_v1");
    expect([result.message_count, result.raw_messages, result.uncovered_messages]).toEqual([60, 60, 0]);
  });
});
