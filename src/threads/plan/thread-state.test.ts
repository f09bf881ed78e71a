import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  anyDrafts,
  checkpointDraft,
  createdDraft,
  framesOf,
  messageDraft,
} from "../../../test/fixtures/thread-frames.ts";
import { Thread } from "./thread-state.ts";
import { type Frame, messageOf } from "../model/frame.ts";
import { weightOf } from "./ladder.ts";
import { judgeFrame, replayPlan } from "./judge-frame.ts";

describe("a thread as a fold over its frames", () => {
  it("knows every place that a count over all messages finds", () => {
    fc.assert(
      fc.property(anyDrafts(), fc.nat({ max: 3000 }), (drafts, target) => {
        const frames = framesOf("notes", drafts);
        const { places } = threadOf(frames);
        const all = plainPlaces(frames);
        expect(all.map(({ ordinal }) => places.at(ordinal))).toEqual(all);
        expect(places.at(0)).toBeUndefined();
        expect(places.at(all.length + 1)).toBeUndefined();
        const seq = target % 70;
        expect(places.atOrBefore(seq)).toEqual(all.findLast((place) => place.seq <= seq));
        expect(places.ofSeq(seq)).toEqual(all.find((place) => place.seq === seq));
        expect(places.ofWeight(target)).toEqual(all.find(({ weight_before }) => weight_before >= target));
      }),
    );
  });

  it("finds the plan of a stride as defined", () => {
    fc.assert(
      fc.property(
        anyDrafts(),
        fc.integer({ min: 1, max: 9 }),
        fc.integer({ min: 1, max: 5 }),
        (drafts, stride, most) => {
          const frames = framesOf("notes", drafts);
          const thread = threadOf(frames);
          const eligible = plainPlaces(frames)
            .filter(({ ordinal }) => ordinal % stride === 0)
            .map(({ ordinal, seq, id }) => ({ target_message_ordinal: ordinal, to_seq: seq, to_message_id: id }))
            .toReversed();
          const checkpointed = new Set(
            thread.checkpoints.flatMap(({ kind, to_seq }) => (kind === "cumulative_v1" ? [to_seq] : [])),
          );
          const free = eligible.filter(({ to_seq }) => !checkpointed.has(to_seq));
          expect(replayPlan(thread, { stride, most })).toEqual(free.slice(0, most));
        },
      ),
    );
  });

  it("treats a job spawned twice as one job, and ignores an end without a beginning", () => {
    fc.assert(
      fc.property(anyDrafts(), (drafts) => {
        const frames = framesOf("notes", drafts);
        const open = new Map<unknown, number>();
        for (const { type, fields, seq } of frames) {
          if (type === "continuity_job_spawned" && !open.has(fields["job_id"])) open.set(fields["job_id"], seq);
          if (type === "continuity_job_ended") open.delete(fields["job_id"]);
        }
        const jobs = threadOf(frames).open_jobs;
        expect(jobs.map(({ job_id, seq }) => [job_id, seq])).toEqual([...open]);
      }),
    );
  });

  it("bounds what a decision may have counted by the messages between the two preceding runs", () => {
    const drafts = [createdDraft(), messageDraft(1, "a"), messageDraft(2, "b"), createdDraft(3), createdDraft(4)].map(
      (draft, index) =>
        index === 0 || draft.type !== "continuity_created"
          ? draft
          : { ...draft, type: "continuity_run_ended" as const },
    );
    const thread = threadOf(framesOf("notes", drafts));
    expect(thread.decided).toEqual({ least: 0, most: 2 });
    expect(thread.head?.decision_seq).toBe(4);
  });

  it("says whether a checkpoint ends at no message or begins after its end", () => {
    const before = [createdDraft(), messageDraft(1, "a"), messageDraft(2, "b")];
    const faultsOf = (from_seq: number, to_seq: number): readonly string[] => {
      const checkpoint = checkpointDraft(9, { from_seq, to_seq, kind: "cumulative_v1" });
      const frame = framesOf("notes", [...before, checkpoint]).at(-1) as Frame;
      return judgeFrame(threadOf(framesOf("notes", before)), frame).map(({ message }) => message);
    };
    expect(faultsOf(0, 2)).toEqual([]);
    expect(faultsOf(0, 0)).toEqual([expect.stringContaining("ends at seq 0, which is not an earlier message")]);
    expect(faultsOf(2, 1)).toEqual([expect.stringContaining("begins at seq 2, after its end 1")]);
  });
});

function threadOf(frames: readonly Frame[]): Thread {
  const thread = new Thread();
  for (const frame of frames) thread.add(frame);
  return thread;
}

function plainPlaces(frames: readonly Frame[]): readonly {
  readonly ordinal: number;
  readonly seq: number;
  readonly id: string;
  readonly weight_before: number;
  readonly weight: number;
}[] {
  let weight = 0;
  return frames
    .flatMap((frame) => messageOf(frame) ?? [])
    .map(({ id, seq, content }, index) => {
      const weight_before = weight;
      weight += weightOf({ content });
      return { ordinal: index + 1, seq, id, weight_before, weight };
    });
}
