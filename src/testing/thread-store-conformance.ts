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
import { isFrame, messageOf, parseFrame, type Frame, type FrameDraft } from "../threads/model/frame.ts";
import { weightOf } from "../threads/plan/ladder.ts";
import {
  INDEXED_TYPES,
  type OpenJob,
  type Place,
  type PlaceTarget,
  type StoredCheckpoint,
  type StoredFrame,
  type ThreadHead,
  type ThreadStore,
} from "../threads/store/thread-store.ts";

/** What follows from the lines of one thread, found by looking at all of them. */
export interface Replay {
  readonly head: ThreadHead | undefined;
  readonly frames: readonly StoredFrame[];
  /** The messages, in their order. */
  readonly places: readonly Place[];
  readonly checkpoints: readonly StoredCheckpoint[];
  readonly openJobs: readonly OpenJob[];
}

/** The slow and plain way to every answer of a store. */
function replayOf(lines: readonly string[]): Replay {
  const frames = lines.map((line) => parseFrame(line)).filter(isFrame);
  const places = placesOf(frames);
  const ordinalAt = (seq: number): number => places.filter((place) => place.seq <= seq).length;
  return {
    head: headOf(frames, places),
    frames: frames.map(({ seq, type }, index) => ({ seq, type, ordinal: ordinalAt(seq), line: lines[index] ?? "" })),
    places,
    checkpoints: checkpointsOf(frames, places),
    openJobs: jobsOf(frames),
  };
}

/** What `places` must answer. */
function placeIn(places: readonly Place[], target: PlaceTarget): Place | undefined {
  if ("ordinal" in target) return places[target.ordinal - 1];
  if ("id" in target) return places.find(({ id }) => id === target.id);
  if ("seq" in target) return places.findLast(({ seq }) => seq <= target.seq);
  return places.find(({ weight_before }) => weight_before >= target.weight);
}

/** The types of `INDEXED_TYPES`, messages and one that no index holds. */
const SOME_TYPES: readonly string[] = [...INDEXED_TYPES, "continuity_message_appended", "continuity_tool_side_effects"];

function placesOf(frames: readonly Frame[]): readonly Place[] {
  let weight = 0;
  return frames
    .flatMap((frame) => messageOf(frame) ?? [])
    .map(({ id, seq, content }, index) => {
      const weight_before = weight;
      weight += weightOf(content);
      return { ordinal: index + 1, seq, id, weight_before, weight };
    });
}

function headOf(frames: readonly Frame[], places: readonly Place[]): ThreadHead | undefined {
  const [first, last] = [frames[0], frames.at(-1)];
  if (first === undefined || last === undefined) return undefined;
  return {
    thread_id: first.thread_id,
    workspace: String(first.fields["workspace"]),
    title: first.fields["title"] as string | null,
    created_at_ms: first.timestamp_ms,
    updated_at_ms: last.timestamp_ms,
    head_seq: last.seq,
    message_count: places.length,
    weight: places.at(-1)?.weight ?? 0,
    decision_seq: frames.findLast((frame) => messageOf(frame) === undefined)?.seq ?? -1,
  };
}

function checkpointsOf(frames: readonly Frame[], places: readonly Place[]): readonly StoredCheckpoint[] {
  const checkpoints = frames
    .filter(({ type }) => type === "continuity_compaction_checkpoint_created")
    .map(({ seq, fields }): StoredCheckpoint => {
      const [from_seq, to_seq] = [fields["from_seq"] as number, fields["to_seq"] as number];
      const from = places.find((place) => place.seq >= from_seq);
      const to = places.find((place) => place.seq === to_seq && to_seq < seq);
      return {
        checkpoint_id: fields["checkpoint_id"] as string,
        seq,
        kind: fields["summary_kind"] as string,
        cut_rule_id: fields["cut_rule_id"] as string,
        artifact_id: fields["summary_artifact_id"] as string,
        from_seq,
        from_message_id: (fields["from_message_id"] ?? null) as string | null,
        to_seq,
        to_message_id: (fields["to_message_id"] ?? null) as string | null,
        ordinals: from === undefined || to === undefined || from_seq > to_seq ? null : [from.ordinal, to.ordinal],
      };
    });
  return checkpoints.toSorted((one, other) => other.to_seq - one.to_seq || other.seq - one.seq);
}

function jobsOf(frames: readonly Frame[]): readonly OpenJob[] {
  const open = new Map<string, OpenJob>();
  for (const { type, seq, thread_id, fields } of frames) {
    const job_id = fields["job_id"] as string;
    const kind = fields["job_kind"] as string;
    if (type === "continuity_job_ended") open.delete(job_id);
    if (type === "continuity_job_spawned" && !open.has(job_id))
      open.set(job_id, { thread_id, job_id, kind, seq, lease: "none" });
  }
  return [...open.values()].toSorted((one, other) => one.seq - other.seq);
}

/** Answers against those of a naive replay. */
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
