import type { ImportLine, StoredFrame, ThreadHead, ThreadImport } from "../threads/store/thread-store.ts";
import { frameOf } from "../threads/model/frame.ts";
import { headAfter } from "../threads/plan/thread-state.ts";
import { columnOf } from "../threads/store/column-text.ts";
import { faultReason, importFault, piecesOf, type ThreadLine } from "../threads/store/import-lines.ts";
import type { Calls, PostgresDatabase } from "./database.ts";
import { columnsOf, frameIn, headIn, type FrameRow, type HeadRow } from "./rows.ts";

/** Imports lines of any number of threads in one transaction, a piece a call. */
export function importLines(
  database: PostgresDatabase,
  lines: AsyncIterable<ImportLine> | Iterable<ImportLine>,
): Promise<readonly ThreadImport[]> {
  return database.transaction(async (calls) => {
    const threads = new Map<string, Taken>();
    for await (const piece of piecesOf(lines)) await takePiece(calls, threads, piece);
    for (const taken of threads.values()) await finish(calls, taken);
    return [...threads.values()].map(({ thread_id, before, head, imported, known, error }) =>
      error === undefined
        ? { thread_id, imported, known, head_seq: head?.head_seq ?? before }
        : { thread_id, imported: 0, known, head_seq: before, error },
    );
  });
}

interface Taken {
  readonly thread_id: string;
  number: number | undefined;
  /** Head seq before the import. */
  before: number;
  head: ThreadHead | undefined;
  imported: number;
  known: number;
  error?: NonNullable<ThreadImport["error"]>;
}

interface Answer {
  readonly numbers: readonly number[];
  readonly heads: readonly (HeadRow | null)[];
  /** A letter for each line. */
  readonly outcomes: string;
}

async function takePiece(calls: Calls, threads: Map<string, Taken>, piece: readonly ThreadLine[]): Promise<void> {
  const places = new Map<Taken, number>();
  const firsts: ThreadLine[] = [];
  for (const line of piece) {
    const taken = threads.get(line.thread_id) ?? newThread(line.thread_id);
    threads.set(line.thread_id, taken);
    if (places.has(taken)) continue;
    places.set(taken, places.size);
    firsts.push(line);
  }
  const takens = [...places.keys()];
  const answer = await calls.call<Answer>(
    "import_lines",
    {},
    takens.map((taken, at) => threadColumns(taken, firsts[at] as ThreadLine)),
    piece.map((line, n) => ({
      n,
      k: places.get(threads.get(line.thread_id) as Taken),
      line: line.text,
      ...(typeof line.frame !== "string" && { ...columnsOf(line.frame), seq: line.frame.seq, ...withoutJob(line) }),
    })),
  );
  for (const [at, taken] of takens.entries()) {
    if (taken.number !== undefined) continue;
    const row = answer.heads[at] ?? null;
    taken.number = answer.numbers[at];
    taken.head = row === null ? undefined : headIn(row);
    taken.before = taken.head?.head_seq ?? -1;
  }
  for (const [at, line] of piece.entries()) note(threads.get(line.thread_id) as Taken, line, answer.outcomes[at] ?? "");
}

/** Jobs are derived at the end, because a fault takes back what was imported. */
function withoutJob({ frame }: ThreadLine): { readonly kind?: undefined } {
  return typeof frame !== "string" && frame.fields["job_id"] !== undefined && frame.type.startsWith("continuity_job_")
    ? { kind: undefined }
    : {};
}

function newThread(thread_id: string): Taken {
  return { thread_id, number: undefined, before: -1, head: undefined, imported: 0, known: 0 };
}

function threadColumns({ thread_id, number, before, head, error }: Taken, { frame }: ThreadLine): object {
  const state = { next: (head?.head_seq ?? -1) + 1, count: head?.message_count ?? 0, weight: head?.weight ?? 0 };
  // A thread begins with its first line, or with a fault.
  const first = number === undefined && typeof frame !== "string" ? headAfter(undefined, frame) : undefined;
  return {
    thread_id,
    number,
    before,
    ...state,
    is_dead: error !== undefined,
    workspace: columnOf(first?.workspace ?? ""),
    title: typeof first?.title === "string" ? columnOf(first.title) : null,
    created: first?.created_at_ms ?? 0,
  };
}

const FAULTS = { c: "frame_conflict", g: "seq_gap", f: "invalid_frame" } as const;

function note(taken: Taken, line: ThreadLine, outcome: string): void {
  const code = FAULTS[outcome as keyof typeof FAULTS];
  if (outcome === "k") taken.known += 1;
  else if (code !== undefined) {
    const next = (taken.head?.head_seq ?? -1) + 1;
    taken.error = importFault(line, code, faultReason(code, line.frame, next));
  } else if (outcome === "i" && typeof line.frame !== "string") {
    taken.head = headAfter(taken.head, line.frame);
    taken.imported += 1;
  }
}

const JOB_TYPES = ["continuity_job_spawned", "continuity_job_ended"] as const;
const JOBS_AT_ONCE = 1000;

async function finish(calls: Calls, { thread_id, number, before, head, imported, error }: Taken): Promise<void> {
  if (error !== undefined || imported === 0 || head === undefined) return;
  const { updated_at_ms, head_seq, message_count, weight, decision_seq } = head;
  await calls.call("save_head", { thread_id, updated_at_ms, head_seq, message_count, weight, decision_seq });
  let from_seq = before + 1;
  while (from_seq <= head_seq) {
    const query = { thread_id, types: JOB_TYPES, from_seq, to_seq: head_seq, limit: JOBS_AT_ONCE };
    const frames = (await calls.rows<FrameRow>("frames", query)).map(frameIn);
    if (frames.length > 0) await calls.call("replay", { number }, frames.flatMap(derivedColumns));
    from_seq = (frames.at(-1)?.seq ?? head_seq) + 1;
  }
}

/** What the schema derives from a stored frame; `n` is its seq. */
export function derivedColumns({ seq, line }: Pick<StoredFrame, "seq" | "line">): readonly object[] {
  const frame = frameOf({ line });
  return frame === undefined ? [] : [{ n: seq, ...columnsOf(frame) }];
}
