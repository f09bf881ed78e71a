import { SUMMARIZER_JOB } from "../model/job-frames.ts";
import {
  type Checkpoint,
  type Thread,
  CUMULATIVE_KIND,
  CUTS_IN_REACH,
  cutRuleId,
  MOST_NEW_CHECKPOINTS,
  policyId,
  type Cut,
} from "./thread-state.ts";
import { isObject } from "../../base/json.ts";
import { type Frame, recordOf } from "../model/frame.ts";
import { blockOfRule, blockSize, rungKind, type Block } from "./ladder.ts";
import type { Places } from "../model/places.ts";
import { greatest, least } from "../../base/lists.ts";

/** A fault in a frame, judged by everything before it. */
export interface Fault {
  readonly code: string;
  /** `info`: today's rules cannot judge it, or it is up to the writer. */
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
}

export function faultOf(code: string, message: string, severity: Fault["severity"] = "error"): Fault {
  return { code, severity, message };
}

/** Repeats the decision that a frame records and reports how the result differs. `thread` contains the frames before it. */
export function judgeFrame(thread: Thread, frame: Frame): readonly Fault[] {
  switch (frame.type) {
    case "continuity_compaction_checkpoint_created":
      return judgeCheckpoint(thread, frame);
    case "continuity_job_spawned":
      return judgeSpawn(thread, frame);
    case "continuity_compaction_auto_schedule_decided":
      return judgeSchedule(thread, frame);
    case "continuity_job_ended":
      return judgeEnd(thread, frame);
    default:
      return [];
  }
}

function judgeCheckpoint(thread: Thread, frame: Frame): readonly Fault[] {
  const checkpoint = thread.checkpointOf(frame);
  const wrong = wrongBoundary(thread.places, checkpoint);
  if (wrong !== undefined) return [faultOf("not_a_message", wrong)];
  const { checkpoint_id: id } = checkpoint;
  const faults =
    id === frame.id ? [] : [faultOf("invalid_frame", `The checkpoint_id ${id} is not the id of its frame.`)];
  const { cut_rule_id: rule, ordinals } = checkpoint;
  const stride = strideOfRule(rule);
  if (stride !== undefined && ordinals !== null && ordinals[1] % stride !== 0)
    faults.push(mismatch(`Checkpoint ${id} of ${rule} ends at message ${ordinals[1]}, which is not a cut.`));
  const rung = wrongRung(thread.places, checkpoint);
  return rung === undefined ? faults : [...faults, mismatch(`Checkpoint ${id} of ${rule} ${rung}.`)];
}

function wrongBoundary(places: Places, checkpoint: Checkpoint): string | undefined {
  const { checkpoint_id: id, from_seq, to_seq, from_message_id, to_message_id, ordinals } = checkpoint;
  const last = places.ofSeq(to_seq);
  if (last === undefined) return `Checkpoint ${id} ends at seq ${to_seq}, which is not an earlier message.`;
  if (ordinals === null) return `Checkpoint ${id} begins at seq ${from_seq}, after its end ${to_seq}.`;
  if (to_message_id !== null && to_message_id !== last.id)
    return `Checkpoint ${id} ends at message ${to_message_id}, but seq ${to_seq} is ${last.id}.`;
  const first = places.at(ordinals[0]);
  if (from_message_id === null || from_message_id === first?.id) return undefined;
  return `Checkpoint ${id} begins at message ${from_message_id}, but the first from seq ${from_seq} on is ${first?.id ?? "none"}.`;
}

/** The stride named by a cut rule; `undefined` for any other rule. */
export function strideOfRule(rule: string): number | undefined {
  const match = /^stride_messages_v1\/([1-9]\d{0,15})$/.exec(rule);
  return match === null ? undefined : Number(match[1]);
}

function wrongRung(places: Places, { cut_rule_id, kind, ordinals }: Checkpoint): string | undefined {
  const block = blockOfRule(cut_rule_id);
  if (block === undefined) return undefined;
  if (kind !== rungKind(block.level)) return `has kind ${kind}`;
  const span = spanOf(places, block);
  if (span === undefined) return "came before its block was complete";
  if (ordinals?.[0] === span[0] && ordinals[1] === span[1]) return undefined;
  return `covers messages ${ordinals?.join(" to ") ?? "none"} instead of ${span.join(" to ")}`;
}

