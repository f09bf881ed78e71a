import type { PlaceTarget, ThreadStore } from "../../threads/store/thread-store.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import { createSeededRandom, type SeededRandom } from "../seeded-random.ts";
import type { Case, Expect } from "../test-functions.ts";
import {
  begin,
  checkpoint,
  created,
  effect,
  ended,
  idOf,
  linesOf,
  logOf,
  message,
  numbered,
  spawned,
  type ThreadStoreHarness,
} from "./harness.ts";
import { placeIn, replayOf, SOME_TYPES } from "./replay.ts";

/** Answers against those of a naive replay. */
export const replayCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "after random appends and imports every answer is that of a replay of the lines",
    proves: async ({ store, other }, expect) => {
      const random = createSeededRandom(7);
      const threads = ["a", "b", "c"];
      for (const thread_id of threads) await begin(store, thread_id);
      for (let round = 0; round < 20; round += 1) {
        const thread_id = threads[random.below(threads.length)] ?? "";
        const head_seq = (await store.head(thread_id))?.head_seq ?? 0;
        const frames = Array.from({ length: random.below(30) }, () => randomDraft(random, head_seq));
        if (random.chance(0.5)) await (random.chance(0.5) ? store : other).append({ thread_id, frames });
        else {
          const filler = Array.from({ length: head_seq + 1 }, () => created());
          await other.import(numbered(linesOf(thread_id, [...filler, ...frames]).slice(head_seq + 1)));
        }
      }
      for (const thread_id of threads) await expectReplay({ store: other, thread_id, random }, expect);
    },
  },
];

/** A frame of any kind: also one that says nonsense about others. */
export function randomDraft(random: SeededRandom, head_seq: number): FrameDraft {
  const job = `j${random.below(6)}`;
  const seq = (): number => random.below(head_seq + 40);
  const kind = ["cumulative_v1", "rung_v1/0"][random.below(2)];
  const kinds: readonly (() => FrameDraft)[] = [
    () => message("é".repeat(random.below(90))),
    () => message("x".repeat(random.below(90))),
    () => message(""),
    () => effect(),
    () => spawned(job, `kind-${random.below(2)}`),
    () => ended(job),
    () => checkpoint(seq(), { from_seq: seq(), summary_kind: kind }),
  ];
  return (kinds[random.below(kinds.length)] ?? effect)();
}

/** Asks the store everything about a thread, and compares with a replay of its lines. */
export async function expectReplay(
  {
    store,
    thread_id,
    random,
  }: { readonly store: ThreadStore; readonly thread_id: string; readonly random: SeededRandom },
  expect: Expect,
): Promise<void> {
  const replay = replayOf(await logOf(store, thread_id));
  expect(await store.head(thread_id)).toEqual(replay.head);
  expect(await store.frames({ thread_id, limit: 10_000 })).toEqual(replay.frames);
  expect(await store.openJobs({ thread_id })).toEqual(replay.openJobs);
  const length = replay.frames.length;
  for (const type of SOME_TYPES) {
    const [from_seq, to_seq] = [random.below(length + 1), random.below(length + 1)];
    const inside = replay.frames.filter((frame) => frame.type === type && frame.seq >= from_seq && frame.seq <= to_seq);
    const query = { thread_id, types: [type], from_seq, to_seq, limit: 3 };
    expect(await store.frames(query)).toEqual(inside.slice(0, 3));
    expect(await store.frames({ ...query, order: "descending" })).toEqual(inside.toReversed().slice(0, 3));
  }
  const targets = targetsOf(replay.head?.weight ?? 0, length);
  const asked = [...targets, ...replay.places.map(({ id }) => ({ id })), { id: idOf(0) }];
  expect(await store.places(thread_id, asked)).toEqual(asked.map((target) => placeIn(replay.places, target)));
  for (const kind of ["cumulative_v1", "rung_v1/0"]) {
    const [to_seq_at_most, frame_seq_at_most] = [random.below(length + 20), random.below(length + 1)];
    const all = replay.checkpoints.filter((found) => found.kind === kind);
    expect(await store.checkpoints({ thread_id, kind, limit: 10_000 })).toEqual(all);
    const some = all.filter(({ to_seq, seq }) => to_seq <= to_seq_at_most && seq <= frame_seq_at_most);
    const query = { thread_id, kind, to_seq_at_most, frame_seq_at_most, limit: 2 };
    expect(await store.checkpoints(query)).toEqual(some.slice(0, 2));
  }
}

/** Every seq and ordinal, and weights around all boundaries. */
function targetsOf(weight: number, length: number): readonly PlaceTarget[] {
  const counted = Array.from({ length: length + 2 }, (_, index) => index);
  return [
    ...counted.map((ordinal) => ({ ordinal })),
    ...counted.map((seq) => ({ seq })),
    ...Array.from({ length: 200 }, (_, index) => ({ weight: Math.floor((index * (weight + 40)) / 200) })),
  ];
}
