import {
  type SeededRandom,
  createSeededRandom,
  type Cases,
  type Expect,
  type Suite,
  type TestFunctions,
  describeCases,
} from "./test-functions.ts";
import { appendCases, conflictCases } from "./thread-store-cases/append.ts";
import { frameCases, placeCases } from "./thread-store-cases/frames.ts";
import {
  type ThreadStoreHarness,
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
} from "./thread-store-cases/harness.ts";
import { changeCases, importCases } from "./thread-store-cases/imports.ts";
import { checkpointCases, jobCases } from "./thread-store-cases/jobs.ts";
import { frameOf, type FrameDraft } from "../threads/model/frame.ts";
import { Thread } from "../threads/plan/thread-state.ts";
import { INDEXED_TYPES, type PlaceTarget, type StoredFrame, type ThreadStore } from "../threads/store/thread-store.ts";

/** The types of `INDEXED_TYPES`, messages and one without an index. */
const SOME_TYPES: readonly string[] = [...INDEXED_TYPES, "continuity_message_appended", "continuity_tool_side_effects"];

/** Answers against those of a replay of the lines. */
const replayCases: Cases<ThreadStoreHarness> = {
  "after random appends and imports every answer is that of a replay of the lines": async (
    { store, other },
    expect,
  ) => {
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
};

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
  const thread = new Thread();
  const frames = (await logOf(store, thread_id)).map((line): StoredFrame => {
    const frame = frameOf({ line });
    if (frame === undefined) throw new Error(`The line is no frame: ${line}`);
    thread.add(frame);
    return { seq: frame.seq, type: frame.type, ordinal: thread.places.count, line };
  });
  const { workspace, title, created_at_ms, updated_at_ms, head_seq, decision_seq, places } = thread;
  const counted = { head_seq, message_count: places.count, weight: places.weight, decision_seq };
  const head = { thread_id, workspace, title, created_at_ms, updated_at_ms, ...counted };
  expect(await store.head(thread_id)).toEqual(head);
  expect(await store.frames({ thread_id, limit: 10_000 })).toEqual(frames);
  expect(await store.openJobs({ thread_id })).toEqual(
    thread.open_jobs.map((job) => ({ thread_id, ...job, lease: "none" })),
  );
  const { length } = frames;
  for (const type of SOME_TYPES) {
    const [from_seq, to_seq] = [random.below(length + 1), random.below(length + 1)];
    const inside = frames.filter((frame) => frame.type === type && frame.seq >= from_seq && frame.seq <= to_seq);
    const query = { thread_id, types: [type], from_seq, to_seq, limit: 3 };
    expect(await store.frames(query)).toEqual(inside.slice(0, 3));
    expect(await store.frames({ ...query, order: "descending" })).toEqual(inside.toReversed().slice(0, 3));
  }
  const all = Array.from({ length: places.count }, (_, index) => places.at(index + 1));
  const asked = [
    ...targetsOf(places.weight, length),
    ...all.map((place) => ({ id: place?.id ?? "" })),
    { id: idOf(0) },
  ];
  expect(await store.places(thread_id, asked)).toEqual(
    asked.map((target) => {
      if ("ordinal" in target) return places.at(target.ordinal);
      if ("id" in target) return all.find((place) => place?.id === target.id);
      return "seq" in target ? places.atOrBefore(target.seq) : places.ofWeight(target.weight);
    }),
  );
  for (const kind of ["cumulative_v1", "rung_v1/0"]) {
    const [to_seq_at_most, frame_seq_at_most] = [random.below(length + 20), random.below(length + 1)];
    const made = thread.checkpoints.get(kind) ?? [];
    const ordered = made.toSorted((one, other) => other.to_seq - one.to_seq || other.seq - one.seq);
    expect(await store.checkpoints({ thread_id, kind, limit: 10_000 })).toEqual(ordered);
    const some = ordered.filter(({ to_seq, seq }) => to_seq <= to_seq_at_most && seq <= frame_seq_at_most);
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

/** What every `ThreadStore` must do within one process. Between processes, and when they die, test the adapter with real ones. */
export function describeThreadStore(suite: Suite<ThreadStoreHarness>, runner: TestFunctions): void {
  const cases = {
    ...appendCases,
    ...conflictCases,
    ...frameCases,
    ...placeCases,
    ...checkpointCases,
    ...jobCases,
    ...importCases,
    ...changeCases,
    ...replayCases,
  };
  describeCases({ ...suite, cases }, runner);
}
