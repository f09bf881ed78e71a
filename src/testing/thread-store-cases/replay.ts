import {
  INDEXED_TYPES,
  type OpenJob,
  type Place,
  type PlaceTarget,
  type StoredCheckpoint,
  type StoredFrame,
  type ThreadHead,
} from "../../threads/store/thread-store.ts";
import { isFrame, messageOf, parseFrame, type Frame } from "../../threads/model/frame.ts";
import { weightOf } from "../../threads/plan/ladder.ts";

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
export function replayOf(lines: readonly string[]): Replay {
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
export function placeIn(places: readonly Place[], target: PlaceTarget): Place | undefined {
  if ("ordinal" in target) return places[target.ordinal - 1];
  if ("id" in target) return places.find(({ id }) => id === target.id);
  if ("seq" in target) return places.findLast(({ seq }) => seq <= target.seq);
  return places.find(({ weight_before }) => weight_before >= target.weight);
}

/** The types of `INDEXED_TYPES`, messages and one that no index holds. */
export const SOME_TYPES: readonly string[] = [
  ...INDEXED_TYPES,
  "continuity_message_appended",
  "continuity_tool_side_effects",
];

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
