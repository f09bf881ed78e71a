import { MemoryError } from "../base/errors.ts";
import type { Frame, FrameDraft } from "../threads/model/frame.ts";
import {
  checkedFrame,
  decisionConflict,
  idConflict,
  isSameMessage,
  leaseLost,
  seqConflict,
  threadExists,
  threadFull,
} from "../threads/store/checked-draft.ts";
import { columnOf } from "../threads/store/column-text.ts";
import {
  threadNotFound,
  type AppendedPieces,
  type AppendRequest,
  type Appended,
  type PiecesRequest,
} from "../threads/store/thread-store.ts";
import type { Calls, PostgresDatabase } from "./database.ts";
import { columnsOf, derives, headIn, type FrameColumns, type HeadRow } from "./rows.ts";

type Answer =
  | { readonly head: HeadRow; readonly base: number; readonly known: readonly string[] }
  | { readonly head: HeadRow; readonly placed: readonly (readonly [id: string, seq: number])[] }
  | {
      readonly refused: string;
      readonly seq?: number;
      /** Conflicting drafts, by `n`; those with a line may be the same message. */
      readonly known?: readonly { readonly n: number; readonly line: string | null }[];
    };

/** The part of an append that a call has: `now` is the time of the leases, by a clock other than the server's. */
export type AppendCall = AppendRequest & { readonly now?: number | undefined; readonly begins?: boolean };

/** Appends in one call, unless a message with a known id has to be compared field by field. */
export async function appendFrames(
  calls: Calls,
  request: AppendCall,
  attempt: "first" | "repeated" = "first",
): Promise<Appended> {
  const prepared = prepare(request);
  const { drafts, fault } = prepared;
  const head = headOf(request, prepared);
  /** Ids that were found to be the same messages. */
  const same: string[] = [];
  const one = attempt === "repeated" ? "lost" : await appendOne(calls, request, prepared);
  if (one !== "lost" && one !== null) return one;
  let answer = await send(calls, { ...head, ...(one === "lost" && { is_repeated: true }) }, drafts);
  while ("refused" in answer && answer.known !== undefined) {
    for (const { n, line } of answer.known) {
      const { frame } = drafts[n] as Draft;
      if (line === null || !isSameMessage(frame, { line })) throw idConflict(frame);
      same.push(frame.id);
    }
    answer = await send(calls, { ...head, same }, drafts);
  }
  if ("refused" in answer) throw refusalOf(answer, request, fault);
  const skipped = new Set("known" in answer ? answer.known : []);
  const fresh = drafts.filter(({ frame }) => !skipped.has(frame.id));
  const appended =
    "placed" in answer
      ? answer.placed.map(([id, seq]) => ({ id, seq }))
      : fresh.map(({ frame: { id } }, at) => ({ id, seq: answer.base + 1 + at }));
  return { appended, known: request.frames.length - appended.length, head: headIn(answer.head) };
}

/** Of `append_one`: text and numbers of the thread's row after the append. */
type OneRow = readonly [
  workspace: string,
  title: string | null,
  created: number,
  head_seq: number,
  message_count: number,
  weight: number,
  decision_seq: number,
];

const CONDITIONS = ["held_lease", "leases", "expected_decision_seq"] as const;

/** One frame without conditions other than `expected_seq`, as most appends are; null if the rest is for `append`, and `lost` if it may have been done. */
async function appendOne(
  calls: Calls,
  request: AppendCall,
  { drafts, fault }: Prepared,
): Promise<Appended | "lost" | null> {
  const [draft] = drafts;
  if (calls.quick === undefined || draft === undefined || request.frames.length > 1 || fault !== undefined) return null;
  const { frame, before, after } = draft;
  const { id, at, type = null, is_indexed, weight, kind } = columnsOf(frame);
  const begins = request.begins ?? frame.type === "continuity_created";
  if (begins || kind !== undefined || CONDITIONS.some((name) => request[name] !== undefined)) return null;
  const { thread_id, expected_seq = null } = request;
  const values = [thread_id, expected_seq, id, at, before, after, type, is_indexed, weight];
  const row = await calls.quick<OneRow>("append_one", values);
  if (row === "lost" || row === null) return row;
  const [workspace, title, created_at_ms, head_seq, message_count, total, decision_seq] = row;
  const head = { number: 0, thread_id, workspace, title, created_at_ms, updated_at_ms: at, head_seq, message_count };
  return {
    appended: [{ id: frame.id, seq: head_seq }],
    known: 0,
    head: headIn({ ...head, weight: total, decision_seq }),
  };
}

/** A message as `append_group` takes it. */
export interface Joinable {
  readonly id: string;
  readonly thread_id: string;
  readonly at: number;
  readonly a: string;
  readonly z: string;
  readonly weight: number;
}

/** Undefined if the frame has a fault. */
export function joinableOf(request: AppendCall): Joinable | undefined {
  const [draft] = prepare(request).drafts;
  if (draft === undefined) return undefined;
  const { id, at, weight } = columnsOf(draft.frame);
  return { id, thread_id: request.thread_id, at, a: draft.before, z: draft.after, weight };
}

interface Draft {
  readonly frame: Frame;
  /** The line is `before`, the seq, and `after`. */
  readonly before: string;
  readonly after: string;
}

