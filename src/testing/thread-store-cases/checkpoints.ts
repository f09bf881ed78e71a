import type { CheckpointQuery, ThreadStore } from "../../threads/store/thread-store.ts";
import type { Case } from "../test-functions.ts";
import { begin, checkpoint, effect, FAR, message, type ThreadStoreHarness } from "./harness.ts";

/** How checkpoints are found. */
export const checkpointCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "a checkpoint is told with all its fields and the ordinals that it covers",
    proves: async ({ store }, expect) => {
      const more = { from_seq: 2, from_message_id: "m1", to_message_id: "m2", cut_rule_id: "manual_v1" };
      const frame = checkpoint(4, more);
      await begin(store, "a", [message("1"), effect(), message("2"), message("3"), frame]);
      const query = { thread_id: "a", kind: "cumulative_v1", limit: 10 };
      expect(await store.checkpoints(query)).toEqual([
        {
          checkpoint_id: frame.id,
          seq: 5,
          kind: "cumulative_v1",
          cut_rule_id: "manual_v1",
          artifact_id: "a".repeat(64),
          from_seq: 2,
          from_message_id: "m1",
          to_seq: 4,
          to_message_id: "m2",
          ordinals: [2, 3],
        },
      ]);
    },
  },
  {
    says: "the greatest to_seq comes first, of the same the latest frame",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("1"), message("2"), checkpoint(2), checkpoint(1), checkpoint(2), checkpoint(1)]);
      expect(await seqsOf(store, {})).toEqual([5, 3, 6, 4]);
      expect(await seqsOf(store, { limit: 2 })).toEqual([5, 3]);
    },
  },
  {
    says: "bounds of to_seq and of the frame are inclusive, and kinds and threads are apart",
    proves: async ({ store }, expect) => {
      const rung = checkpoint(2, { summary_kind: "rung_v1/0" });
      await begin(store, "a", [message("1"), message("2"), message("3"), checkpoint(1), checkpoint(3), rung]);
      await store.append({ thread_id: "a", frames: [checkpoint(2), checkpoint(3)] });
      await begin(store, "b", [message("1"), checkpoint(1)]);
      expect(await seqsOf(store, {})).toEqual([8, 5, 7, 4]);
      expect(await seqsOf(store, { kind: "rung_v1/0" })).toEqual([6]);
      expect(await seqsOf(store, { kind: "rung_v1/1" })).toEqual([]);
      expect(await seqsOf(store, { to_seq_at_most: 2 })).toEqual([7, 4]);
      expect(await seqsOf(store, { to_seq_at_least: 2 })).toEqual([8, 5, 7]);
      expect(await seqsOf(store, { to_seq_at_least: 2, to_seq_at_most: 2 })).toEqual([7]);
      expect(await seqsOf(store, { frame_seq_at_most: 7 })).toEqual([5, 7, 4]);
      expect(await seqsOf(store, { frame_seq_at_most: 5, limit: 1 })).toEqual([5]);
      expect(await seqsOf(store, { frame_seq_at_most: 3 })).toEqual([]);
    },
  },
  {
    says: "what a checkpoint says about frames that are no messages or not there yet has no ordinals",
    proves: async ({ store }, expect) => {
      const frames = [
        message("1"),
        effect(),
        message("2"),
        checkpoint(2),
        checkpoint(FAR),
        checkpoint(7),
        checkpoint(1, { from_seq: 3 }),
        checkpoint(2 ** 53 - 1, { from_seq: 2 ** 53 - 1 }),
        checkpoint(3, { from_seq: 2, from_message_id: 5 }),
      ];
      await begin(store, "a", frames);
      await store.append({ thread_id: "a", frames: [message("3")] });
      const found = await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 10 });
      expect(found.map(({ to_seq, ordinals }) => [to_seq, ordinals])).toEqual([
        [2 ** 53 - 1, null],
        [FAR, null],
        [7, null],
        [3, [2, 2]],
        [2, null],
        [1, null],
      ]);
    },
  },
];

async function seqsOf(store: ThreadStore, query: Partial<CheckpointQuery>): Promise<readonly number[]> {
  const found = await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 100, ...query });
  return found.map(({ seq }) => seq);
}
