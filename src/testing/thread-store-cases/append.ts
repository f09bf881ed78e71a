import { type Cases, endingOf } from "../test-functions.ts";
import {
  MOMENT,
  type ThreadStoreHarness,
  begin,
  created,
  draft,
  effect,
  idOf,
  logOf,
  message,
  refusalOf,
} from "./harness.ts";
import type { FrameDraft } from "../../threads/model/frame.ts";

/** What an append gives and keeps. */
export const appendCases: Cases<ThreadStoreHarness> = {
  "an empty store answers every question": async ({ store }, expect) => {
    expect(await store.head("a")).toBe(undefined);
    expect(await store.heads({ limit: 10 })).toEqual({ heads: [], total: 0 });
    expect(await store.frames({ thread_id: "a", limit: 10 })).toEqual([]);
    expect(await store.places("a", [{ ordinal: 1 }, { seq: 0 }])).toEqual([undefined, undefined]);
    expect(await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 1 })).toEqual([]);
    expect(await store.openJobs({})).toEqual([]);
    expect(await store.claim({ job_id: "j", runner: "r", lease_ms: 1, action: "take" })).toBe(false);
  },
  "an append gives ids, seqs and the head, and the other opening sees it at once": async ({ store, other }, expect) => {
    const first = { ...created("Plans"), timestamp_ms: 5 };
    const frames = [first, message("é", idOf(1)), effect(), { ...message("x", idOf(2)), timestamp_ms: 3 }];
    const result = await store.append({ thread_id: "a", frames, expected_seq: -1 });
    expect(result.appended).toEqual(frames.map(({ id }, seq) => ({ id, seq })));
    expect(result.known).toBe(0);
    const head = {
      thread_id: "a",
      workspace: "/srv/app",
      title: "Plans",
      created_at_ms: 5,
      updated_at_ms: 3,
      head_seq: 3,
      message_count: 2,
      weight: 34 + 33,
      decision_seq: 2,
    };
    expect(result.head).toEqual(head);
    expect(await other.head("a")).toEqual(head);
  },
  "frames are kept as the lines of the format": async ({ store }, expect) => {
    await store.append({ thread_id: "a", frames: [{ ...created(), id: idOf(1) }, message("hé", idOf(2))] });
    const start = `"session_id":"a","stream_kind":"continuity","stream_id":"a","timestamp_ms":${MOMENT}`;
    expect(await logOf(store, "a")).toEqual([
      `{"id":"${idOf(1)}",${start},"seq":0,"type":"continuity_created","workspace":"/srv/app","title":null}`,
      `{"id":"${idOf(2)}",${start},"seq":1,"type":"continuity_message_appended","actor_id":"user","origin":"test","content":"hé"}`,
    ]);
  },
  "any text comes back as it was: NUL, lone surrogates, emoji, line ends, right-to-left": async (
    { store, other },
    expect,
  ) => {
    const texts = ["", "\0", "a\0b", "\ud800", "x\udc00", "🙂", "שלום", "a\r\nb\n", "'\"\\", "日本語", "\u2028"];
    await store.append({ thread_id: "a", frames: [created("t\0\ud800🙂"), ...texts.map((text) => message(text))] });
    const frames = await other.frames({ thread_id: "a", from_seq: 1, limit: 100 });
    expect(frames.map(({ line }) => JSON.parse(line).content)).toEqual(texts);
    expect((await other.head("a"))?.title).toBe("t\0\ud800🙂");
  },
  "what is not of the format is invalid_frame, and nothing of its append is there": async ({ store }, expect) => {
    await begin(store, "a");
    const wrong = [
      message("x", "no-uuid"),
      created(),
      draft("continuity_message_appended", { actor_id: "user", origin: "test" }),
      draft("continuity_message_appended", { actor_id: "user", origin: "test", content: "x", seq: 9 }),
      draft("continuity_job_spawned", {}),
    ];
    for (const frame of wrong) {
      const append = store.append({ thread_id: "a", frames: [message("before"), frame] });
      expect(await endingOf(append)).toBe("invalid_frame");
    }
    expect((await store.head("a"))?.head_seq).toBe(0);
  },
  "an append without frames changes nothing": async ({ store }, expect) => {
    await begin(store, "a");
    await begin(store, "b");
    const { appended, head } = await store.append({ thread_id: "a", frames: [] });
    expect(appended).toEqual([]);
    expect(head.head_seq).toBe(0);
    expect((await store.heads({ limit: 1 })).heads[0]?.thread_id).toBe("b");
  },
  "pieces are one append: all or none, known ids passed over, the seq expected at the end": async (
    { store, other },
    expect,
  ) => {
    const request = { thread_id: "a", known_ids: "pass", expected_seq: 1 } as const;
    const pieces = async function* (given: readonly (readonly FrameDraft[])[]) {
      yield* given;
    };
    expect(await endingOf(store.appendPieces(request, pieces([[message("y")]])))).toBe("thread_not_found");
    await begin(store, "a", [message("x", idOf(1))]);
    const wrong = pieces([[message("y")], [message("other", idOf(1))]]);
    expect(await endingOf(store.appendPieces(request, wrong))).toBe("frame_conflict");
    expect((await other.head("a"))?.head_seq).toBe(1);
    const frames = [[message("x", idOf(1)), message("y", idOf(2))], [], [effect(), message("z", idOf(3))]];
    const result = await store.appendPieces(request, pieces(frames));
    expect([result.appended, result.known, result.head]).toEqual([3, 1, await other.head("a")]);
    expect((await logOf(other, "a")).length).toBe(5);
    const again = pieces([[message("x", idOf(1)), message("z", idOf(3))]]);
    const repeated = await store.appendPieces(request, again);
    expect([repeated.appended, repeated.known]).toEqual([0, 2]);
    expect(await endingOf(store.appendPieces(request, pieces([[message("new")]])))).toBe("seq_conflict");
    const [one, two] = await Promise.all([
      store.appendPieces({ thread_id: "a" }, pieces([[message("1")], [message("2")]])),
      store.append({ thread_id: "a", frames: [message("3")] }),
    ]);
    expect(Math.max(one.head.head_seq, two.head.head_seq)).toBe(7);
  },
  "threads are listed the last appended to first, whatever their timestamps, with their number": async (
    { store, other },
    expect,
  ) => {
    for (const id of ["a", "b", "c"]) await begin(store, id);
    await other.append({ thread_id: "a", frames: [{ ...message("x"), timestamp_ms: 1 }] });
    const { heads, total } = await store.heads({ limit: 2 });
    expect(heads.map(({ thread_id }) => thread_id)).toEqual(["a", "c"]);
    expect(total).toBe(3);
    expect(heads[0]).toEqual(await store.head("a"));
  },
  "appends of both openings at once give a thread without a gap": async ({ store, other }, expect) => {
    await begin(store, "a");
    const appends = Array.from({ length: 40 }, (_, index) =>
      (index % 2 === 0 ? store : other).append({ thread_id: "a", frames: [message(`${index}`), message("x")] }),
    );
    const results = await Promise.all(appends);
    const seqs = results.flatMap(({ appended }) => appended.map(({ seq }) => seq)).toSorted((a, b) => a - b);
    expect(seqs).toEqual(Array.from({ length: 80 }, (_, index) => index + 1));
    for (const { appended } of results) expect((appended[0]?.seq ?? 0) + 1).toBe(appended[1]?.seq);
    expect((await other.head("a"))?.message_count).toBe(80);
  },
  "of many that begin the same thread one does": async ({ store, other }, expect) => {
    const begun = await Promise.all(
      Array.from({ length: 10 }, (_, index) => endingOf(begin(index % 2 === 0 ? store : other, "a"))),
    );
    expect(begun.toSorted()).toEqual(["fulfilled", ...Array<string>(9).fill("thread_exists")]);
  },
  "a store can be used again after it was closed, and has everything": async ({ store, other }, expect) => {
    await begin(store, "a", [message("x")]);
    await store.close();
    await store.close();
    expect((await other.head("a"))?.head_seq).toBe(1);
    await other.close();
    expect((await store.append({ thread_id: "a", frames: [message("y")] })).head.head_seq).toBe(2);
    expect((await logOf(other, "a")).length).toBe(3);
  },
};

