import { SUMMARIZER_JOB } from "../model/job-frames.ts";
import { CUMULATIVE_KIND, cutRuleId, policyId, type Cut, CUTS_IN_REACH } from "./cut-points.ts";
import { type Checkpoint, type Thread, itemsEndingAt } from "./thread-state.ts";
import { type Frame, recordOf, isRecord } from "../model/frame.ts";
import { blockOfRule, blockSize, rungKind, type Block } from "./ladder.ts";
import { placeAt, placeOfSeq, placeOfWeight, type Places } from "../model/places.ts";
import { greatest, least } from "../../base/lists.ts";

/** What is wrong with a frame, when everything before it is known. */
export interface Fault {
  readonly code: string;
  /** `info`: it cannot be judged by the rules of today, or is the affair of who wrote it. */
  readonly severity: "info" | "warning" | "error";
  readonly message: string;
}

export function faultOf(code: string, message: string, severity: Fault["severity"] = "error"): Fault {
  return { code, severity, message };
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
  const wrong = (message: string): Fault => faultOf("not_a_message", message);
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
  return faultOf(
    "invalid_frame",
    `The checkpoint_id ${String(frame.fields["checkpoint_id"])} is not the id of its frame.`,
  );
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

const DETAILS = "rip.job.compaction_summarizer.v1";
/** As `compaction.auto` takes them. */
const MOST_PLANNED = 32;
const POLICY = "compaction_auto_schedule_v1";

/** A job that summarises: its cuts are the plan of the frames before it. */
function judgeSpawn({ before, after, frame }: Step): readonly Fault[] {
  const { job_kind, job_id } = frame.fields;
  if (before.open_jobs.some((job) => job.job_id === job_id))
    return [mismatch(`The job ${String(job_id)} is spawned a second time.`)];
  if (job_kind !== SUMMARIZER_JOB) return [];
  const details = recordOf(frame.fields["details"]);
  const stride = details["stride_messages"];
  const planned = cutsOf(details["planned"]);
  if (details["schema"] !== DETAILS || !isStride(stride) || planned === undefined)
    return [older(`The job ${String(job_id)} has no details of ${DETAILS}.`)];
  if (planned.length < 1 || planned.length > MOST_PLANNED)
    return [mismatch(`The job ${String(job_id)} plans ${planned.length} cuts; it is 1 to ${MOST_PLANNED}.`)];
  const rule = ruleFault({ id: `job ${String(job_id)}`, stride, rule: details["cut_rule_id"] });
  if (rule !== undefined) return [rule];
  const messages = countedBy(after, { stride, planned });
  const plan = replayPlan(before, { stride, most: planned.length, messages });
  if (!isSame(ascending(plan), ascending(planned)))
    return [mismatch(`The job ${String(job_id)} plans ${printed(planned)}; a replay plans ${printed(plan)}.`)];
  return [baseFault({ before, planned, base: details["base_summary_artifact_id"], job: String(job_id) })].filter(
    (fault) => fault !== undefined,
  );
}

/** A decision of the schedule: its policy, count and cuts follow from the frames before it. */
function judgeSchedule(step: Step): readonly Fault[] {
  const { fields } = step.frame;
  const { policy_id, stride_messages: stride, max_new_checkpoints: most, message_count: messages } = fields;
  const planned = cutsOf(fields["planned"]);
  const id = `decision ${step.frame.id}`;
  if (typeof policy_id !== "string" || !policy_id.startsWith(`${POLICY}/`))
    return [older(`The ${id} has the policy ${String(policy_id)}.`)];
  if (
    !isStride(stride) ||
    !isStride(most) ||
    most > MOST_PLANNED ||
    typeof messages !== "number" ||
    planned === undefined
  )
    return [
      mismatch(
        `The ${id} has no stride_messages, max_new_checkpoints (1 to ${MOST_PLANNED}), message_count and planned.`,
      ),
    ];
  const block_on_inflight = fields["block_on_inflight"] as boolean;
  const policy = policyId({ stride_messages: stride, max_new_checkpoints: most, block_on_inflight });
  if (policy_id !== policy) return [mismatch(`The ${id} has the policy ${policy_id}; its fields say ${policy}.`)];
  const rule = ruleFault({ id, stride, rule: fields["cut_rule_id"] });
  if (rule !== undefined) return [rule];
  const { least, most: atMost } = step.after.decided;
  if (messages < least || messages > atMost)
    return [mismatch(`The ${id} counts ${messages} messages; there were ${least} to ${atMost}.`)];
  const plan = replayPlan(step.before, { stride, most, messages });
  if (!isSame(plan, planned))
    return [mismatch(`The ${id} plans ${printed(planned)}; a replay plans ${printed(plan)}.`)];
  return flightFaults(step);
}

/** What a job says that it made must be there. */
function judgeEnd({ before, frame }: Step): readonly Fault[] {
  const { job_id, result } = frame.fields;
  if (!before.open_jobs.some((job) => job.job_id === job_id))
    return [faultOf("job_unknown", `The job ${String(job_id)} ends and was not open.`, "info")];
  const created = recordOf(result)["created"];
  const missing = (Array.isArray(created) ? created : []).map(recordOf).filter((made) => !isThere(before, made));
  return missing.map((made) =>
    mismatch(`The job ${String(job_id)} names the checkpoint ${String(made["checkpoint_id"])}, which is not there.`),
  );
}

/** Only a job in flight holds a schedule back, and when it does so, no other begins. */
function flightFaults({ before, frame }: Step): readonly Fault[] {
  const { decision, reason, job_id, block_on_inflight } = frame.fields;
  const open = before.open_jobs.filter((job) => job.kind === SUMMARIZER_JOB);
  if (decision === "skipped_inflight") {
    const blocking = recordOf(reason)["job_id"];
    if (block_on_inflight === true && open.some((job) => job.job_id === blocking)) return [];
    return [mismatch(`The decision ${frame.id} was skipped for the job ${String(blocking)}, which was not in flight.`)];
  }
  const others = open.filter((job) => job.job_id !== job_id);
  if (decision !== "scheduled" || block_on_inflight !== true || others.length === 0) return [];
  return [mismatch(`The decision ${frame.id} was made while the job ${others[0]?.job_id ?? ""} was in flight.`)];
}

function isThere({ checkpoints }: Thread, made: Readonly<Record<string, unknown>>): boolean {
  const { checkpoint_id, to_seq } = made;
  return [...checkpoints.values()].some((list) =>
    itemsEndingAt(list, to_seq as number).some((checkpoint) => checkpoint.checkpoint_id === checkpoint_id),
  );
}

/** The base is a cumulative summary that ends before the first cut; which one depends on what could be read then. */
function baseFault(how: {
  readonly before: Thread;
  readonly planned: readonly Cut[];
  readonly base: unknown;
  readonly job: string;
}): Fault | undefined {
  if (typeof how.base !== "string") return undefined;
  const first = least(how.planned.map(({ to_seq }) => to_seq));
  const list = how.before.checkpoints.get(CUMULATIVE_KIND);
  // Most often it is one of the last.
  for (let at = (list?.length ?? 0) - 1; at >= 0; at -= 1) {
    const item = list?.shared.items[at];
    if (item?.artifact_id === how.base && item.to_seq < first) return undefined;
  }
  return mismatch(`The job ${how.job} builds on ${how.base}, which is no cumulative summary before its first cut.`);
}

function ruleFault(how: { readonly id: string; readonly stride: number; readonly rule: unknown }): Fault | undefined {
  const rule = cutRuleId(how.stride);
  return how.rule === rule
    ? undefined
    : mismatch(`The ${how.id} has the cut rule ${String(how.rule)}; its stride says ${rule}.`);
}

/** Messages may come in between a decision and its frame: the fewest messages with which the plan can have been made. */
function countedBy({ decided }: Thread, how: { readonly stride: number; readonly planned: readonly Cut[] }): number {
  const newest = greatest([0, ...how.planned.map(({ target_message_ordinal }) => target_message_ordinal)]);
  return Math.min(decided.most, Math.max(decided.least, newest));
}

function cutsOf(value: unknown): readonly Cut[] | undefined {
  if (!Array.isArray(value)) return undefined;
  if (!value.every(isRecord)) return undefined;
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

function older(message: string): Fault {
  return faultOf("rule_older", message, "info");
}

interface PlanRequest {
  readonly stride: number;
  /** The plan has no more cuts than this. */
  readonly most: number;
  /** Only so many messages count. Default: all. */
  readonly messages?: number;
}

/** The cut points of a thread at a stride, the latest first. A second way to find them, by which verify judges the first. */
export function replayCuts(thread: Thread, { stride, most, messages }: PlanRequest): readonly Cut[] {
  const count = Math.min(messages ?? thread.places.count, thread.places.count);
  const cuts: Cut[] = [];
  for (let ordinal = count - (count % stride); ordinal > 0 && cuts.length < most; ordinal -= stride) {
    const place = placeAt(thread.places, ordinal);
    if (place !== undefined) cuts.push({ target_message_ordinal: ordinal, to_seq: place.seq, to_message_id: place.id });
  }
  return cuts;
}

/** Of the newest 1,000 cuts those without a cumulative checkpoint, the latest first. */
export function replayPlan(thread: Thread, request: PlanRequest): readonly Cut[] {
  const list = thread.checkpoints.get(CUMULATIVE_KIND);
  return replayCuts(thread, { ...request, most: CUTS_IN_REACH })
    .filter(({ to_seq }) => itemsEndingAt(list, to_seq).length === 0)
    .slice(0, request.most);
}
