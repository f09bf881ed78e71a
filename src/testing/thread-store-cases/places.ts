import type { Place, PlaceTarget } from "../../threads/store/thread-store.ts";
import type { Case } from "../test-functions.ts";
import { begin, effect, FAR, idOf, message, type ThreadStoreHarness } from "./harness.ts";

/** Where messages stand. In these cases they weigh 40 (eight bytes and 32) and lie at the seqs 2, 3, 5 and 8. */
export const placeCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "a message is found by its ordinal, first to last and not beyond",
    proves: async (harness, expect) => {
      expect(
        await found(
          harness,
          [1, 2, 3, 4].map((ordinal) => ({ ordinal })),
        ),
      ).toEqual([1, 2, 3, 4].map(place));
      expect(
        await found(
          harness,
          [0, 5, -1, 1.5, Number.NaN, FAR, 2 ** 53].map((ordinal) => ({ ordinal })),
        ),
      ).toEqual(Array(7).fill(undefined));
    },
  },
  {
    says: "a message is found by its id, a frame of another type or thread and what is no id is not",
    proves: async (harness, expect) => {
      await begin(harness.store, "b", [message("elsewhere", idOf(77))]);
      const { store } = harness;
      const [first] = await store.frames({ thread_id: "b", limit: 1 });
      const ids = [idOf(3), idOf(77), idOf(78), "x", String(JSON.parse(first?.line ?? "").id)];
      expect(
        await found(
          harness,
          ids.map((id) => ({ id })),
        ),
      ).toEqual([place(3), ...Array(4).fill(undefined)]);
      expect((await store.places("b", [{ id: idOf(77) }]))[0]?.seq).toBe(1);
    },
  },
  {
    says: "a seq finds the last message at or before it",
    proves: async (harness, expect) => {
      const expected = [undefined, undefined, 1, 2, 2, 3, 3, 3, 4, 4];
      expect(
        await found(
          harness,
          expected.map((_, seq) => ({ seq })),
        ),
      ).toEqual(expected.map(place));
      expect(await found(harness, [{ seq: FAR }, { seq: -1 }])).toEqual([place(4), undefined]);
    },
  },
  {
    says: "a weight finds the first message before which there is at least so much",
    proves: async (harness, expect) => {
      const expected: readonly (readonly [number, number | undefined])[] = [
        [-1, 1],
        [0, 1],
        [1, 2],
        [39, 2],
        [40, 2],
        [41, 3],
        [80, 3],
        [81, 4],
        [120, 4],
        [121, undefined],
        [160, undefined],
        [161, undefined],
        [2 ** 53, undefined],
      ];
      const targets = expected.map(([weight]) => ({ weight }));
      expect(await found(harness, targets)).toEqual(expected.map(([, ordinal]) => place(ordinal)));
    },
  },
  {
    says: "a thread without messages has no places, and the answers stand in the order of the targets",
    proves: async ({ store, ...harness }, expect) => {
      await begin(store, "empty", [effect()]);
      const targets = [{ ordinal: 1 }, { seq: 1 }, { weight: 0 }, { id: idOf(1) }];
      expect(await store.places("empty", targets)).toEqual(Array(4).fill(undefined));
      expect(await found({ store, ...harness }, [{ ordinal: 4 }, { seq: 0 }, { weight: 41 }, { id: idOf(1) }])).toEqual(
        [4, undefined, 3, 1].map(place),
      );
      expect(await store.places("a", [])).toEqual([]);
    },
  },
];

async function found({ store }: ThreadStoreHarness, targets: readonly PlaceTarget[]) {
  if ((await store.head("a")) === undefined) {
    const text = "12345678";
    await begin(store, "a", [
      effect(),
      message(text, idOf(1)),
      message(text, idOf(2)),
      effect(),
      message(text, idOf(3)),
      effect(),
      effect(),
      message(text, idOf(4)),
      effect(),
    ]);
  }
  return await store.places("a", targets);
}

function place(ordinal: number | undefined): Place | undefined {
  if (ordinal === undefined) return undefined;
  const seq = [0, 2, 3, 5, 8][ordinal] ?? 0;
  return { ordinal, seq, id: idOf(ordinal), weight_before: (ordinal - 1) * 40, weight: ordinal * 40 };
}