/** The ordinals of the messages in a block; `undefined` if the block is incomplete. */
export function spanOf(places: Places, { level, index }: Block): readonly [number, number] | undefined {
  const size = blockSize(level);
  if (places.weight < (index + 1) * size) return undefined;
  const first = places.ofWeight(index * size)?.ordinal ?? places.count + 1;
  const next = places.ofWeight((index + 1) * size)?.ordinal ?? places.count + 1;
  return [first, next - 1];
}

const DETAILS = "rip.job.compaction_summarizer.v1";
const POLICY = "compaction_auto_schedule_v1";

/** A summarizer job's cut points must follow from the frames before it. */
function judgeSpawn(thread: Thread, frame: Frame): readonly Fault[] {
  const job = `Job ${String(frame.fields["job_id"])}`;
  if (thread.open_jobs.some(({ job_id }) => job_id === frame.fields["job_id"]))
    return [mismatch(`${job} is spawned a second time.`)];
  if (frame.fields["job_kind"] !== SUMMARIZER_JOB) return [];
  const details = recordOf(frame.fields["details"]);
  const { stride_messages: stride, cut_rule_id, base_summary_artifact_id: base } = details;
  const planned = cutsOf(details["planned"]);
  if (details["schema"] !== DETAILS || !isStride(stride) || planned === undefined)
    return [faultOf("rule_older", `${job} has no ${DETAILS} details.`, "info")];
  if (planned.length < 1 || planned.length > MOST_NEW_CHECKPOINTS)
    return [mismatch(`${job} plans ${planned.length} cuts; 1 to ${MOST_NEW_CHECKPOINTS} are allowed.`)];
  if (cut_rule_id !== cutRuleId(stride)) return [wrongRule(job, cut_rule_id, stride)];
  // Messages may be appended between a decision and its frame: this is the smallest count that allows the plan.
  const newest = greatest([0, ...planned.map((cut) => cut.target_message_ordinal)]);
  const messages = Math.min(thread.decided.most, Math.max(thread.decided.least, newest));
  const plan = replayPlan(thread, { stride, most: planned.length, messages });
  if (!isSame(ascending(plan), ascending(planned)))
    return [mismatch(`${job} plans ${printed(planned)}; a replay plans ${printed(plan)}.`)];
  if (typeof base !== "string" || isBase(thread, base, planned)) return [];
  return [mismatch(`${job} builds on ${base}, which is not a cumulative summary before its first cut.`)];
}

/** Which base was chosen depended on what was readable at the time, so any cumulative summary before the first cut point is valid. Usually it is one of the latest. */
function isBase({ checkpoints }: Thread, artifactId: string, planned: readonly Cut[]): boolean {
  const first = least(planned.map(({ to_seq }) => to_seq));
  const found = checkpoints.findLast(
    ({ kind, artifact_id, to_seq }) => artifact_id === artifactId && kind === CUMULATIVE_KIND && to_seq < first,
  );
  return found !== undefined;
}

/** A decision's policy, count and cut points must follow from its fields and the frames before it. */
function judgeSchedule(thread: Thread, frame: Frame): readonly Fault[] {
  const { policy_id, stride_messages: stride, max_new_checkpoints: most, message_count: messages } = frame.fields;
  const planned = cutsOf(frame.fields["planned"]);
  const decision = `Decision ${frame.id}`;
  if (typeof policy_id !== "string" || !policy_id.startsWith(`${POLICY}/`))
    return [faultOf("rule_older", `${decision} has policy ${String(policy_id)}.`, "info")];
  const isCounted = isStride(most) && most <= MOST_NEW_CHECKPOINTS && typeof messages === "number";
  if (!isStride(stride) || !isCounted || planned === undefined) {
    const fields = `stride_messages, max_new_checkpoints (1 to ${MOST_NEW_CHECKPOINTS}), message_count or planned`;
    return [mismatch(`${decision} lacks a valid ${fields}.`)];
  }
  const block_on_inflight = frame.fields["block_on_inflight"] as boolean;
  const policy = policyId({ stride_messages: stride, max_new_checkpoints: most, block_on_inflight });
  if (policy_id !== policy) return [mismatch(`${decision} has policy ${policy_id}; its fields say ${policy}.`)];
  if (frame.fields["cut_rule_id"] !== cutRuleId(stride))
    return [wrongRule(decision, frame.fields["cut_rule_id"], stride)];
  const { decided } = thread;
  if (messages < decided.least || messages > decided.most)
    return [mismatch(`${decision} counts ${messages} messages; there were ${decided.least} to ${decided.most}.`)];
  const plan = replayPlan(thread, { stride, most, messages });
  if (!isSame(plan, planned))
    return [mismatch(`${decision} plans ${printed(planned)}; a replay plans ${printed(plan)}.`)];
  return flightFaults(thread, frame);
}