interface Prepared {
  readonly drafts: readonly Draft[];
  /** Why the draft after these cannot be appended; other refusals come first. */
  readonly fault: MemoryError | undefined;
}

/** The seq of a draft is not known yet, but whether it is 0 is. */
function prepare({
  thread_id,
  frames,
  known_ids,
  begins = frames[0]?.type === "continuity_created",
}: AppendCall): Prepared {
  const drafts = new Map<string, Draft>();
  try {
    for (const [at, draft] of frames.entries()) {
      const made = draftOf(draft, { thread_id, seq: begins && at === 0 ? 0 : 1 });
      const same = drafts.get(made.frame.id);
      if (same === undefined) drafts.set(made.frame.id, made);
      else if (known_ids !== "pass" || !isSameMessage(made.frame, { line: `${same.before}1${same.after}` }))
        throw idConflict(made.frame);
    }
  } catch (error) {
    if (!(error instanceof MemoryError)) throw error;
    return { drafts: [...drafts.values()], fault: error };
  }
  return { drafts: [...drafts.values()], fault: undefined };
}

function draftOf(draft: FrameDraft, place: { readonly thread_id: string; readonly seq: number }): Draft {
  const { line, frame } = checkedFrame(draft, place);
  // The texts before it are an id, a thread id and numbers: none contains a quote.
  const at = line.indexOf(SEQ) + SEQ.length;
  return { frame, before: line.slice(0, at), after: line.slice(at + 1) };
}

const SEQ = '"seq":';

function headOf(request: AppendCall, { drafts, fault }: Prepared): Readonly<Record<string, unknown>> {
  const { thread_id, expected_seq, expected_decision_seq, leases, held_lease, known_ids, now, frames } = request;
  const begins = request.begins ?? frames[0]?.type === "continuity_created";
  const { workspace, title } = drafts[0]?.frame.fields ?? {};
  return {
    thread_id,
    expected_seq,
    expected_decision_seq,
    now,
    ...(known_ids === "pass" && { passes: true }),
    ...(begins && {
      begins,
      workspace: typeof workspace === "string" ? columnOf(workspace) : "",
      title: typeof title === "string" ? columnOf(title) : null,
    }),
    ...(fault && { stop: true }),
    ...(held_lease && { held: { job_id: columnOf(held_lease.job_id), runner: columnOf(held_lease.runner) } }),
    ...(leases && {
      leases: leases.map(({ job_id, runner, lease_ms }) => ({
        job_id: columnOf(job_id),
        runner: columnOf(runner),
        lease_ms,
      })),
    }),
  };
}

async function send(calls: Calls, head: Readonly<Record<string, unknown>>, drafts: readonly Draft[]): Promise<Answer> {
  const rows = drafts.map(({ frame, before, after }, n): FrameColumns & { n: number; a: string; z: string } => ({
    n,
    a: before,
    z: after,
    ...columnsOf(frame),
  }));
  const isDerived = rows.some(derives);
  return calls.call<Answer>("append", { ...head, ...(isDerived && { derives: true }) }, rows);
}

function refusalOf(
  answer: { readonly refused: string; readonly seq?: number },
  request: AppendCall,
  fault?: MemoryError,
) {
  const { thread_id, expected_seq, expected_decision_seq, held_lease } = request;
  const { refused, seq = -1 } = answer;
  switch (refused) {
    case "thread_not_found":
      return threadNotFound(thread_id);
    case "thread_exists":
      return threadExists(thread_id);
    case "seq_conflict":
      return seqConflict(thread_id, expected_seq ?? -1, seq);
    case "decision_conflict":
      return decisionConflict(thread_id, expected_decision_seq ?? -1, seq);
    case "lease_lost":
      return leaseLost(held_lease ?? { job_id: "", runner: "" });
    case "full":
      return threadFull(thread_id);
    default:
      return fault ?? new MemoryError("internal", `The database refused an append with an unknown reason, ${refused}.`);
  }
}

export async function appendPieces(
  database: PostgresDatabase,
  { thread_id, expected_seq, known_ids }: PiecesRequest,
  pieces: AsyncIterable<readonly FrameDraft[]>,
): Promise<AppendedPieces> {
  const request = { thread_id, ...(known_ids && { known_ids }) };
  return database.transaction(async (calls) => {
    const locked = await calls.call<HeadRow | null>("lock_thread", { thread_id });
    if (locked === null) throw threadNotFound(thread_id);
    const refuseSeq = (): void => {
      if (expected_seq !== undefined && expected_seq !== locked.head_seq)
        throw seqConflict(thread_id, expected_seq, locked.head_seq);
    };
    if (known_ids !== "pass") refuseSeq();
    let total: AppendedPieces | undefined;
    for await (const frames of pieces) {
      if (total === undefined && frames[0]?.type === "continuity_created") throw threadExists(thread_id);
      const { appended, known, head } = await appendFrames(calls, { ...request, frames, begins: false });
      total = { appended: (total?.appended ?? 0) + appended.length, known: (total?.known ?? 0) + known, head };
    }
    if (total === undefined) throw threadNotFound(thread_id);
    if (total.appended > 0) refuseSeq();
    return total;
  });
}
