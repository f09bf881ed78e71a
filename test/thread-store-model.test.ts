import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createSqliteThreads } from "../src/adapters/sqlite-threads.ts";
import { verifyThreads } from "../src/engine/threads/verify.ts";
import type { Memory } from "../src/engine/memory.ts";
import type { ThreadStore } from "../src/ports/thread-store.ts";
import type { FrameDraft } from "../src/thread/frame.ts";
import { anyDrafts, linesOf } from "./fixtures/thread-frames.ts";
import { openTestMemory } from "./fixtures/memory.ts";

/** The store against the fold: whatever was appended or imported, in whatever pieces, what it keeps beside the frames is what they say. */
describe("what the store keeps beside the frames", () => {
  it("follows from them, when they are appended in pieces", async () => {
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

  it("follows from them, when they are imported in two pieces that overlap, among those of another thread", async () => {
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

  it("follows from them, when a thread was refused in the middle of an import", async () => {
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

async function withStore(act: (memory: Memory, store: ThreadStore) => Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "heartwood-model-"));
  const threads = createSqliteThreads({ folder: join(folder, ".heartwood/threads"), clock: { now: () => 0 } });
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
