import { type Cases, endingOf } from "../test-functions.ts";
import { FAR, type ThreadStoreHarness, begin, checkpoint, effect, ended, logOf, message, spawned } from "./harness.ts";
import type { CheckpointQuery, ThreadStore } from "../../threads/store/thread-store.ts";

/** How checkpoints are found. */
export const checkpointCases: Cases<ThreadStoreHarness> = {
  "a checkpoint has all its fields and the ordinals that it covers": async ({ store }, expect) => {
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
  "the greatest to_seq comes first, of the same the latest frame": async ({ store }, expect) => {
    await begin(store, "a", [message("1"), message("2"), checkpoint(2), checkpoint(1), checkpoint(2), checkpoint(1)]);
    expect(await seqsOf(store, {})).toEqual([5, 3, 6, 4]);
    expect(await seqsOf(store, { limit: 2 })).toEqual([5, 3]);
  },
  "bounds of to_seq and of the frame are inclusive, and kinds and threads are apart": async ({ store }, expect) => {
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
  "what a checkpoint says about frames that are no messages or not there yet has no ordinals": async (
    { store },
    expect,
  ) => {
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
};

async function seqsOf(store: ThreadStore, query: Partial<CheckpointQuery>): Promise<readonly number[]> {
  const found = await store.checkpoints({ thread_id: "a", kind: "cumulative_v1", limit: 100, ...query });
  return found.map(({ seq }) => seq);
}

const take = { job_id: "j", runner: "r1", lease_ms: 1000, action: "take" } as const;
const renew = { ...take, action: "renew" } as const;

/** Jobs in flight and who runs them. */
export const jobCases: Cases<ThreadStoreHarness> = {
  "a job is open from its spawning to its end, by thread and kind, in the order of frames": async (
    { store, other },
    expect,
  ) => {
    await begin(store, "a", [spawned("j1"), spawned("j2", "ladder"), spawned("j0")]);
    await begin(store, "b", [spawned("j3")]);
    await store.append({ thread_id: "a", frames: [ended("j1")] });
    expect(await other.openJobs({ thread_id: "a" })).toEqual([
      { thread_id: "a", job_id: "j2", kind: "ladder", seq: 2, lease: "none" },
      { thread_id: "a", job_id: "j0", kind: "compaction_summarizer_v1", seq: 3, lease: "none" },
    ]);
    expect(await namesOf(store, {})).toEqual(["j2", "j0", "j3"]);
    expect(await namesOf(store, { kind: "ladder" })).toEqual(["j2"]);
    expect(await namesOf(store, { kind: "ladder", thread_id: "b" })).toEqual([]);
    expect(await namesOf(store, { thread_id: "none" })).toEqual([]);
  },
  "odd logs of jobs: ended twice, ended before it began, begun twice, the same id in two threads": async (
    { store },
    expect,
  ) => {
    await begin(store, "a", [ended("j1"), spawned("j1"), spawned("j1", "again"), spawned("j2"), ended("j2")]);
    await begin(store, "b", [spawned("j1"), ended("j2")]);
    expect(await store.openJobs({})).toEqual([
      { thread_id: "a", job_id: "j1", kind: "compaction_summarizer_v1", seq: 2, lease: "none" },
      { thread_id: "b", job_id: "j1", kind: "compaction_summarizer_v1", seq: 1, lease: "none" },
    ]);
    await store.append({ thread_id: "a", frames: [ended("j1"), ended("j1")] });
    expect((await store.openJobs({})).map(({ thread_id }) => thread_id)).toEqual(["b"]);
  },
  "one runner takes a job, and no other after it": async ({ store, other }, expect) => {
    await begin(store, "a", [spawned("j")]);
    const tries = Array.from({ length: 8 }, (_, index) =>
      (index % 2 === 0 ? store : other).claim({ ...take, runner: `r${index}` }),
    );
    expect((await Promise.all(tries)).filter(Boolean).length).toBe(1);
    expect(await leaseOf(other)).toBe("held");
    expect(await store.claim({ ...take, job_id: "unknown" })).toBe(false);
  },
  "a lease is over when its time is, is renewed by its runner alone, and is never taken by another": async (
    { store, other, pass },
    expect,
  ) => {
    await begin(store, "a", [spawned("j")]);
    expect(await store.claim(renew)).toBe(false);
    expect(await store.claim(take)).toBe(true);
    pass(999);
    expect(await leaseOf(store)).toBe("held");
    expect(await other.claim(renew)).toBe(true);
    pass(999);
    expect(await leaseOf(store)).toBe("held");
    pass(1);
    expect(await leaseOf(other)).toBe("over");
    expect(await other.claim({ ...take, runner: "r2" })).toBe(false);
    expect(await other.claim({ ...renew, runner: "r2" })).toBe(false);
    expect(await store.claim(take)).toBe(false);
    expect(await store.claim(renew)).toBe(true);
    expect(await leaseOf(other)).toBe("held");
  },
  "an ended job is not to be had": async ({ store }, expect) => {
    await begin(store, "a", [spawned("j")]);
    await store.claim(take);
    await store.append({ thread_id: "a", frames: [ended("j")] });
    expect([await store.claim(take), await store.claim(renew)]).toEqual([false, false]);
    await store.append({ thread_id: "a", frames: [spawned("j")] });
    expect(await leaseOf(store)).toBe("none");
  },
  "a job can be spawned with its lease": async ({ store, other, pass }, expect) => {
    await begin(store, "a");
    const leases = [{ job_id: "j", runner: "r1", lease_ms: 1000 }];
    await store.append({ thread_id: "a", frames: [spawned("j")], leases });
    expect([await leaseOf(other), await other.claim({ ...take, runner: "r2" })]).toEqual(["held", false]);
    pass(1000);
    expect(await leaseOf(other)).toBe("over");
    const wrong = store.append({ thread_id: "a", frames: [spawned("k")], leases });
    expect(await endingOf(wrong)).toBe("internal");
    expect(await namesOf(store, {})).toEqual(["j"]);
  },
  "held_lease appends only while its runner has the job, over or not": async ({ store, other, pass }, expect) => {
    await begin(store, "a", [spawned("j")]);
    await begin(store, "b", [spawned("k")]);
    const held = (runner: string, job_id = "j") =>
      endingOf(store.append({ thread_id: "a", frames: [message("x")], held_lease: { job_id, runner } }));
    expect(await held("r1")).toBe("lease_lost");
    await store.claim(take);
    await store.claim({ ...take, job_id: "k" });
    expect(await held("r1")).toBe("fulfilled");
    expect([await held("r2"), await held("r1", "k")]).toEqual(["lease_lost", "lease_lost"]);
    pass(5000);
    expect(await held("r1")).toBe("fulfilled");
    await other.append({ thread_id: "a", frames: [ended("j")] });
    const before = await logOf(store, "a");
    expect(await held("r1")).toBe("lease_lost");
    expect(await logOf(store, "a")).toEqual(before);
  },
  "a refused append leaves jobs and leases as they were": async ({ store }, expect) => {
    await begin(store, "a", [effect(), spawned("j")]);
    const frames = [ended("j"), spawned("k"), spawned("l"), message("x", "wrong")];
    expect(await endingOf(store.append({ thread_id: "a", frames }))).toBe("invalid_frame");
    expect(await namesOf(store, {})).toEqual(["j"]);
  },
};

async function leaseOf(store: ThreadStore): Promise<string | undefined> {
  return (await store.openJobs({}))[0]?.lease;
}

async function namesOf(store: ThreadStore, query: { thread_id?: string; kind?: string }): Promise<readonly string[]> {
  return (await store.openJobs(query)).map(({ job_id }) => job_id);
}
