import { INDEXED_TYPES, type FrameQuery, type ThreadStore } from "../../threads/store/thread-store.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import { endingOf, type Case } from "../test-functions.ts";
import { begin, checkpoint, effect, ended, message, spawned, type ThreadStoreHarness } from "./harness.ts";

/** How frames are read. */
export const frameCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "a range of seqs is inclusive, may lie beside the thread, and ends at the limit",
    proves: async ({ store }, expect) => {
      await begin(
        store,
        "a",
        ["1", "2", "3"].map((text) => message(text)),
      );
      const seqs = (query: Partial<FrameQuery>) => seqsOf(store, query);
      expect(await seqs({})).toEqual([0, 1, 2, 3]);
      expect(await seqs({ from_seq: 1, to_seq: 2 })).toEqual([1, 2]);
      expect(await seqs({ from_seq: 3, to_seq: 99 })).toEqual([3]);
      expect(await seqs({ from_seq: 4 })).toEqual([]);
      expect(await seqs({ from_seq: 2, to_seq: 1 })).toEqual([]);
      expect(await seqs({ limit: 2 })).toEqual([0, 1]);
      expect(await seqs({ limit: 2, order: "descending" })).toEqual([3, 2]);
      expect(await seqs({ from_seq: 1, limit: 5, order: "descending" })).toEqual([3, 2, 1]);
      expect(await seqs({ limit: 0 })).toEqual([]);
      expect(await endingOf(seqs({ limit: 10_001 }))).toBe("limit_too_large");
    },
  },
  {
    says: "most_bytes ends a page of long lines early, and never before its first",
    proves: async ({ store }, expect) => {
      const texts = ["x", "y", "é"].map((letter) => message(letter.repeat(letter === "é" ? 5_000 : 10_000)));
      await begin(store, "a", texts);
      const seqs = (query: Partial<FrameQuery>) => seqsOf(store, query);
      expect(await seqs({ most_bytes: 100_000 })).toEqual([0, 1, 2, 3]);
      expect(await seqs({ most_bytes: 24_000 })).toEqual([0, 1, 2]);
      expect(await seqs({ most_bytes: 24_000, from_seq: 1 })).toEqual([1, 2]);
      expect(await seqs({ most_bytes: 24_000, from_seq: 2 })).toEqual([2, 3]);
      expect(await seqs({ most_bytes: 24_000, order: "descending" })).toEqual([3, 2]);
      expect(await seqs({ most_bytes: 24_000, limit: 1 })).toEqual([0]);
      expect(await seqs({ most_bytes: 1, from_seq: 2 })).toEqual([2]);
      expect(await seqs({ most_bytes: 1, order: "descending" })).toEqual([3]);
    },
  },
  {
    says: "a frame tells its seq, type and the messages up to it",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("x"), effect(), message("y")]);
      const frames = await store.frames({ thread_id: "a", limit: 10 });
      expect(frames.map(({ seq, type, ordinal }) => [seq, type, ordinal])).toEqual([
        [0, "continuity_created", 0],
        [1, "continuity_message_appended", 1],
        [2, "continuity_tool_side_effects", 1],
        [3, "continuity_message_appended", 2],
      ]);
    },
  },
  {
    says: "types choose, in both orders, alone and together, with a limit",
    proves: async ({ store }, expect) => {
      const all = await mixedThread(store);
      const wanted: readonly (readonly string[])[] = [
        ["continuity_message_appended"],
        ["continuity_job_spawned"],
        ["continuity_tool_side_effects"],
        ["continuity_message_appended", "continuity_job_ended"],
        ["continuity_message_appended", "continuity_tool_side_effects", "no_such_type'"],
        INDEXED_TYPES,
        ["no_such_type"],
        [],
      ];
      for (const types of wanted) {
        const expected = all.flatMap((type, seq) => (types.includes(type) ? [seq] : []));
        expect(await seqsOf(store, { types })).toEqual(expected);
        expect(await seqsOf(store, { types, order: "descending" })).toEqual(expected.toReversed());
        expect(await seqsOf(store, { types, limit: 2 })).toEqual(expected.slice(0, 2));
        const part = { types, from_seq: 3, to_seq: 300, order: "descending", limit: 3 } as const;
        const inPart = expected.filter((seq) => seq >= 3 && seq <= 300);
        expect(await seqsOf(store, part)).toEqual(inPart.toReversed().slice(0, 3));
      }
    },
  },
  {
    says: "frames of other threads never come along",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("a1")]);
      await begin(store, "b", [message("b1"), spawned("j")]);
      await begin(store, "c", [message("c1")]);
      const lines = (await store.frames({ thread_id: "b", limit: 10, order: "descending" })).map(({ line }) => line);
      expect(lines.map((line) => JSON.parse(line).session_id)).toEqual(["b", "b", "b"]);
      expect(await store.frames({ thread_id: "none", limit: 10 })).toEqual([]);
      expect(await store.frames({ thread_id: "a", types: ["continuity_job_spawned"], limit: 10 })).toEqual([]);
    },
  },
];

/** A thread in which messages lie far apart and close together; its types by seq. */
async function mixedThread(store: ThreadStore): Promise<readonly string[]> {
  const frames = [
    message("1"),
    spawned("j1"),
    ...effects(150),
    message("2"),
    checkpoint(1),
    message("3"),
    ended("j1"),
    ...effects(200),
    message("4"),
    ...effects(3),
    spawned("j2"),
  ];
  await begin(store, "a", frames);
  return ["continuity_created", ...frames.map(({ type }) => type)];
}

function effects(count: number): readonly FrameDraft[] {
  return Array.from({ length: count }, () => effect());
}

async function seqsOf(store: ThreadStore, query: Partial<FrameQuery>): Promise<readonly number[]> {
  return (await store.frames({ thread_id: "a", limit: 1000, ...query })).map(({ seq }) => seq);
}
