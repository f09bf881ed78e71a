import type { FrameDraft } from "../../threads/model/frame.ts";
import { endingOf, type Case } from "../test-functions.ts";
import { begin, created, effect, idOf, logOf, message, refusalOf, type ThreadStoreHarness } from "./harness.ts";

/** What refuses an append, whole and without a trace. */
export const conflictCases: readonly Case<ThreadStoreHarness>[] = [
  {
    says: "a thread that is not there is thread_not_found, one that is there cannot begin again",
    proves: async ({ store }, expect) => {
      expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("thread_not_found");
      expect(await endingOf(store.append({ thread_id: "a", frames: [] }))).toBe("thread_not_found");
      await begin(store, "b");
      expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("thread_not_found");
      expect(await endingOf(store.append({ thread_id: "b", frames: [created()] }))).toBe("thread_exists");
      expect((await store.heads({ limit: 10 })).total).toBe(1);
    },
  },
  {
    says: "expected_seq must be the head's seq",
    proves: async ({ store }, expect) => {
      expect(await endingOf(store.append({ thread_id: "a", frames: [created()], expected_seq: 0 }))).toBe(
        "seq_conflict",
      );
      await begin(store, "a", [message("x")]);
      for (const expected_seq of [-1, 0, 2]) {
        const refusal = await refusalOf(store.append({ thread_id: "a", frames: [message("y")], expected_seq }));
        expect(refusal).toEqual({ code: "seq_conflict", details: { thread_id: "a", expected_seq, head_seq: 1 } });
      }
      const { head } = await store.append({ thread_id: "a", frames: [message("y")], expected_seq: 1 });
      expect(head.head_seq).toBe(2);
    },
  },
  {
    says: "expected_decision_seq minds only frames that are no messages",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [effect(), message("x")]);
      const decide = (expected_decision_seq: number) =>
        endingOf(store.append({ thread_id: "a", frames: [effect()], expected_decision_seq }));
      expect(await decide(2)).toBe("decision_conflict");
      expect(await decide(0)).toBe("decision_conflict");
      await store.append({ thread_id: "a", frames: [message("between")] });
      expect(await decide(1)).toBe("fulfilled");
      expect(await decide(1)).toBe("decision_conflict");
      expect(await decide(4)).toBe("fulfilled");
    },
  },
  {
    says: "of many decisions on the same state one is appended",
    proves: async ({ store, other }, expect) => {
      await begin(store, "a");
      const endings = await Promise.all(
        Array.from({ length: 12 }, (_, index) =>
          endingOf(
            (index % 2 === 0 ? store : other).append({
              thread_id: "a",
              frames: [effect()],
              expected_decision_seq: 0,
            }),
          ),
        ),
      );
      expect(endings.filter((ending) => ending === "fulfilled").length).toBe(1);
      expect(new Set(endings)).toEqual(new Set(["fulfilled", "decision_conflict"]));
    },
  },
  {
    says: "a known id is frame_conflict, also in another thread and within one append, and leaves nothing",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("x", idOf(1))]);
      await begin(store, "b");
      const before = [await logOf(store, "a"), await logOf(store, "b"), await store.heads({ limit: 9 })];
      const tries = [
        store.append({ thread_id: "a", frames: [message("new"), message("x", idOf(1))] }),
        store.append({ thread_id: "b", frames: [message("new"), message("x", idOf(1))] }),
        store.append({ thread_id: "b", frames: [message("y", idOf(2)), message("y", idOf(2))] }),
        store.append({ thread_id: "c", frames: [created(), message("x", idOf(1))] }),
      ];
      expect(await Promise.all(tries.map(endingOf))).toEqual(Array(4).fill("frame_conflict"));
      expect([await logOf(store, "a"), await logOf(store, "b"), await store.heads({ limit: 9 })]).toEqual(before);
      expect(await store.places("b", [{ id: idOf(2) }])).toEqual([undefined]);
      expect(await endingOf(store.append({ thread_id: "b", frames: [message("y", idOf(2))] }))).toBe("fulfilled");
    },
  },
  {
    says: "known_ids pass: the same message is passed over and counted, and takes no seq",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("x", idOf(1))]);
      const frames = [message("x", idOf(1)), message("y", idOf(2)), message("y", idOf(2)), message("z", idOf(3))];
      const result = await store.append({ thread_id: "a", known_ids: "pass", frames });
      expect(result.known).toBe(2);
      expect(result.appended).toEqual([
        { id: idOf(2), seq: 2 },
        { id: idOf(3), seq: 3 },
      ]);
      const again = await store.append({ thread_id: "a", known_ids: "pass", frames });
      expect([again.known, again.appended, again.head]).toEqual([4, [], result.head]);
    },
  },
  {
    says: "known_ids pass: a call with expected_seq may be repeated, and one with something new is still refused",
    proves: async ({ store }, expect) => {
      await begin(store, "a", [message("x")]);
      const given = message("y");
      const append = (frames: readonly FrameDraft[]) =>
        store.append({ thread_id: "a", known_ids: "pass", expected_seq: 1, frames });
      expect((await append([given])).known).toBe(0);
      expect((await append([given])).known).toBe(1);
      expect(await endingOf(append([given, message("z")]))).toBe("seq_conflict");
      expect((await store.head("a"))?.head_seq).toBe(2);
    },
  },
  {
    says: "known_ids pass: another content, actor, origin, type or thread is frame_conflict",
    proves: async ({ store }, expect) => {
      const first = created();
      await store.append({ thread_id: "a", frames: [first, message("x", idOf(1))] });
      await begin(store, "b");
      const same = message("x", idOf(1));
      const others = [
        ["a", message("other", idOf(1))],
        ["a", { ...same, payload: { ...same.payload, actor_id: "assistant" } }],
        ["a", { ...same, payload: { ...same.payload, origin: "cli" } }],
        ["a", { ...effect(), id: idOf(1) }],
        ["a", message("x", first.id)],
        ["b", same],
      ] as const;
      for (const [thread_id, frame] of others) {
        const append = store.append({ thread_id, known_ids: "pass", frames: [message("new"), frame] });
        expect(await endingOf(append)).toBe("frame_conflict");
      }
      expect((await store.head("a"))?.head_seq).toBe(1);
    },
  },
];