/** What refuses an append, whole and without a trace. */
export const conflictCases: Cases<ThreadStoreHarness> = {
  "a thread that is not there is thread_not_found, one that is there cannot begin again": async ({ store }, expect) => {
    expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("thread_not_found");
    expect(await endingOf(store.append({ thread_id: "a", frames: [] }))).toBe("thread_not_found");
    await begin(store, "b");
    expect(await endingOf(store.append({ thread_id: "a", frames: [message("x")] }))).toBe("thread_not_found");
    expect(await endingOf(store.append({ thread_id: "b", frames: [created()] }))).toBe("thread_exists");
    expect((await store.heads({ limit: 10 })).total).toBe(1);
  },
  "expected_seq must be the head's seq": async ({ store }, expect) => {
    expect(await endingOf(store.append({ thread_id: "a", frames: [created()], expected_seq: 0 }))).toBe("seq_conflict");
    await begin(store, "a", [message("x")]);
    for (const expected_seq of [-1, 0, 2]) {
      const refusal = await refusalOf(store.append({ thread_id: "a", frames: [message("y")], expected_seq }));
      expect(refusal).toEqual({ code: "seq_conflict", details: { thread_id: "a", expected_seq, head_seq: 1 } });
    }
    const { head } = await store.append({ thread_id: "a", frames: [message("y")], expected_seq: 1 });
    expect(head.head_seq).toBe(2);
  },
  "expected_decision_seq counts only frames that are not messages": async ({ store }, expect) => {
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
  "of many decisions on the same state one is appended": async ({ store, other }, expect) => {
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
  "a known id is frame_conflict, also in another thread and within one append, and leaves nothing": async (
    { store },
    expect,
  ) => {
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
  "known_ids pass: the same message is passed over and counted, and takes no seq": async ({ store }, expect) => {
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
  "known_ids pass: a call with expected_seq may be repeated, and one with something new is still refused": async (
    { store },
    expect,
  ) => {
    await begin(store, "a", [message("x")]);
    const given = message("y");
    const append = (frames: readonly FrameDraft[]) =>
      store.append({ thread_id: "a", known_ids: "pass", expected_seq: 1, frames });
    expect((await append([given])).known).toBe(0);
    expect((await append([given])).known).toBe(1);
    expect(await endingOf(append([given, message("z")]))).toBe("seq_conflict");
    expect((await store.head("a"))?.head_seq).toBe(2);
  },
  "known_ids pass: another content, actor, origin, type or thread is frame_conflict": async ({ store }, expect) => {
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
};
