import { frameOf } from "../threads/model/frame.ts";
import { headAfter, type ThreadHead } from "../threads/plan/thread-state.ts";
import { invalidAfterChange } from "../threads/store/checked-draft.ts";
import { columnOf } from "../threads/store/column-text.ts";
import type { StoredFrame } from "../threads/store/thread-store.ts";
import type { Calls, PostgresDatabase } from "./database.ts";
import { derivedColumns } from "./import.ts";
import { columnsOf, derives, frameIn, type FrameRow, type HeadRow } from "./rows.ts";

/**
 * Replaces lines of a thread, and derives everything else from them again, through the audited function of the schema. Ids and types must stay.
 * Returns the number of changed lines; with none, nothing is written.
 */
export function rewriteFrames(
  database: PostgresDatabase,
  thread_id: string,
  change: (line: string) => string,
): Promise<number> {
  return database.transaction(async (calls) => {
    const locked = await calls.call<HeadRow | null>("lock_thread", { thread_id });
    if (locked === null) return 0;
    const stored = await allFrames(calls, locked);
    const changed = stored.map(({ line }) => change(line));
    const count = changed.filter((line, at) => line !== stored[at]?.line).length;
    if (count === 0) return 0;
    const rows: object[] = [];
    let head: ThreadHead | undefined;
    let weight = 0;
    for (const [seq, line] of changed.entries()) {
      const frame = frameOf({ line });
      const before = frameOf(stored[seq]);
      const isSame = frame?.seq === seq && frame.thread_id === thread_id && frame.id === before?.id;
      if (!isSame || frame.type !== before?.type) throw invalidAfterChange(thread_id, seq);
      head = headAfter(head, frame);
      weight += columnsOf(before).weight;
      const isOther = line !== stored[seq]?.line;
      if (isOther || head.weight !== weight)
        rows.push({ seq, id: frame.id, weight: head.weight, ...(isOther && { line }) });
    }
    if (head === undefined) return 0;
    const { workspace, title } = head;
    const texts = { workspace: columnOf(workspace), title: title === null ? null : columnOf(title) };
    const derived = changed
      .flatMap((line, seq) => derivedColumns({ seq, line }))
      .filter((row) => derives(row as never));
    await calls.call("rewrite", { thread_id, ...texts, weight: head.weight, frames: count }, rows, derived);
    return count;
  });
}

const FRAMES_AT_ONCE = 10_000;
const BYTES_AT_ONCE = 16 * 1024 * 1024;

async function allFrames(calls: Calls, { thread_id, head_seq }: HeadRow): Promise<readonly StoredFrame[]> {
  const all: StoredFrame[] = [];
  while (all.length <= head_seq) {
    const query = {
      thread_id,
      from_seq: all.length,
      to_seq: head_seq,
      limit: FRAMES_AT_ONCE,
      most_bytes: BYTES_AT_ONCE,
    };
    const page = (await calls.rows<FrameRow>("frames", query)).map(frameIn);
    for (const frame of page) all.push(frame);
    if (page.length === 0) break;
  }
  return all;
}
