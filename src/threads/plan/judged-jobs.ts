import type { Thread } from "./fold.ts";
import type { Fault, Step } from "../model/judged-frame.ts";
import { CUMULATIVE, replayPlan, type Cut } from "./replayed-plan.ts";
import { greatest, least } from "../../base/lists.ts";

export const SUMMARIZER_JOB = "compaction_summarizer_v1";
const DETAILS = "rip.job.compaction_summarizer.v1";
/** As `compaction.auto` takes them. */
const MOST_PLANNED = 32;
const POLICY = "compaction_auto_schedule_v1";

/** A job that summarises: its cuts are the plan of the frames before it. */
export function judgeSpawn({ before, after, frame }: Step): readonly Fault[] {
  const { job_kind, job_id } = frame.fields;
  if (before.open_jobs.some((job) => job.job_id === job_id))
    return [mismatch(`The job ${String(job_id)} is spawned a second time.`)];
  if (job_kind !== SUMMARIZER_JOB) return [];
  const details = recordOf(frame.fields["details"]);
  const stride = details?.["stride_messages"];
  const planned = cutsOf(details?.["planned"]);
  if (details?.["schema"] !== DETAILS || !isStride(stride) || planned === undefined)
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
export function judgeSchedule(step: Step): readonly Fault[] {
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
  const policy = `${POLICY}/stride_messages_v1/${stride}/max_new_checkpoints_v1/${most}/block_on_inflight_v1/${String(fields["block_on_inflight"])}`;
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
export function judgeEnd({ before, frame }: Step): readonly Fault[] {
  const { job_id, result } = frame.fields;
  if (!before.open_jobs.some((job) => job.job_id === job_id))
    return [{ code: "job_unknown", severity: "info", message: `The job ${String(job_id)} ends and was not open.` }];
  const created = recordOf(result)?.["created"];
  const missing = (Array.isArray(created) ? created : []).map(recordOf).filter((made) => !isThere(before, made));
  return missing.map((made) =>
    mismatch(`The job ${String(job_id)} names the checkpoint ${String(made?.["checkpoint_id"])}, which is not there.`),
  );
}

/** Only a job in flight holds a schedule back, and when it does so, no other begins. */
function flightFaults({ before, frame }: Step): readonly Fault[] {
  const { decision, reason, job_id, block_on_inflight } = frame.fields;
  const open = before.open_jobs.filter((job) => job.kind === SUMMARIZER_JOB);
  if (decision === "skipped_inflight") {
    const blocking = recordOf(reason)?.["job_id"];
    if (block_on_inflight === true && open.some((job) => job.job_id === blocking)) return [];
    return [mismatch(`The decision ${frame.id} was skipped for the job ${String(blocking)}, which was not in flight.`)];
  }
  const others = open.filter((job) => job.job_id !== job_id);
  if (decision !== "scheduled" || block_on_inflight !== true || others.length === 0) return [];
  return [mismatch(`The decision ${frame.id} was made while the job ${others[0]?.job_id ?? ""} was in flight.`)];
}

function isThere({ checkpoints }: Thread, made: Readonly<Record<string, unknown>> | undefined): boolean {
  const { checkpoint_id, to_seq } = made ?? {};
  return [...checkpoints.values()].some((list) =>
    (list.shared.byKey.get(to_seq as number) ?? []).some(
      (index) => index < list.length && list.shared.items[index]?.checkpoint_id === checkpoint_id,
    ),
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
  const list = how.before.checkpoints.get(CUMULATIVE);
  // Most often it is one of the last.
  for (let at = (list?.length ?? 0) - 1; at >= 0; at -= 1) {
    const item = list?.shared.items[at];
    if (item?.artifact_id === how.base && item.to_seq < first) return undefined;
  }
  return mismatch(`The job ${how.job} builds on ${how.base}, which is no cumulative summary before its first cut.`);
}

function ruleFault(how: { readonly id: string; readonly stride: number; readonly rule: unknown }): Fault | undefined {
  const rule = `stride_messages_v1/${how.stride}`;
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
  const records = value.map(recordOf);
  if (records.some((record) => record === undefined)) return undefined;
  return records.map((record) => ({
    target_message_ordinal: record?.["target_message_ordinal"] as number,
    to_seq: record?.["to_seq"] as number,
    to_message_id: record?.["to_message_id"] as string,
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

function recordOf(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : undefined;
}

function mismatch(message: string): Fault {
  return { code: "plan_mismatch", severity: "error", message };
}

function older(message: string): Fault {
  return { code: "rule_older", severity: "info", message };
}
