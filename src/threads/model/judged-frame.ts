import type { Checkpoint, Thread } from "../plan/fold.ts";
import type { Frame } from "./frame.ts";
import { judgeEnd, judgeSchedule, judgeSpawn } from "../plan/judged-jobs.ts";
import { blockOfRule, blockSize, rungKind, type Block } from "../plan/ladder.ts";
import { placeAt, placeOfSeq, placeOfWeight, type Places } from "./places.ts";

/** What is wrong with a frame, when everything before it is known. */
export interface Fault {
  readonly code: string;
  /** `info`: it cannot be judged by the rules of today, or is the affair of who wrote it. */
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
}

export interface Step {
  readonly before: Thread;
  readonly frame: Frame;
  /** `before` with the frame. */
  readonly after: Thread;
}

/** Makes the decision that a frame records once more from the frames before it, and says where it comes out otherwise. */
export function judgeFrame(step: Step): readonly Fault[] {
  switch (step.frame.type) {
    case "continuity_compaction_checkpoint_created":
      return judgeCheckpoint(step);
    case "continuity_job_spawned":
      return judgeSpawn(step);
    case "continuity_compaction_auto_schedule_decided":
      return judgeSchedule(step);
    case "continuity_job_ended":
      return judgeEnd(step);
    default:
      return [];
  }
}

/** The checkpoint that the frame of a step adds. */
export function addedCheckpoint({ frame, after }: Step): Checkpoint | undefined {
  const list = after.checkpoints.get(frame.fields["summary_kind"] as string);
  return list?.shared.items[list.length - 1];
}

function judgeCheckpoint(step: Step): readonly Fault[] {
  const checkpoint = addedCheckpoint(step);
  if (checkpoint === undefined) return [];
  const boundary = boundaryFault(step.after.places, checkpoint);
  if (boundary !== undefined) return [boundary];
  const faults = [idFault(step), strideFault(checkpoint), rungFault(step.after.places, checkpoint)];
  return faults.filter((fault) => fault !== undefined);
}

function boundaryFault(places: Places, checkpoint: Checkpoint): Fault | undefined {
  const { checkpoint_id: id, from_seq, to_seq, from_message_id, to_message_id, ordinals } = checkpoint;
  const wrong = (message: string): Fault => ({ code: "not_a_message", severity: "error", message });
  const last = placeOfSeq(places, to_seq);
  if (last === undefined || ordinals === null)
    return wrong(`The checkpoint ${id} ends at seq ${to_seq}, where no message before it stands.`);
  if (to_message_id !== null && to_message_id !== last.id)
    return wrong(`The checkpoint ${id} ends at the message ${to_message_id}, but seq ${to_seq} is ${last.id}.`);
  if (from_seq > to_seq) return wrong(`The checkpoint ${id} begins at seq ${from_seq}, after its end ${to_seq}.`);
  const first = placeAt(places, ordinals[0]);
  if (from_message_id !== null && from_message_id !== first?.id)
    return wrong(
      `The checkpoint ${id} begins at the message ${from_message_id}, but the first from seq ${from_seq} on is ${first?.id ?? "none"}.`,
    );
  return undefined;
}

function idFault({ frame }: Step): Fault | undefined {
  if (frame.fields["checkpoint_id"] === frame.id) return undefined;
  return {
    code: "invalid_frame",
    severity: "error",
    message: `The checkpoint_id ${String(frame.fields["checkpoint_id"])} is not the id of its frame.`,
  };
}

/** The stride that a cut rule names; `undefined` for another rule. */
export function strideOfRule(rule: string): number | undefined {
  const match = /^stride_messages_v1\/([1-9]\d{0,15})$/.exec(rule);
  return match === null ? undefined : Number(match[1]);
}

function strideFault({ cut_rule_id, ordinals, checkpoint_id }: Checkpoint): Fault | undefined {
  const stride = strideOfRule(cut_rule_id);
  if (stride === undefined || ordinals === null || ordinals[1] % stride === 0) return undefined;
  return mismatch(`The checkpoint ${checkpoint_id} of ${cut_rule_id} ends at message ${ordinals[1]}, which is no cut.`);
}

function rungFault(places: Places, checkpoint: Checkpoint): Fault | undefined {
  const block = blockOfRule(checkpoint.cut_rule_id);
  if (block === undefined) return undefined;
  const { checkpoint_id: id, cut_rule_id: rule, kind, ordinals } = checkpoint;
  if (kind !== rungKind(block.level)) return mismatch(`The checkpoint ${id} of ${rule} has the kind ${kind}.`);
  const span = spanOf(places, block);
  if (span === undefined) return mismatch(`The checkpoint ${id} of ${rule} came before its block was complete.`);
  if (ordinals?.[0] === span[0] && ordinals[1] === span[1]) return undefined;
  return mismatch(
    `The checkpoint ${id} of ${rule} covers messages ${ordinals?.join(" to ") ?? "none"} instead of ${span.join(" to ")}.`,
  );
}

/** The ordinals of the messages of a block; `undefined` when it is not complete. */
export function spanOf(places: Places, { level, index }: Block): readonly [number, number] | undefined {
  const size = blockSize(level);
  if (places.weight < (index + 1) * size) return undefined;
  const first = placeOfWeight(places, index * size)?.ordinal ?? places.count + 1;
  const next = placeOfWeight(places, (index + 1) * size)?.ordinal ?? places.count + 1;
  return [first, next - 1];
}

function mismatch(message: string): Fault {
  return { code: "plan_mismatch", severity: "error", message };
}
