import { type Cases, endingOf } from "../test-functions.ts";
import { FAR, type ThreadStoreHarness, begin, checkpoint, effect, ended, idOf, message, spawned } from "./harness.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";
import {
  type FrameQuery,
  INDEXED_TYPES,
  type Place,
  type PlaceTarget,
  type ThreadStore,
} from "../../threads/store/thread-store.ts";

/** How frames are read. */
export const frameCases: Cases<ThreadStoreHarness> = {
  "a range of seqs is inclusive, may lie beside the thread, and ends at the limit": async ({ store }, expect) => {
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
  "most_bytes ends a page of long lines early, and never before its first": async ({ store }, expect) => {
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
  "a frame has its seq, its type and the number of messages up to it": async ({ store }, expect) => {
    await begin(store, "a", [message("x"), effect(), message("y")]);
    const frames = await store.frames({ thread_id: "a", limit: 10 });
    expect(frames.map(({ seq, type, ordinal }) => [seq, type, ordinal])).toEqual([
      [0, "continuity_created", 0],
      [1, "continuity_message_appended", 1],
      [2, "continuity_tool_side_effects", 1],
      [3, "continuity_message_appended", 2],
    ]);
  },
  "types choose, in both orders, alone and together, with a limit": async ({ store }, expect) => {
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
  "frames of other threads never come along": async ({ store }, expect) => {
    await begin(store, "a", [message("a1")]);
    await begin(store, "b", [message("b1"), spawned("j")]);
    await begin(store, "c", [message("c1")]);
    const lines = (await store.frames({ thread_id: "b", limit: 10, order: "descending" })).map(({ line }) => line);
    expect(lines.map((line) => JSON.parse(line).session_id)).toEqual(["b", "b", "b"]);
    expect(await store.frames({ thread_id: "none", limit: 10 })).toEqual([]);
    expect(await store.frames({ thread_id: "a", types: ["continuity_job_spawned"], limit: 10 })).toEqual([]);
  },
};

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

/** Places of messages. In these cases they weigh 40 (eight bytes and 32) and are at the seqs 2, 3, 5 and 8. */
export const placeCases: Cases<ThreadStoreHarness> = {
  "a message is found by its ordinal, first to last and not beyond": async (harness, expect) => {
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
  "a message is found by its id, but not a frame of another type or thread, nor what is not an id": async (
    harness,
    expect,
  ) => {
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
  "a seq finds the last message at or before it": async (harness, expect) => {
    const expected = [undefined, undefined, 1, 2, 2, 3, 3, 3, 4, 4];
    expect(
      await found(
        harness,
        expected.map((_, seq) => ({ seq })),
      ),
    ).toEqual(expected.map(place));
    expect(await found(harness, [{ seq: FAR }, { seq: -1 }])).toEqual([place(4), undefined]);
  },
  "a weight finds the first message before which there is at least so much": async (harness, expect) => {
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
  "a thread without messages has no places, and the answers are in the order of the targets": async (
    { store, ...harness },
    expect,
  ) => {
    await begin(store, "empty", [effect()]);
    const targets = [{ ordinal: 1 }, { seq: 1 }, { weight: 0 }, { id: idOf(1) }];
    expect(await store.places("empty", targets)).toEqual(Array(4).fill(undefined));
    expect(await found({ store, ...harness }, [{ ordinal: 4 }, { seq: 0 }, { weight: 41 }, { id: idOf(1) }])).toEqual(
      [4, undefined, 3, 1].map(place),
    );
    expect(await store.places("a", [])).toEqual([]);
  },
};

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
