import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nodeSqlite } from "../../src/platform/sqlite.ts";
import { createSqliteThreads } from "../../src/threads/store/sqlite-threads.ts";
import { verifyThreads } from "../../src/threads/verify/verify.ts";
import type { Memory } from "../../src/operations/operation.ts";
import { INDEXED_TYPES, type ThreadStore } from "../../src/threads/store/thread-store.ts";
import type { FrameDraft } from "../../src/threads/model/frame.ts";
import { anyDrafts, createdDraft, draftOf, idOf, linesOf, messageDraft } from "../fixtures/thread-frames.ts";
import { openTestMemory } from "../fixtures/memory.ts";

/** Compares the store with a fold over the frames: its other tables always match the frames, however they were appended or imported. */
describe("what the store keeps in addition to the frames", () => {
  it("follows from frames appended in pieces", async () => {
    await fc.assert(
      fc.asyncProperty(anyDrafts(), fc.integer({ min: 1, max: 20 }), async (drafts, size) => {
        await withStore(async (memory, store) => {
          for (let at = 0; at < drafts.length; at += size)
            await store.append({ thread_id: "notes", frames: drafts.slice(at, at + size) });
          expect(await indexFindings(memory)).toEqual([]);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("follows from frames imported in two overlapping pieces, mixed with those of another thread", async () => {
    await fc.assert(
      fc.asyncProperty(anyDrafts(), anyDrafts(20), fc.nat(), async (drafts, others, at) => {
        await withStore(async (memory, store) => {
          const lines = linesOf("notes", drafts);
          const other = linesOf("other", others.map(withOtherId));
          const cut = at % (lines.length + 1);
          await store.import(numbered([...lines.slice(0, cut), ...other]));
          await store.import(numbered([...other, ...lines]));
          expect(await indexFindings(memory)).toEqual([]);
        });
      }),
      { numRuns: 40 },
    );
  });

  it("follows from the frames after a thread was refused in the middle of an import", async () => {
    await fc.assert(
      fc.asyncProperty(anyDrafts(), fc.nat(), async (drafts, at) => {
        await withStore(async (memory, store) => {
          const lines = linesOf("notes", drafts);
          const cut = at % lines.length;
          await store.import(numbered(lines.slice(0, cut)));
          await store.import(numbered([...lines, lines.at(-1)?.replace(/"seq":\d+/u, '"seq":900') ?? ""]));
          expect(await indexFindings(memory)).toEqual([]);
          if (cut === 0) expect(await store.head("notes")).toBeUndefined();
          else expect((await store.head("notes"))?.head_seq).toBe(cut - 1);
        });
      }),
      { numRuns: 40 },
    );
  });
});

describe("verify of frames from other programs", () => {
  it("never throws, whatever the fields contain", async () => {
    const anything = fc.oneof(
      fc.constantFrom("cumulative_v1", "rung_v1/0", "compaction_summarizer_v1", "scheduled", "covering_summaries_v1"),
      fc.constantFrom("heartwood.context_compiler.v1", "rip.context_compiler.v1", "stride_messages_v1/2", "../../x"),
      fc.constantFrom("compaction_auto_schedule_v1/x", "rip.job.compaction_summarizer.v1", "ladder_v1/8192/4/0/0"),
      fc.jsonValue({ maxDepth: 2 }),
      fc.integer({ min: -2, max: 12 }),
      fc.constant([{ target_message_ordinal: 2, to_seq: 2, to_message_id: idOf(2) }, {}]),
      fc.constant({ tokens: "o200k", budget_tokens: 1, planned: [{}], stride_messages: 0.5, recent_messages: 16 }),
    );
    const fields = fc.dictionary(fc.constantFrom(...FIELDS), anything, { maxKeys: 6 });
    const frames = fc.array(fc.tuple(fc.constantFrom(...TYPES), fields), { maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(frames, async (all) => {
        await withStore(async (memory, store) => {
          const said = [1, 2, 3].map((number) => messageDraft(number, "words"));
          await store.append({ thread_id: "notes", frames: [createdDraft(), ...said] });
          for (const [index, [type, payload]] of all.entries())
            await appendIfFrame(store, draftOf(10 + index, type, { ...PAYLOAD, ...payload }));
          expect((await verifyThreads(memory, {})).threads).toBe(1);
        });
      }),
      { numRuns: Number(process.env["HEARTWOOD_LAW_RUNS"] ?? 40) * 3 },
    );
  });
});

const TYPES = [...INDEXED_TYPES, "continuity_tool_side_effects"] as const;
/** Valid fields of all types, some of which are then replaced. */
const PAYLOAD = {
  actor_id: "user",
  origin: "test",
  checkpoint_id: idOf(10),
  cut_rule_id: "stride_messages_v1/2",
  summary_kind: "cumulative_v1",
  summary_artifact_id: "0".repeat(64),
  from_seq: 0,
  to_seq: 2,
  from_message_id: null,
  to_message_id: idOf(2),
  job_id: "job",
  job_kind: "compaction_summarizer_v1",
  details: {
    schema: "rip.job.compaction_summarizer.v1",
    cut_rule_id: "stride_messages_v1/2",
    stride_messages: 2,
    planned: [{ target_message_ordinal: 2, to_seq: 2, to_message_id: idOf(2) }],
  },
  status: "completed",
  result: { created: [{ checkpoint_id: idOf(10), to_seq: 2 }] },
  policy_id: "compaction_auto_schedule_v1/stride_messages_v1/2/max_new_checkpoints_v1/1/block_on_inflight_v1/true",
  decision: "scheduled",
  stride_messages: 2,
  max_new_checkpoints: 1,
  block_on_inflight: true,
  message_count: 3,
  planned: [{ target_message_ordinal: 2, to_seq: 2, to_message_id: idOf(2) }],
  reason: null,
  compiler_id: "heartwood.context_compiler.v1",
  compiler_strategy: "covering_summaries_v1",
  limits: { tokens: openTestMemory().memory.tokens.id, budget_tokens: 800 },
  bundle_artifact_id: "0".repeat(64),
  run_session_id: "run_1",
  parent_thread_id: "notes",
  parent_seq: 2,
  from_thread_id: "notes",
};
const FIELDS = Object.keys(PAYLOAD);

/** Frames that the store refuses are dropped. */
async function appendIfFrame(store: ThreadStore, draft: FrameDraft): Promise<void> {
  try {
    await store.append({ thread_id: "notes", frames: [draft] });
  } catch (error) {
    expect(error).toMatchObject({ code: "invalid_frame" });
  }
}

async function withStore(act: (memory: Memory, store: ThreadStore) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-model-"));
  const threads = createSqliteThreads({
    folder: join(folder, ".heartwood/threads"),
    clock: { now: () => 0 },
    driver: nodeSqlite,
  });
  const artifacts = { id: "none", put: async () => "", putAll: async () => [], get: async () => undefined };
  try {
    await act(openTestMemory({ with: { threads, artifacts } }).memory, threads);
  } finally {
    await threads.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

async function indexFindings(memory: Memory): Promise<readonly unknown[]> {
  const { findings } = await verifyThreads(memory, {});
  return findings.filter(({ code }) => ["index_mismatch", "seq_gap", "invalid_frame"].includes(code));
}

function numbered(lines: readonly string[]): readonly { readonly number: number; readonly text: string }[] {
  return lines.map((text, index) => ({ number: index + 1, text }));
}

function withOtherId(draft: FrameDraft): FrameDraft {
  const id = draft.id.replace("0199", "019a");
  const { payload } = draft;
  return { ...draft, id, payload: "checkpoint_id" in payload ? { ...payload, checkpoint_id: id } : payload };
}
