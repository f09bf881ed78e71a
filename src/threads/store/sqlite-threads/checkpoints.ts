import type { CheckpointQuery, StoredCheckpoint } from "../thread-store.ts";
import { isFrame, parseFrame } from "../../model/frame-format.ts";
import { columnOf } from "./columns.ts";
import type { Session } from "./connection.ts";
import { CHECKED_COLUMNS, checkedRow, type FrameRow } from "./row-check.ts";

interface Row extends FrameRow {
  readonly crc: number;
  readonly seq: number;
  readonly from_ordinal: number | null;
  readonly to_ordinal: number | null;
}

const SQL = `
SELECT seq, from_ordinal, to_ordinal, ${CHECKED_COLUMNS}
FROM checkpoint CROSS JOIN frame ON frame.at = checkpoint.thread * 4294967296 + checkpoint.seq
WHERE checkpoint.thread = (SELECT number FROM thread WHERE thread_id = ?) AND kind = ? AND to_seq BETWEEN ? AND ? AND seq <= ?
ORDER BY to_seq DESC, seq DESC LIMIT ?`;

export function findCheckpoints(session: Session, query: CheckpointQuery): readonly StoredCheckpoint[] {
  const rows = session
    .statement(SQL)
    .all(
      query.thread_id,
      columnOf(query.kind),
      query.to_seq_at_least ?? 0,
      query.to_seq_at_most ?? Number.MAX_SAFE_INTEGER,
      query.frame_seq_at_most ?? Number.MAX_SAFE_INTEGER,
      query.limit,
    ) as readonly Row[];
  return rows.flatMap((row) => checkpointOf(row) ?? []);
}

function checkpointOf(row: Row): StoredCheckpoint | undefined {
  const frame = parseFrame(checkedRow(row).line);
  if (!isFrame(frame)) return undefined;
  const { fields } = frame;
  return {
    checkpoint_id: fields["checkpoint_id"] as string,
    seq: row.seq,
    kind: fields["summary_kind"] as string,
    cut_rule_id: fields["cut_rule_id"] as string,
    artifact_id: fields["summary_artifact_id"] as string,
    from_seq: fields["from_seq"] as number,
    from_message_id: idOrNull(fields["from_message_id"]),
    to_seq: fields["to_seq"] as number,
    to_message_id: idOrNull(fields["to_message_id"]),
    ordinals: row.from_ordinal === null || row.to_ordinal === null ? null : [row.from_ordinal, row.to_ordinal],
  };
}

function idOrNull(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}
