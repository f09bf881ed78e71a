import zlib from "node:zlib";
import type { SqliteDriver } from "../../platform/sqlite-driver.ts";
import { textAt, timeAt, type Fields } from "./fields.ts";
import { ForeignDatabase, isNumber, jsonIn, numberColumn, refuseDisorder } from "./foreign-database.ts";
import { longestRow } from "./json-lines.ts";

/** Why a row has no event: it is no JSON, too long, or packed with zstd, which this Node cannot read. */
export type RowFault = "torn" | "long" | "packed";

export interface OpenclawRow {
  readonly seq: number;
  readonly created_at_ms: number | undefined;
  readonly event: Fields | RowFault;
}

/** Gives at most `maxOutputLength` bytes, else it throws `ERR_BUFFER_TOO_LARGE`. */
export type Unpack = (packed: Uint8Array, options: { readonly maxOutputLength: number }) => Buffer;

/** What unpacks rows here: Node has it from 22.15 on. */
export const unpackOfNode: Unpack | "none" =
  (zlib as { readonly zstdDecompressSync?: Unpack }).zstdDecompressSync ?? "none";

const bounded = `CASE WHEN typeof(event_json) = 'text' AND length(event_json) <= ${longestRow} THEN event_json END AS json, CASE WHEN typeof(event_zstd) = 'blob' AND length(event_zstd) <= ${longestRow} THEN event_zstd END AS packed`;
const isLong = `max(coalesce(length(event_json), 0), coalesce(length(event_zstd), 0)) > ${longestRow} AS is_long`;
const inOrder = `(typeof(seq) = 'integer' AND ${isNumber("seq")} AND seq >= 0)`;
const nextEvent = `SELECT seq, ${numberColumn("created_at")}, ${bounded}, ${isLong} FROM transcript_events WHERE session_id = ? AND seq > ? AND ${inOrder} ORDER BY seq LIMIT 1`;
const withoutPlace = `SELECT count(*) AS count FROM transcript_events WHERE session_id = ? AND NOT ${inOrder}`;
const sessions = `SELECT session_id, max(CASE WHEN ${isNumber("created_at")} THEN created_at END) AS changed FROM transcript_events WHERE typeof(session_id) = 'text' GROUP BY session_id`;

/** The rows of `transcript_events`, one at a time, since one of them may be large. */
export class OpenclawRows {
  readonly #database: ForeignDatabase;
  readonly #unpack: Unpack | "none";

  private constructor(database: ForeignDatabase, unpack: Unpack | "none") {
    this.#database = database;
    this.#unpack = unpack;
  }

  /** Errors: those of `ForeignDatabase.open`. */
  static async open(driver: SqliteDriver, path: string, unpack: Unpack | "none"): Promise<OpenclawRows> {
    return new OpenclawRows(await ForeignDatabase.open(driver, path), unpack);
  }

  sessions(): readonly { readonly session: string; readonly changed_at_ms: number }[] {
    return this.#database
      .rows(sessions)
      .map((row) => ({ session: String(row["session_id"]), changed_at_ms: timeAt(row, "changed") ?? 0 }));
  }

  /** The first row of a session behind a number; -1 for its first one. */
  after(session: string, seq: number): OpenclawRow | undefined {
    const row = this.#database.row(nextEvent, session, seq);
    if (row === undefined) return undefined;
    const next = Number(row["seq"]);
    refuseDisorder(next > seq ? "rises" : "does not");
    return { seq: next, created_at_ms: timeAt(row, "created_at"), event: this.#eventIn(row) };
  }

  /** Rows that have no place in the order. */
  lost(session: string): number {
    return Number(this.#database.row(withoutPlace, session)?.["count"]);
  }

  close(): void {
    this.#database.close();
  }

  /** The event of a row, in whichever of its two columns it stands. */
  #eventIn(row: Fields): Fields | RowFault {
    const json = textAt(row, "json");
    if (json !== undefined) return jsonIn(json) ?? "torn";
    const packed = row["packed"];
    if (!(packed instanceof Uint8Array)) return row["is_long"] === 1 ? "long" : "torn";
    if (this.#unpack === "none") return "packed";
    try {
      return jsonIn(this.#unpack(packed, { maxOutputLength: longestRow }).toString("utf8")) ?? "torn";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "ERR_BUFFER_TOO_LARGE" ? "long" : "torn";
    }
  }
}