/** The checkpoints that a job reports must exist. */
function judgeEnd(thread: Thread, { fields }: Frame): readonly Fault[] {
  const job = `Job ${String(fields["job_id"])}`;
  if (!thread.open_jobs.some(({ job_id }) => job_id === fields["job_id"]))
    return [faultOf("job_unknown", `${job} ends but was not open.`, "info")];
  const created = recordOf(fields["result"])["created"];
  return (Array.isArray(created) ? created : [])
    .map(recordOf)
    .filter(({ checkpoint_id, to_seq }) =>
      thread.endingAt(to_seq as number).every((checkpoint) => checkpoint.checkpoint_id !== checkpoint_id),
    )
    .map((made) => mismatch(`${job} refers to checkpoint ${String(made["checkpoint_id"])}, which does not exist.`));
}

/** Only a job in flight may block a schedule, and while it does, no other job may be scheduled. */
function flightFaults(thread: Thread, frame: Frame): readonly Fault[] {
  const { decision, reason, job_id, block_on_inflight } = frame.fields;
  const open = thread.open_jobs.filter((job) => job.kind === SUMMARIZER_JOB);
  if (decision === "skipped_inflight") {
    const blocking = recordOf(reason)["job_id"];
    if (block_on_inflight === true && open.some((job) => job.job_id === blocking)) return [];
    return [mismatch(`Decision ${frame.id} was skipped for job ${String(blocking)}, which was not in flight.`)];
  }
  const other = open.find((job) => job.job_id !== job_id);
  if (decision !== "scheduled" || block_on_inflight !== true || other === undefined) return [];
  return [mismatch(`Decision ${frame.id} was made while job ${other.job_id} was in flight.`)];
}

function wrongRule(what: string, rule: unknown, stride: number): Fault {
  return mismatch(`${what} has cut rule ${String(rule)}; its stride says ${cutRuleId(stride)}.`);
}

function cutsOf(value: unknown): readonly Cut[] | undefined {
  if (!Array.isArray(value) || !value.every(isObject)) return undefined;
  return value.map((cut) => ({
    target_message_ordinal: cut["target_message_ordinal"] as number,
    to_seq: cut["to_seq"] as number,
    to_message_id: cut["to_message_id"] as string,
  }));
}

function ascending(cuts: readonly Cut[]): readonly Cut[] {
  return cuts.toSorted((a, b) => a.target_message_ordinal - b.target_message_ordinal);
}

function isSame(a: readonly Cut[], b: readonly Cut[]): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function printed(cuts: readonly Cut[]): string {
  if (cuts.length === 0) return "nothing";
  return cuts.map(({ target_message_ordinal, to_seq }) => `#${target_message_ordinal} (seq ${to_seq})`).join(", ");
}

function isStride(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value > 0;
}

function mismatch(message: string): Fault {
  return faultOf("plan_mismatch", message);
}

interface PlanRequest {
  readonly stride: number;
  /** Maximum cut points in the plan. */
  readonly most: number;
  /** The number of messages to consider. Default: all. */
  readonly messages?: number;
}

/** The newest cut points without a cumulative checkpoint, newest first. Computed independently of the planner, so verify can check it. */
export function replayPlan(thread: Thread, { stride, most, messages = Infinity }: PlanRequest): readonly Cut[] {
  const { places } = thread;
  const newest = Math.floor(Math.min(messages, places.count) / stride);
  const cuts: Cut[] = [];
  for (let cut = newest; cut > Math.max(0, newest - CUTS_IN_REACH) && cuts.length < most; cut -= 1) {
    const place = places.at(cut * stride);
    if (place === undefined || thread.endingAt(place.seq).some(({ kind }) => kind === CUMULATIVE_KIND)) continue;
    cuts.push({ target_message_ordinal: place.ordinal, to_seq: place.seq, to_message_id: place.id });
  }
  return cuts;
}
