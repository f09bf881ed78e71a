import { crc32 } from "node:zlib";
import { MemoryError } from "../../../base/errors.ts";
import { seqOf } from "./columns.ts";

/** A row of `frame`. */
export interface FrameRow {
  readonly at: number;
  readonly id: Uint8Array;
  readonly type: string | null;
  readonly ordinal: number;
  readonly weight: number;
  readonly line: string;
}

/** The columns that `checkedRow` wants. */
export const CHECKED_COLUMNS = "at, frame.id AS id, frame.type AS type, ordinal, weight, crc, line";

/** CRC-32 over the whole row: SQLite has no checksums of its own, and a flipped bit in a message would be taken for its words. */
export function crcOf({ at, id, type, ordinal, weight, line }: FrameRow): number {
  return crc32(line, crc32(id, crc32(`${at} ${ordinal} ${weight} ${type ?? ""}`)));
}

/** The row, when it is as it was written. Errors: `damaged_store`, with the `seq`. */
export function checkedRow<Row extends FrameRow & { readonly crc: number }>(row: Row): Row {
  if (isWhole(row) && crcOf(row) === row.crc) return row;
  const seq = seqOf(row.at);
  const sentence = `The frame at seq ${seq} is not as it was written: its checksum differs. Nothing was changed. Run \`thread verify\`; put back a copy of the store, or import an export of the thread into an empty one.`;
  throw new MemoryError("damaged_store", sentence, { seq });
}

/** Columns of a damaged row can be of any type, whatever the table says. */
function isWhole({ id, type, line }: { readonly [name in keyof FrameRow]: unknown }): boolean {
  return id instanceof Uint8Array && typeof line === "string" && (type === null || typeof type === "string");
}
